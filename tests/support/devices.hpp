// Devices that operations are tested on: the emulated one in both directions always, CUDA in the cases marked
// [gpu], which are skipped with the reason where there is none.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/device/available.hpp"
#include "kernels/device/emulated_device.hpp"
#include "kernels/device/queue.hpp"
#include "tests/support/catch.hpp"

namespace sinew::test {

/// Sizes around those of warps and blocks, and large ones.
inline const std::vector<std::size_t> kSizes = {0, 1, 31, 32, 33, 127, 128, 129, 1000, 1024, 1025};

/// A million; fewer where it takes more than a second on the host.
inline std::size_t large_size(const Device& device) {
  return device.is_emulated() ? 100000 : 1000000;
}
inline std::vector<std::size_t> sizes_for(const Device& device) {
  std::vector<std::size_t> sizes = kSizes;
  sizes.push_back(large_size(device));
  return sizes;
}

/// The larger of two errors, infinite where the second is none: std::max() would let NaN pass, which is what
/// memory of the emulated device holds before something is written.
inline double worse(double worst, double error) {
  return error == error ? std::max(worst, error) : std::numeric_limits<double>::infinity();
}
/// Of two arrays, each item relative to its size or one.
inline double worst_error(const std::vector<Vec3d>& got, const std::vector<Vec3d>& expected) {
  double worst = got.size() == expected.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < got.size() && i < expected.size(); ++i)
    worst = worse(worst, norm(got[i] - expected[i]) / (1.0 + norm(expected[i])));
  return worst;
}
inline double worst_error(const std::vector<double>& got, const std::vector<double>& expected) {
  double worst = got.size() == expected.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < got.size() && i < expected.size(); ++i)
    worst = worse(worst, std::abs(got[i] - expected[i]) / (1.0 + std::abs(expected[i])));
  return worst;
}

inline std::vector<std::shared_ptr<Device>> emulated_devices() {
  EmulatedDeviceSettings backwards;
  backwards.backwards = true;
  return {make_emulated_device(), make_emulated_device(backwards)};
}

template <class T>
std::vector<T> download(DeviceQueue& queue, const DeviceBuffer<T>& buffer) {
  std::vector<T> host(buffer.size());
  queue.download(host.data(), buffer.cview());
  queue.synchronize();
  return host;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Runs check(device) on the emulated devices, or on the first CUDA device.
inline void on_emulated(const std::function<void(Device&)>& check) {
  for (const std::shared_ptr<Device>& device : emulated_devices()) check(*device);
}
inline void on_cuda(const std::function<void(Device&)>& check) {
  const DeviceList list = list_cuda_devices();
  if (list.devices.empty()) SINEW_SKIP(list.reason);
  if (!list.devices[0].reason.empty()) SINEW_SKIP(list.devices[0].name + ": " + list.devices[0].reason);
  check(*make_cuda_device(0));
}

}  // namespace sinew::test

/// One check, two test cases. check: a function of Device&.
#define SINEW_DEVICE_TEST(name, check) \
  TEST_CASE("emulated: " name) {       \
    ::sinew::test::on_emulated(check); \
  }                                    \
  TEST_CASE("cuda: " name, "[gpu]") {  \
    ::sinew::test::on_cuda(check);     \
  }
