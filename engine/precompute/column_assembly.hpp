// A symmetric matrix from contributions, column by column: parallel, linear in their number, and every entry
// summed in the order in which its contributions are given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host/cholesky.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

/// One column in the making: sums by row in a small table with open addressing. Kept from column to column
/// for its memory.
class ColumnContributions {
 public:
  void add(Index row, double x) {
    std::size_t place = place_of(row);
    while (slot_[place] >= 0) {
      const Index k = slot_[place];
      if (row_[k] == row) {
        value_[k] += x;
        return;
      }
      place = (place + 1) & (slot_.size() - 1);
    }
    slot_[place] = static_cast<Index>(row_.size());
    row_.push_back(row);
    value_.push_back(x);
    if (2 * row_.size() > slot_.size()) grow();
  }
  /// Appends the entries, rows ascending, and starts anew. Returns their number.
  Index move_to(std::vector<Index>& row, std::vector<double>& value) {
    order_.clear();
    for (std::size_t k = 0; k < row_.size(); ++k)
      order_.push_back(static_cast<std::uint64_t>(row_[k]) << 32 | k);
    std::sort(order_.begin(), order_.end());
    for (const std::uint64_t pair : order_) {
      row.push_back(static_cast<Index>(pair >> 32));
      value.push_back(value_[pair & 0xFFFFFFFFu]);
    }
    row_.clear();
    value_.clear();
    std::fill(slot_.begin(), slot_.end(), -1);
    return static_cast<Index>(order_.size());
  }

 private:
  std::size_t place_of(Index row) const {
    return (static_cast<std::uint32_t>(row) * 0x9E3779B1u >> 8) & (slot_.size() - 1);
  }
  void grow() {
    slot_.assign(2 * slot_.size(), -1);
    for (std::size_t k = 0; k < row_.size(); ++k) {
      std::size_t place = place_of(row_[k]);
      while (slot_[place] >= 0) place = (place + 1) & (slot_.size() - 1);
      slot_[place] = static_cast<Index>(k);
    }
  }

  std::vector<Index> slot_ = std::vector<Index>(64, -1);  ///< a power of two; index of row_, -1: free
  std::vector<Index> row_;
  std::vector<double> value_;
  std::vector<std::uint64_t> order_;
};

/// contribute(j, contributions) adds what column j of the lower triangle gets, its diagonal included; called
/// from several threads.
template <class F>
SymmetricMatrix assemble_columns(std::size_t size, const F& contribute) {
  constexpr std::size_t kColumnsAtOnce = 512;
  struct Columns {  // before their place in the whole is known
    std::vector<Index> count, row;
    std::vector<double> value;
  };
  std::vector<Columns> chunks((size + kColumnsAtOnce - 1) / kColumnsAtOnce);
  for_each(chunks.size(), 1, [&](std::size_t c) {
    ColumnContributions contributions;
    const std::size_t end = std::min(size, (c + 1) * kColumnsAtOnce);
    for (std::size_t j = c * kColumnsAtOnce; j < end; ++j) {
      contribute(static_cast<Index>(j), contributions);
      chunks[c].count.push_back(contributions.move_to(chunks[c].row, chunks[c].value));
    }
  });

  SymmetricMatrix matrix;
  matrix.size = static_cast<Index>(size);
  matrix.column_start.reserve(size + 1);
  matrix.column_start.push_back(0);
  for (const Columns& chunk : chunks)
    for (const Index count : chunk.count) matrix.column_start.push_back(matrix.column_start.back() + count);
  matrix.row.resize(matrix.column_start.back());
  matrix.value.resize(matrix.column_start.back());
  for_each(chunks.size(), 1, [&](std::size_t c) {
    const Index first = matrix.column_start[c * kColumnsAtOnce];
    std::copy(chunks[c].row.begin(), chunks[c].row.end(), matrix.row.begin() + first);
    std::copy(chunks[c].value.begin(), chunks[c].value.end(), matrix.value.begin() + first);
  });
  return matrix;
}

}  // namespace sinew
