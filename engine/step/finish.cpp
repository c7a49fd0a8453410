#include "engine/step/finish.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <sinew/errors.hpp>

#include "engine/contact/residuals.hpp"

namespace sinew {

namespace {

/// A node may move in one frame by this many times the size of its body, the way it was predicted to go and
/// the motion of the obstacles that it touches. Beyond, the frame has diverged.
constexpr double kDivergence = 10.0;

/// Contacts of every body, as places in the list.
std::vector<std::vector<std::size_t>> contacts_of_bodies(const FrameContacts& contacts, std::size_t bodies) {
  std::vector<std::vector<std::size_t>> of(bodies);
  for (std::size_t c = 0; c < contacts.contacts.size(); ++c) {
    const ContactKey& key = contacts.contacts[c].key;
    of[key.body].push_back(c);
    if (key.other_body >= 0 && key.other_body != key.body) of[key.other_body].push_back(c);
  }
  return of;
}

void check_convergence(const FrameInput& input, const State& state, std::size_t b, const BodyFrame& frame,
                       const FrameContacts& contacts, const std::vector<std::size_t>& own) {
  const std::vector<Vec3d>& before = state.bodies[b].position;
  const BodyData& body = input.model->bodies[b];
  double predicted = 0.0, moved = 0.0, pushed = 0.0;
  std::size_t farthest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    predicted = std::max(predicted, squared_norm(frame.predicted[i] - before[i]));
    const double distance = squared_norm(frame.position[i] - before[i]);
    if (distance > moved) {
      moved = distance;
      farthest = i;
    }
  }
  for (const auto& held : (*input.pinned)[b])
    predicted = std::max(predicted, squared_norm(frame.position[held.first] - before[held.first]));
  for (const std::size_t c : own) {
    const Contact& contact = contacts.contacts[c];
    pushed =
        std::max(pushed, norm(contact.obstacle_displacement) + norm(contact.start - contact.plane_point));
    // What a neighbour is predicted to do, it may do to this body.
    if (contact.key.other_body >= 0) pushed = std::max(pushed, contacts.longest_move);
  }
  const double bound = kDivergence * (body.diagonal + std::sqrt(predicted) + pushed);
  if (std::sqrt(moved) <= bound) return;
  const Index node = frame.precomputed->to_user[farthest];
  throw NumericalError(
      "frame " + std::to_string(state.frame + 1) + ", body '" + body.spec.name + "', node " +
          std::to_string(node) + ": diverged, it would move " + std::to_string(std::sqrt(moved)) +
          " m in one frame; reduce the time step, ask for more iterations, or look for obstacles "
          "that leave the body no room",
      static_cast<long>(state.frame), body.spec.name, -1);
}

void check_body(const FrameInput& input, const State& state, std::size_t b, const BodyFrame& frame) {
  for (const Vec3d& x : frame.position) {
    if (is_finite(x)) continue;
    const std::string& name = input.model->bodies[b].spec.name;
    const Index element = find_bad_element(*frame.precomputed, frame.position.data());
    throw NumericalError(
        "frame " + std::to_string(state.frame + 1) + ", body '" + name + "', element " +
            std::to_string(element) +
            ": not a finite position at the end; reduce the time step, or the forces and speeds",
        static_cast<long>(state.frame), name, element);
  }
}

/// Forces with a natural-map residual above this share of the body's size are no guess for the next frame:
/// contacts that cannot be satisfied (no room between obstacles) would make them grow from frame to frame.
constexpr double kCarriedResidual = 1e-4;

/// What a user reads about one contact.
ContactForce read_contact(const Contact& contact, const std::vector<BodyFrame>& bodies, const Vec3d& force,
                          const Vec3d& displacement) {
  const auto place = [&](Index b) { return bodies[b].position.data(); };
  ContactForce out;
  out.body = contact.key.body;
  out.other_body = contact.key.other_body;
  out.obstacle = contact.key.obstacle;
  const bool point = contact.key.feature == ContactFeature::point_shape ||
                     contact.key.feature == ContactFeature::point_triangle;
  out.surface_point = point ? contact.key.feature_a : -1;
  out.position = weighted_point(contact, contact.count_a, place);
  out.normal = contact.frame.n;
  out.gap = dot(displacement, contact.frame.n) + contact.gap_offset;
  out.friction = contact.friction;
  out.normal_force = dot(force, contact.frame.n);
  out.tangential_force = force - out.normal_force * contact.frame.n;
  out.slip = displacement - dot(displacement, contact.frame.n) * contact.frame.n;
  if (out.normal_force > 0.0)
    out.state = norm(out.tangential_force) < 0.9999 * out.friction * out.normal_force ? ContactState::stick
                                                                                      : ContactState::slip;
  return out;
}

/// Contact forces in the order of their keys; yardsticks into the statistics.
void read_contacts(const ModelData& model, std::vector<BodyFrame>& bodies, FrameContacts& contacts, double h,
                   State& state, StepStatistics& statistics, FrameOutputs& outputs) {
  const std::vector<Contact>& all = contacts.contacts;
  std::vector<char> carry(all.size(), 1);
  std::vector<Vec3d> displacement(all.size());
  const auto place = [&](Index b) { return bodies[b].position.data(); };
  for (std::size_t c = 0; c < all.size(); ++c)
    displacement[c] = all[c].displacement(weighted_point(all[c], all[c].count, place));
  for (const std::size_t root : contacts.roots) {
    Island& island = contacts.islands[root];
    if (island.contacts.empty()) continue;
    double diagonal = 0.0;
    for (const std::size_t b : island.bodies) diagonal = std::max(diagonal, model.bodies[b].diagonal);
    for (std::size_t i = 0; i < island.contacts.size(); ++i)
      island.problem.displacement[i] = displacement[island.contacts[i]];
    const double residual = natural_map_residual(island.problem);
    if (!(residual <= kCarriedResidual * diagonal))
      for (const std::size_t c : island.contacts) carry[c] = 0;
    statistics.complementarity_residual_m = std::max(statistics.complementarity_residual_m, residual);
  }
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t c) { return all[a].key < all[c].key; });
  outputs.contacts.clear();
  state.carried.clear();
  for (const std::size_t c : order) {
    const ContactForce out = read_contact(all[c], bodies, contacts.force[c], displacement[c]);
    if (out.state == ContactState::stick)
      statistics.max_creep_m_s = std::max(statistics.max_creep_m_s, norm(out.slip) / h);
    if (out.normal_force > 0.0) {
      ++statistics.active_contacts;
      if (carry[c]) state.carried.push_back({all[c].key, all[c].frame.n, contacts.force[c]});
    }
    outputs.contacts.push_back(out);
  }
  statistics.contacts = all.size();
}

/// Forces [N] of contacts and handles on all nodes of every body, {bodies}{nodes}; empty where there are
/// none.
std::vector<std::vector<Vec3d>> row_forces(const std::vector<BodyFrame>& bodies,
                                           const FrameContacts& contacts) {
  std::vector<std::vector<Vec3d>> force(bodies.size());
  for (const std::size_t root : contacts.roots) {
    const Island& island = contacts.islands[root];
    for (std::size_t r = 0; r < island.rows.size(); ++r)
      for (std::size_t k = island.rows.start[r]; k < island.rows.start[r + 1]; ++k) {
        const ContactTerm& term = island.rows.term[k];
        std::vector<Vec3d>& at = force[term.body];
        at.resize(bodies[term.body].position.size());
        at[term.node] += term.weight * island.total_force[r];
      }
  }
  return force;
}

/// Forces [N] of the pins on the held nodes, in the order of held: the residual of their rows, less what
/// contacts put there (embedded points).
std::vector<Vec3d> pin_forces(const BodyFrame& frame, const std::vector<Vec3d>& rows,
                              const std::vector<std::pair<Index, std::size_t>>& held, double h) {
  std::vector<Vec3d> forces;
  for (const auto& [node, pin] : held)
    forces.push_back(frame.gradient[node] / (h * h) - (rows.empty() ? Vec3d{} : rows[node]));
  return forces;
}

/// Change of momentum of one frame against the impulses that caused it, both summed over a body.
struct MomentumBalance {
  Vec3d defect;       ///< [kg m/s]
  double size = 0.0;  ///< [kg m/s] sum m |v| at both ends and the impulse of gravity, so that rest is not 0/0
};

MomentumBalance momentum_balance(const FrameInput& input, const BodyFrame& frame,
                                 const std::vector<Vec3d>& rows, const BodyState& before,
                                 const std::vector<Vec3d>& pins) {
  const BodyPrecomputed& p = *frame.precomputed;
  const double h = input.settings->time_step;
  MomentumBalance balance;
  for (Index i = 0; i < p.node_count; ++i) {
    const Vec3d velocity = (frame.position[i] - before.position[i]) / h;
    balance.defect += p.mass[i] * (velocity - before.velocity[i]) -
                      h * (p.mass[i] * (input.model->gravity - p.alpha * velocity) + frame.external_force[i]);
    balance.size += p.mass[i] * (norm(velocity) + norm(before.velocity[i]) + h * norm(input.model->gravity));
  }
  for (const Vec3d& force : rows) balance.defect -= h * force;
  for (const Vec3d& force : pins) balance.defect -= h * force;
  return balance;
}

}  // namespace

Energy total_energy(const ModelData& model, const std::vector<std::shared_ptr<BodyPrecomputed>>& precomputed,
                    const State& state) {
  Energy energy;
  std::vector<double> sums;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const BodyPrecomputed& p = *precomputed[b];
    const BodyState& body = state.bodies[b];
    energy.elastic += elastic_energy(p, body.position.data(), sums);
    for (Index i = 0; i < p.node_count; ++i) {
      energy.kinetic += 0.5 * p.mass[i] * squared_norm(body.velocity[i]);
      energy.gravity -= p.mass[i] * dot(model.gravity, body.position[i]);
    }
  }
  return energy;
}

void finish_frame(const FrameInput& input, std::vector<BodyFrame>& bodies, FrameContacts& contacts,
                  const std::vector<std::shared_ptr<BodyPrecomputed>>& precomputed, State& state,
                  StepStatistics& statistics, FrameOutputs& outputs) {
  const double h = input.settings->time_step;
  const std::vector<std::vector<std::size_t>> own = contacts_of_bodies(contacts, bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    check_body(input, state, b, bodies[b]);
    check_convergence(input, state, b, bodies[b], contacts, own[b]);
  }

  const std::vector<std::vector<Vec3d>> rows = row_forces(bodies, contacts);
  outputs.pin_reaction.assign(input.model->pins.size(), Wrench{});
  double defect = 0.0, momentum = 0.0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodyFrame& frame = bodies[b];
    BodyState& body = state.bodies[b];
    const auto& held = (*input.pinned)[b];
    const std::vector<Vec3d> pins = pin_forces(frame, rows[b], held, h);
    const MomentumBalance balance = momentum_balance(input, frame, rows[b], body, pins);
    defect += norm(balance.defect);
    momentum += balance.size;
    body.correction.resize(frame.direction.size());
    for (std::size_t i = 0; i < body.correction.size(); ++i)
      body.correction[i] = frame.position[i] - frame.predicted[i];
    for (std::size_t i = 0; i < body.position.size(); ++i)
      body.velocity[i] = (frame.position[i] - body.position[i]) / h;
    body.position = frame.position;
    statistics.max_penetration_m =
        std::max(statistics.max_penetration_m,
                 deepest_penetration(*frame.precomputed, input.obstacles, frame.position.data()));
    for (std::size_t k = 0; k < held.size(); ++k) {
      const auto& [node, pin] = held[k];
      const PinData& data = input.model->pins[pin];
      const Vec3d reaction = pins[k];
      const Vec3d origin = evaluate(data.spec.motion, data.origin, input.end_time).apply(data.origin);
      outputs.pin_reaction[pin].force += reaction;
      outputs.pin_reaction[pin].torque += cross(frame.position[node] - origin, reaction);
    }
    statistics.iterations = std::max(statistics.iterations, frame.iterations);
    statistics.line_search_steps += frame.line_search_steps;
    statistics.residual = std::max(statistics.residual, frame.residual);
  }
  state.handles = contacts.handles;
  read_contacts(*input.model, bodies, contacts, h, state, statistics, outputs);
  if (input.collision) {
    std::vector<const Vec3d*> position;
    for (const BodyState& body : state.bodies) position.push_back(body.position.data());
    statistics.max_penetration_m = std::max(statistics.max_penetration_m,
                                            input.collision->deepest_penetration(position, input.obstacles));
  }
  for (const Island& island : contacts.islands) {
    statistics.contact_sweeps += island.sweeps;
    statistics.contact_steps += island.newton_steps;
    statistics.contact_products += island.products;
    statistics.contact_converged = statistics.contact_converged && island.converged;
    statistics.compliance_columns += island.columns;
  }
  statistics.momentum_error = momentum > 0.0 ? defect / momentum : 0.0;
  statistics.energy = total_energy(*input.model, precomputed, state);
  ++state.frame;
}

}  // namespace sinew
