// What changes a running simulation from outside: the hand, a moved obstacle, changed parameters, a reset.
// One line of text each, so that a recording can be read and written by people.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <sinew/handles.hpp>
#include <sinew/motion.hpp>

namespace sinew::viewer {

/// A point of a body is taken; the grab goes by its number from then on.
struct GrabEvent {
  int number = 0;  ///< >= 0, not in use
  BodyPoint point{};
  Vec3d target{};           ///< [m] at the end of the next frame
  double compliance = 0.0;  ///< [m/N]
};
struct TargetEvent {
  int number = 0;
  Vec3d target{};  ///< [m] at the end of the next frame
};
struct ComplianceEvent {
  int number = 0;
  double compliance = 0.0;  ///< [m/N]
};
struct ReleaseEvent {
  int number = 0;
};
/// An obstacle goes to a pose by the end of the next frame and stays there.
struct ObstacleEvent {
  std::string obstacle;  ///< its name
  Pose pose{};
};
/// The scene is made anew with these overrides in place of those before, and goes on from where it is.
struct ParametersEvent {
  std::vector<std::string> overrides;  ///< "key.path=value", all of them
};
struct ResetEvent {};
/// A frame could not be computed: the state is that before it, but the method starts afresh.
struct FailedEvent {};

using Event = std::variant<GrabEvent, TargetEvent, ComplianceEvent, ReleaseEvent, ObstacleEvent,
                           ParametersEvent, ResetEvent, FailedEvent>;

/// E.g. `grab 1 "ball" triangle 12 0.25 0.25 0.5 target 0 0 1 compliance 0`. Numbers in the shortest form
/// that reads back to the same bits.
std::string event_text(const Event& event);
/// @throws ModelError, one line, without the name of a file.
Event parse_event(std::string_view text);

}  // namespace sinew::viewer
