#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/scan_kernels.hpp"

namespace sinew {

namespace op {

template <>
void library_scan<EmulatedQueue>(EmulatedQueue& queue, View<const std::uint32_t> count,
                                 View<std::uint32_t> start, View<unsigned char>) {
  queue.call([=] {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count.size; ++i) {
      const std::uint32_t item = count[i];  // start may be count
      start[i] = sum;
      sum += item;
    }
    start[count.size] = sum;
  });
}

template <>
std::size_t library_scan_scratch<EmulatedQueue>(EmulatedQueue&, std::size_t) {
  return 0;
}

template <>
void library_sort_pairs<EmulatedQueue>(EmulatedQueue& queue, View<std::uint64_t> key,
                                       View<std::uint32_t> value, int key_bits, View<unsigned char>) {
  queue.call([=] {
    const std::uint64_t mask = key_bits < 64 ? (std::uint64_t(1) << key_bits) - 1 : ~std::uint64_t(0);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs(key.size);
    for (std::size_t i = 0; i < key.size; ++i) pairs[i] = {key[i], value[i]};
    std::stable_sort(pairs.begin(), pairs.end(),
                     [mask](const auto& a, const auto& b) { return (a.first & mask) < (b.first & mask); });
    for (std::size_t i = 0; i < key.size; ++i) {
      key[i] = pairs[i].first;
      value[i] = pairs[i].second;
    }
  });
}

template <>
std::size_t library_sort_scratch<EmulatedQueue>(EmulatedQueue&, std::size_t) {
  return 0;
}

}  // namespace op

SINEW_SCAN_OPS(EmulatedQueue)

}  // namespace sinew
