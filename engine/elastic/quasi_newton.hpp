// L-BFGS with the constant A as initial Hessian (Liu, Bouaziz, Kavan, "Quasi-Newton Methods for Real-Time
// Simulation of Hyperelastic Materials", 2017) in compact form (Byrd, Nocedal, Schnabel 1994, Theorem 2.2):
//
//   H = A^-1 + Z M Z^T,  Z = [S, A^-1 Y],
//   M = [ R^-T (D + Y^T A^-1 Y) R^-1   -R^-T ]
//       [ -R^-1                          0   ],   R = upper triangle of S^T Y, D its diagonal.
//
// The compact form is what contact needs: the Delassus operator of H is that of A plus a term of low rank.
// With A^-1 alone in contact and H in the free step the forces overshoot by the ratio of the two compliances,
// and the iteration stalls on stiff bodies (measured: residual 1 instead of 1e-6 after 20 iterations).
//
// Pairs outlive the frame: A stays, and the Hessian of the next frame is nearly that of this one. On a
// twisting bar (stable Neo-Hookean, nu = 0.45) ten kept pairs take the energy error after five iterations
// from 0.25 to 3e-4 (docs/elasticity.md). They are part of the state and of snapshots.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <sinew/base/mat3.hpp>
#include <sinew/base/vec3.hpp>

#include "engine/elastic/device_columns.hpp"

namespace sinew {

/// sum_i a_i . b_i in a fixed order.
double block_dot(const Vec3d* a, const Vec3d* b, std::size_t n, std::vector<double>& sums);

class QuasiNewton {
 public:
  /// capacity: pairs kept; 0 leaves plain A^-1. size: free nodes. Forgets everything.
  void begin(std::size_t capacity, std::size_t size);
  /// The same, but pairs of this capacity and size stay if their precision is at least the given one:
  /// curvature out of rounding is of use near the end of a frame, not at the start of the next.
  /// queue: of the device on which pairs stand and arguments are taken, null: the host.
  void begin_frame(std::size_t capacity, std::size_t size, double least_precision,
                   DeviceQueue* queue = nullptr);
  void clear();
  /// Forgets all but the fixed pairs.
  void clear_kept(std::vector<double>& sums);
  std::size_t capacity() const { return capacity_; }
  std::size_t pairs() const { return count_; }
  std::size_t fixed() const { return fixed_.size(); }
  /// Columns of Z: steps of the kept and of the fixed pairs, then A^-1 of their changes.
  std::size_t rank() const { return 2 * (count_ + fixed_.size()); }
  const Mirrored<Vec3d>& column(std::size_t k) const {
    const std::size_t all = count_ + fixed_.size();
    const Pair& p = pair(k < all ? k : k - all);
    return k < all ? p.s : p.inverse_y;
  }
  /// M, {rank, rank} row-major.
  const std::vector<double>& middle() const { return middle_; }

  /// Remembers step s [m], change of gradient y and A^-1 y; without positive curvature the pair is left out.
  /// rounding [N s^2] of y gives the pair its precision |y| / rounding. next: a block that add_low_rank() is
  /// for next; next_products becomes its products with the columns, from the same pass, where the pairs stand
  /// on the host and this one stays.
  void push(const Mirrored<Vec3d>& s, const Mirrored<Vec3d>& y, const Mirrored<Vec3d>& inverse_y,
            std::vector<double>& sums, double rounding = 0.0, const Mirrored<Vec3d>* next = nullptr,
            std::vector<double>* next_products = nullptr);

  /// All pairs are those of a body that has turned by r since. A acts on each axis alike, so products stay.
  void turn(const Mat3d& r);

  /// A pair known beforehand, which stays the newest of all until clear() or the next frame: H y = s holds
  /// exactly. Pairs that are fixed together must have s_i . y_j = 0; s . y > 0.
  void fix(std::vector<Vec3d> s, std::vector<Vec3d> y, std::vector<Vec3d> inverse_y,
           std::vector<double>& sums);

  /// out += scale * Z M Z^T r. products: of r with the columns, from push(); null or empty: unknown.
  void add_low_rank(const Mirrored<Vec3d>& r, double scale, Mirrored<Vec3d>& out, std::vector<double>& sums,
                    const std::vector<double>* products = nullptr) const;
  /// Rows of Z at the points, {points, rank}; pairs on a device alone.
  std::vector<Vec3d> at_points(const DevicePoints& points) const { return on_device().at_points(points); }

  /// What a copy needs to go on with the same bits: pairs oldest first, and their products.
  struct Memory {
    std::size_t capacity = 0, size = 0;
    std::vector<std::vector<Vec3d>> steps, inverse_changes;  ///< {pairs}{size}
    std::vector<double> precision;                           ///< {pairs}
    std::vector<double> step_change, change_change;          ///< {pairs, pairs}: s_i . y_j, y_i . A^-1 y_j
  };
  Memory memory() const;
  void restore(const Memory& memory);

 private:
  struct Pair {
    Mirrored<Vec3d> s, inverse_y;
    double precision = 0.0;
  };
  struct FixedPair : Pair {
    Mirrored<Vec3d> y;
    std::vector<double> step_change;    ///< {all pairs}: s_i . y
    std::vector<double> change_change;  ///< {all pairs}: y_i . A^-1 y
  };
  const Pair& pair(std::size_t k) const { return k < count_ ? pairs_[k] : fixed_[k - count_]; }
  /// Pair `from` becomes pair `to` <= from; its place takes what was there.
  void move_pair(std::size_t from, std::size_t to);
  void measure_fixed(std::vector<double>& sums);
  void rebuild_middle();
  /// z_i . r for every column of Z, in one pass.
  void columns_dot(const Mirrored<Vec3d>& r, std::vector<double>& result, std::vector<double>& sums) const;
  void columns_dot_host(const Mirrored<Vec3d>& block, const Mirrored<Vec3d>* other, std::vector<double>& result,
                        std::vector<double>* other_result, std::vector<double>& sums) const;
  std::vector<const double*> column_numbers() const;
  /// z_i . y as they will be with the new pair, and its curvature s . y, |s|^2, |y|^2.
  struct Measured {
    double curvature = 0.0, change2 = 0.0, step2 = 0.0;
    std::vector<double> products;
  };
  Measured measure_on_device(const Mirrored<Vec3d>& s, const Mirrored<Vec3d>& y,
                             const Mirrored<Vec3d>& inverse_y);
  static Measured measure_on_host(const Mirrored<Vec3d>& s, const Mirrored<Vec3d>& y);
  void drop_oldest();
  void bind(DeviceQueue* queue);
  DeviceColumns& on_device() const;  ///< with the pairs as they are

  std::size_t capacity_ = 0, count_ = 0, size_ = 0;
  std::vector<Pair> pairs_;  ///< oldest first
  std::vector<FixedPair> fixed_;
  std::vector<double> sy_;  ///< {capacity, capacity}: s_i . y_j
  std::vector<double> yy_;  ///< {capacity, capacity}: y_i . A^-1 y_j
  std::vector<double> middle_;
  DeviceQueue* queue_ = nullptr;
  Pair incoming_;  ///< on a device: being measured
  std::unique_ptr<DeviceColumns> device_;
  mutable bool device_is_old_ = true;
};

}  // namespace sinew
