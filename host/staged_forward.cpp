// The forward half of the staged inverse on sparse columns. A column reaches the components on the way from
// its rows to the root of the component tree and nothing else (Gilbert and Peierls 1988, by components);
// groups of columns with near rows share that way. One thread takes a group from the leaves to the root.
#include <algorithm>
#include <numeric>

#include <tbb/enumerable_thread_specific.h>

#include "host/forward_columns.hpp"
#include "host/staged_inverse.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

/// Next component towards the root: the first row outside is the parent of the component's last column.
std::vector<Index> component_parents(const StagedStructure& s, const std::vector<Index>& component_of) {
  std::vector<Index> parent(s.components.size(), -1);
  for (std::size_t c = 0; c < parent.size(); ++c) {
    Index first = static_cast<Index>(component_of.size());
    for (Index p = s.components[c].piece_begin; p < s.components[c].piece_end; ++p)
      if (s.pieces[p].outside_begin < s.pieces[p].outside_end)
        first = std::min(first, s.outside_rows[s.pieces[p].outside_begin]);
    if (first < static_cast<Index>(component_of.size())) parent[c] = component_of[first];
  }
  return parent;
}

template <class T>
struct Scratch {
  AlignedVector<T> right, solution;  ///< {n, kWidth}; right is zero between groups
  AlignedVector<T> outside;          ///< of one piece
};

}  // namespace

template <class T>
void StagedInverse<T>::forward_columns(const SparseColumns& columns, ForwardColumns& y) const {
  constexpr std::size_t kWidth = ForwardColumns::kWidth;
  static_assert(kWidth == static_cast<std::size_t>(kMostGroups * kLanes));
  const StagedStructure& s = structure_;
  const std::size_t n = s.order.size();
  std::vector<Index> component_of(n);
  for (std::size_t c = 0; c < s.components.size(); ++c)
    std::fill_n(component_of.begin() + s.components[c].first, s.components[c].size, static_cast<Index>(c));
  const std::vector<Index> parent = component_parents(s, component_of);

  std::vector<Index> first_row(columns.size(), 0);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns.start[c] < columns.start[c + 1])
      first_row[c] =
          *std::min_element(columns.row.begin() + static_cast<std::ptrdiff_t>(columns.start[c]),
                            columns.row.begin() + static_cast<std::ptrdiff_t>(columns.start[c + 1]));
  y.column.resize(columns.size());
  std::iota(y.column.begin(), y.column.end(), std::size_t{0});
  std::stable_sort(y.column.begin(), y.column.end(),
                   [&](std::size_t a, std::size_t b) { return first_row[a] < first_row[b]; });
  y.group.resize((columns.size() + kWidth - 1) / kWidth);

  const StagedKernels<T>& kernels = staged_kernels<T>();
  tbb::enumerable_thread_specific<Scratch<T>> scratches;
  for_each(y.group.size(), 1, [&](std::size_t g) {
    ForwardColumns::Group& group = y.group[g];
    group.begin = g * kWidth;
    group.count = std::min(kWidth, columns.size() - group.begin);
    std::vector<Index> reached;
    for (std::size_t k = group.begin; k < group.begin + group.count; ++k)
      for (std::size_t p = columns.start[y.column[k]]; p < columns.start[y.column[k] + 1]; ++p)
        for (Index c = component_of[columns.row[p]]; c >= 0; c = parent[c]) reached.push_back(c);
    std::sort(reached.begin(), reached.end());
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());

    Scratch<T>& scratch = scratches.local();
    if (scratch.right.size() < n * kWidth) {
      scratch.right.assign(n * kWidth, T(0));
      scratch.solution.resize(n * kWidth);
    }
    for (std::size_t k = 0; k < group.count; ++k) {
      const std::size_t column = y.column[group.begin + k];
      for (std::size_t p = columns.start[column]; p < columns.start[column + 1]; ++p)
        scratch.right[static_cast<std::size_t>(columns.row[p]) * kWidth + k] +=
            static_cast<T>(columns.value[p]);
    }
    std::size_t rows = 0;
    group.range.clear();
    for (const Index c : reached) {
      group.range.push_back({s.components[c].first, s.components[c].size, rows * kWidth});
      rows += static_cast<std::size_t>(s.components[c].size);
    }
    group.values.resize(rows * kWidth);
    for (std::size_t r = 0; r < reached.size(); ++r) {
      const StagedComponent& component = s.components[reached[r]];
      const std::size_t first = static_cast<std::size_t>(component.first) * kWidth,
                        size = static_cast<std::size_t>(component.size) * kWidth;
      T *right = scratch.right.data() + first, *solution = scratch.solution.data() + first;
      std::fill_n(solution, size, T(0));
      for (Index p = component.piece_begin; p < component.piece_end; ++p) {
        const StagedPiece& piece = s.pieces[p];
        kernels.forward[kMostGroups - 1](
            {s.panels.data() + piece.panel_begin, s.panels.data() + piece.panel_end, component.first,
             s.rows.data(), values_.data()},
            right, solution);
      }
      for (Index p = component.piece_begin; p < component.piece_end; ++p) {
        const StagedPiece& piece = s.pieces[p];
        const std::size_t outside = static_cast<std::size_t>(piece.outside_end - piece.outside_begin);
        if (outside == 0) continue;
        scratch.outside.assign(outside * kWidth, T(0));
        kernels.forward_outside[kMostGroups - 1](
            {s.panels.data() + piece.panel_begin, s.panels.data() + piece.panel_end, component.first,
             s.rows.data(), values_.data()},
            solution, scratch.outside.data());
        for (std::size_t k = 0; k < outside; ++k) {
          T* to =
              scratch.right.data() +
              static_cast<std::size_t>(s.outside_rows[static_cast<std::size_t>(piece.outside_begin) + k]) *
                  kWidth;
          const T* from = scratch.outside.data() + k * kWidth;
          for (std::size_t lane = 0; lane < kWidth; ++lane) to[lane] -= from[lane];
        }
      }
      std::copy_n(solution, size, group.values.data() + group.range[r].value);
      std::fill_n(right, size, T(0));
    }
  });
}

template void StagedInverse<float>::forward_columns(const SparseColumns&, ForwardColumns&) const;
template void StagedInverse<double>::forward_columns(const SparseColumns&, ForwardColumns&) const;

void multiply_groups(const ForwardColumns::Group& a, const ForwardColumns::Group& b, double* sum) {
  constexpr std::size_t kWidth = ForwardColumns::kWidth;
  std::fill_n(sum, kWidth * kWidth, 0.0);
  const auto products = staged_kernels<double>().products;
  auto i = a.range.begin(), j = b.range.begin();
  while (i != a.range.end() && j != b.range.end()) {
    if (i->first == j->first) {
      products(a.values.data() + i->value, b.values.data() + j->value, i->size, sum);
      ++i;
      ++j;
    } else if (i->first < j->first) {
      ++i;
    } else {
      ++j;
    }
  }
}

void square_group(const ForwardColumns::Group& group, double* square) {
  constexpr std::size_t kWidth = ForwardColumns::kWidth;
  std::fill_n(square, kWidth, 0.0);
  for (std::size_t p = 0; p < group.values.size(); p += kWidth)
    for (std::size_t k = 0; k < kWidth; ++k) square[k] += group.values[p + k] * group.values[p + k];
}

}  // namespace sinew
