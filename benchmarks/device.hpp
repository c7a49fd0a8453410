// `sinew bench device`: the operations of a device beside the host's.
#pragma once

#include <CLI/CLI.hpp>

namespace sinew::bench {

void add_device_case(CLI::App& command);

}  // namespace sinew::bench
