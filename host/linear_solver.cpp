#include "host/linear_solver.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/errors.hpp>

#include "engine/common/solver_names.hpp"
#include "host/device_solver.hpp"
#include "host/refinement.hpp"
#include "host/rivals/jacobi.hpp"
#include "host/rivals/pcg.hpp"
#include "host/rivals/sparse_inverse.hpp"
#include "host/rivals/triangular.hpp"
#include "host/staged_solver.hpp"

namespace sinew {

void LinearSolver::solve_on_device(DeviceQueue&, View<Vec3d>, Workspace&) const {
  throw BackendError("this solver has no form for blocks on a device");
}

void LinearSolver::inverse_columns(const Index* node, std::size_t count, double* const* column,
                                   Workspace& workspace) const {
  constexpr std::size_t kBlocks = 4;  // bounds the scratch, and is wide enough for products of several blocks
  const std::size_t n = static_cast<std::size_t>(size());
  Vec3d* block[kBlocks];
  for (std::size_t begin = 0; begin < count; begin += 3 * kBlocks) {
    const std::size_t columns = std::min(count - begin, 3 * kBlocks), blocks = (columns + 2) / 3;
    workspace.column_blocks.resize(std::max(workspace.column_blocks.size(), blocks * n));
    std::fill_n(workspace.column_blocks.begin(), blocks * n, Vec3d{});
    for (std::size_t b = 0; b < blocks; ++b) block[b] = workspace.column_blocks.data() + b * n;
    for (std::size_t c = 0; c < columns; ++c) block[c / 3][node[begin + c]][static_cast<int>(c % 3)] = 1.0;
    solve_sparse(block, blocks, workspace);
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t i = 0; i < n; ++i) column[begin + c][i] = block[c / 3][i][static_cast<int>(c % 3)];
  }
}

namespace {

std::unique_ptr<LinearSolver> make_unrefined(const SymmetricMatrix& matrix, const SolverSettings& settings,
                                             double memory_limit, SolverStore* store) {
  switch (settings.global) {
    case GlobalSolver::automatic:
    case GlobalSolver::staged:
      return make_staged_solver(matrix, settings, memory_limit, store);
    case GlobalSolver::sparse_inverse:
      return make_sparse_inverse(matrix, settings, memory_limit);
    case GlobalSolver::triangular:
      return make_triangular(matrix, settings.factor, memory_limit);
    case GlobalSolver::pcg:
      return std::make_unique<PcgSolver>(matrix, settings);
    case GlobalSolver::jacobi:
    case GlobalSolver::chebyshev:
      return std::make_unique<JacobiSweep>(matrix);
  }
  throw BackendError("global solver '" + to_string(settings.global) + "': not in this build");
}

/// The libraries take NaN for a pivot and give a factor of it.
void require_finite(const SymmetricMatrix& matrix) {
  for (Index j = 0; j < matrix.size; ++j)
    for (Index p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p)
      if (!std::isfinite(matrix.value[p]))
        throw BackendError("system: entry (" + std::to_string(matrix.row[p]) + ", " + std::to_string(j) +
                           ") is not finite; check size, density, stiffness and time step of the body");
}

}  // namespace

std::unique_ptr<LinearSolver> make_linear_solver(const SymmetricMatrix& matrix,
                                                 const SolverSettings& settings, double memory_limit,
                                                 SolverStore* store, std::shared_ptr<Device> device) {
  const bool has_mixed = settings.global == GlobalSolver::automatic ||
                         settings.global == GlobalSolver::staged ||
                         settings.global == GlobalSolver::sparse_inverse;
  if (settings.precision == SolverPrecision::mixed && !has_mixed)
    throw BackendError("solver.precision 'mixed': solver.global '" + to_string(settings.global) +
                       "' computes in double only; use 'staged', 'sparse_inverse' or precision 'double'");
  require_finite(matrix);
  std::unique_ptr<LinearSolver> solver = make_unrefined(matrix, settings, memory_limit, store);
  if (device) solver = make_device_solver(std::move(solver), std::move(device));
  if (settings.refinement_steps > 0)
    solver = std::make_unique<RefinedSolver>(std::move(solver), matrix, settings.refinement_steps);
  return solver;
}

}  // namespace sinew
