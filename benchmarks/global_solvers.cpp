#include "benchmarks/global_solvers.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "host/rivals/jacobi.hpp"
#include "host/rivals/pcg.hpp"
#include "host/rivals/sparse_inverse.hpp"
#include "host/rivals/triangular.hpp"
#include "host/staged_inverse.hpp"
#include "host/staged_solver.hpp"

namespace sinew::bench {

namespace {

SolverKind staged_kind(int stages) {
  SolverKind kind;
  kind.name = fmt::format("staged_k{}", stages);
  kind.what = fmt::format("staged inverse, {} stage{}, double", stages, stages == 1 ? "" : "s");
  kind.parallel = true;
  kind.stages = stages;
  return kind;
}

std::vector<SolverKind> make_kinds() {
  std::vector<SolverKind> kinds;
  const auto add = [&](const char* name, const char* what) -> SolverKind& {
    kinds.emplace_back();
    kinds.back().name = name;
    kinds.back().what = what;
    return kinds.back();
  };
  SolverKind& staged = add("staged", "staged inverse, cheapest number of stages, double");
  staged.parallel = true;
  staged.stages = 0;
  SolverKind& single = add("staged_float", "the same, values and sums in float");
  single.parallel = single.single = true;
  single.stages = 0;
  for (int stages = 1; stages <= SolverSettings::kMostStages; ++stages) kinds.push_back(staged_kind(stages));
  add("sparse_inverse", "S = L^-1 and S^T in compressed rows (published layout), double").parallel = true;
  add("cholmod", "CHOLMOD, simplicial factor, its own solve");
  add("cholmod_supernodal", "CHOLMOD, supernodal factor, its own solve");
  add("eigen", "Eigen's factor in METIS order, substitution by rows of three");
  for (const auto& [name, what] :
       {std::pair{"pcg_ic", "conjugate gradients to 1e-8, incomplete Cholesky IC(0)"},
        std::pair{"pcg_block_jacobi", "conjugate gradients to 1e-8, dense diagonal blocks of 32 nodes"}}) {
    SolverKind& pcg = add(name, what);
    pcg.parallel = true;
    pcg.wide = false;
  }
  SolverKind& jacobi = add("jacobi", "one damped Jacobi sweep: an incomplete solution");
  jacobi.incomplete = true;
  jacobi.wide = false;
  return kinds;
}

std::string not_built(double bytes) {
  return "not built: " + human_bytes(bytes);
}

/// @throws MemoryError where values and the partial sums of a wide solve pass the limit: for few stages and
/// large systems the sums need more than the values.
template <class T>
std::unique_ptr<LinearSolver> make_staged(const SolverInput& input, int stages) {
  StagedStructure structure = make_staged_structure(input.factor, stages, kEntriesPerStage);
  const double bytes = sizeof(T) * (static_cast<double>(structure.value_count) +
                                    static_cast<double>(structure.partial_rows) * kMostGroups * kLanes);
  if (input.memory_limit > 0.0 && bytes > input.memory_limit) throw MemoryError(human_bytes(bytes));
  return make_staged_solver(input.factor, std::move(structure),
                            sizeof(T) == sizeof(float) ? SolverPrecision::mixed : SolverPrecision::full);
}

/// Bytes that are known before anything is built; 0 where they are small.
double predicted_bytes(const SolverKind& kind, const SolverInput& input) {
  if (kind.name == "sparse_inverse") return 2.0 * count_scalar_inverse(input.factor.parent).bytes;
  if (kind.stages < 0) return 0.0;
  const double entries =
      kind.stages > 0 ? input.nonzeros[kind.stages - 1] : static_cast<double>(input.factor.nonzeros());
  return entries * (kind.single ? sizeof(float) : sizeof(double));
}

std::unique_ptr<LinearSolver> make(const SolverKind& kind, const SolverInput& input) {
  if (kind.stages >= 0)
    return kind.single ? make_staged<float>(input, kind.stages) : make_staged<double>(input, kind.stages);
  if (kind.name == "sparse_inverse")
    return std::make_unique<SparseInverse<double>>(input.factor, input.memory_limit);
  if (kind.name == "cholmod" || kind.name == "cholmod_supernodal" || kind.name == "eigen") {
    const FactorLibrary library = kind.name == "eigen"     ? FactorLibrary::eigen
                                  : kind.name == "cholmod" ? FactorLibrary::cholmod
                                                           : FactorLibrary::cholmod_supernodal;
    return make_triangular(input.matrix, library, input.memory_limit);
  }
  if (kind.name == "jacobi") return std::make_unique<JacobiSweep>(input.matrix);
  SolverSettings settings;
  settings.pcg_tolerance = kPcgTolerance;
  settings.preconditioner =
      kind.name == "pcg_ic" ? Preconditioner::incomplete_cholesky : Preconditioner::block_jacobi;
  return std::make_unique<PcgSolver>(input.matrix, settings);
}

}  // namespace

const std::vector<SolverKind>& solver_kinds() {
  static const std::vector<SolverKind> kinds = make_kinds();
  return kinds;
}

std::vector<std::string> solver_kind_names() {
  std::vector<std::string> names;
  for (const SolverKind& kind : solver_kinds()) names.push_back(kind.name);
  return names;
}

MadeSolver make_solver(const SolverKind& kind, const SolverInput& input) {
  MadeSolver made;
  const double bytes = predicted_bytes(kind, input);
  if (input.memory_limit > 0.0 && bytes > input.memory_limit) {
    made.why_not = not_built(bytes);
    return made;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    made.solver = make(kind, input);
  } catch (const MemoryError& error) {
    made.why_not = std::string("not built: ") + error.what();
  } catch (const BackendError& error) {
    made.why_not = std::string("not built: ") + error.what();
  }
  made.prepare_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

}  // namespace sinew::bench
