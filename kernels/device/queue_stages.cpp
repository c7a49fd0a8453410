// Times of stages: which marks belong to which names. When they were passed, the queues know.
#include <algorithm>

#include <sinew/errors.hpp>

#include "kernels/device/queue.hpp"

namespace sinew {

std::size_t DeviceQueue::free_mark() {
  if (unused_.empty()) return marks_++;
  const std::size_t mark = unused_.back();
  unused_.pop_back();
  return mark;
}

void DeviceQueue::begin_stage(const char* name) {
  if (!timing_) return;
  open_.push_back(stages_.size());
  stages_.push_back({name, free_mark(), free_mark(), false, recording_, !recording_});
  set_mark(stages_.back().begin);
}

void DeviceQueue::end_stage() {
  if (open_.empty()) return;  // it was begun while nothing was timed
  Stage& stage = stages_[open_.back()];
  open_.pop_back();
  stage.ended = true;
  set_mark(stage.end);
}

std::vector<StageTime> DeviceQueue::take_stage_times() {
  std::vector<StageTime> times;
  for (Stage& stage : stages_) {
    if (!stage.ended || !stage.ran) continue;
    const double ms = ms_between(stage.begin, stage.end);
    if (ms < 0.0) continue;
    auto place =
        std::find_if(times.begin(), times.end(), [&](const auto& t) { return t.name == stage.name; });
    if (place == times.end()) place = times.insert(times.end(), {stage.name, 0.0, 0});
    place->ms += ms;
    ++place->count;
    stage.ran = false;
  }
  // Marks of work that comes once are free again. Places of recorded stages stay, for their graphs know them.
  if (open_.empty())
    while (!stages_.empty() && !stages_.back().recorded && !stages_.back().ran) {
      unused_.push_back(stages_.back().begin);
      unused_.push_back(stages_.back().end);
      stages_.pop_back();
    }
  return times;
}

void DeviceQueue::recording_begins() {
  recording_ = true;
  recorded_from_ = stages_.size();
}

void DeviceQueue::recording_ends(DeviceGraph* graph) {
  recording_ = false;
  if (!graph) return;
  for (std::size_t k = recorded_from_; k < stages_.size(); ++k) graph->stages_.push_back(k);
}

void DeviceQueue::graph_runs(const DeviceGraph& graph) {
  for (const std::size_t k : graph.stages_) stages_[k].ran = true;
}

}  // namespace sinew
