// Hexahedra, prisms and pyramids to tetrahedra, conformingly.
// J. Dompierre, P. Labbe, M.-G. Vallet, R. Camarero: How to subdivide pyramids, prisms, and hexahedra into
// tetrahedra, 1999.
#include <algorithm>

#include "engine/mesh_io/cells.hpp"

namespace sinew::mesh_io {

namespace {

// Faces, outward for a cell of positive volume; -1 ends a triangle.
using FaceTable = std::vector<std::array<int, 4>>;
const FaceTable& faces_of(CellKind kind) {
  static const FaceTable hex{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                             {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const FaceTable prism{{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const FaceTable pyramid{{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}};
  return kind == CellKind::hex ? hex : kind == CellKind::prism ? prism : pyramid;
}

bool distinct(const Triangle& t) {
  return t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
}

// Triangles of a face: the diagonal starts at the smallest index. Collapsed triangles fall away.
void append_face(std::span<const Index> corners, const std::array<int, 4>& face, std::vector<Triangle>& out) {
  const int n = face[3] < 0 ? 3 : 4;
  int first = 0;
  for (int k = 1; k < n; ++k)
    if (corners[face[k]] < corners[face[first]]) first = k;
  for (int k = 1; k + 1 < n; ++k) {
    const Triangle t{corners[face[first]], corners[face[(first + k) % n]],
                     corners[face[(first + k + 1) % n]]};
    if (distinct(t)) out.push_back(t);
  }
}

// The five-tetrahedra case: no diagonal of the three far faces touches the corner opposite to the smallest
// one. The far triangles then hold three at that corner, whose link becomes a middle tetrahedron's face.
bool split_in_five(const std::vector<Triangle>& far, Index near, Index opposite, std::vector<Tet>& tets) {
  std::vector<Triangle> at_opposite;
  for (const Triangle& t : far)
    for (int k = 0; k < 3; ++k)
      if (t[k] == opposite) at_opposite.push_back({t[k], t[(k + 1) % 3], t[(k + 2) % 3]});
  if (far.size() != 6 || at_opposite.size() != 3) return false;
  const Index a = at_opposite[0][1], b = at_opposite[0][2];
  Index c = kNoNode;
  for (const Triangle& t : at_opposite)
    if (t[1] == b) c = t[2];
  if (c == kNoNode || c == a) return false;
  for (const Triangle& t : far)
    if (t[0] != opposite && t[1] != opposite && t[2] != opposite) tets.push_back({t[0], t[2], t[1], near});
  tets.push_back({a, b, c, opposite});
  tets.push_back({a, c, b, near});
  return true;
}

}  // namespace

CellSplit split_cell(CellKind kind, std::span<const Index> corners, const std::vector<Vec3d>& nodes) {
  const FaceTable& faces = faces_of(kind);
  const Index near = *std::min_element(corners.begin(), corners.end());
  CellSplit split;
  std::vector<Triangle> far, all;
  for (const auto& face : faces) {
    append_face(corners, face, all);
    const bool touches =
        std::any_of(face.begin(), face.end(), [&](int k) { return k >= 0 && corners[k] == near; });
    if (!touches) append_face(corners, face, far);
  }
  bool five = false;
  if (kind == CellKind::hex) {
    const std::size_t k =
        static_cast<std::size_t>(std::find(corners.begin(), corners.end(), near) - corners.begin());
    static constexpr int kOpposite[8] = {6, 7, 4, 5, 2, 3, 0, 1};
    five = split_in_five(far, near, corners[kOpposite[k]], split.tets);
  }
  if (!five) {
    split.tets.clear();
    for (const Triangle& t : far)
      split.tets.push_back({t[0], t[2], t[1], near});  // a cone over the far faces
  }
  const auto exists = [&](Index node) { return node >= 0 && static_cast<std::size_t>(node) < nodes.size(); };
  if (!std::all_of(corners.begin(), corners.end(), exists)) return split;

  const auto volume = [&](const Tet& t, const Vec3d& apex) {
    return tet_volume(nodes[t[0]], nodes[t[1]], nodes[t[2]], apex);
  };
  double total = 0.0, least = 0.0;
  const auto measure = [&](const std::vector<Tet>& tets, const Vec3d* apex) {
    total = least = 0.0;
    std::vector<double> each;
    for (const Tet& t : tets) each.push_back(volume(t, apex ? *apex : nodes[t[3]]));
    for (const double v : each) total += v;
    if (!each.empty())
      least = total < 0 ? -*std::max_element(each.begin(), each.end())
                        : *std::min_element(each.begin(), each.end());
  };
  measure(split.tets, nullptr);
  // Writers disagree about the orientation of prisms: take the one with positive volume.
  bool mirrored = total < 0;
  if (!(least > 0) && !split.tets.empty()) {
    Vec3d center;
    for (const Index node : corners) center += nodes[node];
    center = center / static_cast<double>(corners.size());
    std::vector<Tet> fan;
    for (const Triangle& t : all) fan.push_back({t[0], t[2], t[1], kCenterNode});
    measure(fan, &center);
    if (least > 0) {
      split.tets = std::move(fan);
      split.center = true;
      mirrored = total < 0;
    }
  }
  if (mirrored)
    for (Tet& t : split.tets) std::swap(t[0], t[1]);
  return split;
}

}  // namespace sinew::mesh_io
