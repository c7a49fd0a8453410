#include "benchmarks/peer_study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/frame_series.hpp"
#include "benchmarks/peer_models.hpp"

namespace sinew::bench {

namespace {

constexpr double kAngle = kSlopeDegrees * std::numbers::pi / 180.0;
constexpr double kGravity = 9.81;             // [m/s^2]
constexpr double kHolds = 0.177;              // least mu of C that holds the block
constexpr double kStiff = 1e10;               // [Pa] C: a block that is as good as rigid
constexpr double kSettledFrom = 2.0;          // [s] C: when the block no longer quivers
constexpr double kLargestPenetration = 1e-3;  // [1] of the body's size

/// Lowest vertices of A5 then change by less than 1e-5 m with more.
SimulationSettings converged() {
  SimulationSettings settings;
  settings.iterations = 200;
  settings.tolerance = 1e-4;
  return settings;
}

SimulationSettings iterated(int iterations) {
  SimulationSettings settings;
  settings.iterations = iterations;
  return settings;
}

void add_bars(std::vector<PeerCase>& cases, const char* problem, Index cells) {
  const auto bar = [cells](MaterialKind kind) { return [cells, kind] { return pinned_bar(cells, kind); }; };
  const auto neo_hookean = bar(MaterialKind::neo_hookean), corotated = bar(MaterialKind::corotated);
  cases.push_back({problem, "converged", "IPC's law, iterated to its end", neo_hookean, converged()});
  cases.back().is_reference = true;
  cases.push_back({problem, "defaults", "IPC's law (Neo-Hookean), 5 iterations", neo_hookean, {}});
  cases.push_back({problem, "corotated", "linear corotated law, 5 iterations", corotated, {}});
  cases.push_back({problem, "iterations20", "IPC's law, 20 iterations", neo_hookean, iterated(20)});
}

void add_cloth(std::vector<PeerCase>& cases) {
  const auto cloth = [] { return pinned_cloth(100); };
  cases.push_back({"B", "converged", "Neo-Hookean, iterated to its end", cloth, converged()});
  cases.back().is_reference = true;
  cases.push_back({"B", "defaults", "Neo-Hookean, 5 iterations", cloth, {}});
  cases.push_back({"B", "iterations20", "Neo-Hookean, 20 iterations", cloth, iterated(20)});
}

void add_slopes(std::vector<PeerCase>& cases) {
  for (const double friction : {0.176, 0.177}) {
    const std::string mu = fmt::format("{:g}", friction);
    const auto add = [&](const std::string& setting, const char* what, double young,
                         SimulationSettings settings, double settling) {
      PeerCase c{"C", setting, what, [=] { return block_on_slope(friction, young); }, settings, 300};
      c.friction = friction;
      c.settling = settling;
      cases.push_back(std::move(c));
    };
    add(mu, "from rest and not yet deformed: it quivers while it starts", 1e6, {}, 0.0);
    add(mu + "/iterations200", "the same, 200 iterations", 1e6, iterated(200), 0.0);
    add(mu + "/stiff", "from rest, E = 1e10 Pa: as good as rigid", kStiff, {}, 0.0);
    add(mu + "/settled", "settled for 3 s at mu = 0.177 first", 1e6, {}, 3.0);
  }
}

void set_friction(Simulation& simulation, double friction) {
  simulation.set_body_friction(0, friction);
  for (std::size_t o = 0; o < simulation.model().obstacle_count(); ++o)
    simulation.set_obstacle_friction(o, friction);
}

void settle(Simulation& simulation, const PeerCase& c) {
  if (!(c.settling > 0.0)) return;
  set_friction(simulation, kHolds);
  for (long n = std::lround(c.settling / simulation.settings().time_step); n > 0; --n) simulation.step();
  set_friction(simulation, c.friction);
}

double downhill(const Vec3d& x) {
  return std::cos(kAngle) * x.x - std::sin(kAngle) * x.z;
}

void note(const Simulation& simulation, const PeerCase& c, long frame, PeerTrack& track) {
  if (c.problem == "C") track.slide.push_back(downhill(simulation.center_of_mass(0)));
  for (std::size_t i = 0; i < kCurveFrames.size(); ++i) {
    if (kCurveFrames[i] != frame) continue;
    track.positions[i] = simulation.positions(0);
    double lowest = track.positions[i].front().z;
    for (const Vec3d& x : track.positions[i]) lowest = std::min(lowest, x.z);
    track.lowest[i] = lowest;
  }
}

/// The run that nothing is measured of but where it goes; as warm as it makes the machine.
std::pair<FrameRun, PeerTrack> follow(const PeerCase& c, const Model& model, SimulationSettings settings) {
  settings.solver.cache = false;
  Simulation simulation(model, settings);
  FrameRun run;
  PeerTrack track;
  run.sizes = simulation.sizes();
  settle(simulation, c);
  note(simulation, c, 0, track);
  try {
    for (long frame = 1; frame <= c.frames; ++frame) {
      run.frames.push_back(simulation.step());
      run.ms.push_back(published_stages(run.frames.back().ms));
      note(simulation, c, frame, track);
    }
  } catch (const NumericalError& error) {
    run.failure = error.what();
  }
  const double start = track.slide.empty() ? 0.0 : track.slide.front();
  for (double& slide : track.slide) slide -= start;
  if (c.problem == "D")
    track.support = simulation.body_contact_wrench(0).force.z / (kGravity * model.body_mass(0));
  run.hash = fmt::format("{:016x}", simulation.state_hash());
  return {std::move(run), std::move(track)};
}

/// [m] RMS over the nodes and kCurveFrames.
double distance_between(const PeerTrack& a, const PeerTrack& b) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i) {
    for (std::size_t n = 0; n < a.positions[i].size(); ++n) {
      const Vec3d apart = a.positions[i][n] - b.positions[i][n];
      sum += dot(apart, apart);
      ++count;
    }
  }
  return std::sqrt(sum / static_cast<double>(count));
}

class RowWriter {
 public:
  RowWriter(const PeerCase& c, SuiteRow& row) : case_(c), row_(row) {}

  /// reference: null where nothing converged was measured.
  void add(const PeerTrack& track, const PeerTrack* reference) {
    if (case_.problem == "C") {
      add_slide(track);
    } else if (case_.problem == "D") {
      value("support", track.support);
    } else {
      for (std::size_t i = 0; i < kCurveFrames.size(); ++i)
        value(fmt::format("lowest_{}_m", kCurveFrames[i]), track.lowest[i]);
      if (case_.problem == "A5")
        add_curve(track, kIpcCurve, "lowest vertex from IPC's curve");
      else if (case_.problem == "A11" && reference)
        add_curve(track, reference->lowest, "lowest vertex from that of A11/converged");
      if (reference) value("distance_m", distance_between(track, *reference));
    }
    add_recorded();
  }

 private:
  void value(std::string name, double v) { row_.values.emplace_back(std::move(name), v); }

  void add_curve(const PeerTrack& track, const std::array<double, 4>& reference, const char* what) {
    const CurveError error = curve_error(track.lowest, reference);
    value("error_m", error.most);
    value("rms_error_m", error.rms);
    row_.labels.emplace_back("error", what);
  }

  void add_slide(const PeerTrack& track) {
    const double step = case_.settings.time_step;
    const double time = step * static_cast<double>(track.slide.size() - 1);
    const double pull = slope_pull(case_.friction), exact = 0.5 * pull * time * time;
    const std::size_t from =
        std::min(static_cast<std::size_t>(std::lround(kSettledFrom / step)), track.slide.size() - 1);
    value("friction", case_.friction);
    value("slide_m", track.slide.back());
    value("exact_slide_m", exact);
    value("late_pull_m_s2",
          fitted_acceleration({track.slide.begin() + static_cast<long>(from), track.slide.end()}, step));
    value("exact_pull_m_s2", pull);
    value("error_m", std::abs(track.slide.back() - exact));
    row_.labels.emplace_back("error", "slide in 3 s from that of a rigid block");
  }

  void add_recorded() {
    for (const RecordedPeer& peer : recorded_peers()) {
      const double slide = case_.problem != "C"      ? RecordedPeer::kNone
                           : case_.friction < kHolds ? peer.slide_176
                                                     : peer.slide_177;
      known(fmt::format("recorded_{}_ms", peer.name), peer.ms(case_.problem));
      known(fmt::format("recorded_{}_slide_m", peer.name), slide);
      if (case_.problem == "A5")
        known(fmt::format("recorded_{}_error_m", peer.name), curve_error(peer.lowest, kIpcCurve).most);
    }
  }
  void known(std::string name, double v) {
    if (!std::isnan(v)) value(std::move(name), v);
  }

  const PeerCase& case_;
  SuiteRow& row_;
};

double largest_side(const Model& model) {
  const std::vector<Vec3d>& points = model.body(0).nodes();
  Vec3d low = points.front(), high = low;
  for (const Vec3d& x : points) {
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

void time_repeats(const PeerCase& c, const Model& model, const PeerSettings& settings,
                  SimulationSettings solver, FrameSeries& series,
                  const std::function<void(const std::string&)>& progress) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  for (int r = 1; r <= settings.repeats && (r == 1 || spent() * (r + 1) / r < settings.seconds); ++r) {
    progress(fmt::format("{}: repeat {}", c.id(), r));
    series.add(run_frames(model, solver, c.frames, {}, [&](Simulation& simulation, long frame) {
      if (frame == 1) settle(simulation, c);
    }));
  }
}

}  // namespace

const std::vector<PeerCase>& peer_cases() {
  static const std::vector<PeerCase> all = [] {
    std::vector<PeerCase> cases;
    add_bars(cases, "A5", 40);
    add_bars(cases, "A11", 90);
    add_cloth(cases);
    add_slopes(cases);
    cases.push_back({"D", "defaults", "IPC's law, 5 iterations", [] { return ball_on_rollers(7057); }, {}});
    return cases;
  }();
  return all;
}

std::vector<SuiteRow> measure_problems(const std::vector<PeerCase>& cases, const PeerSettings& settings,
                                       const std::function<void(const std::string&)>& progress) {
  std::vector<SuiteRow> rows;
  std::map<std::string, PeerTrack> references;  // by problem
  for (const PeerCase& c : cases) {
    progress(c.id());
    const Model model = c.model();
    SimulationSettings solver = c.settings;
    solver.threads = settings.threads;
    solver.backend = settings.backend;
    auto [first, track] = follow(c, model, solver);
    FrameSeries series(first);
    if (c.is_reference)
      series.add(first);
    else
      time_repeats(c, model, settings, solver, series, progress);
    SuiteRow row;
    row.id = c.id();
    row.labels = {{"problem", c.problem}, {"setting", c.setting}, {"what", c.what}};
    series.fill(row);
    if (first.failure.empty()) {
      const auto reference = references.find(c.problem);
      RowWriter(c, row).add(track, reference == references.end() ? nullptr : &reference->second);
      const double depth = row.value("max_penetration_m"), size = largest_side(model);
      if (depth > kLargestPenetration * size) {
        row.valid = false;
        row.warnings.push_back(fmt::format("penetration of {:.1e} m is more than {:g} of the body's {:.2g} m",
                                           depth, kLargestPenetration, size));
      }
      if (c.is_reference) references.emplace(c.problem, std::move(track));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

double slope_pull(double friction) {
  return std::max(0.0, kGravity * (std::sin(kAngle) - friction * std::cos(kAngle)));
}

double fitted_acceleration(const std::vector<double>& values, double step) {
  // Projection on the quadratic polynomial that is orthogonal to lines on these points.
  const double middle = 0.5 * static_cast<double>(values.size() - 1);
  double spread = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    spread += x * x / static_cast<double>(values.size());
  }
  double product = 0.0, square = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle, p = x * x - spread;
    product += p * values[i];
    square += p * p;
  }
  return 2.0 * product / (square * step * step);
}

}  // namespace sinew::bench
