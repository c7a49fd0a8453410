// Rows that handles make for a frame.
#include <cmath>

#include "engine/handles/handle_rows.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

Handle one_point(HandleKind kind, std::vector<ContactTerm> term) {
  Handle handle;
  handle.kind = kind;
  handle.term = std::move(term);
  handle.start = {0, static_cast<Index>(handle.term.size())};
  handle.force = {{1.0, 2.0, 3.0}};
  handle.local = {Vec3d{}};
  handle.target = {{0.0, 1.0}, {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}};
  return handle;
}

Handle cable(std::vector<Index> nodes, const Vec3d& anchor) {
  Handle handle;
  handle.kind = HandleKind::cable;
  for (const Index node : nodes) {
    handle.term.push_back({0, node, 1.0});
    handle.start.push_back(static_cast<Index>(handle.term.size()));
    handle.stop.push_back({static_cast<Index>(handle.size()) - 1, {}});
  }
  handle.stop.push_back({-1, anchor});
  handle.force.resize(nodes.size());
  handle.value = {{0.0}, {2.0}};
  return handle;
}

}  // namespace

TEST_CASE("handle rows: targets move, rows without a free node are left out") {
  const std::vector<Vec3d> x = {{1, 0, 0}, {0, 1, 0}, {0, 0, 5}};
  const HandleBodies bodies{{2}, {x.data()}};
  std::vector<HandleSlot> handles(3);
  handles[0] = {1, one_point(HandleKind::grab, {{0, 2, 1.0}})};  // a pinned node
  handles[2] = {1, one_point(HandleKind::grab, {{0, 0, 0.25}, {0, 1, 0.75}})};
  handles[2].handle->compliance = 0.5;
  HandleRows rows;
  collect_handle_rows(handles, 0.25, bodies, {}, rows);
  REQUIRE(rows.size() == 1);
  CHECK(rows.handle[0] == 2);
  CHECK(rows.law[0] == PointLaw::held);
  CHECK(rows.compliance[0] == 0.5);
  CHECK(rows.target[0] == Vec3d{0.5, 0.0, 0.0});
  CHECK(rows.force[0] == Vec3d{1.0, 2.0, 3.0});
  CHECK(rows.point(0, bodies.position) == Vec3d{0.25, 0.75, 0.0});

  collect_handle_rows(handles, 0.25, bodies, {0}, rows);
  CHECK(rows.size() == 0);
}

TEST_CASE("handle rows: frames carry their points") {
  const std::vector<Vec3d> x = {{1, 0, 0}};
  Handle handle = one_point(HandleKind::attachment, {{0, 0, 1.0}});
  handle.local = {{1.0, 0.0, 0.0}};
  handle.frame.translation = {0.0, 0.0, 1.0};
  handle.origin = {0.0, 0.0, 1.0};
  handle.motion.spin = {0.0, 0.0, std::acos(-1.0)};
  std::vector<HandleSlot> handles(1);
  handles[0] = {1, handle};
  HandleRows rows;
  collect_handle_rows(handles, 0.5, {{1}, {x.data()}}, {}, rows);
  CHECK(norm(rows.target[0] - Vec3d{0.0, 1.0, 1.0}) < 1e-15);
}

TEST_CASE("handle rows: the length of a cable and its gradient") {
  std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}};
  const HandleBodies bodies{{3}, {x.data()}};
  std::vector<HandleSlot> handles(1);
  handles[0] = {1, cable({0, 1, 2}, {1, 2, 3})};
  HandleRows rows;
  collect_handle_rows(handles, 0.0, bodies, {}, rows);
  REQUIRE(rows.cable.size() == 1);
  REQUIRE(rows.scalar.size() == 1);
  CHECK(rows.law[1] == PointLaw::none);
  CHECK(cable_length(rows, rows.cable[0], bodies.position) == 6.0);
  CHECK(rows.scalar[0].one_sided);
  CHECK(rows.scalar[0].offset == 2.0 - 6.0);
  CHECK(rows.scalar[0].entry[0].direction == Vec3d{1, 0, 0});   // pulled to the next stop
  CHECK(rows.scalar[0].entry[1].direction == Vec3d{-1, 1, 0});  // both segments
  CHECK(rows.scalar[0].entry[2].direction == Vec3d{0, -1, 1});
  CHECK(rows.target[2] == x[2]);
  // Directions are the gradient of the length, with the sign of a pull.
  for (int k = 0; k < 3; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Vec3d> moved = x;
      const double step = 1e-6;
      moved[k][axis] += step;
      const double high = cable_length(rows, rows.cable[0], {moved.data()});
      moved[k][axis] -= 2.0 * step;
      const double low = cable_length(rows, rows.cable[0], {moved.data()});
      CHECK(std::abs((high - low) / (2.0 * step) + rows.scalar[0].entry[k].direction[axis]) < 1e-6);
    }
  }
  x[0] = {-1, 0, 0};
  linearise_cables(rows, bodies.position);
  CHECK(rows.scalar[0].offset == 2.0 - 7.0);
  CHECK(rows.target[0] == x[0]);
}

TEST_CASE("handle rows: a given tension pulls along the cable, forces come back") {
  const std::vector<Vec3d> x = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}};
  const HandleBodies bodies{{3}, {x.data()}};
  std::vector<HandleSlot> handles(2);
  handles[0] = {1, cable({0, 1, 2}, {1, 2, 3})};
  handles[0].handle->tension_driven = true;
  handles[0].handle->value.values[0] = 5.0;
  handles[1] = {1, cable({0, 2}, {1, 2, 3})};
  HandleRows rows;
  collect_handle_rows(handles, 0.0, bodies, {}, rows);
  REQUIRE(rows.size() == 5);
  CHECK(rows.cable[0].scalar == -1);
  CHECK(rows.force[0] == Vec3d{5, 0, 0});
  CHECK(rows.force[1] == Vec3d{-5, 5, 0});
  CHECK(rows.force[2] == Vec3d{0, -5, 5});
  CHECK(rows.force[3] == Vec3d{});
  rows.scalar[0].force = 3.0;
  store_handle_forces(rows, rows.force, rows.scalar, handles);
  CHECK(handles[0].handle->tension == 5.0);
  CHECK(handles[0].handle->force[1] == Vec3d{-5, 5, 0});
  CHECK(handles[1].handle->tension == 3.0);
  CHECK(norm(handles[1].handle->force[1] - 3.0 * rows.scalar[0].entry[1].direction) == 0.0);
}

TEST_CASE("handle rows: bodies tied together are linked") {
  std::vector<HandleSlot> handles(2);
  handles[1] = {1, one_point(HandleKind::weld, {{2, 0, 1.0}, {5, 0, -0.5}, {5, 1, -0.5}})};
  std::vector<std::pair<Index, Index>> links;
  link_bodies(handles, [&](Index a, Index b) {
    if (a != b) links.emplace_back(a, b);
  });
  CHECK(links == std::vector<std::pair<Index, Index>>{{2, 5}, {2, 5}});
}
