#include <cmath>
#include <limits>
#include <numbers>

#include <tbb/global_control.h>
#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>

#include "tests/engine/meshing/mesh_checks.hpp"
#include "tests/engine/meshing/surfaces.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using Catch::Matchers::Contains;

namespace {

constexpr double kPi = std::numbers::pi;

TetrahedralizeSettings with(Index vertices, bool embed) {
  TetrahedralizeSettings settings;
  settings.vertices = vertices;
  settings.embed = embed;
  return settings;
}

std::string message_of(const SurfaceMesh& surface, const TetrahedralizeSettings& settings) {
  try {
    tetrahedralize(surface, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string all(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += note + "\n";
  return text;
}

double volume_of(const SurfaceMesh& s) {
  return enclosed_volume(s.points, s.triangles);
}

}  // namespace

TEST_CASE("embedding: whole cells, exact surface, volume to 1 %, target to 3 %", "[slow]") {
  for (const SurfaceMesh& s :
       {cube_surface(2.0), sphere_surface(0.3, 40, 80, -0.5 * kPi), wavy_torus_surface(10.0, 3.0, 90, 30)}) {
    for (const Index vertices : {400, 2500}) {
      INFO(s.points.size() << " points, " << vertices << " vertices");
      const TetMesh mesh = tetrahedralize(s, with(vertices, true));
      require_sound(mesh);
      CHECK(std::abs(static_cast<double>(mesh.nodes.size()) / vertices - 1.0) <= 0.03);
      CHECK(dihedral_range(mesh).least == Approx(60.0));
      CHECK(total_volume(mesh) == Approx(volume_of(s)).epsilon(0.01));
      REQUIRE(mesh.inside_fraction.size() == mesh.tets.size());
      for (const double f : mesh.inside_fraction) REQUIRE((f >= 0.05 && f <= 1.0));
      REQUIRE(mesh.surface.triangles == s.triangles);
      const std::vector<Vec3d> points = embedded_points(mesh, mesh.nodes);
      REQUIRE(points.size() == s.points.size());
      double error = 0.0, size = 0.0, least_weight = 1.0;
      for (std::size_t p = 0; p < points.size(); ++p) {
        error = std::max(error, norm(points[p] - s.points[p]));
        size = std::max(size, norm(s.points[p]));
        for (const double w : mesh.surface.weights[p]) least_weight = std::min(least_weight, w);
      }
      CHECK(error <= 1e-12 * size);
      CHECK(least_weight >= -1e-9);  // every point lies in the cell that carries it
    }
  }
}

TEST_CASE("inside fractions agree with the plane that cuts the cells") {
  // Away from the edges of a large cube each cut cell is cut by one plane; compare with a fine sampling of
  // it.
  const SurfaceMesh s = cube_surface(1.0);
  const TetMesh mesh = tetrahedralize(s, with(1500, true));
  double difference = 0.0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    int inside = 0, count = 0;
    constexpr int n = 12;
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j)
        for (int k = 0; i + j + k < n; ++k) {
          const double w[4] = {(i + 0.25) / n, (j + 0.25) / n, (k + 0.25) / n, (n - 0.75 - i - j - k) / n};
          Vec3d x;
          for (int c = 0; c < 4; ++c) x += w[c] * mesh.nodes[mesh.tets[t][c]];
          ++count;
          inside += x.x > 0 && x.x < 1 && x.y > 0 && x.y < 1 && x.z > 0 && x.z < 1 ? 1 : 0;
        }
    difference =
        std::max(difference, std::abs(static_cast<double>(inside) / count - mesh.inside_fraction[t]));
  }
  CHECK(difference < 0.25);
}

TEST_CASE("stuffing: the surface becomes the boundary", "[slow]") {
  for (const SurfaceMesh& s :
       {sphere_surface(0.3, 40, 80, -0.5 * kPi), wavy_torus_surface(10.0, 3.0, 90, 30)}) {
    for (const Index vertices : {1000, 4000}) {
      INFO(s.points.size() << " points, " << vertices << " vertices");
      const TetMesh mesh = tetrahedralize(s, with(vertices, false));
      require_sound(mesh);
      CHECK(std::abs(static_cast<double>(mesh.nodes.size()) / vertices - 1.0) <= 0.03);
      CHECK(dihedral_range(mesh).least >= 10.7);
      CHECK(dihedral_range(mesh).largest <= 164.8);
      CHECK(total_volume(mesh) == Approx(volume_of(s)).epsilon(0.01));
      CHECK(mesh.inside_fraction.empty());
      CHECK(mesh.surface.empty());
    }
  }
}

TEST_CASE("tetrahedralize takes the cell as given") {
  TetrahedralizeSettings settings;
  settings.cell = 0.2;
  const TetMesh mesh = tetrahedralize(cube_surface(1.0), settings);
  double longest = 0.0;
  for (const Tet& t : mesh.tets)
    for (int k = 1; k < 4; ++k) longest = std::max(longest, norm(mesh.nodes[t[k]] - mesh.nodes[t[0]]));
  CHECK(longest == Approx(0.2));
}

TEST_CASE("open surface: holes are bridged, and the note counts them", "[slow]") {
  const SurfaceMesh bowl = sphere_surface(1.0, 40, 80, -1.2);  // closed but for a cap of 21 degrees
  for (const bool embed : {true, false}) {
    std::vector<std::string> notes;
    const TetMesh mesh = tetrahedralize(bowl, with(2000, embed), &notes);
    require_sound(mesh);
    CHECK_THAT(all(notes), Contains("1 hole in the surface bridged"));
    CHECK(total_volume(mesh) == Approx(4.0 / 3.0 * kPi).epsilon(0.03));
  }
}

TEST_CASE("inside out and unused points are mended with a note") {
  SurfaceMesh s = cube_surface(1.0);
  const TetMesh right = tetrahedralize(s, with(500, true));
  for (Triangle& t : s.triangles) std::swap(t[1], t[2]);
  s.points.push_back({50.0, 0.0, 0.0});
  std::vector<std::string> notes;
  const TetMesh mesh = tetrahedralize(s, with(500, true), &notes);
  CHECK_THAT(all(notes), Contains("inside out"));
  CHECK_THAT(all(notes), Contains("1 point used by no triangle dropped"));
  CHECK(mesh.surface.weights.size() == 8);
  CHECK(mesh.nodes.size() == right.nodes.size());
}

TEST_CASE("repeated triangles are dropped and change nothing") {
  const SurfaceMesh cube = cube_surface(1.0);
  SurfaceMesh doubled = cube;
  doubled.triangles.push_back(cube.triangles[3]);
  const Triangle& t = cube.triangles[7];
  doubled.triangles.push_back({t[2], t[1], t[0]});
  TetrahedralizeSettings settings;
  settings.vertices = 300;
  std::vector<std::string> notes;
  CHECK(hash_of(tetrahedralize(doubled, settings, &notes)) == hash_of(tetrahedralize(cube, settings)));
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], Contains("2 triangles that repeated another one dropped"));
}

TEST_CASE("a hollow stays hollow", "[slow]") {
  SurfaceMesh inner = sphere_surface(0.5, 30, 60, -0.5 * kPi);
  for (Triangle& t : inner.triangles) std::swap(t[1], t[2]);
  const SurfaceMesh s = joined(sphere_surface(1.0, 30, 60, -0.5 * kPi), inner, {});
  for (const bool embed : {true, false}) {
    const TetMesh mesh = tetrahedralize(s, with(3000, embed));
    require_sound(mesh);
    CHECK(total_volume(mesh) == Approx(volume_of(s)).epsilon(0.01));
    double least = 1.0;
    for (const Vec3d& p : mesh.nodes) least = std::min(least, norm(p));
    CHECK(least > 0.15);
  }
}

TEST_CASE("a small separate part is dropped with a note and its points follow the nearest cell") {
  const SurfaceMesh s = joined(cube_surface(1.0), cube_surface(0.1), {3.0, 0.0, 0.0});
  std::vector<std::string> notes;
  const TetMesh mesh = tetrahedralize(s, with(1000, true), &notes);
  require_sound(mesh);
  CHECK_THAT(all(notes), Contains("1 separate part"));
  const std::vector<Vec3d> points = embedded_points(mesh, mesh.nodes);
  for (std::size_t p = 0; p < points.size(); ++p) CHECK(norm(points[p] - s.points[p]) < 1e-12);
}

TEST_CASE("overlapping parts count once", "[slow]") {
  const SurfaceMesh s = joined(cube_surface(1.0), cube_surface(1.0), {0.5, 0.0, 0.0});
  std::vector<std::string> notes;
  const TetMesh mesh = tetrahedralize(s, with(2000, true), &notes);
  CHECK(total_volume(mesh) == Approx(1.5).epsilon(0.02));
  CHECK_THAT(all(notes), Contains("overlaps itself"));
}

TEST_CASE("tetrahedralize gives the same bits for any number of threads", "[slow]") {
  const SurfaceMesh s = wavy_torus_surface(1.0, 0.3, 60, 20);
  for (const bool embed : {true, false}) {
    unsigned long long hash[2];
    for (int i = 0; i < 2; ++i) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, i == 0 ? 1 : 4);
      hash[i] = hash_of(tetrahedralize(s, with(1000, embed)));
    }
    CHECK(hash[0] == hash[1]);
  }
}

TEST_CASE("surfaces and settings that cannot be used are refused") {
  const SurfaceMesh cube = cube_surface(1.0);
  CHECK_THAT(message_of({}, {}), Contains("no triangles"));
  SurfaceMesh bad = cube;
  bad.triangles[3][1] = 8;
  CHECK_THAT(message_of(bad, {}), Contains("triangle 3") && Contains("point 8") && Contains("0 to 7"));
  bad.triangles[3][1] = -1;
  CHECK_THAT(message_of(bad, {}), Contains("point -1"));
  bad = cube;
  bad.points[5].y = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(message_of(bad, {}), Contains("point 5") && Contains("finite"));
  bad = cube;
  for (Vec3d& p : bad.points) p = {1, 2, 3};
  CHECK_THAT(message_of(bad, {}), Contains("one place"));
  bad = cube;
  for (Vec3d& p : bad.points) p *= 1e200;
  CHECK_THAT(message_of(bad, {}), Contains("range of numbers"));
  bad = cube;
  for (Triangle& t : bad.triangles) t = {1, 1, 2};
  CHECK_THAT(message_of(bad, {}), Contains("repeated corner"));
  CHECK_THAT(message_of(generate_mesh("cloth", {}).surface, {}), Contains("flat"));
  SurfaceMesh sheet = generate_mesh("cloth", {}).surface;
  for (Vec3d& p : sheet.points) p.z = 0.002 * std::sin(9.0 * p.x);
  CHECK_THAT(message_of(sheet, {}), Contains("encloses nothing"));
  CHECK_THAT(message_of(cube, with(10, true)), Contains("vertices is 10"));
  CHECK_THAT(message_of(cube, with(6000000, true)), Contains("5000000"));
  TetrahedralizeSettings settings;
  settings.cell = -1.0;
  CHECK_THAT(message_of(cube, settings), Contains("cell is -1"));
  settings.cell = 1e-6;
  CHECK_THROWS_AS(tetrahedralize(cube, settings), MemoryError);
  settings = {};
  settings.winding_threshold = 1.0;
  CHECK_THAT(message_of(cube, settings), Contains("winding_threshold"));
}
