#include "benchmarks/global_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace sinew::bench {

namespace {

constexpr double kNone = -1.0;  // a figure that was not measured

/// The bar nearest to a size and within 12 % of it, of the series of regular ones if any is; null where there
/// is none.
const GlobalResult* bar_near(const std::vector<GlobalResult>& results, double vertices) {
  const GlobalResult* best = nullptr;
  const auto distance = [&](const GlobalResult& r) {
    return std::abs(r.vertices - vertices) + (r.published_MB > 0.0 ? vertices : 0.0);
  };
  for (const GlobalResult& r : results)
    if (r.shape == "bar" && std::abs(r.vertices - vertices) <= 0.12 * vertices &&
        (!best || distance(r) < distance(*best)))
      best = &r;
  return best;
}

double best_ms(const GlobalResult& result, const char* solver, int threads) {
  const SolverResult* s = result.solver(solver);
  const double ms = s ? s->best(threads, 1) : kNone;
  return std::isfinite(ms) ? ms : kNone;
}

double ratio(double a, double b) {
  return a > 0.0 && b > 0.0 ? a / b : kNone;
}

class Judge {
 public:
  void add(std::string what, std::string where, double measured, double limit, std::string unit = "") {
    Goal goal{std::move(what), std::move(where), measured, limit, std::move(unit), Goal::Verdict::not_run};
    if (measured >= 0.0) goal.verdict = measured <= limit ? Goal::Verdict::pass : Goal::Verdict::miss;
    goals.push_back(std::move(goal));
  }
  /// The worst figure of all results that have one.
  void add_worst(std::string what, const std::vector<GlobalResult>& results, const std::string& absent,
                 double limit, const std::function<double(const GlobalResult&)>& figure) {
    double worst = kNone;
    std::size_t count = 0;
    std::string where = absent;
    for (const GlobalResult& r : results) {
      const double value = figure(r);
      if (value < 0.0) continue;
      ++count;
      if (value <= worst) continue;
      worst = value;
      where = r.name;
    }
    if (count > 1) where = fmt::format("worst of {}: {}", count, where);
    add(std::move(what), std::move(where), worst, limit);
  }

  std::vector<Goal> goals;
};

void judge_speed(Judge& judge, const std::vector<GlobalResult>& results, int threads) {
  const GlobalResult* bar = bar_near(results, 21000.0);
  const std::string where = bar ? fmt::format("{}, {} thread{}", bar->name, threads, threads == 1 ? "" : "s")
                                : "bar of 21k vertices";
  double staged = kNone, single = kNone, cholmod = kNone, sparse = kNone, one_stage = kNone;
  if (bar) {
    staged = best_ms(*bar, "staged", threads);
    single = best_ms(*bar, "staged_float", threads);
    sparse = best_ms(*bar, "sparse_inverse", threads);
    one_stage = best_ms(*bar, "staged_k1", threads);
    const double simplicial = best_ms(*bar, "cholmod", threads);
    const double supernodal = best_ms(*bar, "cholmod_supernodal", threads);
    if (simplicial > 0.0 && supernodal > 0.0) cholmod = std::min(simplicial, supernodal);
  }
  judge.add("time, staged / faster CHOLMOD solve", where, ratio(staged, cholmod), 1.0 / 2.0);
  judge.add("time, staged / sparse inverse in compressed rows", where, ratio(staged, sparse), 1.0 / 8.0);
  judge.add("time, staged / one stage in the same layout", where, ratio(staged, one_stage), 1.0 / 5.0);
  judge.add("time, staged in float / faster CHOLMOD solve", where, ratio(single, cholmod), 1.0 / 3.0);
}

void judge_memory(Judge& judge, const std::vector<GlobalResult>& results) {
  const auto share = [](const GlobalResult& r) {
    return r.published_MB > 0.0 ? static_cast<double>(r.staged.bytes) / (1e6 * r.published_MB) : kNone;
  };
  std::vector<GlobalResult>::const_iterator bar = results.begin();
  while (bar != results.end() && !(bar->shape == "bar" && std::abs(bar->published_MB - 1310.19) < 1.0)) ++bar;
  const bool found = bar != results.end();
  judge.add("bytes, staged / published S (1310 MB)", found ? bar->name : "published bar of 20.8k vertices",
            found ? share(*bar) : kNone, 1.0 / 25.0);
  judge.add_worst("bytes, staged / published S, every row", results, "rows with a published figure",
                  1.0 / 8.0, share);
}

void judge_growth(Judge& judge, const std::vector<GlobalResult>& results, int threads) {
  judge.add_worst("stored entries / nnz(L), bars", results, "bars", 1.35, [](const GlobalResult& r) {
    if (r.shape != "bar") return kNone;
    return ratio(static_cast<double>(r.staged.stored_entries), static_cast<double>(r.nnz_factor));
  });
  const GlobalResult *middle = bar_near(results, 20000.0), *large = bar_near(results, 100000.0);
  const auto per_entry = [&](const GlobalResult* r) {
    return r ? ratio(best_ms(*r, "staged", threads), static_cast<double>(r->staged.stored_entries)) : kNone;
  };
  judge.add("time per stored entry, bar of 100k / of 20k",
            middle && large ? large->name + " and " + middle->name : "bars of 20k and 100k vertices",
            ratio(per_entry(large), per_entry(middle)), 2.5);
  const std::string where = large ? large->name : "bar of 100k vertices";
  const Preparation times = large ? large->preparation : Preparation{};
  judge.add("cold start, simplicial factor", where, times.simplicial_total_s, 45.0, "s");
  judge.add("cold start, supernodal factor", where, times.supernodal_total_s, 30.0, "s");
  judge.add("second start, from cache", where, times.second_start_s, 2.0, "s");
}

void judge_errors(Judge& judge, const std::vector<GlobalResult>& results) {
  const auto worst = [&](bool single) {
    return [single](const GlobalResult& r) {
      double error = kNone;
      for (const SolverResult& s : r.solvers)
        if (s.kind.stages >= 0 && s.kind.single == single && s.built())
          error = std::max(error, std::isnan(s.error) ? HUGE_VAL : s.error);
      return error;
    };
  };
  judge.add_worst("relative error, staged in double", results, "staged", 1e-12, worst(false));
  judge.add_worst("relative error, staged in float", results, "staged_float", 2e-6, worst(true));
}

}  // namespace

const char* to_string(Goal::Verdict verdict) {
  switch (verdict) {
    case Goal::Verdict::pass:
      return "PASS";
    case Goal::Verdict::miss:
      return "MISS";
    case Goal::Verdict::not_run:
      break;
  }
  return "not run";
}

std::vector<Goal> judge(const std::vector<GlobalResult>& results, int threads) {
  Judge judge;
  judge_speed(judge, results, threads);
  judge_memory(judge, results);
  judge_growth(judge, results, threads);
  judge_errors(judge, results);
  return std::move(judge.goals);
}

}  // namespace sinew::bench
