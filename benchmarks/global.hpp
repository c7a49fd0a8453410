// `sinew bench global`: the staged inverse beside every other way to apply A_s^-1.
#pragma once

#include <CLI/CLI.hpp>

namespace sinew::bench {

void add_global_case(CLI::App& command);

}  // namespace sinew::bench
