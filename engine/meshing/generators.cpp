// generate_mesh: the table of shapes, checks of the parameters, and the way from a shape to a mesh.
#include <cmath>
#include <cstdio>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>

#include "engine/common/text.hpp"
#include "engine/meshing/resolution.hpp"
#include "engine/meshing/shapes.hpp"
#include "engine/meshing/structured.hpp"
#include "engine/meshing/topology.hpp"

namespace sinew {

namespace {

constexpr double kMostVertices = 5e6;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

void add_resolution(GeneratorInfo& info, double vertices, double least) {
  info.parameters.push_back({"vertices", "1", vertices, least, kMostVertices,
                             "wanted number of vertices, met within 3 %; wins over cell"});
  info.parameters.push_back({"cell", "m", 0.0, 0.0, 1e3, "edge length of the lattice; 0: from vertices"});
}

GeneratorInfo grid_info(const char* name, const char* what, const Vec3d& size, double vertices) {
  GeneratorInfo info = {name, what, size.z == 0.0, {}};
  const char* axis[3] = {"x", "y", "z"};
  const int dimensions = info.surface_only ? 2 : 3;
  for (int k = 0; k < dimensions; ++k)
    info.parameters.push_back(
        {std::string("size_") + axis[k], "m", size[k], 1e-4, 1e3, std::string("extent along ") + axis[k]});
  for (int k = 0; k < dimensions; ++k)
    info.parameters.push_back(
        {std::string("cells_") + axis[k], "1", 0, 0, 1e5,
         std::string("number of cells along ") + axis[k] + "; 0: from cell or vertices"});
  if (!info.surface_only)
    info.parameters.push_back({"mirrored", "1", 1, 0, 1,
                               "1: neighbouring cells are mirror images, the mesh is symmetric; 0: all cells "
                               "alike, diagonals parallel"});
  add_resolution(info, vertices, info.surface_only ? 4 : 8);
  return info;
}

std::vector<GeneratorInfo> make_table() {
  std::vector<GeneratorInfo> table;
  table.push_back(grid_info("bar", "beam along x, centred on the origin", {1.0, 0.2, 0.2}, 2500));
  table.push_back(grid_info("block", "cuboid, centred on the origin", {0.4, 0.4, 0.4}, 3000));
  table.push_back(
      grid_info("cloth", "triangle sheet in the plane z = 0, centred on the origin", {1.0, 1.0, 0.0}, 2500));
  for (const SolidShape& shape : solid_shapes()) {
    GeneratorInfo info = {shape.name, shape.what, false, shape.parameters};
    add_resolution(info, shape.default_vertices, 200);
    table.push_back(std::move(info));
  }
  return table;
}

const GeneratorInfo& find_info(const std::string& shape) {
  std::vector<std::string> names;
  for (const GeneratorInfo& info : mesh_generators()) {
    if (info.name == shape) return info;
    names.push_back(info.name);
  }
  throw MeshError("unknown shape '" + shape + "'" + suggestion(shape, names));
}

ParameterValues checked_values(const GeneratorInfo& info, const std::map<std::string, double>& given) {
  ParameterValues values;
  std::vector<std::string> names;
  for (const GeneratorParameter& p : info.parameters) {
    values[p.name] = p.default_value;
    names.push_back(p.name);
  }
  for (const auto& [name, value] : given) {
    if (values.count(name) == 0)
      throw MeshError(info.name + ": unknown parameter '" + name + "'" + suggestion(name, names));
    for (const GeneratorParameter& p : info.parameters) {
      if (p.name != name) continue;
      const bool whole = p.unit == "1";
      if (!(value >= p.min_value && value <= p.max_value) || (whole && value != std::floor(value)))
        throw MeshError(info.name + ": " + name + " is " + number(value) + ", must be " +
                        (whole ? "a whole number " : "") + "between " + number(p.min_value) + " and " +
                        number(p.max_value) + (whole ? "" : " " + p.unit));
      values[name] = value;
    }
  }
  return values;
}

// Cells along each axis of a grid. Order of precedence: vertices, cells, cell, default vertices.
std::array<Index, 3> grid_cells(const GeneratorInfo& info, const std::map<std::string, double>& given,
                                const ParameterValues& values, const Vec3d& size) {
  const int dimensions = info.surface_only ? 2 : 3;
  std::array<double, 3> cells = {0, 0, 0};
  double named = 0.0;
  for (int k = 0; k < dimensions; ++k) {
    cells[k] = values.at(std::string("cells_") + "xyz"[k]);
    named += cells[k] > 0.0 ? 1.0 : 0.0;
  }
  const bool from_vertices = given.count("vertices") != 0 || (named == 0.0 && values.at("cell") == 0.0);
  if (from_vertices) {
    const std::array<Index, 3> found = cells_for_vertices(size, values.at("vertices"));
    if (found[0] == 0)
      throw MeshError(info.name + ": no grid has " + number(values.at("vertices")) +
                      " vertices within 3 %; give cells_x, cells_y" + (dimensions == 3 ? ", cells_z" : "") +
                      " or another number");
    return found;
  }
  if (named > 0.0 && named < dimensions && values.at("cell") == 0.0)
    throw MeshError(info.name + ": give the number of cells along every axis, or cell for the others");
  double vertices = 1.0;
  for (int k = 0; k < dimensions; ++k) {
    if (cells[k] == 0.0) cells[k] = std::max(1.0, std::round(size[k] / values.at("cell")));
    vertices *= cells[k] + 1.0;
  }
  if (vertices > kMostVertices)
    throw MemoryError(info.name + ": " + number(vertices) + " vertices, at most " + number(kMostVertices) +
                      " are allowed; use larger cells");
  return {static_cast<Index>(cells[0]), static_cast<Index>(cells[1]), static_cast<Index>(cells[2])};
}

GeneratedMesh generate_grid(const GeneratorInfo& info, const std::map<std::string, double>& given,
                            const ParameterValues& values) {
  const Vec3d size = {values.at("size_x"), values.at("size_y"),
                      info.surface_only ? 0.0 : values.at("size_z")};
  const std::array<Index, 3> cells = grid_cells(info, given, values, size);
  GeneratedMesh result;
  if (info.surface_only)
    result.surface = make_sheet(size.x, size.y, {cells[0], cells[1]});
  else
    result.mesh = make_cuboid(size, cells, values.at("mirrored") != 0.0);
  for (Vec3d& p : result.surface.points) p -= 0.5 * size;
  for (Vec3d& p : result.mesh.nodes) p -= 0.5 * size;
  return result;
}

// Above this share of the wall's thickness cells leave holes right through it: measured from 0.75 on.
constexpr double kCellsPerWall = 0.6;

// Lower bound of the vertices that a wall takes: two per cube of one cell.
double least_for_wall(const Solid& solid) {
  return solid.wall > 0.0 ? 2.0 * solid.volume / std::pow(kCellsPerWall * solid.wall, 3) : 0.0;
}

template <class Build>
[[noreturn]] void refuse_thin_wall(const std::string& shape, const Solid& solid, double cell, double vertices,
                                   const Build& build) {
  const double most_cell = kCellsPerWall * solid.wall;
  const std::string why = " would leave holes through a wall of " + number(solid.wall) + " m; use ";
  if (vertices == 0.0)
    throw MeshError(shape + ": cells of " + number(cell) + " m" + why + "a cell of at most " +
                    number(most_cell) + " m or a thicker wall");
  const double about = least_for_wall(solid);
  std::string cure = "a thicker wall";
  if (about < 0.4 * kMostVertices) {
    // With some room, since the search may end at a slightly larger cell; two digits, rounded up.
    // Many vertices are estimated: in a thin wall points cut on its two sides about double the number.
    const double least =
        about < 5e4 ? 1.06 * static_cast<double>(build(most_cell, Vec3d{}).nodes.size()) : 2.3 * about;
    const double unit = std::pow(10.0, std::floor(std::log10(least)) - 1.0);
    cure = number(std::ceil(least / unit) * unit) + " vertices or more, or a thicker wall";
  }
  throw MeshError(shape + ": " + number(vertices) + " vertices" + why + cure);
}

GeneratedMesh generate_solid(const SolidShape& shape, const std::map<std::string, double>& given,
                             const ParameterValues& values) {
  const Solid solid = shape.make(values);
  const EdgeRoot root = illinois_root(solid.distance);
  double built = 0.0;  // cell of the last mesh
  const auto build = [&](double cell, const Vec3d& shift) {
    built = cell;
    const BccLattice lattice(solid.low, solid.high, cell, shift);
    TetMesh mesh = stuff_isosurface(lattice, sample_on_lattice(lattice, solid.distance), root);
    make_boundary_manifold(mesh);
    // Where the cells are too coarse for a thin part the shape falls to pieces: not the shape that was asked
    // for.
    if (drop_small_pieces(mesh, 1.0).dropped_share > 0.02) mesh = {};
    return mesh;
  };
  GeneratedMesh result;
  result.cable_path = solid.cable_path;
  const double cell = values.at("cell"), vertices = values.at("vertices");
  const bool from_cell = cell > 0.0 && given.count("vertices") == 0;
  if (from_cell) {
    const double most = 2.0 * solid.volume / (cell * cell * cell);
    if (most > kMostVertices)
      throw MemoryError(shape.name + ": about " + number(most) + " vertices, at most " +
                        number(kMostVertices) + " are allowed; use a larger cell");
    result.mesh = build(cell, {});
  } else {
    if (vertices < least_for_wall(solid)) refuse_thin_wall(shape.name, solid, 0.0, vertices, build);
    // A cube of one cell holds two nodes; those on the surface come on top.
    result.mesh = search_mesh(vertices, std::cbrt(2.5 * solid.volume / vertices), build);
  }
  if (solid.wall > 0.0 && built > kCellsPerWall * solid.wall)
    refuse_thin_wall(shape.name, solid, built, from_cell ? 0.0 : vertices, build);
  if (result.mesh.tets.empty())
    throw MeshError(shape.name + ": too coarse for the thinnest part of the shape; " +
                    (from_cell ? "use a smaller cell than " + number(cell) + " m"
                               : "use more vertices than " + number(vertices)));
  return result;
}

}  // namespace

const std::vector<GeneratorInfo>& mesh_generators() {
  static const std::vector<GeneratorInfo> table = make_table();
  return table;
}

GeneratedMesh generate_mesh(const std::string& shape, const std::map<std::string, double>& parameters) {
  const GeneratorInfo& info = find_info(shape);
  const ParameterValues values = checked_values(info, parameters);
  for (const SolidShape& solid : solid_shapes())
    if (solid.name == shape) return generate_solid(solid, parameters, values);
  return generate_grid(info, parameters, values);
}

}  // namespace sinew
