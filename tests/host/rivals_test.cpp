#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <sinew/errors.hpp>

#include "host/refinement.hpp"
#include "host/rivals/jacobi.hpp"
#include "host/rivals/pcg.hpp"
#include "host/rivals/sparse_inverse.hpp"
#include "tests/host/test_matrices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using test::grid_laplacian;
using test::side_by_side;

namespace {

SolverSettings settings_for(GlobalSolver global, FactorLibrary library = FactorLibrary::automatic,
                            Preconditioner preconditioner = Preconditioner::incomplete_cholesky) {
  SolverSettings settings;
  settings.global = global;
  settings.factor = library;
  settings.preconditioner = preconditioner;
  settings.pcg_tolerance = 1e-14;
  return settings;
}

/// Every complete solver in every variant of this build.
std::vector<SolverSettings> complete_solvers() {
  std::vector<SolverSettings> all;
  for (const FactorLibrary library : test::libraries()) {
    all.push_back(settings_for(GlobalSolver::staged, library));
    all.push_back(settings_for(GlobalSolver::triangular, library));
    all.push_back(settings_for(GlobalSolver::sparse_inverse, library));
    for (const Preconditioner p : {Preconditioner::block_jacobi, Preconditioner::incomplete_cholesky})
      all.push_back(settings_for(GlobalSolver::pcg, library, p));
  }
  all.push_back(settings_for(GlobalSolver::sparse_inverse));
  all.back().precision = SolverPrecision::mixed;
  all.back().refinement_steps = 3;
  return all;
}

std::vector<SolverSettings> all_solvers() {
  std::vector<SolverSettings> all = complete_solvers();
  all.push_back(settings_for(GlobalSolver::jacobi));
  all.push_back(settings_for(GlobalSolver::chebyshev));
  return all;
}

Eigen::MatrixXd dense(const SymmetricMatrix& a) {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(a.size, a.size);
  for (Index j = 0; j < a.size; ++j)
    for (Index p = a.column_start[j]; p < a.column_start[j + 1]; ++p)
      full(a.row[p], j) = full(j, a.row[p]) = a.value[p];
  return full;
}

std::vector<Vec3d> random_block(Index n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Vec3d> block(n);
  for (Vec3d& v : block) v = random.vector();
  return block;
}

/// A^-1 b with b and result in the matrix's own order.
std::vector<Vec3d> solve(const LinearSolver& solver, const std::vector<Vec3d>& b) {
  const std::unique_ptr<LinearSolver::Workspace> workspace = solver.make_workspace();
  std::vector<Vec3d> x(b.size()), result(b.size());
  for (std::size_t k = 0; k < b.size(); ++k) x[k] = b[solver.order()[k]];
  Vec3d* block = x.data();
  solver.solve(&block, 1, *workspace);
  for (std::size_t k = 0; k < b.size(); ++k) result[solver.order()[k]] = x[k];
  return result;
}

bool same_bits(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0);
}

double largest(const std::vector<Vec3d>& a) {
  double most = 0.0;
  for (const Vec3d& v : a) most = std::max(most, norm(v));
  return most;
}

std::vector<Vec3d> difference(std::vector<Vec3d> a, const std::vector<Vec3d>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

/// Rows couple over two neighbours with mixed signs: positive definite, but IC(0) meets a negative pivot (the
/// example of Kershaw 1978, twice, joined by nothing).
SymmetricMatrix kershaw() {
  SymmetricMatrix a;
  a.size = 4;
  a.column_start = {0, 3, 5, 7, 8};
  a.row = {0, 1, 3, 1, 2, 2, 3, 3};
  a.value = {3.0, -2.0, 2.0, 3.0, -2.0, 3.0, -2.0, 3.0};
  return a;
}

}  // namespace

TEST_CASE("every complete solver agrees with a dense factor") {
  const std::vector<SymmetricMatrix> matrices = {
      grid_laplacian(1, 2.5), grid_laplacian(2, 0.5), grid_laplacian(6, 0.05), kershaw(),
      side_by_side(grid_laplacian(4, 0.1), side_by_side(grid_laplacian(1, 3.0), grid_laplacian(3, 0.2)))};
  for (const SymmetricMatrix& a : matrices) {
    const Eigen::LLT<Eigen::MatrixXd> llt(dense(a));
    const std::vector<Vec3d> b = random_block(a.size, 5);
    std::vector<Vec3d> expected(a.size);
    for (int c = 0; c < 3; ++c) {
      Eigen::VectorXd column(a.size);
      for (Index i = 0; i < a.size; ++i) column[i] = b[i][c];
      const Eigen::VectorXd x = llt.solve(column);
      for (Index i = 0; i < a.size; ++i) expected[i][c] = x[i];
    }
    for (const SolverSettings& settings : complete_solvers()) {
      const std::unique_ptr<LinearSolver> solver = make_linear_solver(a, settings, 0.0);
      CHECK(solver->size() == a.size);
      CHECK(largest(difference(solve(*solver, b), expected)) < 1e-11 * largest(expected));
    }
  }
}

TEST_CASE("an empty system is solved by doing nothing") {
  SymmetricMatrix a;
  a.column_start = {0};
  for (const SolverSettings& settings : all_solvers()) {
    const std::unique_ptr<LinearSolver> solver = make_linear_solver(a, settings, 0.0);
    CHECK(solver->size() == 0);
    CHECK(solve(*solver, {}).empty());
  }
}

TEST_CASE("a block's bits depend neither on the blocks beside it nor on the number of threads") {
  const SymmetricMatrix a = grid_laplacian(11, 0.02);  // 1331 nodes: several chunks of every loop
  for (SolverSettings settings : all_solvers()) {
    settings.pcg_tolerance = 1e-9;
    const std::unique_ptr<LinearSolver> solver = make_linear_solver(a, settings, 0.0);
    std::vector<std::vector<Vec3d>> alone;
    for (std::uint64_t c = 0; c < 3; ++c) {
      alone.push_back(random_block(a.size, c + 1));
      for (Vec3d& v : alone.back()) v *= std::pow(1e3, static_cast<double>(c));
    }
    const std::vector<std::vector<Vec3d>> right_side = alone;
    Executor one(1);
    const auto workspace = solver->make_workspace();
    one.run([&] {
      for (auto& block : alone) {
        Vec3d* pointer = block.data();
        solver->solve(&pointer, 1, *workspace);
      }
    });
    for (const int threads : {1, 2, 5}) {
      std::vector<std::vector<Vec3d>> together = right_side;
      Vec3d* pointers[3] = {together[0].data(), together[1].data(), together[2].data()};
      Executor executor(threads);
      executor.run([&] { solver->solve(pointers, 3, *workspace); });
      for (int c = 0; c < 3; ++c) CHECK(same_bits(together[c], alone[c]));
    }
  }
}

TEST_CASE("preparing gives the same bits for any number of threads") {
  const SymmetricMatrix a = grid_laplacian(9, 0.02);
  const std::vector<Vec3d> b = random_block(a.size, 8);
  for (const SolverSettings& settings : all_solvers()) {
    std::vector<Vec3d> first;
    for (const int threads : {1, 2, 5}) {
      std::unique_ptr<LinearSolver> solver;
      Executor executor(threads);
      executor.run([&] { solver = make_linear_solver(a, settings, 0.0); });
      const std::vector<Vec3d> x = solve(*solver, b);
      if (first.empty()) first = x;
      CHECK(same_bits(x, first));
    }
  }
}

TEST_CASE("columns of the inverse are those of a dense inverse, in any batch with the same bits") {
  const SymmetricMatrix a = side_by_side(grid_laplacian(5, 0.1), grid_laplacian(2, 0.3));
  const Eigen::MatrixXd inverse = dense(a).inverse();
  const std::vector<Index> node = {0, 7, 132, 60, 7, 3, 99, 130, 11, 12, 13, 14, 15, 1};
  for (const SolverSettings& settings : complete_solvers()) {
    const std::unique_ptr<LinearSolver> solver = make_linear_solver(a, settings, 0.0);
    const auto workspace = solver->make_workspace();
    std::vector<std::vector<double>> columns(node.size(), std::vector<double>(a.size, -7.0));
    std::vector<double*> pointers;
    for (auto& column : columns) pointers.push_back(column.data());
    solver->inverse_columns(node.data(), node.size(), pointers.data(), *workspace);
    double error = 0.0;
    for (std::size_t c = 0; c < node.size(); ++c) {
      for (Index i = 0; i < a.size; ++i)
        error =
            std::max(error, std::abs(columns[c][i] - inverse(solver->order()[i], solver->order()[node[c]])));
      std::vector<double> single(a.size);
      double* pointer = single.data();
      solver->inverse_columns(&node[c], 1, &pointer, *workspace);
      CHECK(std::memcmp(single.data(), columns[c].data(), single.size() * sizeof(double)) == 0);
    }
    CHECK(error < 1e-11);
  }
}

TEST_CASE("the sparse inverse holds the dense inverse of the factor, as many entries as predicted") {
  for (const FactorLibrary library : test::libraries()) {
    for (const SymmetricMatrix& a : {grid_laplacian(1, 1.0), grid_laplacian(5, 0.1),
                                     side_by_side(grid_laplacian(3, 0.1), grid_laplacian(4, 0.2))}) {
      const CholeskyFactor f = factor(a, library, 0.0);
      const SparseInverse<double> s(f, 0.0);
      Eigen::MatrixXd l = Eigen::MatrixXd::Zero(a.size, a.size);
      for (Index j = 0; j < a.size; ++j)
        for (Index p = f.column_start[j]; p < f.column_start[j + 1]; ++p) l(f.row[p], j) = f.value[p];
      const Eigen::MatrixXd expected =
          l.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(a.size, a.size));
      Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(a.size, a.size), columns = rows;
      for (Index i = 0; i < a.size; ++i) {
        const auto begin = s.rows().column.begin();
        CHECK(std::is_sorted(begin + s.rows().row_start[i], begin + s.rows().row_start[i + 1]));
        for (std::size_t p = s.rows().row_start[i]; p < s.rows().row_start[i + 1]; ++p)
          rows(i, s.rows().column[p]) += s.rows().value[p];
        for (std::size_t p = s.transposed().row_start[i]; p < s.transposed().row_start[i + 1]; ++p)
          columns(s.transposed().column[p], i) += s.transposed().value[p];
      }
      CHECK((rows - expected).cwiseAbs().maxCoeff() < 1e-13);
      CHECK(rows == columns);
      const double entries = static_cast<double>((expected.array() != 0.0).count());
      CHECK(count_scalar_inverse(f.parent).entries == entries);
      CHECK(s.rows().value.size() == entries);
      CHECK(s.sizes().stored_entries == 2 * entries);
      CHECK(count_scalar_inverse(f.parent).bytes == 12 * entries + 4 * (a.size + 1));
      CHECK(count_published_inverse(f.parent).bytes == 36 * entries + 4 * (3 * a.size + 1));
    }
  }
}

TEST_CASE("solvers refuse what does not fit or does not exist, with the reason") {
  const SymmetricMatrix a = grid_laplacian(12, 0.01);
  const CholeskyFactor f = factor(a, FactorLibrary::automatic, 0.0);
  const double limit = 1.2 * static_cast<double>(f.bytes());
  try {
    SparseInverse<double>(f, limit);
    FAIL("no error");
  } catch (const MemoryError& error) {
    CHECK(std::string(error.what()).find("sparse inverse of the factor: needs") == 0);
  }
  for (const FactorLibrary library : test::libraries())
    CHECK_THROWS_AS(make_linear_solver(a, settings_for(GlobalSolver::triangular, library), 1e5), MemoryError);
  for (const GlobalSolver global : {GlobalSolver::triangular, GlobalSolver::pcg, GlobalSolver::jacobi}) {
    SolverSettings settings = settings_for(global);
    settings.precision = SolverPrecision::mixed;
    try {
      make_linear_solver(a, settings, 0.0);
      FAIL("no error");
    } catch (const BackendError& error) {
      CHECK(std::string(error.what()).find("use 'staged', 'sparse_inverse'") != std::string::npos);
    }
  }
  SymmetricMatrix indefinite = grid_laplacian(3, 0.1);
  indefinite.value[0] = -1.0;
  for (const SolverSettings& settings : all_solvers())
    CHECK_THROWS_AS(make_linear_solver(indefinite, settings, 0.0), BackendError);
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const Index place : {0, 1}) {
      SymmetricMatrix infinite = grid_laplacian(3, 0.1);
      infinite.value[place] = value;
      for (const SolverSettings& settings : all_solvers())
        CHECK_THROWS_AS(make_linear_solver(infinite, settings, 0.0), BackendError);
    }
  }
  if (has_cholmod() && !has_cholmod_supernodal())
    CHECK_THROWS_AS(factor(a, FactorLibrary::cholmod_supernodal, 0.0), BackendError);
}

TEST_CASE("refinement brings the inverse in float to the accuracy of double") {
  const SymmetricMatrix a = grid_laplacian(8, 0.001);
  const std::vector<Vec3d> b = random_block(a.size, 4);
  const std::vector<Vec3d> exact =
      solve(*make_linear_solver(a, settings_for(GlobalSolver::triangular), 0.0), b);
  SolverSettings settings = settings_for(GlobalSolver::sparse_inverse);
  settings.precision = SolverPrecision::mixed;
  std::vector<double> error;
  std::vector<std::size_t> entries;
  for (const int steps : {0, 1, 4}) {
    settings.refinement_steps = steps;
    const std::unique_ptr<LinearSolver> solver = make_linear_solver(a, settings, 0.0);
    error.push_back(largest(difference(solve(*solver, b), exact)) / largest(exact));
    entries.push_back(solver->sizes().stored_entries);
  }
  CHECK(error[0] > 1e-9);
  CHECK(error[0] < 1e-3);
  CHECK(error[1] < 1e-2 * error[0]);
  CHECK(error[2] < 1e-12);
  CHECK(entries[1] > entries[0]);
}

TEST_CASE("conjugate gradients stop by tolerance, by count, and leave zero and other columns alone") {
  const SymmetricMatrix a = grid_laplacian(10, 0.001);
  for (const Preconditioner preconditioner :
       {Preconditioner::block_jacobi, Preconditioner::incomplete_cholesky}) {
    SolverSettings settings = settings_for(GlobalSolver::pcg, FactorLibrary::automatic, preconditioner);
    std::map<double, int> iterations;
    std::vector<Vec3d> b = random_block(a.size, 6);
    for (Vec3d& v : b) v.y = 0.0, v.z *= 1e-12;
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      settings.pcg_tolerance = tolerance;
      const PcgSolver solver(a, settings);
      const auto workspace = solver.make_workspace();
      std::vector<Vec3d> x(a.size);
      for (Index k = 0; k < a.size; ++k) x[k] = b[solver.order()[k]];
      Vec3d* block = x.data();
      solver.solve(&block, 1, *workspace);
      iterations[tolerance] = static_cast<PcgSolver::PcgWorkspace&>(*workspace).iterations;
      const CsrMatrix<double> rows = permuted_rows(a, solver.order());
      Vec3d rr, bb;
      for (Index k = 0; k < a.size; ++k) {
        const Vec3d right = b[solver.order()[k]], r = right - rows.row_product(k, x.data());
        for (int c = 0; c < 3; ++c) rr[c] += r[c] * r[c], bb[c] += right[c] * right[c];
        CHECK(x[k].y == 0.0);
      }
      CHECK(std::sqrt(rr.x / bb.x) < 1.01 * tolerance);
      CHECK(std::sqrt(rr.z / bb.z) < 1.01 * tolerance);
    }
    CHECK(iterations[1e-3] < iterations[1e-6]);
    CHECK(iterations[1e-6] < iterations[1e-9]);

    settings.pcg_tolerance = 1e-30;  // never reached
    settings.pcg_max_iterations = 3;
    const std::vector<Vec3d> rough = solve(PcgSolver(a, settings), b);
    settings.pcg_max_iterations = 2000;
    const std::vector<Vec3d> fine = solve(PcgSolver(a, settings), b);
    const std::vector<Vec3d> exact =
        solve(*make_linear_solver(a, settings_for(GlobalSolver::triangular), 0.0), b);
    CHECK(largest(difference(fine, exact)) < 1e-11 * largest(exact));
    CHECK(largest(difference(rough, exact)) > 1e-3 * largest(exact));
    CHECK(largest(difference(rough, exact)) < largest(exact));

    b[3].x = std::numeric_limits<double>::quiet_NaN();  // seen by the caller, in its own column only
    const std::vector<Vec3d> poisoned = solve(PcgSolver(a, settings), b);
    for (const Vec3d& v : poisoned) CHECK((std::isnan(v.x) && v.y == 0.0 && std::isfinite(v.z)));
  }
}

TEST_CASE("incomplete Cholesky: exact without fill, shifted where it breaks down") {
  const auto identity = [](Index n) {
    std::vector<Index> order(n);
    for (Index k = 0; k < n; ++k) order[k] = k;
    return order;
  };
  SymmetricMatrix chain;  // tridiagonal: no fill, so that IC(0) is the factor
  chain.size = 40;
  chain.column_start = {0};
  for (Index j = 0; j < chain.size; ++j) {
    chain.row.push_back(j), chain.value.push_back(2.1 + 0.1 * (j % 3));
    if (j + 1 < chain.size) chain.row.push_back(j + 1), chain.value.push_back(-1.0);
    chain.column_start.push_back(static_cast<Index>(chain.row.size()));
  }
  const CsrMatrix<double> rows = permuted_rows(chain, identity(chain.size));
  const IncompleteCholesky exact(rows);
  CHECK(exact.shift() == 0.0);
  const std::vector<Vec3d> b = random_block(chain.size, 2);
  std::vector<Vec3d> z(chain.size);
  exact.apply(b.data(), z.data());
  for (Index i = 0; i < chain.size; ++i) CHECK(norm(rows.row_product(i, z.data()) - b[i]) < 1e-13);

  CHECK(Eigen::LLT<Eigen::MatrixXd>(dense(kershaw())).info() == Eigen::Success);
  const IncompleteCholesky shifted(permuted_rows(kershaw(), identity(4)));
  CHECK(shifted.shift() > 0.0);
  CHECK(shifted.shift() < 1.0);
  CHECK(IncompleteCholesky(permuted_rows(grid_laplacian(5, 0.0001), identity(125))).shift() == 0.0);
}

TEST_CASE("Jacobi sweeps converge for soft and stiff systems at the rate of their spectral radius") {
  // soft to stiff; the last two have D^-1 A beyond 2, where the undamped sweep diverges.
  SymmetricMatrix dense_coupling;
  dense_coupling.size = 6;
  dense_coupling.column_start = {0};
  for (Index j = 0; j < 6; ++j) {
    for (Index i = j; i < 6; ++i)
      dense_coupling.row.push_back(i), dense_coupling.value.push_back(i == j ? 1.0 : 0.9);
    dense_coupling.column_start.push_back(static_cast<Index>(dense_coupling.row.size()));
  }
  for (const SymmetricMatrix& a :
       {grid_laplacian(4, 100.0), grid_laplacian(4, 1.0), grid_laplacian(5, 1e-3), kershaw(), dense_coupling,
        side_by_side(dense_coupling, grid_laplacian(3, 0.1)), grid_laplacian(1, 3.0)}) {
    const JacobiSweep sweep(a);
    const Eigen::MatrixXd full = dense(a);
    const Eigen::VectorXd root = full.diagonal().array().sqrt();
    const Eigen::VectorXd spectrum =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
            (full.array() / (root * root.transpose()).array()).matrix(), Eigen::EigenvaluesOnly)
            .eigenvalues();
    const double rho = (1.0 - sweep.damping() * spectrum.array()).abs().maxCoeff();
    CHECK(sweep.spectral_radius() == Approx(rho).epsilon(1e-6).margin(1e-9));
    CHECK(rho < 1.0);
    const double best =
        (spectrum.maxCoeff() - spectrum.minCoeff()) / (spectrum.maxCoeff() + spectrum.minCoeff());
    CHECK(rho < best + 0.02);

    const std::vector<Vec3d> one = solve(sweep, std::vector<Vec3d>(a.size, Vec3d{1, -2, 0}));
    for (Index i = 0; i < a.size; ++i) CHECK(one[i].y == Approx(-2.0 * sweep.damping() / full(i, i)));
  }
}

TEST_CASE("Chebyshev weights make Jacobi sweeps converge faster") {
  for (const SymmetricMatrix& a : {grid_laplacian(6, 0.5), grid_laplacian(6, 0.01)}) {
    const JacobiSweep sweep(a);
    const double rho = sweep.spectral_radius();
    std::vector<Vec3d> exact = random_block(a.size, 9);
    for (Vec3d& v : exact) v += Vec3d{1, 1, 1};  // the smooth part is what sweeps are slow at
    const std::vector<Vec3d> b = test::multiply(a, exact);
    const auto error_after = [&](int iterations, bool weighted) {
      std::vector<Vec3d> before(a.size), x(a.size);
      double weight = 1.0;
      for (int k = 0; k < iterations; ++k) {
        weight = weighted ? chebyshev_weight(k, weight, rho) : 1.0;
        const std::vector<Vec3d> step = solve(sweep, difference(b, test::multiply(a, x)));
        std::vector<Vec3d> next(a.size);
        for (Index i = 0; i < a.size; ++i) next[i] = (x[i] + step[i] - before[i]) * weight + before[i];
        before = x;
        x = next;
      }
      return largest(difference(x, exact));
    };
    const int iterations = 100;
    CHECK(error_after(iterations, true) < 0.1 * error_after(iterations, false));
    // Bound of Chebyshev polynomials (Golub and Varga 1961), in the 2-norm; a factor for the largest norm.
    const double root = std::sqrt(1.0 - rho * rho), rate = rho / (1.0 + root);
    const double bound = 2.0 * std::pow(rate, iterations) * std::sqrt(a.size) * largest(exact);
    CHECK(error_after(iterations, true) < 3.0 * bound + 1e-13);
  }
  CHECK(chebyshev_weight(0, 5.0, 0.8) == 1.0);
  CHECK(chebyshev_weight(1, 1.0, 0.8) == Approx(2.0 / 1.36));
  CHECK(chebyshev_weight(2, 2.0 / 1.36, 0.8) == Approx(4.0 / (4.0 - 0.64 * 2.0 / 1.36)));
}

TEST_CASE("solvers say what a solve reads") {
  const SymmetricMatrix a = grid_laplacian(7, 0.1);
  for (const FactorLibrary library : test::libraries()) {
    const std::size_t nonzeros = factor(a, library, 0.0).nonzeros();
    const auto sizes = make_linear_solver(a, settings_for(GlobalSolver::triangular, library), 0.0)->sizes();
    CHECK(sizes.nnz_factor == nonzeros);
    CHECK(sizes.stored_entries >= nonzeros);
    CHECK(sizes.bytes >= nonzeros * sizeof(double));
    CHECK(sizes.bytes < nonzeros * 16 + static_cast<std::size_t>(a.size) * 32);
  }
  const auto pcg = make_linear_solver(a, settings_for(GlobalSolver::pcg), 0.0)->sizes();
  const std::size_t both_triangles = 2 * a.row.size() - static_cast<std::size_t>(a.size);
  CHECK(pcg.nnz_factor == 0);
  CHECK(pcg.stored_entries == both_triangles + 2 * (a.row.size() - static_cast<std::size_t>(a.size)));
}
