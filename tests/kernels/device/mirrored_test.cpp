// Arrays on both sides: whoever reads gets the newest values, and copies are made only where they are needed.
#include "kernels/device/mirrored.hpp"

#include <sinew/errors.hpp>

#include "tests/support/devices.hpp"

using namespace sinew;

namespace {

using Values = std::vector<Vec3d>;
const Values kTwo = {{1, 2, 3}, {4, 5, 6}}, kThree = {{7, 8, 9}, {1, 1, 1}, {2, 0, 2}};

Values doubled(Values v) {
  for (Vec3d& x : v) x *= 2.0;
  return v;
}

void check_sides(Device& device) {
  const auto queue = device.make_queue();
  Mirrored<Vec3d> a(kTwo);
  a.bind(queue.get());
  CHECK(a.host() == kTwo);
  CHECK(queue->counters().copies == 0);
  queue->scale(a.device_edit(), a.device(), 2.0);
  CHECK(a.size() == 2);
  CHECK(queue->counters().copies == 1);
  CHECK(a.host() == doubled(kTwo));
  CHECK(a.host() == doubled(kTwo));
  CHECK(queue->counters().copies == 2);  // down once
  a.edit()[1] = {0, 0, 0};
  CHECK(a.host()[0] == doubled(kTwo)[0]);
  CHECK(queue->counters().copies == 2);
  queue->scale(a.device_edit(), a.device(), 0.5);
  CHECK(a.host() == Values{kTwo[0], {0, 0, 0}});
}

/// The queue reads the host's memory when it gets there: until then values must not change under it.
void check_sources(Device& device) {
  const auto queue = device.make_queue();
  Mirrored<Vec3d> a(kTwo), b;
  a.bind(queue.get());
  b.bind(queue.get());
  queue->scale(b.device_new(2), a.device(), 2.0);  // copies a up, later
  a.edit() = {{9, 9, 9}, {9, 9, 9}};
  CHECK(b.host() == doubled(kTwo));
  CHECK(a.host()[0].x == 9.0);
  // Brought down early, then written on the device, then changed on the host.
  queue->scale(a.device_edit(), b.device(), 1.0);
  a.start_down();
  queue->scale(a.device_edit(), b.device(), 0.5);
  CHECK(a.host() == kTwo);
  queue->scale(a.device_edit(), b.device(), 3.0);
  a.start_down();
  a.host_new(3) = kThree;
  queue->synchronize();
  CHECK(a.host() == kThree);
  CHECK(a.size() == 3);
}

void check_assignment(Device& device) {
  const auto queue = device.make_queue();
  Mirrored<Vec3d> a(kThree), b, free;
  a.bind(queue.get());
  b.bind(queue.get());
  b = a;  // on the host: nothing was on the device
  CHECK(queue->counters().copies == 0);
  CHECK(b.host() == kThree);
  queue->scale(a.device_edit(), a.device(), 2.0);
  const std::uint64_t down = queue->counters().bytes_down;
  b = a;
  CHECK(b.size() == 3);
  CHECK(queue->counters().bytes_down == down);
  CHECK(b.host() == doubled(kThree));
  free = b;
  CHECK(free.queue() == nullptr);
  CHECK(free.host() == doubled(kThree));
  std::swap(a, b);
  queue->scale(b.device_edit(), b.device(), 0.0);
  CHECK(a.host() == doubled(kThree));
  Mirrored<Vec3d> copy = a, moved = std::move(a);
  CHECK(copy.queue() == nullptr);
  CHECK(moved.queue() == queue.get());
  CHECK(moved.host() == copy.host());
  // To the host and back: values stay; room grows.
  queue->scale(moved.device_edit(), moved.device(), 0.5);
  moved.bind(nullptr);
  CHECK(moved.host() == kThree);
  moved.bind(queue.get());
  moved.edit().resize(2000);
  CHECK(moved.device().size == 2000);
  queue->scale(moved.device_edit(), moved.device(), 2.0);
  CHECK(moved.host()[2] == 2.0 * kThree[2]);
  CHECK(moved.host()[1999] == Vec3d{});
  moved.assign(2, {1, 1, 1});
  CHECK(moved.device().size == 2);
}

/// A queue that cannot wait is told by the next call that can throw, not by the end of an array.
void check_end(Device& device) {
  const auto queue = device.make_queue();
  {
    auto a = std::make_unique<Mirrored<Vec3d>>(kTwo);
    a->bind(queue.get());
    CHECK(a->device().size == 2);
    queue->synchronize();
    queue->begin_recording();
  }
  CHECK_THROWS_AS(queue->synchronize(), BackendError);
  queue->end_recording();
  const auto fails = [&] { throw ModelError("in the middle"); };
  CHECK_THROWS_AS(record(*queue, fails), ModelError);
  Mirrored<Vec3d> b(kThree);
  b.bind(queue.get());
  const std::unique_ptr<DeviceGraph> graph =
      record(*queue, [&, view = b.device_edit()] { queue->scale(view, View<const Vec3d>(view), 2.0); });
  queue->run(*graph);
  CHECK(b.host() == doubled(kThree));
}

}  // namespace

SINEW_DEVICE_TEST("mirrored: ends quietly; recording that fails has ended", check_end)
SINEW_DEVICE_TEST("mirrored: the newest values on either side, one copy each", check_sides)
SINEW_DEVICE_TEST("mirrored: sources of copies do not change under the queue", check_sources)
SINEW_DEVICE_TEST("mirrored: assignment, moves, binding", check_assignment)

TEST_CASE("mirrored: without a queue a plain vector") {
  Mirrored<Vec3d> a;
  CHECK(a.empty());
  a.host_new(2) = kTwo;
  Mirrored<Vec3d> b = a;
  b.edit()[0] = {};
  CHECK(a.host() == kTwo);
  CHECK(b.host()[0] == Vec3d{});
  b.assign(3, {1, 2, 3});
  CHECK(b.size() == 3);
  std::swap(a, b);
  CHECK(a.size() == 3);
  CHECK(b.host() == kTwo);
}
