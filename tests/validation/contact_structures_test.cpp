// Structures that friction holds, and that fall where it is too little.
#include "tests/validation/contact_structures.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

struct Stand {
  double moved = 0.0;  ///< [m] farthest way of a body's centre from its start
  test::Worst worst;
};

Stand stand(const Model& model, double seconds, int iterations = 5) {
  SimulationSettings settings;
  settings.iterations = iterations;
  Simulation s(model, settings);
  const test::Places places(s);
  Stand result;
  const long frames = std::lround(seconds / settings.time_step);
  for (long n = 0; n < frames; ++n) {
    result.worst.add(s.step());
    if (n % 10 == 9 || n + 1 == frames) result.moved = std::max(result.moved, places.farthest(s));
  }
  return result;
}

}  // namespace

TEST_CASE("two cards lean on each other at mu = 0.5 and slip apart at 0.2", "[scene][slow]") {
  // tan 28 / 2 = 0.27 is needed.
  const Stand stands = stand(test::CardHouse(0.5, 28.0, false).build(), 1.0);
  CHECK(stands.moved < 1e-4);
  CHECK(stands.worst.penetration < 1e-5);
  // Centres start 44 mm high. A card that turned as stiffly as it strains would fall by 1 mm.
  const Stand falls = stand(test::CardHouse(0.2, 28.0, false).build(), 0.4);
  CHECK(falls.moved > 0.04);
  CHECK(falls.moved < 0.08);
}

TEST_CASE("two cards stand for 10 s", "[slow][long]") {
  for (const double lean : {25.0, 28.0, 30.0}) {
    INFO(lean << " degrees");
    CHECK(stand(test::CardHouse(0.5, lean, false).build(), 10.0).moved < 1e-3);
  }
}

TEST_CASE("arch of 25 stones stands at mu = 0.5 and falls at 0.1", "[slow][long]") {
  const Stand stands = stand(test::arch(25, 0.5), 10.0);
  CHECK(stands.moved < 2e-3);  // of 1 m
  CHECK(stands.worst.penetration < 1e-4);
  CHECK(stand(test::arch(25, 0.1), 1.0).moved > 0.05);
}

TEST_CASE("a house of two storeys stands for 10 s at mu = 0.5 and falls at 0.2", "[slow][long]") {
  // The lower cards need 0.38.
  CHECK(stand(test::CardHouse(0.5).build(), 10.0).moved < 1e-3);
  CHECK(stand(test::CardHouse(0.2).build(), 1.0).moved > 0.05);
}

TEST_CASE("a stack of ten boxes stays within 1 mm", "[scene][slow]") {
  const Stand stands = stand(test::stack(10), 0.5);
  CHECK(stands.moved < 1e-3);
  CHECK(stands.worst.penetration < 1e-6);
}

TEST_CASE("a stack of ten boxes stays within 1 mm for 10 s", "[slow][long]") {
  const Stand stands = stand(test::stack(10), 10.0);
  CHECK(stands.moved < 1e-3);
  CHECK(stands.worst.penetration < 1e-6);
}

TEST_CASE("a box stands on one of a hundredth and of a thousandth of its mass", "[scene][slow]") {
  CHECK(stand(test::stack(2, 0.5, 1e8, 100.0), 0.5).moved < 1e-3);
  SimulationSettings settings;
  settings.iterations = 20;  // for the weight to 1e-5
  Simulation s(test::stack(2, 0.5, 1e8, 1000.0), settings);
  const test::Places places(s);
  for (int n = 0; n < 60; ++n) {
    s.step();
    CHECK(places.farthest(s) < 1e-3);
  }
  const double weight = test::kGravity * (s.model().body_mass(0) + s.model().body_mass(1));
  CHECK(-s.obstacle_wrench(0).force.z == Approx(weight).epsilon(1e-4));
  CHECK(s.statistics().max_creep_m_s < 1e-6);
}
