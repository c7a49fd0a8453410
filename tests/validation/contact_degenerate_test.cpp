// A point, an edge or a face that meets a point, an edge or a face exactly, in the manner of the cases in
// Erleben: Methodology for Assessing Mesh-Based Contact Point Methods (2018). Normals are ambiguous there.
#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/validation/contact_bodies.hpp"

using namespace sinew;

namespace {

enum class Part { point, edge, face };
constexpr const char* kPartNames[] = {"point", "edge", "face"};

constexpr double kSize = 0.1;  // [m] edge of both cubes

/// Rotation that turns a part of a cube to the top.
Mat3d to_top(Part part) {
  if (part == Part::face) return Mat3d::identity();
  const Mat3d edge = rotation_from_vector(Vec3d{0.25 * test::kPi, 0.0, 0.0});
  if (part == Part::edge) return edge;
  return rotation_from_vector(Vec3d{0.0, std::atan(std::sqrt(0.5)), 0.0}) * edge;
}

BodySpec cube(const char* name, Part up, double young, double density) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(2, 2, 2, 0.5 * kSize);
  for (Vec3d& p : body.mesh.nodes) p -= Vec3d{0.5 * kSize, 0.5 * kSize, 0.5 * kSize};
  body.transform.rotation = to_top(up);
  body.material = {MaterialKind::stable_neo_hookean, young, 0.3, 0.0, 0.01};
  body.density = density;
  return body;
}

double highest(const BodySpec& body) {
  double z = -1e9;
  for (const Vec3d& p : body.mesh.nodes) z = std::max(z, body.transform.apply(p).z);
  return z;
}

/// The upper cube, a mirrored lower one, comes down on it; the lower one is held at its centre.
void check_meeting(Part below, Part above, double speed, double young_ratio, double density_ratio) {
  INFO(kPartNames[static_cast<int>(above)] << " on " << kPartNames[static_cast<int>(below)] << " at " << speed
                                           << " m/s, E ratio " << young_ratio << ", mass ratio "
                                           << density_ratio);
  BodySpec lower = cube("lower", below, 1e5, 1000.0);
  BodySpec upper = cube("upper", above, 1e5 * young_ratio, 1000.0 * density_ratio);
  const double thickness = 2.0 * BodySpec::kSolidThickness * std::sqrt(3.0) * kSize;
  const double height = highest(lower) + highest(upper) + 2.0 * thickness;
  upper.transform.rotation = rotation_from_vector(Vec3d{test::kPi, 0.0, 0.0}) * upper.transform.rotation;
  upper.transform.translation = {0.0, 0.0, height};
  upper.velocity = {0.0, 0.0, -speed};
  PinSpec pin;
  pin.name = "middle";
  pin.body = "lower";
  pin.region.shape = Region::Ball{{0.0, 0.0, 0.0}, 0.051};
  ModelBuilder builder;
  Simulation s(builder.gravity({0.0, 0.0, -test::kGravity}).add(lower).add(upper).add(pin).build());
  const std::vector<double> mass = s.node_masses(1);
  double penetration = 0.0;
  for (int n = 0; n < 30; ++n) {
    penetration = std::max(penetration, s.step().max_penetration_m);
    const Vec3d middle = test::centre(s, 1, mass);
    REQUIRE(std::isfinite(norm(middle)));
    // Where it is still over the held ball it is above it.
    if (std::hypot(middle.x, middle.y) < 0.03) CHECK(middle.z > 0.05);
  }
  CHECK(penetration < thickness);
}

}  // namespace

TEST_CASE("points, edges and faces that meet exactly do not pass each other", "[scene]") {
  for (const Part below : {Part::point, Part::edge, Part::face})
    for (const Part above : {Part::point, Part::edge, Part::face}) check_meeting(below, above, 1.0, 1.0, 1.0);
}

TEST_CASE("large ratios of mass and stiffness", "[slow]") {
  check_meeting(Part::face, Part::face, 0.1, 1e4, 1.0);
  check_meeting(Part::face, Part::face, 0.1, 1.0, 10.0);
  check_meeting(Part::edge, Part::face, 0.1, 1e4, 1.0);
}
