// How much of the machine other programs took while something was measured.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew::bench {

struct MachineLoad {
  /// [1] of all cores' time that went to other programs, guests of the host included; NaN: not known.
  double others_share = 0;
  std::string warning;  ///< one line; empty where the machine was quiet
};

/// Time of all cores [s] since the machine's start.
struct CoreTimes {
  double busy = 0.0;  ///< of any program, and stolen by the host of a virtual machine
  double all = 0.0;   ///< idle, too
};

/// The first line of /proc/stat; ticks: its units per second.
std::optional<CoreTimes> parse_core_times(std::string_view stat, double ticks);

/// own_s: CPU time of this program and the programs it waited for in between.
MachineLoad load_between(const std::optional<CoreTimes>& before, const std::optional<CoreTimes>& after,
                         double own_s);

/// From start() to stop(). What runs in other processes is others' work, but for children that ended.
class LoadMeter {
 public:
  static constexpr double kBusy = 0.1;  ///< [1] above this share of others a result has a warning
  LoadMeter() { start(); }
  void start();
  MachineLoad stop() const;

 private:
  std::optional<CoreTimes> before_;
  double own_before_ = 0.0;
};

}  // namespace sinew::bench
