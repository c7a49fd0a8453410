// The staged inverse by rows and on devices, against the staged inverse of the host.
#include <Eigen/Dense>

#include <sinew/errors.hpp>

#include "host/device_inverse.hpp"
#include "host/device_solver.hpp"
#include "host/staged_solver.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/host/staged_systems.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

std::vector<SymmetricMatrix> systems() {
  std::vector<SymmetricMatrix> all = test::small_systems();
  all.push_back(test::grid_laplacian(11, 0.01));
  return all;
}

template <class T>
Eigen::MatrixXd dense(const RowMatrix<T>& m) {
  Eigen::MatrixXd d = Eigen::MatrixXd::Zero(m.rows(), m.rows());
  for (Index i = 0; i < m.rows(); ++i)
    for (std::int64_t k = m.value_start[i]; k < m.value_start[i + 1]; ++k)
      d(i, m.index[m.index_start[i] + k - m.value_start[i]]) += m.value[k];
  return d;
}

std::vector<Vec3d> right_side(Index n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Vec3d> b(static_cast<std::size_t>(n));
  for (Vec3d& x : b) x = random.vector();
  return b;
}

std::vector<Vec3d> solve(const LinearSolver& solver, std::vector<Vec3d> b) {
  Vec3d* block = b.data();
  solver.solve(&block, 1, *solver.make_workspace());
  return b;
}

double relative_change(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double change = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    change = test::worse(change, norm(a[i] - b[i]));
    size = std::max(size, norm(b[i]));
  }
  return size > 0.0 ? change / size : change;
}

std::shared_ptr<Device> shared(Device& device) {
  return {std::shared_ptr<Device>{}, &device};
}

void check_solutions(Device& device) {
  for (const SymmetricMatrix& a : systems())
    for (const SolverPrecision precision : {SolverPrecision::full, SolverPrecision::mixed})
      for (const int stages : {0, 1, 2, 3, 6}) {
        const SolverSettings settings = test::staged(stages, precision);
        const auto on_host = make_staged_solver(a, settings, 0.0);
        const auto on_device = make_device_solver(make_staged_solver(a, settings, 0.0), shared(device));
        CHECK(on_device->order() == on_host->order());
        const std::vector<Vec3d> b = right_side(a.size, 3);
        const std::vector<Vec3d> x = solve(*on_device, b);
        // The condition of the systems times the unit of rounding.
        CHECK(relative_change(x, solve(*on_host, b)) < (precision == SolverPrecision::full ? 1e-12 : 2e-5));
        CHECK(test::same_bits(solve(*on_device, b), x));
      }
}

void check_blocks(Device& device) {
  const SymmetricMatrix a = test::grid_laplacian(9, 0.01);
  const auto solver = make_device_solver(make_staged_solver(a, test::staged(3), 0.0), shared(device));
  const auto workspace = solver->make_workspace();
  std::vector<std::vector<Vec3d>> blocks;
  std::vector<Vec3d*> pointers;
  for (std::uint64_t c = 0; c < 6; ++c) blocks.push_back(right_side(a.size, c));
  for (std::vector<Vec3d>& block : blocks) pointers.push_back(block.data());
  solver->solve(pointers.data(), 2, *workspace);
  solver->solve(pointers.data() + 2, 4, *workspace);
  for (std::uint64_t c = 0; c < 6; ++c)
    CHECK(test::same_bits(blocks[c], solve(*solver, right_side(a.size, c))));
}

void check_columns(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const SymmetricMatrix& a : systems())
    for (const SolverPrecision precision : {SolverPrecision::full, SolverPrecision::mixed})
      for (const int stages : {1, 3}) {
        const auto solver =
            make_device_solver(make_staged_solver(a, test::staged(stages, precision), 0.0), shared(device));
        const DeviceInverseOf inverse = device_inverse_of(*solver);
        const bool full = precision == SolverPrecision::full;
        REQUIRE((inverse.full != nullptr) == full);
        REQUIRE((inverse.mixed != nullptr) != full);
        const std::size_t n = static_cast<std::size_t>(a.size);
        const auto columns_of = [&](const std::vector<Index>& node) {
          const auto on_device = to_device(*queue, node, "test");
          DeviceBuffer<double> to(device, node.size() * n, "test");
          DeviceInverse<double>::WideWorkspace wide;
          DeviceInverse<float>::WideWorkspace narrow;
          if (full) {
            wide = inverse.full->make_wide_workspace(device);
            inverse.full->columns(*queue, on_device.view(), to.view(), wide);
          } else {
            narrow = inverse.mixed->make_wide_workspace(device);
            inverse.mixed->columns(*queue, on_device.view(), to.view(), narrow);
          }
          return test::download(*queue, to);
        };
        std::vector<Index> node;
        for (Index i = 0; i < std::min<Index>(a.size, 32); ++i) node.push_back(i * 7 % a.size);
        const std::vector<double> got = columns_of(node);
        std::vector<double> expected(got.size());
        std::vector<double*> column;
        for (std::size_t c = 0; c < node.size(); ++c) column.push_back(expected.data() + c * n);
        const auto on_host = make_staged_solver(a, test::staged(stages), 0.0);
        on_host->inverse_columns(node.data(), node.size(), column.data(), *on_host->make_workspace());
        double worst = 0.0, size = 0.0;
        for (std::size_t k = 0; k < got.size(); ++k) {
          worst = test::worse(worst, std::abs(got[k] - expected[k]));
          size = std::max(size, std::abs(expected[k]));
        }
        CHECK(worst <= (full ? 1e-12 : 2e-5) * size);
        const std::vector<double> alone = columns_of({node.back()});
        CHECK(std::equal(alone.begin(), alone.end(), got.end() - static_cast<std::ptrdiff_t>(n)));
      }
}

}  // namespace

SINEW_DEVICE_TEST("columns of the inverse, up to 32 at once, and each as if alone", check_columns)
SINEW_DEVICE_TEST("the global step is that of the host, for every number of stages", check_solutions)
SINEW_DEVICE_TEST("blocks do not know each other", check_blocks)

TEST_CASE("rows of the staged inverse: the stages as dense matrices, transposed ones included") {
  for (const SymmetricMatrix& a : test::small_systems()) {
    const CholeskyFactor f = factor(a, FactorLibrary::automatic, 0.0);
    for (int stages = 1; stages <= 4; ++stages) {
      const StagedInverse<double> inverse(f, make_staged_structure(f, stages, 0.0));
      const StagedRows<double> rows = make_staged_rows(inverse);
      const StagedStructure& s = inverse.structure();
      Eigen::MatrixXd l = Eigen::MatrixXd::Zero(a.size, a.size);
      for (Index j = 0; j < a.size; ++j)
        for (Index p = f.column_start[j]; p < f.column_start[j + 1]; ++p)
          l(s.position[f.row[p]], s.position[j]) = f.value[p];
      Eigen::MatrixXd inside = Eigen::MatrixXd::Zero(a.size, a.size), outside = l;
      for (const auto& stage : rows.stages) {
        const Index first = stage.forward_inside.first, size = stage.forward_inside.end - first;
        inside.block(first, first, size, size) = l.block(first, first, size, size).inverse();
        outside.block(first, first, size, size).setZero();
      }
      CHECK((dense(rows.forward_inside) - inside).cwiseAbs().maxCoeff() <
            1e-13 * inside.cwiseAbs().maxCoeff());
      CHECK(dense(rows.forward_outside) == outside);
      CHECK(dense(rows.backward_inside) == dense(rows.forward_inside).transpose());
      CHECK(dense(rows.backward_outside) == dense(rows.forward_outside).transpose());
    }
  }
}

TEST_CASE("rows of the staged inverse: lists of columns are shared") {
  const CholeskyFactor f = factor(test::grid_laplacian(12, 0.01), FactorLibrary::automatic, 0.0);
  const StagedRows<double> rows =
      make_staged_rows(StagedInverse<double>(f, make_staged_structure(f, 1, 0.0)));
  const Index n = f.size();
  // A row of L^-1 is full over the subtree of its node: runs, so no list but 0 .. n - 1 is stored.
  CHECK(rows.forward_inside.index.size() == static_cast<std::size_t>(n));
  CHECK(rows.forward_inside.value.size() > 20 * static_cast<std::size_t>(n));
  // A column goes on with the list of the one before where that is its child in the elimination tree.
  CHECK(rows.backward_inside.index.size() < 0.6 * static_cast<double>(rows.backward_inside.value.size()));
  CHECK(rows.forward_outside.value.empty());
}

TEST_CASE("threads for a row: a quarter of its entries, from 4 to 128") {
  CHECK(lanes_for(0.0) == 4);
  CHECK(lanes_for(16.0) == 4);
  CHECK(lanes_for(17.0) == 8);
  CHECK(lanes_for(128.0) == 32);
  CHECK(lanes_for(1e6) == 128);
}

TEST_CASE("device solver: only staged ones have a device form") {
  SolverSettings settings;
  settings.global = GlobalSolver::pcg;
  try {
    make_device_solver(make_linear_solver(test::grid_laplacian(3, 1.0), settings, 0.0),
                       make_emulated_device());
    FAIL("conjugate gradients have none");
  } catch (const BackendError& error) {
    CHECK(std::string(error.what()).find("only solver.global 'staged' runs there") != std::string::npos);
  }
}

TEST_CASE("device solver: one wait for a solve, columns come from the host") {
  const SymmetricMatrix a = test::grid_laplacian(6, 0.1);
  const auto on_host = make_staged_solver(a, test::staged(2), 0.0);
  const auto solver = make_device_solver(make_staged_solver(a, test::staged(2), 0.0), make_emulated_device());
  CHECK(solver->sizes().bytes > on_host->sizes().bytes);
  const auto workspace = solver->make_workspace(), other = on_host->make_workspace();
  std::vector<double> column(static_cast<std::size_t>(a.size)), expected = column;
  double* to = column.data();
  double* also = expected.data();
  const Index node = 17;
  solver->inverse_columns(&node, 1, &to, *workspace);
  on_host->inverse_columns(&node, 1, &also, *other);
  CHECK(test::same_bits(column, expected));
}
