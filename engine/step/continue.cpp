#include "engine/step/continue.hpp"

#include <algorithm>
#include <cmath>

#include "engine/handles/carry_handles.hpp"

namespace sinew {

namespace {

/// Places in the new list by place in the old one; -1: gone.
using PlaceMap = std::vector<Index>;

/// Nodes and triangles mean the same; the shape may be another one.
bool same_topology(const BodyData& a, const BodyData& b) {
  const TetMesh &s = a.spec.mesh, &t = b.spec.mesh;
  return a.start_position.size() == b.start_position.size() && s.tets == t.tets &&
         s.surface.tet.size() == t.surface.tet.size() && a.surface_triangles == b.surface_triangles;
}

/// Bodies of the same name and topology.
PlaceMap same_bodies(const ModelData& from, const ModelData& to) {
  PlaceMap place(from.bodies.size(), -1);
  for (std::size_t a = 0; a < place.size(); ++a)
    for (std::size_t b = 0; b < to.bodies.size(); ++b)
      if (from.bodies[a].spec.name == to.bodies[b].spec.name && same_topology(from.bodies[a], to.bodies[b]))
        place[a] = static_cast<Index>(b);
  return place;
}

/// Numbers of points, edges and triangles mean the same.
bool same_features(const BodyData& a, const BodyData& b) {
  const EmbeddedSurface &s = a.spec.mesh.surface, &t = b.spec.mesh.surface;
  return a.surface_triangles == b.surface_triangles && a.spec.mesh.tets == b.spec.mesh.tets &&
         s.tet == t.tet && s.weights == t.weights;
}

bool same_features(const ObstacleSpec& a, const ObstacleSpec& b) {
  if (a.name != b.name || a.shape.index() != b.shape.index()) return false;
  const auto *s = std::get_if<MeshShape>(&a.shape), *t = std::get_if<MeshShape>(&b.shape);
  return !s || (s->mesh.points.size() == t->mesh.points.size() && s->mesh.triangles == t->mesh.triangles &&
                s->edges == t->edges && s->points == t->points);
}

PlaceMap same_obstacles(const ModelData& from, const ModelData& to) {
  PlaceMap place(from.obstacles.size(), -1);
  for (std::size_t a = 0; a < place.size(); ++a)
    for (std::size_t b = 0; b < to.obstacles.size(); ++b)
      if (same_features(from.obstacles[a], to.obstacles[b])) place[a] = static_cast<Index>(b);
  return place;
}

void carry_body(const BodyPrecomputed& from, const BodyState& old_body, const BodyPrecomputed& to,
                BodyState& body) {
  const std::vector<Vec3d>&position = old_body.position.host(), &velocity = old_body.velocity.host();
  std::vector<Vec3d>&new_position = body.position.edit(), &new_velocity = body.velocity.edit();
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Index at = to.to_internal[from.to_user[i]];
    new_position[at] = position[i];
    new_velocity[at] = velocity[i];
  }
}

/// Of the same A: the pairs of the quasi-Newton method, and how far the last frame ended off its prediction.
void carry_method(const BodyState& old_body, BodyState& body) {
  body.correction.host_new(old_body.correction.size()) = old_body.correction.host();
  body.history.restore(old_body.history.memory());
}

/// Bodies whose features have the same numbers, and obstacles.
struct ContactPlaces {
  PlaceMap body, obstacle;

  /// False where a side of a contact is gone.
  bool renumber(Index& a, Index& other_body, Index& over) const {
    const bool on_body = other_body >= 0, on_obstacle = over >= 0;
    a = body[a];
    if (on_body) other_body = body[other_body];
    if (on_obstacle) over = obstacle[over];
    return a >= 0 && (!on_body || other_body >= 0) && (!on_obstacle || over >= 0);
  }
};

std::vector<CarriedForce> carry_forces(const std::vector<CarriedForce>& forces, const ContactPlaces& places) {
  std::vector<CarriedForce> result;
  for (CarriedForce c : forces) {
    const ContactKey old = c.key;
    if (!places.renumber(c.key.body, c.key.other_body, c.key.obstacle)) continue;
    // Of two edges, side a is that of the lower body.
    const bool same_sides = old.feature != ContactFeature::edge_edge || old.other_body < 0 ||
                            (old.body <=> old.other_body) == (c.key.body <=> c.key.other_body);
    if (same_sides) result.push_back(c);
  }
  std::sort(result.begin(), result.end(),
            [](const CarriedForce& a, const CarriedForce& b) { return a.key < b.key; });
  return result;
}

void carry_outputs(const ContinuedSide& old_side, const FrameOutputs& old_outputs,
                   const ContinuedSide& new_side, const ContactPlaces& places, FrameOutputs& outputs) {
  for (ContactForce c : old_outputs.contacts)
    if (places.renumber(c.body, c.other_body, c.obstacle)) outputs.contacts.push_back(c);
  const std::vector<PinData>&old_pins = old_side.model.pins, &pins = new_side.model.pins;
  for (std::size_t a = 0; a < old_pins.size(); ++a)
    for (std::size_t b = 0; b < pins.size(); ++b)
      if (old_pins[a].spec.name == pins[b].spec.name) outputs.pin_reaction[b] = old_outputs.pin_reaction[a];
}

}  // namespace

void continue_run(const ContinuedSide& old_side, const State& old_state, const FrameOutputs& old_outputs,
                  const ContinuedSide& new_side, State& state, FrameOutputs& outputs) {
  const double old_step = old_side.settings.time_step, new_step = new_side.settings.time_step;
  state.frame = old_step == new_step
                    ? old_state.frame
                    : std::llround(static_cast<double>(old_state.frame) * old_step / new_step);
  const PlaceMap place = same_bodies(old_side.model, new_side.model);
  const auto old_pinned = pinned_nodes(old_side.model), pinned = pinned_nodes(new_side.model);
  const bool same_method = same_preparation(old_side.settings, new_side.settings);
  ContactPlaces contact_places{place, same_obstacles(old_side.model, new_side.model)};
  for (std::size_t a = 0; a < place.size(); ++a) {
    if (place[a] < 0) continue;
    const std::size_t b = static_cast<std::size_t>(place[a]);
    const BodyData &old_body = old_side.model.bodies[a], &body = new_side.model.bodies[b];
    carry_body(*old_side.precomputed[a], old_state.bodies[a], *new_side.precomputed[b], state.bodies[b]);
    if (same_method && same_precompute(old_body, old_pinned[a], body, pinned[b]))
      carry_method(old_state.bodies[a], state.bodies[b]);
    if (!same_features(old_body, body)) contact_places.body[a] = -1;
  }
  state.carried = carry_forces(old_state.carried, contact_places);
  carry_outputs(old_side, old_outputs, new_side, contact_places, outputs);
  for (std::size_t a = 0; a < old_state.moved.size(); ++a)
    for (std::size_t b = 0; b < state.moved.size(); ++b)
      if (old_side.model.obstacles[a].name == new_side.model.obstacles[b].name)
        state.moved[b] = old_state.moved[a];
  const auto at = [&](const ContactTerm& term) -> std::optional<ContactTerm> {
    const Index b = place[term.body];
    if (b < 0) return std::nullopt;
    const Index node = old_side.precomputed[term.body]->to_user[term.node];
    return ContactTerm{b, new_side.precomputed[b]->to_internal[node], term.weight};
  };
  state.handles = carry_handles(old_side.model.handles, old_state.handles, at, state.handles);
}

}  // namespace sinew
