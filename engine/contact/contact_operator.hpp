// The operator of a contact problem, U = U0 + h^2 (G + Q M Q^T) f + scalar rows, with what is found out about
// it once per solve: blocks of G that are zero (islands of several bodies, sorted by body), and h^2 Q M.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/contact/contact_problem.hpp"
#include "engine/contact/dense_columns.hpp"

namespace sinew {

/// Displacements by component, so that dense products run along them.
struct SplitVectors {
  std::vector<double> x, y, z;
  void assign(std::size_t count, double value) {
    x.assign(count, value);
    y.assign(count, value);
    z.assign(count, value);
  }
  Vec3d at(std::size_t i) const { return {x[i], y[i], z[i]}; }
  void set(std::size_t i, const Vec3d& v) {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
};

class ContactOperator {
 public:
  static constexpr std::size_t kGroup = 32;  ///< points per block of G
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);

  explicit ContactOperator(const ContactProblem& problem);

  std::size_t groups() const { return groups_; }
  std::size_t group_end(std::size_t group) const;

  /// u := u + h^2 G df for the changes of force in `steps` (scaled by h^2), over all groups but `except`.
  /// Parallel over the points; every point takes the steps in their order.
  void move(const std::vector<ColumnStep>& steps, std::size_t except, SplitVectors& u) const;

  /// z := z + Q^T df
  void add_to_z(std::size_t c, const Vec3d& change, std::vector<double>& z) const;
  /// sum += h^2 Q M z at one point.
  void add_low_rank(std::size_t c, const std::vector<double>& z, Vec3d& sum) const;
  /// Largest eigenvalue, at least zero, of the low-rank part of the block [m/N]: with it the block is
  /// majorised by an isotropic one.
  double largest_low_rank(std::size_t c) const;
  /// Compliance of a scalar row against itself, sum_kl d_k . (h^2 W)_kl d_l [m/N].
  double scalar_compliance(const ScalarRow& row) const;

  /// u := h^2 (G + Q M Q^T) f. Points without force cost nothing. `use_low_rank` false: G alone.
  void apply(const std::vector<Vec3d>& force, SplitVectors& u, bool use_low_rank = true) const;

 private:
  void find_zero_blocks();
  void project_metric();
  bool block_is_zero(std::size_t a, std::size_t b) const { return zero_[a * groups_ + b]; }

  const ContactProblem& p_;
  std::size_t count_, groups_;
  std::vector<char> zero_;        ///< {groups, groups}
  bool dense_ = true;             ///< no block is zero
  std::vector<Vec3d> projected_;  ///< h^2 Q M, in the places of the metric's vectors
};

}  // namespace sinew
