#include "benchmarks/friction_study.hpp"

#include <cmath>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "engine/common/solver_names.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/validation/contact_slope.hpp"

namespace sinew::bench {

namespace {

constexpr double kRatio = 1.1;  // of offsets at which bisection ends
constexpr double kMost = 1.0;   // largest mu tried: what the block settled with

/// The largest wrong offset on one side of mu*.
FrictionError one_side(double critical, double sign, const std::function<bool(double)>& stays) {
  const auto wrong = [&](double offset) { return stays(critical + sign * offset) != (sign > 0.0); };
  double low = kNearest * critical, high = sign > 0.0 ? kMost - critical : critical;
  if (!wrong(low)) return {low, true, false};
  if (wrong(high)) return {high, false, true};
  while (high > kRatio * low) {
    const double middle = std::sqrt(low * high);
    (wrong(middle) ? low : high) = middle;
  }
  return {low, false, false};
}

FrictionCase run_case(const FrictionSettings& settings, double young, double time_step,
                      const FrictionMethod& method) {
  test::SlopeCase slope;
  slope.young = young;
  slope.time_step = time_step;
  slope.settings.iterations = settings.iterations;
  slope.settings.contact = method.contact;
  slope.settings.threads = 1;
  slope.settings.solver.cache = false;
  test::SlopeRun run(slope);
  std::map<double, double> known;
  const auto speed = [&](double mu) {
    const auto [place, first] = known.try_emplace(mu, 0.0);
    if (first) place->second = run.rests(mu, kWatch);
    return place->second;
  };
  const auto stays = [&](double bound) {
    return find_friction_error(run.critical(), [&](double mu) { return speed(mu) < bound; });
  };
  FrictionCase result;
  result.young = young;
  result.time_step = time_step;
  result.method = method.name;
  result.seen = stays(kSeen);
  result.at_rest = stays(kAtRest);
  result.speed = speed(kMost);
  result.frames = run.frames();
  result.unconverged = static_cast<double>(run.worst().unconverged) / static_cast<double>(run.frames());
  result.ms = run.milliseconds() / static_cast<double>(run.frames());
  return result;
}

}  // namespace

const std::vector<FrictionMethod>& friction_methods() {
  static const std::vector<FrictionMethod> methods = [] {
    std::vector<FrictionMethod> all;
    for (const bool fixed : {true, false})
      for (const NewtonForm form : {NewtonForm::published, NewtonForm::exact})
        for (const RowScaling scaling : {RowScaling::system, RowScaling::mass}) {
          FrictionMethod method;
          method.name = fmt::format("{}-{}{}", newton_form_names()[static_cast<int>(form)],
                                    row_scaling_names()[static_cast<int>(scaling)], fixed ? "-fixed" : "");
          method.contact.solver = ContactSolver::nsn;
          method.contact.nsn.form = form;
          method.contact.nsn.scaling = scaling;
          if (fixed) {
            method.contact.nsn.steps = 1;
            method.contact.nsn.krylov_iterations = 10;
          }
          all.push_back(method);
        }
    for (const ContactSolver solver : {ContactSolver::gs, ContactSolver::newton}) {
      FrictionMethod method;
      method.name = to_string(solver);
      method.contact.solver = solver;
      all.push_back(method);
    }
    return all;
  }();
  return methods;
}

FrictionError find_friction_error(double critical, const std::function<bool(double)>& stays) {
  const FrictionError below = one_side(critical, -1.0, stays), above = one_side(critical, 1.0, stays);
  if (below.none != above.none) return below.none ? above : below;
  return below.value > above.value ? below : above;
}

std::vector<FrictionCase> run_friction_study(const FrictionSettings& settings,
                                             const std::function<void(const std::string&)>& progress) {
  struct Job {
    double young, time_step;
    const FrictionMethod* method;
  };
  std::vector<Job> jobs;
  for (const double time_step : settings.time_step)
    for (const double young : settings.young)
      for (const FrictionMethod& method : settings.methods) jobs.push_back({young, time_step, &method});
  std::vector<FrictionCase> cases(jobs.size());
  std::mutex mutex;
  std::size_t done = 0;
  for_each(jobs.size(), 1, [&](std::size_t j) {
    cases[j] = run_case(settings, jobs[j].young, jobs[j].time_step, *jobs[j].method);
    const std::lock_guard lock(mutex);
    progress(fmt::format("{} of {}: E {:.0e} Pa, h {:g} s, {}", ++done, jobs.size(), jobs[j].young,
                         jobs[j].time_step, jobs[j].method->name));
  });
  return cases;
}

}  // namespace sinew::bench
