// Local step: energy and gradient of the incremental potential of one body,
//
//   e(q) = 1/2 |q - q~|^2_M + h alpha/2 |q - q_t|^2_M + h^2 sum_e V_e (psi(F_e) + psi_d(F_e)),
//
// with q~ = q_t + h v + h^2 M^-1 f. Blocks of elements on their own (local_kernels.hpp), then nodes add what
// their blocks left them, in a fixed order (no atomics).
#pragma once

#include <vector>

#include "engine/elastic/local_kernels.hpp"
#include "engine/elastic/row_step.hpp"
#include "engine/precompute/body_precompute.hpp"

namespace sinew {

/// Arrays of one body that live for a frame; kept between frames only to save the allocation.
struct ElasticWorkspace {
  AlignedVector<double> partial;       ///< {slots, 4} gradient of each block at each of its nodes [N]
  AlignedVector<double> start_strain;  ///< {packs, 6 or 3, lanes} Green strain at the frame's start
  std::vector<BlockEnergy> energy;     ///< {blocks}
  std::vector<double> sums;            ///< scratch of ordered sums
  RowWorkspace rows;
  const LocalKernels<double>* kernels = &local_kernels<double>();
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

/// Stores the strains at the frame's start; without stiffness damping only makes room.
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
