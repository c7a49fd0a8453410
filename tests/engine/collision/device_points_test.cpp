// Points against analytic obstacles on a device: the planes that detect_contacts() gives on the host.
#include <cmath>

#include "tests/engine/collision/rig.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;
using test::Rig;

namespace {

Model blocks() {
  ModelBuilder builder;
  BodySpec block;
  block.mesh = test::block(4, 4, 4, 0.1);
  for (const double x : {-0.6, 0.2}) {
    block.name = "block at " + std::to_string(x);
    block.transform.translation = {x, -0.2, 0.0};
    builder.add(block);
  }
  return builder.build();
}

/// One of each, moving and turning.
struct Shapes {
  std::vector<ObstacleSpec> spec;
  std::vector<DeviceObstacle> on_device;
  std::vector<ObstacleFrame> frame;

  explicit Shapes(test::Random& random) {
    MeshShape mesh;
    mesh.mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.mesh.triangles = {{0, 1, 2}};
    const std::vector<std::pair<ObstacleShape, ConvexShape>> shapes = {
        {HalfSpaceShape{}, {ShapeKind::half_space, {}}},
        {SphereShape{0.2}, {ShapeKind::sphere, {0.2, 0, 0}}},
        {mesh, {}},
        {BoxShape{{0.2, 0.1, 0.3}}, {ShapeKind::box, {0.2, 0.1, 0.3}}},
        {CapsuleShape{0.1, 0.2}, {ShapeKind::capsule, {0.1, 0.2, 0}}},
        {CylinderShape{0.15, 0.2}, {ShapeKind::cylinder, {0.15, 0.2, 0}}}};
    for (const auto& [shape, convex] : shapes) {
      spec.push_back({"shape", shape, {}, {}, 0.5, {}});
      ObstacleFrame f;
      f.start.rotation = random.rotation();
      f.start.translation = random.vector(0.4);
      f.end.rotation = rotation_from_vector(random.vector(0.1)) * f.start.rotation;
      f.end.translation = f.start.translation + random.vector(0.05);
      frame.push_back(f);
      on_device.push_back({convex, f.start.rotation, f.end.rotation, f.start.translation, f.end.translation});
    }
    for (std::size_t o = 0; o < spec.size(); ++o) frame[o].spec = &spec[o];
  }
};

double difference(const Contact& a, const Contact& b) {
  return norm(a.frame.n - b.frame.n) + norm(a.plane_point - b.plane_point) + norm(a.start - b.start) +
         norm(a.obstacle_displacement - b.obstacle_displacement) + std::abs(a.gap_offset - b.gap_offset);
}

void check_planes(Device& device) {
  Rig rig(blocks());
  test::Random random(21);
  const auto rest = rig.start;
  std::size_t contacts = 0, exits_used = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Shapes shapes(random);
    FrictionTable friction = rig.friction;
    friction.obstacle.assign(shapes.spec.size(), 0.5);
    std::vector<Contact> expected;
    std::vector<Vec3d> start, end, exit;
    std::vector<double> reach;
    std::vector<Index> body;
    std::vector<DetectSettings> settings(2);
    for (std::size_t b = 0; b < 2; ++b) {
      const double speed = trial % 4 == 0 ? 0.0 : 0.1 * (trial % 4);
      const Vec3d move = random.vector(speed);
      rig.start[b] = rest[b];
      for (Vec3d& x : rig.start[b]) x += random.vector(1e-3);
      rig.end[b] = rig.start[b];
      for (Vec3d& x : rig.end[b]) x += move + random.vector(1e-3);
      DetectSettings& s = settings[b];
      s.body = static_cast<Index>(b);
      s.margin = 0.01 * static_cast<double>(trial % 3);
      s.thickness = 1e-3 * static_cast<double>(b);
      s.max_depenetration = 0.01;
      s.friction = &friction;
      if (b == 1) s.exits = exit_directions(*rig.bodies[b], shapes.frame, rig.start[b].data());
      detect_contacts(*rig.bodies[b], shapes.frame, rig.start[b].data(), rig.end[b].data(), s, expected);
      for (const ContactPoint& p : rig.bodies[b]->points) {
        start.push_back(point_position(p, rig.start[b].data()));
        end.push_back(point_position(p, rig.end[b].data()));
        reach.push_back(s.margin + s.thickness);
        body.push_back(s.body);
      }
      for (std::size_t o = 0; o < shapes.spec.size(); ++o) {
        exit.push_back(s.exits.empty() ? Vec3d{} : s.exits[o].value_or(Vec3d{}));
        exits_used += norm(exit.back()) > 0.0;
      }
    }
    const auto queue = device.make_queue();
    const std::size_t n = start.size();
    const auto obstacles = to_device(*queue, shapes.on_device, "test");
    const auto from = to_device(*queue, start, "test"), to = to_device(*queue, end, "test"),
               exits = to_device(*queue, exit, "test");
    const auto reaches = to_device(*queue, reach, "test");
    const auto bodies = to_device(*queue, body, "test");
    const PointWays ways{from.cview(), to.cview(), reaches.cview(), bodies.cview(), exits.cview()};
    DeviceBuffer<std::uint32_t> count(device, n, "test"), place(device, n + 1, "test");
    DeviceBuffer<unsigned char> scratch(device, queue->scan_scratch(n), "test");
    DeviceBuffer<PointPlane> room(device, 6 * n, "test");
    queue->count_planes(obstacles.cview(), ways, count.view());
    queue->scan(count.cview(), place.view(), scratch.view());
    queue->list_planes(obstacles.cview(), ways, place.cview(), room.view());
    const auto places = test::download(*queue, place);
    const auto planes = test::download(*queue, room);
    REQUIRE(places[n] == expected.size());
    contacts += expected.size();
    double worst = 0.0;
    bool same_points = true;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const PointPlane& found = planes[k];
      const std::size_t p = static_cast<std::size_t>(found.point);
      const ObstacleFrame& obstacle = shapes.frame[static_cast<std::size_t>(found.obstacle)];
      const DetectSettings& s = settings[static_cast<std::size_t>(body[p])];
      const std::size_t first = body[p] == 0 ? 0 : rig.bodies[0]->points.size();
      same_points = same_points && expected[k].key.obstacle == found.obstacle &&
                    expected[k].key.body == body[p] &&
                    expected[k].key.feature_a ==
                        rig.bodies[static_cast<std::size_t>(body[p])]->points[p - first].surface_point;
      Contact c;
      c.frame = make_contact_frame(obstacle.end.rotation * found.plane.at.normal);
      const Vec3d surface = obstacle.end.apply(found.plane.at.point);
      c.plane_point = surface + s.thickness * c.frame.n;
      c.start = start[p];
      c.obstacle_displacement = surface - obstacle.start.apply(found.plane.at.point);
      c.gap_offset = std::min(0.0, found.plane.start_distance - s.thickness + s.max_depenetration);
      worst = test::worse(worst, difference(c, expected[k]));
    }
    CHECK(same_points);
    CHECK(worst < (device.is_emulated() ? 1e-300 : 1e-9));  // a first hit is as good as its tolerance

    // Too little room: whole points are left out, nothing else changes.
    DeviceBuffer<PointPlane> half(device, expected.size() / 2, "test");
    queue->list_planes(obstacles.cview(), ways, place.cview(), half.view());
    const auto fewer = test::download(*queue, half);
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t k = places[p]; k < places[p + 1] && places[p + 1] <= fewer.size(); ++k)
        if (fewer[k].point != planes[k].point || fewer[k].obstacle != planes[k].obstacle) worst = 1.0;
    CHECK(worst < 1.0);
  }
  CHECK(contacts > 2000);
  CHECK(exits_used > 3);
}

}  // namespace

SINEW_DEVICE_TEST("planes of points against analytic obstacles", check_planes)
