// What this machine is, for reports, benchmarks and `sinew devices`.
#pragma once

#include <sinew/report.hpp>

namespace sinew {

MachineInfo machine_info();

}  // namespace sinew
