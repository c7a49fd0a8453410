// Small deflections against beam theory, on meshes refined by 1.5; docs/validation.md has finer ones.
#include "tests/validation/cantilever.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

TEST_CASE("cantilever: the order of linear tetrahedra, and Timoshenko's deflection as the limit", "[slow]") {
  const auto deflections = [](double nu) {
    std::vector<double> ratio;
    for (const Index cells : {4, 6, 9}) {
      const test::CantileverResult result = test::static_deflection({nu, cells});
      CHECK(std::abs(result.change) < 2e-4);  // static
      ratio.push_back(result.ratio);
    }
    return ratio;
  };
  const std::vector<double> ratio = deflections(0.3);
  const test::Refinement found = test::refine(ratio[0], ratio[1], ratio[2], 1.5);
  INFO(ratio[0] << " " << ratio[1] << " " << ratio[2] << ", order " << found.order << ", limit "
                << found.limit);
  CHECK(found.order > 1.5);
  CHECK(found.order < 2.2);
  CHECK(found.limit == Approx(1.0).epsilon(0.03));
  CHECK(ratio[2] < 1.0);  // displacements of finite elements are too stiff
  // Linear tetrahedra lock near incompressibility: the same mesh is stiffer at nu = 0.49.
  const double locked = test::static_deflection({0.49, 4}).ratio;
  INFO("nu 0.49: " << locked);
  CHECK(locked < 0.97 * ratio[0]);
  CHECK(locked > 0.75);
}
