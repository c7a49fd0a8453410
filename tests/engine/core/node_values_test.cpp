// Values that surfaces are coloured by, against closed forms.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;

namespace {

constexpr double kYoung = 2e5, kPoisson = 0.3;
constexpr double kMu = kYoung / (2.0 * (1.0 + kPoisson));
constexpr double kLambda = kYoung * kPoisson / ((1.0 + kPoisson) * (1.0 - 2.0 * kPoisson));

BodySpec solid(MaterialKind kind) {
  BodySpec body;
  body.name = "body";
  body.mesh = test::block(3, 2, 2, 0.1);
  body.material.kind = kind;
  body.material.young_modulus = kYoung;
  body.material.poisson_ratio = kPoisson;
  return body;
}

BodySpec cloth(MaterialKind kind) {
  BodySpec body = test::sheet_body("body", test::sheet(4, 3, 0.1), kind);
  body.material.young_modulus = kYoung;
  body.material.poisson_ratio = kPoisson;
  return body;
}

Simulation alone(const BodySpec& body) {
  ModelBuilder builder;
  builder.add(body);
  return Simulation(builder.build());
}

/// Places the body at x -> a x + shift.
void deform(Simulation& simulation, const Mat3d& a, const Vec3d& shift = {}) {
  std::vector<Vec3d> x = simulation.model().body(0).nodes();
  for (Vec3d& p : x) p = a * p + shift;
  simulation.set_state(0, x, std::vector<Vec3d>(x.size()));
}

void check_all(const std::vector<double>& values, std::size_t count, double expected, double error) {
  CHECK(values.size() == count);
  for (const double v : values) CHECK(v == Approx(expected).margin(error));
}

/// Uniaxial stretch s, nothing across: Cauchy stress from psi(s), as difference of principal stresses.
double uniaxial(MaterialKind kind, double s) {
  switch (kind) {
    case MaterialKind::st_venant_kirchhoff: {  // sigma = F S F^T / J, S = lambda tr E + 2 mu E
      const double e = 0.5 * (s * s - 1.0), along = (kLambda + 2.0 * kMu) * e, across = kLambda * e;
      return std::abs(s * s * along - across) / s;
    }
    case MaterialKind::neo_hookean: {  // sigma = (mu (B - I) + lambda ln J I) / J
      return std::abs(kMu * (s * s - 1.0) / s);
    }
    default: {  // corotated: P = 2 mu (s - 1) + lambda (s - 1), lambda (s - 1) across
      return std::abs(s * (2.0 * kMu + kLambda) * (s - 1.0) - kLambda * (s - 1.0)) / s;
    }
  }
}

}  // namespace

TEST_CASE("surface values: uniaxial stretch of solids, against closed forms") {
  test::Random random(3);
  const Mat3d turn = random.rotation();
  for (const MaterialKind kind :
       {MaterialKind::st_venant_kirchhoff, MaterialKind::neo_hookean, MaterialKind::corotated}) {
    Simulation simulation = alone(solid(kind));
    const std::size_t count = simulation.positions(0).size();
    for (const double s : {1.3, 0.8}) {
      deform(simulation, turn * Mat3d::diagonal(s, 1, 1), {1, 2, 3});
      const double expected = uniaxial(kind, s);
      check_all(simulation.surface_values(0, SurfaceQuantity::von_mises_stress), count, expected,
                1e-9 * kYoung);
      check_all(simulation.surface_values(0, SurfaceQuantity::principal_strain), count,
                s > 1.0 ? s - 1.0 : 0.0, 1e-7);
    }
    // Small strain: Hooke.
    deform(simulation, Mat3d::diagonal(1.0 + 1e-6, 1, 1));
    check_all(simulation.surface_values(0, SurfaceQuantity::von_mises_stress), count, 2.0 * kMu * 1e-6,
              1e-4 * kMu * 1e-6);
  }
}

TEST_CASE("surface values: stretch of sheets, with and without a limit of strain") {
  test::Random random(4);
  const Mat3d turn = random.rotation();
  const double plane = 2.0 * kLambda * kMu / (kLambda + 2.0 * kMu);  // lambda of plane stress
  for (const bool limited : {false, true}) {
    BodySpec body = cloth(MaterialKind::st_venant_kirchhoff);
    if (limited) body.sheet->strain_limit = 0.05;
    Simulation simulation = alone(body);
    const double s = 1.2, e = 0.5 * (s * s - 1.0);
    deform(simulation, turn * Mat3d::diagonal(s, 1, 1));
    double along = s * s * (plane + 2.0 * kMu) * e / s;
    const double across = plane * e / s;
    if (limited) {
      const double weight = simulation.model().body(0).sheet->kStrainLimitFactor;
      const double before = std::sqrt(along * along - along * across + across * across);
      const std::vector<double> values = simulation.surface_values(0, SurfaceQuantity::von_mises_stress);
      for (const double v : values) CHECK(v > before + weight * kMu * (s - 1.05));
      continue;
    }
    check_all(simulation.surface_values(0, SurfaceQuantity::von_mises_stress), 20,
              std::sqrt(along * along - along * across + across * across), 1e-9 * kYoung);
    check_all(simulation.surface_values(0, SurfaceQuantity::principal_strain), 20, s - 1.0, 1e-12);
    deform(simulation, turn * Mat3d::diagonal(0.9, 0.7, 1));
    check_all(simulation.surface_values(0, SurfaceQuantity::principal_strain), 20, -0.1, 1e-12);
  }
}

TEST_CASE("surface values: a rigid motion has neither stress nor strain") {
  test::Random random(5);
  const Mat3d turn = random.rotation();
  for (const MaterialKind kind : kTetMaterialKinds) {
    for (const bool sheet : {false, true}) {
      if (sheet && std::find(std::begin(kTriangleMaterialKinds), std::end(kTriangleMaterialKinds), kind) ==
                       std::end(kTriangleMaterialKinds))
        continue;
      Simulation simulation = alone(sheet ? cloth(kind) : solid(kind));
      const std::size_t count = simulation.positions(0).size();
      deform(simulation, turn, {0.3, -0.2, 0.5});
      check_all(simulation.surface_values(0, SurfaceQuantity::von_mises_stress), count, 0.0, 1e-13 * kYoung);
      check_all(simulation.surface_values(0, SurfaceQuantity::principal_strain), count, 0.0, 1e-14);
      const std::vector<Vec3d>& start = simulation.model().body(0).nodes();
      const std::vector<double> moved = simulation.surface_values(0, SurfaceQuantity::displacement);
      for (std::size_t i = 0; i < count; ++i)
        CHECK(moved[i] == Approx(norm(turn * start[i] + Vec3d{0.3, -0.2, 0.5} - start[i])));
    }
  }
}

TEST_CASE("surface values: elements that are pressed flat or turned over have finite ones") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    Simulation simulation = alone(solid(kind));
    for (const double s : {0.0, -0.5, 1e-3}) {
      deform(simulation, Mat3d::diagonal(1, 1, s));
      for (const double v : simulation.surface_values(0, SurfaceQuantity::von_mises_stress))
        CHECK(std::isfinite(v));
      for (const double v : simulation.surface_values(0, SurfaceQuantity::principal_strain))
        CHECK(v == Approx(0.0).margin(1e-7));
    }
  }
}

TEST_CASE("surface values: nodes take the mean by volume, embedded points the weights of their cell") {
  // Two elements, one of three times the volume of the other, which is stretched.
  BodySpec body = solid(MaterialKind::neo_hookean);
  body.mesh = TetMesh{};
  body.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -3}};
  body.mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  Simulation simulation = alone(body);
  std::vector<Vec3d> x = body.mesh.nodes;
  x[3] = {0, 0, 1.2};
  simulation.set_state(0, x, std::vector<Vec3d>(5, {0, 3, 4}));
  const std::vector<double> strain = simulation.node_values(0, SurfaceQuantity::principal_strain);
  CHECK(strain[3] == Approx(0.2));
  CHECK(strain[4] == Approx(0.0).margin(1e-7));
  for (const std::size_t i : {0, 1, 2}) CHECK(strain[i] == Approx(0.2 * 1.0 / 4.0));
  check_all(simulation.surface_values(0, SurfaceQuantity::speed), 5, 5.0, 1e-15);
  CHECK(simulation.node_values(0, SurfaceQuantity::displacement)[3] == Approx(0.2));
  CHECK_THROWS_AS(simulation.surface_values(1, SurfaceQuantity::speed), ModelError);

  BodySpec covered = body;
  covered.mesh.surface.tet = {0, 1, 1, 0};
  covered.mesh.surface.weights = {{0.5, 0, 0, 0.5}, {0.25, 0.25, 0.25, 0.25}, {0, 0, 1, 0}, {0, 1, 0, 0}};
  covered.mesh.surface.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  Simulation embedded = alone(covered);
  std::vector<Vec3d> v(5);
  v[3] = {0, 0, 2};
  embedded.set_state(0, x, v);
  const std::vector<double> of_point = embedded.surface_values(0, SurfaceQuantity::principal_strain);
  REQUIRE(of_point.size() == 4);
  CHECK(of_point[0] == Approx(0.5 * strain[0] + 0.5 * strain[3]));
  CHECK(of_point[1] == Approx(0.25 * (strain[0] + strain[1] + strain[2] + strain[4])));
  CHECK(embedded.surface_values(0, SurfaceQuantity::speed)[0] == Approx(1.0));
  CHECK(embedded.surface_values(0, SurfaceQuantity::displacement)[0] == Approx(0.1));
}

TEST_CASE("centre of mass follows the body") {
  Simulation simulation = alone(solid(MaterialKind::arap));
  CHECK(norm(simulation.center_of_mass(0) - Vec3d{0.15, 0.1, 0.1}) < 1e-15);
  deform(simulation, Mat3d::diagonal(2, 1, 1), {0, 0, 4});
  CHECK(norm(simulation.center_of_mass(0) - Vec3d{0.3, 0.1, 4.1}) < 1e-14);
  simulation.step();
  CHECK(simulation.center_of_mass(0).z == Approx(4.1 - 9.81e-4));
}
