// tetrahedralize: from a surface to lattice cells (embedded) or stuffed cells (the surface becomes the
// boundary).
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>

#include "engine/meshing/embedding.hpp"
#include "engine/meshing/resolution.hpp"
#include "engine/meshing/stuffing.hpp"
#include "engine/meshing/surface_input.hpp"
#include "engine/meshing/topology.hpp"
#include "engine/meshing/winding_number.hpp"

namespace sinew {

namespace {

// Clusters of triangles count as distant from here on: errors of 0.02 at most, small beside the jump of 1 at
// the surface.
constexpr double kReach = 1.5;
// A position of the lattice that symmetric and box-like surfaces do not share: no point lies on a cell's
// face.
constexpr Vec3d kShift = {0.17, 0.31, 0.43};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

void check(const TetrahedralizeSettings& s) {
  if (!(s.cell >= 0.0) || !std::isfinite(s.cell))
    throw MeshError("tetrahedralize: cell is " + number(s.cell) + ", must be positive, or 0 to use vertices");
  if (s.cell == 0.0 && (s.vertices < s.kLeastVertices || s.vertices > s.kMostVertices))
    throw MeshError("tetrahedralize: vertices is " + std::to_string(s.vertices) + ", must be between " +
                    std::to_string(s.kLeastVertices) + " and " + std::to_string(s.kMostVertices));
  if (!(s.winding_threshold > 0.0 && s.winding_threshold < 1.0))
    throw MeshError("tetrahedralize: winding_threshold is " + number(s.winding_threshold) +
                    ", must lie between 0 and 1");
}

double area_of(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
  double area = 0.0;
  for (const Triangle& t : triangles)
    area += 0.5 * norm(cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]));
  return area;
}

// Everything that both ways of filling share.
class Filling {
 public:
  Filling(const SurfaceMesh& surface, const TetrahedralizeSettings& settings, std::vector<std::string>& notes)
      : settings_(settings),
        input_(prepare_surface(surface, notes)),
        bvh_(input_.surface),
        winding_(bvh_, kReach) {
    inside_ = [this](const Vec3d& x) { return winding_(x) > settings_.winding_threshold; };
    check_inside();
  }

  TetMesh fill(std::vector<std::string>& notes);

 private:
  void check_inside() const;
  double first_cell() const;
  TetMesh embed(const BccLattice& lattice);
  TetMesh search_embedding();
  TetMesh stuff(const BccLattice& lattice);
  double root(const Vec3d& a, double fa, const Vec3d& b, double fb) const;

  const TetrahedralizeSettings& settings_;
  SurfaceInput input_;
  TriangleBvh bvh_;
  WindingNumber winding_;
  InsideTest inside_;
  // What the last call of embed or stuff found.
  Index pieces_ = 1, dropped_ = 0;
  double dropped_share_ = 0.0;
  double volume_ = 0.0;  // [m^3] inside: sampled (embed) or filled (stuff)
};

void Filling::check_inside() const {
  const Vec3d extent = input_.high - input_.low;
  if (input_.holes == 0 && input_.volume > 1e-7 * extent.x * extent.y * extent.z) return;
  // Open: some place one hundredth of the size behind the surface must count as inside.
  const auto& triangles = input_.surface.triangles;
  const std::size_t step = std::max<std::size_t>(1, triangles.size() / 4096);
  for (std::size_t t = 0; t < triangles.size(); t += step) {
    const Vec3d &a = input_.surface.points[triangles[t][0]], &b = input_.surface.points[triangles[t][1]],
                &c = input_.surface.points[triangles[t][2]];
    const Vec3d behind = (a + b + c) / 3.0 - 0.01 * norm(extent) * normalized(cross(b - a, c - a));
    if (inside_(behind)) return;
  }
  throw MeshError("surface encloses nothing (winding number nowhere above " +
                  number(settings_.winding_threshold) +
                  "); close its holes and orient its triangles outward; this version simulates volumes only");
}

double Filling::first_cell() const {
  const Vec3d extent = input_.high - input_.low;
  const double box = extent.x * extent.y * extent.z;
  const double volume = input_.holes == 0 ? std::max(input_.volume, 1e-6 * box) : 0.4 * box;
  const double area = area_of(input_.surface.points, input_.surface.triangles);
  // Two nodes per cubic cell; whole cells reach about half a cell beyond the surface, stuffed ones add cut
  // points.
  double cell = std::cbrt(2.0 * volume / settings_.vertices);
  for (int i = 0; i < 30; ++i)
    cell = std::cbrt(2.0 * (volume + (settings_.embed ? 0.55 : 0.75) * area * cell) / settings_.vertices);
  return cell;
}

// Distances are exact, so the surface divides the edge as they do. Where they are longer than the edge, the
// sign changes inside a bridged hole: there the winding number is bisected.
double Filling::root(const Vec3d& a, double fa, const Vec3d& b, double fb) const {
  if (std::abs(fa) + std::abs(fb) <= 1.000001 * norm(b - a)) return fa / (fa - fb);
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 16; ++i) {
    const double middle = 0.5 * (low + high);
    (inside_(a + middle * (b - a)) == (fa < 0.0) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

TetMesh Filling::embed(const BccLattice& lattice) {
  Embedding result = embed_surface(lattice, input_.surface, inside_);
  pieces_ = result.pieces;
  dropped_ = result.dropped_pieces;
  dropped_share_ = result.dropped_share;
  volume_ = result.sampled_volume;
  return std::move(result.mesh);
}

// Cells are sampled for their inside fraction only once or twice: the search counts all cells that touch the
// inside, and learns from each embedding which part of them stays.
TetMesh Filling::search_embedding() {
  const auto lattice = [&](double cell, const Vec3d& shift) {
    return BccLattice(input_.low, input_.high, cell, kShift + shift);
  };
  const double target = settings_.vertices;
  double kept = 0.97, cell = first_cell();
  for (int i = 0; i < 3; ++i) {
    std::size_t touched = 0;
    const Resolution found = search_cell(target / kept, cell, [&](double c, const Vec3d& shift) {
      touched = count_touched_nodes(lattice(c, shift), input_.surface, inside_);
      return touched;
    });
    if (found.cell == 0.0) break;
    TetMesh mesh = embed(lattice(found.cell, found.shift));
    const double nodes = static_cast<double>(mesh.nodes.size());
    if (std::abs(nodes / target - 1.0) <= 0.03 || nodes == 0.0) return mesh;
    kept = nodes / static_cast<double>(touched);
    cell = found.cell;
  }
  return search_mesh(target, cell, [&](double c, const Vec3d& shift) { return embed(lattice(c, shift)); });
}

TetMesh Filling::stuff(const BccLattice& lattice) {
  std::vector<double> values = sample_on_lattice(lattice, [this](const Vec3d& x) {
    const double distance = bvh_.distance(x);
    return inside_(x) ? -distance : distance;
  });
  const auto build = [&](double offset) {
    if (offset != 0.0)
      for (double& v : values) v -= offset;
    TetMesh mesh = stuff_isosurface(
        lattice, values,
        [&](const Vec3d& a, double fa, const Vec3d& b, double fb) { return root(a, fa, b, fb); });
    make_boundary_manifold(mesh);
    const PieceReport report = drop_small_pieces(mesh, 0.01);
    dropped_ = report.dropped;
    dropped_share_ = report.dropped_share;
    return mesh;
  };
  TetMesh mesh = build(0.0);
  volume_ = filled_volume(mesh);
  // Flat facets cut corners: moving the surface outwards by a fraction of a cell restores the volume. Where
  // holes or overlaps make the enclosed volume meaningless, the lattice points inside tell it, half a cell of
  // volume each.
  const auto inside = std::count_if(values.begin(), values.end(), [](double v) { return v < 0.0; });
  const double counted = static_cast<double>(inside) * 0.5 * std::pow(lattice.cell(), 3);
  const bool agrees = input_.holes == 0 && std::abs(counted / input_.volume - 1.0) < 0.05;
  const double wanted = agrees ? input_.volume : counted;
  double moved = 0.0;
  for (int i = 0; i < 4 && !mesh.tets.empty() && std::abs(volume_ / wanted - 1.0) > 0.004; ++i) {
    const double offset = (wanted - volume_) / area_of(mesh.nodes, boundary_triangles(mesh));
    if (std::abs(moved + offset) > 0.3 * lattice.cell()) break;
    moved += offset;
    mesh = build(offset);
    volume_ = filled_volume(mesh);
  }
  if (!mesh.tets.empty()) face_connected_pieces(mesh.tets, pieces_);
  return mesh;
}

TetMesh Filling::fill(std::vector<std::string>& notes) {
  const auto build = [&](double cell, const Vec3d& shift) {
    const BccLattice lattice(input_.low, input_.high, cell, kShift + shift);
    return settings_.embed ? embed(lattice) : stuff(lattice);
  };
  TetMesh mesh;
  if (settings_.cell > 0.0)
    mesh = build(settings_.cell, {});
  else
    mesh = settings_.embed ? search_embedding() : search_mesh(settings_.vertices, first_cell(), build);
  if (mesh.tets.empty())
    throw MeshError(settings_.cell > 0.0
                        ? "tetrahedralize: no cell of " + number(settings_.cell) +
                              " fits inside; use a smaller one"
                        : "tetrahedralize: no lattice gives " + std::to_string(settings_.vertices) +
                              " vertices within 3 %; use more vertices or give cell");
  if (dropped_ > 0)
    notes.push_back(std::to_string(dropped_) + " separate part(s) with " + number(100.0 * dropped_share_) +
                    " % of the volume dropped");
  if (pieces_ > 1) notes.push_back("the mesh has " + std::to_string(pieces_) + " separate parts");
  const bool agrees = std::abs(volume_ / input_.volume - 1.0) < 0.05;
  if (input_.holes == 0 && !agrees)
    notes.push_back("filled volume is " + number(100.0 * volume_ / input_.volume) +
                    " % of the enclosed one: the surface overlaps itself, or parts are thinner than a cell");
  if (settings_.embed) match_volume(mesh, input_.holes == 0 && agrees ? input_.volume : volume_);
  return mesh;
}

}  // namespace

TetMesh tetrahedralize(const SurfaceMesh& surface, const TetrahedralizeSettings& settings,
                       std::vector<std::string>* notes) {
  check(settings);
  std::vector<std::string> remarks;
  TetMesh mesh = Filling(surface, settings, remarks).fill(remarks);
  if (notes) notes->insert(notes->end(), remarks.begin(), remarks.end());
  return mesh;
}

}  // namespace sinew
