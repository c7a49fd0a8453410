// Static shapes under load are those of Newton's method, whatever the material.
#include "tests/validation/static.hpp"

#include "tests/support/catch.hpp"

using namespace sinew;
using test::StaticBar;

TEST_CASE("static solutions are the minimum that Newton's method finds", "[slow]") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    for (const double poisson_ratio : {0.3, 0.45}) {
      INFO(to_string(kind) << ", nu " << poisson_ratio);
      const StaticBar bar({kind, poisson_ratio});
      double residual = 1.0;
      const std::vector<Vec3d> minimum = bar.newton(&residual);
      REQUIRE(residual < 1e-10);
      const double strain = bar.largest_strain(minimum);
      CHECK(strain > 0.1);
      CHECK(strain < 0.3);
      CHECK(bar.distance(bar.frame(poisson_ratio < 0.4 ? 200 : 1000), minimum) < 1e-6);
    }
  }
}

TEST_CASE("the plain projection iteration ends at a softer material", "[scene]") {
  // Moreau's envelope of a quadratic energy with compliance C has the compliance C + 1/w: Young's modulus
  // becomes 1 / (1/E + 1/w). w = 2 mu + lambda = 1.35 E at nu = 0.3, so that a bar sinks 1.74 times as far.
  const StaticBar bar({MaterialKind::stable_neo_hookean, 0.3, 0.05});
  const std::vector<Vec3d> minimum = bar.newton();
  const std::vector<Vec3d> plain = bar.plain_projection(1e-10);
  const std::vector<Vec3d> ours = bar.frame(200);
  CHECK(bar.distance(ours, minimum) < 1e-6);
  const double weight = bar.body().element_weight;
  CHECK(weight == Approx(1e5 * 1.346).epsilon(1e-3));
  CHECK(bar.sinks(plain) / bar.sinks(minimum) == Approx(1.0 + 1e5 / weight).epsilon(0.1));
}
