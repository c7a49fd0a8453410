#include "engine/handles/scalar_rows.hpp"

#include <algorithm>
#include <cmath>

#include "engine/handles/dense_factor.hpp"

namespace sinew {

namespace {

/// W of the scalar rows [m/N], compliance included, and Q^T d and M Q^T d of each.
class ScalarSystem {
 public:
  explicit ScalarSystem(const ContactProblem& p) : p_(p), count_(p.scalar.size()) {
    const std::size_t rank = p.metric.rank();
    seen_.assign(count_, std::vector<double>(rank, 0.0));
    pushed_.resize(count_);
    for (std::size_t s = 0; s < count_ && rank > 0; ++s) {
      for (const ScalarRow::Entry& e : p.scalar[s].entry) p.metric.add_to(e.point, e.direction, seen_[s]);
      p.metric.multiply_middle(seen_[s], pushed_[s]);
    }
    matrix_.resize(count_ * count_);
    for (std::size_t s = 0; s < count_; ++s)
      for (std::size_t t = 0; t < count_; ++t) matrix_[s * count_ + t] = entry(s, t);
  }
  double at(std::size_t s, std::size_t t) const { return matrix_[s * count_ + t]; }
  /// M Q^T d_s
  const std::vector<double>& pushed(std::size_t s) const { return pushed_[s]; }

 private:
  double entry(std::size_t s, std::size_t t) const {
    double sum = 0.0;
    for (const ScalarRow::Entry& a : p_.scalar[s].entry)
      for (const ScalarRow::Entry& b : p_.scalar[t].entry)
        sum += p_.gram[a.point * p_.size() + b.point] * dot(a.direction, b.direction);
    for (std::size_t k = 0; k < p_.metric.rank(); ++k) sum += seen_[s][k] * pushed_[t][k];
    return p_.squared_step * sum + (s == t ? p_.scalar[s].compliance : 0.0);
  }

  const ContactProblem& p_;
  std::size_t count_;
  std::vector<std::vector<double>> seen_, pushed_;
  std::vector<double> matrix_;
};

/// Forces of the active rows for which their values vanish, zero elsewhere. value: at zero forces.
std::vector<double> solve_active(const ScalarSystem& system, const std::vector<double>& value,
                                 const std::vector<char>& active) {
  std::vector<std::size_t> rows;
  for (std::size_t s = 0; s < value.size(); ++s)
    if (active[s]) rows.push_back(s);
  const std::size_t n = rows.size();
  std::vector<double> matrix(n * n), right(n), force(value.size(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    right[i] = -value[rows[i]];
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = system.at(rows[i], rows[j]);
  }
  DenseFactor factor;  // cables side by side depend on each other: they share the pull
  factor.compute(matrix, n);
  factor.half_solve(right, 1);
  factor.half_solve_back(right, 1);
  for (std::size_t i = 0; i < n; ++i) force[rows[i]] = right[i];
  return force;
}

/// Adds the change of the scalar forces to all displacements.
void move_points(const ScalarSystem& system, const std::vector<double>& change, ContactProblem& p) {
  std::vector<double> z(p.metric.rank());
  for (std::size_t k = 0; k < z.size(); ++k)
    for (std::size_t s = 0; s < change.size(); ++s) z[k] += system.pushed(s)[k] * change[s];
  for (std::size_t c = 0; c < p.size(); ++c) {
    Vec3d sum{};
    for (std::size_t s = 0; s < change.size(); ++s)
      for (const ScalarRow::Entry& e : p.scalar[s].entry)
        sum += (p.gram[c * p.size() + e.point] * change[s]) * e.direction;
    if (!z.empty()) sum += p.metric.at(c, z);
    p.displacement[c] += p.squared_step * sum;
  }
}

}  // namespace

bool solve_scalar_rows(ContactProblem& problem, ContactReport& report) {
  if (problem.matrix_free) return false;  // below, entries of G are read
  for (std::size_t c = 0; c < problem.size(); ++c)
    if (problem.law_of(c) != PointLaw::none) return false;
  const std::size_t n = problem.scalar.size();
  const ScalarSystem system(problem);
  std::vector<double> value(n);
  std::vector<char> active(n);
  double scale = 0.0;
  for (std::size_t s = 0; s < n; ++s) {
    const ScalarRow& row = problem.scalar[s];
    value[s] = row.offset;
    for (const ScalarRow::Entry& e : row.entry) value[s] += dot(e.direction, problem.displacement[e.point]);
    for (std::size_t t = 0; t < n; ++t)
      value[s] -= (system.at(s, t) - (s == t ? row.compliance : 0.0)) * problem.scalar[t].force;
    active[s] = !row.one_sided || row.force > 0.0;
    scale = std::max(scale, std::abs(value[s]));
  }
  const double noise = 1e-14 * scale;
  std::vector<double> force;
  const std::size_t limit = 50 * (n + 1);
  report = {};
  report.converged = false;
  for (std::size_t round = 0; round < limit && !report.converged; ++round) {
    force = solve_active(system, value, active);
    report.converged = true;
    for (std::size_t s = 0; s < n; ++s) {
      if (!problem.scalar[s].one_sided) continue;
      double v = value[s];
      for (std::size_t t = 0; t < n; ++t) v += system.at(s, t) * force[t];
      if (active[s] ? force[s] >= 0.0 : v >= -noise) continue;
      active[s] = !active[s];
      report.converged = false;
      if (round >= n) break;  // one at a time, the lowest first, comes to an end
    }
  }
  std::vector<double> change(n);
  for (std::size_t s = 0; s < n; ++s) {
    if (problem.scalar[s].one_sided) force[s] = std::max(0.0, force[s]);
    change[s] = force[s] - problem.scalar[s].force;
    problem.scalar[s].force = force[s];
  }
  move_points(system, change, problem);
  return true;
}

}  // namespace sinew
