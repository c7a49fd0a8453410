#include "benchmarks/device_timer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tests/support/random.hpp"

namespace sinew::bench {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double relative(double difference, double size) {
  return size > 0.0 ? difference / size : difference;
}

/// As std::max, but a NaN stays.
double worse(double a, double b) {
  return b <= a ? a : b;
}

}  // namespace

double median_ms(double seconds, int inner, const std::function<void()>& work) {
  work();
  std::vector<double> ms;
  const Clock::time_point begin = Clock::now();
  do {
    const Clock::time_point start = Clock::now();
    work();
    ms.push_back(ms_since(start) / inner);
  } while (ms_since(begin) < 1e3 * seconds);
  std::nth_element(ms.begin(), ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2), ms.end());
  return ms[ms.size() / 2];
}

double median_ms(double seconds, DeviceQueue& queue, DeviceGraph& graph) {
  const int inner = queue.device().is_emulated() ? 1 : 20;
  return median_ms(seconds, inner, [&] {
    for (int k = 0; k < inner; ++k) queue.run(graph);
    queue.synchronize();
  });
}

double recorded_ms(double seconds, DeviceQueue& queue, const std::function<void()>& work) {
  const std::unique_ptr<DeviceGraph> graph = record(queue, work);
  return median_ms(seconds, queue, *graph);
}

double relative_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = worse(difference, norm(a[i] - b[i]));
    size = std::max(size, norm(b[i]));
  }
  return relative(difference, size);
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = worse(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return relative(difference, size);
}

std::vector<double> random_numbers(std::size_t n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<double> v(n);
  for (double& x : v) x = random.uniform();
  return v;
}

}  // namespace sinew::bench
