// Scans and sorts on a device. Whole numbers only: the result depends on nothing but the input.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/device/view.hpp"

namespace sinew {

/// Whose code does it: CUB on CUDA and the standard library on the emulated device, or the kernels of
/// scan_kernels.hpp on both.
enum class ScanForm { library, own };

class ScanOps {
 public:
  virtual ~ScanOps() = default;

  /// start[i] = count[0] + ... + count[i-1] for i = 0 ... n, so that start has one number more than count and
  /// start[n] is the total, modulo 2^32. start may begin where count does. scratch: scan_scratch(n) bytes.
  virtual void scan(View<const std::uint32_t> count, View<std::uint32_t> start, View<unsigned char> scratch,
                    ScanForm form = ScanForm::library) = 0;
  /// [bytes] for either form.
  virtual std::size_t scan_scratch(std::size_t n) = 0;

  /// Sorts pairs by the lowest key_bits bits of their keys, ascending; equal keys keep their order. key and
  /// value have the same size. scratch: sort_scratch(n) bytes.
  virtual void sort_pairs(View<std::uint64_t> key, View<std::uint32_t> value, int key_bits,
                          View<unsigned char> scratch, ScanForm form = ScanForm::library) = 0;
  virtual std::size_t sort_scratch(std::size_t n) = 0;
};

}  // namespace sinew
