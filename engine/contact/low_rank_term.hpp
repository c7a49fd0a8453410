// The term Q M Q^T of a contact problem: M has one block per body, and a point sees the columns of its one or
// two bodies only, so that no more than those are kept.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <sinew/base/vec3.hpp>

namespace sinew {

class LowRankTerm {
 public:
  /// Columns of one block at one point: vectors() from `first`, as many as the block is wide.
  struct Segment {
    std::size_t block = 0, first = 0;
  };

  void clear();
  std::size_t rank() const { return begin_.back(); }
  std::size_t points() const { return row_.size() - 1; }
  std::size_t blocks() const { return begin_.size() - 1; }
  std::size_t begin(std::size_t block) const { return begin_[block]; }
  std::size_t width(std::size_t block) const { return begin_[block + 1] - begin_[block]; }
  /// {width, width} row-major, symmetric.
  const double* middle(std::size_t block) const { return middle_.data() + middle_begin_[block]; }
  std::span<const Segment> row(std::size_t point) const {
    return std::span(segment_).subspan(row_[point], row_[point + 1] - row_[point]);
  }
  const std::vector<Vec3d>& vectors() const { return vector_; }

  /// All blocks come before the first point.
  void add_block(std::size_t width, std::span<const double> middle);
  void add_point();
  /// Columns of a block at the point added last, zero where they are new; valid until the next call.
  Vec3d* columns(std::size_t block);

  /// z {rank} += Q^T d of one point; the other way round: Q z at one point.
  void add_to(std::size_t point, const Vec3d& d, std::vector<double>& z) const;
  Vec3d at(std::size_t point, const std::vector<double>& z) const;
  /// out := M z
  void multiply_middle(const std::vector<double>& z, std::vector<double>& out) const;

  /// The same term seen by some points of another one.
  void set_points(const LowRankTerm& from, std::span<const std::size_t> points);
  /// q: {points, rank}, middle: {rank, rank}; blocks are found from its zeros.
  void set_dense(std::size_t rank, const std::vector<Vec3d>& q, const std::vector<double>& middle);
  std::vector<Vec3d> dense() const;
  std::vector<double> dense_middle() const;

  bool operator==(const LowRankTerm&) const = default;

 private:
  std::vector<std::size_t> begin_{0};         ///< {blocks + 1} columns
  std::vector<std::size_t> middle_begin_{0};  ///< {blocks + 1}
  std::vector<double> middle_;
  std::vector<std::size_t> row_{0};  ///< {points + 1}
  std::vector<Segment> segment_;
  std::vector<Vec3d> vector_;
};

inline bool operator==(const LowRankTerm::Segment& a, const LowRankTerm::Segment& b) {
  return a.block == b.block && a.first == b.first;
}

}  // namespace sinew
