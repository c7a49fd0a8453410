#include "benchmarks/global_study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "benchmarks/global_preparation.hpp"
#include "host/rivals/pcg.hpp"
#include "host/rivals/sparse_inverse.hpp"
#include "host/staged_structure.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A turn ends after so many solves or so much time, whichever comes first; the first solve of a turn finds
/// the caches full of another solver's data, the later ones its own.
constexpr int kSolvesPerTurn = 8;
constexpr double kMsPerTurn = 20.0;
constexpr int kMostRounds = 200;

/// Uniform in [-1, 1), the same everywhere, {kInstances, n} in the matrix's order.
std::vector<std::vector<Vec3d>> random_blocks(std::size_t n) {
  std::mt19937_64 bits(20260101);
  const auto next = [&] { return static_cast<double>(bits() >> 11) / 4503599627370496.0 - 1.0; };
  std::vector<std::vector<Vec3d>> blocks(kInstances, std::vector<Vec3d>(n));
  for (auto& block : blocks)
    for (Vec3d& v : block) {
      v.x = next();
      v.y = next();
      v.z = next();
    }
  return blocks;
}

/// A solver with its vectors.
struct Runner {
  std::unique_ptr<LinearSolver> solver;
  std::unique_ptr<LinearSolver::Workspace> workspace;
  std::vector<std::vector<Vec3d>> right;  ///< in the solver's order
  std::vector<std::vector<Vec3d>> x;
  SolverResult* result = nullptr;

  Runner(std::unique_ptr<LinearSolver> made, const std::vector<std::vector<Vec3d>>& blocks)
      : solver(std::move(made)), workspace(solver->make_workspace()), right(blocks), x(blocks) {
    const std::vector<Index>& order = solver->order();
    for (std::size_t c = 0; c < blocks.size(); ++c)
      for (std::size_t k = 0; k < order.size(); ++k) right[c][k] = blocks[c][order[k]];
  }
  void restore(int count) {
    for (int c = 0; c < count; ++c) std::copy(right[c].begin(), right[c].end(), x[c].begin());
  }
  void solve(int count) {
    Vec3d* block[kInstances];
    for (int c = 0; c < count; ++c) block[c] = x[c].data();
    solver->solve(block, static_cast<std::size_t>(count), *workspace);
  }
  /// Of the first block, in the matrix's order.
  std::vector<Vec3d> solution() {
    restore(1);
    solve(1);
    const std::vector<Index>& order = solver->order();
    std::vector<Vec3d> result(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) result[order[k]] = x[0][k];
    return result;
  }
};

double relative_error(const std::vector<Vec3d>& x, const std::vector<Vec3d>& reference) {
  double difference = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    difference += squared_norm(x[i] - reference[i]);
    scale += squared_norm(reference[i]);
  }
  return std::sqrt(difference / scale);
}

/// b - A x with sums in extended precision.
std::vector<Vec3d> residual(const SymmetricMatrix& a, const std::vector<Vec3d>& x,
                            const std::vector<Vec3d>& b) {
  std::vector<Vec3<long double>> r(b.size());
  const auto take = [&](Index i, double value, Index j) {
    const long double v = value;
    r[i].x -= v * x[j].x;
    r[i].y -= v * x[j].y;
    r[i].z -= v * x[j].z;
  };
  for (std::size_t i = 0; i < b.size(); ++i) r[i] = {b[i].x, b[i].y, b[i].z};
  for (Index j = 0; j < a.size; ++j)
    for (Index p = a.column_start[j]; p < a.column_start[j + 1]; ++p) {
      take(a.row[p], a.value[p], j);
      if (a.row[p] != j) take(j, a.value[p], a.row[p]);
    }
  std::vector<Vec3d> result(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    result[i] = {static_cast<double>(r[i].x), static_cast<double>(r[i].y), static_cast<double>(r[i].z)};
  return result;
}

/// The solution to rounding. The library's own error grows with the condition number (1.5e-12 on a sheet with
/// bending), so it cannot judge others to 1e-12 as it stands.
std::vector<Vec3d> refined_solution(Runner library, const SymmetricMatrix& a, const std::vector<Vec3d>& b) {
  constexpr int kSteps = 2;
  std::vector<Vec3d> x = library.solution();
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<Vec3d> r = residual(a, x, b);
    const std::vector<Index>& order = library.solver->order();
    for (std::size_t k = 0; k < order.size(); ++k) library.right[0][k] = r[order[k]];
    const std::vector<Vec3d> correction = library.solution();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[i];
  }
  return x;
}

/// One line of the round: a solver, its width and where it runs.
struct Entry {
  Runner* runner;
  Executor* executor;
  std::size_t timing;  ///< in the result
  double spent_ms = 0.0;

  void take_turn() {
    executor->run([&] {
      Timing& times = runner->result->timings[timing];
      double turn = 0.0;
      for (int k = 0; k < kSolvesPerTurn && turn < kMsPerTurn; ++k) {
        runner->restore(times.blocks);
        const Clock::time_point start = Clock::now();
        runner->solve(times.blocks);
        const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        times.ms.push_back(ms / times.blocks);
        turn += ms;
      }
      spent_ms += turn;
    });
  }
};

/// Rounds until the time is up; who has had its share sits out.
void run_rounds(std::vector<Entry>& entries, double seconds,
                const std::function<void(const std::string&)>& progress) {
  const Clock::time_point start = Clock::now();
  const double share_ms = 1000.0 * seconds / static_cast<double>(std::max<std::size_t>(1, entries.size()));
  for (int round = 0; round < kMostRounds; ++round) {
    bool any = false;
    for (Entry& entry : entries) {
      const double spent = std::chrono::duration<double>(Clock::now() - start).count();
      if (round > 0 && (entry.spent_ms >= share_ms || spent >= seconds)) continue;
      progress("round " + std::to_string(round + 1) + ", " + entry.runner->result->kind.name);
      entry.take_turn();
      any = true;
    }
    if (!any) return;
  }
}

std::vector<std::unique_ptr<Runner>> make_runners(const SolverInput& input, const GlobalSettings& settings,
                                                  const std::vector<std::vector<Vec3d>>& blocks,
                                                  const std::vector<Vec3d>& reference, GlobalResult& result,
                                                  const std::function<void(const std::string&)>& progress) {
  std::vector<std::unique_ptr<Runner>> runners;
  result.solvers.resize(settings.solvers.size());
  for (std::size_t s = 0; s < settings.solvers.size(); ++s) {
    SolverResult& solver = result.solvers[s];
    solver.kind = settings.solvers[s];
    progress(solver.kind.name);
    MadeSolver made = make_solver(solver.kind, input);
    solver.why_not = made.why_not;
    solver.prepare_s = made.prepare_s;
    if (!made.solver) continue;
    solver.sizes = made.solver->sizes();
    runners.push_back(std::make_unique<Runner>(std::move(made.solver), blocks));
    Runner& runner = *runners.back();
    runner.result = &solver;
    const std::vector<Vec3d> x = runner.solution();
    if (!solver.kind.incomplete) solver.error = relative_error(x, reference);
    if (const auto* pcg = dynamic_cast<const PcgSolver::PcgWorkspace*>(runner.workspace.get()))
      solver.iterations = pcg->iterations;
    if (!solver.kind.wide) continue;
    runner.restore(kInstances);
    runner.solve(kInstances);  // its vectors have grown now
  }
  return runners;
}

}  // namespace

double Timing::best() const {
  return ms.empty() ? kNaN : *std::min_element(ms.begin(), ms.end());
}

double Timing::median() const {
  if (ms.empty()) return kNaN;
  std::vector<double> sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

const Timing* SolverResult::timing(int threads, int blocks) const {
  for (const Timing& t : timings)
    if (t.threads == threads && t.blocks == blocks) return &t;
  return nullptr;
}

double SolverResult::best(int threads, int blocks) const {
  const Timing* t = timing(kind.parallel || blocks > 1 ? threads : 1, blocks);
  return t ? t->best() : kNaN;
}

const SolverResult* GlobalResult::solver(const std::string& solver_name) const {
  for (const SolverResult& s : solvers)
    if (s.kind.name == solver_name) return &s;
  return nullptr;
}

GlobalResult run_global_study(const GlobalProblem& problem, const GlobalSettings& settings,
                              const std::function<void(const std::string&)>& progress) {
  const auto say = [&](const std::string& what) { progress(problem.name + ": " + what); };
  Executor all(settings.threads), one(1);
  GlobalResult result;
  result.name = problem.name;
  result.shape = problem.shape;
  result.vertices = problem.vertices;
  result.elements = problem.elements;
  result.published_MB = problem.published_MB;
  result.nnz_matrix = problem.matrix.row.size();

  Prepared prepared;
  std::vector<std::unique_ptr<Runner>> runners;
  all.run([&] {
    prepared = prepare(problem, settings, say);
    result.preparation = prepared.times;
    result.nnz_factor = prepared.factor.nonzeros();
    result.nnz_stages = staged_nonzeros(prepared.factor, SolverSettings::kMostStages);
    result.published_form_bytes = count_published_inverse(prepared.factor.parent).bytes;
    result.staged = prepared.staged;
    result.staged_float = prepared.staged_float;

    const SolverInput input{problem.matrix, prepared.factor, result.nnz_stages, settings.memory_limit};
    const FactorLibrary library = has_cholmod() ? FactorLibrary::cholmod : FactorLibrary::eigen;
    result.reference = factor_library_name(library) + ", refined with residuals in extended precision";
    const auto blocks = random_blocks(static_cast<std::size_t>(problem.matrix.size));
    say("reference");
    const SolverKind* kind = nullptr;
    for (const SolverKind& k : solver_kinds())
      if (k.name == (has_cholmod() ? "cholmod" : "eigen")) kind = &k;
    MadeSolver made = make_solver(*kind, {problem.matrix, prepared.factor, result.nnz_stages, 0.0});
    const std::vector<Vec3d> reference =
        refined_solution(Runner(std::move(made.solver), blocks), problem.matrix, blocks[0]);
    runners = make_runners(input, settings, blocks, reference, result, say);
  });

  std::vector<Entry> entries;
  for (const auto& runner : runners) {
    SolverResult& solver = *runner->result;
    const auto add = [&](int threads, int count) {
      solver.timings.push_back({threads, count, {}});
      entries.push_back({runner.get(), threads == 1 ? &one : &all, solver.timings.size() - 1});
    };
    add(1, 1);
    if (solver.kind.parallel && settings.threads > 1) add(settings.threads, 1);
    if (solver.kind.wide) add(settings.threads, kInstances);
  }
  run_rounds(entries, settings.seconds, say);
  return result;
}

}  // namespace sinew::bench
