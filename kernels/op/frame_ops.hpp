// What a frame does with the nodes of one body besides its elements: moves, residuals, and the sums by which
// it decides. All arrays stand on the device; sums have an order that depends on the sizes alone.
#pragma once

#include <cstddef>

#include <sinew/base/config.hpp>
#include <sinew/base/vec3.hpp>

#include "kernels/device/view.hpp"
#include "kernels/op/vector_ops.hpp"

namespace sinew {

/// A body at the start of a frame; arrays stand where it is used.
struct FrameNodes {
  double time_step = 0;               ///< h [s]
  double alpha = 0;                   ///< mass damping [1/s]
  Vec3d gravity;                      ///< [m/s^2]
  View<const double> mass;            ///< {nodes} [kg]
  View<const Vec3d> start, velocity;  ///< {nodes} q_t [m], v_t [m/s]
  View<const Vec3d> external_force;   ///< {nodes} [N]; empty: none
};

/// Weighted sums of nodes: row r is the sum over k in [start[r], start[r + 1]) of weight[k] * x[node[k]].
struct DevicePoints {
  View<const std::size_t> start;  ///< {rows + 1}
  View<const Index> node;         ///< {terms}
  View<const double> weight;      ///< {terms}
  std::size_t size() const { return start.size > 0 ? start.size - 1 : 0; }
};

/// Places of the sums of each operation in its result.
struct ResidualSums {
  enum { residual2, scale2, farthest2, count };
};
struct SlopeSums {
  enum { gradient, contact, count };
};
struct PairSums {
  enum { curvature, change2, step2, count };
};
struct MomentumSums {
  enum { x, y, z, size, count };
};
struct FinishSums {
  enum { defect_x, defect_y, defect_z, momentum, kinetic, gravity, predicted2, moved2, count };
};

class FrameOps {
 public:
  virtual ~FrameOps() = default;

  /// q~ = q_t + h (v + h (g + f / m))
  virtual void predict(const FrameNodes& nodes, View<Vec3d> predicted) = 0;
  /// to[node[k]] = value[k]
  virtual void put(View<Vec3d> to, View<const Index> node, View<const Vec3d> value) = 0;
  /// The same as three floats a node, {3 nodes}.
  virtual void put_floats(View<float> to, View<const Index> node, View<const Vec3d> value) = 0;
  /// to = a x + b y over to.size items; y may be empty.
  virtual void combine(View<Vec3d> to, double a, View<const Vec3d> x, double b, View<const Vec3d> y) = 0;
  /// trial = position, plus length * direction for the first direction.size nodes.
  virtual void move(View<Vec3d> trial, View<const Vec3d> position, View<const Vec3d> direction,
                    double length) = 0;
  /// residual = gradient - h^2 contact for the first residual.size nodes, and ResidualSums: |residual|^2; the
  /// forces that it is compared with, inertia, elastic, outside, and a share of momentum; the largest |q|^2.
  /// scratch: of sums_scratch(), here and below.
  virtual void residual(const FrameNodes& nodes, View<const Vec3d> position, View<const Vec3d> predicted,
                        View<const Vec3d> gradient, View<const Vec3d> contact, View<Vec3d> residual,
                        View<double> sums, View<double> scratch) = 0;
  /// SlopeSums: gradient . direction, contact . direction.
  virtual void slopes(View<const Vec3d> gradient, View<const Vec3d> contact, View<const Vec3d> direction,
                      View<double> sums, View<double> scratch) = 0;
  /// PairSums of s . y, y . y, s . s.
  virtual void pair_sums(View<const Vec3d> step, View<const Vec3d> change, View<double> sums,
                         View<double> scratch) = 0;
  /// sum m v into three numbers.
  virtual void momentum(View<const double> mass, View<const Vec3d> v, View<double> sums,
                        View<double> scratch) = 0;
  /// With shift = momentum * inverse_mass: step and inverse_change lose the shift, change loses
  /// damped m shift. momentum stands on the device.
  virtual void remove_shift(View<const double> mass, View<const double> momentum, double inverse_mass,
                            double damped, View<Vec3d> step, View<Vec3d> inverse_change,
                            View<Vec3d> change) = 0;
  /// MomentumSums of a free body: what its forces, h^2 contact, do not account for [kg m], and its size.
  virtual void lost_momentum(const FrameNodes& nodes, View<const Vec3d> position, View<const Vec3d> predicted,
                             View<const Vec3d> contact, View<double> sums, View<double> scratch) = 0;
  /// One number: the largest |x|^2, infinite where it is none.
  virtual void largest(View<const Vec3d> x, View<double> sums, View<double> scratch) = 0;
  /// to[k] = scale sum_j middle[k, j] inner[j]
  virtual void weigh(View<double> to, View<const double> middle, View<const double> inner, double scale) = 0;
  /// to[r * columns + k] = row r of column k. The table of pointers stands on the device.
  virtual void gather_points(const DevicePoints& points, View<const Vec3d* const> columns,
                             View<Vec3d> to) = 0;
  /// velocity = (position - start) / h, correction = position - predicted (its first correction.size nodes),
  /// and FinishSums: change of momentum less gravity, damping and outside forces; its size; energies; the
  /// largest |predicted - start|^2 (of nodes without a correction |position - start|^2 too) and
  /// |position - start|^2 (infinite where it is none).
  virtual void finish(const FrameNodes& nodes, View<const Vec3d> position, View<const Vec3d> predicted,
                      View<Vec3d> velocity, View<Vec3d> correction, View<double> sums,
                      View<double> scratch) = 0;

  static constexpr std::size_t kMostSums = 8;
  /// Numbers of scratch for the sums over n items.
  static constexpr std::size_t sums_scratch(std::size_t n) {
    return (n + kSumItems - 1) / kSumItems * kMostSums;
  }
};

}  // namespace sinew
