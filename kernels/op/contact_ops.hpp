// Contact problems on the device: laws of points, scalar rows, sweeps of Gauss-Seidel. Unknowns are world
// forces {c} of the points, then (lambda, 0, 0) of the scalar rows; engine/contact/contact_problem.hpp says
// what they mean.
#pragma once

#include <cstddef>

#include <sinew/base/config.hpp>

#include "kernels/element/contact/coulomb.hpp"
#include "kernels/element/contact/point_law.hpp"
#include "kernels/op/gram_ops.hpp"

namespace sinew {

/// A scalar row has the entries [first, end).
struct DeviceScalarRow {
  std::size_t first = 0, end = 0;
  double offset = 0.0, compliance = 0.0;
  int one_sided = 0;
};
struct DeviceScalarEntry {
  std::size_t point = 0;
  Vec3d direction;
};
/// The same entries by point.
struct DeviceScalarUse {
  std::size_t row = 0;
  Vec3d direction;
};

/// A problem; borrowed, on the device.
struct ContactView {
  double squared_step = 0.0;
  GramView gram;
  LowRankView metric;
  View<const PointLaw> law;                ///< {c}
  View<const ContactFrame<double>> frame;  ///< {c} of contacts
  View<const double> friction;             ///< {c} of contacts
  View<const double> held_compliance;      ///< {c}
  View<const DeviceScalarRow> scalar;
  View<const DeviceScalarEntry> entry;
  View<const std::size_t> use_start;  ///< {c + 1}; empty without scalar rows
  View<const DeviceScalarUse> use;
  /// {scalar rows} [m/N] of a row against itself: by h^2 G, and by h^2 (G + Q M Q^T).
  View<double> own_gram, own;

  SINEW_HD std::size_t points() const { return gram.count; }
  SINEW_HD std::size_t unknowns() const { return gram.count + scalar.size; }
  SINEW_HD double compliance(std::size_t c) const { return squared_step * gram.entry[c * gram.count + c]; }
  SINEW_HD Vec3d local(std::size_t c, const Vec3d& v) const {
    if (law[c] != PointLaw::contact) return v;
    const ContactFrame<double>& e = frame[c];
    return {dot(e.n, v), dot(e.t1, v), dot(e.t2, v)};
  }
  SINEW_HD Vec3d world(std::size_t c, const Vec3d& v) const {
    if (law[c] != PointLaw::contact) return v;
    const ContactFrame<double>& e = frame[c];
    return v.x * e.n + v.y * e.t1 + v.z * e.t2;
  }
  /// sum_k d_k . u_k of a scalar row
  SINEW_HD double value(std::size_t s, const Vec3d* u) const {
    double sum = 0.0;
    for (std::size_t k = scalar[s].first; k < scalar[s].end; ++k)
      sum += dot(entry[k].direction, u[entry[k].point]);
    return sum;
  }
  /// What the scalar rows add to the force of point c; x: unknowns.
  SINEW_HD Vec3d scalar_force(std::size_t c, const Vec3d* x) const {
    Vec3d sum{};
    if (scalar.size == 0) return sum;
    for (std::size_t k = use_start[c]; k < use_start[c + 1]; ++k)
      sum += x[points() + use[k].row].x * use[k].direction;
    return sum;
  }
};

/// What sweeps change.
struct SweepView {
  ContactView problem;
  View<Vec3d> u;              ///< {c} displacements without the term of low rank
  View<double> z;             ///< {rank} Q^T (f - f_start)
  View<const double> weight;  ///< {unknowns} [m/N] isotropic majorant of each block
  View<Vec3d> unknown;        ///< {unknowns}
  View<Vec3d> change;         ///< {unknowns} the last change of an unknown, h^2 times
  View<double> largest;       ///< {groups, then scalar rows} [m] largest change of a point in the sweep
};

inline constexpr std::size_t kSweepGroup = 32;  ///< points per block of G
inline constexpr std::size_t kNoSweepGroup = static_cast<std::size_t>(-1);

class ContactOps {
 public:
  virtual ~ContactOps() = default;

  /// to[c] = forces x of the unknowns, those of the scalar rows included, for the points [0, c).
  virtual void gather_forces(const ContactView& problem, View<const Vec3d> x, View<Vec3d> to) = 0;
  /// problem.own_gram and .own
  virtual void scalar_compliances(const ContactView& problem) = 0;
  /// weight {unknowns}: what Gauss-Seidel takes for the compliance of each unknown.
  virtual void sweep_weights(const ContactView& problem, View<double> weight) = 0;

  /// The changes of `previous` move all points but its own; then the points of `group` are visited, one after
  /// another. Either may be kNoSweepGroup. One launch: what moves the others runs beside the group, so that a
  /// sweep is one launch per group and one more.
  virtual void sweep_group(const SweepView& sweep, std::size_t group, std::size_t previous) = 0;
  /// A scalar row is visited, and moves all points: two launches.
  virtual void sweep_scalar(const SweepView& sweep, std::size_t row) = 0;
};

}  // namespace sinew
