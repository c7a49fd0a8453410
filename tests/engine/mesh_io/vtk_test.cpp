// VTK, legacy and XML: cell kinds, polydata, pieces, what a .vtu carries beside the mesh.
#include <sinew/errors.hpp>

#include "tests/engine/mesh_io/sample_files.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {
MeshFile read(const std::string& content) {
  const TemporaryFolder folder;
  return read_mesh(folder.write("mesh.vtk", content));
}
}  // namespace

TEST_CASE("vtk: polydata with polygons and strips") {
  const MeshFile file = read(
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 1 1 0 0 1 0\n"
      "POLYGONS 1 5\n4 0 1 2 3\nTRIANGLE_STRIPS 1 5\n4 0 1 3 2\nLINES 1 3\n2 0 1\n");
  CHECK(file.surface.triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {3, 1, 2}});
}

TEST_CASE("vtk: a voxel has its corners in rows") {
  const MeshFile file = read(
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 int\n0 0 0 1 0 0 0 1 0 1 1 "
      "0 0 0 1 "
      "1 0 1 0 1 1 1 1 1\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n");
  const MeshReport report = inspect_mesh(file);
  CHECK(report.total_volume == Approx(1.0));
  CHECK(report.sound());
}

TEST_CASE("vtk: text in the 5.1 layout") {
  const MeshFile file = read(
      "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1 0 0 0 1 0 0 "
      "0 1 1 1 1\n"
      "CELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 2 3 4\nCELL_TYPES "
      "2\n10\n10\n");
  CHECK(file.mesh.tets == two_tets());
}

TEST_CASE("vtu: indices of a second piece count from its own points") {
  const std::string piece =
      "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" "
      "NumberOfComponents=\"3\" "
      "format=\"ascii\">@ 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray type=\"Int32\" "
      "Name=\"connectivity\" "
      "format=\"ascii\">0 1 2 3</DataArray><DataArray type=\"Int32\" Name=\"offsets\" "
      "format=\"ascii\">4</DataArray>"
      "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells></Piece>";
  std::string first = piece, second = piece;
  first.replace(first.find('@'), 1, "0");
  second.replace(second.find('@'), 1, "-1");
  const MeshFile file = read("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>" + first + second +
                             "</UnstructuredGrid></VTKFile>");
  CHECK(file.mesh.tets == std::vector<Tet>{{0, 1, 2, 3}, {4, 5, 6, 7}});
  CHECK(inspect_mesh(file).total_volume == Approx(1.0 / 6.0 + 1.0 / 3.0));
}

TEST_CASE("vtu: embedded surface and inside fractions come back exactly") {
  TetMesh mesh;
  mesh.nodes = two_tet_nodes();
  mesh.tets = two_tets();
  mesh.inside_fraction = {0.1, 1.0};
  mesh.surface.triangles = {{0, 1, 2}};
  mesh.surface.tet = {0, 1, 1};
  mesh.surface.weights = {{0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.1, 0.1}, {1.0 / 3, 1.0 / 3, 1.0 / 3, 0}};
  const TemporaryFolder folder;
  write_mesh(folder.path("a.vtu"), mesh);
  const MeshFile file = read_mesh(folder.path("a.vtu"));
  CHECK(file.mesh.inside_fraction == mesh.inside_fraction);
  CHECK(file.mesh.surface.triangles == mesh.surface.triangles);
  CHECK(file.mesh.surface.tet == mesh.surface.tet);
  CHECK(file.mesh.surface.weights == mesh.surface.weights);
  CHECK(inspect_mesh(file).total_volume == Approx(0.1 / 6 + 1.0 / 3));

  // In a surface format the embedded surface stands for the mesh.
  write_mesh(folder.path("a.ply"), mesh);
  const MeshFile surface = read_mesh(folder.path("a.ply"));
  CHECK(surface.surface.points == embedded_points(mesh, mesh.nodes));
  CHECK(surface.surface.triangles == mesh.surface.triangles);
}

TEST_CASE("vtu: an embedded surface that names missing elements is refused") {
  TetMesh mesh;
  mesh.nodes = two_tet_nodes();
  mesh.tets = two_tets();
  mesh.surface.triangles = {{0, 0, 0}};
  mesh.surface.tet = {2};
  mesh.surface.weights = {{1, 0, 0, 0}};
  const TemporaryFolder folder;
  write_mesh(folder.path("a.vtu"), mesh);
  CHECK_THROWS_AS(read_mesh(folder.path("a.vtu")), MeshError);
}
