// Newton's method on the incremental potential of engine/elastic/local_step.hpp: the yardstick of
// convergence. Slow on purpose: element Hessians made definite by their eigenvalues (Teran et al. 2005), one
// sparse LDL^T of the 3n system per iteration, line search.
#pragma once

#include <vector>

#include <Eigen/Sparse>

#include "engine/elastic/local_step.hpp"

namespace sinew::reference {

struct NewtonSettings {
  int max_iterations = 200;
  double tolerance = 1e-12;     ///< [1] of |g| over gradient_scale
  double gradient_scale = 0.0;  ///< [N s^2]; 0: |g| at the start
};

struct NewtonResult {
  std::vector<Vec3d> position;  ///< {node_count} [m], internal order
  double merit = 0.0;           ///< e [J s^2]
  double relative_gradient = 0.0;
  int iterations = 0;
  bool converged = false;  ///< tolerance met; false too where rounding ends the descent before
};

/// Lower triangle by columns of the 3n Hessian of e over the free nodes, without damping; project: with
/// element Hessians made positive semidefinite. Row 3 i + axis.
Eigen::SparseMatrix<double> hessian(const BodyPrecomputed& body, double time_step, const Vec3d* position,
                                    bool project);

/// Minimises e(q) from start (pinned nodes stay where start has them). Body without damping.
/// @throws ModelError for a body with damping.
NewtonResult minimise(const BodyPrecomputed& body, const ElasticInput& input, const std::vector<Vec3d>& start,
                      const NewtonSettings& settings = {});

}  // namespace sinew::reference
