// From the state of one simulation to that of another one with a changed model or changed settings. What is
// carried depends on models, settings and the state alone, not on who prepared what.
#pragma once

#include <memory>
#include <vector>

#include "engine/precompute/body_precompute.hpp"
#include "engine/state/state.hpp"
#include "engine/step/finish.hpp"

namespace sinew {

struct ContinuedSide {
  const ModelData& model;
  const SimulationSettings& settings;
  const std::vector<std::shared_ptr<BodyPrecomputed>>& precomputed;  ///< {bodies}
};

/// state, outputs: the new side's at time 0; afterwards those of the old side's moment, see
/// Simulation::continue_from().
void continue_run(const ContinuedSide& old_side, const State& old_state, const FrameOutputs& old_outputs,
                  const ContinuedSide& new_side, State& state, FrameOutputs& outputs);

}  // namespace sinew
