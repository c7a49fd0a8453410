// Scans and sorts, and CUB's forms of them.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/scan_kernels.hpp"

namespace sinew {

namespace op {

namespace {

/// CUB sorts from one pair of arrays to another and says where the result stands.
struct SortBuffers {
  std::size_t value, temporary;  ///< places in the scratch [bytes]
  explicit SortBuffers(std::size_t n)
      : value(n * sizeof(std::uint64_t)), temporary((value + n * sizeof(std::uint32_t) + 255) / 256 * 256) {}
};

}  // namespace

template <>
std::size_t library_scan_scratch<CudaQueue>(CudaQueue& queue, std::size_t n) {
  std::size_t bytes = 0;
  std::uint32_t* none = nullptr;
  SINEW_CUDA(cub::DeviceScan::ExclusiveSum,
             (nullptr, bytes, none, none, static_cast<std::int64_t>(n + 1), queue.stream()), "size");
  return bytes;
}

template <>
void library_scan<CudaQueue>(CudaQueue& queue, View<const std::uint32_t> count, View<std::uint32_t> start,
                             View<unsigned char> scratch) {
  // In place: what stands behind the counts is read, and left out of every sum.
  if (start.data != count.data) queue.copy_across(start.data, count.data, count.size * sizeof(std::uint32_t));
  queue.begin_call("cub::DeviceScan::ExclusiveSum");
  std::size_t bytes = scratch.size;
  SINEW_CUDA(cub::DeviceScan::ExclusiveSum, (scratch.data, bytes, start.data, start.data,
                                             static_cast<std::int64_t>(count.size + 1), queue.stream()));
}

template <>
std::size_t library_sort_scratch<CudaQueue>(CudaQueue& queue, std::size_t n) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<std::uint64_t> keys;
  cub::DoubleBuffer<std::uint32_t> values;
  SINEW_CUDA(cub::DeviceRadixSort::SortPairs,
             (nullptr, bytes, keys, values, static_cast<std::int64_t>(n), 0, 64, queue.stream()), "size");
  return SortBuffers(n).temporary + bytes;
}

template <>
void library_sort_pairs<CudaQueue>(CudaQueue& queue, View<std::uint64_t> key, View<std::uint32_t> value,
                                   int key_bits, View<unsigned char> scratch) {
  const SortBuffers place(key.size);
  cub::DoubleBuffer<std::uint64_t> keys(key.data, reinterpret_cast<std::uint64_t*>(scratch.data));
  cub::DoubleBuffer<std::uint32_t> values(value.data,
                                          reinterpret_cast<std::uint32_t*>(scratch.data + place.value));
  std::size_t bytes = scratch.size - place.temporary;
  queue.begin_call("cub::DeviceRadixSort::SortPairs");
  SINEW_CUDA(cub::DeviceRadixSort::SortPairs,
             (scratch.data + place.temporary, bytes, keys, values, static_cast<std::int64_t>(key.size), 0,
              key_bits, queue.stream()));
  if (keys.Current() != key.data)
    queue.copy_across(key.data, keys.Current(), key.size * sizeof(std::uint64_t));
  if (values.Current() != value.data)
    queue.copy_across(value.data, values.Current(), key.size * sizeof(std::uint32_t));
}

}  // namespace op

SINEW_SCAN_OPS(CudaQueue)

}  // namespace sinew
