// One way to apply A_s^-1 to n x 3 blocks: the global step. All ways stand behind this interface, so that
// stepping, contact and benchmarks know none of them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <sinew/base/solver_settings.hpp>
#include <sinew/base/vec3.hpp>

#include "host/cholesky.hpp"
#include "host/forward_columns.hpp"
#include "kernels/device/device.hpp"

namespace sinew {

class LinearSolver {
 public:
  /// Arrays of one caller at work; solve() allocates nothing once it has been called with as many blocks.
  class Workspace {
   public:
    virtual ~Workspace() = default;
    std::vector<Vec3d> column_blocks;  ///< of the general inverse_columns()
  };

  struct Sizes {
    std::size_t nnz_factor = 0;      ///< of L, diagonal included; 0 where there is none
    std::size_t stored_entries = 0;  ///< numbers that a solve reads (once), padding included
    std::size_t bytes = 0;           ///< all arrays that a solve reads: values and indices
    int stages = 0;                  ///< 0 where the notion does not apply
  };

  virtual ~LinearSolver() = default;

  /// order()[k] = row of the matrix that stands at place k in the blocks of solve().
  virtual const std::vector<Index>& order() const = 0;
  Index size() const { return static_cast<Index>(order().size()); }
  virtual Sizes sizes() const = 0;
  /// rho of I - S A, S what solve() does: 0 for complete solvers, in [0, 1) for sweeps that converge.
  virtual double spectral_radius() const { return 0.0; }
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  /// Every block[c], {n} in the solver's order, becomes A^-1 block[c] (for incomplete solvers: what one sweep
  /// gives). The bits of a block depend neither on the other blocks nor on the number of threads.
  virtual void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const = 0;

  /// True where blocks that stand on a device can be solved for there.
  virtual bool solves_on_device() const { return false; }
  /// The same for a block on the queue's device, {n}; nothing waits. A workspace goes with one queue.
  /// @throws BackendError where solves_on_device() is false.
  virtual void solve_on_device(DeviceQueue& queue, View<Vec3d> block, Workspace& workspace) const;

  /// column[c], {n} in the solver's order, becomes A^-1 e_node[c]. Same promise on bits.
  virtual void inverse_columns(const Index* node, std::size_t count, double* const* column,
                               Workspace& workspace) const;

  /// True where forward_columns() is at hand: complete solvers that are L^-T L^-1 with a sparse forward half.
  virtual bool has_forward_columns() const { return false; }
  /// y := L^-1 B^T; a column's bits depend neither on the other columns nor on the number of threads.
  virtual void forward_columns(const SparseColumns&, ForwardColumns&) const {}

 protected:
  /// As solve(), for blocks of unit vectors: most rows are zero.
  virtual void solve_sparse(Vec3d* const* block, std::size_t count, Workspace& workspace) const {
    solve(block, count, workspace);
  }
};

class SolverStore;  // host/staged_solver.hpp

/// Prepares the solver that the settings name. memory_limit [bytes], 0: none. store: where the staged inverse
/// may be kept; may be null. device: where solve() computes; null: on the host. Call inside Executor::run.
/// @throws MemoryError with both numbers; BackendError where a library fails, is not built in, has no form
/// for the device, or A is not positive definite.
std::unique_ptr<LinearSolver> make_linear_solver(const SymmetricMatrix& matrix,
                                                 const SolverSettings& settings, double memory_limit,
                                                 SolverStore* store = nullptr,
                                                 std::shared_ptr<Device> device = nullptr);

}  // namespace sinew
