// The subcommand "sinew cache": the prepared data that starts leave on disk.
#pragma once

#include <CLI/CLI.hpp>

namespace sinew::app {

/// Adds "cache info|clear [--folder DIR]". Errors leave the callbacks as sinew::Error.
void add_cache_command(CLI::App& cli);

}  // namespace sinew::app
