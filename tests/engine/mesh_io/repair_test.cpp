// Mending leaves a sound mesh where that can be, and says what it did.
#include <algorithm>

#include "tests/engine/mesh_io/sample_files.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {
MeshFile cube() {
  MeshFile file;
  file.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  file.mesh.tets = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  return file;
}
MeshFile octahedron() {
  MeshFile file;
  file.surface.points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  file.surface.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return file;
}
}  // namespace

TEST_CASE("a sound mesh stays as it is") {
  MeshFile file = cube();
  CHECK(repair_mesh(file, RepairLevel::all).empty());
  CHECK(file.mesh.tets == cube().mesh.tets);
  MeshFile surface = octahedron();
  CHECK(repair_mesh(surface, RepairLevel::all).empty());
}

TEST_CASE("harmless repair turns elements and leaves out idle nodes, keeping the file's numbers") {
  MeshFile file = cube();
  file.mesh.nodes.insert(file.mesh.nodes.begin() + 2, Vec3d{7, 7, 7});
  for (Tet& tet : file.mesh.tets)
    for (Index& node : tet) node += node >= 2 ? 1 : 0;
  std::swap(file.mesh.tets[2][0], file.mesh.tets[2][3]);
  const std::vector<std::string> done = repair_mesh(file, RepairLevel::harmless);
  REQUIRE(done.size() == 2);
  CHECK(done[0].find("turned 1 left-handed element") != std::string::npos);
  CHECK(done[1].find("left out 1 node") != std::string::npos);
  CHECK(file.node_tag == std::vector<long>{0, 1, 3, 4, 5, 6, 7, 8});
  CHECK(inspect_mesh(file).sound());
  CHECK(file.mesh.nodes == cube().mesh.nodes);
}

TEST_CASE("harmless repair keeps embedded points where they are") {
  MeshFile file = cube();
  std::swap(file.mesh.tets[0][0], file.mesh.tets[0][1]);
  file.mesh.surface.triangles = {{0, 1, 2}};
  file.mesh.surface.tet = {0, 0, 1};
  file.mesh.surface.weights = {{0.1, 0.2, 0.3, 0.4}, {0.4, 0.3, 0.2, 0.1}, {0.7, 0.1, 0.1, 0.1}};
  const std::vector<Vec3d> before = embedded_points(file.mesh, file.mesh.nodes);
  repair_mesh(file, RepairLevel::harmless);
  const std::vector<Vec3d> after = embedded_points(file.mesh, file.mesh.nodes);
  for (std::size_t p = 0; p < 3; ++p) CHECK(norm(after[p] - before[p]) < 1e-15);
  CHECK(inspect_mesh(file).sound());
}

TEST_CASE("full repair removes bad elements and welds a torn mesh") {
  MeshFile file = cube();
  for (int i = 0; i < 8; ++i) file.mesh.nodes.push_back(file.mesh.nodes[static_cast<std::size_t>(i)]);
  for (std::size_t t = 3; t < 6; ++t)
    for (Index& node : file.mesh.tets[t]) node += 8;
  file.mesh.tets.insert(file.mesh.tets.begin(), {{0, 1, 2, 3}, {0, 0, 1, 2}, {0, 1, 2, 500}, {6, 0, 1, 2}});
  file.mesh.inside_fraction.assign(10, 0.25);
  const std::vector<std::string> done = repair_mesh(file, RepairLevel::all);
  const auto says = [&](const char* part) {
    return std::any_of(done.begin(), done.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
  };
  CHECK(says("merged 4 nodes"));
  CHECK(says("left out 4 nodes without element"));  // not the merged ones once more
  CHECK(says("named nodes which do not exist"));
  CHECK(says("named a node twice"));
  CHECK(says("removed 1 element without extent"));
  CHECK(says("repeated another one"));
  const MeshReport report = inspect_mesh(file);
  CHECK(report.sound());
  CHECK(report.components == 1);
  CHECK(report.elements == 6);
  CHECK(report.total_volume == Approx(0.25));
  CHECK(file.mesh.inside_fraction.size() == 6);
  CHECK(file.tet_tag.size() == 6);
}

TEST_CASE("a folded element is left alone and still reported") {
  MeshFile file;
  file.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0.5}};
  file.mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  CHECK(repair_mesh(file, RepairLevel::all).empty());
  CHECK_FALSE(inspect_mesh(file).simulable());
}

TEST_CASE("an embedded surface goes where its element goes") {
  MeshFile file = cube();
  file.mesh.tets.push_back({0, 1, 2, 3});
  file.mesh.surface.triangles = {{0, 0, 0}};
  file.mesh.surface.tet = {6};
  file.mesh.surface.weights = {{1, 0, 0, 0}};
  const std::vector<std::string> done = repair_mesh(file, RepairLevel::all);
  CHECK(file.mesh.surface.empty());
  CHECK(std::any_of(done.begin(), done.end(), [](const std::string& line) {
    return line.find("embedded surface") != std::string::npos;
  }));
}

TEST_CASE("surfaces: turned triangles, inward parts and small holes") {
  MeshFile file = octahedron();
  for (Triangle& t : file.surface.triangles) std::swap(t[0], t[1]);
  std::swap(file.surface.triangles[2][0], file.surface.triangles[2][1]);
  file.surface.triangles.erase(file.surface.triangles.begin() + 6, file.surface.triangles.end());
  REQUIRE(repair_mesh(file, RepairLevel::all).size() >= 2);
  const MeshReport report = inspect_mesh(file);
  CHECK(report.sound());
  CHECK(report.closed);
  // Two neighbouring triangles are gone: the hole has four corners and is closed over its centre.
  CHECK(report.total_volume > 0.9);
  CHECK(file.surface.points.size() == 7);
}

TEST_CASE("surfaces: holes stay open where that is asked for") {
  MeshFile file = octahedron();
  for (Triangle& t : file.surface.triangles) std::swap(t[0], t[1]);
  std::swap(file.surface.triangles[2][0], file.surface.triangles[2][1]);
  file.surface.triangles.erase(file.surface.triangles.begin() + 6, file.surface.triangles.end());
  REQUIRE(repair_mesh(file, RepairLevel::all_but_holes).size() >= 2);
  CHECK(file.surface.triangles.size() == 6);
  CHECK(file.surface.points.size() == 6);
  const MeshReport report = inspect_mesh(file);
  CHECK(report.holes == 1);
  CHECK(report.total_volume > 0.0);  // outwards
  CHECK(report.simulable());
}

TEST_CASE("surfaces: doubled points are welded") {
  MeshFile file;  // a cube face by face, as exporters with sharp normals write it
  MeshFile source = octahedron();
  for (const Triangle& t : source.surface.triangles) {
    Triangle own;
    for (std::size_t k = 0; k < 3; ++k) {
      own[k] = static_cast<Index>(file.surface.points.size());
      file.surface.points.push_back(source.surface.points[static_cast<std::size_t>(t[k])]);
    }
    file.surface.triangles.push_back(own);
  }
  CHECK(inspect_mesh(file).components == 8);
  repair_mesh(file, RepairLevel::all);
  CHECK(file.surface.points.size() == 6);
  CHECK(inspect_mesh(file).sound());
  CHECK(inspect_mesh(file).closed);
}

TEST_CASE("the repair command can be pasted") {
  CHECK(repair_command("a/b.msh") == "sinew mesh repair a/b.msh a/b_repaired.msh");
  CHECK(repair_command("x.vtk") == "sinew mesh repair x.vtk x_repaired.vtu");
  CHECK(repair_command("my mesh.obj") == "sinew mesh repair 'my mesh.obj' 'my mesh_repaired.obj'");
  CHECK(repair_command("it's.off") == "sinew mesh repair 'it'\\''s.off' 'it'\\''s_repaired.ply'");
}
