#include "benchmarks/library_inverse.hpp"

#include <limits>

#include <fmt/format.h>

#include <sinew/errors.hpp>

namespace sinew::bench {

namespace {

/// Rows of the range, each with a list of its own.
PreparedRows<double> prepare_range(DeviceQueue& queue, DeviceLibraries& libraries,
                                   const RowMatrix<double>& matrix, const RowRange& range) {
  std::vector<Index> row_start = {0}, column;
  std::vector<double> value;
  for (Index i = range.first; i < range.end; ++i) {
    const std::int64_t first = matrix.value_start[i], count = matrix.value_start[i + 1] - first;
    for (std::int64_t k = 0; k < count; ++k) {
      column.push_back(matrix.index[matrix.index_start[i] + k]);
      value.push_back(matrix.value[first + k]);
    }
    row_start.push_back(static_cast<Index>(column.size()));
  }
  return prepare_rows(queue, libraries, matrix.rows(), row_start, column, value);
}

}  // namespace

template <class T>
PreparedRows<T> prepare_rows(DeviceQueue& queue, DeviceLibraries& libraries, Index columns,
                             const std::vector<Index>& row_start, const std::vector<Index>& column,
                             const std::vector<T>& value) {
  if (column.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw MemoryError(fmt::format("compressed rows: {} entries do not fit 32-bit offsets; use fewer vertices",
                                  column.size()));
  PreparedRows<T> rows;
  rows.row_start = to_device(queue, row_start, "compressed rows");
  rows.column = to_device(queue, column, "compressed rows");
  rows.value = to_device(queue, value, "compressed rows");
  rows.matrix =
      libraries.prepare(CsrView<T>{static_cast<Index>(row_start.size() - 1), columns, rows.row_start.cview(),
                                   rows.column.cview(), rows.value.cview()});
  return rows;
}
template PreparedRows<double> prepare_rows<double>(DeviceQueue&, DeviceLibraries&, Index,
                                                   const std::vector<Index>&, const std::vector<Index>&,
                                                   const std::vector<double>&);

LibraryInverse::LibraryInverse(DeviceQueue& queue, DeviceLibraries& libraries,
                               const StagedRows<double>& rows) {
  for (const auto& s : rows.stages)
    stages_.push_back({s.forward_inside,
                       prepare_range(queue, libraries, rows.forward_outside, s.forward_outside),
                       prepare_range(queue, libraries, rows.forward_inside, s.forward_inside),
                       prepare_range(queue, libraries, rows.backward_outside, s.backward_outside),
                       prepare_range(queue, libraries, rows.backward_inside, s.backward_inside)});
  const auto n = static_cast<std::size_t>(rows.forward_inside.rows());
  right_ = DeviceBuffer<Vec3d>(queue.device(), n, "global step");
  solution_ = DeviceBuffer<Vec3d>(queue.device(), n, "global step");
}

void LibraryInverse::apply(DeviceQueue& queue, View<Vec3d> b) {
  const View<Vec3d> right = right_.view(), y = solution_.view();
  const auto part = [](View<Vec3d> v, const Stage& s) {
    return v.part(static_cast<std::size_t>(s.range.first),
                  static_cast<std::size_t>(s.range.end - s.range.first));
  };
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    Stage& stage = stages_[s];
    if (s > 0) {
      queue.copy<Vec3d>(part(right, stage), part(b, stage));
      stage.forward_outside.matrix->multiply(y, part(right, stage), -1.0, 1.0);
    }
    stage.forward_inside.matrix->multiply(s > 0 ? right : b, part(y, stage));
  }
  for (std::size_t s = stages_.size(); s-- > 0;) {
    Stage& stage = stages_[s];
    const bool top = s + 1 == stages_.size();
    if (!top) {
      queue.copy<Vec3d>(part(right, stage), part(y, stage));
      stage.backward_outside.matrix->multiply(b, part(right, stage), -1.0, 1.0);
    }
    stage.backward_inside.matrix->multiply(top ? y : right, part(b, stage));
  }
}

}  // namespace sinew::bench
