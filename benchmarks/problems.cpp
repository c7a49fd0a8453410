#include "benchmarks/problems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>
#include <sinew/model.hpp>

#include "engine/common/text.hpp"
#include "engine/meshing/structured.hpp"
#include "engine/model/model_data.hpp"
#include "engine/precompute/assemble.hpp"
#include "engine/precompute/assemble_cloth.hpp"

namespace sinew::bench {

namespace {

constexpr double kTimeStep = 0.01;  // [s]
constexpr double kEdge = 0.01;      // [m] of the cells of regular meshes
constexpr double kRegularBarAspect = 8.0;
constexpr double kPublishedBarAspect =
    2.0;  // not printed; this one meets the printed numbers of elements to 1 %

/// side x side x length vertices, length about aspect * side.
BenchSystem bar_system(double vertices, double aspect) {
  const double side = std::max(2.0, std::round(std::cbrt(vertices / aspect)));
  const double length = std::max(2.0, std::round(vertices / (side * side)));
  return body_system(make_cuboid(
      kEdge * Vec3d{length - 1, side - 1, side - 1},
      {static_cast<Index>(length - 1), static_cast<Index>(side - 1), static_cast<Index>(side - 1)}));
}

BenchSystem sheet_system(double vertices, BendingModel bending) {
  const double side = std::max(2.0, std::round(std::sqrt(vertices)));
  const double other = std::max(2.0, std::round(vertices / side));
  const SurfaceMesh mesh = make_sheet(kEdge * (side - 1), kEdge * (other - 1),
                                      {static_cast<Index>(side - 1), static_cast<Index>(other - 1)});
  SheetMaterial material;
  material.bending = bending;
  return {assemble_sheet(mesh, material, kTimeStep), mesh.points.size(), mesh.triangles.size()};
}

/// Tables 1 and 2 of "Fast But Accurate: A Real-Time Hyperelastic Simulator with Robust Frictional Contact".
/// Counts in thousands, memory in MB for the 3n x 3n system in double; 0: not printed. Its meshes are not
/// public: generator names the shape of ours that comes nearest.
struct PublishedRow {
  const char* shape;
  const char* generator;
  double vertices_k, elements_k, dense_MB, S_MB;
};
constexpr PublishedRow kPublished[] = {
    {"cloth without bending", "", 5.1, 10.0, 893.33, 34.80},
    {"cloth without bending", "", 10.2, 20.2, 3589.46, 102.51},
    {"cloth without bending", "", 15.3, 30.3, 8050.51, 183.79},
    {"cloth without bending", "", 20.2, 40.0, 14010.30, 280.41},
    {"cloth isometric bending", "", 5.1, 10.0, 893.33, 62.37},
    {"cloth isometric bending", "", 10.2, 20.2, 3589.46, 183.82},
    {"cloth isometric bending", "", 15.3, 30.3, 8050.51, 342.68},
    {"cloth isometric bending", "", 20.2, 40.0, 14010.30, 523.36},
    {"cloth Laplace-Beltrami bending", "", 5.1, 10.0, 893.33, 87.08},
    {"cloth Laplace-Beltrami bending", "", 10.2, 20.2, 3589.46, 258.85},
    {"cloth Laplace-Beltrami bending", "", 15.3, 30.3, 8050.51, 487.14},
    {"cloth Laplace-Beltrami bending", "", 20.2, 40.0, 14010.30, 749.10},
    {"raptor", "raptor", 10.0, 33.9, 0.0, 120.00},
    {"raptor", "raptor", 15.0, 54.4, 0.0, 260.85},
    {"ball", "ball", 7.1, 37.5, 0.0, 266.87},
    {"ball", "ball", 14.7, 81.7, 0.0, 946.97},
    {"bar", "bar", 5.3, 26.4, 961.48, 125.02},
    {"bar", "bar", 11.3, 59.0, 4414.98, 463.03},
    {"bar", "bar", 20.8, 111.1, 14870.70, 1310.19},
    {"wooper", "newt", 5.3, 20.4, 973.51, 67.14},
    {"wooper", "newt", 11.8, 52.5, 0.0, 295.09},
    {"gingerbread man", "gingerbread", 11.1, 48.2, 0.0, 227.30},
    {"gingerbread man", "gingerbread", 19.5, 93.6, 0.0, 619.41},
};

std::optional<BendingModel> bending_of(const std::string& shape) {
  if (shape == "cloth without bending") return BendingModel::none;
  if (shape == "cloth isometric bending") return BendingModel::isometric;
  if (shape == "cloth Laplace-Beltrami bending") return BendingModel::laplace_beltrami;
  return std::nullopt;
}

std::function<BenchSystem()> maker_of(const PublishedRow& row) {
  const double vertices = std::round(1000.0 * row.vertices_k);
  if (const auto bending = bending_of(row.shape))
    return [vertices, bending] { return sheet_system(vertices, *bending); };
  const std::string generator = row.generator;
  if (generator == "bar") return [vertices] { return bar_system(vertices, kPublishedBarAspect); };
  return [vertices, generator] {
    return body_system(generate_mesh(generator, {{"vertices", vertices}}).mesh);
  };
}

}  // namespace

BenchSystem body_system(TetMesh mesh, double scale) {
  BodySpec body;
  body.name = "body";
  body.mesh = std::move(mesh);
  body.material = {MaterialKind::stable_neo_hookean, 1e6, 0.45, 0.0, 0.0};
  body.transform.scale = {scale, scale, scale};
  const Model model = ModelBuilder().add(std::move(body)).build();
  const BodyData& data = model.data().bodies[0];
  std::vector<Index> all(data.rest_position.size());
  std::iota(all.begin(), all.end(), 0);
  return {assemble_system(data, all, static_cast<Index>(all.size()), kTimeStep), all.size(),
          data.spec.mesh.tets.size()};
}

const std::vector<std::string>& regular_shapes() {
  static const std::vector<std::string> names = {"bar", "cube", "sheet"};
  return names;
}

BenchProblem regular_problem(const std::string& shape, std::size_t vertices) {
  const std::vector<std::string>& names = regular_shapes();
  if (std::find(names.begin(), names.end(), shape) == names.end())
    throw Error("unknown shape '" + shape + "'" + suggestion(shape, names));
  constexpr std::size_t kMost = 5'000'000;
  if (vertices < 8 || vertices > kMost)
    throw Error(fmt::format("{} of {} vertices: give a number from 8 to {}", shape, vertices, kMost));
  const auto v = static_cast<double>(vertices);
  BenchProblem problem;
  problem.name = fmt::format("{} {:g}k", shape, v / 1000.0);
  problem.shape = shape;
  if (shape == "bar") problem.make = [v] { return bar_system(v, kRegularBarAspect); };
  if (shape == "cube") problem.make = [v] { return bar_system(v, 1.0); };
  if (shape == "sheet") problem.make = [v] { return sheet_system(v, BendingModel::isometric); };
  return problem;
}

std::vector<BenchProblem> published_problems() {
  std::vector<BenchProblem> problems;
  for (const PublishedRow& row : kPublished)
    problems.push_back({fmt::format("{} {:.1f}k", row.shape, row.vertices_k), row.shape,
                        1000.0 * row.vertices_k, 1000.0 * row.elements_k, row.S_MB, row.dense_MB,
                        maker_of(row)});
  return problems;
}

}  // namespace sinew::bench
