#include "benchmarks/machine_load.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace sinew::bench {

namespace {

std::optional<CoreTimes> core_times() {
  std::ifstream file("/proc/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return parse_core_times(line, static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

double own_time() {
  double seconds = 0.0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage usage {};
    if (::getrusage(who, &usage) != 0) continue;
    for (const timeval& t : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }
  return seconds;
}

}  // namespace

std::optional<CoreTimes> parse_core_times(std::string_view stat, double ticks) {
  // user nice system idle iowait irq softirq steal; guests are counted within user and nice (proc(5)).
  constexpr std::size_t kFields = 8, kIdle = 3, kWait = 4;
  std::istringstream words{std::string(stat)};
  std::string name;
  std::array<double, kFields> field{};
  if (!(words >> name) || name != "cpu") return std::nullopt;
  for (double& f : field)
    if (!(words >> f)) return std::nullopt;
  CoreTimes times;
  for (std::size_t i = 0; i < kFields; ++i) {
    times.all += field[i] / ticks;
    if (i != kIdle && i != kWait) times.busy += field[i] / ticks;
  }
  return times;
}

MachineLoad load_between(const std::optional<CoreTimes>& before, const std::optional<CoreTimes>& after,
                         double own_s) {
  MachineLoad load;
  if (!before || !after || !(after->all > before->all)) {
    load.others_share = std::numeric_limits<double>::quiet_NaN();
    load.warning = "what other programs did meanwhile is not known: /proc/stat does not tell";
    return load;
  }
  const double others = after->busy - before->busy - own_s;
  load.others_share = std::clamp(others / (after->all - before->all), 0.0, 1.0);
  if (load.others_share > LoadMeter::kBusy)
    load.warning = fmt::format(
        "other programs took {:.0f} % of all cores meanwhile: times are upper bounds; stop them and run "
        "again",
        100.0 * load.others_share);
  return load;
}

void LoadMeter::start() {
  before_ = core_times();
  own_before_ = own_time();
}

MachineLoad LoadMeter::stop() const {
  const std::optional<CoreTimes> after = core_times();
  return load_between(before_, after, own_time() - own_before_);
}

}  // namespace sinew::bench
