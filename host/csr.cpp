#include "host/csr.hpp"

#include "host/elimination_tree.hpp"

namespace sinew {

CsrMatrix<double> permuted_rows(const SymmetricMatrix& matrix, const std::vector<Index>& order) {
  const Index n = matrix.size;
  const std::vector<Index> place = inverse_order(order);
  CsrMatrix<double> rows;
  // Counting sort by column, then by row: columns of a row come out ascending.
  std::vector<std::size_t> start(n + 1, 0);
  for (Index j = 0; j < n; ++j) {
    for (Index p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p) {
      ++start[place[j] + 1];
      if (matrix.row[p] != j) ++start[place[matrix.row[p]] + 1];
    }
  }
  for (Index i = 0; i < n; ++i) start[i + 1] += start[i];
  rows.row_start = start;
  std::vector<Index> other(start[n]);  // the matrix is symmetric: this lists each column
  std::vector<double> other_value(start[n]);
  std::vector<std::size_t> cursor(start.begin(), start.end() - 1);
  const auto put = [&](Index i, Index j, double v) {
    other[cursor[i]] = j;
    other_value[cursor[i]++] = v;
  };
  for (Index j = 0; j < n; ++j) {
    for (Index p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p) {
      const Index a = place[j], b = place[matrix.row[p]];
      put(a, b, matrix.value[p]);
      if (a != b) put(b, a, matrix.value[p]);
    }
  }
  rows.column.resize(start[n]);
  rows.value.resize(start[n]);
  cursor.assign(start.begin(), start.end() - 1);
  for (Index j = 0; j < n; ++j) {
    for (std::size_t p = start[j]; p < start[j + 1]; ++p) {
      const std::size_t at = cursor[other[p]]++;
      rows.column[at] = j;
      rows.value[at] = other_value[p];
    }
  }
  return rows;
}

}  // namespace sinew
