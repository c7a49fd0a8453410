// Every supernode J owns a dense front over its columns and the rows R below them:
//
//     F = A at J  +  sum over children of their updates,     F = [ F11  .  ]   L11 L11^T = F11
//                                                                [ F21  F22],  L21 = F21 L11^-T,
//
// and sends the update F22 - L21 L21^T to its parent. Supernodes are merged with their parents while that
// adds few zeros; those do not reach L, whose structure is that of the elimination tree.
#include "host/native_factor.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include <Eigen/Dense>

#include <sinew/errors.hpp>

#include "host/cholesky_libraries.hpp"
#include "host/elimination_tree.hpp"
#include "host/staged_tree.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

using Matrix = Eigen::MatrixXd;
using Block = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

constexpr Index kTile = 192;           // of fronts that are worth several threads
constexpr Index kParallelFront = 512;  // rows from which a front is
constexpr double kSerialWork = 2e6;    // entries squared of a subtree that one thread takes as a whole

struct Front {
  Index first = 0, width = 0;
  Index parent = -1;
  std::vector<Index> children;  ///< ascending: the order of their sums
  const Index* rows = nullptr;  ///< below the columns
  Index row_count = 0;
  double work = 0.0;  ///< of the subtree
  Index size() const { return width + row_count; }
};

/// Supernodes merged with their parents where at most a sixth of the merged panel are zeros.
std::vector<Front> make_fronts(const SupernodeTree& tree) {
  constexpr double kZeros = 1.0 / 6.0;
  struct Draft {
    Index first, width, node;
    double zeros;
  };
  std::vector<Draft> drafts;
  std::vector<Index> draft_of(tree.nodes.size());
  for (Index v = 0; v < static_cast<Index>(tree.nodes.size()); ++v) {
    const Supernode& node = tree.nodes[v];
    Draft d{node.first, node.width, v, 0.0};
    while (!drafts.empty()) {
      const Draft& child = drafts.back();
      const Supernode& low = tree.nodes[child.node];
      if (low.parent != v || low.parent_column != d.first || child.first + child.width != d.first) break;
      const double zeros =
          child.zeros + d.zeros + static_cast<double>(child.width) * (d.width + node.rows() - low.rows());
      const double width = child.width + d.width;
      const double entries = 0.5 * width * width + width * node.rows();
      if (zeros > kZeros * entries && width > 4) break;
      d = {child.first, child.width + d.width, v, zeros};
      drafts.pop_back();
    }
    drafts.push_back(d);
  }
  std::vector<Front> fronts(drafts.size());
  std::vector<Index> front_of(tree.order.size());
  for (std::size_t k = 0; k < drafts.size(); ++k) {
    const Supernode& node = tree.nodes[drafts[k].node];
    fronts[k].first = drafts[k].first;
    fronts[k].width = drafts[k].width;
    fronts[k].rows = tree.rows.data() + node.row_begin;
    fronts[k].row_count = node.rows();
    for (Index c = 0; c < drafts[k].width; ++c) front_of[drafts[k].first + c] = static_cast<Index>(k);
  }
  for (std::size_t k = 0; k < fronts.size(); ++k) {
    Front& f = fronts[k];
    const double size = f.size();
    f.work += f.width * size * size;
    const Index up = tree.nodes[drafts[k].node].parent_column;
    if (up < 0) continue;
    f.parent = front_of[up];
    fronts[f.parent].children.push_back(static_cast<Index>(k));
    fronts[f.parent].work += f.work;
  }
  return fronts;
}

/// Lower triangle of A by columns in elimination order.
struct OrderedMatrix {
  std::vector<Index> start, row;
  std::vector<double> value;
};

OrderedMatrix permute(const SymmetricMatrix& matrix, const std::vector<Index>& order) {
  const std::vector<Index> place = inverse_order(order);
  OrderedMatrix a;
  a.start.assign(matrix.size + 1, 0);
  const auto each = [&](auto&& visit) {
    for (Index j = 0; j < matrix.size; ++j)
      for (Index p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p)
        visit(std::min(place[j], place[matrix.row[p]]), std::max(place[j], place[matrix.row[p]]),
              matrix.value[p]);
  };
  each([&](Index column, Index, double) { ++a.start[column + 1]; });
  for (Index j = 0; j < matrix.size; ++j) a.start[j + 1] += a.start[j];
  a.row.resize(matrix.row.size());
  a.value.resize(matrix.row.size());
  std::vector<Index> cursor(a.start.begin(), a.start.end() - 1);
  each([&](Index column, Index row, double value) {
    a.row[cursor[column]] = row;
    a.value[cursor[column]++] = value;
  });
  return a;
}

class Multifrontal {
 public:
  Multifrontal(const OrderedMatrix& a, std::vector<Front> fronts, CholeskyFactor& factor)
      : a_(a),
        fronts_(std::move(fronts)),
        factor_(factor),
        update_(fronts_.size()),
        pending_(fronts_.size()) {}

  void run() {
    // Whole subtrees that one thread takes; fronts above start when their last child is done.
    std::vector<Index> roots, first(fronts_.size());
    for (std::size_t k = 0; k < fronts_.size(); ++k) {
      const Front& f = fronts_[k];
      first[k] = f.children.empty() ? static_cast<Index>(k) : first[f.children.front()];
      pending_[k].store(static_cast<Index>(f.children.size()), std::memory_order_relaxed);
      const bool serial = f.work <= kSerialWork || f.children.empty();
      const bool parent_serial = f.parent >= 0 && fronts_[f.parent].work <= kSerialWork;
      if (serial && !parent_serial) roots.push_back(static_cast<Index>(k));
    }
    for_each(roots.size(), 1, [&](std::size_t r) {
      for (Index k = first[roots[r]]; k <= roots[r]; ++k) process(k);
      climb(roots[r]);
    });
    if (failed_.load())
      throw BackendError("factor: the system is not positive definite (no positive pivot in column " +
                         std::to_string(failed_.load() - 1) + " of the elimination)");
  }

 private:
  void climb(Index k) {
    for (Index up = fronts_[k].parent; up >= 0; up = fronts_[up].parent) {
      if (pending_[up].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
      process(up);
    }
  }

  void process(Index k) {
    const Front& f = fronts_[k];
    if (failed_.load(std::memory_order_relaxed)) return;
    Matrix front = assemble(f);
    if (f.size() >= kParallelFront)
      eliminate_tiled(front, f);
    else
      eliminate(front, f.width, f);
    store(front, f);
    if (f.row_count > 0) update_[k] = front.bottomRightCorner(f.row_count, f.row_count);
  }

  /// Lower triangle of A at the columns, plus the children's updates.
  Matrix assemble(const Front& f) {
    Matrix front = Matrix::Zero(f.size(), f.size());
    const auto place = [&](Index row, Index& cursor) {  // rows ascend
      if (row < f.first + f.width) return row - f.first;
      while (f.rows[cursor] < row) ++cursor;
      return f.width + cursor;
    };
    for (Index c = 0; c < f.width; ++c) {
      for (Index p = a_.start[f.first + c]; p < a_.start[f.first + c + 1]; ++p) {
        Index cursor = 0;
        if (a_.row[p] >= f.first + f.width)
          cursor = static_cast<Index>(std::lower_bound(f.rows, f.rows + f.row_count, a_.row[p]) - f.rows);
        front(place(a_.row[p], cursor), c) += a_.value[p];
      }
    }
    std::vector<Index> to;
    for (const Index child : f.children) {
      const Front& below = fronts_[child];
      to.resize(below.row_count);
      Index cursor = 0;
      for (Index r = 0; r < below.row_count; ++r) to[r] = place(below.rows[r], cursor);
      Matrix& update = update_[child];
      for (Index c = 0; c < below.row_count; ++c) {
        double* column = front.data() + static_cast<std::size_t>(to[c]) * f.size();
        const double* sent = update.data() + static_cast<std::size_t>(c) * below.row_count;
        for (Index r = c; r < below.row_count; ++r) column[to[r]] += sent[r];
      }
      update.resize(0, 0);
    }
    return front;
  }

  /// The first `columns` columns of a front and their effect on the rest.
  void eliminate(Matrix& front, Index columns, const Front& f) {
    const Index rest = static_cast<Index>(front.rows()) - columns;
    Block diagonal = front.topLeftCorner(columns, columns);
    factor_diagonal(diagonal, f.first);
    if (rest == 0) return;
    Block below = front.bottomLeftCorner(rest, columns);
    diagonal.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    front.bottomRightCorner(rest, rest).selfadjointView<Eigen::Lower>().rankUpdate(below, -1.0);
  }

  /// The same by tiles, whose updates are independent of each other.
  void eliminate_tiled(Matrix& front, const Front& f) {
    const Index size = f.size();
    for (Index begin = 0; begin < f.width; begin += kTile) {
      const Index columns = std::min(kTile, f.width - begin), end = begin + columns;
      Block diagonal = front.block(begin, begin, columns, columns);
      factor_diagonal(diagonal, f.first + begin);
      const Index tiles = (size - end + kTile - 1) / kTile;
      const auto rows_of = [&](Index t) { return std::min(kTile, size - end - t * kTile); };
      for_each(static_cast<std::size_t>(tiles), 1, [&](std::size_t t) {
        const Index at = static_cast<Index>(t) * kTile;
        Block below = front.block(end + at, begin, rows_of(static_cast<Index>(t)), columns);
        diagonal.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
      });
      for_each(static_cast<std::size_t>(tiles) * static_cast<std::size_t>(tiles + 1) / 2, 1,
               [&](std::size_t k) {
                 Index i = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(k) + 1.0) - 1.0) / 2.0);
                 while (static_cast<std::size_t>(i) * (i + 1) / 2 > k) --i;
                 while (static_cast<std::size_t>(i + 1) * (i + 2) / 2 <= k) ++i;
                 const Index j = static_cast<Index>(k - static_cast<std::size_t>(i) * (i + 1) / 2);
                 front.block(end + i * kTile, end + j * kTile, rows_of(i), rows_of(j)).noalias() -=
                     front.block(end + i * kTile, begin, rows_of(i), columns) *
                     front.block(end + j * kTile, begin, rows_of(j), columns).transpose();
               });
    }
  }

  void factor_diagonal(Block& diagonal, Index column) {
    const Eigen::LLT<Block, Eigen::Lower> llt(diagonal);
    if (llt.info() == Eigen::Success) return;
    Index none = 0;
    failed_.compare_exchange_strong(none, column + 1);
  }

  void store(const Matrix& front, const Front& f) {
    for (Index c = 0; c < f.width; ++c) {
      Index cursor = 0;
      for (Index p = factor_.column_start[f.first + c]; p < factor_.column_start[f.first + c + 1]; ++p) {
        const Index row = factor_.row[p];
        Index at = row - f.first;
        if (at >= f.width) {
          while (f.rows[cursor] < row) ++cursor;
          at = f.width + cursor;
        }
        factor_.value[p] = front(at, c);
      }
    }
  }

  const OrderedMatrix& a_;
  const std::vector<Front> fronts_;
  CholeskyFactor& factor_;
  std::vector<Matrix> update_;
  std::vector<std::atomic<Index>> pending_;  ///< children still to come
  std::atomic<Index> failed_{0};             ///< 1 + first column of a diagonal block that failed
};

/// Largest sum of updates that wait while fronts are done in order.
double peak_bytes(const std::vector<Front>& fronts) {
  double waiting = 0.0, peak = 0.0;
  const auto square = [](Index n) { return static_cast<double>(n) * n * sizeof(double); };
  for (const Front& f : fronts) {
    peak = std::max(peak, waiting + square(f.size()));
    for (const Index child : f.children) waiting -= square(fronts[child].row_count);
    waiting += square(f.row_count);
    peak = std::max(peak, waiting + square(f.size()));
  }
  return peak;
}

}  // namespace

CholeskyFactor factor_native(const SymmetricMatrix& matrix, std::vector<Index> order, double memory_limit) {
  CholeskyFactor result;
  result.order = std::move(order);
  {
    const LowerPattern pattern = lower_pattern(matrix, result.order);
    result.parent = elimination_tree(pattern);
    double nonzeros = 0.0;
    for (const Index count : factor_column_counts(pattern, result.parent)) nonzeros += count;
    if (nonzeros > 2147483647.0) throw BackendError("factor: more than 2^31 nonzeros; use a coarser mesh");
    check_factor_memory(nonzeros * kFactorEntryBytes, memory_limit);
    factor_structure(pattern, result.parent, result.column_start, result.row);
  }
  const SupernodeTree tree = make_supernode_tree(result);
  std::vector<Front> fronts = make_fronts(tree);
  check_factor_memory(static_cast<double>(result.row.size()) * kFactorEntryBytes + peak_bytes(fronts),
                      memory_limit);
  result.value.resize(result.row.size());
  const OrderedMatrix a = permute(matrix, result.order);
  Multifrontal(a, std::move(fronts), result).run();
  return result;
}

}  // namespace sinew
