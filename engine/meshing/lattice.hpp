// The body-centred cubic lattice: points with all-even or all-odd coordinates in units of half a cell, and
// its congruent tetrahedra (Labelle & Shewchuk 2007, section 2). Each has two opposite long edges of length
// `cell` and four short ones of length cell sqrt(3)/2.
#pragma once

#include <array>
#include <cstddef>

#include <sinew/mesh.hpp>

namespace sinew {

/// Integer coordinates in units of half a cell; all even or all odd.
struct LatticePoint {
  int x = 0, y = 0, z = 0;

  int& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  int operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
};

/// Directions in half cells: 0..2 long edges along +x, +y, +z; 3..10 short edges from an even point.
inline constexpr int kLatticeDirections = 11;
extern const std::array<LatticePoint, kLatticeDirections> kLatticeDirection;

/// A box full of lattice cells. A cell (tetrahedron) belongs to the long edge between two even points that it
/// contains: id = 12 * (index of the lower even point) + 4 * axis + quarter.
class BccLattice {
 public:
  /// Covers [low, high] with at least one whole cell of margin. shift: position of the lattice relative to
  /// the box centre, in cells. @throws MemoryError beyond kMaxPoints.
  BccLattice(const Vec3d& low, const Vec3d& high, double cell, const Vec3d& shift);

  static constexpr double kMaxPoints = 96e6;  ///< bounds the dense arrays to about 1.5 GB

  double cell() const { return cell_; }
  std::size_t point_count() const { return 2 * even_count_; }
  std::size_t cell_count() const { return 12 * even_count_; }
  int layers() const { return n_[2]; }
  std::size_t even_per_layer() const { return static_cast<std::size_t>(n_[0]) * n_[1]; }

  bool contains(const LatticePoint& p) const;
  std::size_t index(const LatticePoint& p) const {
    return (p.x & 1) * even_count_ + (static_cast<std::size_t>(p.z >> 1) * n_[1] + (p.y >> 1)) * n_[0] +
           (p.x >> 1);
  }
  LatticePoint point(std::size_t index) const;
  Vec3d position(const LatticePoint& p) const {
    return origin_ + 0.5 * cell_ * Vec3d{double(p.x), double(p.y), double(p.z)};
  }

  /// Corners 0,1 and 2,3 span the long edges; positive volume. False where the cell leaves the box.
  bool corners(std::size_t cell_id, std::array<LatticePoint, 4>& corner) const;
  /// The cell that contains x, which lies in the covered box.
  std::size_t locate(const Vec3d& x) const;
  /// Coordinates of x in half cells.
  Vec3d to_lattice(const Vec3d& x) const { return (x - origin_) / (0.5 * cell_); }

 private:
  Vec3d origin_;
  double cell_;
  int n_[3];
  std::size_t even_count_;
};

}  // namespace sinew
