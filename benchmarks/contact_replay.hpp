// `sinew bench contact FILE...`: every contact solver on recorded problems, judged by one yardstick.
#pragma once

#include <string>
#include <vector>

namespace sinew::bench {

struct ContactReplaySettings {
  int threads = 0;         ///< 0: all cores
  int max_sweeps = 1000;   ///< of Gauss-Seidel, and steps of nsn
  double tolerance = 0.0;  ///< [m]; 0: as recorded
  int repeats = 3;         ///< the fastest counts
};

/// Prints a table per file. @throws IoError.
void replay_contacts(const std::vector<std::string>& files, const ContactReplaySettings& settings);

}  // namespace sinew::bench
