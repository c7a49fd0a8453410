#include "tests/engine/meshing/surfaces.hpp"

#include <cmath>
#include <numbers>

namespace sinew {

SurfaceMesh cube_surface(double size) {
  SurfaceMesh s;
  for (int i = 0; i < 8; ++i) s.points.push_back({size * (i & 1), size * ((i >> 1) & 1), size * (i >> 2)});
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return s;
}

SurfaceMesh sphere_surface(double radius, int rings, int sectors, double lowest_latitude) {
  constexpr double kPi = std::numbers::pi;
  const bool closed = lowest_latitude <= -0.5 * kPi + 1e-9;
  SurfaceMesh s;
  s.points.push_back({0.0, 0.0, radius});
  for (int r = 1; r <= rings; ++r) {
    if (closed && r == rings) break;
    const double latitude = 0.5 * kPi + (lowest_latitude - 0.5 * kPi) * r / rings;
    for (int k = 0; k < sectors; ++k) {
      const double longitude = 2.0 * kPi * k / sectors;
      s.points.push_back({radius * std::cos(latitude) * std::cos(longitude),
                          radius * std::cos(latitude) * std::sin(longitude), radius * std::sin(latitude)});
    }
  }
  const auto at = [&](int r, int k) { return static_cast<Index>(1 + (r - 1) * sectors + k % sectors); };
  const int last = closed ? rings - 1 : rings;
  for (int k = 0; k < sectors; ++k) {
    s.triangles.push_back({0, at(1, k), at(1, k + 1)});
    for (int r = 1; r < last; ++r) {
      s.triangles.push_back({at(r, k), at(r + 1, k), at(r + 1, k + 1)});
      s.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r, k + 1)});
    }
  }
  if (closed) {
    const Index pole = static_cast<Index>(s.points.size());
    s.points.push_back({0.0, 0.0, -radius});
    for (int k = 0; k < sectors; ++k) s.triangles.push_back({at(last, k + 1), at(last, k), pole});
  }
  return s;
}

SurfaceMesh wavy_torus_surface(double radius, double tube_radius, int around, int across) {
  constexpr double kPi = std::numbers::pi;
  SurfaceMesh s;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = 2.0 * kPi * i / around, v = 2.0 * kPi * j / across;
      const double tube = tube_radius * (1.0 + 0.3 * std::cos(3.0 * u));
      const double rho = radius + tube * std::cos(v);
      s.points.push_back({rho * std::cos(u), rho * std::sin(u), tube * std::sin(v)});
    }
  const auto at = [&](int i, int j) { return static_cast<Index>((i % around) * across + j % across); };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      s.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      s.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return s;
}

SurfaceMesh joined(const SurfaceMesh& a, const SurfaceMesh& b, const Vec3d& b_offset) {
  SurfaceMesh s = a;
  const Index first = static_cast<Index>(a.points.size());
  for (const Vec3d& p : b.points) s.points.push_back(p + b_offset);
  for (const Triangle& t : b.triangles) s.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return s;
}

}  // namespace sinew
