#include "apps/sinew/devices.hpp"

#include <fmt/format.h>

#include <sinew/errors.hpp>
#include <sinew/version.hpp>

#include "engine/common/text.hpp"
#include "engine/export/machine_info.hpp"
#include "viewer/renderer.hpp"

namespace sinew::app {

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
  text += "cuda      not used: frames run on the CPU in this version\n";
  text += fmt::format("renderer  {}\n", renderer);
  text += fmt::format("built     sinew {}, {}\n", version_string(), machine.compiler);
  return text;
}

}  // namespace sinew::app
