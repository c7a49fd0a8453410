// The inverse of a matrix after a term of low rank was added to it (Sherman, Morrison and Woodbury).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "engine/contact/contact_operator.hpp"

namespace sinew {

/// (A + Q M Q^T)^-1 = P - P Q T Q^T P with P = A^-1 (or what stands for it; symmetric), T = (I + M S)^-1 M
/// and S = Q^T P Q. A middle matrix that makes I + M S singular leaves P as it is.
class LowRankUpdate {
 public:
  /// q: {m, rank} world vectors, one matrix P for all three components; middle: {rank, rank} M; solve: x := P
  /// x.
  void set(std::vector<Vec3d> q, std::size_t rank, const std::vector<double>& middle,
           const std::function<void(SplitVectors&)>& solve);
  void clear() { rank_ = 0; }
  std::size_t rank() const { return rank_; }

  /// (P Q)^T v for a vector at one place; T z.
  std::vector<double> at(std::size_t place, const Vec3d& v) const;
  void put_at(std::size_t place, const Vec3d& v, double* z) const;
  std::vector<double> inside(const std::vector<double>& z) const;
  /// {rank, rank} T
  const std::vector<double>& middle() const { return inside_; }

  /// z := T Q^T P b, before b is overwritten by P b.
  std::vector<double> project(const SplitVectors& b) const;
  /// x -= P Q z
  void subtract(const std::vector<double>& z, SplitVectors& x) const;

 private:
  std::size_t rank_ = 0;
  std::vector<Vec3d> solved_;   ///< {m, rank} P Q
  std::vector<double> inside_;  ///< {rank, rank} T
};

}  // namespace sinew
