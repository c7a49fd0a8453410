// Rows of the sheet's energies: null spaces, hand-computed values, and the assembly against a dense twin.
#include <cmath>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>

#include "engine/precompute/assemble_cloth.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

/// Irregular sheet in the plane through three directions; turned in space.
SurfaceMesh flat_sheet(int nx, int ny, std::uint64_t seed, bool curved = false) {
  SurfaceMesh mesh;
  test::Random random(seed);
  const Mat3d rotation = random.rotation();
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const double x = 0.1 * i + random.uniform(-0.03, 0.03), y = 0.1 * j + random.uniform(-0.03, 0.03);
      mesh.points.push_back(rotation * Vec3d{x, y, curved ? 0.3 * x * x - 0.2 * x * y : 0.0});
    }
  for (Index j = 0; j < ny; ++j)
    for (Index i = 0; i < nx; ++i) {
      const Index a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
      if ((i + j) % 2) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

double row_times(const SquaredRows& rows, std::size_t s, const std::vector<double>& x) {
  double sum = 0.0;
  for (Index p = rows.start[s]; p < rows.start[s + 1]; ++p) sum += rows.coefficient[p] * x[rows.node[p]];
  return sum;
}

double energy(const SquaredRows& rows, const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t s = 0; s < rows.size(); ++s)
    sum += 0.5 * rows.weight[s] * std::pow(row_times(rows, s, x), 2);
  return sum;
}

double largest(const SquaredRows& rows, const std::vector<double>& x) {
  double worst = 0.0;
  for (std::size_t s = 0; s < rows.size(); ++s) worst = std::max(worst, std::abs(row_times(rows, s, x)));
  return worst;
}

std::vector<double> affine(const SurfaceMesh& mesh, const Vec3d& slope, double constant) {
  std::vector<double> x;
  for (const Vec3d& p : mesh.points) x.push_back(dot(slope, p) + constant);
  return x;
}

}  // namespace

TEST_CASE("cloth: rows sum to zero; affine functions of a flat sheet do not bend it") {
  for (const bool curved : {false, true}) {
    const SurfaceMesh mesh = flat_sheet(9, 7, 2, curved);
    const std::vector<double> one(mesh.points.size(), 1.0);
    const auto membrane = membrane_rows(mesh), isometric = isometric_bending_rows(mesh),
               laplace = laplace_beltrami_rows(mesh);
    CHECK(membrane.size() == 2 * 126);
    CHECK(isometric.size() == 3 * 126 / 2 - (9 + 7));  // inner edges: (3 T - boundary) / 2
    CHECK(laplace.size() == 8 * 6);                    // inner nodes
    CHECK(largest(membrane, one) < 1e-12);
    CHECK(largest(isometric, one) < 1e-12);
    CHECK(largest(laplace, one) < 1e-12);
    const auto linear = affine(mesh, {1.0, -2.0, 0.5}, 3.0);
    CHECK(largest(membrane, linear) > 0.1);
    if (curved) {
      CHECK(largest(isometric, linear) > 1e-3);
      CHECK(largest(laplace, linear) > 1e-3);
    } else {
      CHECK(largest(isometric, linear) < 1e-12);
      CHECK(largest(laplace, linear) < 1e-12);
    }
  }
}

TEST_CASE("cloth: the membrane's energy of an affine function is area times squared slope") {
  const SurfaceMesh mesh = flat_sheet(5, 4, 8);
  const Vec3d &a = mesh.points[0], &b = mesh.points[1], &c = mesh.points[6];
  const Vec3d normal = normalized(cross(b - a, c - a)), slope{0.3, 1.1, -0.7};
  const Vec3d inside = slope - dot(slope, normal) * normal;
  double area = 0.0;
  for (const double m : sheet_node_mass(mesh, 1.0)) area += m;
  CHECK(energy(membrane_rows(mesh), affine(mesh, slope, 2.0)) ==
        Approx(0.5 * area * squared_norm(inside)).epsilon(1e-12));
}

TEST_CASE("cloth: two triangles by hand") {
  // Unit square, diagonal 0-2: all angles 45 or 90 degrees, areas 1/2; K = (2, 2, -2, -2), weight 3.
  const SurfaceMesh square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  const SquaredRows rows = isometric_bending_rows(square);
  REQUIRE(rows.size() == 1);
  CHECK(rows.node == std::vector<Index>{0, 2, 1, 3});
  CHECK(rows.weight[0] == Approx(3.0));
  const double expected[] = {2, 2, -2, -2};
  for (int p = 0; p < 4; ++p) CHECK(rows.coefficient[p] == Approx(expected[p]).margin(1e-15));
  CHECK(energy(rows, {0, 0, 0, 0.5}) == Approx(1.5));
  CHECK(laplace_beltrami_rows(square).size() == 0);  // no inner node

  SheetMaterial material{2.0, 100.0, 10.0, BendingModel::isometric};
  const SymmetricMatrix a = assemble_sheet(square, material, 0.1);
  // Diagonal of node 1: mass 2/6, membrane (unit gradients along both edges) 1/2 (1 + 1), bending 3; h^2 =
  // 0.01.
  CHECK(a.column_start == std::vector<Index>{0, 4, 7, 9, 10});
  CHECK(a.value[4] == Approx(2.0 / 6 + 0.01 * 100 * 1.0 + 0.01 * 10 * 12.0));
  CHECK(a.value[1] == Approx(0.01 * (100 * -0.5 + 10 * -12.0)));  // nodes 0, 1
  CHECK(a.value[2] == Approx(0.01 * (100 * 0.0 + 10 * 12.0)));    // nodes 0, 2: right angles opposite
  CHECK(a.value[6] == Approx(0.01 * 10 * 12.0));                  // nodes 1, 3: bending only
}

TEST_CASE("cloth: bending a grid to a cylinder costs what the formulas say") {
  // u = x^2 / 2 over 60 x 60 cells of edge h = 1/60: curvature 1, diagonals alternate.
  GeneratedMesh sheet = generate_mesh("cloth", {{"cells_x", 60}, {"cells_y", 60}});
  const SurfaceMesh& mesh = sheet.surface;
  std::vector<double> u;
  for (const Vec3d& p : mesh.points) u.push_back(0.5 * p.x * p.x);
  // Inner edges along y alone bend: 59 * 60 of them, each 1/2 * 3 / h^2 * (h * h)^2.
  CHECK(energy(isometric_bending_rows(mesh), u) == Approx(1.5 * 59 / 60).epsilon(1e-9));
  // L u = h^2 at 59 * 59 inner nodes, h^2 nearest to each.
  CHECK(energy(laplace_beltrami_rows(mesh), u) == Approx(0.5 * 59 * 59 / 3600).epsilon(1e-9));
}

TEST_CASE("cloth: the assembled system equals a dense twin for every bending model") {
  const SurfaceMesh mesh = flat_sheet(6, 5, 4, true);
  const std::size_t n = mesh.points.size();
  for (const BendingModel model :
       {BendingModel::none, BendingModel::isometric, BendingModel::laplace_beltrami}) {
    const SheetMaterial material{0.3, 700.0, 0.02, model};
    const double h = 0.01;
    std::vector<std::vector<double>> dense(n, std::vector<double>(n, 0.0));
    const auto mass = sheet_node_mass(mesh, material.area_density);
    for (std::size_t i = 0; i < n; ++i) dense[i][i] = mass[i];
    const auto add = [&](const SquaredRows& rows, double factor) {
      for (std::size_t s = 0; s < rows.size(); ++s)
        for (Index p = rows.start[s]; p < rows.start[s + 1]; ++p)
          for (Index q = rows.start[s]; q < rows.start[s + 1]; ++q)
            dense[rows.node[p]][rows.node[q]] +=
                factor * rows.weight[s] * rows.coefficient[p] * rows.coefficient[q];
    };
    add(membrane_rows(mesh), h * h * material.membrane_weight);
    if (model == BendingModel::isometric)
      add(isometric_bending_rows(mesh), h * h * material.bending_stiffness);
    if (model == BendingModel::laplace_beltrami)
      add(laplace_beltrami_rows(mesh), h * h * material.bending_stiffness);
    const SymmetricMatrix matrix = assemble_sheet(mesh, material, h);
    std::vector<std::vector<double>> got(n, std::vector<double>(n, 0.0));
    for (Index j = 0; j < matrix.size; ++j) {
      CHECK(matrix.row[matrix.column_start[j]] == j);
      for (Index k = matrix.column_start[j]; k < matrix.column_start[j + 1]; ++k) {
        if (k > matrix.column_start[j]) CHECK(matrix.row[k] > matrix.row[k - 1]);
        got[matrix.row[k]][j] = got[j][matrix.row[k]] = matrix.value[k];
      }
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) worst = std::max(worst, std::abs(dense[i][j] - got[i][j]));
    CHECK(worst < 1e-13 * dense[n / 2][n / 2]);
    CHECK(factor(matrix, FactorLibrary::automatic, 0.0).size() ==
          static_cast<Index>(n));  // positive definite
  }
}

TEST_CASE("cloth: sheets that cannot be assembled are refused with the place") {
  const std::vector<Vec3d> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}};
  CHECK_THROWS_WITH(membrane_rows({points, {{0, 1, 5}}}),
                    "triangle 0 names node 5, the sheet has 5; mend it with 'sinew mesh repair'");
  CHECK_THROWS_AS(membrane_rows({points, {{0, 1, -1}}}), MeshError);
  CHECK_THROWS_WITH(membrane_rows({points, {{0, 1, 2}, {0, 1, 1}}}),
                    "triangle 1 has no area; mend the sheet with 'sinew mesh repair'");
  CHECK_THROWS_AS(isometric_bending_rows({{{0, 0, 0}, {NAN, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}), MeshError);
  CHECK_THROWS_AS(isometric_bending_rows({points, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}}), MeshError);
  CHECK(isometric_bending_rows({points, {{0, 1, 2}}}).size() == 0);
  CHECK(assemble_sheet({}, {}, 0.01).size == 0);
}
