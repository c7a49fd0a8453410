// Bending of sheets and springs: energy and node gradient of
//
//   E = sum_s weight_s/2 (|y_s| - length_s)^2,   y_s = row_s x,        engine/precompute/elastic_rows.hpp
//
// and of their damping, beta/h weight_s/2 (|y_s| - |y_s at the frame's start|)^2. Both depend on |y| alone
// and the coefficients of a row sum to zero, so that rigid motion costs nothing and forces keep both momenta.
#pragma once

#include <vector>

#include "engine/precompute/body_precompute.hpp"

namespace sinew {

/// Energies of one kind of element [J].
struct ElementEnergies {
  double elastic = 0.0, damping = 0.0;
  ElementEnergies& operator+=(const ElementEnergies& o) {
    elastic += o.elastic;
    damping += o.damping;
    return *this;
  }
};

struct RowWorkspace {
  std::vector<Vec3d> force;          ///< {row count} dE/dy [N times the unit of length over y's]
  std::vector<double> start_length;  ///< {row count} |y| at the frame's start (damping)
  std::vector<ElementEnergies> sums;
};

void begin_rows(const BodyPrecomputed& body, const Vec3d* start, RowWorkspace& workspace);

/// Adds h^2 times the gradient of all rows [N s^2] to gradient, {node_count}.
ElementEnergies add_rows(const BodyPrecomputed& body, double time_step, const Vec3d* position,
                         RowWorkspace& workspace, Vec3d* gradient);

/// Elastic energy [J] of all rows.
double row_energy(const BodyPrecomputed& body, const Vec3d* position, std::vector<double>& sums);

}  // namespace sinew
