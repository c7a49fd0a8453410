#include "benchmarks/table3_study.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <sinew/errors.hpp>
#include <sinew/scene.hpp>

#include "benchmarks/frame_error.hpp"
#include "engine/model/model_data.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kPublishedIterations = 5, kPublishedKrylov = 10;
constexpr double kLargestPenetration = 1e-3;  // [1] of the size of the first body
constexpr int kAloneIterations = 3000, kContactIterations = 100;
constexpr double kReferenceTolerance = 1e-9;
constexpr double kFiner = 0.05;  // [1] residual of a reference by that of the frame it judges

void use_published(SimulationSettings& settings) {
  settings.history = 0;
  settings.solver.global = GlobalSolver::sparse_inverse;
  settings.contact.solver = ContactSolver::nsn;
  settings.contact.nsn.form = NewtonForm::published;
  settings.contact.nsn.steps = 1;
  settings.contact.nsn.krylov_iterations = kPublishedKrylov;
  settings.contact.delassus = DelassusWay::gram;
}

void use_method(SimulationSettings& settings) {
  settings.contact.solver = ContactSolver::nsn;
  settings.contact.nsn.steps = 1;
  settings.contact.nsn.krylov_iterations = kPublishedKrylov;
}

/// Largest side of the box around the first body at time 0 [m].
double size_of(const Model& model) {
  const std::vector<Vec3d>& points = model.data().bodies[0].start_position;
  Vec3d low = points.front(), high = low;
  for (const Vec3d& x : points) {
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

bool is_alone(const Model& model) {
  const ModelData& data = model.data();
  return data.bodies.size() == 1 && data.obstacles.empty() && data.handles.empty();
}

double larger(double known, double value) {  // NaN: nothing known yet
  return std::isnan(known) ? value : std::max(known, value);
}

SuiteRow head_of(const Table3Row& row, const Table3Column& column, const SimulationSettings& settings) {
  SuiteRow result;
  result.id = row.id() + "/" + column.name;
  std::string overrides;
  for (const std::string& s : row.settings) overrides += (overrides.empty() ? "" : " ") + s;
  result.labels = {{"example", row.example},
                   {"vertices_k", fmt::format("{:.1f}", row.vertices_k)},
                   {"column", column.name},
                   {"scene", row.scene},
                   {"settings", overrides}};
  result.values = {{"published_vertices", 1000.0 * row.vertices_k},
                   {"published_elements", 1000.0 * row.elements_k},
                   {"time_step_s", settings.time_step}};
  return result;
}

void add_published(const Table3Row& row, SuiteRow& result) {
  const auto value = [&](const char* name, double v) {
    if (!std::isnan(v)) result.values.emplace_back(name, v);
  };
  value("published_worst_ms", row.published_value("frame_max_ms"));
  value("ratio", result.value("worst_ms") / row.published_value("frame_max_ms"));
  value("published_bytes", 1e6 * row.published_value("S_MB"));
  value("published_constraints", 1000.0 * row.published_value("contacts_k"));
  for (const char* stage : {"delassus", "local", "global", "assemble", "contact_solve", "correct"})
    value(fmt::format("published_{}_ms", stage).c_str(), row.published_value(stage));
}

void judge(const Model& model, SuiteRow& result) {
  const double size = size_of(model), penetration = result.value("max_penetration_m");
  result.values.emplace_back("size_m", size);
  if (!(penetration > kLargestPenetration * size)) return;
  result.valid = false;
  result.warnings.push_back(fmt::format("penetration of {:.1e} m is more than {:g} of the body's {:.2g} m",
                                        penetration, kLargestPenetration, size));
}

}  // namespace

const std::vector<Table3Column>& table3_columns() {
  static const std::vector<Table3Column> columns = {
      {"published",
       "no history of steps, S = L^-1 as a whole, one step of non-smooth Newton in the published form with "
       "10 "
       "iterations of conjugate residual, operator formed anew in every frame",
       use_published},
      {"method",
       "our global step and start, non-smooth Newton with 10 iterations of conjugate residual a step",
       use_method},
      {"defaults", "the engine's own choice", [](SimulationSettings&) {}},
  };
  return columns;
}

FrameCheck::FrameCheck(const Model& model, SimulationSettings settings, long frames)
    : reference_(model,
                 [&] {
                   settings.iterations = is_alone(model) ? kAloneIterations : kContactIterations;
                   settings.tolerance = kReferenceTolerance;
                   return settings;
                 }()),
      frames_(frames),
      alone_(is_alone(model)),
      start_(model.body_count()),
      velocity_(model.body_count()),
      frame_error_(kUnknown),
      energy_error_(kUnknown) {}

bool FrameCheck::looks_at(long frame) const {
  const auto is_part = [&](long part) { return frame == std::max(1L, part * frames_ / 4); };
  return is_part(2) || (alone_ && (is_part(1) || is_part(3)));
}

void FrameCheck::before(Simulation& simulation, long frame) {
  if (waiting_) compare(simulation);
  waiting_ = looks_at(frame) && frame < frames_;
  if (!waiting_) return;
  for (std::size_t b = 0; b < start_.size(); ++b) {
    start_[b] = simulation.positions(b);
    velocity_[b] = simulation.velocities(b);
  }
  reference_.continue_from(simulation);
  reference_.step();
}

void FrameCheck::compare(const Simulation& simulation) {
  if (!(reference_.statistics().residual < kFiner * simulation.statistics().residual)) return;
  for (std::size_t b = 0; b < start_.size(); ++b) {
    const std::vector<Vec3d> ours = simulation.positions(b), exact = reference_.positions(b);
    double distance = 0.0;
    for (std::size_t i = 0; i < ours.size(); ++i) distance = std::max(distance, norm(ours[i] - exact[i]));
    frame_error_ = larger(frame_error_, distance);
  }
  const bool touches = reference_.statistics().contacts > 0 || simulation.statistics().contacts > 0;
  if (!alone_ || touches || !(reference_.statistics().residual < kSolved)) return;
  Executor(simulation.settings().threads).run([&] {
    FrameError error(simulation.model(), simulation.settings().time_step);
    error.set_solved_frame(start_[0], velocity_[0], reference_.positions(0));
    energy_error_ = larger(energy_error_, error.error(simulation.positions(0)));
  });
}

std::vector<SuiteRow> measure_row(const Table3Row& row, const Table3Settings& settings,
                                  const std::function<void(const std::string&)>& progress) {
  const Scene scene = load_scene(row.file(settings.source), row.settings);
  const long frames = settings.most_frames > 0 ? std::min(settings.most_frames, row.frames) : row.frames;
  SimulationSettings base = scene.settings;
  base.iterations = kPublishedIterations;
  base.threads = settings.threads;
  base.backend = settings.backend;

  struct Column {
    SimulationSettings settings;
    SuiteRow row;
    std::vector<FrameSeries> series;  // one, once the warm-up has run
  };
  std::vector<Column> columns;
  for (const Table3Column& column : settings.columns) {
    progress(fmt::format("{}/{}: first run, with looks at single frames", row.id(), column.name));
    Column c{base, head_of(row, column, base), {}};
    column.apply(c.settings);
    FrameCheck check(scene.model, base, frames);
    const bool fixed_work =
        c.settings.contact.solver == ContactSolver::nsn && c.settings.contact.nsn.steps > 0;
    c.series.emplace_back(
        run_frames(scene.model, c.settings, frames, settings.slowed,
                   [&](Simulation& simulation, long frame) { check.before(simulation, frame); }),
        fixed_work);
    c.row.warnings = scene.warnings;
    c.row.values.emplace_back("frame_error_m", check.frame_error_m());
    c.row.values.emplace_back("energy_error", check.energy_error());
    columns.push_back(std::move(c));
  }

  // In turns, so that all columns meet the same machine.
  for (int repeat = 1; repeat <= settings.repeats; ++repeat) {
    for (Column& c : columns) {
      FrameSeries& series = c.series.front();
      if (repeat > 1 && series.seconds_left_of(settings.seconds) < 0.0) continue;
      if (repeat == 1 && series.first_seconds() > settings.seconds) {
        series.count_first();
        continue;
      }
      progress(fmt::format("{}: repeat {} of {} at most", c.row.id, repeat, settings.repeats));
      series.add(run_frames(scene.model, c.settings, frames, settings.slowed));
    }
  }

  std::vector<SuiteRow> rows;
  for (Column& c : columns) {
    c.series.front().fill(c.row);
    add_published(row, c.row);
    judge(scene.model, c.row);
    rows.push_back(std::move(c.row));
  }
  return rows;
}

}  // namespace sinew::bench
