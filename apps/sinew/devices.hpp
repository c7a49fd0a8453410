// What this machine has to compute and draw with.
#pragma once

#include <string>

namespace sinew::app {

/// Text of `sinew devices`: processor, memory, accelerators, renderer.
std::string describe_devices();

}  // namespace sinew::app
