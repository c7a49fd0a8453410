#include "engine/export/machine_info.hpp"

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace sinew {

namespace {
std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(':');
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "unknown";
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
}

const char* build_kind() {
#if defined(NDEBUG)
  return "release";
#else
  return "with assertions";
#endif
}
}  // namespace

MachineInfo machine_info() {
  MachineInfo info;
  info.cpu = cpu_model();
  info.cores = usable_cores();
  info.memory_bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
#if defined(__clang__)
  info.compiler = fmt::format("clang++ {}.{}.{}, {}", __clang_major__, __clang_minor__, __clang_patchlevel__,
                              build_kind());
#else
  info.compiler =
      fmt::format("g++ {}.{}.{}, {}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__, build_kind());
#endif
  struct utsname system {};
  if (::uname(&system) == 0) info.system = fmt::format("{} {}", system.sysname, system.machine);
  return info;
}

}  // namespace sinew
