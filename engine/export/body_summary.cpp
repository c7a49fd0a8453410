// Centre, velocity, box and shape figure of a body from the public arrays.
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include <sinew/report.hpp>

#include "engine/model/model_data.hpp"

namespace sinew {

namespace {
Eigen::Vector3d eigen(const Vec3d& v) {
  return {v.x, v.y, v.z};
}

// Rotation R and centres minimise sum m |x - c - R (X - C)|^2: R from the singular vectors of the covariance
// (Kabsch 1976), with the sign that keeps det R = +1.
double shape_deviation(const std::vector<double>& mass, const std::vector<Vec3d>& rest,
                       const Vec3d& rest_centre, const std::vector<Vec3d>& now, const Vec3d& centre) {
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  double gyration = 0.0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    covariance += mass[i] * eigen(now[i] - centre) * eigen(rest[i] - rest_centre).transpose();
    gyration += mass[i] * squared_norm(rest[i] - rest_centre);
  }
  if (!(gyration > 0.0) || !covariance.allFinite()) return 0.0;
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0.0 ? -1.0 : 1.0;
  const Eigen::Matrix3d rotation =
      svd.matrixU() * Eigen::Vector3d(1.0, 1.0, sign).asDiagonal() * svd.matrixV().transpose();
  double sum = 0.0;
  for (std::size_t i = 0; i < mass.size(); ++i)
    sum += mass[i] * (eigen(now[i] - centre) - rotation * eigen(rest[i] - rest_centre)).squaredNorm();
  return std::sqrt(sum / gyration);
}

Vec3d weighted_mean(const std::vector<double>& weight, const std::vector<Vec3d>& values) {
  Vec3d sum{};
  double total = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += weight[i] * values[i];
    total += weight[i];
  }
  return total > 0.0 ? sum / total : sum;
}
}  // namespace

BodySummary summarize_body(const Simulation& simulation, std::size_t body) {
  const Model& model = simulation.model();
  const BodyData& data = model.data().bodies[body];
  const std::vector<Vec3d> now = simulation.positions(body);

  BodySummary summary;
  summary.name = model.body(body).name;
  summary.centre = weighted_mean(data.node_mass, now);
  summary.velocity = weighted_mean(data.node_mass, simulation.velocities(body));
  summary.volume = simulation.volume(body);
  summary.rest_volume = model.body_rest_volume(body);
  summary.area = simulation.area(body);
  summary.rest_area = model.body_rest_area(body);
  summary.shape_deviation =
      shape_deviation(data.node_mass, data.start_position, weighted_mean(data.node_mass, data.start_position),
                      now, summary.centre);

  // Only points that triangles use: a mesh with an inner node far out would stretch the box otherwise.
  const std::vector<Vec3d> points = simulation.surface_points(body);
  const double inf = std::numeric_limits<double>::infinity();
  Vec3d low{inf, inf, inf}, high{-inf, -inf, -inf};
  for (const Triangle& triangle : model.surface_triangles(body)) {
    for (const Index p : triangle) {
      low = component_min(low, points[p]);
      high = component_max(high, points[p]);
    }
  }
  summary.box_min = low;
  summary.box_max = high;
  return summary;
}

}  // namespace sinew
