// The triangles of sheets one after the other in plain numbers, as written on paper: what the blocks of
// engine/elastic/local_kernels.hpp are compared with and measured against. Energy and node gradient of
//
//   E = sum_t thickness area_t (psi(F_t) + psi_d(F_t)),   F_t the 3 x 2 deformation gradient,
//
// psi a membrane material of plane stress, psi_d Kelvin-Voigt damping in the 2 x 2 Green strain
// (docs/cloth.md), with the strain limit.
#pragma once

#include <array>
#include <vector>

#include <sinew/base/mat32.hpp>

#include "engine/elastic/row_step.hpp"
#include "engine/precompute/body_precompute.hpp"

namespace sinew::reference {

struct PlainTriangleWorkspace {
  std::vector<Mat32d> corner_gradient;              ///< {triangle_count}: columns for corners 1 and 2 [N]
  std::vector<std::array<double, 3>> start_strain;  ///< {triangle_count}: E_11, E_12, E_22 (damping)
  std::vector<ElementEnergies> sums;
};

void begin_plain_triangles(const BodyPrecomputed& body, const Vec3d* start,
                           PlainTriangleWorkspace& workspace);

/// Adds h^2 times the gradient of all triangles [N s^2] to gradient, {node_count}.
ElementEnergies add_plain_triangles(const BodyPrecomputed& body, double time_step, const Vec3d* position,
                                    PlainTriangleWorkspace& workspace, Vec3d* gradient);

/// Elastic energy [J] of all triangles.
double plain_triangle_energy(const BodyPrecomputed& body, const Vec3d* position, std::vector<double>& sums);

}  // namespace sinew::reference
