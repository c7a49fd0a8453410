// Bodies of scans and sorts, and the operations over any queue that can for_each() and launch().
//
// Scan: tiles of kScanItems numbers are scanned by one block each, their totals by the same way again, and
// the scanned totals are added. Sort: least digit first, four bits a pass (Satish, Harris and Garland 2009):
// each tile counts its digits, a scan over (digit, tile) says where a tile's first item of a digit goes, and
// threads with consecutive items keep the order of equal digits. No atomics.
#pragma once

#include <algorithm>

#include "kernels/device/kernel.hpp"
#include "kernels/op/scan_ops.hpp"

namespace sinew {

inline constexpr int kScanThreads = 256;
inline constexpr int kScanPerThread = 8;
inline constexpr std::size_t kScanItems = kScanThreads * kScanPerThread;  ///< of a tile

inline constexpr int kDigitBits = 4;
inline constexpr int kDigits = 1 << kDigitBits;
inline constexpr int kSortThreads = 128;
inline constexpr std::size_t kSortPerThread = 8;
inline constexpr std::size_t kSortItems = kSortThreads * kSortPerThread;  ///< of a tile

/// Exclusive scan of one tile; its total goes to total[block].
struct ScanTileKernel {
  static constexpr int kThreads = kScanThreads;
  struct Shared {
    std::uint32_t item[kScanItems];
    std::uint32_t sum[2][kScanThreads];
  };
  const std::uint32_t* from;
  std::size_t size;
  std::uint32_t* to;  ///< may be from
  std::uint32_t* total;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    auto& shared = block.shared();
    const std::size_t first = block.index() * kScanItems;
    block.threads([&](int t) {
      for (int k = 0; k < kScanPerThread; ++k) {
        const int place = k * kScanThreads + t;
        const std::size_t i = first + static_cast<std::size_t>(place);
        shared.item[place] = i < size ? from[i] : 0;
      }
    });
    block.threads([&](int t) {
      std::uint32_t sum = 0;
      for (int k = 0; k < kScanPerThread; ++k) sum += shared.item[t * kScanPerThread + k];
      shared.sum[0][t] = sum;
    });
    int now = 0;
    for (int step = 1; step < kScanThreads; step *= 2) {  // inclusive (Hillis and Steele 1986)
      block.threads([&](int t) {
        const std::uint32_t before = t >= step ? shared.sum[now][t - step] : 0;
        shared.sum[1 - now][t] = shared.sum[now][t] + before;
      });
      now = 1 - now;
    }
    block.threads([&](int t) {
      std::uint32_t sum = t > 0 ? shared.sum[now][t - 1] : 0;
      for (int k = 0; k < kScanPerThread; ++k) {
        const std::uint32_t item = shared.item[t * kScanPerThread + k];
        shared.item[t * kScanPerThread + k] = sum;
        sum += item;
      }
    });
    block.threads([&](int t) {
      for (int k = 0; k < kScanPerThread; ++k) {
        const int place = k * kScanThreads + t;
        const std::size_t i = first + static_cast<std::size_t>(place);
        if (i < size) to[i] = shared.item[place];
      }
      if (t == 0) total[block.index()] = shared.sum[now][kScanThreads - 1];
    });
  }
};

struct AddTotalsKernel {
  std::uint32_t* to;
  const std::uint32_t* total;  ///< {tiles}, scanned
  SINEW_HD void operator()(std::size_t i) const { to[i] += total[i / kScanItems]; }
};

/// {digits, threads} counts of a tile, thread t having the items t * kSortPerThread + 0, 1, ...
struct DigitCounts {
  std::uint32_t count[kDigits][kSortThreads];
};

struct DigitReader {
  const std::uint64_t* key;
  std::size_t size;
  int shift;
  std::uint64_t mask;

  SINEW_HD int digit(std::uint64_t k) const { return static_cast<int>((k >> shift) & mask); }
  template <class F>
  SINEW_HD void items(std::size_t tile, int t, F&& f) const {
    const std::size_t first = tile * kSortItems + static_cast<std::size_t>(t) * kSortPerThread;
    for (std::size_t i = first; i < first + kSortPerThread && i < size; ++i) f(i);
  }
  SINEW_HD void count(std::size_t tile, int t, DigitCounts& counts) const {
    for (int d = 0; d < kDigits; ++d) counts.count[d][t] = 0;
    items(tile, t, [&](std::size_t i) { ++counts.count[digit(key[i])][t]; });
  }
};

/// count[d * tiles + tile] = items of the tile with digit d.
struct CountDigitsKernel {
  static constexpr int kThreads = kSortThreads;
  using Shared = DigitCounts;
  DigitReader reader;
  std::size_t tiles;
  std::uint32_t* count;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    DigitCounts& counts = block.shared();
    block.threads([&](int t) { reader.count(block.index(), t, counts); });
    block.threads([&](int t) {
      if (t >= kDigits) return;
      std::uint32_t sum = 0;
      for (int k = 0; k < kSortThreads; ++k) sum += counts.count[t][k];
      count[static_cast<std::size_t>(t) * tiles + block.index()] = sum;
    });
  }
};

/// Every item to its place of this pass. start: the scanned counts.
struct MoveItemsKernel {
  static constexpr int kThreads = kSortThreads;
  using Shared = DigitCounts;
  DigitReader reader;
  std::size_t tiles;
  const std::uint32_t* start;
  const std::uint32_t* value;
  std::uint64_t* key_to;
  std::uint32_t* value_to;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    DigitCounts& counts = block.shared();
    block.threads([&](int t) { reader.count(block.index(), t, counts); });
    block.threads([&](int t) {
      if (t >= kDigits) return;
      std::uint32_t place = start[static_cast<std::size_t>(t) * tiles + block.index()];
      for (int k = 0; k < kSortThreads; ++k) {
        const std::uint32_t n = counts.count[t][k];
        counts.count[t][k] = place;
        place += n;
      }
    });
    block.threads([&](int t) {
      reader.items(block.index(), t, [&](std::size_t i) {
        const std::uint64_t key = reader.key[i];
        const std::uint32_t place = counts.count[reader.digit(key)][t]++;
        key_to[place] = key;
        value_to[place] = value[i];
      });
    });
  }
};

/// Numbers that an own scan of n keeps: the totals of every level.
inline constexpr std::size_t own_scan_numbers(std::size_t n) {
  std::size_t numbers = 0;
  while (n > 0) {
    const std::size_t tiles = block_count(n, kScanItems);
    numbers += tiles;
    n = tiles > 1 ? tiles : 0;
  }
  return numbers + 1;
}

/// Where the parts of an own sort stand in its scratch [bytes].
struct OwnSortLayout {
  std::size_t tiles, counts, key = 0, value, count, scan, bytes;
  constexpr explicit OwnSortLayout(std::size_t n)
      : tiles(block_count(n, kSortItems)),
        counts(tiles * kDigits),
        value(n * sizeof(std::uint64_t)),
        count(value + n * sizeof(std::uint32_t)),
        scan(count + counts * sizeof(std::uint32_t)),
        bytes(scan + own_scan_numbers(counts) * sizeof(std::uint32_t)) {}
};

namespace op {

/// The library's forms; each queue has its own.
template <class Queue>
void library_scan(Queue&, View<const std::uint32_t>, View<std::uint32_t>, View<unsigned char>);
template <class Queue>
std::size_t library_scan_scratch(Queue&, std::size_t);
template <class Queue>
void library_sort_pairs(Queue&, View<std::uint64_t>, View<std::uint32_t>, int, View<unsigned char>);
template <class Queue>
std::size_t library_sort_scratch(Queue&, std::size_t);

/// to = exclusive scan of n numbers; *total = their sum.
template <class Queue>
void own_scan(Queue& queue, const std::uint32_t* from, std::size_t n, std::uint32_t* to,
              std::uint32_t* total) {
  const std::size_t tiles = block_count(n, kScanItems);
  queue.launch(tiles, ScanTileKernel{from, n, to, total});
  if (tiles <= 1) return;
  own_scan(queue, total, tiles, total, total + tiles);
  queue.for_each(n, AddTotalsKernel{to, total});
}

/// Totals stand level after level in own_scan_numbers(n); the last one is the whole.
template <class Queue>
const std::uint32_t* own_scan_total(Queue& queue, std::size_t n, std::uint32_t* totals) {
  if (n == 0) {
    queue.set_zero(totals, sizeof(std::uint32_t));
    return totals;
  }
  while (n > 1) {
    const std::size_t tiles = block_count(n, kScanItems);
    if (tiles == 1) break;
    totals += tiles;
    n = tiles;
  }
  return totals;
}

template <class Queue>
void scan(Queue& queue, View<const std::uint32_t> count, View<std::uint32_t> start,
          View<unsigned char> scratch, ScanForm form) {
  if (form == ScanForm::library) return library_scan<Queue>(queue, count, start, scratch);
  auto* totals = reinterpret_cast<std::uint32_t*>(scratch.data);
  own_scan(queue, count.data, count.size, start.data, totals);
  queue.copy_across(start.data + count.size, own_scan_total(queue, count.size, totals),
                    sizeof(std::uint32_t));
}

template <class Queue>
std::size_t scan_scratch(Queue& queue, std::size_t n) {
  return std::max(own_scan_numbers(n) * sizeof(std::uint32_t), library_scan_scratch<Queue>(queue, n));
}

template <class Queue>
void sort_pairs(Queue& queue, View<std::uint64_t> key, View<std::uint32_t> value, int key_bits,
                View<unsigned char> scratch, ScanForm form) {
  if (key.size < 2 || key_bits <= 0) return;
  if (form == ScanForm::library) return library_sort_pairs<Queue>(queue, key, value, key_bits, scratch);
  const OwnSortLayout layout(key.size);
  auto* other_key = reinterpret_cast<std::uint64_t*>(scratch.data + layout.key);
  auto* other_value = reinterpret_cast<std::uint32_t*>(scratch.data + layout.value);
  auto* count = reinterpret_cast<std::uint32_t*>(scratch.data + layout.count);
  auto* totals = reinterpret_cast<std::uint32_t*>(scratch.data + layout.scan);
  std::uint64_t* from_key = key.data;
  std::uint32_t* from_value = value.data;
  for (int shift = 0; shift < key_bits; shift += kDigitBits) {
    const int bits = std::min(kDigitBits, key_bits - shift);
    const DigitReader reader{from_key, key.size, shift, (std::uint64_t(1) << bits) - 1};
    queue.launch(layout.tiles, CountDigitsKernel{reader, layout.tiles, count});
    own_scan(queue, count, layout.counts, count, totals);
    queue.launch(layout.tiles,
                 MoveItemsKernel{reader, layout.tiles, count, from_value, other_key, other_value});
    std::swap(from_key, other_key);
    std::swap(from_value, other_value);
  }
  if (from_key == key.data) return;
  queue.copy_across(key.data, from_key, key.size * sizeof(std::uint64_t));
  queue.copy_across(value.data, from_value, key.size * sizeof(std::uint32_t));
}

template <class Queue>
std::size_t sort_scratch(Queue& queue, std::size_t n) {
  return std::max(OwnSortLayout(n).bytes, library_sort_scratch<Queue>(queue, n));
}

}  // namespace op

}  // namespace sinew
