// Bodies without a shape find it again, as far as their energy leads there.
#include "tests/validation/recovery.hpp"

#include "tests/support/catch.hpp"

using namespace sinew;
using test::Start;

namespace {

/// Whether a way leads to the rest shape. Some energies have local minima full of inverted elements, where
/// clouds end. St. Venant and Kirchhoff's does not tell an element from its mirror image.
bool recovers(MaterialKind kind, Start start) {
  const bool blind = kind == MaterialKind::st_venant_kirchhoff;
  if (start == Start::plane || start == Start::mirror) return !blind;
  if (start == Start::line || start == Start::point) return true;
  return kind == MaterialKind::arap || kind == MaterialKind::stable_neo_hookean ||
         kind == MaterialKind::fixed_corotated;
}

}  // namespace

TEST_CASE("bodies without a shape find it again", "[slow]") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    for (const Start start : test::kStarts) {
      if (!recovers(kind, start)) continue;
      INFO(test::label(kind, start));
      const test::Recovery found = test::recover(kind, start);
      REQUIRE(std::isfinite(found.end_energy));
      CHECK(found.start_energy > 1.0);
      CHECK(found.end_energy < 1e-9 * found.start_energy);
      CHECK(found.deviation < 1e-8);
      CHECK(found.volume == Approx(0.012).epsilon(1e-8));  // not the mirror image
    }
  }
}

TEST_CASE("no start gives a number that is none, and merit never rises from iteration to iteration",
          "[scene]") {
  // Iterates from outside: the same frame with 0, 1, 2, ... iterations at most. Merit by its definition,
  // m/2 |q - q~|^2 + h alpha m/2 |q - q_t|^2 + h^2 E(q), with q~ = q_t at the start. Lines and
  // points are left out: elements collapsed so far may be pushed apart in q~, which cannot be seen from here.
  constexpr double kStep = 0.01, kAlpha = 2.0;
  for (const MaterialKind kind : kTetMaterialKinds) {
    for (const Start start : {Start::cloud, Start::plane, Start::mirror}) {
      INFO(test::label(kind, start));
      double before = 0.0;
      for (int iterations = 0; iterations <= 12; ++iterations) {
        Simulation simulation = test::block_without_shape(kind, std::max(1, iterations), 0.0);
        const std::vector<Vec3d> x0 = test::without_shape(simulation.positions(0), start);
        simulation.set_state(0, x0, std::vector<Vec3d>(x0.size()));
        if (iterations > 0) simulation.step();
        const std::vector<Vec3d> x = simulation.positions(0), v(x.size());
        const std::vector<double> mass = simulation.node_masses(0);
        simulation.set_state(0, x, v);
        double merit = kStep * kStep * simulation.statistics().energy.elastic;
        for (std::size_t i = 0; i < x.size(); ++i)
          merit += 0.5 * mass[i] * (1.0 + kStep * kAlpha) * squared_norm(x[i] - x0[i]);
        REQUIRE(std::isfinite(merit));
        if (iterations > 0) CHECK(merit <= before * (1.0 + 1e-12));
        before = merit;
      }
    }
  }
}
