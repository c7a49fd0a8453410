#include "engine/contact/working_set.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_operator.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kFewPoints = 64;  // not worth a part of their own
constexpr std::size_t kChunk = 256;
constexpr int kMostRounds = 12;
constexpr std::size_t kSlack = 3;  // a part this many times too large is made anew

struct Part {
  std::vector<std::size_t> point;  ///< ascending
  ContactProblem problem;
};

class WorkingSet {
 public:
  explicit WorkingSet(ContactProblem& problem) : p_(problem), count_(problem.size()) {
    if (!p_.memory.part) p_.memory.part = std::make_shared<Part>();
    part_ = static_cast<Part*>(p_.memory.part.get());
  }

  /// Takes in what has to take part now; false where that is most of the problem.
  bool choose(bool first) {
    std::vector<char> in(count_, 0);
    for (std::size_t c = 0; c < count_; ++c) in[c] = takes_part(c);
    for (const ScalarRow& row : p_.scalar)
      for (const auto& entry : row.entry) in[entry.point] = 1;
    const std::size_t needed = static_cast<std::size_t>(std::count(in.begin(), in.end(), 1));
    const std::size_t kept = part_->point.size();
    const bool fits =
        kept > 0 && part_->point.back() < count_ && (!first || kept <= kSlack * needed + kFewPoints);
    if (fits)
      for (const std::size_t c : part_->point) in[c] = 1;
    std::vector<std::size_t> point;
    for (std::size_t c = 0; c < count_; ++c)
      if (in[c]) point.push_back(c);
    if (point.empty() || 2 * point.size() > count_) return false;
    if (point != part_->point) {
      part_->point = std::move(point);
      part_->problem.memory = {};
    }
    return true;
  }
  double share() const {
    const double s = static_cast<double>(part_->point.size()) / static_cast<double>(count_);
    return s * s;
  }

  /// The part with the present forces; then what its answer does to the whole.
  ContactReport solve(const ContactSolverSettings& settings,
                      ContactReport (*solver)(ContactProblem&, const ContactSolverSettings&)) {
    fill();
    std::vector<Vec3d> change = total_force(part_->problem);
    const ContactReport report = solver(part_->problem, settings);
    const std::vector<Vec3d> after = total_force(part_->problem);
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = after[i] - change[i];
    move_others(change);
    for (std::size_t i = 0; i < change.size(); ++i) {
      p_.displacement[part_->point[i]] = part_->problem.displacement[i];
      p_.force[part_->point[i]] = part_->problem.force[i];
    }
    for (std::size_t s = 0; s < p_.scalar.size(); ++s) p_.scalar[s].force = part_->problem.scalar[s].force;
    return report;
  }

 private:
  bool takes_part(std::size_t c) const {
    if (p_.law_of(c) != PointLaw::contact) return p_.law_of(c) == PointLaw::held;
    return !(p_.force[c] == Vec3d{}) || dot(p_.frame[c].n, p_.displacement[c]) < 0.0;
  }

  void fill() {
    ContactProblem& sub = part_->problem;
    const std::vector<std::size_t>& point = part_->point;
    const std::size_t m = point.size();
    sub.squared_step = p_.squared_step;
    sub.law.clear();
    sub.held_compliance.clear();
    sub.frame.resize(m);
    sub.friction.resize(m);
    sub.displacement.resize(m);
    sub.force.resize(m);
    sub.gram.resize(m * m);
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t c = point[i];
      if (!p_.law.empty()) sub.law.push_back(p_.law[c]);
      if (!p_.held_compliance.empty()) sub.held_compliance.push_back(p_.held_compliance[c]);
      sub.frame[i] = p_.frame[c];
      sub.friction[i] = p_.friction[c];
      sub.displacement[i] = p_.displacement[c];
      sub.force[i] = p_.force[c];
    }
    for_each(m, 32, [&](std::size_t i) {
      const double* row = p_.gram.data() + point[i] * count_;
      for (std::size_t j = 0; j < m; ++j) sub.gram[i * m + j] = row[point[j]];
    });
    sub.metric.set_points(p_.metric, point);
    sub.scalar = p_.scalar;
    for (ScalarRow& row : sub.scalar)
      for (auto& entry : row.entry)
        entry.point = static_cast<Index>(
            std::lower_bound(point.begin(), point.end(), static_cast<std::size_t>(entry.point)) -
            point.begin());
  }

  static std::vector<Vec3d> total_force(const ContactProblem& problem) {
    std::vector<Vec3d> force = problem.force;
    for (const ScalarRow& row : problem.scalar)
      for (const auto& entry : row.entry) force[entry.point] += row.force * entry.direction;
    return force;
  }

  void move_others(const std::vector<Vec3d>& change) {
    std::vector<ColumnStep> steps;
    std::vector<double> z(p_.metric.rank(), 0.0), pushed;
    for (std::size_t i = 0; i < change.size(); ++i) {
      if (change[i] == Vec3d{}) continue;
      steps.push_back({part_->point[i], p_.squared_step * change[i]});
      if (!z.empty()) p_.metric.add_to(part_->point[i], p_.squared_step * change[i], z);
    }
    if (steps.empty()) return;
    if (!z.empty()) p_.metric.multiply_middle(z, pushed);
    SplitVectors u;
    u.assign(count_, 0.0);
    for_each((count_ + kChunk - 1) / kChunk, 2, [&](std::size_t chunk) {
      const std::size_t from = chunk * kChunk, to = std::min(count_, from + kChunk);
      add_columns(p_.gram.data(), count_, steps.data(), steps.size(), from, to, u.x.data(), u.y.data(),
                  u.z.data());
      for (std::size_t c = from; c < to; ++c) {
        p_.displacement[c] += u.at(c);
        if (!pushed.empty()) p_.displacement[c] += p_.metric.at(c, pushed);
      }
    });
  }

  ContactProblem& p_;
  std::size_t count_;
  Part* part_ = nullptr;
};

}  // namespace

ContactReport solve_working_set(ContactProblem& problem, const ContactSolverSettings& settings,
                                ContactReport (*solve)(ContactProblem&, const ContactSolverSettings&)) {
  if (problem.matrix_free || problem.size() <= kFewPoints) return solve(problem, settings);
  ContactReport report;
  double residual = measure(problem).worst(), work = 0.0;
  const double enough = std::max(settings.tolerance, settings.relative * residual);
  WorkingSet part(problem);
  for (int round = 0; residual > enough; ++round) {
    const double left = static_cast<double>(settings.max_products) - work;
    if (round > 0 && !(left > 0.0)) break;
    ContactSolverSettings some = settings;
    some.relative = 0.0;
    some.tolerance = enough;
    some.rough = settings.rough || settings.relative > 0.0;
    const bool whole = round >= kMostRounds || !part.choose(round == 0);
    const double share = whole ? 1.0 : part.share();
    some.max_products = static_cast<int>(std::clamp(left / share, 1.0, 2e9));
    const ContactReport one = whole ? solve(problem, some) : part.solve(some, solve);
    report.sweeps = std::max(report.sweeps, one.sweeps);
    report.newton_steps += one.newton_steps;
    work += share * one.products + (whole ? 0.0 : 1.0);
    const double before = residual;
    residual = measure(problem).worst();
    if (whole || (one.change > enough && !(residual > one.change) && before > 0.0)) break;
  }
  report.products = static_cast<int>(std::ceil(work));
  report.change = residual;
  report.converged = residual <= settings.tolerance;
  return report;
}

}  // namespace sinew
