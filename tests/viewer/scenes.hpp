// Small frames for the tests of the viewer.
#pragma once

#include <cmath>
#include <numbers>

#include "viewer/renderer.hpp"

namespace sinew::viewer {

/// Closed ball of n rings and 2 n segments, one point at each pole.
inline RenderSurface ball_surface(const Vec3d& center, double radius, int n) {
  RenderSurface s;
  const double pi = std::numbers::pi;
  s.points.push_back(center - Vec3d{0, 0, radius});
  for (int j = 1; j < n; ++j)
    for (int i = 0; i < 2 * n; ++i) {
      const double a = pi * i / n, b = pi * j / n - pi / 2;
      s.points.push_back(center +
                         radius * Vec3d{std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)});
    }
  s.points.push_back(center + Vec3d{0, 0, radius});
  const Index top = Index(s.points.size()) - 1;
  const auto at = [&](int j, int i) {
    return j == 0 ? 0 : (j == n ? top : Index(1 + (j - 1) * 2 * n + i % (2 * n)));
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 2 * n; ++i) {
      if (j > 0) s.triangles.push_back({at(j, i), at(j, i + 1), at(j + 1, i)});
      if (j + 1 < n) s.triangles.push_back({at(j, i + 1), at(j + 1, i + 1), at(j + 1, i)});
    }
  return s;
}

inline RenderSurface cube_surface(const Vec3d& center, double half) {
  RenderSurface s;
  for (int k = 0; k < 8; ++k)
    s.points.push_back(center + half * Vec3d{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
  s.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return s;
}

/// Two rollers, a ball above them, a floor.
inline RenderFrame rollers_frame() {
  RenderFrame frame;
  frame.surfaces.push_back(ball_surface({0, 0, 0.92}, 0.25, 24));
  for (const double x : {-0.33, 0.33})
    frame.obstacles.push_back({CylinderShape{0.25, 0.5},
                               Pose{rotation_from_vector(Vec3d{-std::numbers::pi / 2, 0, 0}), {x, 0, 0.5}}});
  frame.obstacles.push_back({HalfSpaceShape{}, Pose{}});
  return frame;
}

}  // namespace sinew::viewer
