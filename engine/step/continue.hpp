// From the state of one simulation to that of another one with a changed model or changed settings. What is
// carried depends on models, settings and the state alone, not on who prepared what.
#pragma once

#include <memory>
#include <vector>

#include "engine/precompute/body_precompute.hpp"
#include "engine/state/state.hpp"

namespace sinew {

struct ContinuedSide {
  const ModelData& model;
  const SimulationSettings& settings;
  const std::vector<std::shared_ptr<BodyPrecomputed>>& precomputed;  ///< {bodies}
};

/// state: the new side's at time 0; afterwards at the moment of the old one, see Simulation::continue_from().
void continue_state(const ContinuedSide& old_side, const State& old_state, const ContinuedSide& new_side,
                    State& state);

}  // namespace sinew
