#include "engine/contact/proximal_newton.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_operator.hpp"
#include "engine/contact/newton_step.hpp"
#include "engine/contact/newton_system.hpp"
#include "engine/contact/residuals.hpp"

namespace sinew {

namespace {

constexpr double kFirstShare = 1e-3;  // of a point's compliance
constexpr double kSafeShare = 3e-2;   // where that is too little to begin with
constexpr double kLeastShare = 1e-6;
constexpr double kFall = 0.1;       // of the share from round to round
constexpr double kResponse = 10.0;  // times E: length that a force stands for when states are chosen
constexpr int kMostRounds = 8;
constexpr int kMostSteps = 12;   // of one round
constexpr double kInner = 1e-2;  // of what is enough: where a round's law holds
constexpr double kWild = 100.0;  // times the residual at its start
constexpr double kProgress = 0.9;
constexpr int kPatience = 6;  // steps of a round until it should have got somewhere

/// The law of one round: the diagonal of G with E in it. At its start U stays as it is.
class Round {
 public:
  explicit Round(const ContactProblem& problem) : law_(problem) {
    const std::size_t count = problem.size();
    own_.resize(count);
    settings_.response.resize(count);
    settings_.most_krylov = 100;
    settings_.krylov_tolerance = 1e-4;
    settings_.bind = true;
    settings_.inside_laws = false;
    for (std::size_t c = 0; c < count; ++c) own_[c] = problem.gram[c * count + c];
  }

  /// Forces that answer the law with E = share times the own compliance, from those of `problem`.
  bool solve(const ContactProblem& problem, double share, double enough, ContactReport& report) {
    law_.displacement = problem.displacement;
    law_.force = problem.force;
    for (std::size_t s = 0; s < problem.scalar.size(); ++s) law_.scalar[s].force = problem.scalar[s].force;
    const std::size_t count = problem.size();
    for (std::size_t c = 0; c < count; ++c) {
      law_.gram[c * count + c] = (1.0 + share) * own_[c];
      settings_.response[c] = kResponse * share * problem.squared_step * own_[c];
    }
    NewtonSystem newton(law_, settings_);
    const double first = residual();
    for (int k = 0; k < kMostSteps; ++k) {
      if (!newton.step(report)) return false;
      ++report.newton_steps;
      const double left = residual();
      if (!(left <= kWild * first) || (k >= kPatience && left > kProgress * first)) return false;
      if (left <= enough) return true;
    }
    return false;
  }
  const ContactProblem& law() const { return law_; }

 private:
  double residual() const {
    double worst = 0.0;
    for (std::size_t c = 0; c < law_.size(); ++c) {
      if (law_.law_of(c) != PointLaw::contact) continue;
      const auto& e = law_.frame[c];
      const auto local = [&](const Vec3d& v) { return Vec3d{dot(e.n, v), dot(e.t1, v), dot(e.t2, v)}; };
      worst = std::max(worst, natural_map_residual(local(law_.displacement[c]), local(law_.force[c]),
                                                   settings_.response[c], law_.friction[c]));
    }
    return worst;
  }

  ContactProblem law_;
  NewtonSettings settings_;
  std::vector<double> own_;  ///< G_cc [1/kg]
};

/// Forces of an answer, put back inside their laws, with the displacements that belong to them.
void adopt(const ContactProblem& answer, const ContactOperator& op, ContactProblem& problem) {
  std::vector<Vec3d> own = answer.force;
  for (std::size_t c = 0; c < problem.size(); ++c) {
    if (problem.law_of(c) != PointLaw::contact) continue;
    const auto& e = problem.frame[c];
    const Vec3d f = own[c];
    const Vec3d local = project_on_cone(Vec3d{dot(e.n, f), dot(e.t1, f), dot(e.t2, f)}, problem.friction[c]);
    own[c] = local.x * e.n + local.y * e.t1 + local.z * e.t2;
  }
  std::vector<double> lambda;
  for (const ScalarRow& row : answer.scalar) lambda.push_back(row.force);
  set_forces(problem, op, own, lambda);
}

}  // namespace

ContactReport solve_proximal_newton(ContactProblem& problem, double enough, int max_products) {
  ContactReport report;
  KeptAnswer best;
  best.keep(problem, measure(problem).worst());
  const ContactOperator op(problem);
  Round round(problem);
  double share = kFirstShare, good = share, least = kLeastShare;
  bool failed = false;
  int idle = 0;
  for (int k = 0; k < kMostRounds && best.residual > enough && idle < 2 && report.products < max_products;
       ++k) {
    if (!round.solve(problem, share, kInner * enough, report)) {
      if (failed) break;
      if (k > 0) {  // back to a share that served, for good
        failed = true;
        share = least = good;
        continue;
      }
      share = kSafeShare;
      if (!round.solve(problem, share, kInner * enough, report)) break;
    }
    good = share;
    adopt(round.law(), op, problem);
    ++report.products;
    const double residual = measure(problem).worst();
    idle = residual < kProgress * best.residual ? 0 : idle + 1;
    if (residual < best.residual) best.keep(problem, residual);
    share = std::max(least, kFall * share);
  }
  best.restore(problem);
  report.change = best.residual;
  return report;
}

}  // namespace sinew
