#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <tbb/global_control.h>
#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>

#include "tests/engine/meshing/mesh_checks.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using Catch::Matchers::Contains;

namespace {

constexpr double kPi = std::numbers::pi;

void require_message(const std::string& shape, const std::map<std::string, double>& parameters,
                     const std::vector<std::string>& parts) {
  try {
    generate_mesh(shape, parameters);
    FAIL("no error");
  } catch (const Error& error) {
    for (const std::string& part : parts) CHECK_THAT(error.what(), Contains(part));
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
  }
}

}  // namespace

TEST_CASE("every solid is sound at two sizes, with the wanted number of vertices and good angles", "[slow]") {
  for (const GeneratorInfo& info : mesh_generators()) {
    if (info.surface_only) continue;
    for (double vertices : {1500.0, 4000.0}) {
      if (info.name == "hollow_ball") vertices *= 4.0;  // its wall takes more
      if (info.name == "raptor") vertices *= 2.0;       // its thin legs and tail do
      INFO(info.name << " " << vertices);
      const TetMesh mesh = generate_mesh(info.name, {{"vertices", vertices}}).mesh;
      require_sound(mesh);
      CHECK(std::abs(mesh.nodes.size() / vertices - 1.0) <= 0.03);
      const DihedralRange range = dihedral_range(mesh);
      CHECK(range.least >= 10.7);
      CHECK(range.largest <= 164.8);
      CHECK(mesh.inside_fraction.empty());
      CHECK(mesh.surface.empty());
    }
  }
}

TEST_CASE("default meshes meet their default vertices and the bounds of the parameters", "[slow]") {
  for (const GeneratorInfo& info : mesh_generators()) {
    INFO(info.name);
    double wanted = 0.0;
    for (const GeneratorParameter& p : info.parameters) {
      CHECK(p.default_value >= p.min_value);
      CHECK(p.default_value <= p.max_value);
      CHECK_FALSE(p.what.empty());
      if (p.name == "vertices") wanted = p.default_value;
    }
    const GeneratedMesh made = generate_mesh(info.name, {});
    const std::size_t count = info.surface_only ? made.surface.points.size() : made.mesh.nodes.size();
    CHECK(std::abs(count / wanted - 1.0) <= 0.03);
    CHECK(made.cable_path.empty() == (info.name != "gripper_finger"));
  }
}

TEST_CASE("volumes of round shapes are within 1 % of the closed form") {
  CHECK(total_volume(generate_mesh("ball", {{"radius", 0.4}}).mesh) ==
        Approx(4.0 / 3.0 * kPi * std::pow(0.4, 3)).epsilon(0.01));
  CHECK(total_volume(generate_mesh("hollow_ball", {{"radius", 0.3}, {"wall", 0.1}}).mesh) ==
        Approx(4.0 / 3.0 * kPi * (std::pow(0.3, 3) - std::pow(0.2, 3))).epsilon(0.01));
  CHECK(total_volume(generate_mesh("torus", {{"radius", 0.3}, {"tube_radius", 0.1}}).mesh) ==
        Approx(2.0 * kPi * kPi * 0.3 * 0.01).epsilon(0.01));
  CHECK(total_volume(generate_mesh("cylinder", {{"radius", 0.1}, {"height", 0.3}}).mesh) ==
        Approx(kPi * 0.01 * 0.3).epsilon(0.01));
  CHECK(total_volume(generate_mesh("capsule", {{"radius", 0.1}, {"length", 0.3}}).mesh) ==
        Approx(kPi * 0.01 * 0.3 + 4.0 / 3.0 * kPi * 0.001).epsilon(0.01));
}

TEST_CASE("the least number of vertices that a hollow ball is refused with gives a whole wall") {
  for (const double wall : {0.05, 0.08}) {
    double least = 0.0;
    try {
      generate_mesh("hollow_ball", {{"vertices", 600}, {"wall", wall}});
      FAIL("no error");
    } catch (const MeshError& error) {
      const std::string text = error.what();
      least = std::stod(text.substr(text.find("use ") + 4));
    }
    const TetMesh mesh = generate_mesh("hollow_ball", {{"vertices", least}, {"wall", wall}}).mesh;
    // Two spheres have Euler characteristic 4; every hole through the wall takes 2 away.
    const std::vector<Triangle> boundary = boundary_triangles(mesh);
    std::set<Index> nodes;
    for (const Triangle& t : boundary) nodes.insert(t.begin(), t.end());
    CHECK(static_cast<long>(nodes.size()) - static_cast<long>(boundary.size()) / 2 == 4);
  }
}

TEST_CASE("ball nodes on the boundary lie on the sphere") {
  const TetMesh mesh = generate_mesh("ball", {{"radius", 0.25}, {"cell", 0.04}}).mesh;
  for (const Triangle& f : boundary_triangles(mesh))
    for (const Index node : f) REQUIRE(norm(mesh.nodes[node]) == Approx(0.25).epsilon(1e-7));
}

TEST_CASE("bar has exact volume, exact counts and Kuhn angles") {
  const TetMesh mesh =
      generate_mesh("bar", {{"size_x", 2.0}, {"size_y", 0.5}, {"size_z", 0.25}, {"cell", 0.125}}).mesh;
  require_sound(mesh);
  CHECK(mesh.nodes.size() == 17 * 5 * 3);
  CHECK(mesh.tets.size() == 16 * 4 * 2 * 6);
  CHECK(total_volume(mesh) == Approx(0.25).epsilon(1e-13));
  CHECK(dihedral_range(mesh).least == Approx(45.0));
  CHECK(dihedral_range(mesh).largest == Approx(90.0));
  Vec3d low = mesh.nodes[0], high = low;
  for (const Vec3d& p : mesh.nodes) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  CHECK(low == Vec3d{-1.0, -0.25, -0.125});
  CHECK(high == Vec3d{1.0, 0.25, 0.125});
}

TEST_CASE("cells of a bar are mirror images, or all alike") {
  const auto edges = [](double mirrored) {  // distinct directions of edges, up to their sign
    const TetMesh mesh =
        generate_mesh("bar",
                      {{"size_x", 4}, {"size_y", 3}, {"size_z", 2}, {"cell", 1}, {"mirrored", mirrored}})
            .mesh;
    require_sound(mesh);
    CHECK(total_volume(mesh) == Approx(24.0).epsilon(1e-13));
    std::set<std::array<int, 3>> found;
    for (const Tet& t : mesh.tets)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j) {
          Vec3d e = mesh.nodes[t[i]] - mesh.nodes[t[j]];
          if (e.x < 0 || (e.x == 0 && (e.y < 0 || (e.y == 0 && e.z < 0)))) e = -e;
          found.insert({static_cast<int>(e.x), static_cast<int>(e.y), static_cast<int>(e.z)});
        }
    return found.size();
  };
  CHECK(edges(0) == 7);   // 3 sides, 3 diagonals of faces, 1 of the cell
  CHECK(edges(1) == 13);  // 3, both of each face, all 4
}

TEST_CASE("block takes the numbers of cells along each axis") {
  const TetMesh mesh = generate_mesh("block", {{"cells_x", 3}, {"cells_y", 4}, {"cells_z", 5}}).mesh;
  CHECK(mesh.nodes.size() == 4 * 5 * 6);
  require_sound(mesh);
  require_message("block", {{"cells_x", 3}}, {"block", "every axis"});
}

TEST_CASE("bars and cloth meet many targets within 3 %") {
  for (const double target : {100.0, 333.0, 1000.0, 5400.0, 21000.0, 98000.0}) {
    INFO(target);
    CHECK(std::abs(generate_mesh("bar", {{"vertices", target}}).mesh.nodes.size() / target - 1.0) <= 0.03);
    CHECK(std::abs(generate_mesh("block", {{"vertices", target}}).mesh.nodes.size() / target - 1.0) <= 0.03);
    CHECK(std::abs(generate_mesh("cloth", {{"vertices", target}}).surface.points.size() / target - 1.0) <=
          0.03);
  }
}

TEST_CASE("cloth is a flat sheet with alternating diagonals and normals up") {
  const GeneratedMesh made = generate_mesh("cloth", {{"size_x", 2.0}, {"cells_x", 4}, {"cells_y", 2}});
  CHECK(made.mesh.tets.empty());
  REQUIRE(made.surface.points.size() == 15);
  REQUIRE(made.surface.triangles.size() == 16);
  double area = 0.0;
  for (const Triangle& t : made.surface.triangles) {
    const auto& p = made.surface.points;
    const Vec3d n = cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
    CHECK(n.z > 0.0);
    area += 0.5 * n.z;
  }
  CHECK(area == Approx(2.0));
  // Diagonals of neighbouring cells meet: the middle of the first inner row is the end of four of them or of
  // none.
  std::vector<int> valence(15, 0);
  for (const Triangle& t : made.surface.triangles)
    for (const Index p : t) ++valence[p];
  CHECK(valence[6] == 8);
  CHECK(valence[7] == 4);
}

TEST_CASE("cable of the finger runs from base to tip inside the material") {
  const GeneratedMesh made = generate_mesh("gripper_finger", {{"length", 0.12}});
  REQUIRE(made.cable_path.size() >= 4);
  CHECK(made.cable_path.front().x == Approx(0.0).margin(1e-12));
  CHECK(made.cable_path.back().x > 0.09);
  const auto boundary = boundary_triangles(made.mesh);
  for (std::size_t i = 0; i < made.cable_path.size(); ++i) {
    const Vec3d& p = made.cable_path[i];
    CHECK(p.y == 0.0);
    if (i > 0) CHECK(p.x > made.cable_path[i - 1].x);
    bool inside = i == 0;  // the first point lies on the base
    for (const Tet& t : made.mesh.tets) {
      const auto& x = made.mesh.nodes;
      inside = inside || (tet_volume(p, x[t[1]], x[t[2]], x[t[3]]) >= 0.0 &&
                          tet_volume(x[t[0]], p, x[t[2]], x[t[3]]) >= 0.0 &&
                          tet_volume(x[t[0]], x[t[1]], p, x[t[3]]) >= 0.0 &&
                          tet_volume(x[t[0]], x[t[1]], x[t[2]], p) >= 0.0);
    }
    CHECK(inside);
  }
}

TEST_CASE("generated meshes do not depend on the number of threads and scale with their size") {
  unsigned long long hash[2];
  for (int i = 0; i < 2; ++i) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, i == 0 ? 1 : 4);
    hash[i] = hash_of(generate_mesh("creature", {{"vertices", 2000}}).mesh);
  }
  CHECK(hash[0] == hash[1]);
  const TetMesh small = generate_mesh("newt", {{"length", 0.25}, {"vertices", 2000}}).mesh;
  const TetMesh large = generate_mesh("newt", {{"length", 0.5}, {"vertices", 2000}}).mesh;
  REQUIRE(small.nodes.size() == large.nodes.size());
  CHECK(total_volume(large) == Approx(8.0 * total_volume(small)).epsilon(1e-6));
}

TEST_CASE("bad shapes and parameters are refused with one line that says how to mend them") {
  require_message("baal", {}, {"baal", "did you mean 'ball'"});
  require_message("", {}, {"known are", "gingerbread"});
  require_message("ball", {{"radis", 1.0}}, {"ball", "'radis'", "radius"});
  require_message("ball", {{"radius", -1.0}}, {"radius is -1", "between 0.0001 and 1000 m"});
  require_message("ball", {{"radius", NAN}}, {"radius"});
  require_message("ball", {{"vertices", 10}}, {"vertices is 10", "between 200 and 5e+06"});
  require_message("ball", {{"vertices", 6e6}}, {"vertices is 6e+06", "5e+06"});
  require_message("ball", {{"vertices", 1000.5}}, {"whole number"});
  require_message("ball", {{"cell", 1e-5}}, {"ball", "larger cell"});
  require_message("ball", {{"cell", 10.0}}, {"smaller cell"});
  require_message("bar", {{"cell", 1e-5}}, {"bar", "at most 5e+06"});
  require_message("bar", {{"cells_x", 1e5}, {"cells_y", 1e5}, {"cells_z", 1e5}}, {"at most 5e+06"});
  require_message("hollow_ball", {{"wall", 0.3}}, {"wall", "0.95"});
  require_message("hollow_ball", {{"vertices", 1200}}, {"holes through a wall of 0.05 m", "thicker wall"});
  require_message("hollow_ball", {{"cell", 0.031}}, {"holes through a wall", "at most 0.03 m"});
  require_message("hollow_ball", {{"wall", 1e-4}}, {"holes through a wall", "use a thicker wall"});
  require_message("torus", {{"tube_radius", 0.3}}, {"tube_radius", "0.9"});
  require_message("gingerbread", {{"thickness", 0.3}}, {"thickness"});
  require_message("gripper_finger", {{"height", 0.09}}, {"height"});
  CHECK_THROWS_AS(generate_mesh("bar", {{"cell", 1e-5}}), MemoryError);
  CHECK_THROWS_AS(generate_mesh("newt", {{"cell", 1e-4}}), MemoryError);
}
