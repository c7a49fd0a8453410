// The staged inverse against dense algebra, against itself (blocks, threads, stages) and against its own
// counts.
#include <algorithm>
#include <cstring>

#include <Eigen/Dense>

#include <sinew/errors.hpp>

#include "host/staged_inverse.hpp"
#include "host/staged_solver.hpp"
#include "host/staged_tree.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/host/staged_systems.hpp"
#include "tests/host/test_matrices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// L in the order of the factor.
Eigen::MatrixXd dense_factor(const CholeskyFactor& f) {
  Eigen::MatrixXd l = Eigen::MatrixXd::Zero(f.size(), f.size());
  for (Index j = 0; j < f.size(); ++j)
    for (Index p = f.column_start[j]; p < f.column_start[j + 1]; ++p) l(f.row[p], j) = f.value[p];
  return l;
}

/// Panel p as a dense matrix of {row in the solver's order, column, value}: padding is checked to be 0.
struct Entry {
  Index row, column;
  double value;
};
template <class T>
std::vector<Entry> panel_entries(const StagedInverse<T>& inverse, const StagedPiece& piece,
                                 const StagedPanel& p) {
  const StagedStructure& s = inverse.structure();
  const Index first = s.components[piece.component].first;
  std::vector<Entry> entries;
  const T* value = inverse.values().data() + p.value;
  for (Index begin = 0; begin < p.width; begin += kPanelRows)
    for (Index c = 0; c < std::min(p.width, begin + kPanelRows); ++c)
      for (Index r = begin; r < begin + kPanelRows; ++r, ++value) {
        if (r < p.width && r >= c)
          entries.push_back({p.first + r, p.first + c, static_cast<double>(*value)});
        else
          CHECK(*value == T(0));
      }
  const Index* row = s.rows.data() + p.row;
  for (const bool inside : {true, false}) {
    const Index rows = inside ? p.inside : p.outside;
    if (!inside) CHECK(value - inverse.values().data() == p.off_value);
    for (Index begin = 0; begin < rows; begin += kPanelRows)
      for (Index c = 0; c < p.width; ++c)
        for (Index r = begin; r < begin + kPanelRows; ++r, ++value) {
          if (r >= rows) {
            CHECK(*value == T(0));
            CHECK(row[r] == row[rows - 1]);
            continue;
          }
          const Index place = inside ? first + row[r] : s.outside_rows[piece.outside_begin + row[r]];
          entries.push_back({place, p.first + c, static_cast<double>(*value)});
        }
    row += padded_rows(rows);
  }
  return entries;
}

template <class T>
std::vector<Entry> all_entries(const StagedInverse<T>& inverse) {
  std::vector<Entry> entries;
  for (const StagedPiece& piece : inverse.structure().pieces)
    for (Index p = piece.panel_begin; p < piece.panel_end; ++p)
      for (const Entry& e : panel_entries(inverse, piece, inverse.structure().panels[p]))
        entries.push_back(e);
  return entries;
}

}  // namespace

TEST_CASE("one stage is the inverse of the factor, entry by entry") {
  for (const SymmetricMatrix& a : small_systems()) {
    const CholeskyFactor f = factor(a, FactorLibrary::automatic, 0.0);
    const StagedInverse<double> inverse(f, make_staged_structure(f, 1, 0.0));
    const Eigen::MatrixXd s = dense_factor(f).inverse();
    Eigen::MatrixXd stored = Eigen::MatrixXd::Zero(a.size, a.size);
    const std::vector<Index>& order = inverse.structure().order;
    for (const Entry& e : all_entries(inverse)) {
      CHECK(stored(order[e.row], order[e.column]) == 0.0);
      stored(order[e.row], order[e.column]) = e.value;
    }
    CHECK((stored - s).cwiseAbs().maxCoeff() < 1e-13 * s.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("stages hold inverse diagonal blocks, and the factor between them") {
  for (const SymmetricMatrix& a : small_systems()) {
    const CholeskyFactor f = factor(a, FactorLibrary::automatic, 0.0);
    const Eigen::MatrixXd l = dense_factor(f);
    for (int stages = 2; stages <= SolverSettings::kMostStages; ++stages) {
      const StagedInverse<double> inverse(f, make_staged_structure(f, stages, 0.0));
      const StagedStructure& s = inverse.structure();
      std::vector<int> stage(a.size);
      for (std::size_t k = 0; k < s.stages.size(); ++k)
        for (Index c = s.stages[k].component_begin; c < s.stages[k].component_end; ++c)
          for (Index j = 0; j < s.components[c].size; ++j)
            stage[s.components[c].first + j] = static_cast<int>(k);
      CHECK(std::is_sorted(stage.begin(), stage.end()));
      Eigen::MatrixXd ordered(a.size, a.size), diagonal_part = Eigen::MatrixXd::Zero(a.size, a.size);
      for (Index i = 0; i < a.size; ++i)
        for (Index j = 0; j < a.size; ++j) {
          ordered(i, j) = l(s.order[i], s.order[j]);
          if (stage[i] == stage[j]) diagonal_part(i, j) = ordered(i, j);
        }
      CHECK(ordered.isLowerTriangular(0.0));
      Eigen::MatrixXd expected = diagonal_part.inverse();
      for (Index i = 0; i < a.size; ++i)
        for (Index j = 0; j < a.size; ++j)
          if (stage[i] != stage[j]) expected(i, j) = ordered(i, j);
      Eigen::MatrixXd stored = Eigen::MatrixXd::Zero(a.size, a.size);
      for (const Entry& e : all_entries(inverse)) stored(e.row, e.column) += e.value;
      CHECK((stored - expected).cwiseAbs().maxCoeff() < 1e-13 * expected.cwiseAbs().maxCoeff());
    }
  }
}

TEST_CASE("every number of stages solves the system, in double and float, with every factor library") {
  Executor executor(2);
  std::vector<SymmetricMatrix> systems = small_systems();
  systems.push_back(grid_laplacian(11, 0.01));
  for (const SymmetricMatrix& a : systems)
    for (const FactorLibrary library : test::libraries())
      for (int stages = 0; stages <= SolverSettings::kMostStages; ++stages)
        executor.run([&] {
          CHECK(relative_residual(*make_staged_solver(a, staged(stages, SolverPrecision::full, library), 0.0),
                                  a) < 1e-12);
          CHECK(
              relative_residual(*make_staged_solver(a, staged(stages, SolverPrecision::mixed, library), 0.0),
                                a) < 2e-5);  // times the condition of the smallest shift, 1e3
        });
}

TEST_CASE("refinement brings float to double") {
  const SymmetricMatrix a = grid_laplacian(9, 0.01);
  SolverSettings settings = staged(0, SolverPrecision::mixed);
  const double plain = relative_residual(*make_linear_solver(a, settings, 0.0), a);
  settings.refinement_steps = 2;
  const double refined = relative_residual(*make_linear_solver(a, settings, 0.0), a);
  CHECK(plain > 1e-9);
  CHECK(refined < 1e-12);
}

TEST_CASE("an empty system is no special case") {
  const SymmetricMatrix a{0, {0}, {}, {}};
  const auto solver = make_staged_solver(a, staged(0), 0.0);
  CHECK(solver->size() == 0);
  CHECK(solver->sizes().stored_entries == 0);
  Vec3d none;
  Vec3d* block = &none;
  solver->solve(&block, 1, *solver->make_workspace());
}

TEST_CASE("blocks solved together and alone, on any number of threads, have the same bits", "[slow]") {
  const SymmetricMatrix a = grid_laplacian(16, 0.01);  // large enough for divided components
  for (const SolverPrecision precision : {SolverPrecision::full, SolverPrecision::mixed}) {
    for (const int stages : {1, 3}) {
      Executor one(1);
      std::unique_ptr<LinearSolver> solver;
      one.run([&] { solver = make_staged_solver(a, staged(stages, precision), 0.0); });
      std::vector<std::vector<Vec3d>> expected;
      for (std::uint64_t c = 0; c < 9; ++c) expected.push_back(random_block(a.size, c));
      for (auto& block : expected) {
        Vec3d* pointer = block.data();
        one.run([&] { solver->solve(&pointer, 1, *solver->make_workspace()); });
      }
      for (const int threads : {1, 2, 5}) {
        Executor executor(threads);
        std::unique_ptr<LinearSolver> again;
        executor.run([&] { again = make_staged_solver(a, staged(stages, precision), 0.0); });
        const auto workspace = again->make_workspace();
        for (const std::size_t count : {2, 3, 4, 9}) {
          std::vector<std::vector<Vec3d>> blocks;
          std::vector<Vec3d*> pointers;
          for (std::size_t c = 0; c < count; ++c) blocks.push_back(random_block(a.size, c));
          for (auto& block : blocks) pointers.push_back(block.data());
          executor.run([&] { again->solve(pointers.data(), count, *workspace); });
          bool same = true;
          for (std::size_t c = 0; c < count; ++c)
            same = same && std::memcmp(blocks[c].data(), expected[c].data(), a.size * sizeof(Vec3d)) == 0;
          CHECK(same);
        }
      }
    }
  }
}

TEST_CASE("a large component is divided, and its pieces add up") {
  const SymmetricMatrix a = grid_laplacian(20, 0.01);
  const CholeskyFactor f = factor(a, FactorLibrary::automatic, 0.0);
  const StagedStructure s = make_staged_structure(f, 2, 0.0);
  CHECK(s.divided_pieces.size() > 3);
  // Partial sums stay in proportion to the columns, however large the component.
  const StagedStructure whole = make_staged_structure(f, 1, 0.0);
  CHECK(whole.value_count > 1000000);
  CHECK(whole.partial_rows <= 50 * static_cast<std::int64_t>(a.size));
  CHECK(s.tasks.size() > 3);
  CHECK(relative_residual(*make_staged_solver(a, staged(2), 0.0), a) < 1e-12);
}

TEST_CASE("columns of the inverse equal solves with unit vectors, bit for bit") {
  const SymmetricMatrix a = grid_laplacian(8, 0.05);
  const auto solver = make_staged_solver(a, staged(3), 0.0);
  const auto workspace = solver->make_workspace();
  std::vector<Index> nodes;
  for (Index k = 0; k < 30; ++k) nodes.push_back((k * 37) % a.size);
  std::vector<std::vector<double>> columns(nodes.size(), std::vector<double>(a.size));
  std::vector<double*> pointers;
  for (auto& column : columns) pointers.push_back(column.data());
  solver->inverse_columns(nodes.data(), nodes.size(), pointers.data(), *workspace);
  for (std::size_t c = 0; c < nodes.size(); ++c) {
    std::vector<Vec3d> e(a.size);
    e[nodes[c]].y = 1.0;
    Vec3d* block = e.data();
    solver->solve(&block, 1, *workspace);
    for (Index i = 0; i < a.size; ++i) REQUIRE(columns[c][i] == e[i].y);
  }
}

TEST_CASE("the search for thresholds knows its entries") {
  const SymmetricMatrix a = grid_laplacian(14, 0.01);
  const CholeskyFactor f = factor(a, FactorLibrary::automatic, 0.0);
  const std::vector<double> nonzeros = staged_nonzeros(f, SolverSettings::kMostStages);
  double depths = 0.0;  // entries of L^-1: every column reaches all its ancestors
  for (Index j = 0; j < f.size(); ++j)
    for (Index k = j; k >= 0; k = f.parent[k]) depths += 1.0;
  CHECK(nonzeros[0] == depths);
  CHECK(std::is_sorted(nonzeros.rbegin(), nonzeros.rend()));
  CHECK(nonzeros.back() >= static_cast<double>(f.nonzeros()));
  CHECK(nonzeros.back() < 1.2 * static_cast<double>(f.nonzeros()));

  const SupernodeTree tree = make_supernode_tree(f);
  const StageCost cost(tree);
  for (int stages = 1; stages <= SolverSettings::kMostStages; ++stages) {
    // Counted column by column for the thresholds found.
    const std::vector<Index> limits = cost.limits(stages);
    CHECK(limits.back() >= f.size());
    std::vector<int> stage(f.size());
    for (Index k = 0; k < f.size(); ++k)
      stage[tree.order[k]] = static_cast<int>(
          std::lower_bound(limits.begin(), limits.end(), tree.nodes[tree.node_of[k]].subtree) -
          limits.begin());
    double count = 0.0;
    for (Index j = 0; j < f.size(); ++j) {
      for (Index k = j; k >= 0 && stage[k] == stage[j]; k = f.parent[k]) count += 1.0;
      for (Index p = f.column_start[j]; p < f.column_start[j + 1]; ++p)
        if (stage[f.row[p]] != stage[j]) count += 1.0;
    }
    CHECK(cost.least(stages) == count);
    // Panels: what merging and padding add stays small.
    const StagedStructure s = make_staged_structure(f, stages, 0.0);
    CHECK(static_cast<double>(s.value_count) >= count);
    CHECK(static_cast<double>(s.value_count) < 1.2 * count);
  }
}

TEST_CASE("wide and tall trees take time linear in their nodes") {  // minutes if it were quadratic
  const SymmetricMatrix a = star(200000);
  CHECK(relative_residual(*make_staged_solver(a, staged(1), 0.0), a) < 1e-9);
  const Index n = 200000;
  CHECK(staged_nonzeros(tall_factor(n), 1)[0] == 0.5 * n * (n + 1.0));
}

TEST_CASE("dear stages are few") {
  const CholeskyFactor f = factor(grid_laplacian(12, 0.01), FactorLibrary::automatic, 0.0);
  CHECK(make_staged_structure(f, 0, 1e12).stages.size() == 1);
  CHECK(make_staged_structure(f, 0, 0.0).stages.size() == SolverSettings::kMostStages);
  CHECK(make_staged_structure(f, 4, 1e12).stages.size() == 4);
}

TEMPLATE_TEST_CASE("products of panels equal plain loops, on every instruction set", "", float, double) {
  using T = TestType;
  test::Random random(23);
  for (Index width = 1; width <= 14; ++width) {
    for (const Index inside : {0, 1, 4, 5, 9, 13}) {
      const Index outside = (inside * 3 + width) % 11;
      StagedPanel panel{2, width, inside, outside, 0, 0, 0};
      panel.off_value = triangle_entries(width) + width * padded_rows(inside);
      const Index columns = width + inside + 3;
      std::vector<Index> rows;
      for (Index r = 0; r < inside; ++r) rows.push_back(width + r + 1);
      while (rows.size() % kPanelRows) rows.push_back(rows.back());
      for (Index r = 0; r < outside; ++r) rows.push_back(outside - 1 - r);
      while (rows.size() % kPanelRows) rows.push_back(rows.back());
      Eigen::Matrix<T, -1, -1> in = Eigen::Matrix<T, -1, -1>::Zero(columns, width),
                               out = Eigen::Matrix<T, -1, -1>::Zero(std::max<Index>(outside, 1), width);
      std::vector<T> values;
      for (Index begin = 0; begin < width; begin += kPanelRows)
        for (Index c = 0; c < std::min(width, begin + kPanelRows); ++c)
          for (Index r = begin; r < begin + kPanelRows; ++r) {
            values.push_back(r < width && r >= c ? static_cast<T>(random.uniform()) : T(0));
            if (r < width) in(r + 1, c) = values.back();
          }
      for (const bool first : {true, false}) {
        const Index count = first ? inside : outside;
        for (Index begin = 0; begin < count; begin += kPanelRows)
          for (Index c = 0; c < width; ++c)
            for (Index r = begin; r < begin + kPanelRows; ++r) {
              values.push_back(r < count ? static_cast<T>(random.uniform()) : T(0));
              if (r >= count) continue;
              if (first)
                in(rows[r], c) = values.back();
              else
                out(rows[padded_rows(inside) + r], c) = values.back();
            }
      }
      const StagedProduct<T> product{&panel, &panel + 1, 1, rows.data(), values.data()};
      for (const StagedKernels<T>* kernels : {&staged_kernels<T>(), &staged_kernels_baseline<T>()}) {
        for (int v = 1; v <= kMostGroups; ++v) {
          const Index lanes = v * kLanes;
          using Rows = Eigen::Matrix<T, -1, -1, Eigen::RowMajor>;
          Rows right = Rows::Random(columns, lanes), solution = Rows::Random(columns, lanes),
               sent = Rows::Random(std::max<Index>(outside, 1), lanes);
          const T tolerance = sizeof(T) == 4 ? T(2e-6) : T(1e-14);
          const Rows up = solution + in * right.middleRows(1, width);
          Rows y = solution;
          kernels->forward[v - 1](product, right.data(), y.data());
          CHECK((y - up).cwiseAbs().maxCoeff() < tolerance * T(columns));
          const Rows sent_up = sent + out * y.middleRows(1, width);
          Rows z = sent;
          kernels->forward_outside[v - 1](product, y.data(), z.data());
          CHECK((z - sent_up).cwiseAbs().maxCoeff() < tolerance * T(columns));
          Rows both = solution, both_sent = sent;
          kernels->forward_both[v - 1](product, right.data(), both.data(), both_sent.data());
          CHECK((both.array() == y.array()).all());
          CHECK((both_sent.array() == z.array()).all());

          Rows down = right;
          down.middleRows(1, width) = solution.middleRows(1, width) - out.transpose() * sent;
          Rows r = right;
          kernels->backward_outside[v - 1](product, sent.data(), solution.data(), r.data());
          CHECK((r - down).cwiseAbs().maxCoeff() < tolerance * T(columns));
          Rows x = solution, last = solution;
          last.middleRows(1, width) = in.transpose() * r;
          kernels->backward[v - 1](product, r.data(), x.data());
          CHECK((x - last).cwiseAbs().maxCoeff() < tolerance * T(columns));
          Rows both_right = right, both_solution = solution;
          kernels->backward_both[v - 1](product, sent.data(), both_right.data(), both_solution.data());
          CHECK((both_right.array() == r.array()).all());
          CHECK((both_solution.array() == x.array()).all());
        }
      }
    }
  }
}
