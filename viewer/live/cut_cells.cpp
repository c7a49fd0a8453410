// Marching tetrahedra for a plane, and the boundary of the tetrahedra that are left.
#include "viewer/live/cut_cells.hpp"

#include <algorithm>
#include <cmath>

namespace sinew::viewer {
namespace {

struct Corner {
  Vec3d x;
  double value = 0.0;
};

/// Turned so that it is counter-clockwise about the normal.
/// @param hidden bit k: the side opposite of corner k is no edge.
void append_triangle(const std::array<Corner, 3>& corners, const Vec3d& normal, unsigned hidden,
                     const Vec3d& origin, const ValueRange& range, std::vector<CellVertex>& out) {
  const bool turned = dot(cross(corners[1].x - corners[0].x, corners[2].x - corners[0].x), normal) < 0.0;
  for (unsigned i = 0; i < 3; ++i) {
    const unsigned k = turned ? 2 - i : i;
    const Vec3d x = corners[k].x - origin;
    if (!is_finite(x)) return out.resize(out.size() - i);
    CellVertex vertex{{float(x.x), float(x.y), float(x.z)},
                      {float(normal.x), float(normal.y), float(normal.z)},
                      range.place(corners[k].value),
                      {}};
    for (unsigned side = 0; side < 3; ++side)
      vertex.corner[side] = side == k || (hidden >> side & 1u) != 0u ? 1.0f : 0.0f;
    out.push_back(vertex);
  }
}

bool fits(const Tet& tet, const std::vector<Vec3d>& nodes) {
  const auto [low, high] = std::minmax({tet[0], tet[1], tet[2], tet[3]});
  return low >= 0 && std::size_t(high) < nodes.size();
}

double value_at(const LiveCells& cells, std::size_t node) {
  return cells.values && node < cells.values->size() ? (*cells.values)[node] : 0.0;
}

}  // namespace

std::vector<CellFace> cell_faces(const std::vector<Tet>& tets) {
  constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // outward
  struct Side {
    Triangle sorted;
    CellFace face;
  };
  std::vector<Side> sides;
  sides.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (const auto& f : kFaces) {
      const Triangle nodes{tets[t][std::size_t(f[0])], tets[t][std::size_t(f[1])],
                           tets[t][std::size_t(f[2])]};
      Triangle sorted = nodes;
      std::sort(sorted.begin(), sorted.end());
      sides.push_back({sorted, {nodes, {Index(t), -1}}});
    }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) { return a.sorted < b.sorted; });
  std::vector<CellFace> faces;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    faces.push_back(sides[i].face);
    if (i + 1 < sides.size() && sides[i + 1].sorted == sides[i].sorted)
      faces.back().cell[1] = sides[++i].face.cell[0];
  }
  return faces;
}

void append_cut(const LiveCells& cells, const CutPlane& plane, const Vec3d& origin, const ValueRange& range,
                std::vector<CellVertex>& out) {
  const std::vector<Vec3d>& nodes = *cells.nodes;
  const Vec3d n = normalized(plane.normal);
  std::vector<double> above(nodes.size());  // [m]
  for (std::size_t i = 0; i < nodes.size(); ++i) above[i] = dot(nodes[i] - plane.point, n);
  for (const Tet& tet : *cells.tets) {
    if (!fits(tet, nodes)) continue;
    std::array<std::size_t, 4> low{}, high{};
    std::size_t lows = 0, highs = 0;
    for (const Index i : tet)
      if (above[std::size_t(i)] > 0.0)
        high[highs++] = std::size_t(i);
      else
        low[lows++] = std::size_t(i);
    if (lows == 0 || highs == 0) continue;
    const auto crossing = [&](std::size_t a, std::size_t b) {
      const double s = above[a] / (above[a] - above[b]);
      return Corner{nodes[a] + s * (nodes[b] - nodes[a]),
                    (1.0 - s) * value_at(cells, a) + s * value_at(cells, b)};
    };
    if (lows == 2) {  // a quadrangle, its corners in order round it
      const std::array<Corner, 4> q{crossing(low[0], high[0]), crossing(low[0], high[1]),
                                    crossing(low[1], high[1]), crossing(low[1], high[0])};
      append_triangle({q[0], q[1], q[2]}, n, 1u << 1, origin, range, out);
      append_triangle({q[0], q[2], q[3]}, n, 1u << 2, origin, range, out);
    } else {
      const std::size_t tip = lows == 1 ? low[0] : high[0];
      const auto& others = lows == 1 ? high : low;
      append_triangle({crossing(tip, others[0]), crossing(tip, others[1]), crossing(tip, others[2])}, n, 0u,
                      origin, range, out);
    }
  }
}

void append_whole(const LiveCells& cells, const std::vector<CellFace>& faces, const CutPlane& plane,
                  const Vec3d& origin, const ValueRange& range, std::vector<CellVertex>& out) {
  const std::vector<Vec3d>& nodes = *cells.nodes;
  const std::vector<Tet>& tets = *cells.tets;
  std::vector<char> left(tets.size(), 0);
  for (std::size_t t = 0; t < tets.size(); ++t) {
    if (!fits(tets[t], nodes)) continue;
    Vec3d center;
    for (const Index i : tets[t]) center += 0.25 * nodes[std::size_t(i)];
    left[t] = dot(center - plane.point, plane.normal) <= 0.0;
  }
  for (const CellFace& face : faces) {
    const bool first = left[std::size_t(face.cell[0])] != 0;
    const bool second = face.cell[1] >= 0 && left[std::size_t(face.cell[1])] != 0;
    if (first == second) continue;
    Triangle t = face.nodes;
    if (second) std::swap(t[1], t[2]);
    std::array<Corner, 3> corners;
    for (std::size_t k = 0; k < 3; ++k)
      corners[k] = {nodes[std::size_t(t[k])], value_at(cells, std::size_t(t[k]))};
    const Vec3d normal = normalized(cross(corners[1].x - corners[0].x, corners[2].x - corners[0].x));
    append_triangle(corners, normal, 0u, origin, range, out);
  }
}

}  // namespace sinew::viewer
