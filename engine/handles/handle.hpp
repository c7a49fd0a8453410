// A handle as the frame sees it: its points as rows over nodes, where they shall be, and what is carried from
// frame to frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/handles.hpp>

#include "engine/collision/contact_term.hpp"

namespace sinew {

enum class HandleKind : std::uint8_t { grab, hold, weld, attachment, cable };
std::string_view to_string(HandleKind kind);

/// One stop of a cable: a point of the handle, or a fixed point of the world.
struct CableStop {
  Index point = -1;  ///< -1: fixed
  Vec3d fixed;       ///< [m]
};

struct Handle {
  std::string name;
  HandleKind kind = HandleKind::grab;
  double compliance = 0.0;        ///< [m/N] of the whole handle
  std::vector<Index> start{0};    ///< {points + 1}
  std::vector<ContactTerm> term;  ///< x = sum of weight * position; of welds: x_a - x_b, a's term first

  VectorPath target;  ///< grab
  /// hold, attachment: pose(t) = evaluate(motion, origin, t) * frame, point k belongs at pose(t) local[k].
  Pose frame;
  Motion motion;
  Vec3d origin;              ///< [m] of the motion
  std::vector<Vec3d> local;  ///< {points} [m]; of welds to sheets: (distance along b's normal, 0, 0)

  std::vector<CableStop> stop;  ///< cable
  ScalarPath value;             ///< [m] length or [N] tension
  bool tension_driven = false, two_sided = false;

  std::vector<Vec3d> force;  ///< {points} [N] of the last frame, on the body (of welds: on a)
  double tension = 0.0;      ///< [N] of the last frame

  std::size_t size() const { return start.size() - 1; }
  Pose pose(double time) const;  ///< of the frame of a hold or attachment
};

/// Place for a handle; used again once that is removed.
struct HandleSlot {
  std::uint32_t generation = 0;
  std::optional<Handle> handle;
};

}  // namespace sinew
