// `sinew bench local`: the local step in every form beside a straightforward one.
#pragma once

#include <CLI/CLI.hpp>

namespace sinew::bench {

void add_local_case(CLI::App& command);

}  // namespace sinew::bench
