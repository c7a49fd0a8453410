// The local step as one writes it first with Eigen: a JacobiSVD per element, stress from the singular values,
// one element at a time, nodes gather. What the speed of ours is measured against.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "engine/elastic/local_step.hpp"

namespace sinew::bench {

struct EigenWorkspace {
  std::vector<Eigen::Matrix3d> rest_inverse;     ///< {tet_count}
  std::vector<Eigen::Matrix3d> corner_gradient;  ///< {tet_count}: columns for corners 1..3 [N]
  std::vector<double> element_sums, node_sums;
};

/// Copies the rest shapes into Eigen's matrices.
EigenWorkspace make_eigen_workspace(const BodyPrecomputed& body);

/// As evaluate_elastic() for a body without damping. Barrier materials as they are, without the continuation
/// at small volume ratios.
ElasticEnergy evaluate_eigen(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                             EigenWorkspace& workspace, Vec3d* gradient);

}  // namespace sinew::bench
