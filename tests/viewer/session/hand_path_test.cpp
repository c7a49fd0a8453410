// Hands go evenly to where they were last seen.
#include <cmath>

#include <sinew/base/mat3.hpp>

#include "tests/support/catch.hpp"
#include "viewer/session/hand_path.hpp"

using namespace sinew;
using namespace sinew::viewer;

namespace {
Mat3d about_z(double angle) {
  Mat3d r = Mat3d::identity();
  r(0, 0) = r(1, 1) = std::cos(angle);
  r(1, 0) = std::sin(angle);
  r(0, 1) = -r(1, 0);
  return r;
}
double difference(const Mat3d& a, const Mat3d& b) {
  double most = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) most = std::max(most, std::abs(a(i, j) - b(i, j)));
  return most;
}
}  // namespace

TEST_CASE("hand path: the same step in every frame, and the end exactly", "[session]") {
  HandPath<Vec3d> path(Vec3d{1.0, 0.0, 0.0});
  CHECK_FALSE(path.moving());
  path.go({2.0, 1.0, 0.1}, 0.05);
  for (int frame = 1; frame < 5; ++frame) {
    CHECK(path.advance(0.01).x == Approx(1.0 + 0.2 * frame));
    CHECK(path.moving());
  }
  CHECK(path.advance(0.01) == Vec3d{2.0, 1.0, 0.1});
  CHECK_FALSE(path.moving());
  CHECK(path.advance(0.01) == Vec3d{2.0, 1.0, 0.1});
}

TEST_CASE("hand path: without a time the end is reached in the next frame", "[session]") {
  HandPath<Vec3d> path(Vec3d{});
  path.go({0.0, 0.0, 3.0}, 0.0);
  CHECK(path.moving());
  CHECK(path.advance(0.01) == Vec3d{0.0, 0.0, 3.0});
}

TEST_CASE("hand path: a new goal starts from where the hand is", "[session]") {
  HandPath<Vec3d> path(Vec3d{});
  path.go({1.0, 0.0, 0.0}, 0.02);
  path.advance(0.01);
  path.go({0.5, 1.0, 0.0}, 0.02);
  const Vec3d middle = path.advance(0.01);
  CHECK(middle.x == Approx(0.5));
  CHECK(middle.y == Approx(0.5));
}

TEST_CASE("hand path: a hold starts at the point and catches up with the hand", "[session]") {
  HoldingHand hand({1.0, 0.0, 0.0}, {1.2, 0.0, 0.0});
  CHECK(hand.start() == Vec3d{1.2, 0.0, 0.0});
  CHECK(hand.moving());
  for (int frame = 1; frame <= 3; ++frame) CHECK(hand.advance(0.01).x == Approx(1.2 - 0.02 * frame));
  hand.go({1.0, 0.5, 0.0}, 0.05);  // while it catches up
  for (int frame = 4; frame <= 8; ++frame) {
    const Vec3d at = hand.advance(0.01);
    CHECK(at.x == Approx(1.2 - 0.02 * frame));
    CHECK(at.y == Approx(0.1 * (frame - 3)));
  }
  CHECK(hand.moving());
  hand.advance(0.01);
  CHECK(hand.advance(0.01) == Vec3d{1.0, 0.5, 0.0});
  CHECK_FALSE(hand.moving());
  CHECK_FALSE(HoldingHand({1.0, 0.0, 0.0}, {1.0, 1e-12, 0.0}).moving());
}

TEST_CASE("hand path: rotations go the shorter way at constant speed", "[session]") {
  const Pose start{about_z(0.3), {0.0, 0.0, 1.0}};
  for (const double angle : {1e-9, 0.5, 2.0, 3.1, -3.1}) {
    const Pose end{about_z(0.3 + angle), {1.0, 0.0, 0.0}};
    for (const double part : {0.1, 0.5, 0.9}) {
      const Pose pose = between(start, end, part);
      CHECK(difference(pose.rotation, about_z(0.3 + part * angle)) < 1e-12);
      CHECK(difference(pose.rotation * transpose(pose.rotation), Mat3d::identity()) < 1e-14);
      CHECK(pose.translation.x == Approx(part));
    }
    CHECK(difference(between(start, end, 1.0).rotation, end.rotation) == 0.0);
  }
  // Half turns about each axis: the trace is -1, another component of the quaternion leads.
  for (int axis = 0; axis < 3; ++axis) {
    Mat3d turned = Mat3d::diagonal(-1.0, -1.0, -1.0);
    turned(axis, axis) = 1.0;
    const Pose from{turned, {}};
    CHECK(difference(between(from, from, 0.5).rotation, turned) < 1e-12);
  }
}
