// Pairs found on a device lead to the host's contacts, to the bit.
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "engine/collision/device_broad_phase.hpp"
#include "tests/engine/collision/rig.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using test::Rig;

namespace {

std::shared_ptr<Device> borrowed(Device& device) {
  return {std::shared_ptr<void>{}, &device};
}

/// All numbers of a contact, bit by bit (no padding).
std::vector<double> numbers(const Contact& c) {
  std::vector<double> v;
  for (const Index i : {c.key.body, static_cast<Index>(c.key.feature), c.key.feature_a, c.key.other_body,
                        c.key.obstacle, c.key.feature_b, c.count, c.count_a})
    v.push_back(i);
  for (Index k = 0; k < c.count; ++k) {
    v.push_back(c.term[k].body);
    v.push_back(c.term[k].node);
    v.push_back(c.term[k].weight);
  }
  for (const Vec3d& x : {c.frame.n, c.frame.t1, c.frame.t2, c.plane_point, c.start, c.obstacle_displacement})
    for (int axis = 0; axis < 3; ++axis) v.push_back(x[axis]);
  v.push_back(c.gap_offset);
  v.push_back(c.friction);
  return v;
}

bool same_contacts(const std::vector<Contact>& a, const std::vector<Contact>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!test::same_bits(numbers(a[k]), numbers(b[k]))) return false;
  return true;
}

BodySpec named_block(const std::string& name, Index n, double cell, const Vec3d& at) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(n, n, n, cell);
  body.transform.translation = at;
  return body;
}

/// Two sheets, two alike blocks of which one touches itself, a wire with a point, a closed mesh, a box.
Model crowd() {
  ModelBuilder builder;
  BodySpec sheet = test::sheet_body("sheet", test::sheet(12, 12, 0.02));
  sheet.sheet->thickness = 2e-3;
  builder.add(sheet);
  sheet.name = "other sheet";
  sheet.transform.translation = {0.013, 0.011, 1.5e-3};
  builder.add(sheet);
  builder.add(named_block("block", 3, 0.03, {0.05, 0.06, 4e-3}));
  BodySpec twin = named_block("twin", 3, 0.03, {0.07, 0.05, 0.0945});
  twin.self_contact = true;
  builder.add(twin);
  MeshShape wire;
  wire.mesh.points = {{-0.1, 0.1, -1e-3}, {0.3, 0.12, -1e-3}, {0.1, 0.05, -1e-3}};
  wire.edges = {{0, 1}};
  wire.points = {2};
  wire.thickness = 1e-3;
  builder.add(ObstacleSpec{"wire", wire, {}, {}, 0.5, {}});
  MeshShape wedge;
  wedge.mesh.points = {{0.15, 0.15, 0.0}, {0.25, 0.15, 0.0}, {0.2, 0.25, 0.0}, {0.2, 0.18, 0.05}};
  wedge.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  builder.add(ObstacleSpec{"wedge", wedge, {}, {}, 0.5, {}});
  ObstacleSpec box{"box", BoxShape{{0.02, 0.02, 0.02}}, {}, {}, 0.5, {}};
  box.pose.translation = {0.02, 0.2, -0.018};
  builder.add(box);
  return builder.build();
}

/// Shakes, crumples and throws everything about for some frames.
void check_contacts(Device& device) {
  Rig host(crowd()), rig(crowd());
  host.scene = std::make_unique<CollisionScene>(host.model.data(), host.bodies, Equals::by_numbers);
  rig.scene =
      std::make_unique<CollisionScene>(rig.model.data(), rig.bodies, Equals::by_numbers, borrowed(device));
  test::Random random(3);
  std::size_t all = 0, missed = 0, self = 0;
  const auto rest = host.start;
  for (int frame = 0; frame < 12; ++frame) {
    const double noise = 2e-4 * (1 << frame % 6);
    for (std::size_t b = 0; b < rest.size(); ++b) {
      const double squeeze = frame > 8 ? 0.05 : 1.0;  // sheets fold up: other boxes than the tree was made of
      host.start[b] = rest[b];
      for (Vec3d& x : host.start[b]) {
        if (b < 2 && squeeze < 1.0) x = {0.1 + squeeze * x.x, x.y, x.z + 0.002 * std::sin(400.0 * x.x)};
        x += random.vector(noise);
      }
      host.end[b] = host.start[b];
      for (Vec3d& x : host.end[b]) x += Vec3d{0, 0, b > 1 ? -0.01 : 0.004} + random.vector(noise);
    }
    host.margin = frame % 3 == 0 ? 0.0 : 2e-3;
    host.obstacles[1].end.translation.z = 1e-3 * frame;
    rig.start = host.start;
    rig.end = host.end;
    rig.margin = host.margin;
    rig.obstacles[1].end = host.obstacles[1].end;

    std::vector<Contact> expected = host.detect(), found = rig.detect();
    CHECK(same_contacts(found, expected));
    for (const Contact& c : expected) self += c.key.body == c.key.other_body;
    all += expected.size();
    for (std::size_t b = 0; b < rest.size(); ++b)
      for (Vec3d& x : host.end[b]) x += random.vector(3e-3);
    rig.end = host.end;
    missed += host.scene->add_missed(host.frame(), expected);
    rig.scene->add_missed(rig.frame(), found);
    host.scene->add_inner(host.frame(), expected);
    rig.scene->add_inner(rig.frame(), found);
    CHECK(same_contacts(found, expected));
    host.carried.clear();
    for (std::size_t k = 0; k < expected.size(); k += 2)
      host.carried.push_back({expected[k].key, expected[k].frame.n, {}});
    std::sort(host.carried.begin(), host.carried.end(),
              [](const CarriedForce& a, const CarriedForce& b) { return a.key < b.key; });
    rig.carried = host.carried;
  }
  CHECK(all > 3000);
  CHECK(missed > 300);
  CHECK(self > 100);
}

void check_too_many(Device& device) {
  // Reaches over the whole sheet: hundreds of pairs a triangle, far more than the first lists hold.
  ModelBuilder builder;
  BodySpec sheet = test::sheet_body("sheet", test::sheet(6, 6, 0.01));
  sheet.transform.translation = {0, 0, 0.01};
  builder.add(sheet);
  sheet.name = "other";
  sheet.transform.translation = {0.003, 0.004, 0.02};
  builder.add(sheet);
  Rig host(builder.build()), rig(host.model);
  host.scene = std::make_unique<CollisionScene>(host.model.data(), host.bodies, Equals::by_numbers);
  rig.scene =
      std::make_unique<CollisionScene>(rig.model.data(), rig.bodies, Equals::by_numbers, borrowed(device));
  test::Random random(5);
  for (auto& body : host.start)
    for (Vec3d& x : body) x += random.vector(2e-3);
  host.end = rig.start = rig.end = host.start;
  host.margin = rig.margin = 0.2;
  const auto expected = host.detect();
  CHECK(expected.size() > 100);
  CHECK(same_contacts(rig.detect(), expected));
}

/// A sheet and a block as the broad phase gets them.
struct Placed {
  std::vector<std::shared_ptr<BodyPrecomputed>> bodies;
  Model model;
  std::vector<Surface> surfaces;
  std::vector<std::shared_ptr<const SurfaceTrees>> trees;
  std::vector<SurfaceState> states;

  static Model built() {
    ModelBuilder builder;
    builder.add(test::sheet_body("sheet", test::sheet(10, 10, 0.02)));
    builder.add(named_block("block", 2, 0.05, {0.03, 0.02, 5e-3}));
    return builder.build();
  }
  Placed() : model(built()) {
    for (const BodyData& body : model.data().bodies) {
      const std::vector<char> pinned(body.rest_position.size(), 0);
      bodies.push_back(precompute_body(body, pinned, 0.01, SolverSettings{}, 1e9));
      Surface surface;
      surface.topology = body_topology(body, *bodies.back());
      surface.body = static_cast<Index>(surfaces.size());
      surface.self_contact = surfaces.empty();
      trees.push_back(std::make_shared<SurfaceTrees>(*surface.topology));
      surfaces.push_back(surface);
    }
    states.resize(2);
  }
  void place(double noise, double inflation, const Vec3d& of_block) {
    test::Random random(17);
    for (std::size_t s = 0; s < 2; ++s) {
      const SurfaceTopology& t = *surfaces[s].topology;
      states[s].start.clear();
      for (const Vec3d& x : t.rest)
        states[s].start.push_back(x + random.vector(noise) + (s == 1 ? of_block : Vec3d{}));
      states[s].end = states[s].start;
      states[s].inflation = inflation;
      states[s].refit(t, *trees[s], inflation);
    }
  }
};

using Key = std::tuple<int, std::size_t, Index, std::size_t, Index>;

/// Candidates leave out only what is too far, and hold every pair whose nearest places are near enough.
void check_candidates(Device& device) {
  Placed placed;
  DeviceBroadPhase phase(borrowed(device), placed.surfaces, placed.trees, 2);
  std::size_t listed = 0;
  struct Case {
    double noise, inflation;
  };
  for (const Case& c : {Case{1e-4, 4e-3}, Case{3e-3, 4e-3}, Case{1e-4, 0.04}}) {  // the last: longer lists
    placed.place(c.noise, c.inflation, {});
    std::set<Key> found;
    for (const FeaturePair& pair : phase.find(placed.states)) {
      const bool edges = pair.first < 0;
      const auto first = edges ? phase.edge(-1 - pair.first) : phase.point(pair.first);
      const auto second = edges ? phase.edge(pair.second) : phase.triangle(pair.second);
      if (edges) CHECK(first.surface <= second.surface);
      Key key{edges, first.surface, first.number, second.surface, second.number};
      if (edges && first.surface == second.surface && first.number > second.number)
        key = {1, second.surface, second.number, first.surface, first.number};
      CHECK(found.insert(key).second);  // once
    }
    listed += found.size();
    std::size_t near = 0;
    bool all = true;
    const auto expect = [&](double distance, const Key& key) {
      if (distance > 2.0 * c.inflation - 1e-9) return;
      ++near;
      all = all && found.count(key) == 1;
    };
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t b = 0; b < 2; ++b) {
        if (a == 1 && b == 1) continue;  // the block does not meet itself
        const SurfaceTopology &s = *placed.surfaces[a].topology, &t = *placed.surfaces[b].topology;
        const auto &x = placed.states[a].start, &y = placed.states[b].start;
        for (const Index p : placed.trees[a]->points)
          for (Index f = 0; f < static_cast<Index>(t.triangles.size()); ++f) {
            const Triangle& v = t.triangles[f];
            if (a == b && (v[0] == p || v[1] == p || v[2] == p)) continue;
            const auto place = closest_on_triangle(x[p], y[v[0]], y[v[1]], y[v[2]]);
            expect(norm(x[p] - triangle_point(place, y[v[0]], y[v[1]], y[v[2]])), {0, a, p, b, f});
          }
        if (a > b) continue;
        for (Index d = 0; d < static_cast<Index>(s.edges.size()); ++d)
          for (Index e = a == b ? d + 1 : 0; e < static_cast<Index>(t.edges.size()); ++e) {
            const auto &p = s.edges[d].point, &q = t.edges[e].point;
            if (a == b && (p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1])) continue;
            const auto n = closest_on_segments(x[p[0]], x[p[1]], y[q[0]], y[q[1]]);
            expect(norm(x[p[0]] + n.s * (x[p[1]] - x[p[0]]) - y[q[0]] - n.t * (y[q[1]] - y[q[0]])),
                   {1, a, d, b, e});
          }
      }
    CHECK(all);
    CHECK(near == found.size());  // nothing moves, so that candidates are the near ones
    CHECK(near > 100);
  }
  CHECK(listed > 16 * 300);  // of 300 triangles: more than the first lists hold
}

void check_upkeep(Device& device) {
  Placed placed;
  DeviceBroadPhase phase(borrowed(device), placed.surfaces, placed.trees, 2);
  placed.place(1e-4, 1e-3, {});
  phase.find(placed.states);
  CHECK(phase.builds() == 1);
  const QueueCounters before = phase.counters();
  const std::size_t near = phase.find(placed.states).size();
  CHECK(phase.builds() == 1);
  CHECK(phase.counters().waits - before.waits == 2);
  placed.place(3e-2, 1e-3, {});  // crumpled: boxes grow over each other, the next look builds anew
  phase.find(placed.states);
  phase.find(placed.states);
  CHECK(phase.builds() == 2);
  phase.find(placed.states);
  CHECK(phase.builds() == 2);
  placed.place(1e-4, 1e-3, {});
  CHECK(phase.find(placed.states).size() == near);
  placed.place(1e-4, 1e-3, {0, 0, 5.0});  // nothing is near: lists may be empty
  const std::size_t apart = phase.find(placed.states).size();
  CHECK(apart < near);
}

}  // namespace

SINEW_DEVICE_TEST("contacts by candidates of a device are the host's", check_contacts)
SINEW_DEVICE_TEST("lists of candidates grow", check_too_many)
SINEW_DEVICE_TEST("candidates are the features that come near", check_candidates)
SINEW_DEVICE_TEST("a tree of boxes is refit, and built anew when worn", check_upkeep)
