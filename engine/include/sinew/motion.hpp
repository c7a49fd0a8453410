// Sets of nodes, rigid motions and values over time.
#pragma once

#include <variant>
#include <vector>

#include <sinew/base/mat3.hpp>
#include <sinew/mesh.hpp>

namespace sinew {

/// A set of nodes, chosen by their position in the world at time 0 (after the body's transform).
struct Region {
  struct All {};
  struct Nodes {
    std::vector<Index> indices;
  };  ///< node numbers of the mesh, 0-based
  struct Box {
    Vec3d min, max;
  };  ///< [m], closed
  struct Ball {
    Vec3d center;
    double radius = 0.0;
  };  ///< [m], closed
  struct HalfSpace {
    Vec3d point, normal;
  };  ///< nodes with (x - point) . normal <= 0
  std::variant<All, Nodes, Box, Ball, HalfSpace> shape = All{};
  bool surface_only = false;  ///< keep only nodes of the boundary
};

/// Pose over time. Keyframes are interpolated linearly and held before the first and after the last;
/// velocity and spin add to them from time 0 on.
/// Pose at t: x -> R(t) (x - origin) + origin + translation(t), R(t) = exp(spin t) exp(rotation(t)).
struct Motion {
  struct Keyframe {
    double time = 0.0;    ///< [s], strictly increasing
    Vec3d translation{};  ///< [m]
    Vec3d rotation{};     ///< [rad], rotation vector
  };
  std::vector<Keyframe> keyframes;
  Vec3d velocity{};  ///< [m/s]
  Vec3d spin{};      ///< [rad/s], rotation vector per second, world axes
  bool is_static() const { return keyframes.empty() && velocity == Vec3d{} && spin == Vec3d{}; }
};

/// Rigid pose x_world = rotation * x_local + translation.
struct Pose {
  Mat3d rotation = Mat3d::identity();
  Vec3d translation{};  ///< [m]
  Vec3d apply(const Vec3d& x) const { return rotation * x + translation; }
  Vec3d apply_inverse(const Vec3d& x) const { return transpose(rotation) * (x - translation); }
};
/// Displacement of space at time t [s] about the given origin, see Motion.
Pose evaluate(const Motion& motion, const Vec3d& origin, double time);

/// A piecewise linear value over time, held before the first and after the last key. One key: constant.
struct VectorPath {
  std::vector<double> times;  ///< [s], strictly increasing
  std::vector<Vec3d> values;  ///< same length, at least 1
};
Vec3d evaluate(const VectorPath& path, double time);

/// The same for a number.
struct ScalarPath {
  std::vector<double> times;   ///< [s], strictly increasing
  std::vector<double> values;  ///< same length, at least 1
};
double evaluate(const ScalarPath& path, double time);

}  // namespace sinew
