#include "host/rivals/sparse_inverse.hpp"

#include <algorithm>
#include <type_traits>

#include <tbb/enumerable_thread_specific.h>

#include "host/memory.hpp"

namespace sinew {

namespace {

/// Nodes on the path from each node to its root, both counted: the entries of its column of S.
std::vector<Index> path_lengths(const std::vector<Index>& parent) {
  std::vector<Index> length(parent.size(), 1);
  for (std::size_t k = parent.size(); k-- > 0;)
    if (parent[k] >= 0) length[k] = length[parent[k]] + 1;
  return length;
}

InverseCount count_inverse(const std::vector<Index>& parent, double components) {
  InverseCount count;
  for (const Index length : path_lengths(parent)) count.entries += components * length;
  count.bytes = count.entries * (sizeof(double) + sizeof(Index)) +
                (components * static_cast<double>(parent.size()) + 1.0) * sizeof(Index);
  return count;
}

/// Columns that are computed together: a chain j, j + 1, ... of the tree shares its path to the root.
constexpr Index kChain = 4;
struct Lanes {
  double v[kChain] = {};
};

std::vector<Index> chain_starts(const std::vector<Index>& parent) {
  const Index n = static_cast<Index>(parent.size());
  std::vector<Index> starts;
  for (Index j = 0; j < n;) {
    starts.push_back(j);
    Index length = 1;
    while (length < kChain && parent[j + length - 1] == j + length) ++length;
    j += length;
  }
  starts.push_back(n);
  return starts;
}

template <class T>
struct InverseWorkspace : LinearSolver::Workspace {
  std::vector<std::vector<Vec3<T>>> half;   ///< by block: S b
  std::vector<std::vector<Vec3<T>>> input;  ///< by block, for T other than double
};

}  // namespace

InverseCount count_scalar_inverse(const std::vector<Index>& parent) {
  return count_inverse(parent, 1.0);
}

InverseCount count_published_inverse(const std::vector<Index>& parent) {
  return count_inverse(parent, 3.0);
}

template <class T>
SparseInverse<T>::SparseInverse(const CholeskyFactor& factor, double memory_limit)
    : order_(factor.order), nnz_factor_(factor.nonzeros()) {
  const std::size_t n = order_.size();
  const double entries = count_scalar_inverse(factor.parent).entries;
  require_memory(
      "sparse inverse of the factor",
      2.0 * (entries * (sizeof(T) + sizeof(Index)) + static_cast<double>(n + 1) * sizeof(std::size_t)),
      memory_limit);
  const std::vector<Index> length = path_lengths(factor.parent);
  std::vector<Index> subtree_size(n, 1);
  rows_.row_start.assign(n + 1, 0);
  transposed_.row_start.assign(n + 1, 0);
  for (std::size_t k = 0; k < n; ++k) {
    if (factor.parent[k] >= 0) subtree_size[factor.parent[k]] += subtree_size[k];
    rows_.row_start[k + 1] = rows_.row_start[k] + static_cast<std::size_t>(subtree_size[k]);
    transposed_.row_start[k + 1] = transposed_.row_start[k] + static_cast<std::size_t>(length[k]);
  }
  for (CsrMatrix<T>* matrix : {&rows_, &transposed_}) {
    matrix->column.resize(matrix->row_start[n]);
    matrix->value.resize(matrix->row_start[n]);
  }
  fill(factor, length);
}

/// Columns of S by forward substitution along their paths, chains side by side; no n-vector is needed, since
/// a node on the path is named by its distance from the chain's first. Row i of S lists the subtree of i,
/// which is a range, so that every entry's place in both matrices is known.
template <class T>
void SparseInverse<T>::fill(const CholeskyFactor& factor, const std::vector<Index>& length) {
  const std::vector<Index> chain = chain_starts(factor.parent);
  tbb::enumerable_thread_specific<std::vector<Lanes>> scratch;
  for_each(chain.size() - 1, 8, [&](std::size_t k) {
    const Index first = chain[k], lanes = chain[k + 1] - first;
    std::vector<Lanes>& x = scratch.local();
    x.assign(length[first], Lanes{});
    for (Index lane = 0; lane < lanes; ++lane) x[lane].v[lane] = 1.0;
    for (Index node = first; node >= 0; node = factor.parent[node]) {
      const Index begin = factor.column_start[node], end = factor.column_start[node + 1];
      Lanes& own = x[length[first] - length[node]];
      for (double& v : own.v) v /= factor.value[begin];
      for (Index p = begin + 1; p < end; ++p) {
        const double l = factor.value[p];
        Lanes& below = x[length[first] - length[factor.row[p]]];
        for (Index lane = 0; lane < kChain; ++lane) below.v[lane] -= l * own.v[lane];
      }
      const std::size_t row_end = rows_.row_start[node + 1];  // its last entry is the diagonal
      for (Index lane = 0; lane < std::min(lanes, node - first + 1); ++lane) {
        const Index j = first + lane;
        const std::size_t across = transposed_.row_start[j] + (length[j] - length[node]);
        const std::size_t along = row_end - 1 - static_cast<std::size_t>(node - j);
        transposed_.column[across] = node;
        rows_.column[along] = j;
        transposed_.value[across] = rows_.value[along] = static_cast<T>(own.v[lane]);
      }
    }
  });
}

template <class T>
LinearSolver::Sizes SparseInverse<T>::sizes() const {
  Sizes sizes;
  sizes.nnz_factor = nnz_factor_;
  sizes.stored_entries = rows_.value.size() + transposed_.value.size();
  sizes.bytes = rows_.bytes() + transposed_.bytes();
  sizes.stages = 1;
  return sizes;
}

template <class T>
std::unique_ptr<LinearSolver::Workspace> SparseInverse<T>::make_workspace() const {
  return std::make_unique<InverseWorkspace<T>>();
}

/// All blocks in one pass over each matrix: a row serves them while it is in cache.
template <class T>
void SparseInverse<T>::solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const {
  auto& w = static_cast<InverseWorkspace<T>&>(workspace);
  const std::size_t n = order_.size();
  constexpr bool kConverts = !std::is_same_v<T, double>;
  for (std::size_t c = w.half.size(); c < count; ++c) {
    w.half.emplace_back(n);
    if (kConverts) w.input.emplace_back(n);
  }
  const auto input = [&](std::size_t c) {
    if constexpr (kConverts)
      return static_cast<const Vec3<T>*>(w.input[c].data());
    else
      return static_cast<const Vec3d*>(block[c]);
  };
  if constexpr (kConverts)
    for (std::size_t c = 0; c < count; ++c)
      for_each(n, 2048, [&](std::size_t i) {
        const Vec3d& b = block[c][i];
        w.input[c][i] = {static_cast<T>(b.x), static_cast<T>(b.y), static_cast<T>(b.z)};
      });
  constexpr std::size_t kGrain = 32;
  for_each(n, kGrain, [&](std::size_t i) {
    for (std::size_t c = 0; c < count; ++c) w.half[c][i] = rows_.row_product(i, input(c));
  });
  for_each(n, kGrain, [&](std::size_t i) {
    for (std::size_t c = 0; c < count; ++c) {
      const Vec3<T> x = transposed_.row_product(i, w.half[c].data());
      block[c][i] = {x.x, x.y, x.z};
    }
  });
}

template class SparseInverse<double>;
template class SparseInverse<float>;

std::unique_ptr<LinearSolver> make_sparse_inverse(const SymmetricMatrix& matrix,
                                                  const SolverSettings& settings, double memory_limit) {
  const CholeskyFactor l = factor(matrix, settings.factor, memory_limit);
  if (settings.precision == SolverPrecision::mixed)
    return std::make_unique<SparseInverse<float>>(l, memory_limit);
  return std::make_unique<SparseInverse<double>>(l, memory_limit);
}

}  // namespace sinew
