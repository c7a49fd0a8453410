// The systems that benchmarks are made of: size, symmetry of the layout, null space up to the mass.
#include <cmath>

#include <sinew/errors.hpp>

#include "benchmarks/problems.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

namespace {

/// Sum of all entries of the whole matrix = total mass: stiffness takes constants to zero.
double total(const SymmetricMatrix& a) {
  double sum = 0.0;
  for (Index j = 0; j < a.size; ++j)
    for (Index k = a.column_start[j]; k < a.column_start[j + 1]; ++k)
      sum += (a.row[k] == j ? 1.0 : 2.0) * a.value[k];
  return sum;
}

void check_near(std::size_t got, double wanted) {
  CHECK(static_cast<double>(got) == Approx(wanted).epsilon(0.03));
}

}  // namespace

TEST_CASE("problems: regular meshes have the wanted size and the mass of their body") {
  for (const std::string& shape : regular_shapes())
    for (const std::size_t vertices : {500, 2000, 5000}) {
      const BenchProblem problem = regular_problem(shape, vertices);
      const BenchSystem system = problem.make();
      check_near(system.vertices, static_cast<double>(vertices));
      CHECK(static_cast<std::size_t>(system.matrix.size) == system.vertices);
      CHECK(problem.published_S_MB == 0.0);
      CHECK(factor(system.matrix, FactorLibrary::automatic, 0.0).nonzeros() > system.matrix.row.size());
    }
  CHECK(regular_problem("bar", 21000).name == "bar 21k");
  // 9 x 9 x 62 vertices of a bar: 8 x 8 x 61 cells of 1 cm^3, 1 g each.
  const BenchSystem bar = regular_problem("bar", 5000).make();
  CHECK(bar.vertices == 9 * 9 * 62);
  CHECK(bar.elements == 6 * 8 * 8 * 61);
  CHECK(total(bar.matrix) == Approx(8 * 8 * 61 * 1e-3).epsilon(1e-9));
  const BenchSystem sheet = regular_problem("sheet", 5000).make();
  CHECK(sheet.elements == 2 * 70 * 69);
  CHECK(total(sheet.matrix) == Approx(0.2 * 0.70 * 0.69).epsilon(1e-9));
}

TEST_CASE("problems: the smallest meshes, and what cannot be made") {
  for (const std::string& shape : regular_shapes()) CHECK(regular_problem(shape, 8).make().vertices >= 8);
  CHECK_THROWS_WITH(regular_problem("brr", 100), "unknown shape 'brr', did you mean 'bar'?");
  CHECK_THROWS_AS(regular_problem("bar", 7), Error);
  CHECK_THROWS_AS(regular_problem("bar", 5'000'001), Error);
}

TEST_CASE("problems: bending couples more nodes, in the order of the published memory") {
  std::size_t last = 0;
  for (const BenchProblem& problem : published_problems()) {
    if (problem.published_vertices != 5100) continue;
    const BenchSystem system = problem.make();
    CHECK(system.matrix.row.size() > last);
    last = system.matrix.row.size();
  }
  CHECK(last > 50000);
}

TEST_CASE("problems: every published row is there, with as many vertices", "[slow]") {
  const auto problems = published_problems();
  REQUIRE(problems.size() == 23);
  double S_MB = 0.0;
  for (const BenchProblem& problem : problems) {
    INFO(problem.name);
    S_MB += problem.published_S_MB;
    const BenchSystem system = problem.make();
    check_near(system.vertices, problem.published_vertices);
    CHECK(static_cast<std::size_t>(system.matrix.size) == system.vertices);
    if (problem.shape == "bar" || problem.shape.starts_with("cloth"))
      CHECK(static_cast<double>(system.elements) == Approx(problem.published_elements).epsilon(0.02));
    // Our volumes are lattices: more tetrahedra per vertex where the published ones are coarse inside.
    CHECK(static_cast<double>(system.elements) > 0.8 * problem.published_elements);
    CHECK(static_cast<double>(system.elements) < 1.7 * problem.published_elements);
  }
  CHECK(S_MB == Approx(7997.78));
}
