// Contact against closed forms: stopping distance, weight, load, and a belt on a drum.
#pragma once

#include <cmath>

#include "tests/validation/contact_bodies.hpp"

namespace sinew::test {

/// A flat block of 0.2 x 0.2 x 0.05 m, 2 kg, on a floor.
inline Simulation block_on_floor(double mu, double time_step = 0.01, const ForceSpec* force = nullptr) {
  BodySpec body;
  body.name = "block";
  body.mesh = block(8, 8, 2, 0.025);
  body.material = {MaterialKind::stable_neo_hookean, 1e6, 0.3, 0.0, 0.01};
  body.friction = mu;
  ObstacleSpec floor;
  floor.name = "floor";
  floor.shape = HalfSpaceShape{};
  floor.friction = mu;
  SimulationSettings settings;
  settings.time_step = time_step;
  ModelBuilder builder;
  builder.gravity({0.0, 0.0, -kGravity}).add(body).add(floor);
  if (force) builder.add(*force);
  return Simulation(builder.build(), settings);
}

inline void run(Simulation& s, double seconds) {
  const long frames = std::lround(seconds / s.settings().time_step);
  for (long n = 0; n < frames; ++n) s.step();
}

/// Way [m] that the centre of the settled block slides from a speed along x until it rests.
inline double stopping_distance(double speed, double mu, double time_step) {
  Simulation s = block_on_floor(mu, time_step);
  run(s, 1.0);
  std::vector<Vec3d> v = s.velocities(0);
  for (Vec3d& each : v) each.x += speed;
  s.set_state(0, s.positions(0), v);
  const std::vector<double> mass = s.node_masses(0);
  const double before = centre(s, 0, mass).x;
  run(s, speed / (mu * kGravity) + 1.0);
  return centre(s, 0, mass).x - before;
}

/// What is left of v^2 / (2 mu g) after implicit Euler: the speed falls by mu g h before each step.
inline double expected_distance(double speed, double mu, double time_step) {
  return speed * speed / (2.0 * mu * kGravity) - 0.5 * speed * time_step;
}

/// A block that comes to a stop on a plank that is free to slide along: both end at one speed.
struct RideResult {
  double way = 0.0;           ///< [m] of the block along the plank
  double block_speed = 0.0;   ///< [m/s] at the end
  double plank_speed = 0.0;   ///< [m/s]
  double expected_way = 0.0;  ///< [m] implicit Euler's
  double expected_speed = 0.0;
};

inline RideResult ride(double speed, double mu, double time_step) {
  BodySpec plank, top;
  plank.name = "plank";
  plank.mesh = block(12, 3, 1, 0.1);
  for (Vec3d& p : plank.mesh.nodes) p.z *= 0.5;
  plank.density = 500.0;
  plank.material = {MaterialKind::stable_neo_hookean, 1e7, 0.3, 0.0, 0.01};
  plank.contact_thickness = 1e-4;
  top.name = "block";
  top.mesh = block(4, 4, 2, 0.05);
  top.transform.translation = {0.1, 0.05, 0.05 + 2e-4};
  top.material = {MaterialKind::stable_neo_hookean, 1e6, 0.3, 0.0, 0.01};
  top.contact_thickness = 1e-4;
  ObstacleSpec floor;
  floor.name = "floor";
  floor.shape = HalfSpaceShape{};
  SimulationSettings settings;
  settings.time_step = time_step;
  ModelBuilder builder;
  builder.gravity({0.0, 0.0, -kGravity}).add(plank).add(top).add(floor);
  builder.add(FrictionPair{"plank", "block", mu}).add(FrictionPair{"plank", "floor", 0.0});
  Simulation s(builder.build(), settings);
  run(s, 0.5);
  std::vector<Vec3d> v = s.velocities(1);
  for (Vec3d& each : v) each.x += speed;
  s.set_state(1, s.positions(1), v);
  const std::vector<double> m0 = s.node_masses(0), m1 = s.node_masses(1);
  const double before = centre(s, 1, m1).x - centre(s, 0, m0).x;
  run(s, speed / (mu * kGravity) + 0.3);
  RideResult r;
  const double light = s.model().body_mass(1), heavy = s.model().body_mass(0);
  r.way = centre(s, 1, m1).x - centre(s, 0, m0).x - before;
  r.block_speed = centre_velocity(s, 1, m1).x;
  r.plank_speed = centre_velocity(s, 0, m0).x;
  r.expected_speed = speed * light / (light + heavy);
  r.expected_way = expected_distance(speed, mu * (1.0 + light / heavy), time_step);
  return r;
}

/// A belt over a drum of 0.1 m radius, both ends hanging straight down for 0.1 m, no weight. One end carries
/// a load, the other is drawn down slowly by its pin.
struct BeltResult {
  double load = 0.0, pull = 0.0;  ///< [N] at the two ends
  double change = 0.0;            ///< [1] of the pull over the last fifth of the time
};

/// cells over the half circle; wrap [rad]: pi hangs both ends down, less lets them leave along the tangents.
inline BeltResult belt(double mu, double wrap, Index cells) {
  constexpr double kRadius = 0.1, kStraight = 0.1, kWidth = 0.02, kThickness = 1e-4, kLoad = 1.0;
  const double radius = kRadius + 0.5 * kThickness;  // middle plane of the sheet
  const double ds = kPi * radius / cells;
  const Index straight = static_cast<Index>(std::ceil(kStraight / ds));
  const Index around = static_cast<Index>(std::lround(wrap / kPi * cells));
  const Index columns = around + 2 * straight + 1;
  BodySpec body;
  body.name = "belt";
  Sheet& sheet = body.sheet.emplace();
  for (int row = 0; row < 3; ++row) {
    for (Index i = 0; i < columns; ++i) {
      const double s = (i - 0.5 * (columns - 1)) * ds;  // from the top
      const double angle = std::min(0.5 * wrap, std::max(-0.5 * wrap, s / radius));
      const double rest = s - angle * radius;  // along the tangent
      const Vec3d out{std::sin(angle), 0.0, std::cos(angle)}, along{std::cos(angle), 0.0, -std::sin(angle)};
      sheet.mesh.points.push_back(radius * out + rest * along + Vec3d{0.0, 0.5 * kWidth * (row - 1), 0.0});
    }
  }
  for (int row = 0; row < 2; ++row)
    for (Index i = 0; i + 1 < columns; ++i) {
      const Index a = row * columns + i, b = a + 1, c = b + columns, d = a + columns;
      if (row == 0)
        sheet.mesh.triangles.insert(sheet.mesh.triangles.end(), {{a, b, c}, {a, c, d}});
      else
        sheet.mesh.triangles.insert(sheet.mesh.triangles.end(), {{a, b, d}, {b, c, d}});
    }
  sheet.thickness = kThickness;
  sheet.area_density = 0.2;
  sheet.bending.model = BendingModel::none;
  body.material = {MaterialKind::arap, 1e8, 0.0, 1.0, 0.01};  // E A = 200 N
  body.friction = mu;
  const auto end_region = [&](Index column) {
    Region region;
    region.shape = Region::Nodes{{column, column + columns, column + 2 * columns}};
    return region;
  };
  const Vec3d left = sheet.mesh.points[1] - sheet.mesh.points[2];
  const Vec3d right = sheet.mesh.points[columns - 1] - sheet.mesh.points[columns - 2];
  ForceSpec load;
  load.name = "load";
  load.body = "belt";
  load.region = end_region(0);
  load.force = {{0.0}, {(kLoad / norm(left)) * left}};
  PinSpec pin;
  pin.name = "pull";
  pin.body = "belt";
  pin.region = end_region(columns - 1);
  pin.motion.velocity = (0.01 / norm(right)) * right;
  ObstacleSpec drum;
  drum.name = "drum";
  drum.shape = CylinderShape{kRadius, 0.1};
  drum.pose.rotation = rotation_from_vector(Vec3d{0.5 * kPi, 0.0, 0.0});
  drum.friction = mu;
  SimulationSettings settings;
  settings.iterations = 10;
  ModelBuilder builder;
  Simulation s(builder.gravity({}).add(body).add(load).add(pin).add(drum).build(), settings);
  BeltResult result;
  result.load = kLoad;
  run(s, 0.8);
  const double before = norm(s.pin_reaction(0).force);
  run(s, 0.2);
  result.pull = norm(s.pin_reaction(0).force);
  result.change = result.pull / before - 1.0;
  return result;
}

}  // namespace sinew::test
