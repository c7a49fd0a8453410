// One frame of a bar whose ends are turned against each other, and how far a frame of the engine is from its
// exact solution: (e(q) - e*) / (e(q_0) - e*), e the incremental energy, q_0 the predicted positions with the
// pinned ends where they belong, e* Newton's (tests/reference).
#pragma once

#include <memory>
#include <vector>

#include <sinew/simulation.hpp>

#include "engine/precompute/body_precompute.hpp"

namespace sinew::bench {

class FrameError {
 public:
  /// Bar at rest of about `vertices`, 1 m x 0.2 m x 0.2 m, 1000 kg/m^3, no gravity, no damping, h = 0.01 s; in
  /// the one frame its ends turn by half the angle [rad] each. Call inside Executor::run.
  FrameError(Index vertices, const Material& material, double angle);

  const Model& model() const { return model_; }
  Index vertices() const { return body_->node_count; }
  std::size_t tets() const { return body_->tets.size(); }
  /// positions [m] after the frame, in the user's order. The exact energy is found at the first call, from
  /// these positions downhill: hand over a good solution first. @throws NumericalError if Newton fails.
  double error(const std::vector<Vec3d>& positions);

 private:
  double merit(const std::vector<Vec3d>& internal) const;

  Model model_;
  std::shared_ptr<BodyPrecomputed> body_;
  std::vector<Vec3d> start_;  ///< {node_count} q_t = q~, internal order
  double first_ = 0.0, least_ = 0.0;
  bool solved_ = false;
};

}  // namespace sinew::bench
