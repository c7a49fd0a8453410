#include "benchmarks/plain_delassus.hpp"

#include <algorithm>

#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

PlainDelassus::PlainDelassus(const SymmetricMatrix& system, const BodyPrecomputed& body)
    : inverse_(factor(system, FactorLibrary::native, 0.0), 0.0) {
  std::vector<Index> place_of_user(inverse_.order().size());
  for (std::size_t k = 0; k < place_of_user.size(); ++k)
    place_of_user[inverse_.order()[k]] = static_cast<Index>(k);
  for (const Index user : body.to_user) place_.push_back(place_of_user[user]);
}

/// Column (c, k) of Y: sum over the nodes i of c of weight_i direction_k (x) column i of S.
void PlainDelassus::first_product(const PointRows& rows, const std::vector<ContactFrame<double>>& frames) {
  const CsrMatrix<double>& s = inverse_.transposed();
  const std::size_t count = rows.size();
  start_.assign(3 * count + 1, 0);
  std::vector<std::vector<Index>> nodes(count);
  for_each(count, 16, [&](std::size_t c) {
    for (std::size_t k = 0; k < rows.count(c); ++k) {
      const Index node = place_[rows.row(c)[k].node];
      nodes[c].insert(nodes[c].end(), s.column.begin() + static_cast<std::ptrdiff_t>(s.row_start[node]),
                      s.column.begin() + static_cast<std::ptrdiff_t>(s.row_start[node + 1]));
    }
    if (rows.count(c) > 1) {
      std::sort(nodes[c].begin(), nodes[c].end());
      nodes[c].erase(std::unique(nodes[c].begin(), nodes[c].end()), nodes[c].end());
    }
  });
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t k = 0; k < 3; ++k) start_[3 * c + k + 1] = start_[3 * c + k] + 3 * nodes[c].size();
  row_.resize(start_.back());
  value_.assign(start_.back(), 0.0);
  for_each(count, 16, [&](std::size_t c) {
    const Vec3d direction[3] = {frames[c].n, frames[c].t1, frames[c].t2};
    for (std::size_t k = 0; k < rows.count(c); ++k) {
      const Index node = place_[rows.row(c)[k].node];
      std::size_t at = 0;
      for (std::size_t p = s.row_start[node]; p < s.row_start[node + 1]; ++p) {
        while (nodes[c][at] < s.column[p]) ++at;
        for (std::size_t r = 0; r < 3; ++r)
          for (int m = 0; m < 3; ++m)
            value_[start_[3 * c + r] + 3 * at + static_cast<std::size_t>(m)] +=
                rows.row(c)[k].weight * direction[r][m] * s.value[p];
      }
    }
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t at = 0; at < nodes[c].size(); ++at)
        for (int m = 0; m < 3; ++m)
          row_[start_[3 * c + r] + 3 * at + static_cast<std::size_t>(m)] = 3 * nodes[c][at] + m;
  });
}

void PlainDelassus::transpose() {
  row_start_.assign(3 * place_.size() + 1, 0);
  for (const Index r : row_) ++row_start_[r + 1];
  for (std::size_t r = 1; r < row_start_.size(); ++r) row_start_[r] += row_start_[r - 1];
  column_.resize(row_.size());
  row_value_.resize(row_.size());
  std::vector<std::size_t> next(row_start_.begin(), row_start_.end() - 1);
  for (std::size_t c = 0; c + 1 < start_.size(); ++c)
    for (std::size_t p = start_[c]; p < start_[c + 1]; ++p) {
      const std::size_t place = next[row_[p]]++;
      column_[place] = static_cast<Index>(c);
      row_value_[place] = value_[p];
    }
}

/// Row by row (Gustavson 1978); the accumulator is the row of W itself, which is full.
void PlainDelassus::assemble(const PointRows& rows, const std::vector<ContactFrame<double>>& frames,
                             std::vector<double>& w) {
  first_product(rows, frames);
  transpose();
  const std::size_t size = 3 * rows.size();
  w.assign(size * size, 0.0);
  for_each(size, 4, [&](std::size_t c) {
    double* out = w.data() + c * size;
    for (std::size_t p = start_[c]; p < start_[c + 1]; ++p) {
      const double a = value_[p];
      const std::size_t end = row_start_[row_[p] + 1];
      std::size_t q = row_start_[row_[p]];
      q = static_cast<std::size_t>(std::lower_bound(column_.begin() + static_cast<std::ptrdiff_t>(q),
                                                    column_.begin() + static_cast<std::ptrdiff_t>(end),
                                                    static_cast<Index>(c)) -
                                   column_.begin());
      for (; q < end; ++q) out[column_[q]] += a * row_value_[q];
    }
  });
  for_each(size, 32, [&](std::size_t c) {
    for (std::size_t d = 0; d < c; ++d) w[c * size + d] = w[d * size + c];
  });
}

}  // namespace sinew::bench
