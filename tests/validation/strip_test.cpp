// A strip clamped at one end bends far under its own weight: the elastica.
#include "tests/validation/strip.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

TEST_CASE("elastica by shooting: small loads give beam theory, steps do not matter") {
  const std::array<double, 2> small = test::elastica_tip(1e-3);
  CHECK(small[1] == Approx(1e-3 / 8.0).epsilon(1e-6));
  CHECK(small[0] == Approx(1.0).margin(1e-7));
  const std::array<double, 2> coarse = test::elastica_tip(10.0, 200), fine = test::elastica_tip(10.0, 2000);
  for (int k = 0; k < 2; ++k) CHECK(coarse[k] == Approx(fine[k]).margin(1e-8));
  CHECK(fine[1] == Approx(0.700200).margin(1e-6));
}

TEST_CASE("a strip bends like the elastica where stretching keeps its rows straight", "[slow]") {
  // Isometric bending is a model of sheets that do not stretch. Membrane against bending, per cell d:
  // E t kappa^2 d^4 / D = 2,000 here; docs/validation.md says what happens where it is small.
  const std::array<double, 2> exact = test::elastica_tip(test::Strip::kLoad);
  const test::StripResult bent = test::bent_strip(10, 4, BendingModel::isometric, 60, 1e8);
  CHECK(bent.change < 1e-4);
  CHECK(bent.down == Approx(exact[1]).margin(2e-3));
  CHECK(bent.along == Approx(exact[0]).margin(1e-2));
}

TEST_CASE("gentle bending of a strip: diagonals share it, a regular grid keeps 80 to 95 % of D", "[scene]") {
  constexpr double kLoad = 0.03;
  double before = 1.0;
  for (const Index cells : {5, 10}) {
    const test::StripResult bent = test::bent_strip(cells, 4, BendingModel::isometric, 60, 1e6,
                                                    test::Strip::kGravity * kLoad / test::Strip::kLoad);
    CHECK(bent.change < 1e-5);
    const double share = kLoad / 8.0 / bent.down;
    INFO(cells << " cells: " << share);
    CHECK(share > 0.8);
    CHECK(share < 0.95);
    CHECK(share < before);
    before = share;
  }
}
