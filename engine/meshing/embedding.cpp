#include "engine/meshing/embedding.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "engine/meshing/topology.hpp"

namespace sinew {

namespace {

enum CellState : std::uint8_t { kOutside = 0, kInside = 1, kCut = 2 };

using Corners = std::array<Vec3d, 4>;

Corners positions(const BccLattice& lattice, const std::array<LatticePoint, 4>& corner) {
  return {lattice.position(corner[0]), lattice.position(corner[1]), lattice.position(corner[2]),
          lattice.position(corner[3])};
}

std::array<double, 4> barycentric(const Corners& c, const Vec3d& x) {
  const double volume = tet_volume(c[0], c[1], c[2], c[3]);
  std::array<double, 4> w;
  w[1] = tet_volume(c[0], x, c[2], c[3]) / volume;
  w[2] = tet_volume(c[0], c[1], x, c[3]) / volume;
  w[3] = tet_volume(c[0], c[1], c[2], x) / volume;
  w[0] = 1.0 - w[1] - w[2] - w[3];
  return w;
}

// Marks the cells that a triangle passes, halving it until its parts lie in one cell each (cells are convex)
// or are so small that the cells of their corners are enough. A cell that the surface enters by less may be
// missed.
void mark_cells(const BccLattice& lattice, const Vec3d (&t)[3], std::vector<std::uint8_t>& state) {
  const std::size_t cell[3] = {lattice.locate(t[0]), lattice.locate(t[1]), lattice.locate(t[2])};
  const double edge2[3] = {squared_norm(t[1] - t[0]), squared_norm(t[2] - t[1]), squared_norm(t[0] - t[2])};
  const int longest = edge2[0] >= edge2[1] && edge2[0] >= edge2[2] ? 0 : (edge2[1] >= edge2[2] ? 1 : 2);
  const double small = 0.2 * lattice.cell();
  if ((cell[0] == cell[1] && cell[0] == cell[2]) || edge2[longest] < small * small) {
    for (const std::size_t id : cell)
      std::atomic_ref<std::uint8_t>(state[id]).store(kCut, std::memory_order_relaxed);
    return;
  }
  const Vec3d &a = t[longest], &b = t[(longest + 1) % 3], &c = t[(longest + 2) % 3];
  const Vec3d middle = 0.5 * (a + b);
  mark_cells(lattice, {a, middle, c}, state);
  mark_cells(lattice, {middle, b, c}, state);
}

std::vector<std::uint8_t> classify(const BccLattice& lattice, const SurfaceMesh& surface,
                                   const InsideTest& inside) {
  std::vector<std::uint8_t> in(lattice.point_count());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, in.size(), 256), [&](const auto& r) {
    for (std::size_t i = r.begin(); i < r.end(); ++i)
      in[i] = inside(lattice.position(lattice.point(i))) ? 1 : 0;
  });
  std::vector<std::uint8_t> state(lattice.cell_count(), kOutside);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, state.size(), 4096), [&](const auto& r) {
    std::array<LatticePoint, 4> corner;
    for (std::size_t id = r.begin(); id < r.end(); ++id) {
      if (!lattice.corners(id, corner)) continue;
      int count = 0;
      for (const LatticePoint& p : corner) count += in[lattice.index(p)];
      state[id] = count == 4 ? kInside : (count == 0 ? kOutside : kCut);
    }
  });
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, surface.triangles.size(), 64), [&](const auto& r) {
    for (std::size_t t = r.begin(); t < r.end(); ++t) {
      const Triangle& v = surface.triangles[t];
      mark_cells(lattice, {surface.points[v[0]], surface.points[v[1]], surface.points[v[2]]}, state);
    }
  });
  return state;
}

struct Cell {
  std::size_t id;
  double fraction;  // as sampled, 0 to 1
};

// Barycentric points of a sub-lattice: the corners of 3^3 equal parts, drawn in towards the middle.
std::vector<std::array<double, 4>> sample_points() {
  std::vector<std::array<double, 4>> points;
  constexpr int n = 3;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; i + j <= n; ++j)
      for (int k = 0; i + j + k <= n; ++k) {
        const int l = n - i - j - k;
        points.push_back(
            {(i + 0.5) / (n + 2), (j + 0.5) / (n + 2), (k + 0.5) / (n + 2), (l + 0.5) / (n + 2)});
      }
  return points;
}

std::vector<Cell> sample_cells(const BccLattice& lattice, const std::vector<std::uint8_t>& state,
                               const InsideTest& inside) {
  std::vector<Cell> cells;
  for (std::size_t id = 0; id < state.size(); ++id)
    if (state[id] != kOutside) cells.push_back({id, 1.0});
  const std::vector<std::array<double, 4>> samples = sample_points();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, cells.size(), 16), [&](const auto& r) {
    std::array<LatticePoint, 4> corner;
    for (std::size_t i = r.begin(); i < r.end(); ++i) {
      if (state[cells[i].id] != kCut) continue;
      lattice.corners(cells[i].id, corner);
      const Corners c = positions(lattice, corner);
      int count = 0;
      for (const auto& w : samples)
        count += inside(w[0] * c[0] + w[1] * c[1] + w[2] * c[2] + w[3] * c[3]) ? 1 : 0;
      cells[i].fraction = static_cast<double>(count) / static_cast<double>(samples.size());
    }
  });
  return cells;
}

// Mesh of the cells; point_of_node gives the lattice point of each node.
TetMesh assemble(const BccLattice& lattice, const std::vector<Cell>& cells,
                 std::vector<std::size_t>& point_of_node) {
  TetMesh mesh;
  mesh.tets.reserve(cells.size());
  mesh.inside_fraction.reserve(cells.size());
  point_of_node.clear();
  std::array<LatticePoint, 4> corner;
  for (const Cell& cell : cells) {
    lattice.corners(cell.id, corner);
    for (const LatticePoint& p : corner) point_of_node.push_back(lattice.index(p));
  }
  std::vector<std::size_t> used = point_of_node;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Tet tet;
    for (int k = 0; k < 4; ++k)
      tet[k] = static_cast<Index>(std::lower_bound(used.begin(), used.end(), point_of_node[4 * i + k]) -
                                  used.begin());
    mesh.tets.push_back(tet);
    mesh.inside_fraction.push_back(cells[i].fraction);
  }
  for (const std::size_t index : used) mesh.nodes.push_back(lattice.position(lattice.point(index)));
  point_of_node = std::move(used);
  return mesh;
}

// Where cells touch at a point or along an edge only, all cells around that point join in: the pieces there
// become one through faces, and the boundary a manifold.
void close_pinches(const BccLattice& lattice, std::vector<Cell>& cells) {
  std::vector<std::size_t> point_of_node;
  for (;;) {
    const std::vector<Index> bad = non_manifold_nodes(assemble(lattice, cells, point_of_node));
    if (bad.empty()) return;
    std::vector<std::size_t> added;
    std::array<LatticePoint, 4> corner;
    for (const Index node : bad) {
      const LatticePoint centre = lattice.point(point_of_node[node]);
      for (int z = -3; z <= 3; ++z)
        for (int y = -3; y <= 3; ++y)
          for (int x = -3; x <= 3; ++x) {
            const LatticePoint p = {centre.x + x, centre.y + y, centre.z + z};
            if ((p.x & 1) || (p.y & 1) || (p.z & 1) || !lattice.contains(p)) continue;
            for (int local = 0; local < 12; ++local) {
              const std::size_t id = 12 * lattice.index(p) + local;
              if (!lattice.corners(id, corner)) continue;
              for (const LatticePoint& c : corner)
                if (c.x == centre.x && c.y == centre.y && c.z == centre.z) added.push_back(id);
            }
          }
    }
    std::sort(added.begin(), added.end());
    added.erase(std::unique(added.begin(), added.end()), added.end());
    const std::size_t old = cells.size();
    for (const std::size_t id : added) {
      const auto end = cells.begin() + static_cast<std::ptrdiff_t>(old);
      const auto it =
          std::lower_bound(cells.begin(), end, id, [](const Cell& c, std::size_t i) { return c.id < i; });
      if (it == end || it->id != id) cells.push_back({id, 0.0});
    }
    if (cells.size() == old) return;
    std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.id < b.id; });
  }
}

// The cell among those kept that lies nearest to x, searched in growing boxes of the lattice.
std::size_t nearest_cell(const BccLattice& lattice, const std::vector<Cell>& cells, const Vec3d& x) {
  std::size_t best = 0;
  double least = 1e300;
  std::array<LatticePoint, 4> corner;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    lattice.corners(cells[i].id, corner);
    const Corners c = positions(lattice, corner);
    const double d2 = squared_norm(0.25 * (c[0] + c[1] + c[2] + c[3]) - x);
    if (d2 >= least) continue;
    least = d2;
    best = i;
  }
  return best;
}

void embed_points(const BccLattice& lattice, const SurfaceMesh& surface, const std::vector<std::size_t>& home,
                  const std::vector<Cell>& cells, EmbeddedSurface& embedded) {
  embedded.triangles = surface.triangles;
  embedded.tet.resize(surface.points.size());
  embedded.weights.resize(surface.points.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, surface.points.size(), 64), [&](const auto& r) {
    std::array<LatticePoint, 4> corner;
    for (std::size_t p = r.begin(); p < r.end(); ++p) {
      const auto it = std::lower_bound(cells.begin(), cells.end(), home[p],
                                       [](const Cell& c, std::size_t id) { return c.id < id; });
      const std::size_t tet = it != cells.end() && it->id == home[p]
                                  ? static_cast<std::size_t>(it - cells.begin())
                                  : nearest_cell(lattice, cells, surface.points[p]);
      lattice.corners(cells[tet].id, corner);
      embedded.tet[p] = static_cast<Index>(tet);
      embedded.weights[p] = barycentric(positions(lattice, corner), surface.points[p]);
    }
  });
}

}  // namespace

std::size_t count_touched_nodes(const BccLattice& lattice, const SurfaceMesh& surface,
                                const InsideTest& inside) {
  const std::vector<std::uint8_t> state = classify(lattice, surface, inside);
  std::vector<char> used(lattice.point_count(), 0);
  std::array<LatticePoint, 4> corner;
  for (std::size_t id = 0; id < state.size(); ++id) {
    if (state[id] == kOutside || !lattice.corners(id, corner)) continue;
    for (const LatticePoint& p : corner) used[lattice.index(p)] = 1;
  }
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), 1));
}

Embedding embed_surface(const BccLattice& lattice, const SurfaceMesh& surface, const InsideTest& inside) {
  Embedding result;
  std::vector<Cell> cells = sample_cells(lattice, classify(lattice, surface, inside), inside);
  const double cell_volume = std::pow(lattice.cell(), 3) / 12.0;
  for (const Cell& cell : cells) result.sampled_volume += cell.fraction * cell_volume;
  if (result.sampled_volume == 0.0) return result;

  // Cells without material go, unless a point of the surface lies in them.
  std::vector<std::size_t> home(surface.points.size());
  for (std::size_t p = 0; p < home.size(); ++p) home[p] = lattice.locate(surface.points[p]);
  std::vector<std::size_t> needed = home;
  std::sort(needed.begin(), needed.end());
  std::erase_if(cells, [&](const Cell& cell) {
    return cell.fraction == 0.0 && !std::binary_search(needed.begin(), needed.end(), cell.id);
  });
  close_pinches(lattice, cells);

  std::vector<std::size_t> point_of_node;
  result.mesh = assemble(lattice, cells, point_of_node);
  std::vector<Index> piece = face_connected_pieces(result.mesh.tets, result.pieces);
  if (result.pieces > 1) {
    std::vector<double> volume(result.pieces, 0.0);
    for (std::size_t i = 0; i < cells.size(); ++i) volume[piece[i]] += cells[i].fraction;
    const double largest = *std::max_element(volume.begin(), volume.end());
    double total = 0.0, dropped = 0.0;
    for (const double v : volume) {
      total += v;
      if (v >= 0.01 * largest) continue;
      ++result.dropped_pieces;
      dropped += v;
    }
    result.dropped_share = dropped / total;
    std::vector<Cell> kept;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (volume[piece[i]] >= 0.01 * largest) kept.push_back(cells[i]);
    cells = std::move(kept);
    result.pieces -= result.dropped_pieces;
    result.mesh = assemble(lattice, cells, point_of_node);
  }
  for (double& f : result.mesh.inside_fraction) f = std::max(f, kLeastFraction);
  embed_points(lattice, surface, home, cells, result.mesh.surface);
  return result;
}

double filled_volume(const TetMesh& mesh) {
  double volume = 0.0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& v = mesh.tets[t];
    const double share = mesh.inside_fraction.empty() ? 1.0 : mesh.inside_fraction[t];
    volume += share * tet_volume(mesh.nodes[v[0]], mesh.nodes[v[1]], mesh.nodes[v[2]], mesh.nodes[v[3]]);
  }
  return volume;
}

void match_volume(TetMesh& mesh, double volume) {
  const std::vector<double> sampled = mesh.inside_fraction;
  const auto scale = [&](double factor) {
    for (std::size_t t = 0; t < sampled.size(); ++t)
      if (sampled[t] < 1.0) mesh.inside_fraction[t] = std::clamp(sampled[t] * factor, kLeastFraction, 1.0);
    return filled_volume(mesh);
  };
  double low = 0.0, high = 1.0 / kLeastFraction;  // the volume grows with the factor
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (scale(middle) < volume ? low : high) = middle;
  }
  scale(0.5 * (low + high));
}

}  // namespace sinew
