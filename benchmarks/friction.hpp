// `sinew bench friction`: error in the coefficient of friction at which a block on a slope starts to slide.
#pragma once

#include <CLI/CLI.hpp>

namespace sinew::bench {

void add_friction_case(CLI::App& command);

}  // namespace sinew::bench
