// A soft block on a slope: it must stay above the friction angle and slide like a rigid one below it.
//
// What mu = 1 held in place is let go when mu is set: the block springs back and takes up speed v of the
// order of H rho g / sqrt(E rho), and then needs v / (1e-3 g sin a) to stop at 1.001 mu*. A block 0.15 m high
// at E = 1e5 Pa takes 6 s (10 mm/s, the same at a tenth of the step and of the tolerance); 0.075 m is chosen
// so that 4 s are enough for the exact motion, too.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/validation/contact_bodies.hpp"

namespace sinew::test {

/// The block lies along the slope, its long side downhill.
struct SlopeCase {
  double tangent = std::tan(kPi / 18.0);  ///< of the slope's angle
  double young = 1e6;                     ///< [Pa] at scale 1
  double time_step = 0.01;                ///< [s] at scale 1
  double scale = 1.0;  ///< of lengths; Young's modulus goes with it, all times with its square root
  SimulationSettings settings = {};  ///< but for the time step
};

/// 324 tetrahedra, 0.15 x 0.075 x 0.075 m at scale 1, settled for 3 s with the coefficient 1.
class SlopeRun {
 public:
  explicit SlopeRun(const SlopeCase& c)
      : case_(c), simulation_(model(c), settings(c)), mass_(simulation_.node_masses(0)) {
    fastest(3.0);
    settled_ = simulation_.save();
  }

  double critical() const { return case_.tangent; }  ///< mu*

  /// Fastest motion of the centre [m/s] in the 10 s that begin 4 s after mu is set.
  double stays(double mu) {
    begin(mu);
    fastest(4.0);
    return fastest(10.0);
  }
  /// Mean acceleration of the centre down the slope [m/s^2] from 2 s to 10 s after mu is set.
  double slides(double mu) {
    begin(mu);
    fastest(2.0);
    const double before = downhill_speed();
    fastest(8.0);
    return (downhill_speed() - before) / (8.0 * std::sqrt(case_.scale));
  }
  /// Fastest motion of the centre [m/s] in the last half second of `seconds` after mu is set; who is faster
  /// than a tenth of a metre per second before then is not waited for.
  double rests(double mu, double seconds) {
    begin(mu);
    const double runs = 0.1 * std::sqrt(case_.scale);
    if (const double speed = fastest(seconds - 0.5, runs); speed > runs) return speed;
    return fastest(0.5, runs);
  }
  long frames() const { return frames_; }
  double milliseconds() const { return milliseconds_; }  ///< of all frames
  /// g cos a (tan a - mu)
  double expected(double mu) const {
    return kGravity * std::cos(std::atan(case_.tangent)) * (case_.tangent - mu);
  }
  const Worst& worst() const { return worst_; }

 private:
  static Model model(const SlopeCase& c) {
    BodySpec body;
    body.name = "block";
    body.mesh = block(6, 3, 3, 0.025 * c.scale);
    body.transform.rotation = rotation_from_vector(Vec3d{0.0, std::atan(c.tangent), 0.0});
    body.material = {MaterialKind::stable_neo_hookean, c.young * c.scale, 0.3, 0.0,
                     0.01 * std::sqrt(c.scale)};
    body.friction = 1.0;
    ObstacleSpec slope;
    slope.name = "slope";
    slope.shape = HalfSpaceShape{};
    slope.pose.rotation = body.transform.rotation;
    slope.friction = 1.0;
    ModelBuilder builder;
    return builder.gravity({0.0, 0.0, -kGravity}).add(body).add(slope).build();
  }
  static SimulationSettings settings(const SlopeCase& c) {
    SimulationSettings s = c.settings;
    s.time_step = c.time_step * std::sqrt(c.scale);
    return s;
  }
  void begin(double mu) {
    simulation_.restore(settled_);
    set_pair_friction(simulation_, mu);
  }
  double fastest(double seconds, double enough = std::numeric_limits<double>::infinity()) {  // at scale 1
    double most = 0.0;
    const long frames = std::lround(seconds / case_.time_step);
    for (long n = 0; n < frames && most <= enough; ++n) {
      const StepStatistics& frame = simulation_.step();
      worst_.add(frame);
      milliseconds_ += frame.ms.frame;
      ++frames_;
      most = std::max(most, norm(centre_velocity(simulation_, 0, mass_)));
    }
    return most;
  }
  double downhill_speed() const {
    const double angle = std::atan(case_.tangent);
    return dot(centre_velocity(simulation_, 0, mass_), Vec3d{std::cos(angle), 0.0, -std::sin(angle)});
  }

  SlopeCase case_;
  Simulation simulation_;
  std::vector<double> mass_;
  Snapshot settled_;
  Worst worst_;
  long frames_ = 0;
  double milliseconds_ = 0.0;
};

}  // namespace sinew::test
