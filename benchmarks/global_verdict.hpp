// The goals of the global step, judged from what was run.
#pragma once

#include <string>
#include <vector>

#include "benchmarks/global_study.hpp"

namespace sinew::bench {

struct Goal {
  enum class Verdict { pass, miss, not_run };
  std::string what;       ///< e.g. "staged / faster CHOLMOD solve"
  std::string where;      ///< problem or problems that were judged; what is absent where nothing was
  double measured = 0.0;  ///< in the goal's unit
  double limit = 0.0;     ///< measured may be as large
  std::string unit;       ///< "" for ratios
  Verdict verdict = Verdict::not_run;
};

const char* to_string(Goal::Verdict verdict);

/// Every goal, in a fixed order; those whose problems or solvers are absent are not_run. threads: N.
std::vector<Goal> judge(const std::vector<GlobalResult>& results, int threads);

}  // namespace sinew::bench
