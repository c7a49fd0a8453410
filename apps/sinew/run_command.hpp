// `sinew run`: steps a scene and writes what was asked for.
#pragma once

#include <CLI/CLI.hpp>

namespace sinew::app {

/// Adds the command. exit_status: 0 done, 3 a frame diverged, 130 interrupted; all else is thrown.
void add_run_command(CLI::App& app, int& exit_status);

}  // namespace sinew::app
