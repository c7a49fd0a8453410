// Isosurface stuffing, in the order of the paper: signs at lattice points, cut points on edges, warping of
// lattice points that a cut point is too close to, and one stencil per sign pattern. Inside is "+" in the
// paper and here.
#include "engine/meshing/stuffing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace sinew {

namespace {

// Table 2 of the paper ("safe" values for the best guaranteed angles), as a share of the edge's length.
constexpr double kAlphaLong = 0.24999;
constexpr double kAlphaShort = 0.41189;

class Stuffing {
 public:
  Stuffing(const BccLattice& lattice, const std::vector<double>& values) : lattice_(lattice) {
    sign_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      sign_[i] = values[i] < 0.0 ? 1 : (values[i] > 0.0 ? -1 : 0);
  }

  void find_cuts(const std::vector<double>& values, const EdgeRoot& root);
  void warp();
  TetMesh build();

 private:
  struct Cut {
    std::uint8_t direction;
    Index node;      // in the result; -1: not used
    Vec3d position;  // [m]
  };
  struct Corner {
    LatticePoint point;
    std::size_t index;
    int sign;
  };

  int directions(std::size_t point) const {
    return point < lattice_.point_count() / 2 ? kLatticeDirections : 3;
  }
  Cut& cut_between(const LatticePoint& a, const LatticePoint& b);
  Index lattice_node(const Corner& corner);
  Index cut_node(const Corner& a, const Corner& b);
  bool diagonal_at_first(const Corner& a, const Corner& b, const Corner& outside) const;
  void emit(Index a, Index b, Index c, Index d);
  void emit_prism(const Index (&a)[3], const Index (&b)[3], const bool (&from_a)[3]);
  void fill_cell(const std::array<Corner, 4>& corner);

  const BccLattice& lattice_;
  std::vector<std::int8_t> sign_;         // {points}: +1 inside, 0 on the surface, -1 outside
  std::vector<std::uint32_t> cut_start_;  // {points + 1}: first cut of the edges that start at a point
  std::vector<Cut> cuts_;
  std::vector<Index> node_of_point_;                   // {points}
  std::vector<std::pair<std::size_t, Vec3d>> warped_;  // sorted by point: new position
  TetMesh mesh_;
};

LatticePoint moved(const LatticePoint& p, const LatticePoint& d, int sign) {
  return {p.x + sign * d.x, p.y + sign * d.y, p.z + sign * d.z};
}

// Long edges join points of equal parity.
bool is_long(const LatticePoint& a, const LatticePoint& b) {
  return ((a.x ^ b.x) & 1) == 0;
}

void Stuffing::find_cuts(const std::vector<double>& values, const EdgeRoot& root) {
  const std::size_t count = values.size();
  const auto is_cut = [&](const LatticePoint& p, std::size_t i, int direction, std::size_t& j) {
    const LatticePoint q = moved(p, kLatticeDirection[direction], 1);
    if (!lattice_.contains(q)) return false;
    j = lattice_.index(q);
    return sign_[i] * sign_[j] < 0;
  };
  cut_start_.assign(count + 1, 0);
  const auto range = tbb::blocked_range<std::size_t>(0, count, 4096);
  tbb::parallel_for(range, [&](const auto& r) {
    for (std::size_t i = r.begin(); i < r.end(); ++i) {
      const LatticePoint p = lattice_.point(i);
      std::size_t j = 0;
      for (int d = 0; d < directions(i); ++d) cut_start_[i + 1] += is_cut(p, i, d, j) ? 1 : 0;
    }
  });
  for (std::size_t i = 0; i < count; ++i) cut_start_[i + 1] += cut_start_[i];
  cuts_.resize(cut_start_[count]);
  tbb::parallel_for(range, [&](const auto& r) {
    for (std::size_t i = r.begin(); i < r.end(); ++i) {
      if (cut_start_[i] == cut_start_[i + 1]) continue;
      const LatticePoint p = lattice_.point(i);
      std::uint32_t next = cut_start_[i];
      std::size_t j = 0;
      for (int d = 0; d < directions(i); ++d) {
        if (!is_cut(p, i, d, j)) continue;
        const Vec3d a = lattice_.position(p), b = lattice_.position(lattice_.point(j));
        const double t = std::clamp(root(a, values[i], b, values[j]), 0.0, 1.0);
        cuts_[next++] = {static_cast<std::uint8_t>(d), -1, a + t * (b - a)};
      }
    }
  });
}

Stuffing::Cut& Stuffing::cut_between(const LatticePoint& a, const LatticePoint& b) {
  // The edge belongs to its even end, and among equals to the one with the lower coordinate.
  const bool from_a = is_long(a, b) ? (a.x + a.y + a.z < b.x + b.y + b.z) : (a.x & 1) == 0;
  const LatticePoint& start = from_a ? a : b;
  const LatticePoint& end = from_a ? b : a;
  int direction;
  if (is_long(a, b))
    direction = end.x != start.x ? 0 : (end.y != start.y ? 1 : 2);
  else
    direction = 3 + (end.x > start.x ? 1 : 0) + (end.y > start.y ? 2 : 0) + (end.z > start.z ? 4 : 0);
  std::uint32_t k = cut_start_[lattice_.index(start)];
  while (cuts_[k].direction != direction) ++k;
  return cuts_[k];
}

void Stuffing::warp() {
  // One after another in the order of the points: a warped point lies on the surface, so that its edges are
  // not cut any more and its neighbours may stay where they are.
  for (std::size_t i = 0; i < sign_.size(); ++i) {
    if (sign_[i] == 0) continue;
    const LatticePoint p = lattice_.point(i);
    const Vec3d at = lattice_.position(p);
    double nearest = 1e300;
    Vec3d target;
    for (int k = 0; k < 14; ++k) {
      const LatticePoint q =
          k < 6 ? moved(p, kLatticeDirection[k % 3], k < 3 ? 1 : -1) : moved(p, kLatticeDirection[k - 3], 1);
      if (!lattice_.contains(q) || sign_[lattice_.index(q)] * sign_[i] >= 0) continue;
      const Vec3d cut = cut_between(p, q).position;
      const double distance = norm(cut - at);
      const double limit = k < 6 ? kAlphaLong : kAlphaShort * 0.8660254037844386;
      if (distance < limit * lattice_.cell() && distance < nearest) {
        nearest = distance;
        target = cut;
      }
    }
    if (nearest == 1e300) continue;
    sign_[i] = 0;
    warped_.push_back({i, target});
  }
}

Index Stuffing::lattice_node(const Corner& corner) {
  Index& node = node_of_point_[corner.index];
  if (node >= 0) return node;
  node = static_cast<Index>(mesh_.nodes.size());
  Vec3d position = lattice_.position(corner.point);
  if (corner.sign == 0) {
    const auto it =
        std::lower_bound(warped_.begin(), warped_.end(), corner.index,
                         [](const auto& entry, std::size_t index) { return entry.first < index; });
    if (it != warped_.end() && it->first == corner.index) position = it->second;
  }
  mesh_.nodes.push_back(position);
  return node;
}

Index Stuffing::cut_node(const Corner& a, const Corner& b) {
  Cut& cut = cut_between(a.point, b.point);
  if (cut.node < 0) {
    cut.node = static_cast<Index>(mesh_.nodes.size());
    mesh_.nodes.push_back(cut.position);
  }
  return cut.node;
}

// A face with two inside corners and one outside is cut to a quadrilateral a, b, (b,outside), (a,outside).
// Both cells at the face must split it alike: from the cut point of the long edge where one is cut; otherwise
// by the parity rule (section 3.2 of the paper). True: the diagonal starts at a.
bool Stuffing::diagonal_at_first(const Corner& a, const Corner& b, const Corner& outside) const {
  if (is_long(a.point, outside.point)) return false;
  if (is_long(b.point, outside.point)) return true;
  int greater = 0;
  for (int k = 0; k < 3; ++k) greater += a.point[k] > outside.point[k] ? 1 : 0;
  return greater % 2 == 0;
}

void Stuffing::emit(Index a, Index b, Index c, Index d) {
  const auto& x = mesh_.nodes;
  if (tet_volume(x[a], x[b], x[c], x[d]) < 0.0) std::swap(c, d);
  mesh_.tets.push_back({a, b, c, d});
}

// Prism with triangles a and b, joined by the edges a[i]-b[i]. from_a[i] tells for the quadrilateral opposite
// to edge i, between j = i + 1 and k = i + 2 (mod 3), whether its diagonal is a[j]-b[k] instead of b[j]-a[k].
void Stuffing::emit_prism(const Index (&a)[3], const Index (&b)[3], const bool (&from_a)[3]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    // Quadrilaterals at edge i: opposite to k, with diagonal a[i]-b[j] if from_a[k], and opposite to j, with
    // diagonal a[k]-b[i] if from_a[j].
    const bool at_a = from_a[k] && !from_a[j];
    const bool at_b = !from_a[k] && from_a[j];
    if (!at_a && !at_b) continue;
    const Index tip = at_a ? a[i] : b[i];
    if (at_a)
      emit(tip, b[0], b[1], b[2]);
    else
      emit(tip, a[0], a[1], a[2]);
    if (from_a[i]) {
      emit(tip, a[j], b[k], b[j]);
      emit(tip, a[j], b[k], a[k]);
    } else {
      emit(tip, b[j], a[k], a[j]);
      emit(tip, b[j], a[k], b[k]);
    }
    return;
  }
}

void Stuffing::fill_cell(const std::array<Corner, 4>& corner) {
  const Corner* in[4];
  const Corner* on[4];
  const Corner* out[4];
  int ins = 0, ons = 0, outs = 0;
  for (const Corner& c : corner) {
    if (c.sign > 0)
      in[ins++] = &c;
    else if (c.sign == 0)
      on[ons++] = &c;
    else
      out[outs++] = &c;
  }
  if (ins == 0) return;
  if (outs == 0) {
    emit(lattice_node(corner[0]), lattice_node(corner[1]), lattice_node(corner[2]), lattice_node(corner[3]));
  } else if (ins == 1) {
    Index node[4];
    int n = 0;
    node[n++] = lattice_node(*in[0]);
    for (int i = 0; i < ons; ++i) node[n++] = lattice_node(*on[i]);
    for (int i = 0; i < outs; ++i) node[n++] = cut_node(*in[0], *out[i]);
    emit(node[0], node[1], node[2], node[3]);
  } else if (ins == 2 && ons == 1) {
    const Index tip = lattice_node(*on[0]);
    const Index a = lattice_node(*in[0]), b = lattice_node(*in[1]);
    const Index ca = cut_node(*in[0], *out[0]), cb = cut_node(*in[1], *out[0]);
    if (diagonal_at_first(*in[0], *in[1], *out[0])) {
      emit(tip, a, cb, b);
      emit(tip, a, cb, ca);
    } else {
      emit(tip, b, ca, a);
      emit(tip, b, ca, cb);
    }
  } else if (ins == 2) {
    const Index a[3] = {lattice_node(*in[0]), cut_node(*in[0], *out[0]), cut_node(*in[0], *out[1])};
    const Index b[3] = {lattice_node(*in[1]), cut_node(*in[1], *out[0]), cut_node(*in[1], *out[1])};
    // Edge 0 is in[0]-in[1]. Quadrilateral opposite to 2 joins edges 0, 1 (face of out[0]), opposite to 1
    // joins 2, 0.
    const bool face_0 = diagonal_at_first(*in[0], *in[1], *out[0]);   // a[0]-b[1]
    const bool face_1 = !diagonal_at_first(*in[0], *in[1], *out[1]);  // a[2]-b[0]
    // The third lies on the surface and is free: the choice that leaves no cycle of three diagonals.
    emit_prism(a, b, {!face_0, face_1, face_0});
  } else {
    const Index a[3] = {lattice_node(*in[0]), lattice_node(*in[1]), lattice_node(*in[2])};
    const Index b[3] = {cut_node(*in[0], *out[0]), cut_node(*in[1], *out[0]), cut_node(*in[2], *out[0])};
    emit_prism(a, b,
               {diagonal_at_first(*in[1], *in[2], *out[0]), diagonal_at_first(*in[2], *in[0], *out[0]),
                diagonal_at_first(*in[0], *in[1], *out[0])});
  }
}

TetMesh Stuffing::build() {
  node_of_point_.assign(sign_.size(), -1);
  std::array<LatticePoint, 4> point;
  std::array<Corner, 4> corner;
  for (std::size_t id = 0; id < lattice_.cell_count(); ++id) {
    if (!lattice_.corners(id, point)) continue;
    for (int k = 0; k < 4; ++k) {
      const std::size_t index = lattice_.index(point[k]);
      corner[k] = {point[k], index, sign_[index]};
    }
    fill_cell(corner);
  }
  return std::move(mesh_);
}

}  // namespace

EdgeRoot illinois_root(const DistanceFunction& f) {
  return [f](const Vec3d& a, double fa, const Vec3d& b, double fb) {
    double low = 0.0, high = 1.0, t = 0.5;
    int side = 0;
    for (int i = 0; i < 30 && high - low > 1e-9; ++i) {
      t = (low * fb - high * fa) / (fb - fa);
      const double ft = f(a + t * (b - a));
      if (std::abs(ft) < 1e-12) break;
      if ((ft < 0.0) == (fa < 0.0)) {
        low = t;
        fa = ft;
        if (side == -1) fb *= 0.5;
        side = -1;
      } else {
        high = t;
        fb = ft;
        if (side == 1) fa *= 0.5;
        side = 1;
      }
    }
    return t;
  };
}

std::vector<double> sample_on_lattice(const BccLattice& lattice, const DistanceFunction& f) {
  std::vector<double> values(lattice.point_count());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, values.size(), 256), [&](const auto& r) {
    for (std::size_t i = r.begin(); i < r.end(); ++i) values[i] = f(lattice.position(lattice.point(i)));
  });
  return values;
}

TetMesh stuff_isosurface(const BccLattice& lattice, const std::vector<double>& values, const EdgeRoot& root) {
  Stuffing stuffing(lattice, values);
  stuffing.find_cuts(values, root);
  stuffing.warp();
  return stuffing.build();
}

}  // namespace sinew
