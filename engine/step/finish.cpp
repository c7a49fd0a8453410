#include "engine/step/finish.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <sinew/errors.hpp>

namespace sinew {

namespace {

/// A node may move in one frame by this many times the size of its body, the way it was predicted to go and
/// the motion of the obstacles that it touches. Beyond, the frame has diverged.
constexpr double kDivergence = 10.0;

void check_convergence(const FrameInput& input, const State& state, std::size_t b, const BodyFrame& frame) {
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
  for (const Contact& contact : frame.contacts)
    pushed =
        std::max(pushed, norm(contact.obstacle_displacement) + norm(contact.start - contact.plane_point));
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

/// Contact forces of one body in the order of (point, obstacle); yardsticks into the statistics.
void read_contacts(std::size_t b, double diagonal, BodyFrame& frame, double h, BodyState& state,
                   StepStatistics& statistics, FrameOutputs& outputs) {
  std::vector<std::size_t> order(frame.contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t c) {
    const Contact &x = frame.contacts[a], &y = frame.contacts[c];
    return std::pair(x.point, x.obstacle) < std::pair(y.point, y.obstacle);
  });
  state.carried.clear();
  for (const std::size_t c : order) {
    const Contact& contact = frame.contacts[c];
    const ContactPoint& point = frame.precomputed->points[contact.point];
    const Vec3d x = point_position(point, frame.position.data());
    const Vec3d u = contact.displacement(x), force = frame.problem.force[c];
    frame.problem.displacement[c] = u;
    ContactForce out;
    out.body = static_cast<Index>(b);
    out.obstacle = contact.obstacle;
    out.surface_point = point.surface_point;
    out.position = x;
    out.normal = contact.frame.n;
    out.gap = dot(u, contact.frame.n) + contact.gap_offset;
    out.friction = contact.friction;
    out.normal_force = dot(force, contact.frame.n);
    out.tangential_force = force - out.normal_force * contact.frame.n;
    out.slip = u - dot(u, contact.frame.n) * contact.frame.n;
    if (out.normal_force > 0.0) {
      const bool inside = norm(out.tangential_force) < 0.9999 * out.friction * out.normal_force;
      out.state = inside ? ContactState::stick : ContactState::slip;
      if (inside) statistics.max_creep_m_s = std::max(statistics.max_creep_m_s, norm(out.slip) / h);
      ++statistics.active_contacts;
      state.carried.push_back({contact.point, contact.obstacle, contact.frame.n, force});
    }
    outputs.contacts.push_back(out);
  }
  statistics.contacts += frame.contacts.size();
  const double residual = natural_map_residual(frame.problem);
  if (!(residual <= kCarriedResidual * diagonal)) state.carried.clear();
  statistics.complementarity_residual_m = std::max(statistics.complementarity_residual_m, residual);
}

/// Forces [N] of the pins on the held nodes, in the order of held: the residual of their rows, less what
/// contacts put there (embedded points).
std::vector<Vec3d> pin_forces(const BodyFrame& frame, const std::vector<std::pair<Index, std::size_t>>& held,
                              double h) {
  if (held.empty()) return {};
  std::vector<Vec3d> at_node(frame.gradient.size());
  for (const auto& [node, pin] : held) at_node[node] = frame.gradient[node] / (h * h);
  for (std::size_t c = 0; c < frame.contacts.size(); ++c) {
    const ContactPoint& point = frame.precomputed->points[frame.contacts[c].point];
    for (Index k = 0; k < point.count; ++k)
      at_node[point.node[k]] -= point.weight[k] * frame.problem.force[c];
  }
  std::vector<Vec3d> forces;
  for (const auto& [node, pin] : held) forces.push_back(at_node[node]);
  return forces;
}

/// Change of momentum of one frame against the impulses that caused it, both summed over a body.
struct MomentumBalance {
  Vec3d defect;       ///< [kg m/s]
  double size = 0.0;  ///< [kg m/s] sum m |v| at both ends and the impulse of gravity, so that rest is not 0/0
};

MomentumBalance momentum_balance(const FrameInput& input, const BodyFrame& frame, const BodyState& before,
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
  for (const Vec3d& force : frame.problem.force) balance.defect -= h * force;
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

void finish_frame(const FrameInput& input, std::vector<BodyFrame>& bodies,
                  const std::vector<std::shared_ptr<BodyPrecomputed>>& precomputed, State& state,
                  StepStatistics& statistics, FrameOutputs& outputs) {
  const double h = input.settings->time_step;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    check_body(input, state, b, bodies[b]);
    check_convergence(input, state, b, bodies[b]);
  }

  outputs.contacts.clear();
  outputs.pin_reaction.assign(input.model->pins.size(), Wrench{});
  double defect = 0.0, momentum = 0.0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodyFrame& frame = bodies[b];
    BodyState& body = state.bodies[b];
    const auto& held = (*input.pinned)[b];
    const std::vector<Vec3d> pins = pin_forces(frame, held, h);
    const MomentumBalance balance = momentum_balance(input, frame, body, pins);
    defect += norm(balance.defect);
    momentum += balance.size;
    body.correction.resize(frame.direction.size());
    for (std::size_t i = 0; i < body.correction.size(); ++i)
      body.correction[i] = frame.position[i] - frame.predicted[i];
    for (std::size_t i = 0; i < body.position.size(); ++i)
      body.velocity[i] = (frame.position[i] - body.position[i]) / h;
    body.position = frame.position;
    read_contacts(b, input.model->bodies[b].diagonal, frame, h, body, statistics, outputs);
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
    statistics.contact_sweeps += frame.sweeps;
    statistics.contact_converged = statistics.contact_converged && frame.contact_converged;
    statistics.compliance_columns += frame.columns;
    statistics.residual = std::max(statistics.residual, frame.residual);
  }
  statistics.momentum_error = momentum > 0.0 ? defect / momentum : 0.0;
  statistics.energy = total_energy(*input.model, precomputed, state);
  ++state.frame;
}

}  // namespace sinew
