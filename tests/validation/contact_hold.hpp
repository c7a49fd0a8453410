// Bodies that only friction keeps from falling.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/validation/contact_bodies.hpp"

namespace sinew::test {

/// Worst motion while a body should hold.
struct Hold {
  double fastest = 0.0;  ///< [m/s] of the centre
  double creep = 0.0;    ///< [m/s] of points inside their cone
  double fallen = 0.0;   ///< [m] of the centre
};

inline Hold watch(Simulation& s, double seconds) {
  const std::vector<double> mass = s.node_masses(0);
  const double before = centre(s, 0, mass).z;
  Hold hold;
  const long frames = std::lround(seconds / s.settings().time_step);
  for (long n = 0; n < frames; ++n) {
    hold.creep = std::max(hold.creep, s.step().max_creep_m_s);
    hold.fastest = std::max(hold.fastest, norm(centre_velocity(s, 0, mass)));
  }
  hold.fallen = before - centre(s, 0, mass).z;
  return hold;
}

/// A block of 1 kg, 0.05 x 0.1 x 0.2 m, pressed to a wall on its -x side. The force acts on all nodes in
/// proportion to their mass, so through the centre. Weight and friction turn the block by m g 0.025 m, which
/// an uneven pressure takes up: its centre lies at most 0.025 m / mu below the middle of the 0.2 m high face.
inline Simulation pressed_block(double force, double mu) {
  BodySpec body;
  body.name = "block";
  body.mesh = block(2, 4, 8, 0.025);
  body.transform.translation = {0.0, -0.05, 1.0};
  body.material = {MaterialKind::stable_neo_hookean, 1e6, 0.3, 0.0, 0.01};
  body.friction = mu;
  ObstacleSpec wall;
  wall.name = "wall";
  wall.shape = HalfSpaceShape{};
  wall.pose.rotation =
      rotation_from_vector(Vec3d{0.0, 0.5 * kPi, 0.0});  // solid below z becomes solid behind x
  wall.friction = mu;
  ForceSpec press;
  press.name = "press";
  press.body = "block";
  press.force = {{0.0}, {{-force, 0.0, 0.0}}};
  ModelBuilder builder;
  return Simulation(builder.gravity({0.0, 0.0, -kGravity}).add(body).add(wall).add(press).build());
}

/// A soft cube of 1 kg and 0.1 m between two plates that close by 2 x squeeze in 1 s and then stand still.
///
/// Obstacles follow paths, so the force is an outcome. Plates that stand and a coefficient that is chosen by
/// the force measured make a well-posed case: n times the least force means 2 mu N = n m g. N falls a little
/// with mu, as the faces may spread more, so mu is led down in stages.
class PinchedCube {
 public:
  explicit PinchedCube(double squeeze = 1e-3) : simulation_(model(squeeze)) {
    watch(simulation_, 3.0);
    for (const double n : {3.0, 2.0, 1.5, 1.3, 1.2, 1.1}) {
      set_margin(n);
      watch(simulation_, 0.5);
    }
  }
  /// Sets the coefficient at which the force is n times the least one.
  void set_margin(double n) {
    set_pair_friction(simulation_,
                      n * weight() / (normal_force(simulation_, 0) + normal_force(simulation_, 1)));
    friction_ = n * weight() / (normal_force(simulation_, 0) + normal_force(simulation_, 1));
  }
  /// The force now over the least one.
  double margin() const {
    return friction_ * (normal_force(simulation_, 0) + normal_force(simulation_, 1)) / weight();
  }
  double friction() const { return friction_; }
  double weight() const { return kGravity * simulation_.model().body_mass(0); }
  Simulation& simulation() { return simulation_; }

 private:
  static Model model(double squeeze) {
    BodySpec body;
    body.name = "cube";
    body.mesh = block(4, 4, 4, 0.025);
    body.transform.translation = {-0.05, -0.05, 1.0};
    body.material = {MaterialKind::stable_neo_hookean, 1e5, 0.3, 0.0, 0.01};
    body.friction = 1.0;
    ModelBuilder builder;
    builder.gravity({0.0, 0.0, -kGravity}).add(body);
    for (const double side : {-1.0, 1.0}) {
      ObstacleSpec plate;
      plate.name = side < 0.0 ? "left" : "right";
      plate.shape = BoxShape{{0.02, 0.2, 0.5}};
      plate.pose.translation = {0.07 * side, 0.0, 1.05};
      // Closes within the first frame enough to carry, so that the cube does not drop away.
      plate.motion.keyframes = {{0.0, {}, {}},
                                {0.01, {-0.5 * squeeze * side, 0.0, 0.0}, {}},
                                {1.0, {-squeeze * side, 0.0, 0.0}, {}}};
      plate.friction = 1.0;
      builder.add(plate);
    }
    return builder.build();
  }

  Simulation simulation_;
  double friction_ = 1.0;
};

}  // namespace sinew::test
