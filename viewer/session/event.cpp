#include "viewer/session/event.hpp"

#include <cmath>
#include <limits>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "engine/scene/json_node.hpp"
#include "viewer/session/words.hpp"

namespace sinew::viewer {

namespace {

std::string point_text(const BodyPoint& point) {
  const std::string body = in_quotes(point.body);
  if (point.nearest_to) return body + " near " + exact_text(*point.nearest_to);
  if (point.surface_point >= 0) return body + " surface_point " + std::to_string(point.surface_point);
  return body + " triangle " + std::to_string(point.triangle) + " " + exact_text(point.barycentric);
}

std::string pose_text(const Pose& pose) {
  std::string text;
  for (const auto& row : pose.rotation.m)
    for (const double value : row) text += exact_text(value) + " ";
  return text + exact_text(pose.translation);
}

struct Writer {
  std::string operator()(const GrabEvent& e) const {
    return "grab " + std::to_string(e.number) + " " + point_text(e.point) + " target " +
           exact_text(e.target) + " compliance " + exact_text(e.compliance);
  }
  std::string operator()(const TargetEvent& e) const {
    return "target " + std::to_string(e.number) + " " + exact_text(e.target);
  }
  std::string operator()(const ComplianceEvent& e) const {
    return "compliance " + std::to_string(e.number) + " " + exact_text(e.compliance);
  }
  std::string operator()(const ReleaseEvent& e) const { return "release " + std::to_string(e.number); }
  std::string operator()(const ObstacleEvent& e) const {
    return "obstacle " + in_quotes(e.obstacle) + " " + pose_text(e.pose);
  }
  std::string operator()(const ParametersEvent& e) const {
    std::string text = "parameters";
    for (const std::string& set : e.overrides) text += " " + in_quotes(set);
    return text;
  }
  std::string operator()(const ResetEvent&) const { return "reset"; }
  std::string operator()(const FailedEvent&) const { return "failed"; }
};

constexpr long kMostGrab = 1000000000;  // numbers of further grabs follow

int grab_number(WordReader& words) {
  const long number = words.whole("number of a grab", 0);
  if (number > kMostGrab) throw ModelError("the number of a grab is too large");
  return static_cast<int>(number);
}

Index index_of(WordReader& words, const char* what) {
  const long number = words.whole(what, 0);
  if (number > std::numeric_limits<Index>::max()) throw ModelError(std::string(what) + " is too large");
  return static_cast<Index>(number);
}

BodyPoint read_point(WordReader& words) {
  BodyPoint point;
  point.body = words.text("name of a body");
  const std::string kind = words.word("'triangle', 'surface_point' or 'near'");
  if (kind == "triangle") {
    point.triangle = index_of(words, "number of a triangle");
    point.barycentric = words.vector("barycentric coordinate");
  } else if (kind == "surface_point") {
    point.surface_point = index_of(words, "number of a surface point");
  } else if (kind == "near") {
    point.nearest_to = words.vector("coordinate");
  } else {
    throw ModelError("a point of a body is given by 'triangle', 'surface_point' or 'near', not '" +
                     shown(kind) + "'");
  }
  return point;
}

GrabEvent read_grab(WordReader& words) {
  GrabEvent event;
  event.number = grab_number(words);
  event.point = read_point(words);
  words.expect("target");
  event.target = words.vector("coordinate of the target");
  words.expect("compliance");
  event.compliance = words.number("compliance");
  return event;
}

ObstacleEvent read_obstacle(WordReader& words) {
  ObstacleEvent event;
  event.obstacle = words.text("name of an obstacle");
  for (auto& row : event.pose.rotation.m)
    for (double& value : row) value = words.number("entry of the rotation");
  event.pose.translation = words.vector("coordinate of the position");
  return event;
}

}  // namespace

std::string event_text(const Event& event) {
  return std::visit(Writer{}, event);
}

Event parse_event(std::string_view text) {
  WordReader words(text);
  const std::string kind = words.word("an event");
  Event event;
  if (kind == "grab") {
    event = read_grab(words);
  } else if (kind == "target") {
    const int number = grab_number(words);
    event = TargetEvent{number, words.vector("coordinate of the target")};
  } else if (kind == "compliance") {
    const int number = grab_number(words);
    event = ComplianceEvent{number, words.number("compliance")};
  } else if (kind == "release") {
    event = ReleaseEvent{grab_number(words)};
  } else if (kind == "obstacle") {
    event = read_obstacle(words);
  } else if (kind == "parameters") {
    ParametersEvent parameters;
    while (!words.at_end()) parameters.overrides.push_back(words.text("path=value"));
    event = std::move(parameters);
  } else if (kind == "reset") {
    event = ResetEvent{};
  } else if (kind == "failed") {
    event = FailedEvent{};
  } else {
    throw ModelError("unknown event '" + shown(kind) + "'" +
                     suggestion(kind, {"grab", "target", "compliance", "release", "obstacle", "parameters",
                                       "reset", "failed"}));
  }
  words.end();
  return event;
}

}  // namespace sinew::viewer
