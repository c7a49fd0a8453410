#include <algorithm>
#include <cmath>

#include "engine/contact/device_contacts.hpp"
#include "engine/contact/device_gauss_seidel.hpp"
#include "engine/contact/device_problem.hpp"
#include "kernels/device/repeated_work.hpp"

namespace sinew {

namespace {

constexpr const char* kNewton = "Newton steps of contacts";
constexpr int kRecorded = 64;  // iterations of conjugate residual of a recorded step; beyond, checkpoints

std::vector<double> scaling_of(const ContactProblem& p, const NonsmoothSettings& settings) {
  std::vector<double> r;
  if (settings.scaling == RowScaling::mass)
    for (const double g : p.mass_gram) r.push_back(p.squared_step * g);
  return r;
}

/// A step is 10 launches, 5 for each iteration of conjugate residual (7 with a term of low
/// rank) and one copy of a few bytes down. An iteration reads G once: 87 MB of 3,300 points.
class DeviceNewton {
 public:
  DeviceNewton(DeviceContactProblem& device, const NonsmoothSettings& settings, const NonsmoothStop& stop)
      : device_(device),
        queue_(device.queue()),
        iterations_(settings.krylov_iterations),
        block_(queue_.device(), kBlocks * device.unknowns(), kNewton),
        part_(queue_.device(), newton_parts(device.unknowns()), kNewton),
        krylov_(queue_.device(), static_cast<std::size_t>(std::clamp(iterations_, 2, kRecorded)), kNewton),
        outcome_(queue_.device(), 1, kNewton),
        krylov_on_host_(queue_.device(), 1),
        outcome_on_host_(queue_.device(), 1) {
    std::size_t next = 0;
    const auto take = [&] { return block_.view().part(next++ * device.unknowns(), device.unknowns()); };
    const bool published = settings.form == NewtonForm::published;
    view_.problem = device.view();
    view_.scaling = device.scaling();
    view_.published = published;
    view_.search = !published;
    view_.function = stop.function;
    view_.relative = settings.steps > 0 ? 0.0 : stop.krylov_relative;
    view_.displacement = device.displacement();
    view_.force = device.force();
    for (View<Vec3d>* v :
         {&view_.kept_displacement, &view_.kept_force, &view_.lambda, &view_.share, &view_.e, &view_.scale,
          &view_.x, &view_.r, &view_.ar, &view_.p, &view_.ap, &view_.step, &view_.push, &view_.move})
      *v = take();
    view_.part = part_.view();
    view_.krylov = krylov_.view();
    view_.outcome = outcome_.view();
    queue_.newton_unknowns(view_);
    queue_.newton_measure(view_, true);
    queue_.download(outcome_on_host_.data(), outcome_.cview());
  }

  /// Without a wait, as long as iterations can be recorded.
  void step() { iterations_ > kRecorded ? all_of_step() : step_.run(); }
  /// Waits for the steps so far.
  const NewtonOutcome& outcome() {
    queue_.synchronize();
    return outcome_on_host_[0];
  }
  /// The best answer so far becomes that of the problem.
  void restore() {
    queue_.copy(device_.displacement(), View<const Vec3d>(view_.kept_displacement.part(0, device_.points())));
    queue_.copy(device_.force(), View<const Vec3d>(view_.kept_force));
    queue_.synchronize();
  }

 private:
  static constexpr std::size_t kBlocks = 14;  ///< vectors of view_

  void all_of_step() {
    queue_.newton_system(view_);
    int k = 0;
    while (k < iterations_) {
      const int end = std::min(iterations_, k + kRecorded);
      for (; k < end; ++k) {
        queue_.krylov_forces(view_, k);
        device_.apply(View<const Vec3d>(view_.push), view_.move, &view_.krylov.data[k % slots()].done);
        queue_.krylov_product(view_, k);
        queue_.krylov_step(view_, k);
      }
      if (k < iterations_ && is_done(k - 1)) break;
    }
    queue_.newton_take(view_, k);
    device_.apply(View<const Vec3d>(view_.push), view_.move, nullptr);
    queue_.newton_advance(view_);
    queue_.newton_measure(view_, false);
    queue_.download(outcome_on_host_.data(), outcome_.cview());
  }
  int slots() const { return static_cast<int>(krylov_.size()); }
  bool is_done(int k) {
    queue_.download(krylov_on_host_.data(), krylov_.cview().part(static_cast<std::size_t>(k % slots()), 1));
    queue_.synchronize();
    return krylov_on_host_[0].done || krylov_on_host_[0].broken;
  }

  DeviceContactProblem& device_;
  DeviceQueue& queue_;
  int iterations_;
  DeviceBuffer<Vec3d> block_;
  DeviceBuffer<double> part_;
  DeviceBuffer<KrylovState> krylov_;
  DeviceBuffer<NewtonOutcome> outcome_;
  PinnedBuffer<KrylovState> krylov_on_host_;
  PinnedBuffer<NewtonOutcome> outcome_on_host_;
  NewtonView view_;
  RepeatedWork step_{queue_, [this] { all_of_step(); }};
};

/// start: worst law at the start [m].
ContactReport newton_on_device(DeviceContactProblem& device, const ContactSolverSettings& settings,
                               const NonsmoothStop& stop, double& start) {
  ContactReport report;
  DeviceNewton newton(device, settings.nsn, stop);
  if (settings.nsn.steps > 0) {  // fixed work: its answer is the last one, better or not
    for (; report.newton_steps < settings.nsn.steps; ++report.newton_steps) newton.step();
    const NewtonOutcome& last = newton.outcome();
    start = last.start;
    report.products = last.products;
    report.change = last.residual;
    if (!std::isfinite(report.change)) {
      newton.restore();
      report.change = last.best;
    }
    report.converged = report.change <= settings.tolerance;
    return report;
  }
  NewtonOutcome now = newton.outcome();
  start = now.start;
  const double enough = std::max(settings.tolerance, settings.relative * start);
  StalledSteps stalled(start);
  while (now.best > enough && report.newton_steps < stop.max_steps && now.products < settings.max_products &&
         !stalled) {
    newton.step();
    now = newton.outcome();
    ++report.newton_steps;
    if (!std::isfinite(now.residual)) break;
    stalled.see(now.residual);
  }
  newton.restore();
  report.products = now.products;
  report.change = now.best;
  report.converged = now.best <= settings.tolerance;
  return report;
}

}  // namespace

ContactReport solve_nonsmooth_on_device(ContactProblem& problem, const ContactSolverSettings& settings,
                                        const NonsmoothStop& stop) {
  const QueueStage stage(*settings.queue, "contact");
  DeviceContactProblem device(*settings.queue, problem, scaling_of(problem, settings.nsn));
  double start = 0.0;
  const ContactReport report = newton_on_device(device, settings, stop, start);
  device.write_back(problem);
  return report;
}

ContactReport solve_nsn_on_device(ContactProblem& problem, const ContactSolverSettings& settings) {
  NonsmoothStop stop;
  stop.max_steps = settings.max_sweeps;
  return solve_nonsmooth_on_device(problem, settings, stop);
}

ContactReport solve_nsn_gs_on_device(ContactProblem& problem, const ContactSolverSettings& settings) {
  NonsmoothStop stop;
  stop.max_steps = std::min(stop.max_steps, settings.max_sweeps);
  const QueueStage stage(*settings.queue, "contact");
  DeviceContactProblem device(*settings.queue, problem, scaling_of(problem, settings.nsn));
  double start = 0.0;
  ContactReport report = newton_on_device(device, settings, stop, start);
  const double enough = std::max(settings.tolerance, settings.relative * start);
  if (!(report.change <= enough)) {
    ContactSolverSettings rest = settings;
    rest.relative = 0.0;
    rest.tolerance = enough;
    rest.max_products = settings.max_products - report.products;
    const ContactReport finish = sweep_on_device(device, problem, rest);
    report.sweeps = finish.sweeps;
    report.products += finish.products;
    report.change = finish.change;
    report.converged = finish.change <= settings.tolerance;
  }
  device.write_back(problem);
  return report;
}

}  // namespace sinew
