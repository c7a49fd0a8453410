#include "engine/meshing/lattice.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"

namespace sinew {

const std::array<LatticePoint, kLatticeDirections> kLatticeDirection = {{{2, 0, 0},
                                                                         {0, 2, 0},
                                                                         {0, 0, 2},
                                                                         {-1, -1, -1},
                                                                         {1, -1, -1},
                                                                         {-1, 1, -1},
                                                                         {1, 1, -1},
                                                                         {-1, -1, 1},
                                                                         {1, -1, 1},
                                                                         {-1, 1, 1},
                                                                         {1, 1, 1}}};

namespace {
// The odd points around a long even edge, counter-clockwise seen against its axis.
constexpr int kRing[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
}  // namespace

BccLattice::BccLattice(const Vec3d& low, const Vec3d& high, double cell, const Vec3d& shift) : cell_(cell) {
  double points = 2.0;
  double half[3];
  for (int k = 0; k < 3; ++k) {
    half[k] = std::ceil(0.5 * (high[k] - low[k]) / cell) + 2.0;
    points *= 2.0 * half[k] + 1.0;
  }
  if (!(points <= kMaxPoints))
    throw MemoryError("mesh lattice: " + human_bytes(16.0 * points) + " needed, " +
                      human_bytes(16.0 * kMaxPoints) + " allowed; use a larger cell or fewer vertices");
  for (int k = 0; k < 3; ++k) {
    n_[k] = 2 * static_cast<int>(half[k]) + 1;
    origin_[k] = 0.5 * (low[k] + high[k]) + (shift[k] - half[k]) * cell;
  }
  even_count_ = static_cast<std::size_t>(n_[0]) * n_[1] * n_[2];
}

bool BccLattice::contains(const LatticePoint& p) const {
  for (int k = 0; k < 3; ++k)
    if (p[k] < 0 || p[k] > 2 * n_[k] - 2) return false;
  return true;
}

LatticePoint BccLattice::point(std::size_t index) const {
  const int odd = index >= even_count_ ? 1 : 0;
  if (odd) index -= even_count_;
  const int x = static_cast<int>(index % n_[0]);
  index /= n_[0];
  return {2 * x + odd, 2 * static_cast<int>(index % n_[1]) + odd, 2 * static_cast<int>(index / n_[1]) + odd};
}

bool BccLattice::corners(std::size_t cell_id, std::array<LatticePoint, 4>& corner) const {
  const int local = static_cast<int>(cell_id % 12);
  const int axis = local / 4, quarter = local % 4;
  const int g = (axis + 1) % 3, h = (axis + 2) % 3;
  corner[0] = corner[1] = point(cell_id / 12);
  corner[1][axis] += 2;
  corner[2] = corner[3] = corner[0];
  for (int k = 0; k < 2; ++k) {
    const int* ring = kRing[(quarter + k) % 4];
    corner[2 + k][axis] += 1;
    corner[2 + k][g] += ring[0];
    corner[2 + k][h] += ring[1];
  }
  return contains(corner[1]) && contains(corner[2]) && contains(corner[3]);
}

std::size_t BccLattice::locate(const Vec3d& x) const {
  const Vec3d u = to_lattice(x);
  LatticePoint centre;  // odd point of the cube that contains x
  Vec3d v;
  for (int k = 0; k < 3; ++k) {
    centre[k] = std::clamp(2 * static_cast<int>(std::floor(0.5 * u[k])) + 1, 1, 2 * n_[k] - 3);
    v[k] = u[k] - centre[k];
  }
  // The cube falls into six pyramids (largest component of v) and each of them into four (second largest).
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2 - i; ++j)
      if (std::abs(v[order[j]]) < std::abs(v[order[j + 1]])) std::swap(order[j], order[j + 1]);
  const int across = order[0], side = order[1], axis = order[2];
  const int across_sign = v[across] < 0 ? -1 : 1, side_sign = v[side] < 0 ? -1 : 1;
  LatticePoint base = centre;
  base[across] += across_sign;
  base[side] += side_sign;
  base[axis] -= 1;
  // Seen from the edge, the two odd corners differ along `across` and lie at -side_sign along `side`.
  const int g = (axis + 1) % 3;
  const int quarter = across == g ? (side_sign < 0 ? 0 : 2) : (side_sign > 0 ? 1 : 3);
  return 12 * index(base) + 4 * axis + quarter;
}

}  // namespace sinew
