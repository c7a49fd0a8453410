// A ball of 0.1 m does not pass a board of 0.02 m, however many boards' thickness it flies in a frame.
#include "tests/validation/contact_tunnel.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

void check_shot(const test::Shot& shot) {
  INFO("board " << static_cast<int>(shot.board) << ", E " << shot.young << ", " << shot.speed
                << " m/s, along " << shot.direction.x << " " << shot.direction.z);
  const test::ShotResult found = test::shoot(shot);
  CHECK(found.finite);
  CHECK(found.lowest > -test::kBoardThickness);
  CHECK(found.penetration < test::kBoardThickness);
  // Nodes inside as well, even where the blow turns elements inside out (E = 1e5 Pa at 1,000 m/s).
  CHECK(found.lowest_inside > -test::kBoardThickness);
}

}  // namespace

TEST_CASE("fast balls at a thin board: 10, 100, 1000 m/s", "[scene][slow]") {
  for (const double young : {1e5, 1e6, 1e8})
    for (const double speed : {10.0, 100.0, 1000.0}) {
      test::Shot shot;
      shot.speed = speed;
      shot.young = young;
      check_shot(shot);
      shot.direction = normalized(Vec3d{0.6, 0.0, -0.8});
      shot.target = {-20.0, 0.3, 0.0};
      check_shot(shot);
    }
}

TEST_CASE("fast balls at a board of triangles", "[scene]") {
  for (const double young : {1e5, 1e6})
    for (const double speed : {10.0, 100.0, 1000.0}) {
      test::Shot shot;
      shot.young = young;
      shot.speed = speed;
      shot.board = test::Board::closed_mesh;
      check_shot(shot);
      shot.direction = normalized(Vec3d{0.6, 0.0, -0.8});
      shot.target = {-20.0, 0.3, 0.0};
      check_shot(shot);
    }
}

TEST_CASE("fast balls at a soft board", "[scene]") {
  // The board gives way: what must not happen is that the ball, which comes back, ends below it.
  for (const double speed : {10.0, 100.0, 1000.0}) {
    INFO(speed << " m/s");
    test::Shot shot;
    shot.speed = speed;
    shot.board = test::Board::soft;
    const test::ShotResult found = test::shoot(shot);
    CHECK(found.finite);
    CHECK(found.rebound > 0.0);
    CHECK(found.penetration < test::kBoardThickness);
    CHECK(found.last_intersections == 0);
  }
}
