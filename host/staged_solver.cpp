#include "host/staged_solver.hpp"

#include <cmath>

#include <sinew/errors.hpp>

#include "host/csr.hpp"
#include "host/memory.hpp"
#include "host/staged_inverse.hpp"

namespace sinew {

namespace {

template <class T>
class StagedSolver final : public LinearSolver {
 public:
  struct StagedWorkspace final : Workspace {
    typename StagedInverse<T>::Workspace vectors;
  };

  StagedSolver(const CholeskyFactor& factor, StagedStructure structure)
      : nnz_factor_(factor.nonzeros()), inverse_(factor, std::move(structure)) {
    order_.reserve(factor.order.size());
    for (const Index k : inverse_.structure().order) order_.push_back(factor.order[k]);
  }
  StagedSolver(ByteReader& in, Index n) {
    in.read(nnz_factor_).read(order_);
    inverse_ = StagedInverse<T>::read(in, n);
    std::vector<char> seen(n, 0);
    for (const Index k : order_) {
      if (k < 0 || k >= n || seen[k]) in.damaged("the order is no permutation");
      seen[k] = 1;
    }
    if (order_.size() != static_cast<std::size_t>(n)) in.damaged("the order is no permutation");
  }
  const StagedInverse<T>& inverse() const { return inverse_; }
  void write(ByteWriter& out) const {
    out.add(nnz_factor_).add(order_);
    inverse_.write(out);
  }

  const std::vector<Index>& order() const override { return order_; }
  Sizes sizes() const override {
    return {nnz_factor_, inverse_.stored_entries(), inverse_.bytes(),
            static_cast<int>(inverse_.structure().stages.size())};
  }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<StagedWorkspace>(); }
  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const override {
    inverse_.solve(block, count, static_cast<StagedWorkspace&>(workspace).vectors);
  }
  void solve_sparse(Vec3d* const* block, std::size_t count, Workspace& workspace) const override {
    inverse_.solve(block, count, static_cast<StagedWorkspace&>(workspace).vectors, true);
  }
  bool has_forward_columns() const override { return true; }
  void forward_columns(const SparseColumns& columns, ForwardColumns& y) const override {
    inverse_.forward_columns(columns, y);
  }

 private:
  std::uint64_t nnz_factor_ = 0;
  std::vector<Index> order_;
  StagedInverse<T> inverse_;
};

/// Rows of the vectors of the widest solve.
double vector_rows(const StagedStructure& structure) {
  return 2.0 * static_cast<double>(structure.order.size()) +
         static_cast<double>(structure.outside_rows.size()) + static_cast<double>(structure.partial_rows);
}

void check_memory(const StagedStructure& structure, std::size_t value_size, double memory_limit) {
  const double bytes = static_cast<double>(structure.value_count) * static_cast<double>(value_size) +
                       static_cast<double>(structure.rows.size()) * sizeof(Index) +
                       vector_rows(structure) * kMostGroups * kLanes * static_cast<double>(value_size);
  require_memory("staged inverse", bytes, memory_limit);
}

template <class T>
std::unique_ptr<StagedSolver<T>> make_solver(const SymmetricMatrix& matrix, const SolverSettings& settings,
                                             double memory_limit) {
  const CholeskyFactor f = factor(matrix, settings.factor, memory_limit);
  StagedStructure structure = make_staged_structure(
      f, settings.stages, kEntriesPerStage,
      [&](double entries) { require_memory("staged inverse", entries * sizeof(T), memory_limit); });
  check_memory(structure, sizeof(T), memory_limit);
  return std::make_unique<StagedSolver<T>>(f, std::move(structure));
}

/// y = A x.
std::vector<Vec3d> multiply(const SymmetricMatrix& matrix, const std::vector<Vec3d>& x) {
  std::vector<Vec3d> y(x.size());
  for (Index j = 0; j < matrix.size; ++j) {
    for (Index p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p) {
      const Index i = matrix.row[p];
      y[i] += matrix.value[p] * x[j];
      if (i != j) y[j] += matrix.value[p] * x[i];
    }
  }
  return y;
}

/// One solve; its residual tells whether the solver belongs to the matrix. The right-hand side is A times a
/// vector, so that rounding leaves a residual of its unit whatever the condition number is.
bool solves(const LinearSolver& solver, const SymmetricMatrix& matrix, double tolerance) {
  const std::size_t n = static_cast<std::size_t>(matrix.size);
  std::vector<Vec3d> x(n), ordered(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = static_cast<double>(i);
    x[i] = {std::sin(t), std::cos(0.7 * t), std::sin(1.3 * t + 1.0)};
  }
  const std::vector<Vec3d> b = multiply(matrix, x);
  for (std::size_t k = 0; k < n; ++k) ordered[k] = b[solver.order()[k]];
  Vec3d* block = ordered.data();
  solver.solve(&block, 1, *solver.make_workspace());
  for (std::size_t k = 0; k < n; ++k) x[solver.order()[k]] = ordered[k];
  const std::vector<Vec3d> product = multiply(matrix, x);
  double residual = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    residual += squared_norm(b[i] - product[i]);
    scale += squared_norm(b[i]);
  }
  return residual <= tolerance * tolerance * scale;  // false for NaN as well
}

template <class T>
std::unique_ptr<LinearSolver> make_kept(const SymmetricMatrix& matrix, const SolverSettings& settings,
                                        double memory_limit, SolverStore* store) {
  if (!store) return make_solver<T>(matrix, settings, memory_limit);
  constexpr double kTolerance = sizeof(T) == sizeof(float) ? 1e-2 : 1e-6;
  std::unique_ptr<LinearSolver> found;
  store->load([&](ByteReader& in) {
    require_memory("staged inverse", static_cast<double>(in.left()), memory_limit);
    auto solver = std::make_unique<StagedSolver<T>>(in, matrix.size);
    if (!solves(*solver, matrix, kTolerance)) in.damaged("it does not solve this system");
    found = std::move(solver);
  });
  if (found) return found;
  std::unique_ptr<StagedSolver<T>> made = make_solver<T>(matrix, settings, memory_limit);
  store->store([&](ByteWriter& out) { made->write(out); });
  return made;
}

}  // namespace

StagedInverseOf staged_inverse_of(const LinearSolver& solver) {
  StagedInverseOf found;
  if (const auto* full = dynamic_cast<const StagedSolver<double>*>(&solver)) found.full = &full->inverse();
  if (const auto* mixed = dynamic_cast<const StagedSolver<float>*>(&solver)) found.mixed = &mixed->inverse();
  return found;
}

std::unique_ptr<LinearSolver> make_staged_solver(const SymmetricMatrix& matrix,
                                                 const SolverSettings& settings, double memory_limit,
                                                 SolverStore* store) {
  return settings.precision == SolverPrecision::mixed
             ? make_kept<float>(matrix, settings, memory_limit, store)
             : make_kept<double>(matrix, settings, memory_limit, store);
}

std::unique_ptr<LinearSolver> make_staged_solver(const CholeskyFactor& factor, StagedStructure structure,
                                                 SolverPrecision precision) {
  if (precision == SolverPrecision::mixed)
    return std::make_unique<StagedSolver<float>>(factor, std::move(structure));
  return std::make_unique<StagedSolver<double>>(factor, std::move(structure));
}

}  // namespace sinew
