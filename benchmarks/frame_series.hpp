// A scene run again and again: what its frames take, how exact they are, and whether they repeat to the bit.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sinew/model.hpp>
#include <sinew/simulation.hpp>

#include "benchmarks/suite_result.hpp"

namespace sinew::bench {

/// Stages as published tables name them, in ms: global is "rhs" and "free" of StageTimes, contact_solve its
/// "contact" (assembly of the operator's rows included).
struct PublishedStages {
  double detect = 0, delassus = 0, local = 0, global = 0, contact_solve = 0, correct = 0, finish = 0,
         frame = 0;

  double sum() const { return detect + delassus + local + global + contact_solve + correct + finish; }
};
PublishedStages published_stages(const StageTimes& ms);

/// The parts of PublishedStages by name, in their order.
struct StageName {
  const char* name;
  double PublishedStages::*part;
};
const std::vector<StageName>& stage_names();

/// A wait in every frame that is charged to one stage, to see that a comparison finds it. part null: none.
struct SlowedStage {
  double PublishedStages::*part = nullptr;
  double ms = 0.0;
};
/// "local=1.5". @throws Error for an unknown stage or what is no time from 0 to 1000 ms.
SlowedStage parse_slowed_stage(const std::string& text);

/// One run, from a simulation that nothing has warmed: prepared anew, without the cache on disk.
struct FrameRun {
  std::vector<StepStatistics> frames;
  std::vector<PublishedStages> ms;  ///< {frames}
  ModelSizes sizes;
  std::string hash;     ///< of the state at the end
  std::string failure;  ///< why it ended early; empty where it did not
};
/// before is called before each frame, with its number from 1; its time is not counted.
using BeforeFrame = std::function<void(Simulation&, long frame)>;
FrameRun run_frames(const Model& model, SimulationSettings settings, long frames, const SlowedStage& slowed,
                    const BeforeFrame& before = {});

/// Repeats of one run. A time of a frame is the least of its repeats: frames do the same work each time, what
/// is above the least is other programs'.
class FrameSeries {
 public:
  /// warm_up: gives what is no time, and the hash that the repeats must have. fixed_work: the contact solver
  /// was not asked to converge, so that it is no warning where it does not.
  explicit FrameSeries(FrameRun warm_up, bool fixed_work = false)
      : first_(std::move(warm_up)), fixed_work_(fixed_work) {}
  /// One timed repeat.
  void add(const FrameRun& run);
  /// Takes the first run for a timed repeat: where there is no time for another.
  void count_first() { add(first_); }
  double first_seconds() const;  ///< [s] of the frames of the first run
  /// What would be left of so many seconds after one more repeat like those before; negative: too long.
  double seconds_left_of(double seconds) const;
  std::size_t repeats() const { return repeats_; }
  std::size_t frames() const { return first_.frames.size(); }

  /// Times: worst_ms (longest frame without detection), median_ms, p99_ms, precompute_ms; of the frame with
  /// most contacts, the longest of these: constraints, iterations, frame_at_most_ms and *_at_most_ms per
  /// stage; stages_share [1] (sum of stages by time of frames). Exactness: max_penetration_m, max_creep_m_s,
  /// max_complementarity_m, residual (worst, [1]), unconverged_frames. Sizes: vertices, elements,
  /// precompute_bytes. Call after at least one add().
  /// Samples, one per repeat: median_ms, p99_ms, worst_ms, precompute_ms and the mean of each stage.
  /// Hash, validity (finite, no failure, equal hashes) and warnings.
  void fill(SuiteRow& row) const;
  /// Index of the frame with the most contacts, the longest of these; 0 where nothing touches.
  std::size_t frame_of_most_contacts() const;

 private:
  std::size_t repeats_ = 0;
  FrameRun first_;
  bool fixed_work_;
  std::vector<PublishedStages> least_;  ///< {frames}
  double stages_ms_ = 0.0, frames_ms_ = 0.0;
  std::vector<std::pair<std::string, std::vector<double>>> samples_;
  bool same_hash_ = true;

  void add_sample(std::string_view name, double value);
};

/// One or two sentences on the longest stage of a row and the setting that would help; "" where the row has
/// no times.
std::string advice_for(const SuiteRow& row);

}  // namespace sinew::bench
