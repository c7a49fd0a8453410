// Starts without any shape: a random cloud of nodes, all nodes in one plane, on one line, in one point, and
// the mirror image.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/validation/bodies.hpp"

using namespace sinew;

namespace {

enum class Start { cloud, plane, line, point, mirror };
constexpr Start kStarts[] = {Start::cloud, Start::plane, Start::line, Start::point, Start::mirror};

std::string label(MaterialKind kind, Start start) {
  const char* names[] = {"cloud", "plane", "line", "point", "mirror"};
  return std::string(to_string(kind)) + ", " + names[static_cast<int>(start)];
}

std::vector<Vec3d> without_shape(const std::vector<Vec3d>& rest, Start start) {
  test::Random random(7);
  std::vector<Vec3d> x = rest;
  for (Vec3d& p : x) {
    if (start == Start::cloud) p = random.vector(0.2);
    if (start == Start::plane) p.z = 0.0;
    if (start == Start::line) p = {p.x, 0.0, 0.0};
    if (start == Start::point) p = {};
    if (start == Start::mirror) p.x = -p.x;
  }
  return x;
}

/// Largest change of a distance between two nodes [m]: 0 only for the rest shape and its mirror image.
double shape_deviation(const std::vector<Vec3d>& rest, const std::vector<Vec3d>& x) {
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      most = std::max(most, std::abs(norm(x[i] - x[j]) - norm(rest[i] - rest[j])));
  return most;
}

/// Whether a way leads to the rest shape. St. Venant and Kirchhoff's energy does not tell an element from its
/// mirror image: what starts inverted stays so. In a point or on a line the stresses of energies that are
/// smooth there are exactly zero across. Clouds leave the corotated energy in a local minimum and are too
/// steep for the line search where a barrier is continued.
bool recovers(MaterialKind kind, Start start) {
  if (kind == MaterialKind::st_venant_kirchhoff) return false;
  if (start == Start::plane) return true;
  if (start == Start::mirror) return kind != MaterialKind::neo_hookean;
  if (kind == MaterialKind::arap || kind == MaterialKind::fixed_corotated) return true;
  if (kind == MaterialKind::corotated) return start != Start::cloud;
  return kind == MaterialKind::stable_neo_hookean && start == Start::cloud;
}

/// Damped by mass alone: damping by strain is enormous at such strains, and recovery a matter of patience.
Simulation make(MaterialKind kind, int iterations, double tolerance) {
  BodySpec body = test::block_body(kind);
  body.material.rayleigh_alpha = 2.0;
  SimulationSettings settings;
  settings.iterations = iterations;
  settings.tolerance = tolerance;
  ModelBuilder builder;
  return Simulation(builder.gravity({}).add(body).build(), settings);
}

}  // namespace

TEST_CASE("bodies without a shape find it again", "[slow]") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    for (const Start start : kStarts) {
      if (!recovers(kind, start)) continue;
      INFO(label(kind, start));
      Simulation simulation = make(kind, 200, 1e-9);
      const std::vector<Vec3d> rest = simulation.positions(0);
      simulation.set_state(0, without_shape(rest, start), std::vector<Vec3d>(rest.size()));
      const double begin = simulation.statistics().energy.total();
      REQUIRE(std::isfinite(begin));
      REQUIRE(begin > 1.0);
      for (int n = 0; n < 600; ++n) REQUIRE(std::isfinite(simulation.step().energy.total()));
      CHECK(simulation.statistics().energy.total() < 1e-9 * begin);
      CHECK(shape_deviation(rest, simulation.positions(0)) < 1e-8);
      CHECK(simulation.volume(0) == Approx(0.012).epsilon(1e-8));  // not the mirror image
    }
  }
}

TEST_CASE("no start gives a number that is none, and merit never rises from iteration to iteration",
          "[scene]") {
  // Iterates from outside: the same frame with 0, 1, 2, ... iterations at most. Merit by its definition,
  // m/2 |q - q~|^2 + h alpha m/2 |q - q_t|^2 + h^2 E(q), with q~ = q_t at the start.
  constexpr double kStep = 0.01, kAlpha = 2.0;
  for (const MaterialKind kind : kTetMaterialKinds) {
    for (const Start start : kStarts) {
      INFO(label(kind, start));
      double before = 0.0;
      for (int iterations = 0; iterations <= 12; ++iterations) {
        Simulation simulation = make(kind, std::max(1, iterations), 0.0);
        const std::vector<Vec3d> x0 = without_shape(simulation.positions(0), start);
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
