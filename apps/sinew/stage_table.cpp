#include "apps/sinew/stage_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/common/device_stages.hpp"
#include "engine/common/solver_names.hpp"
#include "engine/common/text.hpp"

namespace sinew::app {

namespace {
// [J], four significant digits; what rounding leaves of nothing, beside the largest of the run, is 0.
std::string joules(double energy, double largest) {
  return fmt::format("{:.4g}",
                     std::abs(energy) <= 1e-12 * largest || std::abs(energy) < 1e-12 ? 0.0 : energy);
}

// Three significant digits without exponent for times between microseconds and minutes.
std::string milliseconds(double ms) {
  if (ms >= 100.0) return fmt::format("{:.0f}", ms);
  if (ms >= 10.0) return fmt::format("{:.1f}", ms);
  if (ms >= 1.0) return fmt::format("{:.2f}", ms);
  return fmt::format("{:.3f}", ms);
}
}  // namespace

std::string stage_table(const std::vector<StageSummary>& stages) {
  double whole = 0.0;
  for (const StageSummary& stage : stages)
    if (stage.name == "frame") whole = stage.ms.sum;
  std::string text =
      fmt::format("{:<10}{:>12}{:>10}{:>10}{:>10}\n", "stage", "median [ms]", "p95", "max", "share");
  for (const StageSummary& stage : stages) {
    const double share = whole > 0.0 ? 100.0 * stage.ms.sum / whole : 0.0;
    text += fmt::format("{:<10}{:>12}{:>10}{:>10}{:>8.1f} %\n", stage.name, milliseconds(stage.ms.median),
                        milliseconds(stage.ms.p95), milliseconds(stage.ms.max), share);
  }
  return text;
}

void add_device_stages(const std::vector<DeviceStage>& frame, std::vector<DeviceStage>& sum) {
  for (const DeviceStage& stage : frame) add_stage(stage, sum);
}

void add_device_work(const DeviceWork& frame, DeviceWork& sum) {
  sum.launches += frame.launches;
  sum.copies += frame.copies;
  sum.waits += frame.waits;
  sum.bytes_up += frame.bytes_up;
  sum.bytes_down += frame.bytes_down;
}

std::string device_table(const std::vector<DeviceStage>& stages, const DeviceWork& work, long frames) {
  const double count = static_cast<double>(std::max(1L, frames));
  std::string text = fmt::format("{:<14}{:>16}{:>12}\n", "on the device", "ms per frame", "per frame");
  for (const DeviceStage& stage : stages)
    text += fmt::format("{:<14}{:>16}{:>12.1f}\n", stage.name, milliseconds(stage.ms / count),
                        static_cast<double>(stage.count) / count);
  const auto mean = [&](std::uint64_t sum) { return static_cast<double>(sum) / count; };
  text += fmt::format("a frame: {:.0f} launches, {:.0f} copies ({} up, {} down), {:.0f} waits\n",
                      mean(work.launches), mean(work.copies), human_bytes(mean(work.bytes_up)),
                      human_bytes(mean(work.bytes_down)), mean(work.waits));
  return text;
}

std::string run_summary(const RunReport& report, const Simulation& simulation, int threads) {
  const ModelSizes& sizes = simulation.sizes();
  std::size_t most = 0;
  double sum = 0.0;
  for (const StepStatistics& frame : report.frames()) {
    most = std::max(most, frame.contacts);
    sum += static_cast<double>(frame.contacts);
  }
  const double count = std::max<double>(1.0, static_cast<double>(report.frame_count()));
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("{:<13}{}\n", name, value);
  };
  double frame_ms = 0.0;
  for (const StepStatistics& frame : report.frames()) frame_ms += frame.ms.frame;
  const double simulated_ms =
      1000.0 * simulation.settings().time_step * static_cast<double>(report.frame_count());
  line("frames",
       fmt::format("{} made, {:.4g} s simulated at the end, {:.3g} x real time", report.frame_count(),
                   simulation.time(), frame_ms > 0.0 ? simulated_ms / frame_ms : 0.0));
  line("sizes", fmt::format("{} vertices, {} elements, {} thread{}", sizes.vertices, sizes.elements, threads,
                            threads == 1 ? "" : "s"));
  const SolverSettings& solver = simulation.settings().solver;
  std::string global =
      to_string(solver.global == GlobalSolver::automatic ? GlobalSolver::staged : solver.global);
  if (sizes.stages > 0) global += fmt::format(", {} stage{}", sizes.stages, sizes.stages == 1 ? "" : "s");
  global += fmt::format(", {} numbers stored", sizes.nnz_inverse);
  if (sizes.nnz_l > 0) global += fmt::format(", {} nonzeros in the factor", sizes.nnz_l);
  line("global step", global);
  line("prepared", fmt::format("in {} ms, {}{}", milliseconds(sizes.precompute_ms),
                               human_bytes(static_cast<double>(sizes.precompute_bytes)),
                               sizes.from_cache > 0 ? ", read from the cache on disk" : ""));
  line("contacts", fmt::format("up to {}, {:.1f} on average", most, sum / count));
  line("penetration",
       fmt::format("up to {:.2e} m; creep up to {:.2e} m/s; complementarity {:.2e} m",
                   report.max_penetration_m(), report.max_creep_m_s(), report.complementarity_residual_m()));
  if (const std::size_t stopped = report.contact_unconverged_frames(); stopped > 0)
    line("contact", fmt::format("{} of {} frames stopped at max_sweeps, worst complementarity {:.2e} m",
                                stopped, report.frame_count(), report.unconverged_complementarity_m()));
  if (const std::string crossing = report.intersection_warning(); !crossing.empty())
    line("warning", crossing);
  if (!report.frames().empty()) {
    const Energy& start = report.start_energy();
    const Energy& last = report.frames().back().energy;
    double largest = 0.0;
    for (const Energy* e : {&start, &last})
      largest = std::max({largest, std::abs(e->kinetic), std::abs(e->elastic), std::abs(e->gravity)});
    const auto pair = [&](const char* name, double Energy::*part) {
      return fmt::format("{} {} -> {} J", name, joules(start.*part, largest), joules(last.*part, largest));
    };
    line("energy", pair("kinetic", &Energy::kinetic) + ", " + pair("elastic", &Energy::elastic) + ", " +
                       pair("gravity", &Energy::gravity));
  }
  line("state", fmt::format("{:016x}", simulation.state_hash()));
  return text;
}

}  // namespace sinew::app
