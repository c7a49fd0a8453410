// The peers' problems measured: settings, repeats, and how far a result is from what is known to be right.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <sinew/simulation.hpp>

#include "benchmarks/recorded_peers.hpp"
#include "benchmarks/suite_result.hpp"

namespace sinew::bench {

/// One problem in one setting.
struct PeerCase {
  std::string problem;  ///< "A5", "A11", "B", "C", "D"
  std::string setting;  ///< "defaults", "0.176/settled"; the row's id is problem/setting
  std::string what;     ///< one line for readers
  std::function<Model()> model;
  SimulationSettings settings;
  long frames = 100;
  double friction = 0.0;      ///< C only
  double settling = 0.0;      ///< [s] C only: with a coefficient that holds it, before frame 1
  bool is_reference = false;  ///< iterated to its end; others of the problem are compared with it; timed once

  std::string id() const { return problem + "/" + setting; }
};
/// All, references before what is compared with them.
const std::vector<PeerCase>& peer_cases();

/// Where a run was, frame by frame.
struct PeerTrack {
  std::array<double, 4> lowest{};               ///< [m] z of the lowest node at kCurveFrames
  std::array<std::vector<Vec3d>, 4> positions;  ///< [m] at kCurveFrames
  std::vector<double> slide;  ///< [m] C: of the centre of mass down the slope, from frame 0 on
  double support = 0.0;       ///< [1] D: force of the rollers at the end over the weight
};

struct PeerSettings {
  int repeats = 5;      ///< most timed repeats, at least one
  double seconds = 10;  ///< [s] of timed repeats per row, after which no further one begins
  int threads = 0;
  Backend backend = Backend::cpu;
};

/// Measures the cases in their order. progress: a line on what is at work.
std::vector<SuiteRow> measure_problems(const std::vector<PeerCase>& cases, const PeerSettings& settings,
                                       const std::function<void(const std::string&)>& progress);

/// Acceleration [m/s^2] of a block that slides on the slope; 0 where friction holds it.
double slope_pull(double friction);
/// Twice the leading coefficient of the parabola that fits values at times 0, step, 2 step ... best.
double fitted_acceleration(const std::vector<double>& values, double step);

}  // namespace sinew::bench
