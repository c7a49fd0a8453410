// End of a frame: commits positions and velocities, keeps what is carried, computes forces and yardsticks.
#pragma once

#include <memory>
#include <vector>

#include "engine/step/frame.hpp"

namespace sinew {

struct FrameOutputs {
  std::vector<ContactForce> contacts;  ///< in the order of their keys
  std::vector<Wrench> pin_reaction;    ///< {pin}
};

/// @throws NumericalError before anything is written, if a value is not finite.
void finish_frame(const FrameInput& input, std::vector<BodyFrame>& bodies, FrameContacts& contacts,
                  State& state, StepStatistics& statistics, FrameOutputs& outputs);

Energy total_energy(const ModelData& model, const std::vector<std::shared_ptr<BodyPrecomputed>>& precomputed,
                    const State& state);

}  // namespace sinew
