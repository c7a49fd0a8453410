#include "engine/export/obstacle_surface.hpp"

#include <cmath>
#include <numbers>

namespace sinew {

namespace {
constexpr int kSegments = 48;  // around the axis
constexpr int kSegmentsPerStripe = 4;
constexpr int kRings = 12;       // per half sphere
constexpr int kPlaneCells = 16;  // per side of a half-space

class Builder {
 public:
  Index point(const Vec3d& x) {
    result_.mesh.points.push_back(x);
    return static_cast<Index>(result_.mesh.points.size()) - 1;
  }
  void triangle(Index a, Index b, Index c, int stripe) {
    result_.mesh.triangles.push_back({a, b, c});
    result_.stripe.push_back(stripe & 1);
  }
  void quad(Index a, Index b, Index c, Index d, int stripe) {
    triangle(a, b, c, stripe);
    triangle(a, c, d, stripe);
  }

  // Profile (radius, z) turned about z, from the lowest to the highest point; the ends lie on the axis.
  void revolve(const std::vector<std::pair<double, double>>& profile) {
    Index below = -1;
    for (std::size_t ring = 0; ring < profile.size(); ++ring) {
      const auto [radius, z] = profile[ring];
      const bool pole = ring == 0 || ring + 1 == profile.size();
      const Index first = point({pole ? 0.0 : radius, 0.0, z});
      for (int s = 1; s < (pole ? 1 : kSegments); ++s) {
        const double angle = 2.0 * std::numbers::pi * s / kSegments;
        point({radius * std::cos(angle), radius * std::sin(angle), z});
      }
      for (int s = 0; ring > 0 && s < kSegments; ++s) {
        const int next = (s + 1) % kSegments, stripe = s / kSegmentsPerStripe;
        if (ring == 1 && pole) continue;
        if (ring == 1)
          triangle(below, first + next, first + s, stripe);
        else if (pole)
          triangle(below + s, below + next, first, stripe);
        else
          quad(below + s, below + next, first + next, first + s, stripe);
      }
      below = first;
    }
  }

  // One stripe: a mesh shows its turning by its own form.
  void copy(const MeshShape& shape) {
    result_.mesh = shape.mesh;
    result_.stripe.assign(shape.mesh.triangles.size(), 0);
    result_.edges = shape.edges;
    result_.points = shape.points;
  }

  ObstacleSurface take() { return std::move(result_); }

 private:
  ObstacleSurface result_;
};

// Two half circles, half_length apart from the middle each.
std::vector<std::pair<double, double>> capsule_profile(double radius, double half_length) {
  std::vector<std::pair<double, double>> profile;
  for (int i = 0; i <= kRings; ++i) {
    const double angle = 0.5 * std::numbers::pi * (static_cast<double>(i) / kRings - 1.0);
    profile.emplace_back(radius * std::cos(angle), radius * std::sin(angle) - half_length);
  }
  for (int i = half_length > 0.0 ? 0 : 1; i <= kRings; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / kRings;
    profile.emplace_back(radius * std::cos(angle), radius * std::sin(angle) + half_length);
  }
  return profile;
}

void add_box(Builder& builder, const Vec3d& half) {
  Index corner[8];
  for (int i = 0; i < 8; ++i)
    corner[i] = builder.point({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  static constexpr int kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (int f = 0; f < 6; ++f)
    builder.quad(corner[kFaces[f][0]], corner[kFaces[f][1]], corner[kFaces[f][2]], corner[kFaces[f][3]], f);
}

void add_plane(Builder& builder, const Vec3d& centre, double half_width) {
  const auto coordinate = [&](double middle, int i) {
    return middle + half_width * (2.0 * i / kPlaneCells - 1.0);
  };
  const int row = kPlaneCells + 1;
  for (int j = 0; j < row; ++j)
    for (int i = 0; i < row; ++i) builder.point({coordinate(centre.x, i), coordinate(centre.y, j), 0.0});
  for (int j = 0; j < kPlaneCells; ++j) {
    for (int i = 0; i < kPlaneCells; ++i) {
      const Index a = static_cast<Index>(j * row + i);
      builder.quad(a, a + 1, a + row + 1, a + row, i + j);
    }
  }
}
}  // namespace

ObstacleSurface obstacle_surface(const ObstacleShape& shape, const Vec3d& centre, double half_width) {
  Builder builder;
  struct Visitor {
    Builder& builder;
    const Vec3d& centre;
    double half_width;
    void operator()(const HalfSpaceShape&) const { add_plane(builder, centre, half_width); }
    void operator()(const SphereShape& s) const { builder.revolve(capsule_profile(s.radius, 0.0)); }
    void operator()(const BoxShape& s) const { add_box(builder, s.half_extents); }
    void operator()(const CapsuleShape& s) const {
      builder.revolve(capsule_profile(s.radius, s.half_length));
    }
    void operator()(const CylinderShape& s) const {
      const double r = s.radius, l = s.half_length;
      builder.revolve({{0.0, -l}, {r, -l}, {r, l}, {0.0, l}});
    }
    void operator()(const MeshShape& s) const { builder.copy(s); }
  };
  std::visit(Visitor{builder, centre, half_width}, shape);
  return builder.take();
}

}  // namespace sinew
