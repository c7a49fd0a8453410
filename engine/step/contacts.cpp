// Contacts of a frame: detection, islands of bodies that touch, and their problems. Forces:
// contact_forces.cpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/contact/recorded_problem.hpp"
#include "engine/step/stepper.hpp"

namespace sinew {

namespace {

constexpr double kSurfaceMargin = 0.01;  // of the smallest body
constexpr double kDriftMargin = 2.2;  // times the drift of the last frame: detection then holds for the frame

/// False where nothing that the contact could move is free.
bool has_free_term(const Contact& contact, const std::vector<BodyFrame>& bodies) {
  return std::any_of(contact.term.begin(), contact.term.begin() + contact.count,
                     [&](const ContactTerm& t) { return t.node < bodies[t.body].precomputed->free_count; });
}

/// True where the whole body leaves an analytic obstacle that holds most of it: then its points do so in one
/// direction, and edges and triangles with ideas of their own would press it flat.
bool leaves_as_one(const Contact& contact, const std::vector<BodyFrame>& bodies) {
  if (contact.key.obstacle < 0 || contact.key.feature == ContactFeature::point_shape ||
      contact.key.feature == ContactFeature::node_shape)
    return false;
  const std::vector<ExitDirection>& exits = bodies[contact.key.body].detect.exits;
  return !exits.empty() && exits[contact.key.obstacle].has_value();
}

/// The same contact but for the feature of side b: a point that slid on to the next triangle.
auto without_feature_b(const ContactKey& key) {
  return std::tuple(key.body, key.feature, key.feature_a, key.other_body, key.obstacle);
}

}  // namespace

// 2. Contacts around the predicted path, with the forces of the last frame as first guess.
void Stepper::detect() {
  for (Island& island : contacts_.islands) {
    island.sweeps = island.newton_steps = island.products = 0;
    island.columns = 0;
    island.converged = true;
    island.gives = island.gives_early = false;
    island.missed = island.used_up = 0;
    island.in_vain = 0.0;
    island.exact = false;
    island.contacts_solved = 0;
    island.step_length = 1.0;
    island.rows.clear();
    island.contacts.clear();
  }
  contacts_.handles = state_.handles;
  std::vector<Contact>& contacts = contacts_.contacts;
  contacts.clear();
  if (may_collide()) {
    for_each(bodies_.size(), 1, [&](std::size_t b) { detect_points(b); });
    contacts_.longest_move = 0.0;
    for (const BodyFrame& f : bodies_) {
      contacts.insert(contacts.end(), f.found.begin(), f.found.end());
      contacts_.longest_move = std::max(contacts_.longest_move, f.longest_move);
    }
    contacts_.expected_drift = 0.0;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      contacts_.expected_drift =
          std::max(contacts_.expected_drift, largest_squared(bodies_[b], state_.bodies[b].correction));
    contacts_.expected_drift = kDriftMargin * std::sqrt(contacts_.expected_drift);
    for (BodyFrame& f : bodies_) f.detected = f.position.host();
    if (input_.collision) {
      const CollisionFrame frame = collision_frame(&BodyFrame::position);
      contacts_.surface_margin = frame.margin;
      input_.collision->detect(frame, contacts);
    }
    drop_void();
    std::stable_sort(contacts.begin(), contacts.end(),
                     [](const Contact& a, const Contact& b) { return a.key < b.key; });
  }
  warm_start();
  form_islands();
}

/// Contacts that can move nothing, or would work against a weld or a way out.
void Stepper::drop_void() {
  std::erase_if(contacts_.contacts, [&](const Contact& c) {
    return !has_free_term(c, bodies_) || is_welded(contacts_.handles, c) || leaves_as_one(c, bodies_);
  });
}

/// Points of a body against analytic obstacles.
void Stepper::detect_points(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const std::vector<Vec3d>&start = state_.bodies[b].position.host(), &position = f.position.host();
  f.longest_move = 0.0;
  for (Index i = 0; i < f.precomputed->node_count; ++i)
    f.longest_move = std::max(f.longest_move, squared_norm(position[i] - start[i]));
  f.longest_move = std::sqrt(f.longest_move);
  // Neighbours are pushed by about the motion of the frame; whoever is missed is added in the iterations.
  f.detect.body = static_cast<Index>(b);
  f.detect.margin = settings_.contact.margin + 0.5 * f.longest_move;
  f.detect.thickness = input_.model->bodies[b].shape_thickness;
  f.detect.max_depenetration = settings_.contact.max_depenetration_speed * h();
  f.detect.friction = &input_.friction;
  f.detect.exits = exit_directions(*f.precomputed, input_.obstacles, start.data());
  f.found.clear();
  detect_contacts(*f.precomputed, input_.obstacles, start.data(), position.data(), f.detect, f.found);
}

CollisionFrame Stepper::collision_frame(Mirrored<Vec3d> BodyFrame::*position) const {
  CollisionFrame frame;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    frame.start.push_back(state_.bodies[b].position.host().data());
    smallest = std::min(smallest, input_.model->bodies[b].diagonal);
  }
  frame.end = places(position);
  frame.obstacles = &input_.obstacles;
  // As for points; but surfaces pair up around every point, so that there is a limit.
  frame.margin =
      settings_.contact.margin +
      std::min(std::max(0.5 * contacts_.longest_move, contacts_.expected_drift), kSurfaceMargin * smallest);
  frame.max_depenetration = settings_.contact.max_depenetration_speed * h();
  frame.friction = &input_.friction;
  frame.carried = &state_.carried;
  return frame;
}

/// How far [m] a node is from where detection looked for it.
double Stepper::drift(const std::vector<const Vec3d*>& place) const {
  double farthest = 0.0;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (std::size_t i = 0; i < bodies_[b].detected.size(); ++i)
      farthest = std::max(farthest, squared_norm(place[b][i] - bodies_[b].detected[i]));
  return std::sqrt(farthest);
}

void Stepper::warm_start() {
  const std::vector<CarriedForce>& carried = state_.carried;
  contacts_.force.assign(contacts_.contacts.size(), Vec3d{});
  std::vector<char> used(carried.size(), 0);
  const auto take = [&](std::size_t c, std::size_t k) {
    used[k] = 1;
    const Contact& contact = contacts_.contacts[c];
    const double normal = std::max(0.0, dot(carried[k].force, carried[k].normal));
    const Vec3d tangential = carried[k].force - dot(carried[k].force, contact.frame.n) * contact.frame.n;
    const double size = norm(tangential), limit = contact.friction * normal;
    contacts_.force[c] = normal * contact.frame.n + (size > limit ? limit / size : 1.0) * tangential;
  };
  std::vector<std::size_t> unmatched;
  std::size_t k = 0;
  for (std::size_t c = 0; c < contacts_.contacts.size(); ++c) {
    const ContactKey& key = contacts_.contacts[c].key;
    while (k < carried.size() && carried[k].key < key) ++k;
    if (k < carried.size() && carried[k].key == key)
      take(c, k);
    else if (key.feature == ContactFeature::point_triangle)
      unmatched.push_back(c);
  }
  for (const std::size_t c : unmatched) {
    const auto prefix = without_feature_b(contacts_.contacts[c].key);
    auto place = std::lower_bound(
        carried.begin(), carried.end(), prefix,
        [](const CarriedForce& force, const auto& value) { return without_feature_b(force.key) < value; });
    for (; place != carried.end() && without_feature_b(place->key) == prefix; ++place) {
      const std::size_t at = static_cast<std::size_t>(place - carried.begin());
      if (used[at]) continue;
      take(c, at);
      break;
    }
  }
}

/// Bodies that share a contact or a handle belong together; in contact, a body without a free node links
/// nobody.
void Stepper::form_islands() {
  std::vector<std::size_t>& root = contacts_.island_of;
  root.resize(bodies_.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t b) {
    while (root[b] != b) b = root[b] = root[root[b]];
    return b;
  };
  const auto unite = [&](std::size_t a, std::size_t b) {
    const std::size_t low = std::min(find(a), find(b)), high = std::max(find(a), find(b));
    root[high] = low;
  };
  for (const Contact& contact : contacts_.contacts) {
    std::size_t first = bodies_.size();
    for (Index k = 0; k < contact.count; ++k) {
      const std::size_t b = static_cast<std::size_t>(contact.term[k].body);
      if (bodies_[b].precomputed->free_count == 0) continue;
      if (first == bodies_.size()) first = b;
      unite(first, b);
    }
  }
  link_bodies(contacts_.handles, [&](Index a, Index b) { unite(a, b); });
  contacts_.roots.clear();
  contacts_.islands.resize(bodies_.size());
  for (Island& island : contacts_.islands) {
    island.bodies_before.swap(island.bodies);
    island.bodies.clear();
    island.contacts_before.swap(island.contacts);
    island.contacts.clear();
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    root[b] = find(b);
    if (root[b] == b) contacts_.roots.push_back(b);
    contacts_.islands[root[b]].bodies.push_back(b);
  }
  for (std::size_t c = 0; c < contacts_.contacts.size(); ++c) {
    const Contact& contact = contacts_.contacts[c];
    Index k = 0;  // a term of a body that can move
    while (bodies_[contact.term[k].body].precomputed->free_count == 0) ++k;
    contacts_.islands[root[contact.term[k].body]].contacts.push_back(c);
  }
  for (Island& island : contacts_.islands)
    island.changed = island.contacts != island.contacts_before || island.bodies != island.bodies_before;
}

// 3. Rows, Gram matrix, frames, warm start.
void Stepper::set_up_problem(Island& island) {
  island.rows.clear();
  for (const std::size_t c : island.contacts)
    island.rows.add(contacts_.contacts[c].term.data(), contacts_.contacts[c].count);
  set_up_handles(island);
  ContactProblem& problem = island.problem;
  if (island.rows.size() == 0) {
    problem.resize(0);
    return;
  }
  std::vector<const BodyPrecomputed*> precomputed;
  for (const BodyFrame& f : bodies_) precomputed.push_back(f.precomputed);
  const double share = static_cast<double>(island.bodies.size()) / static_cast<double>(bodies_.size());
  const double limit = share * input_.memory_limit;
  if (wants_operator(settings_.contact.delassus, island.rows.size(), limit)) {
    if (!island.matrix_free) island.matrix_free = std::make_unique<MatrixFreeDelassus>();
    island.matrix_free->set(island.rows, precomputed);
    island.gram.reset();
    island.elimination_used = false;  // it reads entries; the solver takes held points as they are
  } else if (wants_gram_on_device(island)) {
    island.matrix_free = nullptr;
    island.gram.reset();
    problem.gram.clear();
    const std::scoped_lock lock(input_.compliance->mutex);
    island.columns +=
        island.device_gram.assemble(*queue_of(island), island.rows, precomputed, input_.compliance->tables);
  } else {
    island.matrix_free = nullptr;
    island.device_gram.reset();
    island.columns +=
        island.gram.assemble(island.rows, precomputed, settings_.contact.delassus, limit, problem.gram);
  }
  problem.matrix_free = island.matrix_free.get();
  problem.device_gram = {};
  if (!problem.matrix_free && problem.gram.empty()) {
    problem.device_gram = island.device_gram.entries();
    problem.gram_diagonal = island.device_gram.diagonal();
  }
  problem.resize(island.rows.size());
  problem.squared_step = h() * h();
  for (std::size_t i = 0; i < island.contacts.size(); ++i) {
    const Contact& contact = contacts_.contacts[island.contacts[i]];
    problem.frame[i] = contact.frame;
    problem.friction[i] = contact.friction;
    problem.force[i] = contacts_.force[island.contacts[i]];
  }
  set_mass_gram(island);
  if (island.elimination_used) island.elimination.prepare(problem, island.reduced);
}

DeviceQueue* Stepper::queue_of(const Island& island) const {
  for (const std::size_t b : island.bodies)
    if (bodies_[b].device) return &bodies_[b].device->queue();
  return nullptr;
}

/// Where the solver runs there and nobody else reads entries: handles do, and who records problems.
bool Stepper::wants_gram_on_device(const Island& island) const {
  const ContactSettings& c = settings_.contact;
  const bool solver =
      c.solver == ContactSolver::gs || c.solver == ContactSolver::nsn || c.solver == ContactSolver::nsn_gs;
  const bool way = c.delassus == DelassusWay::automatic || c.delassus == DelassusWay::cache;
  if (!solver || !way || !queue_of(island) || island.handles.size() > 0 || ContactRecorder::current())
    return false;
  return std::all_of(island.bodies.begin(), island.bodies.end(), [&](std::size_t b) {
    return bodies_[b].precomputed->free_count == 0 || solves_on_device(bodies_[b]);
  });
}

/// (B M^-1 B^T)_cc of the free nodes, with M as it stands in A_s.
void Stepper::set_mass_gram(Island& island) const {
  std::vector<double>& gram = island.problem.mass_gram;
  gram.clear();
  if (settings_.contact.nsn.scaling != RowScaling::mass) return;
  gram.resize(island.rows.size());
  for (std::size_t r = 0; r < gram.size(); ++r) {
    for (std::size_t k = island.rows.start[r]; k < island.rows.start[r + 1]; ++k) {
      const ContactTerm& term = island.rows.term[k];
      const BodyPrecomputed& p = *bodies_[term.body].precomputed;
      if (term.node < p.free_count)
        gram[r] += term.weight * term.weight / ((1.0 + h() * p.alpha) * p.mass[term.node]);
    }
  }
}

/// Rows of the handles behind those of the contacts.
void Stepper::set_up_handles(Island& island) {
  ContactProblem& problem = island.problem;
  HandleRows& handles = island.handles;
  handles.clear();
  problem.law.clear();
  problem.held_compliance.clear();
  problem.scalar.clear();
  island.elimination_used = false;
  if (contacts_.handles.empty()) return;
  HandleBodies bodies;
  std::vector<char> takes_part(bodies_.size(), 0);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bodies.free_count.push_back(bodies_[b].precomputed->free_count);
    bodies.position.push_back(state_.bodies[b].position.host().data());
  }
  for (const std::size_t b : island.bodies) takes_part[b] = 1;
  collect_handle_rows(contacts_.handles, input_.end_time, bodies, takes_part, handles);
  if (handles.size() == 0) return;
  const std::size_t first = island.contacts.size(), count = first + handles.size();
  problem.law.assign(count, PointLaw::contact);
  problem.held_compliance.assign(count, 0.0);
  problem.frame.resize(count);  // not the Gram matrix: the assembler reuses it as it stands
  problem.friction.resize(count);
  problem.force.resize(count);
  for (std::size_t p = 0; p < handles.size(); ++p) {
    island.rows.add(handles.term.data() + handles.start[p], handles.start[p + 1] - handles.start[p]);
    problem.law[first + p] = handles.law[p];
    problem.held_compliance[first + p] = handles.compliance[p];
    problem.frame[first + p] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    problem.friction[first + p] = 0.0;
    problem.force[first + p] = handles.force[p];
    island.elimination_used = island.elimination_used || handles.law[p] == PointLaw::held;
  }
  problem.scalar = handles.scalar;
  for (ScalarRow& row : problem.scalar)
    for (ScalarRow::Entry& e : row.entry) e.point += static_cast<Index>(first);
}

/// The body of all points that the row acts on, or nothing.
std::optional<std::size_t> Stepper::only_body(const Island& island, const ScalarRow& row) const {
  std::optional<std::size_t> body;
  for (const ScalarRow::Entry& e : row.entry)
    for (std::size_t k = island.rows.start[e.point]; k < island.rows.start[e.point + 1]; ++k) {
      const std::size_t b = island.rows.term[k].body;
      if (body && *body != b) return {};
      body = b;
    }
  return body;
}

/// Turns the directions of cables to where their points are now. What that does to the residual belongs to
/// the change of the Lagrangian's gradient over the last step, where the cable runs through one body alone:
/// under tension it is what keeps a compressed finger from buckling, and pairs that do not know it see next
/// to no stiffness (steps then grew by a fifth from iteration to iteration, with changing sign). Where other
/// bodies or places in the world have turned it, it would spoil the pairs: it is taken out again.
void Stepper::linearise(Island& island) {
  if (island.handles.cable.empty()) return;
  linearise_cables(island.handles, places(island, &BodyFrame::position));
  const double h2 = h() * h();
  std::vector<std::vector<Vec3d>> foreign(bodies_.size());
  for (std::size_t s = 0; s < island.problem.scalar.size(); ++s) {
    ScalarRow& row = island.problem.scalar[s];
    row.offset = island.handles.scalar[s].offset;
    const bool own = only_body(island, row).has_value();
    for (std::size_t e = 0; e < row.entry.size(); ++e) {
      ScalarRow::Entry& entry = row.entry[e];
      const Vec3d turned = entry.direction;
      entry.direction = island.handles.scalar[s].entry[e].direction;
      const Vec3d change = (h2 * row.force) * (entry.direction - turned);
      for (std::size_t k = island.rows.start[entry.point]; k < island.rows.start[entry.point + 1]; ++k) {
        const ContactTerm& term = island.rows.term[k];
        BodyFrame& f = bodies_[term.body];
        if (!f.has_step || term.node >= f.precomputed->free_count) continue;
        if (own) {
          f.gradient_change.edit()[term.node] -= term.weight * change;
          continue;
        }
        foreign[term.body].resize(f.inverse_before.size());
        foreign[term.body][term.node] += term.weight * change;
      }
    }
  }
  gather_forces(island);
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    if (!f.has_step || foreign[b].empty()) continue;
    solve_alone(f, foreign[b]);
    std::vector<Vec3d>& inverse = f.inverse_before.edit();
    for (std::size_t i = 0; i < foreign[b].size(); ++i) inverse[i] -= foreign[b][i];
  }
}

std::vector<const Vec3d*> Stepper::places(Mirrored<Vec3d> BodyFrame::*position) const {
  std::vector<const Vec3d*> result;
  for (const BodyFrame& f : bodies_) result.push_back((f.active ? f.*position : f.position).host().data());
  return result;
}

std::vector<const Vec3d*> Stepper::places(const Island& island, Mirrored<Vec3d> BodyFrame::*position) const {
  std::vector<const Vec3d*> result(bodies_.size(), nullptr);
  for (std::size_t b = 0; b < bodies_.size(); ++b)  // held as a whole: part of no island that it touches
    if (bodies_[b].precomputed->free_count == 0) result[b] = bodies_[b].position.host().data();
  for (const std::size_t b : island.bodies) {
    const BodyFrame& f = bodies_[b];
    result[b] = (f.active ? f.*position : f.position).host().data();
  }
  return result;
}

bool Stepper::add_contacts(Mirrored<Vec3d> BodyFrame::*position, bool last) {
  if (!may_collide()) return false;
  std::vector<Contact>& contacts = contacts_.contacts;
  const std::vector<const Vec3d*> place = places(position);
  for (BodyFrame& f : bodies_) f.known.assign(f.precomputed->points.size() * input_.obstacles.size(), 0);
  for (const Contact& contact : contacts)
    if (contact.key.feature == ContactFeature::point_shape) {
      BodyFrame& f = bodies_[contact.key.body];
      f.known[point_index(*f.precomputed, contact.key.feature_a) * input_.obstacles.size() +
              contact.key.obstacle] = 1;
    }
  for_each(bodies_.size(), 1, [&](std::size_t b) {
    BodyFrame& f = bodies_[b];
    f.found.clear();
    detect_missed_contacts(*f.precomputed, input_.obstacles, state_.bodies[b].position.host().data(),
                           place[b], f.detect, f.known, f.found);
  });
  const std::size_t before = contacts.size();
  for (const BodyFrame& f : bodies_) contacts.insert(contacts.end(), f.found.begin(), f.found.end());
  if (last) add_inner_contacts(place);
  // On the way, pairs without a contact are trusted to be further apart than the margin, until nodes have
  // gone half as far since pairs were looked at; where a step may be the last, they always are.
  if (input_.collision && (last || 2.0 * drift(place) > contacts_.surface_margin)) {
    const CollisionFrame frame = collision_frame(position);
    input_.collision->add_missed(frame, contacts);
    if (last) input_.collision->add_inner(frame, contacts);
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      bodies_[b].detected.assign(place[b], place[b] + bodies_[b].detected.size());
    drop_void();
  }
  if (contacts.size() == before) return false;
  contacts_.force.resize(contacts.size(), Vec3d{});
  form_islands();
  for (const std::size_t root : contacts_.roots) {
    Island& island = contacts_.islands[root];
    if (!island.changed) continue;
    set_up_problem(island);
    linearise(island);
    gather_forces(island);
  }
  return true;
}

/// Nodes inside solids that are beyond an analytic obstacle and have no contact there yet.
void Stepper::add_inner_contacts(const std::vector<const Vec3d*>& place) {
  std::vector<Contact>& contacts = contacts_.contacts;
  std::vector<ContactKey> known;
  for (const Contact& contact : contacts)
    if (contact.key.feature == ContactFeature::node_shape) known.push_back(contact.key);
  std::sort(known.begin(), known.end());
  for_each(bodies_.size(), 1, [&](std::size_t b) {
    BodyFrame& f = bodies_[b];
    f.found.clear();
    detect_inner_contacts(*f.precomputed, input_.obstacles, state_.bodies[b].position.host().data(), place[b],
                          f.detect, f.found);
    std::erase_if(f.found, [&](const Contact& contact) {
      return std::binary_search(known.begin(), known.end(), contact.key);
    });
  });
  for (const BodyFrame& f : bodies_) contacts.insert(contacts.end(), f.found.begin(), f.found.end());
}

/// A body whose work was done, and that was run into: its free step, made alone.
void Stepper::activate(std::size_t b) {
  BodyFrame& f = bodies_[b];
  if (f.active || f.precomputed->free_count == 0) return;
  f.active = true;
  f.inverse_residual = f.residual_vector;
  solve_alone(f, f.inverse_residual);
  free_step(b);
  move_to(f, f.direction, 1.0);
}

}  // namespace sinew
