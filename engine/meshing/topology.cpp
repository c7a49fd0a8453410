#include "engine/meshing/topology.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "engine/meshing/disjoint_sets.hpp"

namespace sinew {

namespace {

constexpr int kFaceOpposite[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

struct Face {
  std::array<Index, 3> node;
  Index tet;
};

// Joins all of tets[list[i]] that share a face; parent has one entry per list entry.
std::vector<Index> join_by_faces(const std::vector<Tet>& tets, const std::vector<Index>& list) {
  std::vector<Face> faces;
  faces.reserve(list.size() * 4);
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const auto& corner : kFaceOpposite) {
      const Tet& t = tets[list[i]];
      std::array<Index, 3> key = {t[corner[0]], t[corner[1]], t[corner[2]]};
      std::sort(key.begin(), key.end());
      faces.push_back({key, static_cast<Index>(i)});
    }
  }
  std::sort(faces.begin(), faces.end(),
            [](const Face& a, const Face& b) { return a.node != b.node ? a.node < b.node : a.tet < b.tet; });
  std::vector<Index> parent(list.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i].node == faces[i - 1].node) join(parent, faces[i].tet, faces[i - 1].tet);
  return parent;
}

double volume_of(const TetMesh& mesh, Index t) {
  const Tet& v = mesh.tets[t];
  return tet_volume(mesh.nodes[v[0]], mesh.nodes[v[1]], mesh.nodes[v[2]], mesh.nodes[v[3]]);
}

// Lists of the tetrahedra at the flagged nodes.
std::vector<std::vector<Index>> stars(const TetMesh& mesh, const std::vector<Index>& nodes) {
  std::vector<Index> slot(mesh.nodes.size(), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i) slot[nodes[i]] = static_cast<Index>(i);
  std::vector<std::vector<Index>> star(nodes.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const Index node : mesh.tets[t])
      if (slot[node] >= 0) star[slot[node]].push_back(static_cast<Index>(t));
  return star;
}

}  // namespace

std::vector<Index> face_connected_pieces(const std::vector<Tet>& tets, Index& piece_count) {
  std::vector<Index> all(tets.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<Index> parent = join_by_faces(tets, all);
  std::vector<Index> number(tets.size(), -1), piece(tets.size());
  piece_count = 0;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    Index& n = number[root_of(parent, static_cast<Index>(t))];
    if (n < 0) n = piece_count++;
    piece[t] = n;
  }
  return piece;
}

void keep_tets(TetMesh& mesh, const std::vector<char>& keep) {
  std::vector<Index> renamed(mesh.nodes.size(), -1);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    if (!keep[t]) continue;
    mesh.tets[kept] = mesh.tets[t];
    if (!mesh.inside_fraction.empty()) mesh.inside_fraction[kept] = mesh.inside_fraction[t];
    for (const Index node : mesh.tets[t]) renamed[node] = 0;
    ++kept;
  }
  mesh.tets.resize(kept);
  if (!mesh.inside_fraction.empty()) mesh.inside_fraction.resize(kept);
  Index count = 0;
  for (std::size_t i = 0; i < renamed.size(); ++i) {
    if (renamed[i] < 0) continue;
    renamed[i] = count;
    mesh.nodes[count++] = mesh.nodes[i];
  }
  mesh.nodes.resize(count);
  for (Tet& tet : mesh.tets)
    for (Index& node : tet) node = renamed[node];
}

std::vector<Index> non_manifold_nodes(const TetMesh& mesh) {
  const std::vector<Triangle> faces = boundary_triangles(mesh);
  // At each node the faces (node, a, b) are arrows a -> b; a manifold has exactly one cycle of them.
  std::vector<Index> start(mesh.nodes.size() + 1, 0);
  for (const Triangle& f : faces)
    for (const Index node : f) ++start[node + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::pair<Index, Index>> arrow(faces.size() * 3);
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (const Triangle& f : faces)
    for (int k = 0; k < 3; ++k) arrow[next[f[k]]++] = {f[(k + 1) % 3], f[(k + 2) % 3]};
  std::vector<Index> bad;
  for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
    const Index begin = start[node], end = start[node + 1];
    if (begin == end) continue;
    std::sort(arrow.begin() + begin, arrow.begin() + end);
    bool single = true;
    for (Index i = begin + 1; i < end; ++i) single = single && arrow[i].first != arrow[i - 1].first;
    Index steps = 0, at = arrow[begin].first;
    while (single && steps < end - begin) {
      const auto it =
          std::lower_bound(arrow.begin() + begin, arrow.begin() + end, std::pair<Index, Index>{at, -1});
      if (it == arrow.begin() + end || it->first != at) break;
      at = it->second;
      ++steps;
      if (at == arrow[begin].first) break;
    }
    if (!single || steps != end - begin) bad.push_back(static_cast<Index>(node));
  }
  return bad;
}

PieceReport drop_small_pieces(TetMesh& mesh, double least_share) {
  PieceReport report;
  Index count = 0;
  const std::vector<Index> piece = face_connected_pieces(mesh.tets, count);
  if (count < 2) return report;
  std::vector<double> volume(count, 0.0);
  double total = 0.0;
  for (std::size_t t = 0; t < piece.size(); ++t) {
    const double share = mesh.inside_fraction.empty() ? 1.0 : mesh.inside_fraction[t];
    volume[piece[t]] += share * volume_of(mesh, static_cast<Index>(t));
  }
  for (const double v : volume) total += v;
  const Index largest = static_cast<Index>(std::max_element(volume.begin(), volume.end()) - volume.begin());
  std::vector<char> keep(piece.size());
  for (std::size_t t = 0; t < piece.size(); ++t)
    keep[t] = piece[t] == largest || volume[piece[t]] >= least_share * volume[largest];
  for (Index p = 0; p < count; ++p) {
    if (p == largest || volume[p] >= least_share * volume[largest]) continue;
    ++report.dropped;
    report.dropped_share += volume[p] / total;
  }
  if (report.dropped > 0) keep_tets(mesh, keep);
  return report;
}

namespace {

// Gives every face-connected part of a star but the first its own copy of the node. False if there is one
// part.
bool double_node(TetMesh& mesh, Index node, const std::vector<Index>& star) {
  std::vector<Index> parent = join_by_faces(mesh.tets, star);
  std::vector<Index> copy(parent.size(), -1);
  bool several = false;
  for (std::size_t k = 0; k < parent.size(); ++k) {
    const Index root = root_of(parent, static_cast<Index>(k));
    if (root == 0) continue;
    several = true;
    if (copy[root] < 0) {
      copy[root] = static_cast<Index>(mesh.nodes.size());
      mesh.nodes.push_back(Vec3d(mesh.nodes[node]));
    }
    for (Index& corner : mesh.tets[star[k]])
      if (corner == node) corner = copy[root];
  }
  return several;
}

// The smallest tetrahedron of a star among those with a boundary face at the node.
Index smallest_at_boundary(const TetMesh& mesh, Index node, const std::vector<Index>& star) {
  std::vector<Face> faces;
  for (const Index t : star) {
    for (const auto& corner : kFaceOpposite) {
      std::array<Index, 3> key = {mesh.tets[t][corner[0]], mesh.tets[t][corner[1]], mesh.tets[t][corner[2]]};
      if (std::find(key.begin(), key.end(), node) == key.end()) continue;
      std::sort(key.begin(), key.end());
      faces.push_back({key, t});
    }
  }
  std::sort(faces.begin(), faces.end(),
            [](const Face& a, const Face& b) { return a.node != b.node ? a.node < b.node : a.tet < b.tet; });
  Index best = star[0];
  double least = 1e300;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const bool shared = (i > 0 && faces[i - 1].node == faces[i].node) ||
                        (i + 1 < faces.size() && faces[i + 1].node == faces[i].node);
    const double volume = volume_of(mesh, faces[i].tet);
    if (shared || volume > least || (volume == least && faces[i].tet >= best)) continue;
    least = volume;
    best = faces[i].tet;
  }
  return best;
}

}  // namespace

void make_boundary_manifold(TetMesh& mesh) {
  // Each pass doubles a node or removes tetrahedra, so the loop ends; in practice after two or three passes.
  for (;;) {
    const std::vector<Index> bad = non_manifold_nodes(mesh);
    if (bad.empty()) return;
    const std::vector<std::vector<Index>> star = stars(mesh, bad);
    std::vector<char> keep(mesh.tets.size(), 1);
    bool removed = false;
    for (std::size_t i = 0; i < bad.size(); ++i) {
      if (double_node(mesh, bad[i], star[i])) continue;
      keep[smallest_at_boundary(mesh, bad[i], star[i])] = 0;
      removed = true;
    }
    if (removed) keep_tets(mesh, keep);
  }
}

}  // namespace sinew
