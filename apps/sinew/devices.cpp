#include "apps/sinew/devices.hpp"

#include <fmt/format.h>

#include <sinew/errors.hpp>
#include <sinew/version.hpp>

#include "engine/common/text.hpp"
#include "engine/export/machine_info.hpp"
#include "kernels/device/available.hpp"
#include "kernels/device/libraries.hpp"
#include "viewer/renderer.hpp"

namespace sinew::app {

/// A line for each device, or one that says why there is none.
std::string describe_cuda(const DeviceList& list) {
  if (list.devices.empty()) return fmt::format("cuda      none: {}\n", list.reason);
  std::string text;
  for (const DeviceDescription& d : list.devices) {
    if (d.reason.empty())
      text += fmt::format("cuda {:<5}{}, architecture {}, {} multiprocessors, {} memory: --backend cuda\n",
                          d.number, d.name, d.architecture, d.multiprocessors,
                          human_bytes(static_cast<double>(d.memory_bytes)));
    else
      text += fmt::format("cuda {:<5}{}, not used: {}\n", d.number, d.name, d.reason);
  }
  return text;
}

std::string describe_libraries(const std::vector<CudaLibrary>& libraries) {
  std::string text;
  for (const CudaLibrary& l : libraries)
    text += l.reason.empty() ? fmt::format("library   {}: {}\n", l.name, l.file)
                             : fmt::format("library   none: {}\n", l.reason);
  return text;
}

std::string describe_devices() {
  const MachineInfo machine = machine_info();
  std::string renderer;
  try {
    renderer = viewer::make_renderer()->description();
  } catch (const BackendError& error) {
    renderer = std::string("none: ") + error.what();
  }
  std::string text;
  text += fmt::format("cpu       {}, {} core{}, {} memory\n", machine.cpu, machine.cores,
                      machine.cores == 1 ? "" : "s", human_bytes(machine.memory_bytes));
  text += describe_cuda(list_cuda_devices());
  text += describe_libraries(list_cuda_libraries());
  text += fmt::format("renderer  {}\n", renderer);
  text += fmt::format("built     sinew {}, {}\n", version_string(), machine.compiler);
  return text;
}

}  // namespace sinew::app
