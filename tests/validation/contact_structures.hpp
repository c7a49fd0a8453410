// Things that stand by friction and weight alone: a stack, a house of cards, an arch of stones.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/validation/contact_bodies.hpp"

namespace sinew::test {

/// Boxes of 0.1 m, one on the other. Surfaces keep 2 x kOffset apart, and start so.
inline constexpr double kOffset = 5e-5;  // [m]

inline ObstacleSpec structure_floor(double mu) {
  ObstacleSpec floor;
  floor.name = "floor";
  floor.shape = HalfSpaceShape{};
  floor.friction = mu;
  return floor;
}

/// ratio: mass of the uppermost box to that of each other one.
inline Model stack(int boxes, double mu = 0.5, double young = 2e7, double ratio = 1.0) {
  ModelBuilder builder;
  for (int b = 0; b < boxes; ++b) {
    BodySpec box;
    box.name = "box " + std::to_string(b);
    box.mesh = block(2, 2, 2, 0.05);
    box.transform.translation = {-0.05, -0.05, kOffset + b * (0.1 + 2.0 * kOffset)};
    box.material = {MaterialKind::stable_neo_hookean, young, 0.3, 0.0, 0.01};
    if (ratio != 1.0) box.density = b + 1 == boxes ? 100.0 * ratio : 100.0;
    box.friction = mu;
    box.contact_thickness = kOffset;
    builder.add(box);
  }
  builder.gravity({0.0, 0.0, -kGravity}).add(structure_floor(mu));
  return builder.build();
}

/// Half a ring of wedges with inner radius 0.9 m, outer radius 1.1 m, 0.3 m deep.
inline Model arch(int stones, double mu, double young = 1e8) {
  constexpr double kInner = 0.9, kOuter = 1.1, kDepth = 0.3;
  ModelBuilder builder;
  const double step = kPi / stones;
  for (int n = 0; n < stones; ++n) {
    BodySpec stone;
    stone.name = "stone " + std::to_string(n);
    stone.mesh = block(1, 1, 1, 1.0);
    for (Vec3d& p : stone.mesh.nodes) {
      // Joints are planes through the axis; each stone keeps kOffset away from them.
      const double radius = kOuter + (kInner - kOuter) * p.x, middle = (n + 0.5) * step;
      const double half = (2.0 * p.z - 1.0);
      const Vec3d on_joint{radius * std::cos(middle + 0.5 * half * step), kDepth * (p.y - 0.5),
                           radius * std::sin(middle + 0.5 * half * step)};
      const double joint = middle + 0.5 * half * step;
      p = on_joint - (half * kOffset) * Vec3d{-std::sin(joint), 0.0, std::cos(joint)};
    }
    if (tet_volume(stone.mesh.nodes[stone.mesh.tets[0][0]], stone.mesh.nodes[stone.mesh.tets[0][1]],
                   stone.mesh.nodes[stone.mesh.tets[0][2]], stone.mesh.nodes[stone.mesh.tets[0][3]]) < 0.0)
      for (Tet& t : stone.mesh.tets) std::swap(t[2], t[3]);
    stone.material = {MaterialKind::stable_neo_hookean, young, 0.2, 0.0, 0.01};
    stone.density = 2000.0;
    stone.friction = mu;
    stone.contact_thickness = kOffset;
    builder.add(stone);
  }
  builder.gravity({0.0, 0.0, -kGravity}).add(structure_floor(mu));
  return builder.build();
}

/// Cards of 0.1 x 0.06 m and 1 mm: two tents, a flat card over their tops, and a tent on it.
///
/// A card that leans by a and carries P on its upper edge needs mu >= (W / 2 + P) tan a / (W + P) at its
/// foot: 0.27 for a tent of its own at 28 degrees, 0.38 below (each lower card carries 3/4 of a card).
class CardHouse {
 public:
  explicit CardHouse(double mu, double lean_deg = 28.0, bool two_storeys = true) : mu_(mu) {
    const double lean = lean_deg * kPi / 180.0;
    sine_ = std::sin(lean);
    cosine_ = std::cos(lean);
    const double spread = kLength * sine_ + 0.5 * kThickness;  // foot to middle of a tent
    double floor = 0.0;
    if (two_storeys) {
      tent(-spread - kThickness, floor);
      tent(spread + kThickness, floor);
      floor = kLength * cosine_ + 1.5 * kThickness;
      flat(floor, 2.0 * spread + 0.06);
      floor += 0.5 * kThickness;
    }
    tent(0.0, floor);
    builder_.gravity({0.0, 0.0, -kGravity}).add(structure_floor(mu));
  }
  Model build() { return builder_.build(); }

 private:
  static constexpr double kLength = 0.1, kWidth = 0.06, kThickness = 1e-3;

  /// From a to b in x and z, kWidth along y.
  void card(const Vec3d& a, const Vec3d& b, int cells) {
    BodySpec body;
    body.name = "card " + std::to_string(count_++);
    Sheet& sheet = body.sheet.emplace();
    constexpr int kAcross = 2;
    for (int j = 0; j <= kAcross; ++j)
      for (int i = 0; i <= cells; ++i)
        sheet.mesh.points.push_back(a + (static_cast<double>(i) / cells) * (b - a) +
                                    Vec3d{0.0, kWidth * (static_cast<double>(j) / kAcross - 0.5), 0.0});
    for (Index j = 0; j < kAcross; ++j)
      for (Index i = 0; i < cells; ++i) {
        const Index p = j * (cells + 1) + i, q = p + 1, r = q + cells + 1, s = p + cells + 1;
        if ((i + j) % 2 == 0)
          sheet.mesh.triangles.insert(sheet.mesh.triangles.end(), {{p, q, r}, {p, r, s}});
        else
          sheet.mesh.triangles.insert(sheet.mesh.triangles.end(), {{p, q, s}, {q, r, s}});
      }
    sheet.thickness = kThickness;
    sheet.area_density = 0.5;
    body.material = {MaterialKind::arap, 1e9, 0.0, 0.0, 0.002};
    body.friction = mu_;
    builder_.add(body);
  }
  void tent(double x, double z) {
    const double foot = z + 0.5 * kThickness, gap = 0.5 * kThickness;
    for (const double side : {-1.0, 1.0})
      card({x + side * (gap + kLength * sine_), 0.0, foot}, {x + side * gap, 0.0, foot + kLength * cosine_},
           4);
  }
  void flat(double z, double length) { card({-0.5 * length, 0.0, z}, {0.5 * length, 0.0, z}, 6); }

  double mu_, sine_ = 0.0, cosine_ = 0.0;
  int count_ = 0;
  ModelBuilder builder_;
};

/// Farthest way [m] of a body's centre from its place at the start.
class Places {
 public:
  explicit Places(const Simulation& s) {
    for (std::size_t b = 0; b < s.model().body_count(); ++b) start_.push_back(centre(s, b, s.node_masses(b)));
  }
  double farthest(const Simulation& s) const {
    double most = 0.0;
    for (std::size_t b = 0; b < start_.size(); ++b)
      most = std::max(most, norm(centre(s, b, s.node_masses(b)) - start_[b]));
    return most;
  }

 private:
  std::vector<Vec3d> start_;
};

}  // namespace sinew::test
