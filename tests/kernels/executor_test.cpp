#include "kernels/runtime/executor.hpp"

#include <numeric>

#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

TEST_CASE("ordered sums have the same bits for any number of threads") {
  test::Random random(1);
  for (const std::size_t n : {0u, 1u, 511u, 512u, 513u, 100000u}) {
    std::vector<double> values(n);
    for (double& v : values) v = random.uniform() * std::exp(random.uniform(-20, 20));
    std::vector<double> results;
    for (const int threads : {1, 2, 3, 7}) {
      Executor executor(threads);
      std::vector<double> scratch;
      executor.run([&] {
        results.push_back(ordered_sum<double>(n, scratch, [&](std::size_t i) { return values[i]; }));
      });
    }
    for (const double r : results) CHECK(r == results[0]);
    CHECK(results[0] ==
          Approx(std::accumulate(values.begin(), values.end(), 0.0)).epsilon(1e-12).margin(1e-300));
  }
}

TEST_CASE("for_each visits every item once") {
  Executor executor(3);
  for (const std::size_t n : {0u, 1u, 7u, 1000u}) {
    std::vector<int> seen(n);
    executor.run([&] { for_each(n, 5, [&](std::size_t i) { ++seen[i]; }); });
    for (const int s : seen) CHECK(s == 1);
  }
}
