#include "benchmarks/materials.hpp"

#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

TEST_CASE("bench materials: counts are those of the least iterations that reach the target", "[scene]") {
  MaterialsSettings settings;
  settings.vertices = 300;
  settings.most_quasi_newton = 300;
  const std::vector<MaterialCase> cases = study_material(settings, MaterialKind::neo_hookean, 1e6, 0.3);
  REQUIRE(cases.size() == 2);
  for (const MaterialCase& c : cases) {
    REQUIRE(c.coarse.iterations);
    REQUIRE(c.fine.iterations);
    CHECK(*c.coarse.iterations < *c.fine.iterations);
    CHECK((*c.coarse.iterations <= 5) == (c.error_at_five <= 1e-3));
    CHECK(c.error_at_five > 0.0);
    CHECK(c.error_at_five < 1.0);
    CHECK(c.fine.ms > 0.0);
  }
  CHECK(cases[0].scheme == ElasticScheme::quasi_newton);
  settings.most_quasi_newton = settings.most_admm = 2;
  for (const MaterialCase& c : study_material(settings, MaterialKind::neo_hookean, 1e6, 0.3))
    CHECK(!c.fine.iterations);
}
