// A model with its collision scene, and positions to move about.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <sinew/model.hpp>

#include "engine/collision/collision_scene.hpp"
#include "engine/state/state.hpp"

namespace sinew::test {

struct Rig {
  explicit Rig(Model built) : model(std::move(built)) {
    const ModelData& data = model.data();
    for (const BodyData& body : data.bodies) {
      std::vector<char> pinned(body.rest_position.size(), 0);
      bodies.push_back(precompute_body(body, pinned, 0.01, SolverSettings{}, 1e9));
      std::vector<Vec3d> x(body.start_position.size());
      for (std::size_t i = 0; i < x.size(); ++i) x[bodies.back()->to_internal[i]] = body.start_position[i];
      start.push_back(x);
      friction.body.push_back(body.spec.friction);
    }
    end = start;
    for (const ObstacleSpec& spec : data.obstacles) {
      obstacles.push_back({&spec, spec.pose, spec.pose});
      friction.obstacle.push_back(spec.friction);
    }
    scene = std::make_unique<CollisionScene>(data, bodies);
  }

  /// Moves a body's nodes: move(position) for each.
  void move(std::vector<std::vector<Vec3d>>& at, std::size_t body,
            const std::function<Vec3d(const Vec3d&)>& f) {
    for (Vec3d& x : at[body]) x = f(x);
  }
  void shift(std::vector<std::vector<Vec3d>>& at, std::size_t body, const Vec3d& by) {
    move(at, body, [&](const Vec3d& x) { return x + by; });
  }
  static std::vector<const Vec3d*> pointers(const std::vector<std::vector<Vec3d>>& at) {
    std::vector<const Vec3d*> p;
    for (const auto& x : at) p.push_back(x.data());
    return p;
  }
  CollisionFrame frame() const {
    CollisionFrame f;
    f.start = pointers(start);
    f.end = pointers(end);
    f.obstacles = &obstacles;
    f.margin = margin;
    f.max_depenetration = max_depenetration;
    f.friction = &friction;
    f.carried = &carried;
    return f;
  }
  std::vector<Contact> detect() {
    std::vector<Contact> contacts;
    scene->detect(frame(), contacts);
    return contacts;
  }
  /// x of a contact at start or end [m].
  Vec3d x(const Contact& c, const std::vector<std::vector<Vec3d>>& at) const {
    return weighted_point(c, c.count, [&](Index b) { return at[b].data(); });
  }
  double gap(const Contact& c, const std::vector<std::vector<Vec3d>>& at) const {
    return dot(c.frame.n, c.displacement(x(c, at)));
  }
  double crossings() const {
    return static_cast<double>(scene->count_intersections(pointers(end), obstacles));
  }
  double depth() const { return scene->deepest_penetration(pointers(end), obstacles); }

  Model model;
  std::vector<std::shared_ptr<BodyPrecomputed>> bodies;
  std::vector<std::vector<Vec3d>> start, end;  ///< internal order
  std::vector<ObstacleFrame> obstacles;
  FrictionTable friction;
  std::vector<CarriedForce> carried;
  std::unique_ptr<CollisionScene> scene;
  double margin = 1e-3, max_depenetration = 1e-2;
};

/// Weights of a sound contact: sums to 1 against an obstacle, to 0 between surfaces; unit normal, finite.
inline bool sound(const Contact& c) {
  double sum = 0.0;
  for (Index k = 0; k < c.count; ++k) sum += c.term[k].weight;
  return std::abs(sum - (c.key.other_body < 0 ? 1.0 : 0.0)) < 1e-9 &&
         std::abs(norm(c.frame.n) - 1.0) < 1e-9 && is_finite(c.plane_point) && is_finite(c.start) &&
         c.gap_offset <= 0.0;
}

}  // namespace sinew::test
