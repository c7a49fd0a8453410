// The local step one element after the other in plain numbers, as written on paper: what the blocks of
// engine/elastic/local_kernels.hpp are compared with and measured against. Tetrahedra only.
#pragma once

#include <vector>

#include "engine/elastic/local_step.hpp"

namespace sinew::reference {

struct PlainWorkspace {
  std::vector<Mat3d> corner_gradient;  ///< {tet_count}: columns for corners 1..3 [N]
  std::vector<Mat3d> start_strain;     ///< {tet_count}: Green strain at the frame's start (damping)
  std::vector<ElementEnergies> element_sums;
  std::vector<double> node_sums;
};

void begin_plain_frame(const BodyPrecomputed& body, const Vec3d* start, PlainWorkspace& workspace);

ElasticEnergy evaluate_plain(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                             PlainWorkspace& workspace, Vec3d* gradient);

}  // namespace sinew::reference
