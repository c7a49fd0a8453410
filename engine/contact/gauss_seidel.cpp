#include "engine/contact/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_operator.hpp"
#include "engine/contact/sweep_loop.hpp"

namespace sinew {

namespace {

constexpr std::size_t kGroup = ContactOperator::kGroup;

/// The problem during the sweeps. Its unknowns are the forces of the points, then (lambda, 0, 0) of the
/// scalar rows.
class Sweeper {
 public:
  explicit Sweeper(ContactProblem& problem)
      : p_(problem), operator_(problem), count_(problem.size()), z_(problem.metric.rank(), 0.0) {
    weight_.resize(count_ + p_.scalar.size());
    for (std::size_t c = 0; c < count_; ++c)
      weight_[c] = p_.law_of(c) == PointLaw::none ? 0.0 : p_.compliance(c) + operator_.largest_low_rank(c);
    for (std::size_t s = 0; s < p_.scalar.size(); ++s)
      weight_[count_ + s] = std::max(0.0, operator_.scalar_compliance(p_.scalar[s]));
    u_.assign(count_, 0.0);
    for (std::size_t c = 0; c < count_; ++c) {
      u_.x[c] = p_.displacement[c].x;
      u_.y[c] = p_.displacement[c].y;
      u_.z[c] = p_.displacement[c].z;
    }
    unknown_ = p_.force;
    for (const ScalarRow& row : p_.scalar) unknown_.push_back({row.force, 0.0, 0.0});
  }

  /// [m/N] of every unknown against itself.
  const std::vector<double>& weight() const { return weight_; }
  const std::vector<Vec3d>& unknown() const { return unknown_; }

  /// One pass over all; returns the largest change of a point by its own force [m].
  double sweep() {
    double largest = 0.0;
    for (std::size_t group = 0; group < operator_.groups(); ++group) {
      const std::size_t end = operator_.group_end(group);
      steps_.clear();
      for (std::size_t c = group * kGroup; c < end; ++c) visit(c, group * kGroup, end, largest);
      if (end - group * kGroup < count_) operator_.move(steps_, group, u_);
    }
    for (std::size_t s = 0; s < p_.scalar.size(); ++s) visit_scalar(s, largest);
    return largest;
  }

  /// Replaces the unknowns and moves all displacements with them.
  void set_unknowns(const std::vector<Vec3d>& next) {
    for (std::size_t group = 0; group < operator_.groups(); ++group) {
      steps_.clear();
      for (std::size_t c = group * kGroup; c < operator_.group_end(group); ++c) {
        const Vec3d change = next[c] - unknown_[c];
        if (change == Vec3d{}) continue;
        steps_.push_back({c, p_.squared_step * change});
        operator_.add_to_z(c, change, z_);
      }
      operator_.move(steps_, ContactOperator::kNoGroup, u_);
    }
    for (std::size_t s = 0; s < p_.scalar.size(); ++s)
      move_scalar(s, next[count_ + s].x - unknown_[count_ + s].x);
    unknown_ = next;
  }

  /// Writes forces and displacements back, the term of low rank included.
  void finish() {
    for (std::size_t c = 0; c < count_; ++c) {
      p_.displacement[c] = displacement(c);
      p_.force[c] = unknown_[c];
    }
    for (std::size_t s = 0; s < p_.scalar.size(); ++s) p_.scalar[s].force = unknown_[count_ + s].x;
  }

 private:
  Vec3d displacement(std::size_t c) const {
    Vec3d sum = u_.at(c);
    operator_.add_low_rank(c, z_, sum);
    return sum;
  }

  /// The force that satisfies the law of point c alone; without: its displacement without its own force.
  Vec3d solve_point(std::size_t c, const Vec3d& without) const {
    const double r = weight_[c];
    if (p_.law_of(c) == PointLaw::held) {
      const double total = r + p_.held_compliance_of(c);
      return total > 0.0 ? (-1.0 / total) * without : Vec3d{};
    }
    const auto& e = p_.frame[c];
    const Vec3d local = solve_coulomb_point(Vec3d{dot(e.n, without), dot(e.t1, without), dot(e.t2, without)},
                                            r, p_.friction[c]);
    return local.x * e.n + local.y * e.t1 + local.z * e.t2;
  }

  void visit(std::size_t c, std::size_t begin, std::size_t end, double& largest) {
    if (p_.law_of(c) == PointLaw::none) return;
    const double r = weight_[c];
    const Vec3d force = solve_point(c, displacement(c) - r * unknown_[c]);
    const Vec3d difference = force - unknown_[c];
    const Vec3d change = p_.squared_step * difference;
    if (change == Vec3d{}) return;
    unknown_[c] = force;
    largest = std::max(largest, r * norm(difference));
    steps_.push_back({c, change});
    operator_.add_to_z(c, difference, z_);
    add_columns(p_.gram.data(), count_, &steps_.back(), 1, begin, end, u_.x.data(), u_.y.data(), u_.z.data());
  }

  void visit_scalar(std::size_t s, double& largest) {
    const ScalarRow& row = p_.scalar[s];
    const double r = weight_[count_ + s];
    const double total = r + row.compliance;
    if (!(total > 0.0)) return;
    double value = row.offset;
    for (const auto& entry : row.entry) value += dot(entry.direction, displacement(entry.point));
    const double before = unknown_[count_ + s].x;
    double force = (r * before - value) / total;
    if (row.one_sided) force = std::max(0.0, force);
    if (force == before) return;
    largest = std::max(largest, r * std::abs(force - before));
    move_scalar(s, force - before);
    unknown_[count_ + s].x = force;
  }
  /// Moves all points by a change of lambda.
  void move_scalar(std::size_t s, double change) {
    if (change == 0.0) return;
    steps_.clear();
    for (const auto& entry : p_.scalar[s].entry) {
      const Vec3d force = change * entry.direction;
      const std::size_t c = static_cast<std::size_t>(entry.point);
      steps_.push_back({c, p_.squared_step * force});
      operator_.add_to_z(c, force, z_);
    }
    operator_.move(steps_, ContactOperator::kNoGroup, u_);
  }

  ContactProblem& p_;
  ContactOperator operator_;
  std::size_t count_;
  SplitVectors u_;              // displacements without the term of low rank
  std::vector<double> z_;       // Q^T (f - f_start)
  std::vector<double> weight_;  // [m/N] isotropic majorant of each block
  std::vector<Vec3d> unknown_;
  std::vector<ColumnStep> steps_;
};

}  // namespace

ContactReport solve_gauss_seidel(ContactProblem& problem, const ContactSolverSettings& settings) {
  if (problem.size() == 0) return {};
  Sweeper sweeper(problem);
  const ContactReport report = sweep_until_done(problem, settings, sweeper);
  sweeper.finish();
  return report;
}

}  // namespace sinew
