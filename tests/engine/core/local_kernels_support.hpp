// What the tests of the local step compare.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/elastic/local_step.hpp"

namespace sinew::test {

inline constexpr double kTimeStep = 0.01;

struct Result {
  ElasticEnergy energy;
  std::vector<Vec3d> gradient;
};

inline double largest(const std::vector<Vec3d>& a) {
  double most = 0.0;
  for (const Vec3d& v : a) most = std::max(most, norm(v));
  return most;
}

inline std::vector<Vec3d> difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  std::vector<Vec3d> d;
  for (std::size_t i = 0; i < a.size(); ++i) d.push_back(a[i] - b[i]);
  return d;
}

inline std::vector<InstructionSet> available_sets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (available(set)) sets.push_back(set);
  return sets;
}

}  // namespace sinew::test
