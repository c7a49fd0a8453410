// The lattice, and the angle bound of stuffing for arbitrary signs and cut points.
#include <cmath>
#include <cstdint>
#include <set>

#include "engine/meshing/lattice.hpp"
#include "engine/meshing/sdf.hpp"
#include "engine/meshing/stuffing.hpp"
#include "engine/meshing/topology.hpp"
#include "tests/engine/meshing/mesh_checks.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {
// Repeatable numbers in [0, 1) from a place, so that they do not depend on the order of calls.
double noise(const Vec3d& x, unsigned seed) {
  std::uint64_t h = seed * 0x9E3779B97F4A7C15ull;
  for (int k = 0; k < 3; ++k) {
    h ^= static_cast<std::uint64_t>(std::llround(x[k] * 1048576.0)) + 0x9E3779B97F4A7C15ull + (h << 6) +
         (h >> 2);
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
    h ^= h >> 31;
  }
  return static_cast<double>(h >> 11) * 0x1p-53;
}
}  // namespace

TEST_CASE("lattice cells are congruent and a point lies in the cell that locate names") {
  const BccLattice lattice({0, 0, 0}, {1, 0.7, 0.4}, 0.25, {0.1, 0.2, 0.3});
  std::array<LatticePoint, 4> corner;
  std::size_t cells = 0;
  for (std::size_t id = 0; id < lattice.cell_count(); ++id) {
    if (!lattice.corners(id, corner)) continue;
    ++cells;
    Vec3d x[4];
    for (int k = 0; k < 4; ++k) x[k] = lattice.position(corner[k]);
    REQUIRE(tet_volume(x[0], x[1], x[2], x[3]) == Approx(0.25 * 0.25 * 0.25 / 12.0));
    REQUIRE(norm(x[1] - x[0]) == Approx(0.25));
    REQUIRE(norm(x[3] - x[2]) == Approx(0.25));
    REQUIRE(lattice.locate(0.4 * x[0] + 0.3 * x[1] + 0.2 * x[2] + 0.1 * x[3]) == id);
  }
  REQUIRE(cells > 1000);
}

TEST_CASE("lattice points keep their index") {
  const BccLattice lattice({0, 0, 0}, {1, 2, 3}, 0.5, {});
  for (std::size_t i = 0; i < lattice.point_count(); ++i) REQUIRE(lattice.index(lattice.point(i)) == i);
}

TEST_CASE("stuffing keeps the proven angles for random signs and cut points") {
  // Labelle & Shewchuk: between 10.78 and 164.74 degrees whatever the function is. Pinches in the boundary
  // are expected here; the cells must still fit together.
  double least = 180.0, largest = 0.0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const double filled = 0.2 + 0.05 * seed;
    const BccLattice lattice({0, 0, 0}, {1, 1, 1}, 0.125, {});
    std::vector<double> values(lattice.point_count());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Vec3d x = lattice.position(lattice.point(i));
      const bool border = sdf::box(x - Vec3d{0.5, 0.5, 0.5}, {0.55, 0.55, 0.55}) > 0.0;
      values[i] = border || noise(x, seed) > filled ? 1.0 : -1.0;
    }
    const EdgeRoot root = [&](const Vec3d& a, double, const Vec3d& b, double) {
      return noise(a + b, seed + 99);
    };
    TetMesh mesh = stuff_isosurface(lattice, values, root);
    REQUIRE(mesh.tets.size() > 300);
    const DihedralRange range = dihedral_range(mesh);
    least = std::min(least, range.least);
    largest = std::max(largest, range.largest);
    make_boundary_manifold(mesh);
    drop_small_pieces(mesh, 1.0);
    require_sound(mesh);
  }
  CHECK(least >= 10.7);
  CHECK(largest <= 164.8);
}

TEST_CASE("rounded cone is the union of spheres along its axis") {
  const Vec3d a = {0.1, -0.2, 0.3}, b = {0.9, 0.4, 0.1};
  for (unsigned i = 0; i < 50; ++i) {
    const Vec3d p = {3.0 * noise({double(i), 0, 0}, 1) - 1.0, 3.0 * noise({double(i), 0, 0}, 2) - 1.0,
                     3.0 * noise({double(i), 0, 0}, 3) - 1.0};
    double least = 1e9;
    for (int k = 0; k <= 20000; ++k) {
      const double t = k / 20000.0;
      least = std::min(least, norm(p - a - t * (b - a)) - (0.3 + t * (0.1 - 0.3)));
    }
    REQUIRE(sdf::rounded_cone(p, a, b, 0.3, 0.1) == Approx(least).margin(1e-7));
  }
}
