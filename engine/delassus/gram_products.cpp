#include "engine/delassus/gram_products.hpp"

#include <algorithm>

#include "engine/precompute/body_precompute.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kWidth = ForwardColumns::kWidth;
constexpr std::size_t kDiagonalColumns = 1200;  // at a time: bounds the memory of Y

/// One body's part of B^T.
struct BodyColumns {
  SparseColumns columns;
  std::vector<std::size_t> row;  ///< {columns} of B
};

std::vector<BodyColumns> split_by_body(const PointRows& rows,
                                       const std::vector<const BodyPrecomputed*>& bodies) {
  std::vector<BodyColumns> parts(bodies.size());
  std::vector<Index> touched;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    touched.clear();
    for (std::size_t k = 0; k < rows.count(c); ++k) {
      const ContactTerm& t = rows.row(c)[k];
      if (t.node >= bodies[t.body]->free_count) continue;
      BodyColumns& part = parts[t.body];
      part.columns.row.push_back(t.node);
      part.columns.value.push_back(t.weight);
      if (std::find(touched.begin(), touched.end(), t.body) == touched.end()) touched.push_back(t.body);
    }
    for (const Index b : touched) {
      parts[b].columns.start.push_back(parts[b].columns.row.size());
      parts[b].row.push_back(c);
    }
  }
  return parts;
}

SparseColumns slice(const SparseColumns& all, std::size_t begin, std::size_t end) {
  SparseColumns part;
  for (std::size_t c = begin; c < end; ++c) {
    for (std::size_t p = all.start[c]; p < all.start[c + 1]; ++p) {
      part.row.push_back(all.row[p]);
      part.value.push_back(all.value[p]);
    }
    part.start.push_back(part.row.size());
  }
  return part;
}

void add_squares(const LinearSolver& solver, const BodyColumns& part, std::vector<double>& diagonal) {
  ForwardColumns y;
  for (std::size_t begin = 0; begin < part.row.size(); begin += kDiagonalColumns) {
    const std::size_t end = std::min(part.row.size(), begin + kDiagonalColumns);
    solver.forward_columns(slice(part.columns, begin, end), y);
    for_each(y.group.size(), 1, [&](std::size_t g) {
      double square[kWidth];
      square_group(y.group[g], square);
      for (std::size_t k = 0; k < y.group[g].count; ++k)
        diagonal[part.row[begin + y.column[y.group[g].begin + k]]] += square[k];
    });
  }
}

/// b_c . A^-1 b_c through whole solves, twelve columns at a time.
void add_solved(const LinearSolver& solver, const BodyColumns& part, std::vector<double>& diagonal) {
  constexpr std::size_t kBlocks = 4;
  const std::size_t n = static_cast<std::size_t>(solver.size());
  const auto workspace = solver.make_workspace();
  std::vector<Vec3d> blocks(kBlocks * n);
  Vec3d* block[kBlocks];
  for (std::size_t b = 0; b < kBlocks; ++b) block[b] = blocks.data() + b * n;
  for (std::size_t begin = 0; begin < part.row.size(); begin += 3 * kBlocks) {
    const std::size_t count = std::min(part.row.size() - begin, 3 * kBlocks);
    std::fill(blocks.begin(), blocks.end(), Vec3d{});
    const auto each_term = [&](auto&& visit) {
      for (std::size_t c = 0; c < count; ++c)
        for (std::size_t p = part.columns.start[begin + c]; p < part.columns.start[begin + c + 1]; ++p)
          visit(c, part.columns.value[p], block[c / 3][part.columns.row[p]][static_cast<int>(c % 3)]);
    };
    each_term([](std::size_t, double weight, double& entry) { entry += weight; });
    solver.solve(block, (count + 2) / 3, *workspace);
    each_term([&](std::size_t c, double weight, double& entry) {
      diagonal[part.row[begin + c]] += weight * entry;
    });
  }
}

}  // namespace

bool can_multiply_columns(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies) {
  return std::all_of(rows.term.begin(), rows.term.end(), [&](const ContactTerm& t) {
    const BodyPrecomputed& body = *bodies[t.body];
    return t.node >= body.free_count || body.solver->has_forward_columns();
  });
}

void gram_by_products(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies,
                      std::vector<double>& gram) {
  const std::size_t count = rows.size();
  gram.assign(count * count, 0.0);
  const std::vector<BodyColumns> parts = split_by_body(rows, bodies);
  ForwardColumns y;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const BodyColumns& part = parts[b];
    if (part.row.empty()) continue;
    bodies[b]->solver->forward_columns(part.columns, y);
    // A pair of groups is the only writer of its entries.
    for_each(y.group.size(), 1, [&](std::size_t i) {
      const ForwardColumns::Group& a = y.group[i];
      double sum[kWidth * kWidth];
      for (std::size_t j = i; j < y.group.size(); ++j) {
        const ForwardColumns::Group& other = y.group[j];
        multiply_groups(a, other, sum);
        for (std::size_t k = 0; k < a.count; ++k) {
          const std::size_t c = part.row[y.column[a.begin + k]];
          for (std::size_t l = i == j ? k : 0; l < other.count; ++l) {
            const std::size_t d = part.row[y.column[other.begin + l]];
            const double value = gram[c * count + d] + sum[k * kWidth + l];
            gram[c * count + d] = value;
            gram[d * count + c] = value;
          }
        }
      }
    });
  }
}

std::vector<double> gram_diagonal(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies) {
  std::vector<double> diagonal(rows.size(), 0.0);
  const std::vector<BodyColumns> parts = split_by_body(rows, bodies);
  for (std::size_t b = 0; b < parts.size(); ++b) {
    if (parts[b].row.empty()) continue;
    if (bodies[b]->solver->has_forward_columns())
      add_squares(*bodies[b]->solver, parts[b], diagonal);
    else
      add_solved(*bodies[b]->solver, parts[b], diagonal);
  }
  return diagonal;
}

}  // namespace sinew
