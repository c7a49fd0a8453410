#include "engine/contact/nonsmooth_newton.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_operator.hpp"
#include "engine/contact/gauss_seidel.hpp"
#include "engine/contact/newton_step.hpp"
#include "engine/contact/residuals.hpp"

namespace sinew {

namespace {

/// Unknowns: three per point in its own frame (world axes where held), then the scalar rows.
class NonsmoothNewton {
 public:
  NonsmoothNewton(ContactProblem& problem, const NonsmoothSettings& settings, const NonsmoothStop& stop)
      : p_(problem),
        settings_(settings),
        stop_(stop),
        operator_(problem),
        count_(problem.size()),
        size_(3 * count_ + problem.scalar.size()),
        phi_(size_),
        omega_(size_),
        e_(size_),
        lambda_(size_) {
    for (const ScalarRow& row : p_.scalar) {
      own_.push_back(operator_.scalar_compliance(row));
      total_.push_back(own_.back() + row.compliance);
    }
    for (std::size_t c = 0; c < count_; ++c) put(lambda_, c, local(c, p_.force[c]));
    for (std::size_t s = 0; s < p_.scalar.size(); ++s) lambda_[3 * count_ + s] = p_.scalar[s].force;
    if (settings_.form == NewtonForm::published && stop_.function == Complementarity::fischer_burmeister)
      take_weights_off();
  }

  void step(ContactReport& report) {
    evaluate();
    std::vector<double> change(size_, 0.0);
    report.products += 1 + conjugate_residual(change);
    if (settings_.form == NewtonForm::published) {
      for (std::size_t i = 0; i < size_; ++i) lambda_[i] += change[i];
      std::vector<double> force(size_);
      for (std::size_t i = 0; i < size_; ++i) force[i] = omega_[i] * lambda_[i];
      take(force, false);
      return;
    }
    std::vector<double> force(size_);
    for (std::size_t i = 0; i < size_; ++i) force[i] = lambda_[i] + std::sqrt(omega_[i]) * change[i];
    take(force, true);
  }

 private:
  bool contact(std::size_t c) const { return p_.law_of(c) == PointLaw::contact; }
  Vec3d local(std::size_t c, const Vec3d& v) const {
    if (!contact(c)) return v;
    const auto& e = p_.frame[c];
    return {dot(e.n, v), dot(e.t1, v), dot(e.t2, v)};
  }
  Vec3d world(std::size_t c, const Vec3d& v) const {
    if (!contact(c)) return v;
    const auto& e = p_.frame[c];
    return v.x * e.n + v.y * e.t1 + v.z * e.t2;
  }
  static Vec3d get(const std::vector<double>& a, std::size_t c) {
    return {a[3 * c], a[3 * c + 1], a[3 * c + 2]};
  }
  static void put(std::vector<double>& a, std::size_t c, const Vec3d& v) {
    for (int k = 0; k < 3; ++k) a[3 * c + k] = v[k];
  }

  /// r [m/N] of a point's rows.
  double scaling(std::size_t c) const {
    return settings_.scaling == RowScaling::mass && !p_.mass_gram.empty() ? p_.squared_step * p_.mass_gram[c]
                                                                          : p_.compliance(c);
  }

  /// Unknowns whose forces Omega lambda are those that act: with the forces themselves for unknowns, each
  /// solve would lose a share of them where the gap is not zero.
  void take_weights_off() {
    for (std::size_t c = 0; c < count_; ++c)
      if (const double r = scaling(c); contact(c) && r > 0.0)
        lambda_[3 * c] = nonsmooth_unweighted(local(c, p_.displacement[c]).x, lambda_[3 * c], r);
    for (std::size_t s = 0; s < p_.scalar.size(); ++s) {
      const ScalarRow& row = p_.scalar[s];
      double& force = lambda_[3 * count_ + s];
      if (const double r = own_[s] + row.compliance; row.one_sided && r > 0.0 && row.compliance == 0.0)
        force = nonsmooth_unweighted(scalar_value(p_, row), force, r);
    }
  }

  /// phi, omega and e of all rows at the present displacements and forces.
  void evaluate() {
    for (std::size_t c = 0; c < count_; ++c) {
      const Vec3d u = local(c, p_.displacement[c]), f = get(lambda_, c);
      const double r = scaling(c);
      NonsmoothPoint<double> rows = nonsmooth_left<double>();
      if (p_.law_of(c) == PointLaw::held)
        rows = nonsmooth_held(u, f, p_.held_compliance_of(c));
      else if (contact(c) && r > 0.0 && p_.compliance(c) > 0.0)
        rows = nonsmooth_contact(u, f, r, p_.friction[c], stop_.function);
      put(phi_, c, rows.phi);
      put(omega_, c, rows.omega);
      put(e_, c, rows.e);
    }
    for (std::size_t s = 0; s < p_.scalar.size(); ++s) {
      const std::size_t i = 3 * count_ + s;
      const ScalarRow& row = p_.scalar[s];
      const double value = scalar_value(p_, row) + row.compliance * lambda_[i];
      const NonsmoothRow<double> n = nonsmooth_scalar(value, lambda_[i], own_[s] + row.compliance,
                                                      row.compliance, row.one_sided, stop_.function);
      phi_[i] = n.phi;
      omega_[i] = n.omega;
      e_[i] = n.e;
    }
  }

  /// world forces on points of the unknowns x
  std::vector<Vec3d> forces(const std::vector<double>& x) const {
    std::vector<Vec3d> force(count_);
    for (std::size_t c = 0; c < count_; ++c) force[c] = world(c, get(x, c));
    for (std::size_t s = 0; s < p_.scalar.size(); ++s)
      for (const auto& entry : p_.scalar[s].entry) force[entry.point] += x[3 * count_ + s] * entry.direction;
    return force;
  }

  /// out := S h^2 W S x + E x with S = Omega^1/2 or Omega.
  void apply(const std::vector<double>& x, std::vector<double>& out) const {
    std::vector<double> scaled(size_);
    for (std::size_t i = 0; i < size_; ++i) scaled[i] = share(i) * x[i];
    SplitVectors u;
    operator_.apply(forces(scaled), u);
    for (std::size_t c = 0; c < count_; ++c) put(out, c, local(c, u.at(c)));
    for (std::size_t s = 0; s < p_.scalar.size(); ++s) {
      double value = 0.0;
      for (const auto& entry : p_.scalar[s].entry) value += dot(entry.direction, u.at(entry.point));
      out[3 * count_ + s] = value;
    }
    for (std::size_t i = 0; i < size_; ++i) out[i] = share(i) * out[i] + e_[i] * x[i];
  }
  double share(std::size_t i) const {
    return settings_.form == NewtonForm::exact ? std::sqrt(omega_[i]) : omega_[i];
  }

  /// Conjugate residual (Stiefel 1955), scaled by the diagonal; returns products.
  int conjugate_residual(std::vector<double>& x) const {
    std::vector<double> scale(size_), r(size_), ar(size_), work(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      const double own = i < 3 * count_ ? p_.compliance(i / 3) : own_[i - 3 * count_];
      const double diagonal = share(i) * share(i) * own + e_[i];
      scale[i] = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 0.0;
      const double right = settings_.form == NewtonForm::exact
                               ? (omega_[i] > 0.0 ? phi_[i] / std::sqrt(omega_[i]) : 0.0)
                               : phi_[i];
      r[i] = -scale[i] * right;
    }
    const auto scaled_apply = [&](const std::vector<double>& in, std::vector<double>& out) {
      for (std::size_t i = 0; i < size_; ++i) work[i] = scale[i] * in[i];
      apply(work, out);
      for (std::size_t i = 0; i < size_; ++i) out[i] *= scale[i];
    };
    const auto inner = [&](const std::vector<double>& a, const std::vector<double>& b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < size_; ++i) sum += a[i] * b[i];
      return sum;
    };
    const double relative = settings_.steps > 0 ? 0.0 : stop_.krylov_relative;
    const double enough = relative * relative * inner(r, r);
    if (!(inner(r, r) > 0.0)) return 0;
    scaled_apply(r, ar);
    std::vector<double> p = r, ap = ar, y(size_, 0.0);
    double rar = inner(r, ar);
    int k = 0;
    while (k < settings_.krylov_iterations) {
      const double below = inner(ap, ap);
      if (!(below > 0.0) || !(rar > 0.0)) break;
      const double alpha = rar / below;
      for (std::size_t i = 0; i < size_; ++i) {
        y[i] += alpha * p[i];
        r[i] -= alpha * ap[i];
      }
      ++k;
      if (inner(r, r) <= enough) break;
      scaled_apply(r, ar);
      const double next = inner(r, ar), beta = next / rar;
      rar = next;
      for (std::size_t i = 0; i < size_; ++i) {
        p[i] = r[i] + beta * p[i];
        ap[i] = ar[i] + beta * ap[i];
      }
    }
    for (std::size_t i = 0; i < size_; ++i) x[i] = scale[i] * y[i];
    return k + 1;
  }

  /// New forces, put back on their laws (normal first, then the tangent inside the cone).
  void take(const std::vector<double>& force, bool search) {
    ForceStep step;
    step.own.resize(count_);
    step.lambda.resize(p_.scalar.size());
    for (std::size_t c = 0; c < count_; ++c) {
      if (p_.law_of(c) == PointLaw::none) continue;
      Vec3d f = get(force, c);
      if (contact(c)) f = normal_then_cone(f, p_.friction[c]);
      step.own[c] = world(c, f) - p_.force[c];
    }
    std::vector<Vec3d> change = step.own;
    for (std::size_t s = 0; s < step.lambda.size(); ++s) {
      const ScalarRow& row = p_.scalar[s];
      const double value = force[3 * count_ + s];
      step.lambda[s] = (row.one_sided ? std::max(0.0, value) : value) - row.force;
      for (const auto& entry : row.entry) change[entry.point] += step.lambda[s] * entry.direction;
    }
    operator_.apply(change, step.displacement);
    take_step(p_, step, total_, search);
    if (!search) return;
    for (std::size_t c = 0; c < count_; ++c) put(lambda_, c, local(c, p_.force[c]));
    for (std::size_t s = 0; s < p_.scalar.size(); ++s) lambda_[3 * count_ + s] = p_.scalar[s].force;
  }

  ContactProblem& p_;
  const NonsmoothSettings& settings_;
  const NonsmoothStop& stop_;
  ContactOperator operator_;
  std::size_t count_, size_;
  std::vector<double> phi_, omega_, e_, lambda_;
  std::vector<double> own_;    ///< [m/N] of scalar rows against themselves
  std::vector<double> total_;  ///< the same with their compliance
};

}  // namespace

ContactReport solve_nonsmooth_newton(ContactProblem& problem, const ContactSolverSettings& settings,
                                     const NonsmoothStop& stop) {
  ContactReport report;
  NonsmoothNewton newton(problem, settings.nsn, stop);
  KeptAnswer best;
  best.keep(problem, measure(problem).worst());
  if (settings.nsn.steps > 0) {  // fixed work: its answer is the last one, better or not
    for (; report.newton_steps < settings.nsn.steps; ++report.newton_steps) newton.step(report);
    report.change = measure(problem).worst();
    if (!std::isfinite(report.change)) {
      best.restore(problem);
      report.change = best.residual;
    }
    report.converged = report.change <= settings.tolerance;
    return report;
  }
  const double enough = std::max(settings.tolerance, settings.relative * best.residual);
  StalledSteps stalled(best.residual);
  while (best.residual > enough && report.newton_steps < stop.max_steps &&
         report.products < settings.max_products && !stalled) {
    newton.step(report);
    ++report.newton_steps;
    const double residual = measure(problem).worst();
    if (!std::isfinite(residual)) break;
    if (residual < best.residual) best.keep(problem, residual);
    stalled.see(residual);
  }
  best.restore(problem);
  report.change = best.residual;
  report.converged = best.residual <= settings.tolerance;
  return report;
}

ContactReport solve_nsn(ContactProblem& problem, const ContactSolverSettings& settings) {
  NonsmoothStop stop;
  stop.max_steps = settings.max_sweeps;
  return solve_nonsmooth_newton(problem, settings, stop);
}

ContactReport solve_nsn_gs(ContactProblem& problem, const ContactSolverSettings& settings) {
  NonsmoothStop stop;
  stop.max_steps = std::min(stop.max_steps, settings.max_sweeps);
  const double enough = std::max(settings.tolerance, settings.relative * measure(problem).worst());
  ContactReport report = solve_nonsmooth_newton(problem, settings, stop);
  if (report.change <= enough) return report;
  ContactSolverSettings rest = settings;
  rest.relative = 0.0;
  rest.tolerance = enough;
  rest.max_products = settings.max_products - report.products;
  const ContactReport finish = solve_gauss_seidel(problem, rest);
  report.sweeps = finish.sweeps;
  report.products += finish.products;
  report.change = finish.change;
  report.converged = finish.change <= settings.tolerance;
  return report;
}

}  // namespace sinew
