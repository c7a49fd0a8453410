// Figures of known shapes and each kind of fault by number.
#include <algorithm>
#include <limits>

#include "tests/engine/mesh_io/sample_files.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

// Unit cube as six tetrahedra around the diagonal 0-6 (Kuhn).
MeshFile cube() {
  MeshFile file;
  file.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  file.mesh.tets = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  return file;
}

MeshFile surface(std::vector<Vec3d> points, std::vector<Triangle> triangles) {
  MeshFile file;
  file.surface = {std::move(points), std::move(triangles)};
  return file;
}

// Octahedron, outward.
MeshFile octahedron() {
  return surface({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                 {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
}

const MeshFault* find(const MeshReport& report, const std::string& kind) {
  for (const MeshFault& fault : report.faults)
    if (fault.kind == kind) return &fault;
  return nullptr;
}

std::vector<long> numbers(const MeshReport& report, const std::string& kind) {
  const MeshFault* fault = find(report, kind);
  return fault ? fault->numbers : std::vector<long>{};
}

}  // namespace

TEST_CASE("unit cube: volume, box, angles, boundary") {
  const MeshReport report = inspect_mesh(cube());
  CHECK(report.volume);
  CHECK(report.sound());
  CHECK(report.closed);
  CHECK(report.nodes == 8);
  CHECK(report.elements == 6);
  CHECK(report.triangles == 12);
  CHECK(report.components == 1);
  CHECK(report.total_volume == Approx(1.0).epsilon(1e-14));
  CHECK(report.box_max == Vec3d{1, 1, 1});
  CHECK(report.min_dihedral_deg == Approx(45.0));
  CHECK(report.max_dihedral_deg == Approx(90.0));
  CHECK(report.unit_guess.empty());
  CHECK(to_text(report).rfind("verdict         sound tetrahedral mesh\n", 0) == 0);
}

TEST_CASE("the regular tetrahedron has quality 1 and angles of acos(1/3)") {
  MeshFile file;
  file.mesh.nodes = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  file.mesh.tets = {{0, 1, 2, 3}};
  const MeshReport report = inspect_mesh(file);
  CHECK(report.min_dihedral_deg == Approx(70.528779));
  CHECK(report.max_dihedral_deg == Approx(70.528779));
  CHECK(report.quality_histogram[9] == 1);
  CHECK(report.total_volume == Approx(8.0 / 3.0));
}

TEST_CASE("units: five or more asks, above fifty looks like millimetres") {
  MeshFile file = cube();
  for (Vec3d& p : file.mesh.nodes) p *= 4.999;
  CHECK(inspect_mesh(file).unit_guess.empty());
  for (Vec3d& p : file.mesh.nodes) p *= 1.001;
  CHECK(inspect_mesh(file).unit_guess.find("0.001") != std::string::npos);
  CHECK(inspect_mesh(file).unit_guess.find("centimetres (0.01)") != std::string::npos);
  for (Vec3d& p : file.mesh.nodes) p *= 10.0;
  CHECK(inspect_mesh(file).unit_guess.find("looks like millimetres") != std::string::npos);
}

TEST_CASE("a left-handed mesh is a harmless convention of the whole mesh") {
  MeshFile file = cube();
  for (Tet& tet : file.mesh.tets) std::swap(tet[0], tet[1]);
  const MeshReport report = inspect_mesh(file);
  REQUIRE(report.faults.size() == 1);
  CHECK(report.faults[0].kind == "inverted");
  CHECK(report.faults[0].severity == MeshFault::Severity::harmless);
  CHECK(report.faults[0].what.find("whole mesh") != std::string::npos);
  CHECK(report.simulable());
  CHECK_FALSE(report.sound());
  CHECK(report.total_volume == Approx(1.0));
}

TEST_CASE("one left-handed element is named by the file's number") {
  MeshFile file = cube();
  std::swap(file.mesh.tets[3][0], file.mesh.tets[3][1]);
  file.tet_tag = {10, 20, 30, 40, 50, 60};
  const MeshReport report = inspect_mesh(file);
  CHECK(numbers(report, "inverted") == std::vector<long>{40});
  CHECK(report.simulable());
  CHECK(find(report, "inverted")->what.find("whole mesh") == std::string::npos);
}

TEST_CASE("an element folded over its neighbour is an error that no swap mends") {
  MeshFile file;
  file.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0.5}};
  file.mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};  // both apexes above the common face; the second is negative
  const MeshReport report = inspect_mesh(file);
  CHECK(numbers(report, "overlapping") == std::vector<long>{1});
  CHECK(find(report, "inverted") == nullptr);
  CHECK_FALSE(report.simulable());
  CHECK(find(report, "overlapping")->severity == MeshFault::Severity::error);
}

TEST_CASE("elements without volume, repeated, out of range, of non-finite nodes") {
  MeshFile file = cube();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  file.mesh.nodes.push_back({nan, 0, 0});
  file.mesh.tets.push_back({0, 1, 2, 3});   // 6: flat
  file.mesh.tets.push_back({6, 2, 0, 1});   // 7: again element 0
  file.mesh.tets.push_back({0, 1, 1, 6});   // 8: node 1 twice
  file.mesh.tets.push_back({0, 1, 2, 99});  // 9
  file.mesh.tets.push_back({0, 1, 2, -1});  // 10
  file.mesh.tets.push_back({0, 1, 2, 8});   // 11
  const MeshReport report = inspect_mesh(file);
  CHECK(numbers(report, "degenerate") == std::vector<long>{6});
  CHECK(numbers(report, "duplicate") == std::vector<long>{7});
  CHECK(numbers(report, "repeated_node") == std::vector<long>{8});
  CHECK(numbers(report, "out_of_range") == std::vector<long>{9, 10});
  CHECK(numbers(report, "not_finite") == std::vector<long>{8});  // the node
  CHECK(find(report, "overlapping") == nullptr);
  CHECK(report.total_volume == Approx(1.0));
}

TEST_CASE("three elements at one face do not conform") {
  MeshFile file;
  file.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.1, 0.1, -2}};
  file.mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 2, 1, 5}};
  CHECK(numbers(inspect_mesh(file), "non_conforming_face") == std::vector<long>{0, 1, 2});
}

TEST_CASE("idle and coincident nodes, pinched edges, parts") {
  MeshFile file = cube();
  file.mesh.nodes.push_back({5, 5, 5});
  file.node_tag = {1, 2, 3, 4, 5, 6, 7, 8, 77};
  CHECK(numbers(inspect_mesh(file), "unreferenced_node") == std::vector<long>{77});

  MeshFile torn = cube();  // the second half has nodes of its own
  for (int i = 0; i < 8; ++i) torn.mesh.nodes.push_back(torn.mesh.nodes[static_cast<std::size_t>(i)]);
  for (std::size_t t = 3; t < 6; ++t)
    for (Index& node : torn.mesh.tets[t]) node += 8;
  const MeshReport report = inspect_mesh(torn);
  // Nodes 0, 7 and so on of the second half; those that only one half uses are idle, not coincident.
  CHECK(numbers(report, "coincident_nodes") == std::vector<long>{8, 9, 14, 15});
  CHECK(report.components == 2);
  CHECK_FALSE(report.simulable());

  MeshFile hinge;
  hinge.mesh.nodes = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}};
  hinge.mesh.tets = {{0, 2, 3, 1}, {0, 4, 5, 1}};
  const MeshReport pinched = inspect_mesh(hinge);
  CHECK(numbers(pinched, "non_manifold_edge") == std::vector<long>{0});
  CHECK(pinched.sound());  // no repair can open it, and nothing suffers from it
}

TEST_CASE("a closed surface is sound, a missing triangle is a hole, a sheet is not") {
  MeshFile file = octahedron();
  MeshReport report = inspect_mesh(file);
  CHECK(report.sound());
  CHECK(report.closed);
  CHECK(report.total_volume == Approx(4.0 / 3.0));

  file.surface.triangles.pop_back();
  report = inspect_mesh(file);
  CHECK(report.holes == 1);
  CHECK(numbers(report, "hole") == std::vector<long>{0});
  CHECK_FALSE(report.closed);
  CHECK_FALSE(report.sound());
  CHECK(report.simulable());

  report = inspect_mesh(surface({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}));
  CHECK(report.holes == 0);
  CHECK(report.sound());
  CHECK(find(report, "open_border") != nullptr);
}

TEST_CASE("turned triangles, inward surfaces, cavities, Moebius strips") {
  MeshFile file = octahedron();
  std::swap(file.surface.triangles[5][0], file.surface.triangles[5][1]);
  CHECK(numbers(inspect_mesh(file), "flipped_triangle") == std::vector<long>{5});

  MeshFile inward = octahedron();
  for (Triangle& t : inward.surface.triangles) std::swap(t[0], t[1]);
  const MeshReport report = inspect_mesh(inward);
  CHECK(find(report, "flipped_triangle") == nullptr);
  CHECK(numbers(report, "inside_out") == std::vector<long>{0});
  CHECK(report.total_volume == Approx(-4.0 / 3.0));

  MeshFile hollow = octahedron();
  for (const Vec3d& p : inward.surface.points) hollow.surface.points.push_back(0.5 * p);
  for (Triangle t : inward.surface.triangles) {
    for (Index& node : t) node += 6;
    hollow.surface.triangles.push_back(t);
  }
  const MeshReport shell = inspect_mesh(hollow);
  CHECK(find(shell, "inside_out") == nullptr);
  CHECK(shell.total_volume == Approx(4.0 / 3.0 * (1 - 0.125)));
  CHECK(shell.components == 2);

  std::vector<Vec3d> points;
  std::vector<Triangle> strip;
  for (Index i = 0; i < 5; ++i) points.push_back({double(i), double(i * i % 3), double(i * 7 % 4)});
  for (Index i = 0; i < 5; ++i) strip.push_back({i, (i + 1) % 5, (i + 2) % 5});
  CHECK(find(inspect_mesh(surface(points, strip)), "not_orientable") != nullptr);
}

TEST_CASE("non-manifold edges and bad triangles of a surface") {
  MeshFile file = surface({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {2, 0, 0}},
                          {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {0, 1, 5}, {2, 0, 1}, {0, 0, 1}});
  file.node_tag = {1, 2, 3, 4, 5, 6};
  const MeshReport report = inspect_mesh(file);
  CHECK(numbers(report, "non_manifold_edge") == std::vector<long>{1});
  CHECK(numbers(report, "degenerate") == std::vector<long>{3});
  CHECK(numbers(report, "duplicate") == std::vector<long>{4});
  CHECK(numbers(report, "repeated_node") == std::vector<long>{5});
}

TEST_CASE("the text lists a limited number of elements and says how many more") {
  MeshFile file = cube();
  for (Tet& tet : file.mesh.tets) std::swap(tet[0], tet[1]);
  const std::string text = to_text(inspect_mesh(file), 4);
  CHECK(text.find("0, 1, 2, 3 and 2 more") != std::string::npos);
  CHECK(text.find("usable tetrahedral mesh, 1 kind of harmless fault") != std::string::npos);
}
