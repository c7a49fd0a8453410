// The frame (design: method of the local-global scheme, quasi-Newton form).
//
//   1 predict    q~ = q_t + h v + h^2 M^-1 f; pinned nodes on their path; the iteration starts there
//   2 detect     contact points against the obstacles
//   3 delassus   G = B A^-1 B^T
//   repeat K times
//     4 local    P(F) of every element        5 rhs   gradient g of e(q), less h^2 H^T lambda
//     6 free     d = -B g, B = A^-1 + Z M Z^T the L-BFGS estimate of the inverse Hessian
//     7 contact  lambda with (gap, slip)(q + d) + h^2 H B H^T (lambda - lambda_k) in the Signorini-Coulomb
//     law 8 correct  d += h^2 B H^T (lambda - lambda_k); line search on e(q) - h^2 lambda . H q
//   9 finish     positions, forces
//
// Steps 6 to 8 are one step of sequential quadratic programming in the metric of B: the same B in all three,
// or stiff contact does not converge. For ARAP with history 0 and full steps this is projective dynamics to
// the letter: q - A^-1 grad e(q) equals A^-1 (M q~ + h^2 sum w G^T R(F)).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <sinew/errors.hpp>

#include "engine/contact/gauss_seidel.hpp"
#include "engine/elastic/unfold.hpp"
#include "engine/step/frame.hpp"
#include "host/rivals/jacobi.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kNodeGrain = 1024;
constexpr int kFirstHalvings = 6;   // of the step; then it shrinks by tenths:
constexpr int kMaxShortenings = 40;  // far from rest energies grow like the sixth power of the strain
constexpr double kWellScaled = 1.5;  // steps that miss the minimum of the line by no more are kept
constexpr double kLongest = 10.0;    // times the step, at most
constexpr double kLeastPrecision = 1e6;  // of pairs that outlive their frame, see QuasiNewton
constexpr int kMaxExtraIterations = 5;  // for contacts found late
constexpr int kMaxClosingRounds = 4;    // the same, for the closing contact solves
constexpr int kAdmmPatience = 15;     // iterations without a tenth off the residual
constexpr double kArmijo = 1e-4;
constexpr double kViolent = 1e-3;  // of the stiffness: elastic energy density of strains near one
constexpr double kEarlyContact =
    0.01;  // share of the first sweep's change at which early contact solves stop

/// Adds the time of its life to a counter [ms].
class StageTimer {
 public:
  explicit StageTimer(double& total) : total_(total), begin_(std::chrono::steady_clock::now()) {}
  ~StageTimer() {
    total_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  double& total_;
  std::chrono::steady_clock::time_point begin_;
};

class Stepper {
 public:
  Stepper(const FrameInput& input, State& state, std::vector<BodyFrame>& bodies,
          std::vector<SolveGroup>& groups, StepStatistics& statistics)
      : input_(input),
        settings_(*input.settings),
        state_(state),
        bodies_(bodies),
        groups_(groups),
        statistics_(statistics) {}

  void run() {
    each_body(statistics_.ms.rhs, [&](std::size_t b) { predict(b); });
    each_body(statistics_.ms.detect, [&](std::size_t b) { detect(b); });
    each_body(statistics_.ms.delassus, [&](std::size_t b) { delassus(b); });
    each_body(statistics_.ms.local, [&](std::size_t b) {
      first_local(b);
      begin_duals(b);
    });
    for (int k = 0; k < settings_.iterations + kMaxExtraIterations; ++k) {
      each_body(statistics_.ms.rhs, [&](std::size_t b) { decide(b, k); });
      if (std::none_of(bodies_.begin(), bodies_.end(), [](const BodyFrame& f) { return f.active; })) break;
      each_active(statistics_.ms.free,
                  [&](std::size_t b) { bodies_[b].inverse_residual = bodies_[b].residual_vector; });
      solve(statistics_.ms.free, &BodyFrame::inverse_residual, [](const BodyFrame& f) { return f.active; });
      each_active(statistics_.ms.free, [&](std::size_t b) { free_step(b); });
      each_active(statistics_.ms.contact, [&](std::size_t b) { contact_step(b); });
      each_active(statistics_.ms.correct, [&](std::size_t b) { change_forces(bodies_[b]); });
      solve(statistics_.ms.correct, &BodyFrame::inverse_change,
            [](const BodyFrame& f) { return f.active && !f.contacts.empty(); });
      each_active(statistics_.ms.correct, [&](std::size_t b) { correct(b); });
      each_active(statistics_.ms.local, [&](std::size_t b) { line_search(b); });
    }
    each_body(statistics_.ms.contact, [&](std::size_t b) { close_gaps(b); });
  }

 private:
  template <class F>
  void each_body(double& stage_ms, F&& f) {
    const StageTimer timer(stage_ms);
    for_each(bodies_.size(), 1, f);
  }
  template <class F>
  void each_active(double& stage_ms, F&& f) {
    each_body(stage_ms, [&](std::size_t b) {
      if (bodies_[b].active) f(b);
    });
  }
  /// block := A^-1 block of the bodies that take part, instances of one body in one product.
  template <class Takes>
  void solve(double& stage_ms, std::vector<Vec3d> BodyFrame::*block, Takes&& takes) {
    const StageTimer timer(stage_ms);
    for_each(groups_.size(), 1, [&](std::size_t g) {
      SolveGroup& group = groups_[g];
      group.blocks.clear();
      for (const std::size_t b : group.bodies)
        if (takes(bodies_[b])) group.blocks.push_back((bodies_[b].*block).data());
      if (group.solver && !group.blocks.empty())
        group.solver->solve(group.blocks.data(), group.blocks.size(), *group.workspace);
    });
  }
  double h() const { return settings_.time_step; }

  // 1. q~ = q_t + h v + h^2 (g + f / m); pinned nodes at their prescribed place.
  void predict(std::size_t b) {
    BodyFrame& f = bodies_[b];
    const BodyPrecomputed& p = *f.precomputed;
    const BodyState& s = state_.bodies[b];
    f.external_force.assign(p.node_count, Vec3d{});
    for (const ForceData& force : input_.model->forces) {
      if (force.body != b) continue;
      const Vec3d value = evaluate(force.spec.force, input_.end_time);
      for (std::size_t k = 0; k < force.nodes.size(); ++k)
        f.external_force[p.to_internal[force.nodes[k]]] += force.share[k] * value;
    }
    f.predicted.resize(p.node_count);
    for (Index i = 0; i < p.node_count; ++i)
      f.predicted[i] =
          s.position[i] +
          h() * (s.velocity[i] + h() * (input_.model->gravity + f.external_force[i] / p.mass[i]));
    f.position = f.predicted;
    for (const auto& [node, pin] : (*input_.pinned)[b]) {
      const PinData& data = input_.model->pins[pin];
      const Vec3d start = input_.model->bodies[b].start_position[p.to_user[node]];
      f.position[node] = evaluate(data.spec.motion, data.origin, input_.end_time).apply(start);
    }
    double sum = 0.0;
    for (const Vec3d& x : f.position) sum += x.x + x.y + x.z;
    check_finite(b, f.position.data(), sum, "prediction");
    f.gradient.resize(p.node_count);
    f.trial_gradient.resize(p.node_count);
    f.direction.resize(p.free_count);
    // Chebyshev weights assume plain sweeps: no pairs of the quasi-Newton method between them.
    f.admm = settings_.solver.scheme == ElasticScheme::admm;
    const bool plain = f.admm || settings_.solver.global == GlobalSolver::chebyshev;
    f.metric = &state_.bodies[b].history;
    f.metric->begin_frame(plain ? 0 : static_cast<std::size_t>(settings_.history), p.free_count,
                          kLeastPrecision);
    f.chebyshev_weight = 1.0;
    f.has_step = false;
    f.active = true;
    f.step_length = 1.0;
    f.residual = 0.0;
    f.iterations = f.line_search_steps = f.sweeps = 0;
    f.columns = 0;
    f.contact_converged = true;
    f.contacts_exact = false;
    f.contacts_solved = 0;
  }

  // 2. Contacts around the predicted path, with the forces of the last frame as first guess.
  void detect(std::size_t b) {
    BodyFrame& f = bodies_[b];
    f.contacts.clear();
    if (!settings_.contact.enabled || input_.obstacles.empty()) return;
    const BodyState& s = state_.bodies[b];
    double longest = 0.0;
    for (Index i = 0; i < f.precomputed->node_count; ++i)
      longest = std::max(longest, squared_norm(f.position[i] - s.position[i]));
    // Neighbours are pushed by about the motion of the frame; whoever is missed is added in the iterations.
    f.detect.margin = settings_.contact.margin + 0.5 * std::sqrt(longest);
    f.detect.max_depenetration = settings_.contact.max_depenetration_speed * h();
    f.detect.body_friction = f.body_friction;
    f.detect.exits = exit_directions(*f.precomputed, input_.obstacles, s.position.data());
    detect_contacts(*f.precomputed, input_.obstacles, s.position.data(), f.position.data(), f.detect,
                    f.contacts);
  }

  // 3. Gram matrix, frames, warm start.
  void delassus(std::size_t b) {
    BodyFrame& f = bodies_[b];
    f.columns += build_gram(f, input_.memory_limit);
    f.problem.squared_step = h() * h();
    const auto& carried = state_.bodies[b].carried;
    std::size_t k = 0;
    for (std::size_t c = 0; c < f.contacts.size(); ++c) {
      const Contact& contact = f.contacts[c];
      f.problem.frame[c] = contact.frame;
      f.problem.friction[c] = contact.friction;
      const auto key = std::pair(contact.point, contact.obstacle);
      while (k < carried.size() && std::pair(carried[k].point, carried[k].obstacle) < key) ++k;
      f.problem.force[c] = Vec3d{};
      if (k >= carried.size() || std::pair(carried[k].point, carried[k].obstacle) != key) continue;
      const double normal = std::max(0.0, dot(carried[k].force, carried[k].normal));
      const Vec3d tangential = carried[k].force - dot(carried[k].force, contact.frame.n) * contact.frame.n;
      const double size = norm(tangential), limit = contact.friction * normal;
      f.problem.force[c] = normal * contact.frame.n + (size > limit ? limit / size : 1.0) * tangential;
    }
    gather_contact_forces(f, f.problem.force, f.contact_nodal);
  }

  ElasticInput elastic_input(std::size_t b) const {
    return {h(), bodies_[b].predicted.data(), state_.bodies[b].position.data()};
  }

  // 4. at the first point
  void first_local(std::size_t b) {
    BodyFrame& f = bodies_[b];
    begin_elastic_frame(*f.precomputed, state_.bodies[b].position.data(), f.elastic);
    evaluate_here(b);
    check_finite(b, f.position.data(), f.energy.merit, "first local step");
    if (f.contacts.empty()) start_with_correction(b);
    // Only strains of order one can hide collapsed elements, or make the place of the last frame a better start
    // than q~: where speeds would turn elements inside out, energies grow without bound.
    const double stiffness = f.precomputed->element_weight * input_.model->bodies[b].rest_volume;
    if (!(f.energy.elastic > kViolent * stiffness)) return;
    if (push_collapsed_apart(b)) {
      evaluate_here(b);
      check_finite(b, f.position.data(), f.energy.merit, "first local step");
    }
    start_at_rest_if_better(b);
  }
  /// Forces inside change little from frame to frame: q~ plus what they added to it in the last frame is where a
  /// body at rest, or in smooth motion, will be. Taken where its merit is lower. Not with contacts, which would
  /// carry their rounding on (rest of 1e-9 m), and gain nothing by it.
  void start_with_correction(std::size_t b) {
    BodyFrame& f = bodies_[b];
    const std::vector<Vec3d>& correction = state_.bodies[b].correction;
    if (correction.empty()) return;
    move_to(f, correction, 1.0);
    start_at_trial_if_lower(b);
  }
  void start_at_rest_if_better(std::size_t b) {
    BodyFrame& f = bodies_[b];
    f.trial = f.position;
    for (Index i = 0; i < f.precomputed->free_count; ++i) f.trial[i] = state_.bodies[b].position[i];
    start_at_trial_if_lower(b);
  }
  void start_at_trial_if_lower(std::size_t b) {
    BodyFrame& f = bodies_[b];
    const ElasticEnergy energy = evaluate_elastic(*f.precomputed, elastic_input(b), f.trial.data(), f.elastic,
                                                  f.trial_gradient.data());
    if (!(energy.merit < f.energy.merit)) return;
    std::swap(f.position, f.trial);
    std::swap(f.gradient, f.trial_gradient);
    f.energy = energy;
  }
  void begin_duals(std::size_t b) {
    BodyFrame& f = bodies_[b];
    if (!f.admm) return;
    begin_admm(*f.precomputed, f.position.data(), f.duals);
    f.admm_correction.assign(f.position.size(), Vec3d{});  // p = F
    f.best_position = f.position;
    f.best_merit = f.energy.merit;
    f.best_residual = std::numeric_limits<double>::infinity();
    f.stalled = 0;
  }
  void evaluate_here(std::size_t b) {
    BodyFrame& f = bodies_[b];
    f.energy =
        evaluate_elastic(*f.precomputed, elastic_input(b), f.position.data(), f.elastic, f.gradient.data());
  }
  /// Elements that start as a line or a point have no force in most materials: q~ gets one projective step for
  /// them, without momentum.
  bool push_collapsed_apart(std::size_t b) {
    BodyFrame& f = bodies_[b];
    const BodyPrecomputed& p = *f.precomputed;
    std::vector<Vec3d> push(f.position.size());
    if (!p.solver || !unfolding_forces(p, state_.bodies[b].position.data(), push.data())) return false;
    for (Vec3d& x : push) x *= h() * h();
    if (!f.workspace) f.workspace = p.solver->make_workspace();
    Vec3d* block = push.data();
    p.solver->solve(&block, 1, *f.workspace);
    for (Index i = 0; i < p.free_count; ++i) {
      f.predicted[i] += push[i];
      f.position[i] += push[i];
    }
    return true;
  }

  /// @throws NumericalError naming body and element.
  void check_finite(std::size_t b, const Vec3d* position, double value, const char* stage) const {
    if (std::isfinite(value)) return;
    const std::string& name = input_.model->bodies[b].spec.name;
    const Index element = find_bad_element(*bodies_[b].precomputed, position);
    throw NumericalError("frame " + std::to_string(state_.frame + 1) + ", body '" + name + "', element " +
                             std::to_string(element) + ": not a finite number after the " + stage +
                             "; reduce the time step, or the forces and speeds in the scene",
                         static_cast<long>(state_.frame), name, element);
  }

  // 5. Residual r = grad e - h^2 H^T lambda, and whether to go on.
  void decide(std::size_t b, int k) {
    BodyFrame& f = bodies_[b];
    const BodyPrecomputed& p = *f.precomputed;
    const double h2 = h() * h();
    const std::size_t n = static_cast<std::size_t>(p.free_count);
    f.residual_vector.resize(n);
    double r2 = 0.0, scale2 = 0.0, farthest2 = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3d r = f.gradient[i] - h2 * f.contact_nodal[i];
      f.residual_vector[i] = r;
      r2 += squared_norm(r);
      const Vec3d inertia = p.mass[i] * (f.position[i] - f.predicted[i]);
      const Vec3d outside = h2 * (p.mass[i] * input_.model->gravity + f.external_force[i]);
      const Vec3d momentum = (1e-6 * h() * p.mass[i]) * state_.bodies[b].velocity[i];
      scale2 += squared_norm(inertia) + squared_norm(f.gradient[i] - inertia) + squared_norm(outside) +
                squared_norm(momentum);
      farthest2 = std::max(farthest2, squared_norm(f.position[i]));
    }
    f.residual = scale2 > 0.0 ? std::sqrt(r2 / scale2) : 0.0;
    if (f.admm)
      for (std::size_t i = 0; i < n; ++i) f.residual_vector[i] += f.admm_correction[i];
    if (!f.active) return;
    // Moves below the rounding of the coordinates cannot be seen: nothing to do, with or without a tolerance.
    f.rounding = 2.2e-16 * std::sqrt(farthest2) * p.diagonal_norm;
    const bool settled = f.residual <= settings_.tolerance || r2 <= f.rounding * f.rounding;
    const bool law_holds = k > 0 || input_.obstacles.empty() || !settings_.contact.enabled;
    const bool done = k >= settings_.iterations || (settled && law_holds);
    // Points that were pushed into an obstacle without having a contact yet ask for another round.
    f.active = n > 0 && (!done || (k > 0 && add_contacts(b, f.position.data()) > 0));
  }

  // 6. Direction without new contact forces.
  void free_step(std::size_t b) {
    BodyFrame& f = bodies_[b];
    const bool has_step = f.has_step;
    if (f.has_step) {  // now A^-1 y is known: the residuals before and after had the same contact forces
      std::vector<Vec3d>& inverse_y = f.inverse_before;
      for (std::size_t i = 0; i < inverse_y.size(); ++i) inverse_y[i] = f.inverse_residual[i] - inverse_y[i];
      remove_translation(f);
      f.metric->push(f.step, f.gradient_change, inverse_y, f.sums, f.rounding);
      f.has_step = false;
    }
    f.direction.resize(f.inverse_residual.size());
    for (std::size_t i = 0; i < f.direction.size(); ++i) f.direction[i] = -f.inverse_residual[i];
    f.metric->add_low_rank(f.residual_vector, -1.0, f.direction, f.sums);
    if (settings_.solver.global == GlobalSolver::chebyshev) add_momentum(f, has_step);
    ++f.iterations;
  }

  /// A free body resists a translation by its mass alone, in A as in the true Hessian. Pairs that mix it with
  /// strain would spoil what A knows exactly: a resting block falls by h^2 g in every prediction, and with
  /// such pairs from earlier frames contact did not bring it back (residual 1e-2 instead of 4e-5).
  void remove_translation(BodyFrame& f) const {
    const BodyPrecomputed& p = *f.precomputed;
    if (p.free_count != p.node_count || f.metric->capacity() == 0) return;
    Vec3d momentum{};
    double mass = 0.0;
    for (Index i = 0; i < p.node_count; ++i) {
      momentum += p.mass[i] * f.step[i];
      mass += p.mass[i];
    }
    const Vec3d shift = momentum / mass;
    for (Index i = 0; i < p.node_count; ++i) {
      f.step[i] -= shift;
      f.inverse_before[i] -= shift;
      f.gradient_change[i] -= ((1.0 + h() * p.alpha) * p.mass[i]) * shift;
    }
  }

  /// Chebyshev weights from iteration to iteration, q_{k+1} = w (q_k + d - q_{k-1}) + q_{k-1}: the free
  /// direction gains (w - 1) (d + the step before). The line search guards it. Not with contacts, whose
  /// forces change the system from one iteration to the next: there the sweeps stay plain.
  void add_momentum(BodyFrame& f, bool has_step) const {
    if (!f.contacts.empty()) has_step = false;
    f.chebyshev_weight = has_step ? chebyshev_weight(f.iterations, f.chebyshev_weight,
                                                     f.precomputed->solver->spectral_radius())
                                  : 1.0;
    if (!has_step) return;
    for (std::size_t i = 0; i < f.direction.size(); ++i)
      f.direction[i] += (f.chebyshev_weight - 1.0) * (f.direction[i] + f.step[i]);
  }

  // 7. lambda from the gaps and slips at q + d.
  void contact_step(std::size_t b) {
    BodyFrame& f = bodies_[b];
    if (!settings_.contact.enabled || input_.obstacles.empty()) return;
    move_to(f, f.direction, 1.0);
    add_contacts(b, f.trial.data());
    use_metric(f);
    // The forces of all but the last iteration only steer the next one.
    solve_contacts(f, f.trial.data(), f.iterations < settings_.iterations ? kEarlyContact : 0.0);
  }
  /// Rows of Z at the contact points.
  void use_metric(BodyFrame& f) const {
    ContactProblem& problem = f.problem;
    problem.rank = f.metric->rank();
    problem.middle = f.metric->middle();
    problem.low_rank.assign(f.contacts.size() * problem.rank, Vec3d{});
    for (std::size_t c = 0; c < f.contacts.size(); ++c) {
      const ContactPoint& point = f.precomputed->points[f.contacts[c].point];
      for (Index k = 0; k < point.count; ++k)
        if (point.node[k] < f.precomputed->free_count)
          for (std::size_t z = 0; z < problem.rank; ++z)
            problem.low_rank[c * problem.rank + z] += point.weight[k] * f.metric->column(z)[point.node[k]];
    }
  }
  void solve_contacts(BodyFrame& f, const Vec3d* position, double relative) const {
    f.contacts_exact = relative == 0.0;
    f.previous_force = f.problem.force;
    if (f.contacts.empty()) return;
    for (std::size_t c = 0; c < f.contacts.size(); ++c)
      f.problem.displacement[c] =
          f.contacts[c].displacement(point_position(f.precomputed->points[f.contacts[c].point], position));
    const ContactReport report = solve_gauss_seidel(
        f.problem, {settings_.contact.max_sweeps, settings_.contact.tolerance, relative, false});
    f.sweeps += report.sweeps;
    f.contact_converged = report.converged;
    f.contacts_solved = f.problem.size();
  }
  /// trial := q + length * d
  void move_to(BodyFrame& f, const std::vector<Vec3d>& direction, double length) const {
    f.trial = f.position;
    for_each(direction.size(), kNodeGrain, [&](std::size_t i) { f.trial[i] += length * direction[i]; });
  }
  std::size_t add_contacts(std::size_t b, const Vec3d* position) {
    BodyFrame& f = bodies_[b];
    if (!settings_.contact.enabled) return 0;
    const std::size_t added = add_missed_contacts(
        *f.precomputed, input_.obstacles, state_.bodies[b].position.data(), position, f.detect, f.contacts);
    if (added == 0) return 0;
    const std::size_t old = f.contacts.size() - added;
    f.columns += build_gram(f, input_.memory_limit);
    for (std::size_t c = old; c < f.contacts.size(); ++c) {
      f.problem.frame[c] = f.contacts[c].frame;
      f.problem.friction[c] = f.contacts[c].friction;
      f.problem.force[c] = Vec3d{};
    }
    return added;
  }

  // 8. d += h^2 B H^T (lambda - lambda_k)
  void correct(std::size_t b) {
    BodyFrame& f = bodies_[b];
    f.inverse_before = f.inverse_residual;
    if (f.contacts.empty()) return;
    for (std::size_t i = 0; i < f.direction.size(); ++i) {
      f.direction[i] += f.inverse_change[i];
      f.inverse_before[i] -= f.inverse_change[i];
    }
    f.metric->add_low_rank(f.change_nodal, 1.0, f.direction, f.sums);
  }
  /// inverse_change := h^2 H^T (lambda - lambda_k), still to be solved for.
  void change_forces(BodyFrame& f) const {
    if (f.contacts.empty()) return;
    std::vector<Vec3d>& change = f.force_change;
    change.resize(f.problem.size());
    for (std::size_t c = 0; c < change.size(); ++c)
      change[c] = (h() * h()) * (f.problem.force[c] - f.previous_force[c]);
    gather_contact_forces(f, change, f.change_nodal);
    gather_contact_forces(f, f.problem.force, f.contact_nodal);
    f.inverse_change = f.change_nodal;
  }

  // 8. (second half, with 4. at the new point) Line search on e(q) - h^2 lambda . H q with the new lambda.
  void line_search(std::size_t b) {
    BodyFrame& f = bodies_[b];
    if (f.admm) {
      take_admm_step(b);
      return;
    }
    if (search_along(b, slope_at(f, f.gradient))) return;
    if (f.metric->pairs() > 0) {  // rounding spoilt the metric: the plain step is always downhill
      f.metric->clear();
      for (std::size_t i = 0; i < f.direction.size(); ++i) f.direction[i] = -f.inverse_before[i];
      if (search_along(b, slope_at(f, f.gradient))) return;
    }
    // No decrease that arithmetic can see: the forces of the step that was not taken go as well.
    f.active = false;
    f.contacts_exact = false;
    if (f.contacts.empty()) return;
    f.problem.force = f.previous_force;
    gather_contact_forces(f, f.problem.force, f.contact_nodal);
  }
  /// ADMM goes the whole way, uphill too. It is watched by the true residual: where that stalls, or numbers are
  /// none any more, quasi-Newton goes on from the best iterate.
  void take_admm_step(std::size_t b) {
    BodyFrame& f = bodies_[b];
    move_to(f, f.direction, 1.0);
    std::swap(f.position, f.trial);
    evaluate_here(b);
    if (std::isfinite(f.energy.merit) && f.energy.merit < f.best_merit) {
      f.best_merit = f.energy.merit;
      f.best_position = f.position;
    }
    f.stalled = f.residual < 0.9 * f.best_residual ? 0 : f.stalled + 1;
    f.best_residual = std::min(f.best_residual, f.residual);
    if (f.stalled > kAdmmPatience || !std::isfinite(f.energy.merit)) {
      leave_admm(b);
      return;
    }
    sweep_admm(*f.precomputed, h(), f.position.data(), f.duals, f.admm_correction.data());
  }
  void leave_admm(std::size_t b) {
    BodyFrame& f = bodies_[b];
    f.admm = false;
    f.metric->begin_frame(static_cast<std::size_t>(settings_.history), f.direction.size(), kLeastPrecision);
    if (!f.contacts.empty() && std::isfinite(f.energy.merit)) return;  // forces belong to the last iterate
    f.position = f.best_position;
    evaluate_here(b);
  }
  double slope_at(BodyFrame& f, const std::vector<Vec3d>& gradient) const {
    const double h2 = h() * h();
    return ordered_sum<double>(f.direction.size(), f.sums, [&](std::size_t i) {
      return dot(gradient[i] - h2 * f.contact_nodal[i], f.direction[i]);
    });
  }
  bool search_along(std::size_t b, double slope) {
    BodyFrame& f = bodies_[b];
    if (!(slope < 0.0)) return false;
    const double h2 = h() * h();
    const double contact_work =
        h2 * block_dot(f.contact_nodal.data(), f.direction.data(), f.direction.size(), f.sums);
    // Energies carry rounding of their own size, and of the rest stiffness times the rounding of strains.
    const double rounding = 1e-13 * (std::abs(f.energy.merit) + std::abs(contact_work)) +
                            1e-14 * h2 * f.precomputed->element_weight * input_.model->bodies[b].rest_volume;
    double length = 1.0;
    for (int shortening = 0; shortening <= kMaxShortenings; ++shortening) {
      if (shortening > 0) {
        ++f.line_search_steps;
        length *= shortening <= kFirstHalvings ? 0.5 : 0.1;
      }
      move_to(f, f.direction, length);
      ElasticEnergy energy = evaluate_elastic(*f.precomputed, elastic_input(b), f.trial.data(), f.elastic,
                                              f.trial_gradient.data());
      const double change = energy.merit - f.energy.merit - length * contact_work;
      bool accept = change <= kArmijo * length * slope;
      // Near the minimum energies cannot tell; slopes can (approximate Wolfe condition, Hager and Zhang
      // 2005).
      if (!accept && change <= rounding) accept = slope_at(f, f.trial_gradient) <= -0.8 * slope;
      if (!accept) {
        if (shortening == kMaxShortenings) check_finite(b, f.trial.data(), energy.merit, "line search");
        continue;
      }
      length = refine_step(b, slope, contact_work, length, energy);
      f.step.resize(f.direction.size());
      f.gradient_change.resize(f.direction.size());
      for (std::size_t i = 0; i < f.direction.size(); ++i) {
        f.step[i] = length * f.direction[i];
        f.gradient_change[i] = f.trial_gradient[i] - f.gradient[i];
      }
      f.has_step = true;
      std::swap(f.position, f.trial);
      std::swap(f.gradient, f.trial_gradient);
      f.energy = energy;
      f.step_length = length;
      return true;
    }
    return false;
  }

  /// The slopes at both ends of an accepted step tell where the minimum of the line lies; if that is far from
  /// the step's end, it is tried as well, and kept where the merit is lower. A knows neither the anisotropy of
  /// the current shape nor the ratio of the moduli: without history steps are too short by up to
  /// (2 mu + lambda) / mu. Not with contacts: their forces belong to the whole step.
  double refine_step(std::size_t b, double slope, double contact_work, double length, ElasticEnergy& energy) {
    BodyFrame& f = bodies_[b];
    if (f.metric->capacity() == 0 || !f.contacts.empty()) return length;
    const double end_slope = slope_at(f, f.trial_gradient);
    const double factor = end_slope > slope ? std::min(slope / (slope - end_slope), kLongest) : kLongest;
    if (factor <= kWellScaled && factor >= 1.0 / kWellScaled) return length;
    ++f.line_search_steps;
    std::swap(f.trial, f.spare);
    std::swap(f.trial_gradient, f.spare_gradient);
    f.trial_gradient.resize(f.spare_gradient.size());
    move_to(f, f.direction, length * factor);
    const ElasticEnergy other = evaluate_elastic(*f.precomputed, elastic_input(b), f.trial.data(), f.elastic,
                                                 f.trial_gradient.data());
    if (other.merit - length * factor * contact_work < energy.merit - length * contact_work) {
      energy = other;
      return length * factor;
    }
    std::swap(f.trial, f.spare);
    std::swap(f.trial_gradient, f.spare_gradient);
    return length;
  }

  // 9. A shortened last step, or an early stop, leaves gaps that miss the law: one contact solve at the final
  // point.
  void close_gaps(std::size_t b) {
    BodyFrame& f = bodies_[b];
    if (f.admm && f.contacts.empty() && f.best_merit < f.energy.merit) leave_admm(b);  // not uphill in the end
    if (f.contacts.empty() || f.precomputed->free_count == 0) return;
    if (f.contacts_exact && f.step_length == 1.0 && f.problem.size() == f.contacts_solved) return;
    f.problem.rank = 0;
    for (int round = 0; round < kMaxClosingRounds; ++round) {
      solve_contacts(f, f.position.data(), 0.0);
      change_forces(f);
      if (!f.workspace) f.workspace = f.precomputed->solver->make_workspace();
      Vec3d* block = f.inverse_change.data();
      f.precomputed->solver->solve(&block, 1, *f.workspace);
      for (std::size_t i = 0; i < f.inverse_change.size(); ++i) f.position[i] += f.inverse_change[i];
      if (add_contacts(b, f.position.data()) == 0) break;
    }
    evaluate_here(b);
    check_finite(b, f.position.data(), f.energy.merit, "contact solve");
  }

  const FrameInput& input_;
  const SimulationSettings& settings_;
  State& state_;
  std::vector<BodyFrame>& bodies_;
  std::vector<SolveGroup>& groups_;
  StepStatistics& statistics_;
};

}  // namespace

void step_local_global(const FrameInput& input, State& state, std::vector<BodyFrame>& bodies,
                       std::vector<SolveGroup>& groups, StepStatistics& statistics) {
  Stepper(input, state, bodies, groups, statistics).run();
}

}  // namespace sinew
