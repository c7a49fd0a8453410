// The subcommands of "sinew mesh".
#pragma once

#include <CLI/CLI.hpp>

namespace sinew {

/// Adds "mesh info|repair|convert|generate|tetrahedralize". exit_status receives 1 where info found faults;
/// errors leave the callbacks as sinew::Error.
void add_mesh_commands(CLI::App& app, int& exit_status);

}  // namespace sinew
