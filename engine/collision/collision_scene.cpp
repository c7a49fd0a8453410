#include "engine/collision/collision_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "engine/collision/device_broad_phase.hpp"
#include "engine/collision/join_contacts.hpp"
#include "engine/collision/meet_features.hpp"
#include "engine/collision/narrow_phase.hpp"
#include "engine/collision/patch_shape.hpp"
#include "engine/collision/surface_tests.hpp"

namespace sinew {

struct CollisionScene::Parts {
  std::vector<Surface> surfaces;  ///< of bodies in order, then of obstacles that have one
  std::vector<std::shared_ptr<const SurfaceTrees>> trees;  ///< {surfaces}
  std::vector<SurfaceState> states;                        ///< {surfaces}, of the frame
  std::size_t body_surfaces = 0;
  std::vector<Surface> inner;              ///< {body_surfaces}: the nodes inside solids
  std::vector<SurfaceState> inner_states;  ///< {body_surfaces}
  bool shapes = false;                     ///< there are spheres, capsules, cylinders or boxes

  Equals equals = Equals::first_found;
  std::unique_ptr<DeviceBroadPhase> on_device;   ///< null: pairs are found here
  std::vector<std::vector<FoundContact>> lists;  ///< scratch, by task

  /// Who starts inside whom, {pair of surfaces}{side}: the same in all looks of a frame.
  std::map<std::pair<std::size_t, std::size_t>, std::array<std::vector<char>, 2>> inside;
  std::vector<std::vector<Vec3d>> inside_start;  ///< {surfaces} [m] where they started then

  PresentSurface present(const std::vector<SurfaceState>& in, std::size_t s) const {
    return {&surfaces[s], surfaces[s].topology.get(), trees[s].get(), &in[s]};
  }
  /// Boxes hold the surfaces' offsets and the margin [m]; without one, the bare surfaces.
  void place(const std::vector<const Vec3d*>& start, const std::vector<const Vec3d*>& end,
             const std::vector<ObstacleFrame>& obstacles, std::optional<double> margin,
             std::vector<SurfaceState>& out) const;
  /// visit(a, b): pairs of surfaces whose boxes overlap, a of a body.
  template <class Visit>
  void for_each_pair(const std::vector<SurfaceState>& in, bool self, Visit&& visit) const;
  void find_flat_patches(std::size_t s);
  void meet(const CollisionFrame& frame, DetectMode mode, std::vector<FoundContact>& found);
  void meet_inner(const CollisionFrame& frame, std::vector<FoundContact>& found);
  static void meet_faces(const NarrowPhase& narrow, const PresentSurface& a, Index f, const PresentSurface& b,
                         Index g, std::vector<FoundContact>& found);
  /// Who is inside whom is known, ways out are appended.
  NarrowPhase prepare(std::size_t a, std::size_t b, const CollisionFrame& frame, DetectMode mode,
                      std::vector<FoundContact>& found);
  void meet_pair(std::size_t a, std::size_t b, const NarrowPhase& narrow, std::vector<FoundContact>& found);
};

CollisionScene::CollisionScene(const ModelData& model,
                               const std::vector<std::shared_ptr<BodyPrecomputed>>& bodies, Equals equals,
                               std::shared_ptr<Device> device)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.equals = equals;
  const auto add = [&](Surface surface, std::shared_ptr<const SurfaceTrees> trees) {
    p.surfaces.push_back(std::move(surface));
    p.trees.push_back(std::move(trees));
  };
  std::map<const BodyPrecomputed*, std::size_t> known;  // instances share topology and trees
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyData& data = model.bodies[b];
    Surface surface;
    std::shared_ptr<const SurfaceTrees> trees;
    const auto same = known.find(bodies[b].get());
    if (same != known.end()) {
      surface.topology = p.surfaces[same->second].topology;
      trees = p.trees[same->second];
      p.inner.push_back(p.inner[same->second]);
    } else {
      surface.topology = body_topology(data, *bodies[b]);
      trees = std::make_shared<SurfaceTrees>(*surface.topology);
      p.inner.emplace_back();
      p.inner.back().topology = inner_topology(data, *bodies[b]);
      known[bodies[b].get()] = p.surfaces.size();
    }
    surface.body = static_cast<Index>(b);
    surface.offset = data.contact_thickness;
    surface.shape_offset = data.shape_thickness;
    surface.self_contact = data.self_contact;
    Surface& inner = p.inner.back();
    inner.body = surface.body;
    inner.offset = surface.offset;
    inner.inner = true;
    add(std::move(surface), std::move(trees));
  }
  p.body_surfaces = p.surfaces.size();
  for (std::size_t o = 0; o < model.obstacles.size(); ++o) {
    const ObstacleShape& shape = model.obstacles[o].shape;
    p.shapes = p.shapes ||
               (!std::holds_alternative<MeshShape>(shape) && !std::holds_alternative<HalfSpaceShape>(shape));
    Surface surface;
    surface.topology = obstacle_topology(model.obstacles[o]);
    if (!surface.topology) continue;
    surface.obstacle = static_cast<Index>(o);
    surface.analytic = !std::holds_alternative<MeshShape>(shape);
    if (!surface.analytic) surface.offset = std::get<MeshShape>(shape).thickness;
    auto trees = std::make_shared<SurfaceTrees>(*surface.topology);
    add(std::move(surface), std::move(trees));
  }
  p.states.resize(p.surfaces.size());
  p.inner_states.resize(p.inner.size());
  if (device)
    p.on_device = std::make_unique<DeviceBroadPhase>(std::move(device), p.surfaces, p.trees, p.body_surfaces);
}

CollisionScene::~CollisionScene() = default;
CollisionScene::CollisionScene(CollisionScene&&) noexcept = default;
CollisionScene& CollisionScene::operator=(CollisionScene&&) noexcept = default;

void CollisionScene::Parts::place(const std::vector<const Vec3d*>& start,
                                  const std::vector<const Vec3d*>& end,
                                  const std::vector<ObstacleFrame>& obstacles, std::optional<double> margin,
                                  std::vector<SurfaceState>& out) const {
  out.resize(surfaces.size());
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const Surface& surface = surfaces[s];
    const SurfaceTopology& t = *surface.topology;
    SurfaceState& state = out[s];
    const double inflation = margin ? std::max(surface.offset, surface.shape_offset) + 0.5 * *margin : 0.0;
    state.start.resize(t.points.size());
    state.end.resize(t.points.size());
    if (surface.body >= 0) {
      state.inflation = inflation;
      const Vec3d *from = start[surface.body], *to = end[surface.body];
      for_each(t.points.size(), 1024, [&](std::size_t k) {
        state.start[k] = point_position(t.points[k], from);
        state.end[k] = point_position(t.points[k], to);
      });
    } else {
      const ObstacleFrame& frame = obstacles[surface.obstacle];
      if (state.stands(frame.start, frame.end, inflation)) continue;
      for_each(t.points.size(), 1024, [&](std::size_t k) {
        state.start[k] = frame.start.apply(t.rest[k]);
        state.end[k] = frame.end.apply(t.rest[k]);
      });
    }
    state.refit(t, *trees[s], inflation);
  }
}

template <class Visit>
void CollisionScene::Parts::for_each_pair(const std::vector<SurfaceState>& in, bool self,
                                          Visit&& visit) const {
  for (std::size_t a = 0; a < body_surfaces; ++a)
    for (std::size_t b = a; b < surfaces.size(); ++b)
      if (a == b ? self : in[a].box.overlaps(in[b].box)) visit(a, b);
}

void CollisionScene::Parts::find_flat_patches(std::size_t s) {
  // Triangles without a common corner are a triangle's height apart at rest, and self-contact asks for at
  // most 0.9 of the rest distance.
  const FlatRest& flat = trees[s]->flat;
  const double share = std::clamp(2.0 * surfaces[s].offset / std::max(flat.lowest, 1e-300), 0.5, 0.9);
  sinew::find_flat_patches(flat, *surfaces[s].topology, trees[s]->faces, states[s].start, states[s].end,
                           share, states[s].faces.apart);
}

/// Points and edges that belong to two triangles whose boxes overlap.
void CollisionScene::Parts::meet_faces(const NarrowPhase& narrow, const PresentSurface& a, Index f,
                                       const PresentSurface& b, Index g, std::vector<FoundContact>& found) {
  const auto points = [&](const PresentSurface& s, Index own, const PresentSurface& t, Index face,
                          bool swapped) {
    const Box& box = t.state->face_way[face];
    for (Index k = s.trees->point_start[own]; k < s.trees->point_start[own + 1]; ++k) {
      const Index p = s.trees->own_point[k];
      if (s.state->way[p].overlaps(box)) narrow.point_face(p, face, swapped, found);
    }
  };
  if (!b.surface->analytic) points(a, f, b, g, false);
  points(b, g, a, f, !narrow.self());
  for (Index k = a.trees->edge_start[f]; k < a.trees->edge_start[f + 1]; ++k) {
    const Index d = a.trees->own_edge[k];
    const Box& box = a.state->edge_way[d];
    if (!box.overlaps(b.state->face_way[g])) continue;
    for (Index m = b.trees->edge_start[g]; m < b.trees->edge_start[g + 1]; ++m) {
      const Index e = b.trees->own_edge[m];
      if (box.overlaps(b.state->edge_way[e])) narrow.edge_edge(d, e, found);
    }
  }
}

NarrowPhase CollisionScene::Parts::prepare(std::size_t a, std::size_t b, const CollisionFrame& frame,
                                           DetectMode mode, std::vector<FoundContact>& found) {
  const PresentSurface pa = present(states, a), pb = present(states, b);
  NarrowPhase narrow(pa, pb, frame, mode);
  if (narrow.self()) return narrow;
  auto known = inside.find({a, b});
  if (known == inside.end())
    known = inside.insert({{a, b}, {points_inside(pa, pb), points_inside(pb, pa)}}).first;
  narrow.a_inside = known->second[0];
  narrow.b_inside = known->second[1];
  if (mode == DetectMode::all)
    for (const bool swapped : {false, true}) {
      const std::vector<char>& within = swapped ? narrow.b_inside : narrow.a_inside;
      for (std::size_t k = 0; k < within.size(); ++k)
        if (within[k]) narrow.exit(static_cast<Index>(k), swapped, found);
    }
  return narrow;
}

void CollisionScene::Parts::meet_pair(std::size_t a, std::size_t b, const NarrowPhase& narrow,
                                      std::vector<FoundContact>& found) {
  const PresentSurface pa = present(states, a), pb = present(states, b);
  const Tree tree_a{pa.trees->faces, pa.state->faces}, tree_b{pb.trees->faces, pb.state->faces};
  const std::vector<NodePair> tasks = split_pairs(tree_a, tree_b, narrow.self());
  if (lists.size() < tasks.size()) lists.resize(tasks.size());
  for_each(tasks.size(), 1, [&](std::size_t k) {
    visit_pairs(tree_a, tree_b, narrow.self(), tasks[k],
                [&](Index f, Index g) { meet_faces(narrow, pa, f, pb, g, lists[k]); });
  });
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    found.insert(found.end(), lists[k].begin(), lists[k].end());
    lists[k].clear();
  }
}

void CollisionScene::Parts::meet(const CollisionFrame& frame, DetectMode mode,
                                 std::vector<FoundContact>& found) {
  static const std::vector<ObstacleFrame> kNone;
  const std::vector<ObstacleFrame>& obstacles = frame.obstacles ? *frame.obstacles : kNone;
  place(frame.start, frame.end, obstacles, mode == DetectMode::all ? frame.margin : 0.0, states);
  bool same = inside_start.size() == states.size();
  for (std::size_t s = 0; same && s < states.size(); ++s) same = states[s].start == inside_start[s];
  if (!same) {
    inside.clear();
    inside_start.resize(states.size());
    for (std::size_t s = 0; s < states.size(); ++s) inside_start[s] = states[s].start;
  }
  for (std::size_t s = 0; s < body_surfaces; ++s)
    if (surfaces[s].self_contact) find_flat_patches(s);
  std::vector<Meeting> meetings;
  for (std::size_t a = 0; a < body_surfaces; ++a)
    for (std::size_t b = a; b < surfaces.size(); ++b)
      if (a == b ? surfaces[a].self_contact : states[a].box.overlaps(states[b].box))
        meetings.push_back({{a, b}, prepare(a, b, frame, mode, found)});
  if (on_device) {
    if (!meetings.empty()) meet_features(*on_device, on_device->find(states), meetings, lists, found);
  } else {
    for (const Meeting& m : meetings) meet_pair(m.surface[0], m.surface[1], m.narrow, found);
  }
  if (!shapes) return;
  for (std::size_t a = 0; a < body_surfaces; ++a)
    for (std::size_t o = 0; o < obstacles.size(); ++o)
      find_patches(present(states, a), obstacles[o], static_cast<Index>(o), frame, mode, found);
}

/// Nodes inside solids against everything else that has faces; states are those of the last meet().
void CollisionScene::Parts::meet_inner(const CollisionFrame& frame, std::vector<FoundContact>& found) {
  for (std::size_t a = 0; a < body_surfaces; ++a) {
    const SurfaceTopology& t = *inner[a].topology;
    if (t.points.empty()) continue;
    SurfaceState& state = inner_states[a];
    Box box;
    state.start.resize(t.points.size());
    state.end.resize(t.points.size());
    state.way.resize(t.points.size());
    for (std::size_t k = 0; k < t.points.size(); ++k) {
      state.start[k] = point_position(t.points[k], frame.start[a]);
      state.end[k] = point_position(t.points[k], frame.end[a]);
      state.way[k] = Box{};
      state.way[k].include(state.start[k]);
      state.way[k].include(state.end[k]);
      box.include(state.way[k]);
    }
    const PresentSurface nodes{&inner[a], &t, nullptr, &state};
    for (std::size_t b = 0; b < surfaces.size(); ++b) {
      if (a == b || surfaces[b].analytic || !box.overlaps(states[b].box)) continue;
      const NarrowPhase narrow(nodes, present(states, b), frame, DetectMode::missed);
      constexpr std::size_t kChunk = 64;
      const std::size_t chunks = (t.points.size() + kChunk - 1) / kChunk;
      if (lists.size() < chunks) lists.resize(chunks);
      for_each(chunks, 1, [&](std::size_t chunk) {
        for (std::size_t k = chunk * kChunk; k < std::min(t.points.size(), (chunk + 1) * kChunk); ++k)
          if (state.way[k].overlaps(states[b].box)) narrow.inner_node(static_cast<Index>(k), lists[chunk]);
      });
      for (std::size_t k = 0; k < chunks; ++k) {
        found.insert(found.end(), lists[k].begin(), lists[k].end());
        lists[k].clear();
      }
    }
  }
}

void CollisionScene::detect(const CollisionFrame& frame, std::vector<Contact>& contacts) {
  if (!frame.enabled) return;
  std::vector<FoundContact> found;
  parts_->meet(frame, DetectMode::all, found);
  join_contacts(found, parts_->equals, contacts);
}

std::size_t CollisionScene::add_missed(const CollisionFrame& frame, std::vector<Contact>& contacts) {
  if (!frame.enabled) return 0;
  std::vector<FoundContact> found;
  parts_->meet(frame, DetectMode::missed, found);
  drop_known(contacts, found);
  drop_covered(found, contacts, frame.end);
  const std::size_t before = contacts.size();
  join_contacts(found, parts_->equals, contacts);
  return contacts.size() - before;
}

std::size_t CollisionScene::add_inner(const CollisionFrame& frame, std::vector<Contact>& contacts) {
  if (!frame.enabled) return 0;
  std::vector<FoundContact> found;
  parts_->meet_inner(frame, found);
  drop_known(contacts, found);
  const std::size_t before = contacts.size();
  join_contacts(found, parts_->equals, contacts);
  return contacts.size() - before;
}

double CollisionScene::deepest_penetration(const std::vector<const Vec3d*>& position,
                                           const std::vector<ObstacleFrame>& obstacles) const {
  std::vector<ObstacleFrame> still = obstacles;
  for (ObstacleFrame& o : still) o.start = o.end;
  std::vector<SurfaceState> now;
  parts_->place(position, position, still, 0.0, now);
  double deepest = 0.0;
  parts_->for_each_pair(now, false, [&](std::size_t a, std::size_t b) {
    const PresentSurface pa = parts_->present(now, a), pb = parts_->present(now, b);
    deepest = std::max({deepest, deepest_point(pa, pb), deepest_point(pb, pa)});
  });
  return deepest;
}

std::size_t CollisionScene::count_intersections(const std::vector<const Vec3d*>& position,
                                                const std::vector<ObstacleFrame>& obstacles) const {
  std::vector<ObstacleFrame> still = obstacles;
  for (ObstacleFrame& o : still) o.start = o.end;
  std::vector<SurfaceState> now;
  parts_->place(position, position, still, std::nullopt, now);
  std::size_t count = 0;
  parts_->for_each_pair(now, true, [&](std::size_t a, std::size_t b) {
    if (parts_->surfaces[b].analytic) return;
    count += crossings(parts_->present(now, a), parts_->present(now, b));
  });
  return count;
}

}  // namespace sinew
