// A program of its own, because it replaces operator new.
#include <atomic>
#include <cstdlib>
#include <new>

#include "host/linear_solver.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/host/test_matrices.hpp"
#include "tests/support/catch.hpp"

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

using namespace sinew;

TEST_CASE("a solve allocates nothing once it has been called with as many blocks") {
  const SymmetricMatrix a = test::grid_laplacian(14, 0.1);
  std::vector<SolverSettings> all;
  for (const GlobalSolver global : {GlobalSolver::staged, GlobalSolver::triangular,
                                    GlobalSolver::sparse_inverse, GlobalSolver::pcg, GlobalSolver::jacobi})
    for (const FactorLibrary library : test::libraries())
      for (const int refinement_steps : {0, 1}) {
        all.emplace_back();
        all.back().global = global;
        all.back().factor = library;
        all.back().refinement_steps = refinement_steps;
      }
  all.emplace_back();
  all.back().global = GlobalSolver::sparse_inverse;
  all.back().precision = SolverPrecision::mixed;
  Executor executor(2);
  for (const SolverSettings& settings : all) {
    const auto solver = make_linear_solver(a, settings, 0.0);
    const auto workspace = solver->make_workspace();
    std::vector<Vec3d> x(a.size, Vec3d{1, 2, 3}), y(a.size, Vec3d{0, -1, 1});
    std::vector<double> column[2];
    for (auto& c : column) c.resize(a.size);
    Vec3d* blocks[2] = {x.data(), y.data()};
    double* columns[2] = {column[0].data(), column[1].data()};
    const Index nodes[2] = {5, 77};
    long before = 0;
    executor.run([&] {
      for (int repeat = 0; repeat < 3; ++repeat) {
        if (repeat == 1) before = allocations;
        solver->solve(blocks, 2, *workspace);
        solver->inverse_columns(nodes, 2, columns, *workspace);
      }
    });
    CHECK(allocations == before);
  }
}
