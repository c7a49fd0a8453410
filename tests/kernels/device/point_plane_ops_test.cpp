// Planes of points against analytic obstacles on devices are those that the function of one pair gives.
#include "tests/kernels/device/random_arrays.hpp"
#include "tests/support/devices.hpp"

using namespace sinew;

namespace {

std::vector<DeviceObstacle> obstacles_of(std::size_t count) {
  const ConvexShape shapes[] = {{ShapeKind::half_space, {}},
                                {ShapeKind::sphere, {0.2, 0.0, 0.0}},
                                {ShapeKind::none, {}},
                                {ShapeKind::box, {0.2, 0.1, 0.3}},
                                {ShapeKind::capsule, {0.1, 0.2, 0.0}},
                                {ShapeKind::cylinder, {0.15, 0.2, 0.0}}};
  test::Random random(5);
  std::vector<DeviceObstacle> obstacles;
  for (std::size_t o = 0; o < count; ++o) {
    DeviceObstacle d;
    d.shape = shapes[o];
    d.start_rotation = random.rotation();
    d.end_rotation = rotation_from_vector(random.vector(0.1)) * d.start_rotation;
    d.start_translation = random.vector(0.4);
    d.end_translation = d.start_translation + random.vector(0.05);
    obstacles.push_back(d);
  }
  return obstacles;
}

/// Points of two bodies; the second one leaves the last obstacle by its x.
struct Points {
  std::vector<Vec3d> start, end, exit;
  std::vector<double> reach;
  std::vector<Index> body;

  Points(std::size_t n, std::size_t obstacles)
      : start(test::random_vectors(n, 1)),
        end(start),
        exit(2 * obstacles),
        reach(test::random_numbers(n, 3)) {
    const std::vector<Vec3d> way = test::random_vectors(n, 2);
    for (std::size_t p = 0; p < n; ++p) {
      if (p % 10 != 7) end[p] += 0.1 * way[p];  // some stand still
      reach[p] = 0.02 + 0.01 * reach[p];
      body.push_back(p % 2);
    }
    if (obstacles > 0) exit.back() = {1.0, 0.0, 0.0};
  }
};

std::vector<PointPlane> plain_planes(const std::vector<DeviceObstacle>& obstacles, const Points& points) {
  std::vector<PointPlane> found;
  for (std::size_t p = 0; p < points.start.size(); ++p)
    for (std::size_t o = 0; o < obstacles.size(); ++o) {
      const DeviceObstacle& d = obstacles[o];
      PointPlane plane{static_cast<Index>(p), static_cast<Index>(o), {}};
      if (find_plane(d.shape, transpose(d.start_rotation) * (points.start[p] - d.start_translation),
                     transpose(d.end_rotation) * (points.end[p] - d.end_translation), points.reach[p],
                     points.exit[points.body[p] * obstacles.size() + o], plane.plane))
        found.push_back(plane);
    }
  return found;
}

void check_planes_of(DeviceQueue& queue, std::size_t n, std::size_t count) {
  CAPTURE(n, count);
  const std::vector<DeviceObstacle> obstacles = obstacles_of(count);
  const Points points(n, count);
  const std::vector<PointPlane> expected = plain_planes(obstacles, points);
  const auto d_obstacles = to_device(queue, obstacles, "test");
  const auto start = to_device(queue, points.start, "test"), end = to_device(queue, points.end, "test"),
             exit = to_device(queue, points.exit, "test");
  const auto reach = to_device(queue, points.reach, "test");
  const auto body = to_device(queue, points.body, "test");
  const PointWays ways{start.view(), end.view(), reach.view(), body.view(), exit.view()};
  DeviceBuffer<std::uint32_t> number(queue.device(), n, "test");
  queue.count_planes(d_obstacles.view(), ways, number.view());
  const std::vector<std::uint32_t> numbers = test::download(queue, number);
  std::vector<std::uint32_t> place(1, 0), counted(n, 0);
  for (const PointPlane& plane : expected) ++counted[plane.point];
  CHECK(numbers == counted);
  for (const std::uint32_t k : counted) place.push_back(place.back() + k);

  const auto places = to_device(queue, place, "test");
  const std::vector<PointPlane> old(expected.size(), PointPlane{-7, -7, {}});
  auto planes = to_device(queue, old, "test");
  queue.list_planes(d_obstacles.view(), ways, places.view(), planes.view());
  const std::vector<PointPlane> got = test::download(queue, planes);
  double worst = 0.0;
  bool same = true;
  for (std::size_t k = 0; k < got.size(); ++k) {
    const ShapePlane &a = got[k].plane, &b = expected[k].plane;
    same = same && got[k].point == expected[k].point && got[k].obstacle == expected[k].obstacle;
    worst = test::worse(worst, std::abs(a.start_distance - b.start_distance));
    // Where a way hits is found up to 1e-9 of its length.
    worst = test::worse(worst, 1e-4 * norm(a.at.normal - b.at.normal));
    worst = test::worse(worst, 1e-4 * norm(a.at.point - b.at.point));
  }
  CHECK(same);
  CHECK(worst < 1e-12);
  queue.upload(planes.view(), old.data());
  queue.list_planes(d_obstacles.view(), ways, places.view(), planes.view());
  CHECK(test::same_bits(test::download(queue, planes), got));
  CHECK(test::same_bits(test::download(queue, start), points.start));
  CHECK(test::same_bits(test::download(queue, end), points.end));
  CHECK(test::same_bits(test::download(queue, reach), points.reach));
  if (count == 6 && n >= 1000) CHECK(expected.size() > n / 3);

  // Room that ends inside the list of the last point that has two planes: that list is left out whole.
  std::size_t end_of_room = expected.size();
  while (end_of_room > 1 && expected[end_of_room - 1].point != expected[end_of_room - 2].point) --end_of_room;
  if (end_of_room <= 1) return;
  const Index last = expected[--end_of_room].point;
  queue.upload(planes.view(), old.data());
  queue.list_planes(d_obstacles.view(), ways, places.view(), planes.view().part(0, end_of_room));
  const std::vector<PointPlane> cut = test::download(queue, planes);
  for (std::size_t k = 0; k < cut.size(); ++k)
    same = same && cut[k].point == (expected[k].point < last ? expected[k].point : -7);
  CHECK(same);
}

void check_planes(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : test::sizes_for(device))
    for (const std::size_t count : {std::size_t(0), std::size_t(1), std::size_t(6)})
      check_planes_of(*queue, n, count);
}

}  // namespace

SINEW_DEVICE_TEST("points: planes of analytic obstacles", check_planes)
