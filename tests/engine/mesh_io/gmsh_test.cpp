// Gmsh: element kinds, numbering, sections.
#include <sinew/errors.hpp>

#include "tests/engine/mesh_io/sample_files.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {
MeshFile read(const std::string& content) {
  const TemporaryFolder folder;
  return read_mesh(folder.write("mesh.msh", content));
}
std::string v2(const std::string& nodes, const std::string& elements) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 "
         "\"body\"\n$EndPhysicalNames\n$Nodes\n" +
         nodes + "$EndNodes\n$Elements\n" + elements + "$EndElements\n";
}
}  // namespace

TEST_CASE("gmsh: sparse node numbers and element numbers are kept") {
  const MeshFile file =
      read(v2("4\n100 0 0 0\n7 1 0 0\n2000000000 0 1 0\n-3 0 0 1\n", "1\n42 4 0 100 7 2000000000 -3\n"));
  CHECK(file.mesh.tets == std::vector<Tet>{{0, 1, 2, 3}});
  CHECK(file.node_tag == std::vector<long>{100, 7, 2000000000, -3});
  CHECK(file.tet_tag == std::vector<long>{42});
}

TEST_CASE("gmsh: repeated element numbers are replaced by the position") {
  const MeshFile file =
      read(v2("5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n", "2\n44 4 0 1 2 3 4\n44 4 0 2 3 4 5\n"));
  CHECK(file.tet_tag == std::vector<long>{1, 2});
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0].find("44") != std::string::npos);
}

TEST_CASE("gmsh: boundary triangles are kept beside the tetrahedra, points and lines left out") {
  const MeshFile file = read(v2("4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n",
                                "4\n1 15 0 1\n2 1 0 1 2\n3 2 2 0 5 1 3 2\n4 4 0 1 2 3 4\n"));
  CHECK(file.surface.triangles == std::vector<Triangle>{{0, 2, 1}});
  CHECK(file.triangle_tag == std::vector<long>{3});
  CHECK(file.tet_tag == std::vector<long>{4});
}

TEST_CASE("gmsh: second-order tetrahedra are read by their corners, mid-side nodes fall away") {
  const std::string nodes =
      "10\n1 0 0 0\n5 .5 0 0\n2 1 0 0\n6 .5 .5 0\n3 0 1 0\n7 0 .5 0\n4 0 0 1\n8 0 0 .5\n9 0 .5 .5\n10 .5 0 "
      ".5\n";
  const MeshFile file = read(v2(nodes, "1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n"));
  CHECK(file.node_tag == std::vector<long>{1, 2, 3, 4});
  CHECK(file.mesh.tets == std::vector<Tet>{{0, 1, 2, 3}});
  CHECK(inspect_mesh(file).total_volume == Approx(1.0 / 6.0));
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0].find("6 mid-side nodes") != std::string::npos);
}

TEST_CASE("gmsh 4.1: several blocks, parametric nodes, unknown sections") {
  const MeshFile file = read(
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n$Nodes\n2 4 1 4\n2 1 1 "
      "3\n1\n2\n3\n"
      "0 0 0 .1 .2\n1 0 0 .3 .4\n0 1 0 .5 .6\n3 1 0 1\n4\n0 0 1\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 1 "
      "3 2\n"
      "3 1 4 1\n2 1 2 3 4\n$EndElements\n$Surface\n1\n1 3 2\n$EndSurface\n");
  CHECK(file.mesh.nodes[3] == Vec3d{0, 0, 1});
  CHECK(file.mesh.tets.size() == 1);
  CHECK(file.surface.triangles.size() == 1);
}

TEST_CASE("gmsh 4.0 text: node numbers stand with their coordinates") {
  const MeshFile file = read(
      "$MeshFormat\n4 0 8\n$EndMeshFormat\n$Nodes\n1 4\n1 3 0 4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 "
      "1\n$EndNodes\n"
      "$Elements\n1 1\n1 3 4 1\n1 1 2 3 4\n$EndElements\n");
  CHECK(file.mesh.nodes[2] == Vec3d{0, 1, 0});
  CHECK(inspect_mesh(file).total_volume == Approx(1.0 / 6.0));
}

TEST_CASE("gmsh: an element that names a missing node is kept and judged") {
  const MeshFile file =
      read(v2("4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "2\n8 4 0 1 2 3 4\n9 4 0 1 2 3 77\n"));
  const MeshReport report = inspect_mesh(file);
  REQUIRE(report.faults.size() == 1);
  CHECK(report.faults[0].kind == "out_of_range");
  CHECK(report.faults[0].numbers == std::vector<long>{9});
  CHECK(file.notes.back().find("node 77") != std::string::npos);
}
