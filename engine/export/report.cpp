// The report's keys are a contract: keys may be added, meanings never change.
#include <sinew/report.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <sinew/version.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/common/solver_names.hpp"
#include "engine/export/json_writer.hpp"

namespace sinew {

namespace {
struct Stage {
  std::string_view name;
  double StageTimes::*ms;
};
constexpr Stage kStages[] = {
    {"detect", &StageTimes::detect},   {"delassus", &StageTimes::delassus}, {"local", &StageTimes::local},
    {"rhs", &StageTimes::rhs},         {"free", &StageTimes::free},         {"contact", &StageTimes::contact},
    {"correct", &StageTimes::correct}, {"finish", &StageTimes::finish},     {"frame", &StageTimes::frame}};

// p in [0, 1]; sorted ascending, not empty.
double percentile(const std::vector<double>& sorted, double p) {
  const double rank = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Worst of the run; a value that is not a number wins, so that it cannot hide.
template <class Get>
double worst(const std::vector<StepStatistics>& frames, Get get) {
  double result = 0.0;
  for (const StepStatistics& frame : frames) {
    const double value = get(frame);
    if (std::isnan(value)) return value;
    result = std::max(result, value);
  }
  return result;
}

template <class Get>
double mean(const std::vector<StepStatistics>& frames, Get get) {
  double sum = 0.0;
  for (const StepStatistics& frame : frames) sum += static_cast<double>(get(frame));
  return frames.empty() ? 0.0 : sum / static_cast<double>(frames.size());
}

double total_frame_ms(const std::vector<StepStatistics>& frames) {
  double sum = 0.0;
  for (const StepStatistics& frame : frames) sum += frame.ms.frame;
  return sum;
}

std::string hash_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

void write_energy(JsonWriter& json, std::string_view key, const Energy& energy) {
  json.begin_object(key);
  json.number("kinetic", energy.kinetic);
  json.number("elastic", energy.elastic);
  json.number("gravity", energy.gravity);
  json.end_object();
}

void write_body(JsonWriter& json, const BodySummary& body) {
  json.begin_object();
  json.text("name", body.name);
  json.vector("centre_m", body.centre);
  json.vector("velocity_m_s", body.velocity);
  json.begin_object("bbox_m");
  json.vector("min", body.box_min);
  json.vector("max", body.box_max);
  json.end_object();
  json.number("volume_m3", body.volume);
  json.number("rest_volume_m3", body.rest_volume);
  if (body.rest_area > 0.0) {
    json.number("area_m2", body.area);
    json.number("rest_area_m2", body.rest_area);
  }
  json.number("shape_deviation", body.shape_deviation);
  json.end_object();
}

void write_wrench(JsonWriter& json, const std::string& name, const Wrench& wrench, const Vec3d* origin) {
  json.begin_object();
  json.text("name", name);
  if (origin) json.vector("origin_m", *origin);
  json.vector("force_N", wrench.force);
  json.vector("torque_Nm", wrench.torque);
  json.end_object();
}

std::string_view name_of(ContactState state) {
  return state == ContactState::open ? "open" : state == ContactState::stick ? "stick" : "slip";
}

/// Every contact that presses in the last frame.
void write_contacts(JsonWriter& json, const Simulation& simulation) {
  const Model& model = simulation.model();
  json.begin_array("contact_forces");
  for (const ContactForce& c : simulation.contact_forces()) {
    if (c.state == ContactState::open) continue;
    json.begin_object();
    json.text("body", model.body(c.body).name);
    if (c.other_body >= 0) json.text("other_body", model.body(c.other_body).name);
    if (c.obstacle >= 0) json.text("obstacle", model.obstacle(c.obstacle).name);
    if (c.surface_point >= 0) json.integer("surface_point", c.surface_point);
    json.vector("position_m", c.position);
    json.vector("normal", c.normal);
    json.number("gap_m", c.gap);
    json.number("normal_force_N", c.normal_force);
    json.vector("tangential_force_N", c.tangential_force);
    json.number("friction", c.friction);
    json.text("state", name_of(c.state));
    json.end_object();
  }
  json.end_array();
}

/// Bodies that touch in the last frame: what the second does to the first, about the first's centre of mass.
void write_pairs(JsonWriter& json, const Simulation& simulation) {
  std::set<std::pair<Index, Index>> pairs;
  for (const ContactForce& c : simulation.contact_forces())
    if (c.other_body >= 0 && c.other_body != c.body && c.state != ContactState::open)
      pairs.insert(std::minmax(c.body, c.other_body));
  json.begin_array("body_pairs");
  for (const auto& [a, b] : pairs) {
    const Vec3d about = summarize_body(simulation, a).centre;
    const Wrench wrench = simulation.pair_wrench(a, b, about);
    json.begin_object();
    json.text("on", simulation.model().body(a).name);
    json.text("by", simulation.model().body(b).name);
    json.vector("origin_m", about);
    json.vector("force_N", wrench.force);
    json.vector("torque_Nm", wrench.torque);
    json.end_object();
  }
  json.end_array();
}

void write_setup(JsonWriter& json, const RunReport::Settings& settings, const Simulation& simulation) {
  json.text("version", version_string());
  json.begin_object("machine");
  json.text("cpu", settings.machine.cpu);
  json.integer("cores", settings.machine.cores);
  json.number("memory_bytes", settings.machine.memory_bytes);
  json.text("compiler", settings.machine.compiler);
  json.text("system", settings.machine.system);
  json.end_object();
  json.text("backend", settings.backend);
  json.integer("threads", settings.threads);
  json.text("scene", settings.scene_name);
  json.text("scene_file", settings.scene_file);

  const SimulationSettings& run = simulation.settings();
  json.begin_object("settings");
  json.number("time_step_s", run.time_step);
  json.integer("iterations", run.iterations);
  json.number("tolerance", run.tolerance);
  json.integer("history", run.history);
  json.number("budget_ms", run.budget_ms);
  json.boolean("contact", run.contact.enabled);
  json.integer("contact_max_sweeps", run.contact.max_sweeps);
  json.number("contact_tolerance_m",
              run.contact.tolerance > 0.0 ? run.contact.tolerance : ContactSettings::kCreep * run.time_step);
  json.begin_object("solver");
  json.text("scheme", to_string(run.solver.scheme));
  json.text("global", to_string(run.solver.global));
  json.integer("stages", run.solver.stages);
  json.text("precision", to_string(run.solver.precision));
  json.integer("refinement_steps", run.solver.refinement_steps);
  json.text("factor", to_string(run.solver.factor));
  json.end_object();
  json.end_object();

  const ModelSizes& sizes = simulation.sizes();
  json.begin_object("sizes");
  json.integer("bodies", static_cast<long long>(simulation.model().body_count()));
  json.integer("vertices", static_cast<long long>(sizes.vertices));
  json.integer("elements", static_cast<long long>(sizes.elements));
  json.integer("surface_vertices", static_cast<long long>(sizes.surface_vertices));
  json.integer("nnz_L", static_cast<long long>(sizes.nnz_l));
  json.integer("nnz_inverse", static_cast<long long>(sizes.nnz_inverse));
  json.integer("stages", sizes.stages);
  json.integer("distinct_bodies", static_cast<long long>(sizes.distinct_bodies));
  json.end_object();
  json.begin_object("precompute");
  json.number("ms", sizes.precompute_ms);
  json.integer("bytes", static_cast<long long>(sizes.precompute_bytes));
  json.integer("from_cache", static_cast<long long>(sizes.from_cache));
  json.end_object();
}

void write_frame(JsonWriter& json, const StepStatistics& frame) {
  json.integer("frame", frame.frame);
  json.number("time_s", frame.time);
  json.begin_object("ms");
  for (const Stage& stage : kStages) json.number(stage.name, frame.ms.*stage.ms);
  json.end_object();
  json.integer("contacts", static_cast<long long>(frame.contacts));
  json.integer("active_contacts", static_cast<long long>(frame.active_contacts));
  json.integer("compliance_columns", static_cast<long long>(frame.compliance_columns));
  json.integer("iterations", frame.iterations);
  json.boolean("cut", frame.cut);
  json.integer("line_search_steps", frame.line_search_steps);
  json.integer("contact_sweeps", frame.contact_sweeps);
  json.integer("contact_steps", frame.contact_steps);
  json.integer("contact_products", frame.contact_products);
  json.boolean("contact_converged", frame.contact_converged);
  json.number("residual", frame.residual);
  json.number("max_penetration_m", frame.max_penetration_m);
  json.number("max_creep_m_s", frame.max_creep_m_s);
  json.number("complementarity_residual_m", frame.complementarity_residual_m);
  json.number("momentum_error", frame.momentum_error);
  write_energy(json, "energy_J", frame.energy);
}

/// Handles alive: force and torque on the body about the stated point; of cables tension and length too.
std::vector<HandleRecord> record_handles(const Simulation& simulation) {
  std::vector<HandleRecord> records;
  for (const HandleId id : simulation.handles()) {
    HandleRecord record{simulation.handle_name(id), simulation.handle_kind(id), simulation.handle_origin(id),
                        simulation.handle_wrench(id)};
    record.is_cable = record.kind == "cable";
    if (record.is_cable) {
      record.tension = simulation.cable_tension(id);
      record.length = simulation.cable_length(id);
    }
    records.push_back(std::move(record));
  }
  return records;
}

void write_handles(JsonWriter& json, const std::vector<HandleRecord>& records) {
  json.begin_array("handles");
  for (const HandleRecord& record : records) {
    json.begin_object();
    json.text("name", record.name);
    json.text("kind", record.kind);
    json.vector("origin_m", record.origin);
    json.vector("force_N", record.wrench.force);
    json.vector("torque_Nm", record.wrench.torque);
    if (record.is_cable) {
      json.number("tension_N", record.tension);
      json.number("length_m", record.length);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace

Distribution distribution(std::vector<double> values) {
  Distribution result;
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  result.median = percentile(values, 0.5);
  result.p95 = percentile(values, 0.95);
  result.p99 = percentile(values, 0.99);
  result.max = values.back();
  for (const double value : values) result.sum += value;
  result.mean = result.sum / static_cast<double>(values.size());
  return result;
}

RunReport::RunReport(const Simulation& simulation, Settings settings)
    : settings_(std::move(settings)),
      first_frame_(simulation.frame()),
      start_energy_(simulation.statistics().energy) {
  std::vector<std::string> lines = simulation.model().warnings();
  lines.insert(lines.end(), simulation.warnings().begin(), simulation.warnings().end());
  for (const std::string& line : lines) {
    const auto& known = settings_.warnings;
    if (std::find(known.begin(), known.end(), line) == known.end()) settings_.warnings.push_back(line);
  }
}

void RunReport::add(const Simulation& simulation, double wall_ms) {
  frames_.push_back(simulation.statistics());
  intersections_.push_back(simulation.count_intersections());
  wall_ms_ += wall_ms;
  simulated_s_ += simulation.settings().time_step;
  if (!settings_.per_frame) return;
  FrameRecord record;
  const Model& model = simulation.model();
  for (std::size_t i = 0; i < model.body_count(); ++i) record.bodies.push_back(summarize_body(simulation, i));
  for (std::size_t i = 0; i < model.obstacle_count(); ++i)
    record.obstacles.push_back(
        {model.obstacle(i).name, simulation.obstacle_wrench(i), simulation.obstacle_pose(i).translation});
  record.handles = record_handles(simulation);
  record.state_hash = simulation.state_hash();
  records_.push_back(std::move(record));
}

std::vector<StageSummary> RunReport::stages() const {
  std::vector<StageSummary> result;
  for (const Stage& stage : kStages) {
    std::vector<double> values;
    values.reserve(frames_.size());
    for (const StepStatistics& frame : frames_) values.push_back(frame.ms.*stage.ms);
    result.push_back({stage.name, distribution(std::move(values))});
  }
  return result;
}

double RunReport::max_penetration_m() const {
  return worst(frames_, [](const StepStatistics& f) { return f.max_penetration_m; });
}
double RunReport::max_creep_m_s() const {
  return worst(frames_, [](const StepStatistics& f) { return f.max_creep_m_s; });
}
double RunReport::complementarity_residual_m() const {
  return worst(frames_, [](const StepStatistics& f) { return f.complementarity_residual_m; });
}
double RunReport::momentum_error() const {
  return worst(frames_, [](const StepStatistics& f) { return f.momentum_error; });
}

std::size_t RunReport::contact_unconverged_frames() const {
  return static_cast<std::size_t>(std::count_if(
      frames_.begin(), frames_.end(), [](const StepStatistics& f) { return !f.contact_converged; }));
}
double RunReport::unconverged_complementarity_m() const {
  return worst(frames_, [](const StepStatistics& f) {
    return f.contact_converged ? 0.0 : f.complementarity_residual_m;
  });
}

std::size_t RunReport::intersecting_frames() const {
  return intersections_.size() -
         static_cast<std::size_t>(std::count(intersections_.begin(), intersections_.end(), 0));
}
std::size_t RunReport::max_intersections() const {
  return intersections_.empty() ? 0 : *std::max_element(intersections_.begin(), intersections_.end());
}
std::string RunReport::intersection_warning() const {
  const auto first =
      std::find_if(intersections_.begin(), intersections_.end(), [](std::size_t n) { return n > 0; });
  if (first == intersections_.end()) return {};
  return fmt::format(
      "surfaces cross in {} of {} frames, first in frame {}, at most {} pairs of an edge and a "
      "triangle; reduce the time step, ask for more iterations, or set self_contact where a "
      "body meets itself",
      intersecting_frames(), frames_.size(), frames_[first - intersections_.begin()].frame,
      max_intersections());
}

std::string RunReport::to_json(const Simulation& simulation) const {
  const Model& model = simulation.model();
  const auto contacts = [](const StepStatistics& f) { return static_cast<double>(f.contacts); };
  const auto sweeps = [](const StepStatistics& f) { return static_cast<double>(f.contact_sweeps); };
  const auto iterations = [](const StepStatistics& f) { return static_cast<double>(f.iterations); };

  JsonWriter json;
  json.begin_object();
  write_setup(json, settings_, simulation);
  json.text("status", status_);
  json.integer("first_frame", first_frame_);
  json.integer("frames", first_frame_ + static_cast<long>(frames_.size()));
  json.number("time_s", simulation.time());
  json.number("wall_ms", wall_ms_);
  // Simulated over spent time of the frames alone, without export and pictures.
  const double frame_ms = total_frame_ms(frames_);
  json.number("real_time_factor", frame_ms > 0.0 ? 1000.0 * simulated_s_ / frame_ms : 0.0);

  json.begin_object("stages_ms");
  for (const StageSummary& stage : stages()) {
    json.begin_object(stage.name);
    json.number("median", stage.ms.median);
    json.number("p95", stage.ms.p95);
    json.number("p99", stage.ms.p99);
    json.number("max", stage.ms.max);
    json.number("mean", stage.ms.mean);
    json.end_object();
  }
  json.end_object();

  json.begin_object("contacts");
  json.integer("max", static_cast<long long>(worst(frames_, contacts)));
  json.number("mean", mean(frames_, contacts));
  json.end_object();
  json.number("max_penetration_m", max_penetration_m());
  json.number("max_creep_m_s", max_creep_m_s());
  json.number("complementarity_residual_m", complementarity_residual_m());
  json.begin_object("energy_J");
  write_energy(json, "start", start_energy_);
  write_energy(json, "first", frames_.empty() ? simulation.statistics().energy : frames_.front().energy);
  write_energy(json, "last", frames_.empty() ? simulation.statistics().energy : frames_.back().energy);
  json.end_object();
  json.number("momentum_error", momentum_error());
  json.number("iterations", mean(frames_, iterations));
  json.integer("frames_cut",
               std::count_if(frames_.begin(), frames_.end(), [](const StepStatistics& f) { return f.cut; }));
  json.begin_object("contact_sweeps");
  json.integer("max", static_cast<long long>(worst(frames_, sweeps)));
  json.number("mean", mean(frames_, sweeps));
  json.end_object();
  json.number("contact_steps",
              mean(frames_, [](const StepStatistics& f) { return double(f.contact_steps); }));
  json.number("contact_products",
              mean(frames_, [](const StepStatistics& f) { return double(f.contact_products); }));
  json.integer("contact_unconverged_frames", static_cast<long long>(contact_unconverged_frames()));
  json.number("max_residual", worst(frames_, [](const StepStatistics& f) { return f.residual; }));

  json.begin_array("bodies");
  for (std::size_t i = 0; i < model.body_count(); ++i) write_body(json, summarize_body(simulation, i));
  json.end_array();
  json.begin_array("obstacles");
  for (std::size_t i = 0; i < model.obstacle_count(); ++i) {
    const Vec3d origin = simulation.obstacle_pose(i).translation;
    write_wrench(json, model.obstacle(i).name, simulation.obstacle_wrench(i), &origin);
  }
  json.end_array();
  json.begin_array("pins");
  for (std::size_t i = 0; i < model.pin_count(); ++i)
    write_wrench(json, model.pin(i).name, simulation.pin_reaction(i), nullptr);
  json.end_array();
  write_handles(json, record_handles(simulation));
  write_pairs(json, simulation);
  write_contacts(json, simulation);
  json.integer("intersections", static_cast<long long>(simulation.count_intersections()));
  json.integer("intersections_max", static_cast<long long>(max_intersections()));
  json.integer("intersecting_frames", static_cast<long long>(intersecting_frames()));
  json.text("state_hash", hash_text(simulation.state_hash()));

  if (settings_.per_frame) {
    json.begin_array("per_frame");
    for (std::size_t f = 0; f < frames_.size(); ++f) {
      json.begin_object();
      write_frame(json, frames_[f]);
      json.integer("intersections", static_cast<long long>(intersections_[f]));
      json.begin_array("bodies");
      for (const BodySummary& body : records_[f].bodies) write_body(json, body);
      json.end_array();
      json.begin_array("obstacles");
      for (const ObstacleRecord& record : records_[f].obstacles)
        write_wrench(json, record.name, record.wrench, &record.origin);
      json.end_array();
      write_handles(json, records_[f].handles);
      json.text("state_hash", hash_text(records_[f].state_hash));
      json.end_object();
    }
    json.end_array();
  }

  // Last, so that values which were not finite can be named.
  json.begin_array("warnings");
  for (const std::string& line : settings_.warnings) json.text({}, line);
  // Negated, so that a residual that is not a number counts as large.
  if (contact_unconverged_frames() > 0 && !(unconverged_complementarity_m() <= kNoticeableResidual))
    json.text({},
              fmt::format("contact: {} of {} frames stopped at max_sweeps with a complementarity residual "
                          "of up to {:.2e} m; raise simulation.contact.max_sweeps",
                          contact_unconverged_frames(), frames_.size(), unconverged_complementarity_m()));
  if (const std::string line = intersection_warning(); !line.empty()) json.text({}, line);
  const std::vector<std::string> not_finite = json.not_finite();
  for (const std::string& key : not_finite) json.text({}, key + " was not finite and is written as null");
  json.end_array();
  json.end_object();
  return json.str();
}

void RunReport::write(const std::string& path, const Simulation& simulation) const {
  write_file_atomically(path, to_json(simulation));
}

}  // namespace sinew
