// Arrays of repeatable random numbers for tests of operations.
#pragma once

#include <vector>

#include "tests/support/random.hpp"

namespace sinew::test {

inline std::vector<Vec3d> random_vectors(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3d> v(n);
  for (Vec3d& x : v) x = random.vector();
  return v;
}

inline std::vector<double> random_numbers(std::size_t n, std::uint64_t seed, double low = -1.0,
                                          double high = 1.0) {
  Random random(seed);
  std::vector<double> v(n);
  for (double& x : v) x = random.uniform(low, high);
  return v;
}

}  // namespace sinew::test
