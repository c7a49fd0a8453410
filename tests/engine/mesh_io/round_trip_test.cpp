// What is written reads back the same, to the last bit where the format allows.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <sinew/errors.hpp>

#include "tests/engine/mesh_io/sample_files.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {
TetMesh awkward_mesh() {
  TetMesh mesh;
  mesh.nodes = {{0.1, 1.0 / 3.0, -2e-308}, {1e300, 0, 0}, {0, 6.02214076e23, 0}, {5e-324, 0, 1}, {1, 1, 1}};
  mesh.tets = two_tets();
  return mesh;
}
}  // namespace

TEST_CASE("tetrahedra survive .vtu, .msh and .mesh bit for bit") {
  const TemporaryFolder folder;
  const TetMesh mesh = awkward_mesh();
  for (const char* name : {"a.vtu", "a.msh", "a.mesh"}) {
    INFO(name);
    write_mesh(folder.path(name), mesh);
    const MeshFile file = read_mesh(folder.path(name));
    CHECK(file.mesh.nodes == mesh.nodes);
    CHECK(file.mesh.tets == mesh.tets);
  }
}

TEST_CASE("surfaces survive all formats but STL bit for bit") {
  const TemporaryFolder folder;
  const SurfaceMesh mesh{awkward_mesh().nodes, {{0, 1, 2}, {4, 2, 1}, {3, 4, 0}}};
  for (const char* name : {"a.vtu", "a.msh", "a.mesh", "a.ply", "a.obj"}) {
    INFO(name);
    write_mesh(folder.path(name), mesh);
    const MeshFile file = read_mesh(folder.path(name));
    CHECK_FALSE(file.is_volume());
    CHECK(file.surface.points == mesh.points);
    CHECK(file.surface.triangles == mesh.triangles);
  }
}

TEST_CASE("STL keeps single precision") {
  const TemporaryFolder folder;
  const SurfaceMesh mesh{{{0.1, 0, 0}, {1, 0.3, 0}, {0, 1, 0.7}}, {{0, 1, 2}}};
  write_mesh(folder.path("a.stl"), mesh);
  const MeshFile file = read_mesh(folder.path("a.stl"));
  REQUIRE(file.surface.points.size() == 3);
  CHECK(file.surface.points[0].x == double(0.1f));
  CHECK(file.surface.triangles == mesh.triangles);
  CHECK_THROWS_AS(
      write_mesh(folder.path("b.stl"), SurfaceMesh{{{1e300, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}),
      MeshError);
  CHECK_FALSE(std::filesystem::exists(folder.path("b.stl")));
}

TEST_CASE("tetrahedra go to surface formats as their boundary, with used points only") {
  const TemporaryFolder folder;
  TetMesh mesh;
  mesh.nodes = two_tet_nodes();
  mesh.nodes.insert(mesh.nodes.begin(), Vec3d{9, 9, 9});
  mesh.tets = two_tets();
  for (Tet& tet : mesh.tets)
    for (Index& node : tet) ++node;
  for (const char* name : {"a.ply", "a.obj", "a.stl"}) {
    INFO(name);
    write_mesh(folder.path(name), mesh);
    const MeshFile file = read_mesh(folder.path(name));
    CHECK(file.surface.points.size() == 5);
    CHECK(file.surface.triangles.size() == 6);
    CHECK(enclosed_volume(file.surface.points, file.surface.triangles) == Approx(0.5));
  }
}

TEST_CASE("an unknown extension names the known ones; a failed write leaves no file") {
  const TemporaryFolder folder;
  try {
    write_mesh(folder.path("a.vtk"), awkward_mesh());
    FAIL("no error");
  } catch (const MeshError& error) {
    const std::string message = error.what();
    for (const char* extension : {".vtk", ".vtu", ".msh", ".mesh", ".ply", ".obj", ".stl"})
      CHECK(message.find(extension) != std::string::npos);
  }
  CHECK_THROWS_AS(write_mesh(folder.path("none/a.vtu"), awkward_mesh()), IoError);
  CHECK(std::filesystem::is_empty(folder.path("")));
}

TEST_CASE("a file on disk ends as the writers say") {
  const TemporaryFolder folder;
  write_mesh(folder.path("a.msh"), awkward_mesh());
  std::ifstream in(folder.path("a.msh"), std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  CHECK(text.rfind("$MeshFormat\n4.1 0 8\n", 0) == 0);
  CHECK(text.find("3 1 4 2\n1 1 2 3 4\n2 2 3 4 5\n$EndElements\n") != std::string::npos);
}
