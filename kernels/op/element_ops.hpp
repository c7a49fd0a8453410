// The local step on a device: energy and gradient of the incremental potential of one body (see
// engine/elastic/local_step.hpp for the formula; the functions of one element are the same).
#pragma once

#include <cstddef>
#include <cstdint>

#include <sinew/base/config.hpp>
#include <sinew/base/material_kind.hpp>
#include <sinew/base/vec3.hpp>

#include "kernels/device/view.hpp"

namespace sinew {

/// Most elements and nodes of a block: what the shared memory of a device holds.
inline constexpr int kDeviceBlockElements = 256;
inline constexpr int kDeviceBlockNodes = 512;
inline constexpr int kDeviceLanes = 8;  ///< elements of a pack

/// As ElementBlock of engine/precompute.
struct DeviceBlock {
  Index first_pack = 0, end_pack = 0;
  Index first_slot = 0, node_count = 0;
};

/// As ElementBlocks<double>, plus the corners of each slot; borrowed.
struct DeviceElements {
  int corners = 4;
  View<const DeviceBlock> block;
  View<const std::uint16_t> corner;          ///< {packs, corners, 8}
  View<const double> rest;                   ///< {packs, 9 or 4, 8} [1/m]
  View<const double> volume;                 ///< {packs, 8} [m^3], 0 for fillers
  View<const Index> node;                    ///< {slots}
  View<const Index> corner_start;            ///< {slots + 1}
  View<const std::uint16_t> corner_of_slot;  ///< 4 * (element in the block) + corner, ascending; no fillers
  View<const Index> slot_start;              ///< {nodes + 1}
  View<const Index> slot;                    ///< slots of each node, ascending
};

/// As BlockMaterial of engine/elastic.
struct DeviceMaterial {
  MaterialKind kind = MaterialKind::arap;
  double shear_modulus = 0, first_lame = 0, mooney_ratio = 0;  ///< [Pa], [Pa], [1]
  double damping_mu = 0, damping_lambda = 0;                   ///< beta/h times Lame's parameters [Pa]
  double largest_stretch = 0, limit_stiffness = 0;             ///< [1], [Pa] of triangles; 0: none
};

/// Bending and springs: sum_s weight_s/2 (|y_s| - length_s)^2, y_s = row_s x; borrowed.
struct DeviceSquares {
  View<const Index> start;            ///< {rows + 1}
  View<const Index> node;             ///< {places}
  View<const double> coefficient;     ///< {places}
  View<const double> weight;          ///< {rows}
  View<const double> length;          ///< {rows}
  View<const Index> incidence_start;  ///< {nodes + 1}
  View<const Index> incidence;        ///< places of each node, ascending
  View<const Index> row_of_place;     ///< {places}
};

/// What a node needs for its inertia.
struct DeviceInertia {
  double time_step = 0;         ///< h [s]
  double h_alpha = 0;           ///< h alpha [1]
  View<const double> mass;      ///< {nodes} [kg]
  View<const Vec3d> predicted;  ///< {nodes} q~ [m]
  View<const Vec3d> start;      ///< {nodes} q_t [m]
};

class ElementOps {
 public:
  virtual ~ElementOps() = default;

  /// Green strain of all elements: {packs, 6 or 3, 8}.
  virtual void strains(const DeviceElements& elements, View<const Vec3d> position, View<double> strain) = 0;
  /// Energies and sums of gradients of each block: partial {slots} [N], elastic, damping {blocks} [J].
  /// start_strain: of strains() at the frame's start; empty: no damping.
  virtual void evaluate_blocks(const DeviceElements& elements, const DeviceMaterial& material,
                               View<const Vec3d> position, View<const double> start_strain,
                               View<Vec3d> partial, View<double> elastic, View<double> damping) = 0;
  /// |y| of each row at the position.
  virtual void row_lengths(const DeviceSquares& rows, View<const Vec3d> position, View<double> length) = 0;
  /// dE/dy of each row, damping included, and energies elastic, damping {rows} [J]. start_length: empty: no
  /// damping; beta_over_h [1].
  virtual void evaluate_squares(const DeviceSquares& rows, double beta_over_h,
                                View<const double> start_length, View<const Vec3d> position,
                                View<Vec3d> force, View<double> elastic, View<double> damping) = 0;
  /// Gradient of e [N s^2] and each node's inertia term [J s^2]: nodes add what their blocks and rows left.
  virtual void gather_gradient(const DeviceElements& elements, View<const Vec3d> partial,
                               const DeviceSquares& rows, View<const Vec3d> row_force,
                               const DeviceInertia& inertia, View<const Vec3d> position, View<Vec3d> gradient,
                               View<double> node_energy) = 0;
};

}  // namespace sinew
