#include "host/row_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

/// visit(row, column, value) for the entries of one kind, columns of a row ascending.
template <class T, class Inside, class Outside>
void visit_entries(const StagedInverse<T>& inverse, Inside&& inside, Outside&& outside) {
  const StagedStructure& s = inverse.structure();
  for (const StagedPiece& piece : s.pieces) {
    const Index base = s.components[piece.component].first;
    for (Index k = piece.panel_begin; k < piece.panel_end; ++k) {
      const StagedPanel& p = s.panels[k];
      const T* value = inverse.values().data() + p.value;
      for (Index begin = 0; begin < p.width;
           begin += kPanelRows) {  // the triangle, each block as wide as its end
        const Index rows = std::min(kPanelRows, p.width - begin), columns = begin + rows;
        for (Index r = 0; r < rows; ++r)
          for (Index c = 0; c <= begin + r; ++c)
            inside(p.first + begin + r, p.first + c, value[c * kPanelRows + r]);
        value += columns * kPanelRows;
      }
      const auto visit_rows = [&](const T* values, Index rows, auto&& row_of, auto&& visit) {
        for (Index r = 0; r < rows; ++r)
          for (Index c = 0; c < p.width; ++c)
            visit(row_of(r), p.first + c,
                  values[(r / kPanelRows * p.width + c) * kPanelRows + r % kPanelRows]);
      };
      const Index* rows = s.rows.data() + p.row;
      visit_rows(
          value, p.inside, [&](Index r) { return base + rows[r]; }, inside);
      const Index* places = rows + padded_rows(p.inside);
      visit_rows(
          inverse.values().data() + p.off_value, p.outside,
          [&](Index r) { return s.outside_rows[piece.outside_begin + places[r]]; }, outside);
    }
  }
}

/// A matrix and its transpose out of entries that come column block by column block.
template <class T>
class Collector {
 public:
  explicit Collector(Index n) : n_(n), by_row_(n), by_column_(n) {}
  void count(Index row, Index column) {
    ++by_row_.start[row + 1];
    ++by_column_.start[column + 1];
  }
  void begin() {
    by_row_.begin();
    by_column_.begin();
  }
  void add(Index row, Index column, T value) {
    by_row_.add(row, column, value);
    by_column_.add(column, row, value);
  }
  RowMatrix<T> rows() { return by_row_.finish(n_); }
  RowMatrix<T> columns() { return by_column_.finish(n_); }

 private:
  struct Side {
    explicit Side(Index n) : start(static_cast<std::size_t>(n) + 1, 0) {}
    void begin() {
      std::partial_sum(start.begin(), start.end(), start.begin());
      next.assign(start.begin(), start.end() - 1);
      index.resize(static_cast<std::size_t>(start.back()));
      value.resize(index.size());
    }
    void add(Index row, Index column, T v) {
      index[next[row]] = column;
      value[next[row]++] = v;
    }
    RowMatrix<T> finish(Index n) { return make_row_matrix<T>(start, index, std::move(value), n); }
    std::vector<std::int64_t> start, next;
    std::vector<Index> index;
    std::vector<T> value;
  };
  Index n_;
  Side by_row_, by_column_;
};

template <class T>
RowRange range_of(const RowMatrix<T>& matrix, Index first, Index end) {
  const double entries = static_cast<double>(matrix.value_start[end] - matrix.value_start[first]);
  return {first, end, lanes_for(end > first ? entries / (end - first) : 0.0)};
}

}  // namespace

int lanes_for(double mean_entries) {
  int lanes = 4;
  while (lanes < 128 && 4 * lanes < mean_entries) lanes *= 2;
  return lanes;
}

template <class T>
RowMatrix<T> make_row_matrix(const std::vector<std::int64_t>& row_start, const std::vector<Index>& column,
                             std::vector<T> value, Index columns) {
  RowMatrix<T> m;
  m.value_start = row_start;
  m.value = std::move(value);
  m.index.resize(static_cast<std::size_t>(columns));
  std::iota(m.index.begin(), m.index.end(), 0);
  const std::size_t rows = row_start.size() - 1;
  m.index_start.resize(rows);
  const Index* last = nullptr;  // the list stored last
  std::int64_t last_place = 0, last_size = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const Index* list = column.data() + row_start[i];
    const std::int64_t size = row_start[i + 1] - row_start[i];
    if (size == 0) {
      m.index_start[i] = 0;
    } else if (list[size - 1] - list[0] == size - 1 &&
               std::adjacent_find(list, list + size, [](Index a, Index b) { return b != a + 1; }) ==
                   list + size) {
      m.index_start[i] = list[0];
    } else if (last && size <= last_size && std::equal(list, list + size, last + (last_size - size))) {
      m.index_start[i] = last_place + (last_size - size);
    } else {
      m.index_start[i] = static_cast<std::int64_t>(m.index.size());
      m.index.insert(m.index.end(), list, list + size);
      last = list;
      last_place = m.index_start[i];
      last_size = size;
    }
  }
  m.index.shrink_to_fit();
  return m;
}

template <class T>
StagedRows<T> make_staged_rows(const StagedInverse<T>& inverse) {
  const StagedStructure& s = inverse.structure();
  const Index n = static_cast<Index>(s.order.size());
  Collector<T> inside(n), outside(n);
  visit_entries(
      inverse, [&](Index i, Index j, T) { inside.count(i, j); },
      [&](Index i, Index j, T) { outside.count(i, j); });
  inside.begin();
  outside.begin();
  visit_entries(
      inverse, [&](Index i, Index j, T v) { inside.add(i, j, v); },
      [&](Index i, Index j, T v) { outside.add(i, j, v); });
  StagedRows<T> rows;
  rows.forward_outside = outside.rows();
  rows.forward_inside = inside.rows();
  rows.backward_outside = outside.columns();
  rows.backward_inside = inside.columns();
  for (const StagedStage& stage : s.stages) {
    const StagedComponent& last = s.components[stage.component_end - 1];
    const Index first = s.components[stage.component_begin].first, end = last.first + last.size;
    rows.stages.push_back(
        {range_of(rows.forward_outside, first, end), range_of(rows.forward_inside, first, end),
         range_of(rows.backward_outside, first, end), range_of(rows.backward_inside, first, end)});
  }
  return rows;
}

template RowMatrix<double> make_row_matrix(const std::vector<std::int64_t>&, const std::vector<Index>&,
                                           std::vector<double>, Index);
template RowMatrix<float> make_row_matrix(const std::vector<std::int64_t>&, const std::vector<Index>&,
                                          std::vector<float>, Index);
template StagedRows<double> make_staged_rows(const StagedInverse<double>&);
template StagedRows<float> make_staged_rows(const StagedInverse<float>&);

}  // namespace sinew
