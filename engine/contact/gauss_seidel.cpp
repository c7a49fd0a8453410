#include "engine/contact/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact/anderson.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kGroup = 32;
constexpr std::size_t kPointGrain = 256;  // points of the dense product per task
constexpr int kPlainSweeps = 4;           // before extrapolation starts: most problems need no more

/// The problem during the sweeps: displacements by component, so that the dense product runs along them.
class Sweeper {
 public:
  explicit Sweeper(ContactProblem& problem) : p_(problem), count_(problem.size()), z_(problem.rank, 0.0) {
    projected_.resize(count_ * p_.rank);
    for (std::size_t c = 0; c < count_; ++c)
      for (std::size_t l = 0; l < p_.rank; ++l)
        for (std::size_t k = 0; k < p_.rank; ++k)
          projected_[c * p_.rank + l] +=
              (p_.squared_step * p_.middle[k * p_.rank + l]) * p_.low_rank[c * p_.rank + k];
    compliance_.resize(count_);
    for (std::size_t c = 0; c < count_; ++c) compliance_[c] = p_.compliance(c) + largest_extra(c);
    for (auto& axis : u_) axis.resize(count_);
    for (std::size_t c = 0; c < count_; ++c)
      for (int axis = 0; axis < 3; ++axis) u_[axis][c] = p_.displacement[c][axis];
  }

  double compliance(std::size_t c) const { return compliance_[c]; }

  /// One pass over all contacts; returns the largest change of a point by its own force [m].
  double sweep() {
    double largest = 0.0;
    for (std::size_t begin = 0; begin < count_; begin += kGroup) {
      const std::size_t end = std::min(begin + kGroup, count_);
      bool moved = false;
      for (std::size_t c = begin; c < end; ++c) moved = visit(c, begin, end, largest) || moved;
      if (moved && end - begin < count_) {
        move_points(0, begin, begin, end);
        move_points(end, count_, begin, end);
      }
    }
    return largest;
  }

  /// Replaces the forces and moves all displacements with them.
  void set_forces(const std::vector<Vec3d>& force) {
    for (std::size_t begin = 0; begin < count_; begin += kGroup) {
      const std::size_t end = std::min(begin + kGroup, count_);
      for (std::size_t c = begin; c < end; ++c) {
        step_[c - begin] = p_.squared_step * (force[c] - p_.force[c]);
        add_to_z(c, force[c] - p_.force[c]);
      }
      move_points(0, count_, begin, end);
    }
    p_.force = force;
  }

  /// Writes the displacements back, the term of low rank included.
  void finish() {
    for (std::size_t c = 0; c < count_; ++c) p_.displacement[c] = displacement(c);
  }

 private:
  Vec3d displacement(std::size_t c) const {
    Vec3d sum{u_[0][c], u_[1][c], u_[2][c]};
    for (std::size_t l = 0; l < p_.rank; ++l) sum += z_[l] * projected_[c * p_.rank + l];
    return sum;
  }
  void add_to_z(std::size_t c, const Vec3d& change) {
    for (std::size_t l = 0; l < p_.rank; ++l) z_[l] += dot(p_.low_rank[c * p_.rank + l], change);
  }

  /// Largest eigenvalue, at least zero, of the low-rank part of the block [m/N]: with it the block is
  /// majorised by an isotropic one. The fixed point does not depend on it.
  double largest_extra(std::size_t c) const {
    double m[3][3] = {};
    for (std::size_t l = 0; l < p_.rank; ++l) {
      const Vec3d &a = projected_[c * p_.rank + l], &b = p_.low_rank[c * p_.rank + l];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] += a[i] * b[j];
    }
    // Closed form for a symmetric 3 x 3 matrix (Smith 1961).
    const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3.0;
    const double off = m[0][1] * m[0][1] + m[0][2] * m[0][2] + m[1][2] * m[1][2];
    const double a = m[0][0] - mean, b = m[1][1] - mean, d = m[2][2] - mean;
    const double spread = std::sqrt((a * a + b * b + d * d + 2.0 * off) / 6.0);
    if (!(spread > 0.0)) return std::max(0.0, mean);
    const double det = a * (b * d - m[1][2] * m[1][2]) - m[0][1] * (m[0][1] * d - m[1][2] * m[0][2]) +
                       m[0][2] * (m[0][1] * m[1][2] - b * m[0][2]);
    const double r = std::clamp(det / (2.0 * spread * spread * spread), -1.0, 1.0);
    return std::max(0.0, mean + 2.0 * spread * std::cos(std::acos(r) / 3.0));
  }

  bool visit(std::size_t c, std::size_t begin, std::size_t end, double& largest) {
    const auto& e = p_.frame[c];
    const double r = compliance_[c];
    const Vec3d without = displacement(c) - r * p_.force[c];
    const Vec3d local = solve_coulomb_point(Vec3d{dot(e.n, without), dot(e.t1, without), dot(e.t2, without)},
                                            r, p_.friction[c]);
    const Vec3d force = local.x * e.n + local.y * e.t1 + local.z * e.t2;
    const Vec3d difference = force - p_.force[c];
    const Vec3d change = p_.squared_step * difference;
    step_[c - begin] = change;
    if (change == Vec3d{}) return false;
    p_.force[c] = force;
    largest = std::max(largest, r * norm(difference));
    add_to_z(c, difference);
    add_column(c, change, begin, end);
    return true;
  }

  /// u_d += G_dc change for d in [from, to); G is symmetric, so its row is read.
  void add_column(std::size_t c, const Vec3d& change, std::size_t from, std::size_t to) {
    const double* row = p_.gram.data() + c * count_;
    double *x = u_[0].data(), *y = u_[1].data(), *z = u_[2].data();
    for (std::size_t d = from; d < to; ++d) {
      x[d] += row[d] * change.x;
      y[d] += row[d] * change.y;
      z[d] += row[d] * change.z;
    }
  }

  /// Moves the points [from, to) by the changes of the group [begin, end), contact by contact.
  void move_points(std::size_t from, std::size_t to, std::size_t begin, std::size_t end) {
    const std::size_t chunks = (to - from + kPointGrain - 1) / kPointGrain;
    for_each(chunks, 1, [&](std::size_t chunk) {
      const std::size_t first = from + chunk * kPointGrain, last = std::min(to, first + kPointGrain);
      for (std::size_t c = begin; c < end; ++c)
        if (!(step_[c - begin] == Vec3d{})) add_column(c, step_[c - begin], first, last);
    });
  }

  ContactProblem& p_;
  std::size_t count_;
  std::vector<double> u_[3];        // displacements without the term of low rank
  std::vector<double> z_;           // Q^T (f - f_start)
  std::vector<Vec3d> projected_;    // h^2 Q M
  std::vector<double> compliance_;  // [m/N] isotropic majorant of each block
  Vec3d step_[kGroup];              // h^2 times the change of force in the group
};

}  // namespace

ContactReport solve_gauss_seidel(ContactProblem& problem, const GaussSeidelSettings& settings) {
  ContactReport report;
  if (problem.size() == 0) return report;
  Sweeper sweeper(problem);
  AndersonAccelerator accelerator;
  std::vector<Vec3d> before;
  double enough = settings.tolerance;
  for (report.sweeps = 1;; ++report.sweeps) {
    before = problem.force;
    report.change = sweeper.sweep();
    if (report.sweeps == 1) enough = std::max(enough, settings.relative * report.change);
    report.converged = report.change <= settings.tolerance;
    if (report.change <= enough || report.sweeps >= settings.max_sweeps) break;
    if (report.sweeps < kPlainSweeps || settings.plain) continue;
    const std::vector<Vec3d>* next =
        accelerator.extrapolate(before, problem, [&](std::size_t c) { return sweeper.compliance(c); });
    if (next) sweeper.set_forces(*next);
  }
  sweeper.finish();
  return report;
}

}  // namespace sinew
