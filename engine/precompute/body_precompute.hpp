// Everything that is prepared once per distinct body and time step: element data, system matrix A_s, order,
// factor, contact points. Instances with equal mesh, scale, density, material and pins share it: A_s knows
// neither rotation nor position.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <sinew/base/mat32.hpp>
#include <sinew/simulation.hpp>

#include "engine/delassus/compliance_cache.hpp"
#include "engine/model/model_data.hpp"
#include "engine/precompute/assemble_cloth.hpp"
#include "engine/precompute/disk_cache.hpp"
#include "engine/precompute/element_blocks.hpp"
#include "host/linear_solver.hpp"

namespace sinew {

/// A point of the surface that can touch: a weighted sum of up to four nodes, weights summing to 1 (fact 3).
struct ContactPoint {
  Index surface_point = 0;      ///< the user's number
  Index count = 0;              ///< nodes used
  std::array<Index, 4> node{};  ///< internal order
  std::array<double, 4> weight{};
};

/// Node order inside: free nodes in elimination order, then pinned ones.
struct BodyPrecomputed {
  Index node_count = 0, free_count = 0;
  std::vector<Index> to_user;      ///< {node_count}
  std::vector<Index> to_internal;  ///< {node_count}

  MaterialKind kind = MaterialKind::arap;
  double shear_modulus = 0.0, first_lame = 0.0;  ///< [Pa]
  double mooney_ratio = 0.0;                     ///< [1]
  double alpha = 0.0, beta = 0.0;                ///< Rayleigh [1/s], [s]
  std::vector<Tet> tets;                         ///< internal order
  std::vector<Mat3d> rest_inverse;               ///< {tet_count} D_m^-1 [1/m]
  std::vector<double> volume;                    ///< {tet_count} [m^3], with inside fraction
  ElementBlocks<double> blocks;                  ///< tetrahedra or triangles as the local step reads them
  std::vector<double> mass;                      ///< {node_count} [kg]
  std::vector<Index> incidence_start;            ///< {node_count + 1}
  std::vector<Index> incidence;  ///< 4 * element + corner, ascending: the fixed order of every gather
  double element_weight = 0.0;   ///< w [Pa] of A_s: rest_weight()

  // Sheets: triangles instead of tetrahedra, prepared as kernels/element/shape/triangle.hpp wants them.
  std::vector<Triangle> triangles;              ///< internal order
  std::vector<Mat2d> triangle_inverse;          ///< {triangle_count} D_m^-1 [1/m]
  std::vector<double> triangle_volume;          ///< {triangle_count} rest area times thickness [m^3]
  std::vector<Index> triangle_incidence_start;  ///< {node_count + 1}
  std::vector<Index> triangle_incidence;        ///< 3 * triangle + corner, ascending

  double largest_stretch = 0.0;  ///< [1] beyond which limit_stiffness acts; only where that is not 0
  double limit_stiffness = 0.0;  ///< [Pa] of sheets with a strain limit

  // Bending and springs (elastic_rows.hpp), internal order.
  SquaredRows rows;
  std::vector<Index> row_incidence_start;  ///< {node_count + 1}
  std::vector<Index> row_incidence;        ///< places in rows.node, ascending
  std::vector<Index> row_of_place;         ///< {rows.node}

  double diagonal_norm = 0.0;  ///< [kg] root of the sum of squares of A_s's diagonal: scale of rounding
  std::unique_ptr<LinearSolver>
      solver;               ///< of the free block of A_s, nodes in internal order; null: no free node
  bool from_cache = false;  ///< the solver was read from disk
  std::vector<ContactPoint> points;  ///< with at least one free node, ascending by surface point
  std::vector<ContactPoint> inner;   ///< free nodes inside a solid whose surface is that of its tetrahedra;
                                     ///< ascending, surface_point holds the user's number of the node
  std::unique_ptr<ComplianceCache> compliance;
  std::size_t bytes() const;
};

/// True where two bodies can share a BodyPrecomputed.
bool same_precompute(const BodyData& a, const std::vector<char>& pinned_a, const BodyData& b,
                     const std::vector<char>& pinned_b);

/// True where both settings prepare the same from the same body.
bool same_preparation(const SimulationSettings& a, const SimulationSettings& b);

/// {bodies}{nodes, user order}: 1 where a pin holds the node.
std::vector<std::vector<char>> pinned_nodes(const ModelData& model);

/// pinned: {node_count}, user order. cache: may be null. device: for the global step; null: the host. @throws
/// MemoryError, BackendError.
std::shared_ptr<BodyPrecomputed> precompute_body(const BodyData& body, const std::vector<char>& pinned,
                                                 double time_step, const SolverSettings& settings,
                                                 double memory_limit, DiskCache* cache = nullptr,
                                                 std::shared_ptr<Device> device = nullptr);

}  // namespace sinew
