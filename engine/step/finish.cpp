#include "engine/step/finish.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <sinew/errors.hpp>

#include "engine/contact/residuals.hpp"
#include "engine/step/item_sums.hpp"

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

/// What the nodes of a body add up to in a frame.
struct Totals {
  double predicted2 = 0.0;  ///< [m^2] farthest node of the prediction, or of the way that pins prescribe
  double moved2 = 0.0;      ///< [m^2] farthest node of the frame
  Vec3d defect;             ///< [kg m/s] change of momentum less gravity, damping and forces from outside
  double momentum = 0.0;    ///< [kg m/s] sum m |v| at both ends and the impulse of gravity: rest is not 0/0
  double kinetic = 0.0, gravity = 0.0;  ///< [J]
};

using FinishValues = std::array<double, FinishSums::count>;

/// New velocities and corrections (kept in trial), and sums: a pass that is not waited for.
void start_finish(BodyFrame& frame) {
  DeviceFrame& device = *frame.device;
  const QueueStage stage(device.queue(), "finish");
  device.queue().finish(frame.nodes, frame.position.device(), frame.predicted.device(),
                        frame.velocity.device_new(frame.position.size()),
                        frame.trial.device_new(static_cast<std::size_t>(frame.precomputed->free_count)),
                        device.sums(0), device.scratch());
}

FinishValues finish_on_device(BodyFrame& frame) {
  FinishValues sum;
  frame.device->read_sums();
  for (int k = 0; k < FinishSums::count; ++k) sum[static_cast<std::size_t>(k)] = frame.device->sum(0, k);
  return sum;
}

FinishValues finish_on_host(BodyFrame& frame) {
  const std::size_t n = frame.position.size();
  const std::size_t free = static_cast<std::size_t>(frame.precomputed->free_count);
  return item_sums(
      n, FinishItem{frame.nodes, frame.position.host().data(), frame.predicted.host().data(),
                    frame.velocity.host_new(n).data(), frame.trial.host_new(free).data(), free});
}

Totals totals_of(const FinishValues& sum) {
  Totals t;
  t.defect = {sum[FinishSums::defect_x], sum[FinishSums::defect_y], sum[FinishSums::defect_z]};
  t.momentum = sum[FinishSums::momentum];
  t.kinetic = sum[FinishSums::kinetic];
  t.gravity = sum[FinishSums::gravity];
  t.predicted2 = sum[FinishSums::predicted2];
  t.moved2 = sum[FinishSums::moved2];
  return t;
}

void check_convergence(const FrameInput& input, const State& state, std::size_t b, const BodyFrame& frame,
                       const FrameContacts& contacts, const std::vector<std::size_t>& own,
                       const Totals& totals) {
  const BodyData& body = input.model->bodies[b];
  const double predicted = totals.predicted2, moved = totals.moved2;
  double pushed = 0.0;
  for (const std::size_t c : own) {
    const Contact& contact = contacts.contacts[c];
    pushed =
        std::max(pushed, norm(contact.obstacle_displacement) + norm(contact.start - contact.plane_point));
    // What a neighbour is predicted to do, it may do to this body.
    if (contact.key.other_body >= 0) pushed = std::max(pushed, contacts.longest_move);
  }
  const double bound = kDivergence * (body.diagonal + std::sqrt(predicted) + pushed);
  if (std::sqrt(moved) <= bound) return;
  const std::vector<Vec3d>&before = state.bodies[b].position.host(), &after = frame.position.host();
  std::size_t farthest = 0;
  double most = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double distance = squared_norm(after[i] - before[i]);
    if (distance > most) {
      most = distance;
      farthest = i;
    }
  }
  const Index node = frame.precomputed->to_user[farthest];
  throw NumericalError(
      "frame " + std::to_string(state.frame + 1) + ", body '" + body.spec.name + "', node " +
          std::to_string(node) + ": diverged, it would move " + std::to_string(std::sqrt(moved)) +
          " m in one frame; reduce the time step, ask for more iterations, or look for obstacles "
          "that leave the body no room",
      static_cast<long>(state.frame), body.spec.name, -1);
}

void check_body(const FrameInput& input, const State& state, std::size_t b, const BodyFrame& frame,
                const Totals& totals) {
  if (std::isfinite(totals.moved2)) return;
  for (const Vec3d& x : frame.position.host()) {
    if (is_finite(x)) continue;
    const std::string& name = input.model->bodies[b].spec.name;
    const Index element = find_bad_element(*frame.precomputed, frame.position.host().data());
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
  const auto place = [&](Index b) { return bodies[b].position.host().data(); };
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
  const auto place = [&](Index b) { return bodies[b].position.host().data(); };
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

/// Values of the held nodes, which stand behind the free ones.
std::vector<Vec3d> of_held(const BodyFrame& frame, const Mirrored<Vec3d>& values) {
  const std::size_t first = static_cast<std::size_t>(frame.precomputed->free_count);
  std::vector<Vec3d> held(static_cast<std::size_t>(frame.precomputed->node_count) - first);
  if (held.empty()) return held;
  if (!frame.device) {
    std::copy_n(values.host().begin() + frame.precomputed->free_count, held.size(), held.begin());
    return held;
  }
  frame.device->queue().download(held.data(), values.device().part(first, held.size()));
  frame.device->queue().synchronize();
  return held;
}

/// Forces [N] of the pins on the held nodes, in the order of held: the residual of their rows, less what
/// contacts put there (embedded points).
std::vector<Vec3d> pin_forces(const BodyFrame& frame, const std::vector<Vec3d>& gradient,
                              const std::vector<Vec3d>& rows,
                              const std::vector<std::pair<Index, std::size_t>>& held, double h) {
  std::vector<Vec3d> forces;
  for (const auto& [node, pin] : held)
    forces.push_back(gradient[node - frame.precomputed->free_count] / (h * h) -
                     (rows.empty() ? Vec3d{} : rows[node]));
  return forces;
}

/// The state of the next frame.
void move_state(BodyFrame& frame, BodyState& body) {
  std::swap(body.velocity, frame.velocity);
  std::swap(body.correction, frame.trial);
  body.position = frame.position;
}

}  // namespace

Energy total_energy(const ModelData& model, const std::vector<std::shared_ptr<BodyPrecomputed>>& precomputed,
                    const State& state) {
  Energy energy;
  std::vector<double> sums;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const BodyPrecomputed& p = *precomputed[b];
    const BodyState& body = state.bodies[b];
    const std::vector<Vec3d>&position = body.position.host(), &velocity = body.velocity.host();
    energy.elastic += elastic_energy(p, position.data(), sums);
    for (Index i = 0; i < p.node_count; ++i) {
      energy.kinetic += 0.5 * p.mass[i] * squared_norm(velocity[i]);
      energy.gravity -= p.mass[i] * dot(model.gravity, position[i]);
    }
  }
  return energy;
}

void finish_frame(const FrameInput& input, std::vector<BodyFrame>& bodies, FrameContacts& contacts,
                  State& state, StepStatistics& statistics, FrameOutputs& outputs) {
  const double h = input.settings->time_step;
  const std::vector<std::vector<std::size_t>> own = contacts_of_bodies(contacts, bodies.size());
  std::vector<Totals> totals(bodies.size());
  for (BodyFrame& frame : bodies)
    if (frame.device) start_finish(frame);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    totals[b] = totals_of(bodies[b].device ? finish_on_device(bodies[b]) : finish_on_host(bodies[b]));
    check_body(input, state, b, bodies[b], totals[b]);
    check_convergence(input, state, b, bodies[b], contacts, own[b], totals[b]);
  }

  const std::vector<std::vector<Vec3d>> rows = row_forces(bodies, contacts);
  outputs.pin_reaction.assign(input.model->pins.size(), Wrench{});
  double defect = 0.0, momentum = 0.0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodyFrame& frame = bodies[b];
    const auto& held = (*input.pinned)[b];
    const std::vector<Vec3d> pins = pin_forces(frame, of_held(frame, frame.gradient), rows[b], held, h);
    const std::vector<Vec3d> places = of_held(frame, frame.position);
    for (const Vec3d& force : rows[b]) totals[b].defect -= h * force;
    for (const Vec3d& force : pins) totals[b].defect -= h * force;
    defect += norm(totals[b].defect);
    momentum += totals[b].momentum;
    for (std::size_t k = 0; k < held.size(); ++k) {
      const auto& [node, pin] = held[k];
      const PinData& data = input.model->pins[pin];
      const Vec3d reaction = pins[k];
      const Vec3d origin = evaluate(data.spec.motion, data.origin, input.end_time).apply(data.origin);
      outputs.pin_reaction[pin].force += reaction;
      outputs.pin_reaction[pin].torque +=
          cross(places[node - frame.precomputed->free_count] - origin, reaction);
    }
    move_state(frame, state.bodies[b]);
    if (!input.obstacles.empty())
      statistics.max_penetration_m =
          std::max(statistics.max_penetration_m,
                   deepest_penetration(*frame.precomputed, input.obstacles, frame.position.host().data()));
    statistics.line_search_steps += frame.line_search_steps;
    statistics.residual = std::max(statistics.residual, frame.residual);
  }
  state.handles = contacts.handles;
  read_contacts(*input.model, bodies, contacts, h, state, statistics, outputs);
  if (input.collision) {
    std::vector<const Vec3d*> position;
    for (const BodyState& body : state.bodies) position.push_back(body.position.host().data());
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
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    statistics.energy.kinetic += totals[b].kinetic;
    statistics.energy.gravity += totals[b].gravity;
    statistics.energy.elastic += bodies[b].energy.elastic;
  }
  ++state.frame;
}

}  // namespace sinew
