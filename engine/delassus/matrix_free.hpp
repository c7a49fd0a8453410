// G as an operator: one global step per body and product, for problems whose matrix would not fit.
#pragma once

#include <memory>
#include <vector>

#include <sinew/base/solver_settings.hpp>

#include "engine/contact/point_operator.hpp"
#include "engine/delassus/point_rows.hpp"
#include "host/linear_solver.hpp"

namespace sinew {

struct BodyPrecomputed;

/// True where the setting asks for the operator, or leaves the choice and the matrix would pass the half of
/// memory_limit [bytes] (0: none) that GramAssembler allows it.
bool wants_operator(DelassusWay way, std::size_t rows, double memory_limit);

class MatrixFreeDelassus final : public PointOperator {
 public:
  /// Takes the rows over; the diagonal costs half a solve per twelve rows where the solver has a forward
  /// half. Call inside Executor::run.
  void set(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies);

  std::size_t size() const override { return rows_.size(); }
  void apply(const std::vector<Vec3d>& v, std::vector<Vec3d>& out) const override;
  const std::vector<double>& diagonal() const override { return diagonal_; }

 private:
  /// One body: B_b^T by nodes, so that a node sums its rows in order.
  struct Part {
    std::size_t body = 0;
    const LinearSolver* solver = nullptr;
    std::unique_ptr<LinearSolver::Workspace> workspace;
    std::vector<std::size_t> start;  ///< {n + 1}
    std::vector<std::size_t> row;    ///< {terms}
    std::vector<double> weight;      ///< {terms}
    std::vector<Vec3d> nodal;        ///< {n} B_b^T v, then A_b^-1 of it
  };
  PointRows rows_;
  mutable std::vector<Part> parts_;      ///< a product works in their nodal vectors
  std::vector<std::ptrdiff_t> part_of_;  ///< {bodies} -1: not touched
  std::vector<double> diagonal_;
};

}  // namespace sinew
