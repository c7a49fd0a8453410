// A ball of 0.1 m does not pass a board of 0.02 m, however many boards' thickness it flies in a frame.
#include "tests/validation/contact_tunnel.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

void check_shot(const test::Shot& shot) {
  INFO("E " << shot.young << ", " << shot.speed << " m/s, along " << shot.direction.x << " "
            << shot.direction.z);
  const test::ShotResult found = test::shoot(shot);
  CHECK(found.finite);
  CHECK(found.lowest > -test::kBoardThickness);
  CHECK(found.penetration < test::kBoardThickness);
  CHECK(found.lowest_inside > -test::kBoardThickness);
}

}  // namespace

TEST_CASE("fast balls at a thin board: 10, 100, 1000 m/s", "[scene]") {
  for (const double young : {1e6, 1e8})
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
