// All that changes from frame to frame, and all that is carried between frames; snapshots hold exactly this.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <sinew/simulation.hpp>

#include "engine/collision/contact.hpp"
#include "engine/elastic/quasi_newton.hpp"
#include "engine/handles/handle.hpp"
#include "kernels/device/mirrored.hpp"

namespace sinew {

/// Contact force kept for the next frame's warm start, by feature.
struct CarriedForce {
  ContactKey key;
  Vec3d normal;  ///< of the contact, unit
  Vec3d force;   ///< [N] on side a, world
};

struct BodyState {
  Mirrored<Vec3d> position;    ///< [m], {node_count}, internal order; written by: finish
  Mirrored<Vec3d> velocity;    ///< [m/s], {node_count}, internal order; written by: finish
  Mirrored<Vec3d> correction;  ///< [m], {free_count}: q_t - q~_t of the last frame; empty: unknown
  QuasiNewton history;         ///< pairs of the frames before; written by: free
};

/// An obstacle that was moved from outside.
struct MovedObstacle {
  Pose now;   ///< at the current time
  Pose next;  ///< at the end of the next frame
};

struct State {
  std::int64_t frame = 0;
  std::vector<BodyState> bodies;
  std::vector<CarriedForce> carried;                ///< in the order of their keys; written by: finish
  std::vector<double> body_friction;                ///< {bodies} [1], as set from outside
  std::vector<double> obstacle_friction;            ///< {obstacles} [1]
  std::vector<std::optional<MovedObstacle>> moved;  ///< {obstacles} nothing: it goes by its motion
  std::vector<HandleSlot> handles;                  ///< written by: the user, finish
};

/// Bytes with magic, model hash and checksum. read_state: @throws ModelError for foreign or damaged bytes.
Snapshot write_state(const State& state, std::uint64_t model_hash);
State read_state(const Snapshot& snapshot, std::uint64_t model_hash, const State& like);

}  // namespace sinew
