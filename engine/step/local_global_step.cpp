// The frame (design: method of the local-global scheme, quasi-Newton form).
//
//   1 predict    q~ = q_t + h v + h^2 M^-1 f; pinned nodes on their path; the iteration starts there
//   2 detect     contact points against obstacles and between bodies; bodies that touch form islands
//   3 delassus   G = B A^-1 B^T of every island
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
#include <cmath>

#include "engine/step/item_sums.hpp"
#include "engine/step/stepper.hpp"
#include "host/rivals/jacobi.hpp"

namespace sinew {

namespace {
constexpr int kMaxExtraIterations = 5;  // for contacts found late
}  // namespace

void Stepper::run() {
  each_body(statistics_.ms.rhs, [&](std::size_t b) { predict(b); });
  {
    const StageTimer timer(statistics_.ms.detect);
    detect();
  }
  each_island(statistics_.ms.delassus, [&](Island& island) {
    set_up_problem(island);
    gather_forces(island);
  });
  each_body(statistics_.ms.local, [&](std::size_t b) {
    first_local(b);
    begin_duals(b);
  });
  int k = 0;
  for (; k < settings_.iterations + kMaxExtraIterations; ++k) {
    each_active_island(statistics_.ms.rhs, [&](Island& island) { linearise(island); });
    each_body(statistics_.ms.rhs, [&](std::size_t b) { decide(b, k); });
    if (!go_on(k)) break;
    statistics_.cut = cut_off(k);
    if (statistics_.cut) break;
    each_active(statistics_.ms.free,
                [&](std::size_t b) { bodies_[b].inverse_residual = bodies_[b].residual_vector; });
    solve(statistics_.ms.free, &BodyFrame::inverse_residual,
          [&](std::size_t b) { return bodies_[b].active; });
    each_active(statistics_.ms.free, [&](std::size_t b) {
      if (bodies_[b].has_arc) bodies_[b].inverse_before = bodies_[b].gradient_change;
    });
    solve(statistics_.ms.free, &BodyFrame::inverse_before,
          [&](std::size_t b) { return bodies_[b].active && bodies_[b].has_arc; });
    each_active(statistics_.ms.free, [&](std::size_t b) {
      free_step(b);
      move_to(bodies_[b], bodies_[b].direction, 1.0);
    });
    {
      const StageTimer timer(statistics_.ms.detect);
      if (add_contacts(&BodyFrame::trial, false))
        for (const std::size_t root : contacts_.roots)
          if (contacts_.islands[root].changed)
            for (const std::size_t b : contacts_.islands[root].bodies) activate(b);
    }
    each_active_island(statistics_.ms.contact, [&](Island& island) { contact_step(island); });
    each_active_island(statistics_.ms.correct, [&](Island& island) { change_forces(island); });
    solve(statistics_.ms.correct, &BodyFrame::inverse_change,
          [&](std::size_t b) { return bodies_[b].active && touched(b); });
    each_active_island(statistics_.ms.correct, [&](Island& island) {
      correct(island);
      refuse_wild_turns(island);
    });
    each_active_island(statistics_.ms.local, [&](Island& island) { line_search(island); });
  }
  statistics_.iterations = k;
  const StageTimer timer(statistics_.ms.contact);
  close_gaps();
}

bool Stepper::cut_off(int iterations_done) const {
  if (iterations_done == 0) return false;
  return iterations_done >= input_.most_iterations ||
         (input_.deadline && std::chrono::steady_clock::now() >= *input_.deadline);
}

void Stepper::solve_alone(BodyFrame& f, Mirrored<Vec3d>& block) const {
  if (!solves_on_device(f)) return solve_alone(f, block.edit());
  if (!f.workspace) f.workspace = f.precomputed->solver->make_workspace();
  const QueueStage stage(f.device->queue(), "global step");
  f.precomputed->solver->solve_on_device(f.device->queue(), block.device_edit(), *f.workspace);
}

void Stepper::solve_alone(BodyFrame& f, std::vector<Vec3d>& block) const {
  if (!f.precomputed->solver) return;
  if (!f.workspace) f.workspace = f.precomputed->solver->make_workspace();
  Vec3d* data = block.data();
  f.precomputed->solver->solve(&data, 1, *f.workspace);
}

// 1. q~ = q_t + h v + h^2 (g + f / m); pinned nodes at their prescribed place.
void Stepper::predict(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  set_external_force(b);
  std::vector<Index> held;
  std::vector<Vec3d> place;
  for (const auto& [node, pin] : (*input_.pinned)[b]) {
    const PinData& data = input_.model->pins[pin];
    const Vec3d start = input_.model->bodies[b].start_position[p.to_user[node]];
    held.push_back(node);
    place.push_back(sinew::evaluate(data.spec.motion, data.origin, input_.end_time).apply(start));
  }
  if (f.device)
    predict_on_device(b, held, place);
  else
    predict_on_host(b, held, place);
  f.trial = f.position;
  if (f.device && may_touch()) {  // contacts and handles are looked for on the host
    f.position.start_down();
    state_.bodies[b].position.host();
    check_sum(b);
  }
  if (f.device)
    f.device->queue().clear(f.contact_nodal.device_new(p.free_count));
  else
    f.contact_nodal.assign(p.free_count, Vec3d{});
  // Chebyshev weights assume plain sweeps: no pairs of the quasi-Newton method between them.
  f.admm = settings_.solver.scheme == ElasticScheme::admm;
  const bool plain = f.admm || settings_.solver.global == GlobalSolver::chebyshev;
  f.metric = &state_.bodies[b].history;
  f.metric->begin_frame(plain ? 0 : static_cast<std::size_t>(settings_.history), p.free_count,
                        kLeastPrecision, f.device ? &f.device->queue() : nullptr);
  f.bend = 0.0;
  // Hard handles may ask for what contacts forbid: there A's resistance to turning keeps forces in bounds.
  if (!plain && settings_.history > 0 && may_collide() && state_.handles.empty()) start_turning(b);
  f.chebyshev_weight = 1.0;
  f.has_step = f.has_arc = false;
  f.next_residual.reset();
  f.active = true;
  f.done = false;
  f.residual = 0.0;
  f.iterations = f.line_search_steps = 0;
}

void Stepper::set_external_force(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  std::vector<Vec3d> total;
  for (const ForceData& force : input_.model->forces) {
    if (force.body != b) continue;
    total.resize(p.node_count);
    const Vec3d value = sinew::evaluate(force.spec.force, input_.end_time);
    for (std::size_t k = 0; k < force.nodes.size(); ++k)
      total[p.to_internal[force.nodes[k]]] += force.share[k] * value;
  }
  f.external_force.host_new(total.size()) = std::move(total);
}

void Stepper::predict_on_host(std::size_t b, const std::vector<Index>& held,
                              const std::vector<Vec3d>& place) {
  BodyFrame& f = bodies_[b];
  const BodyState& s = state_.bodies[b];
  f.nodes = {h(),
             f.precomputed->alpha,
             input_.model->gravity,
             host_view(f.precomputed->mass),
             host_view(s.position.host()),
             host_view(s.velocity.host()),
             host_view(f.external_force.host())};
  std::vector<Vec3d>& predicted = f.predicted.host_new(static_cast<std::size_t>(f.precomputed->node_count));
  const PredictKernel predict{f.nodes, predicted.data()};
  for_each(predicted.size(), kNodeGrain, predict);
  f.position = f.predicted;
  std::vector<Vec3d>& position = f.position.edit();
  for (std::size_t k = 0; k < held.size(); ++k) position[held[k]] = place[k];
  check_sum(b);
}

void Stepper::check_sum(std::size_t b) const {
  const Mirrored<Vec3d>& position = bodies_[b].position;
  double sum = 0.0;
  for (const Vec3d& x : position.host()) sum += x.x + x.y + x.z;
  check_finite(b, position, sum, "prediction");
}

void Stepper::predict_on_device(std::size_t b, const std::vector<Index>& held,
                                const std::vector<Vec3d>& place) {
  BodyFrame& f = bodies_[b];
  BodyState& s = state_.bodies[b];
  const std::size_t n = static_cast<std::size_t>(f.precomputed->node_count);
  for (Mirrored<Vec3d>* array : {&s.position, &s.velocity, &s.correction}) array->bind(&f.device->queue());
  f.nodes = {h(),
             f.precomputed->alpha,
             input_.model->gravity,
             f.device->body().mass(),
             s.position.device(),
             s.velocity.device(),
             f.external_force.empty() ? View<const Vec3d>{} : f.external_force.device()};
  const QueueStage stage(f.device->queue(), "predict");
  f.device->queue().predict(f.nodes, f.predicted.device_new(n));
  f.position = f.predicted;
  f.device->put(held, place, f.position);
}

// 5. Residual r = grad e - h^2 H^T lambda, and whether the body has work left.
void Stepper::decide(std::size_t b, int k) {
  BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  const std::size_t n = static_cast<std::size_t>(p.free_count);
  const auto [r2, scale2, farthest2] = f.device ? residual_on_device(b) : residual_on_host(b);
  f.residual = scale2 > 0.0 ? std::sqrt(r2 / scale2) : 0.0;
  if (f.admm) {
    std::vector<Vec3d>& residual = f.residual_vector.edit();
    for (std::size_t i = 0; i < n; ++i) residual[i] += f.admm_correction[i];
  }
  if (!f.active) return;
  // Moves below the rounding of the coordinates cannot be seen: nothing to do, with or without a tolerance.
  f.rounding = 2.2e-16 * std::sqrt(farthest2) * p.diagonal_norm;
  const bool settled = f.residual <= settings_.tolerance || r2 <= f.rounding * f.rounding;
  const bool law_holds = k > 0 || !may_touch();
  f.done = n == 0 || k >= settings_.iterations || (settled && law_holds);
}

ResidualSizes Stepper::residual_on_host(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const std::size_t n = static_cast<std::size_t>(f.precomputed->free_count);
  const auto sums = item_sums(
      n, ResidualItem{f.nodes, f.position.host().data(), f.predicted.host().data(), f.gradient.host().data(),
                      f.contact_nodal.host().data(), f.residual_vector.host_new(n).data()});
  return {sums[ResidualSums::residual2], sums[ResidualSums::scale2], sums[ResidualSums::farthest2]};
}

ResidualSizes Stepper::residual_on_device(std::size_t b) {
  BodyFrame& f = bodies_[b];
  if (f.next_residual) {
    std::swap(f.residual_vector, f.trial_residual);
    const ResidualSizes sizes = *f.next_residual;
    f.next_residual.reset();
    return sizes;
  }
  start_residual(f, f.position, f.gradient, f.residual_vector, 0);
  f.device->read_sums();
  return read_residual(f, 0);
}

void Stepper::start_residual(BodyFrame& f, const Mirrored<Vec3d>& position, const Mirrored<Vec3d>& gradient,
                             Mirrored<Vec3d>& residual, int slot) const {
  DeviceFrame& device = *f.device;
  const QueueStage stage(device.queue(), "residual");
  device.queue().residual(f.nodes, position.device(), f.predicted.device(), gradient.device(),
                          f.contact_nodal.device(),
                          residual.device_new(static_cast<std::size_t>(f.precomputed->free_count)),
                          device.sums(slot), device.scratch());
}

ResidualSizes Stepper::read_residual(const BodyFrame& f, int slot) const {
  const auto sum = [&](int place) { return f.device->sum(slot, place); };
  return {sum(ResidualSums::residual2), sum(ResidualSums::scale2), sum(ResidualSums::farthest2)};
}

/// Islands go on while one of their bodies has work left, or while bodies were pushed into something that
/// they have no contact with yet. False: the iteration is over.
bool Stepper::go_on(int k) {
  bool look = false;
  for (const std::size_t root : contacts_.roots) {
    const Island& island = contacts_.islands[root];
    bool done = true;
    for (const std::size_t b : island.bodies) done = done && bodies_[b].done;
    if (!active(island) || !done) continue;
    look = look || k > 0;
    for (const std::size_t b : island.bodies) bodies_[b].active = false;
  }
  if (look) {
    const StageTimer timer(statistics_.ms.detect);
    if (add_contacts(&BodyFrame::position, true))
      for (const std::size_t root : contacts_.roots)
        if (contacts_.islands[root].changed)
          for (const std::size_t b : contacts_.islands[root].bodies) bodies_[b].active = true;
  }
  return std::any_of(bodies_.begin(), bodies_.end(), [](const BodyFrame& f) { return f.active; });
}

// 6. Direction without new contact forces.
void Stepper::free_step(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const bool has_step = f.has_step;
  std::vector<double> products;  // of the residual with the pairs
  if (f.has_step) {  // now A^-1 y is known: the residuals before and after had the same contact forces
    if (!f.has_arc) combine(f, f.inverse_before, 1.0, f.inverse_residual, -1.0, &f.inverse_before);
    remove_translation(f);
    f.metric->push(f.step, f.gradient_change, f.inverse_before, f.sums, f.rounding, &f.residual_vector,
                   &products);
    f.has_step = f.has_arc = false;
  }
  combine(f, f.direction, -1.0, f.inverse_residual);
  f.metric->add_low_rank(f.residual_vector, -1.0, f.direction, f.sums, &products);
  if (settings_.solver.global == GlobalSolver::chebyshev) add_momentum(b, has_step);
  ++f.iterations;
}

/// to := a x + b y; to may be y.
void Stepper::combine(BodyFrame& f, Mirrored<Vec3d>& to, double a, const Mirrored<Vec3d>& x, double b,
                      const Mirrored<Vec3d>* y) const {
  const std::size_t n = x.size();
  if (f.device) {
    const View<const Vec3d> other = y ? y->device() : View<const Vec3d>{};
    f.device->queue().combine(to.device_new(n), a, x.device(), b, other);
    return;
  }
  const std::vector<Vec3d>& from = x.host();
  if (!y) {
    std::vector<Vec3d>& out = to.host_new(n);
    for_each(n, kNodeGrain, [&](std::size_t i) { out[i] = a * from[i]; });
    return;
  }
  const std::vector<Vec3d>& other = y->host();
  std::vector<Vec3d>& out = to.host_new(n);
  for_each(n, kNodeGrain, [&](std::size_t i) { out[i] = a * from[i] + b * other[i]; });
}

/// A free body resists a translation by its mass alone, in A as in the true Hessian. Pairs that mix it with
/// strain would spoil what A knows exactly: a resting block falls by h^2 g in every prediction, and with
/// such pairs from earlier frames contact did not bring it back (residual 1e-2 instead of 4e-5).
void Stepper::remove_translation(BodyFrame& f) const {
  const BodyPrecomputed& p = *f.precomputed;
  if (p.free_count != p.node_count || f.metric->capacity() == 0) return;
  const double damped = 1.0 + h() * p.alpha;
  if (f.device) {
    DeviceFrame& device = *f.device;
    device.queue().momentum(device.body().mass(), f.step.device(), device.sums(0), device.scratch());
    device.queue().remove_shift(device.body().mass(), View<const double>(device.sums(0)),
                                device.inverse_mass(), damped, f.step.device_edit(),
                                f.inverse_before.device_edit(), f.gradient_change.device_edit());
    return;
  }
  std::vector<Vec3d>&step = f.step.edit(), &inverse = f.inverse_before.edit(),
  &change = f.gradient_change.edit();
  Vec3d momentum{};
  double mass = 0.0;
  for (Index i = 0; i < p.node_count; ++i) {
    momentum += p.mass[i] * step[i];
    mass += p.mass[i];
  }
  const Vec3d shift = momentum / mass;
  for (Index i = 0; i < p.node_count; ++i) {
    step[i] -= shift;
    inverse[i] -= shift;
    change[i] -= (damped * p.mass[i]) * shift;
  }
}

/// Chebyshev weights from iteration to iteration, q_{k+1} = w (q_k + d - q_{k-1}) + q_{k-1}: the free
/// direction gains (w - 1) (d + the step before). The line search guards it. Not with contacts, whose
/// forces change the system from one iteration to the next: there the sweeps stay plain.
void Stepper::add_momentum(std::size_t b, bool has_step) {
  BodyFrame& f = bodies_[b];
  if (touched(b)) has_step = false;
  f.chebyshev_weight =
      has_step ? chebyshev_weight(f.iterations, f.chebyshev_weight, f.precomputed->solver->spectral_radius())
               : 1.0;
  if (!has_step) return;
  std::vector<Vec3d>& direction = f.direction.edit();
  const std::vector<Vec3d>& step = f.step.host();
  for (std::size_t i = 0; i < direction.size(); ++i)
    direction[i] += (f.chebyshev_weight - 1.0) * (direction[i] + step[i]);
}

void step_local_global(const FrameInput& input, State& state, std::vector<BodyFrame>& bodies,
                       FrameContacts& contacts, std::vector<SolveGroup>& groups, StepStatistics& statistics) {
  Stepper(input, state, bodies, contacts, groups, statistics).run();
}

}  // namespace sinew
