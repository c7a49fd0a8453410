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

/// The same for the triangles of a sheet, with the SVD of 3 x 2 matrices.
struct EigenSheetWorkspace {
  std::vector<Eigen::Matrix2d> rest_inverse;  ///< {triangle_count}
  std::vector<Eigen::Matrix<double, 3, 2>>
      corner_gradient;  ///< {triangle_count}: columns for corners 1, 2 [N]
  std::vector<double> element_sums, node_sums;
};

/// Copies the rest shapes into Eigen's matrices.
EigenWorkspace make_eigen_workspace(const BodyPrecomputed& body);
EigenSheetWorkspace make_eigen_sheet_workspace(const BodyPrecomputed& body);

/// As evaluate_elastic() for a body without damping, bending, springs and strain limit. Barrier materials as
/// they are, without the continuation at small volume ratios.
ElasticEnergy evaluate_eigen(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                             EigenWorkspace& workspace, Vec3d* gradient);
ElasticEnergy evaluate_eigen(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                             EigenSheetWorkspace& workspace, Vec3d* gradient);

}  // namespace sinew::bench
