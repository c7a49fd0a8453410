// The text of events: what is read is what was written, to the bit.
#include "viewer/session/event.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <sinew/errors.hpp>

#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::viewer;

namespace {

bool same_bits(const Vec3d& a, const Vec3d& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class E>
E again(const E& event) {
  const std::string text = event_text(event);
  INFO(text);
  CHECK(text.find('\n') == std::string::npos);
  const Event read = parse_event(text);
  REQUIRE(std::holds_alternative<E>(read));
  CHECK(event_text(read) == text);
  return std::get<E>(read);
}

// Thirds, the smallest number, minus zero: what a careless text form loses.
const Vec3d kAwkward{1.0 / 3.0, std::numeric_limits<double>::denorm_min(), -0.0};

}  // namespace

TEST_CASE("events: every kind reads back to the same bits") {
  GrabEvent grab;
  grab.number = 7;
  grab.point.body = "the \"ball\" \\ of\nglass \xC3\xA9";
  grab.point.triangle = 12;
  grab.point.barycentric = {0.1, 0.2, 0.7000000000000001};
  grab.target = kAwkward;
  grab.compliance = 1e-300;
  const GrabEvent read = again(grab);
  CHECK(read.number == 7);
  CHECK(read.point.body == grab.point.body);
  CHECK(read.point.triangle == 12);
  CHECK(same_bits(read.point.barycentric, grab.point.barycentric));
  CHECK(same_bits(read.target, kAwkward));
  CHECK(read.compliance == 1e-300);

  grab.point = {"b", 3, -1, {}, {}};
  CHECK(again(grab).point.surface_point == 3);
  grab.point = {"b", -1, -1, {}, kAwkward};
  CHECK(same_bits(*again(grab).point.nearest_to, kAwkward));

  CHECK(same_bits(again(TargetEvent{2, kAwkward}).target, kAwkward));
  CHECK(again(TargetEvent{2, kAwkward}).number == 2);
  CHECK(again(ComplianceEvent{3, 0.1}).compliance == 0.1);
  CHECK(again(ReleaseEvent{4}).number == 4);
  CHECK(again(ReleaseEvent{1000000000}).number == 1000000000);
  again(ResetEvent{});
  again(FailedEvent{});

  const ParametersEvent parameters{{"bodies.0.name=\"a b\"", "", "x=\t\\"}};
  CHECK(again(parameters).overrides == parameters.overrides);
  CHECK(again(ParametersEvent{}).overrides.empty());

  ObstacleEvent obstacle{"roller", {}};
  obstacle.pose.rotation = rotation_from_vector(Vec3d{0.3, -1.1, 2.0 / 3.0});
  obstacle.pose.translation = kAwkward;
  const ObstacleEvent moved = again(obstacle);
  CHECK(moved.obstacle == "roller");
  CHECK(std::memcmp(&moved.pose.rotation, &obstacle.pose.rotation, sizeof(Mat3d)) == 0);
  CHECK(same_bits(moved.pose.translation, kAwkward));
}

TEST_CASE("events: the text is plain") {
  GrabEvent grab;
  grab.number = 1;
  grab.point = {"ball", -1, 12, {0.25, 0.25, 0.5}, {}};
  grab.target = {0, 0, 1};
  CHECK(event_text(grab) == "grab 1 \"ball\" triangle 12 0.25 0.25 0.5 target 0 0 1 compliance 0");
  CHECK(event_text(ParametersEvent{{"a=1"}}) == "parameters \"a=1\"");
}

TEST_CASE("events: bad lines are refused with what was expected") {
  const std::pair<const char*, const char*> lines[] = {
      {"", "expected an event, found the end of the line"},
      {"grap 1", "unknown event 'grap', did you mean 'grab'?"},
      {"release", "expected number of a grab, found the end of the line"},
      {"release -1", "expected a whole number from 0 on (number of a grab), found '-1'"},
      {"release 99999999999", "the number of a grab is too large"},
      {"release 1000000001", "the number of a grab is too large"},
      {"failed 1", "expected nothing more, found '1'"},
      {"release 1 2", "expected nothing more, found '2'"},
      {"target 1 0 0", "expected coordinate of the target, found the end of the line"},
      {"target 1 0 0 nan", "expected a number (coordinate of the target), found 'nan'"},
      {"target 1 0 0 1e999", "expected a number (coordinate of the target), found '1e999'"},
      {"target 1 0 0 1x", "expected a number (coordinate of the target), found '1x'"},
      {"grab 1 ball triangle 1 0 0 1 target 0 0 0 compliance 0",
       "expected a text in double quotes (name of a body), found 'ball'"},
      {"grab 1 \"ball", "expected a closing quote, found the end of the line"},
      {"grab 1 \"ball\"x", "expected a space after the quote, found 'x'"},
      {"grab 1 \"ba\\u12\"", "expected a text in double quotes (name of a body), found '\"ba\\u12\"'"},
      {"grab 1 \"b\" corner 1",
       "a point of a body is given by 'triangle', 'surface_point' or 'near', not 'corner'"},
      {"grab 1 \"b\" surface_point 1 to 0 0 0", "expected 'target', found 'to'"},
  };
  for (const auto& [line, message] : lines) {
    INFO(line);
    try {
      parse_event(line);
      FAIL("was accepted");
    } catch (const ModelError& error) {
      CHECK(std::string(error.what()) == message);
    }
  }
}
