#include "engine/export/obstacle_surface.hpp"

#include <algorithm>
#include <map>
#include <numbers>

#include "tests/support/catch.hpp"

using namespace sinew;

namespace {
// Every edge is used once in each direction: closed and consistently oriented.
bool closed(const SurfaceMesh& mesh) {
  std::map<std::pair<Index, Index>, int> edges;
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  return std::all_of(edges.begin(), edges.end(), [&](const auto& e) {
    const auto twin = edges.find({e.first.second, e.first.first});
    return e.second == 1 && twin != edges.end() && twin->second == 1;
  });
}
constexpr double kPi = std::numbers::pi;
}  // namespace

TEST_CASE("obstacle surfaces are closed, outward and hold the right volume") {
  const auto volume = [](const ObstacleShape& shape) {
    const ObstacleSurface surface = obstacle_surface(shape, {}, 1.0);
    CHECK(closed(surface.mesh));
    CHECK(surface.stripe.size() == surface.mesh.triangles.size());
    CHECK(std::count(surface.stripe.begin(), surface.stripe.end(), 1) > 0);
    CHECK(std::count(surface.stripe.begin(), surface.stripe.end(), 0) > 0);
    return enclosed_volume(surface.mesh.points, surface.mesh.triangles);
  };
  CHECK(volume(BoxShape{{0.1, 0.2, 0.3}}) == Approx(8 * 0.1 * 0.2 * 0.3).epsilon(1e-12));
  // Inscribed polygons lose under 2 % in volume.
  const double r = 0.25, l = 0.5;
  const double sphere = 4.0 / 3.0 * kPi * r * r * r, cylinder = 2.0 * kPi * r * r * l;
  const double made_sphere = volume(SphereShape{r}), made_cylinder = volume(CylinderShape{r, l});
  CHECK(made_sphere < sphere);
  CHECK(made_sphere > 0.98 * sphere);
  CHECK(made_cylinder < cylinder);
  CHECK(made_cylinder > 0.98 * cylinder);
  CHECK(volume(CapsuleShape{r, l}) == Approx(made_sphere + made_cylinder).epsilon(1e-12));
}

TEST_CASE("a half-space is a square about the given centre that faces up") {
  const ObstacleSurface surface = obstacle_surface(HalfSpaceShape{}, {1.0, 2.0, 5.0}, 0.5);
  double area = 0.0;
  for (const Triangle& t : surface.mesh.triangles) {
    const auto& x = surface.mesh.points;
    const Vec3d normal = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
    CHECK(normal.z > 0.0);
    area += 0.5 * norm(normal);
  }
  CHECK(area == Approx(1.0));
  for (const Vec3d& x : surface.mesh.points) {
    CHECK(x.z == 0.0);
    CHECK(std::abs(x.x - 1.0) <= 0.5);
    CHECK(std::abs(x.y - 2.0) <= 0.5);
  }
}
