// Coulomb's law on a slope, a tenth of a percent above and below the friction angle.
#include "tests/validation/contact_slope.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

void check_slope(const test::SlopeCase& c) {
  INFO("E " << c.young << ", h " << c.time_step << ", scale " << c.scale);
  test::SlopeRun run(c);
  const double mu = run.critical();
  CHECK(run.stays(1.001 * mu) < 1e-6 * std::min(1.0, std::sqrt(c.scale)));
  CHECK(run.slides(0.999 * mu) == Approx(run.expected(0.999 * mu)).epsilon(0.05));
  CHECK(run.slides(0.9 * mu) == Approx(run.expected(0.9 * mu)).epsilon(0.01));
  CHECK(run.worst().penetration < 1e-6 * c.scale);
  CHECK(run.worst().momentum < 1e-2);
}

void check_half(const test::SlopeCase& c) {
  INFO("E " << c.young);
  test::SlopeRun run(c);
  CHECK(run.stays(0.501) < 1e-6);
  CHECK(run.slides(0.49) == Approx(run.expected(0.49)).epsilon(0.01));
}

constexpr double kTan10 = 0.17632698070846498;

}  // namespace

TEST_CASE("slope of 10 degrees: a soft block stays at 1.001 tan a and slides at 0.999", "[scene][slow]") {
  for (const double young : {1e5, 1e6}) check_slope({kTan10, young});
}

TEST_CASE("slope of 10 degrees: a stiff block does the same", "[slow][long]") {
  check_slope({kTan10, 1e8});
}

TEST_CASE("slope with tan 0.5: slides at 0.49, stays at 0.501", "[scene][slow]") {
  for (const double young : {1e5, 1e6}) check_half({0.5, young});
}

TEST_CASE("slope with tan 0.5, stiff block", "[slow][long]") {
  check_half({0.5, 1e8});
}

TEST_CASE("slope at a tenth of the time step", "[slow][long]") {
  for (const double young : {1e5, 1e6}) check_slope({kTan10, young, 0.001});
  check_slope({kTan10, 1e8, 0.001});
}

TEST_CASE("slope at a tenth and at ten times the size", "[scene][slow]") {
  for (const double scale : {0.1, 10.0}) check_slope({kTan10, 1e6, 0.01, scale});
}

TEST_CASE("slope at a tenth and at ten times the size, soft and stiff", "[slow][long]") {
  for (const double scale : {0.1, 10.0})
    for (const double young : {1e5, 1e8}) check_slope({kTan10, young, 0.01, scale});
}
