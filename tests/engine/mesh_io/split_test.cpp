// Hexahedra, prisms and pyramids: volumes add up, neighbours share faces.
#include <algorithm>
#include <numeric>
#include <random>

#include "tests/engine/mesh_io/sample_files.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

struct Cell {
  int type;
  std::vector<int> nodes;
};

std::string vtk_text(const std::vector<Vec3d>& points, const std::vector<Cell>& cells) {
  std::string text = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " +
                     std::to_string(points.size()) + " double\n";
  for (const Vec3d& p : points)
    text += std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
  std::string list, types;
  std::size_t size = 0;
  for (const Cell& cell : cells) {
    list += std::to_string(cell.nodes.size());
    for (const int node : cell.nodes) list += " " + std::to_string(node);
    list += "\n";
    types += std::to_string(cell.type) + "\n";
    size += cell.nodes.size() + 1;
  }
  return text + "CELLS " + std::to_string(cells.size()) + " " + std::to_string(size) + "\n" + list +
         "CELL_TYPES " + std::to_string(cells.size()) + "\n" + types;
}

MeshFile read(const std::vector<Vec3d>& points, const std::vector<Cell>& cells) {
  const TemporaryFolder folder;
  return read_mesh(folder.write("cells.vtk", vtk_text(points, cells)));
}

// Grid of n x n x n unit cubes whose node numbers are shuffled: every combination of diagonals comes up.
struct Grid {
  std::vector<Vec3d> points;
  std::vector<Cell> hexes;
};
Grid shuffled_grid(int n, unsigned seed) {
  const int side = n + 1;
  std::vector<int> number(static_cast<std::size_t>(side * side * side));
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), std::mt19937(seed));
  Grid grid;
  grid.points.resize(number.size());
  const auto id = [&](int x, int y, int z) {
    return number[static_cast<std::size_t>((z * side + y) * side + x)];
  };
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        grid.points[static_cast<std::size_t>(id(x, y, z))] = {double(x), double(y), double(z)};
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        grid.hexes.push_back(
            {12,
             {id(x, y, z), id(x + 1, y, z), id(x + 1, y + 1, z), id(x, y + 1, z), id(x, y, z + 1),
              id(x + 1, y, z + 1), id(x + 1, y + 1, z + 1), id(x, y + 1, z + 1)}});
  return grid;
}

}  // namespace

TEST_CASE("hexahedra in any numbering split conformingly") {
  bool five = false, six = false;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Grid grid = shuffled_grid(2, seed);
    const MeshFile file = read(grid.points, grid.hexes);
    const MeshReport report = inspect_mesh(file);
    INFO(to_text(report));
    CHECK(report.total_volume == Approx(8.0).epsilon(1e-12));
    CHECK(report.sound());  // no overlap, no face of three, no fold
    CHECK(report.closed);
    // A cube grid's boundary has two triangles for each of the 24 squares: inner faces all match.
    CHECK(report.triangles == 48);
    for (long hex = 0; hex < 8; ++hex) {
      const long pieces = std::count(file.tet_tag.begin(), file.tet_tag.end(), hex);
      CHECK((pieces == 5 || pieces == 6));
      five = five || pieces == 5;
      six = six || pieces == 6;
    }
  }
  CHECK(five);
  CHECK(six);
}

TEST_CASE("hexahedra, prisms and pyramids fill their space") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Grid grid = shuffled_grid(2, seed);
    std::vector<Cell> cells;
    for (std::size_t h = 0; h < grid.hexes.size(); ++h) {
      const std::vector<int>& n = grid.hexes[h].nodes;
      if (h % 3 == 0) {
        cells.push_back(grid.hexes[h]);
      } else if (h % 3 == 1) {  // two prisms; one in the mirrored order of corners
        cells.push_back({13, {n[0], n[1], n[2], n[4], n[5], n[6]}});
        cells.push_back({13, {n[0], n[3], n[2], n[4], n[7], n[6]}});
      } else {  // six pyramids around the centre
        Vec3d center;
        for (const int node : n) center += grid.points[static_cast<std::size_t>(node)] / 8.0;
        const int apex = static_cast<int>(grid.points.size());
        grid.points.push_back(center);
        for (const auto& f : {std::array<int, 4>{0, 1, 2, 3},
                              {4, 7, 6, 5},
                              {0, 4, 5, 1},
                              {1, 5, 6, 2},
                              {2, 6, 7, 3},
                              {3, 7, 4, 0}})
          cells.push_back({14, {n[f[0]], n[f[1]], n[f[2]], n[f[3]], apex}});
      }
    }
    // A prism's triangular cap cuts a square in a way of its own, so that a hexahedron behind it need not
    // match: here volumes and orientation count, conformity is the matter of the other tests.
    const MeshReport report = inspect_mesh(read(grid.points, cells));
    CHECK(report.total_volume == Approx(8.0).epsilon(1e-12));
    for (const MeshFault& fault : report.faults) {
      CHECK(fault.kind != "inverted");
      CHECK(fault.kind != "degenerate");
    }
  }
}

TEST_CASE("a row of prisms shares its square faces") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Grid grid = shuffled_grid(1, seed);
    const std::vector<int>& n = grid.hexes[0].nodes;
    const MeshReport report = inspect_mesh(read(grid.points, {{13, {n[0], n[1], n[2], n[4], n[5], n[6]}},
                                                              {13, {n[0], n[2], n[3], n[4], n[6], n[7]}}}));
    CHECK(report.total_volume == Approx(1.0));
    CHECK(report.elements == 6);
    CHECK(report.triangles == 12);
    CHECK(report.sound());
  }
}

TEST_CASE("a hexahedron with merged corners is split like the prism that it is") {
  const std::vector<Vec3d> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const MeshReport report = inspect_mesh(read(points, {{12, {0, 1, 2, 2, 3, 4, 5, 5}}}));
  CHECK(report.total_volume == Approx(0.5));
  CHECK(report.elements == 3);
  CHECK(report.sound());
}

TEST_CASE("a twisted hexahedron gets a node at its centre") {
  // With the top turned by one radian, the diagonals that some numberings ask for leave pieces turned over in
  // any split without an inner node; a fan around the centre is right for all of them.
  std::size_t with_center = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Grid grid = shuffled_grid(1, seed);
    const std::vector<int>& n = grid.hexes[0].nodes;
    for (std::size_t k = 0; k < 8; ++k) {
      const double angle = 3.14159265358979 / 2 * static_cast<double>(k % 4) + (k < 4 ? 0.0 : 1.0);
      grid.points[static_cast<std::size_t>(n[k])] = {std::cos(angle), std::sin(angle), k < 4 ? 0.0 : 1.0};
    }
    const MeshFile file = read(grid.points, grid.hexes);
    const MeshReport report = inspect_mesh(file);
    INFO(to_text(report));
    CHECK(report.simulable());
    CHECK(std::none_of(report.faults.begin(), report.faults.end(),
                       [](const MeshFault& fault) { return fault.kind == "inverted"; }));
    if (file.mesh.nodes.size() == 9) {
      ++with_center;
      CHECK(report.elements == 12);
      CHECK(file.notes.back().find("centre") != std::string::npos);
    }
  }
  CHECK(with_center > 5);
  CHECK(with_center < 35);
}
