// `sinew bench friction`: how the error in mu is found, and that the study tells solvers apart.
#include "benchmarks/friction_study.hpp"

#include <cmath>
#include <map>

#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

TEST_CASE("error in mu: a verdict that changes at a known place") {
  const double critical = 0.2;
  int asked = 0;
  const auto changes_at = [&](double mu) {
    return find_friction_error(critical, [&asked, mu](double x) {
      ++asked;
      return x > mu;
    });
  };
  const FrictionError exact = changes_at(critical);
  CHECK(exact.none);
  CHECK_FALSE(exact.all);
  CHECK(exact.value == Approx(1e-3 * critical));
  CHECK(asked == 2);
  for (const double error : {0.1, -0.1, 3e-3, -3e-3}) {
    const FrictionError found = changes_at(critical + error);
    INFO(error);
    CHECK_FALSE(found.none);
    CHECK_FALSE(found.all);
    CHECK(found.value <= std::abs(error));
    CHECK(found.value > std::abs(error) / 1.1);
  }
  CHECK(asked < 60);
}

TEST_CASE("error in mu: verdicts that never change") {
  const FrictionError slides = find_friction_error(0.2, [](double) { return false; });
  CHECK(slides.all);
  CHECK(slides.value == Approx(0.8));
  const FrictionError stays = find_friction_error(0.2, [](double) { return true; });
  CHECK(stays.all);
  CHECK(stays.value == Approx(0.2));
}

TEST_CASE("friction methods: every name once, all distinct") {
  std::map<std::string, int> names;
  for (const FrictionMethod& method : friction_methods()) ++names[method.name];
  CHECK(names.size() == 10);
  const ContactSettings& fixed = friction_methods().front().contact;
  CHECK(friction_methods().front().name == "published-system-fixed");
  CHECK(fixed.nsn.form == NewtonForm::published);
  CHECK(fixed.nsn.scaling == RowScaling::system);
  CHECK(fixed.nsn.steps == 1);
  CHECK(fixed.nsn.krylov_iterations == 10);
}

TEST_CASE("friction study: newton knows the angle, on any number of threads", "[slow]") {
  FrictionSettings settings;
  settings.young = {1e6};
  settings.methods = {friction_methods().back()};
  std::vector<FrictionCase> one, two;
  int told = 0;
  Executor(1).run([&] { one = run_friction_study(settings, [&](const std::string&) { ++told; }); });
  Executor(2).run([&] { two = run_friction_study(settings, [](const std::string&) {}); });
  CHECK(told == 1);
  REQUIRE(one.size() == 1);
  CHECK(one[0].method == "newton");
  CHECK(one[0].seen.none);
  CHECK(one[0].at_rest.none);
  CHECK(one[0].seen.value == Approx(1e-3 * 0.17632698070846498));
  CHECK(one[0].speed < kAtRest);
  CHECK(one[0].frames > 1000);
  CHECK(one[0].speed == two[0].speed);
  CHECK(one[0].frames == two[0].frames);
}
