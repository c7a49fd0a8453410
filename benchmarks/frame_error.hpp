// A bar whose ends turn against each other, and how far a frame of the engine is from its exact solution:
// (e(q) - e*) / (e(q_0) - e*), e the incremental energy, q_0 the predicted positions with the pinned ends
// where they belong, e* Newton's (tests/reference).
#pragma once

#include <memory>
#include <vector>

#include <sinew/simulation.hpp>

#include "engine/precompute/body_precompute.hpp"

namespace sinew::bench {

/// Bar at rest of about `vertices`, 1 m x 0.2 m x 0.2 m along x, 1000 kg/m^3, without gravity; from the first
/// frame on its ends turn about x by speed and by -speed [rad/s].
Model twisting_bar(Index vertices, const Material& material, double speed);

/// Judges frames of a model's first body, without contact. Call inside Executor::run.
class FrameError {
 public:
  FrameError(const Model& model, double time_step);

  Index vertices() const { return body_->node_count; }
  std::size_t tets() const { return body_->tets.size(); }
  /// The frame that starts at these positions [m] and velocities [m/s], and a good solution of it, from where
  /// Newton finds the exact one downhill (tetrahedra without damping); user's order. @throws NumericalError
  /// if that is not below q_0.
  void set_frame(const std::vector<Vec3d>& start, const std::vector<Vec3d>& velocity,
                 const std::vector<Vec3d>& good);
  /// The same against a solution that is known to be converged: of sheets, and of damped bodies, too.
  /// @throws NumericalError if it is not below q_0.
  void set_solved_frame(const std::vector<Vec3d>& start, const std::vector<Vec3d>& velocity,
                        const std::vector<Vec3d>& solution);
  /// Of positions [m] at the end of that frame.
  double error(const std::vector<Vec3d>& end) const;

 private:
  std::vector<Vec3d> internal(const std::vector<Vec3d>& user) const;
  double merit(const std::vector<Vec3d>& internal) const;
  /// Sets the frame and e(q_0); returns the solution in internal order.
  std::vector<Vec3d> begin_frame(const std::vector<Vec3d>& start, const std::vector<Vec3d>& velocity,
                                 const std::vector<Vec3d>& solution);
  void require_descent() const;

  double time_step_;
  Vec3d gravity_;  ///< [m/s^2]
  std::shared_ptr<BodyPrecomputed> body_;
  std::vector<Vec3d> start_, predicted_;  ///< {node_count} q_t, q~; internal order
  double first_ = 0.0, least_ = 0.0;
};

}  // namespace sinew::bench
