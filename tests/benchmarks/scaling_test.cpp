#include "benchmarks/scaling.hpp"

#include <cmath>

#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;
using Catch::Matchers::Contains;

TEST_CASE("scaling: the exponent of a power law, and least squares by hand") {
  const std::vector<double> x = {1.0, 10.0, 100.0};
  CHECK(fitted_exponent(x, {5.0, 50.0, 500.0}) == Approx(1.0));
  CHECK(fitted_exponent(x, {2.0, 2.0 * std::pow(10.0, 1.5), 2000.0}) == Approx(1.5));
  // Logarithms to 10: (0, 0), (1, 2), (2, 3); slope = (1 * 1.5 + 1 * 1.5) / 2.
  CHECK(fitted_exponent(x, {1.0, 100.0, 1000.0}) == Approx(1.5));
  CHECK(fitted_exponent({1.0, 10.0, 0.0, 3.0}, {4.0, 400.0, 1.0, NAN}) == Approx(2.0));
  CHECK(std::isnan(fitted_exponent({1.0}, {1.0})));
  CHECK(std::isnan(fitted_exponent({2.0, 2.0}, {1.0, 3.0})));
}

TEST_CASE("scaling: sizes") {
  CHECK(scaling_settings("small").elastic == std::vector<Index>{5000, 10000, 20000});
  CHECK(scaling_settings("large").elastic.back() == 100000);
  CHECK(scaling_settings("medium").contact.back() == 3000);
  CHECK_THROWS_WITH(scaling_settings("smal"), Contains("did you mean 'small'"));
}

TEST_CASE("scaling: the whole lower face of the slab touches, and carries its weight") {
  const Model model = slab_on_slope(100);
  SimulationSettings settings;
  settings.solver.cache = false;
  settings.threads = 1;
  Simulation simulation(model, settings);
  CHECK(simulation.sizes().vertices == 300);
  double normal = 0.0;
  for (int frame = 1; frame <= 60; ++frame) {
    const StepStatistics& s = simulation.step();
    CHECK(s.contacts == 100);
    CHECK(s.max_penetration_m < 1e-6);
    for (const ContactForce& c : simulation.contact_forces())
      if (frame > 20) normal += c.normal_force / 40.0;
  }
  const double weight = model.body_mass(0) * 9.81;  // 100 kg
  CHECK(normal == Approx(weight * std::cos(20.0 / 180.0 * M_PI)).epsilon(0.05));
}

TEST_CASE("scaling: rows of both families, their growth, and bits that repeat") {
  ScalingSettings settings;
  settings.elastic = {600, 1200};
  settings.contact = {64, 144};
  settings.frames = 5;
  settings.repeats = 2;
  SuiteResult result = begin_suite("scaling", 1);
  run_scaling(settings, result, [](const std::string&) {});
  REQUIRE(result.rows.size() == 4);
  CHECK(result.failures.empty());
  CHECK(result.rows[0].id == "scaling/elastic/600");
  CHECK(result.rows[3].id == "scaling/contact/144");
  for (const SuiteRow& row : result.rows) {
    INFO(row.id);
    CHECK(row.valid);
    CHECK(row.sample("median_ms")->size() == 2);
    CHECK(row.value("precompute_bytes") > 0.0);
  }
  CHECK(result.rows[0].value("constraints") == 0);
  CHECK(result.rows[2].value("constraints") == 64);
  REQUIRE(result.advice.size() == 2);
  CHECK_THAT(result.advice[0], Contains("elastic: exponents in the number of vertices: frame "));
  CHECK_THAT(result.advice[1], Contains(", contact solve "));
  CHECK_THAT(scaling_table(result).text(), Contains("scaling/contact/64"));
  settings.threads = 2;
  SuiteResult again = begin_suite("scaling", 2);
  run_scaling(settings, again, [](const std::string&) {});
  for (std::size_t i = 0; i < 4; ++i) CHECK(again.rows[i].hash == result.rows[i].hash);
}
