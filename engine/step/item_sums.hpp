// Sums over nodes on the host; on a device sum_items() of kernels/op/frame_kernels.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/op/frame_items.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

/// Sums and maxima of an item over [0, n): of chunks of kSumChunk, then of those in order. Call inside
/// Executor::run.
template <class Item>
std::array<double, Item::kSums + Item::kMaxima> item_sums(std::size_t n, const Item& item) {
  using Values = std::array<double, Item::kSums + Item::kMaxima>;
  const std::size_t chunks = (n + kSumChunk - 1) / kSumChunk;
  std::vector<Values> part(chunks, Values{});
  for_each(chunks, 2, [&](std::size_t chunk) {
    Values value{};
    const std::size_t end = std::min(n, (chunk + 1) * kSumChunk);
    for (std::size_t i = chunk * kSumChunk; i < end; ++i) item(i, value.data());
    part[chunk] = value;
  });
  Values total{};
  for (const Values& value : part)
    for (std::size_t k = 0; k < value.size(); ++k) {
      if (k < Item::kSums)
        total[k] += value[k];
      else
        raise_to(total[k], value[k]);
    }
  return total;
}

}  // namespace sinew
