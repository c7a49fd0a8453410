#include "benchmarks/frame_series.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/output.hpp"

namespace sinew::bench {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

PublishedStages least(const PublishedStages& a, const PublishedStages& b) {
  PublishedStages result;
  for (const StageName& stage : stage_names()) result.*stage.part = std::min(a.*stage.part, b.*stage.part);
  result.frame = std::min(a.frame, b.frame);
  return result;
}

/// [ms] of each frame, detection left out as in the published tables.
std::vector<double> without_detection(const std::vector<PublishedStages>& frames) {
  std::vector<double> ms;
  for (const PublishedStages& f : frames) ms.push_back(f.frame - f.detect);
  return ms;
}

std::vector<double> whole(const std::vector<PublishedStages>& frames) {
  std::vector<double> ms;
  for (const PublishedStages& f : frames) ms.push_back(f.frame);
  return ms;
}

/// Burns the time rather than sleeping: a sleep is longer than asked for.
void wait(const SlowedStage& slowed, PublishedStages& ms) {
  if (!slowed.part) return;
  const auto start = Clock::now();
  while (ms_since(start) < slowed.ms) {
  }
  const double waited = ms_since(start);
  ms.*slowed.part += waited;
  ms.frame += waited;
}

}  // namespace

PublishedStages published_stages(const StageTimes& ms) {
  return {ms.detect, ms.delassus, ms.local, ms.rhs + ms.free, ms.contact, ms.correct, ms.finish, ms.frame};
}

const std::vector<StageName>& stage_names() {
  static const std::vector<StageName> names = {
      {"detect", &PublishedStages::detect},
      {"delassus", &PublishedStages::delassus},
      {"local", &PublishedStages::local},
      {"global", &PublishedStages::global},
      {"contact_solve", &PublishedStages::contact_solve},
      {"correct", &PublishedStages::correct},
      {"finish", &PublishedStages::finish},
  };
  return names;
}

SlowedStage parse_slowed_stage(const std::string& text) {
  constexpr double kMost = 1000.0;
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  std::vector<std::string> known;
  for (const StageName& stage : stage_names()) known.emplace_back(stage.name);
  require_known("--slow-stage", name, known);
  SlowedStage slowed;
  for (const StageName& stage : stage_names())
    if (name == stage.name) slowed.part = stage.part;
  const std::string number = equals == std::string::npos ? std::string() : text.substr(equals + 1);
  const char* end = number.data() + number.size();
  const auto [rest, error] = std::from_chars(number.data(), end, slowed.ms);
  if (error != std::errc{} || rest != end || !(slowed.ms >= 0.0 && slowed.ms <= kMost))
    throw Error(fmt::format("--slow-stage {}: give STAGE=MS with a time from 0 to {:g} ms, e.g. local=1.5",
                            text, kMost));
  return slowed;
}

FrameRun run_frames(const Model& model, SimulationSettings settings, long frames, const SlowedStage& slowed,
                    const BeforeFrame& before) {
  settings.solver.cache = false;
  FrameRun run;
  Simulation simulation(model, settings);
  run.sizes = simulation.sizes();
  try {
    for (long frame = 1; frame <= frames; ++frame) {
      if (before) before(simulation, frame);
      run.frames.push_back(simulation.step());
      run.ms.push_back(published_stages(run.frames.back().ms));
      wait(slowed, run.ms.back());
    }
  } catch (const NumericalError& error) {
    run.failure = error.what();
  }
  run.hash = fmt::format("{:016x}", simulation.state_hash());
  return run;
}

void FrameSeries::add_sample(std::string_view name, double value) {
  for (auto& [key, values] : samples_) {
    if (key != name) continue;
    values.push_back(value);
    return;
  }
  samples_.emplace_back(std::string(name), std::vector<double>{value});
}

void FrameSeries::add(const FrameRun& run) {
  if (run.hash != first_.hash || run.ms.size() != frames()) same_hash_ = false;
  if (repeats_++ == 0) least_ = run.ms;
  for (std::size_t i = 0; i < std::min(least_.size(), run.ms.size()); ++i)
    least_[i] = least(least_[i], run.ms[i]);
  add_sample("precompute_ms", run.sizes.precompute_ms);
  if (run.ms.empty()) return;
  const Distribution frame = distribution(whole(run.ms));
  add_sample("median_ms", frame.median);
  add_sample("p99_ms", frame.p99);
  add_sample("worst_ms", distribution(without_detection(run.ms)).max);
  for (const StageName& stage : stage_names()) {
    double sum = 0.0;
    for (const PublishedStages& ms : run.ms) sum += ms.*stage.part;
    add_sample(fmt::format("{}_ms", stage.name), sum / static_cast<double>(run.ms.size()));
  }
  for (const PublishedStages& ms : run.ms) stages_ms_ += ms.sum();
  frames_ms_ += frame.sum;
}

double FrameSeries::first_seconds() const {
  double ms = 0.0;
  for (const PublishedStages& frame : first_.ms) ms += frame.frame;
  return 1e-3 * ms;
}

double FrameSeries::seconds_left_of(double seconds) const {
  if (repeats_ == 0) return seconds - first_seconds();
  const double n = static_cast<double>(repeats_);
  return seconds - 1e-3 * frames_ms_ * (n + 1.0) / n;
}

std::size_t FrameSeries::frame_of_most_contacts() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < std::min(frames(), least_.size()); ++i) {
    const std::size_t contacts = first_.frames[i].contacts, most = first_.frames[best].contacts;
    if (contacts > most || (contacts == most && least_[i].frame > least_[best].frame)) best = i;
  }
  return best;
}

void FrameSeries::fill(SuiteRow& row) const {
  const auto value = [&](std::string name, double v) { row.values.emplace_back(std::move(name), v); };
  row.hash = first_.hash;
  row.samples = samples_;
  value("vertices", static_cast<double>(first_.sizes.vertices));
  value("elements", static_cast<double>(first_.sizes.elements));
  value("frames", static_cast<double>(frames()));
  value("repeats", static_cast<double>(repeats_));
  value("precompute_ms", row.median("precompute_ms"));
  value("precompute_bytes", static_cast<double>(first_.sizes.precompute_bytes));
  if (!first_.failure.empty()) {
    row.valid = false;
    row.warnings.push_back(fmt::format("ended after {} frames: {}", frames(), first_.failure));
  }
  if (!same_hash_) {
    row.valid = false;
    row.warnings.push_back("repeats ended in different states");
  }
  if (least_.empty() || frames() == 0) return;

  const Distribution frame = distribution(whole(least_));
  value("worst_ms", distribution(without_detection(least_)).max);
  value("median_ms", frame.median);
  value("p99_ms", frame.p99);
  value("stages_share", stages_ms_ / frames_ms_);

  const std::size_t most = frame_of_most_contacts();
  value("constraints", static_cast<double>(first_.frames[most].contacts));
  value("iterations", first_.frames[most].iterations);
  for (const StageName& stage : stage_names())
    value(fmt::format("{}_at_most_ms", stage.name), least_[most].*stage.part);
  value("frame_at_most_ms", least_[most].frame);

  double penetration = 0.0, creep = 0.0, complementarity = 0.0, residual = 0.0, stopped_at = 0.0;
  std::size_t stopped = 0;
  bool finite = true;
  for (const StepStatistics& s : first_.frames) {
    for (const double v : {s.max_penetration_m, s.max_creep_m_s, s.complementarity_residual_m, s.residual})
      finite = finite && std::isfinite(v);
    penetration = std::max(penetration, s.max_penetration_m);
    creep = std::max(creep, s.max_creep_m_s);
    complementarity = std::max(complementarity, s.complementarity_residual_m);
    residual = std::max(residual, s.residual);
    if (s.contact_converged) continue;
    ++stopped;
    stopped_at = std::max(stopped_at, s.complementarity_residual_m);
  }
  value("max_penetration_m", penetration);
  value("max_creep_m_s", creep);
  value("max_complementarity_m", complementarity);
  value("residual", residual);
  value("unconverged_frames", static_cast<double>(stopped));
  if (!finite) {
    row.valid = false;
    row.warnings.push_back("a figure of a frame is not finite");
  }
  if (!fixed_work_ && stopped_at > RunReport::kNoticeableResidual)
    row.warnings.push_back(
        fmt::format("{} of {} frames stopped before their contacts had converged, the worst at {:.1e} m",
                    stopped, frames(), stopped_at));
}

std::string advice_for(const SuiteRow& row) {
  const StageName* longest = nullptr;
  double sum = 0.0, most = 0.0;
  for (const StageName& stage : stage_names()) {
    const double ms = row.median(fmt::format("{}_ms", stage.name));
    if (!std::isfinite(ms)) return {};
    sum += ms;
    if (ms > most) {
      most = ms;
      longest = &stage;
    }
  }
  if (!longest || !(sum > 0.0)) return {};
  const std::string_view name = longest->name;
  const char* help = "";
  if (name == "local")
    help =
        "simulation.tolerance ends iterations early where the frame is solved; a coarser mesh with an "
        "embedded "
        "surface has fewer elements";
  if (name == "global")
    help =
        "solver.precision \"mixed\" halves the bytes that the global step reads; a coarser mesh with an "
        "embedded "
        "surface reads fewer";
  if (name == "detect")
    help =
        "leave self_contact off where a body cannot meet itself; an embedded surface of fewer triangles is "
        "searched faster";
  if (name == "delassus")
    help =
        "simulation.contact.delassus \"automatic\" keeps columns from frame to frame; an embedded surface "
        "with "
        "fewer points touches fewer nodes";
  if (name == "contact_solve")
    help =
        "fewer surface points in contact (a coarser or embedded surface) help most: the solve grows faster "
        "than "
        "their number";
  if (name == "correct" || name == "finish")
    help = "a coarser mesh helps: this stage goes over nodes and contacts";
  return fmt::format("{}: {:.0f} % of the frames' time is {}; {}.", row.id, 100.0 * most / sum, name, help);
}

}  // namespace sinew::bench
