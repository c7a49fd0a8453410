// The one door to contact solvers, and the yardstick that judges them all.
//
// Contact points of one body, seen through its scalar Gram matrix: with world displacements U_c (the gap
// along the normal, the slip along the tangents) and world forces f_c,  U = U0 + h^2 (G + Q M Q^T) f. G is
// scalar (fact 3); the term of low rank, absent by default, comes from the quasi-Newton metric.
#pragma once

#include <vector>

#include <sinew/base/vec3.hpp>

#include "kernels/element/contact/coulomb.hpp"

namespace sinew {

struct ContactProblem {
  double squared_step = 0.0;                ///< h^2 [s^2]
  std::vector<ContactFrame<double>> frame;  ///< {c}
  std::vector<double> friction;             ///< {c}
  std::vector<double> gram;                 ///< {c, c} row-major, G [1/kg], symmetric
  std::size_t rank = 0;                     ///< columns of Q
  std::vector<Vec3d> low_rank;              ///< {c, rank} Q: world vectors
  std::vector<double> middle;               ///< {rank, rank} M, symmetric
  std::vector<Vec3d> displacement;          ///< {c} U [m] with the forces acting: in and out
  std::vector<Vec3d> force;                 ///< {c} f [N], world: warm start in, solution out

  std::size_t size() const { return frame.size(); }
  void resize(std::size_t count);
  /// Compliance of one point, r = h^2 G_cc [m/N].
  double compliance(std::size_t c) const { return squared_step * gram[c * size() + c]; }
};

struct ContactReport {
  int sweeps = 0;
  double change = 0.0;    ///< [m] largest change of a point in the last sweep
  bool converged = true;  ///< below the tolerance; a relative stop does not count
};

/// Largest natural-map residual [m] over all points, from problem and answer alone.
double natural_map_residual(const ContactProblem& problem);

}  // namespace sinew
