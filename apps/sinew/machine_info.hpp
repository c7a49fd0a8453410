// What this machine is, for reports and `sinew devices`.
#pragma once

#include <string>

#include <sinew/report.hpp>

namespace sinew::app {

MachineInfo machine_info();

/// Text of `sinew devices`: processor, memory, accelerators, renderer.
std::string describe_devices();

}  // namespace sinew::app
