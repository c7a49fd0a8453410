// Local step: energy and gradient of the incremental potential of one body,
//
//   e(q) = 1/2 |q - q~|^2_M + h alpha/2 |q - q_t|^2_M + h^2 sum_e V_e (psi(F_e) + psi_d(F_e)),
//
// with q~ = q_t + h v + h^2 M^-1 f. Every element on its own; nodes gather in a fixed order (no atomics).
#pragma once

#include <vector>

#include "engine/elastic/row_step.hpp"
#include "engine/elastic/triangle_step.hpp"
#include "engine/precompute/body_precompute.hpp"

namespace sinew {

/// Arrays of one body that live for a frame; kept between frames only to save the allocation.
struct ElasticWorkspace {
  std::vector<Mat3d> corner_gradient;  ///< {tet_count}: columns for corners 1..3 [N]
  std::vector<Mat3d> start_strain;     ///< {tet_count}: Green strain at the frame's start (damping)
  std::vector<double> sums;            ///< scratch of ordered sums
  TriangleWorkspace triangles;
  RowWorkspace rows;
};

struct ElasticInput {
  double time_step = 0.0;            ///< [s]
  const Vec3d* predicted = nullptr;  ///< {node_count} q~ [m]
  const Vec3d* start = nullptr;      ///< {node_count} q_t [m]
};

struct ElasticEnergy {
  double merit = 0.0;    ///< e(q) [J s^2]
  double elastic = 0.0;  ///< sum V psi [J], without damping
};

/// Stores the strains at the frame's start; nothing to do without stiffness damping.
void begin_elastic_frame(const BodyPrecomputed& body, const Vec3d* start, ElasticWorkspace& workspace);

/// Energy and, per node in internal order, gradient of e [N s^2]; pinned rows too: their residual is the
/// reaction.
ElasticEnergy evaluate_elastic(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                               ElasticWorkspace& workspace, Vec3d* gradient);

/// sum V psi [J], bending and springs included.
double elastic_energy(const BodyPrecomputed& body, const Vec3d* position, std::vector<double>& sums);

/// Tetrahedron, or triangle of a sheet, with a value that is not finite, or -1.
Index find_bad_element(const BodyPrecomputed& body, const Vec3d* position);

}  // namespace sinew
