// How operations of a device are timed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <sinew/base/vec3.hpp>

#include "kernels/device/queue.hpp"

namespace sinew::bench {

/// Median [ms] of work(), called for about so many seconds after one call to warm up. inner: repetitions that
/// one call of work does.
double median_ms(double seconds, int inner, const std::function<void()>& work);
/// The same of recorded work, many runs between two waits: what a launch from the host costs is hidden.
double median_ms(double seconds, DeviceQueue& queue, DeviceGraph& graph);
/// The same of what work() gives to the queue.
double recorded_ms(double seconds, DeviceQueue& queue, const std::function<void()>& work);

/// Largest difference over the largest value of b; NaN differs from everything.
double relative_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b);
double relative_difference(const std::vector<double>& a, const std::vector<double>& b);

template <class T>
std::vector<T> to_host(DeviceQueue& queue, View<const T> from) {
  std::vector<T> host(from.size);
  queue.download(host.data(), from);
  queue.synchronize();
  return host;
}

std::vector<double> random_numbers(std::size_t n, std::uint64_t seed);
/// The components of vectors, one after the other.
inline View<double> numbers(View<Vec3d> v) {
  return {&v.data->x, 3 * v.size};
}

}  // namespace sinew::bench
