#include "engine/contact/interior_point.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include "engine/contact/cone_unknowns.hpp"
#include "engine/contact/newton_step.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/element/contact/second_order_cone.hpp"

namespace sinew {

namespace {

constexpr std::size_t kMostPoints = 600;
constexpr std::size_t kMostDense = 250;  // of one body: a step takes 25 ms then, and grows with the cube
constexpr int kMostIterations = 50;
constexpr int kFewIterations = 10;  // hardly ever enough: not begun where the work allows no more
constexpr double kStart = 10.0;     // distance from the boundary at the start, in natural maps of the entry
constexpr double kBoundary = 0.99;  // share of the way to it that a step may take
constexpr double kShort = 0.1;      // steps below it: off-centre, mended before speed
constexpr double kLeastSigma = 1e-4;
constexpr double kRegular = 1e-12;   // of the diagonal: several points on one node make S singular
constexpr double kWild = 4.0;        // times what there was to begin with: forces beyond are no answer
constexpr double kHalfWay = 1e-3;    // of the residual at the start: a method that leaves more has failed
constexpr double kSharp = 0.1;       // of the tolerance: what a point's own force may move it and be dropped
constexpr double kOverhead = 150.0;  // points: of a product
constexpr double kSparse = 0.3;      // filled share up to which a sparse factor is the cheaper one
constexpr std::size_t kSmall = 150;  // unknowns

using Eigen::Index;
using Eigen::VectorXd;

class InteriorPoint {
 public:
  InteriorPoint(ContactProblem& problem, double residual)
      : p_(problem), unknowns_(problem), s_(unknowns_.matrix()) {
    unknowns_.read(x_, w_);
    w0_ = w_ - s_ * x_;
    regular_ = kRegular * s_.diagonal();
    enter(residual);
    choose_factor();
  }

  /// One step of Newton's method; false where numbers end.
  bool step() {
    const Index m = x_.size();
    residual_ = v_ - s_ * x_ - w0_;
    double gap = 0.0;
    for (const ConeBlock& b : unknowns_.blocks()) {
      const Index i = first(b);
      if (b.kind == ConeKind::second_order) residual_[i] -= slip(i);
      if (is_cone(b)) gap += inner(b, x_, v_);
    }
    gap /= static_cast<double>(std::max<std::size_t>(cones_, 1));
    if (!factor()) return false;
    // Predictor: straight at the solution.
    VectorXd dx(m), dv(m), g(m);
    for (const ConeBlock& b : unknowns_.blocks()) set(g, b, target(b, 0.0, {}));
    solve(g, dx, dv);
    const double affine = longest(dx, dv, 1.0);
    double left = 0.0;
    for (const ConeBlock& b : unknowns_.blocks())
      if (is_cone(b))
        for (int k = 0; k < b.size(); ++k) {
          const Index i = first(b) + k;
          left += (x_[i] + affine * dx[i]) * (v_[i] + affine * dv[i]);
        }
    left /= static_cast<double>(std::max<std::size_t>(cones_, 1));
    double sigma = gap > 0.0 ? std::pow(left / gap, 3) : 0.0;
    sigma = std::clamp(sigma, last_step_ < kShort ? 0.5 : kLeastSigma, 1.0);
    const double weight = last_step_ < kShort ? 0.0 : affine * affine;
    for (const ConeBlock& b : unknowns_.blocks()) {
      Vec3d second{};
      if (b.kind == ConeKind::second_order) {
        const auto& w = scaling_[b.first];
        second = weight * cone::product(w.apply_inverse(vec(dx, b)), w.apply(vec(dv, b)));
      } else if (b.kind == ConeKind::ray) {
        second.x = weight * dx[first(b)] * dv[first(b)];
      }
      set(g, b, target(b, sigma * gap, second));
    }
    solve(g, dx, dv);
    if (!dx.allFinite() || !dv.allFinite()) return false;
    double length = std::min(1.0, kBoundary * longest(dx, dv, 2.0));
    while (length > 1e-12 && !inside(x_ + length * dx, v_ + length * dv)) length *= 0.9;
    if (!inside(x_ + length * dx, v_ + length * dv)) return false;
    x_ += length * dx;
    v_ += length * dv;
    last_step_ = length;
    return true;
  }

  void write() { unknowns_.write(x_, p_); }
  /// All forces lie inside their cones: those of open points become none.
  void write_sharp(double tolerance) {
    VectorXd x = x_;
    for (const ConeBlock& b : unknowns_.blocks()) {
      const Index i = first(b);
      const double normal = b.kind == ConeKind::second_order ? x[i] / b.friction : x[i];
      if (!is_cone(b) || !(b.length * normal < kSharp * tolerance)) continue;
      for (int k = 0; k < b.size(); ++k) x[i + k] = 0.0;
    }
    unknowns_.write(x, p_);
  }
  bool empty() const { return x_.size() == 0; }
  /// What a step costs, in products with G of the same time: a dense factor of 3 n unknowns has 9 n^3
  /// multiplications, three for an entry of G; for few points the overhead of products weighs more than
  /// theirs.
  int products() const {
    const double n = static_cast<double>(p_.size()), share = n / (n + kOverhead);
    return 1 + static_cast<int>(sparse_ ? n / 8.0 : 2.0 * n * share * share);
  }

 private:
  static Index first(const ConeBlock& b) { return static_cast<Index>(b.first); }
  static bool is_cone(const ConeBlock& b) {
    return b.kind == ConeKind::second_order || b.kind == ConeKind::ray;
  }
  static Vec3d vec(const VectorXd& a, const ConeBlock& b) {
    return {a[first(b)], a[first(b) + 1], a[first(b) + 2]};
  }
  static void set(VectorXd& a, const ConeBlock& b, const Vec3d& value) {
    for (int k = 0; k < b.size(); ++k) a[first(b) + k] = value[k];
  }
  static double inner(const ConeBlock& b, const VectorXd& x, const VectorXd& v) {
    double sum = 0.0;
    for (int k = 0; k < b.size(); ++k) sum += x[first(b) + k] * v[first(b) + k];
    return sum;
  }
  double slip(Index i) const { return std::hypot(v_[i + 1], v_[i + 2]); }

  /// Into the cones, by as much as the answer at hand is wrong.
  void enter(double residual) {
    const double length = kStart * residual + 1e-12;
    v_ = w_;
    cones_ = 0;
    for (const ConeBlock& b : unknowns_.blocks()) {
      const Index i = first(b);
      if (b.kind == ConeKind::second_order) {
        x_[i] = std::max(std::hypot(x_[i + 1], x_[i + 2]), x_[i]) + b.friction * length / b.length;
        v_[i] = std::max(0.0, w_[i]) + slip(i) + length / b.friction;
      } else if (b.kind == ConeKind::ray) {
        x_[i] = std::max(0.0, x_[i]) + length / b.length;
        v_[i] = std::max(0.0, w_[i]) + length;
      } else {
        for (int k = 0; k < b.size(); ++k) v_[i + k] = 0.0;
      }
      cones_ += is_cone(b);
    }
    scaling_.resize(unknowns_.count());
  }

  void choose_factor() {
    const Index m = x_.size();
    std::size_t filled = 0;
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < m; ++i) filled += s_(i, j) != 0.0;
    sparse_ = static_cast<std::size_t>(m) > kSmall &&
              static_cast<double>(filled) < kSparse * static_cast<double>(m) * static_cast<double>(m);
    if (!sparse_) return;
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(filled);
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < m; ++i)
        if (s_(i, j) != 0.0) entries.emplace_back(i, j, s_(i, j));
    for (const ConeBlock& b : unknowns_.blocks())  // all of every block, to add to
      for (int r = 0; r < b.size(); ++r)
        for (int c = 0; c < b.size(); ++c) entries.emplace_back(first(b) + r, first(b) + c, 0.0);
    sparse_s_.resize(m, m);
    sparse_s_.setFromTriplets(entries.begin(), entries.end());
    sparse_s_.makeCompressed();
    sparse_lu_.analyzePattern(sparse_s_);
  }

  /// K = S + N W^-2, N = 1 - e0 (0, v_t / |v_t|)'.
  bool factor() {
    if (sparse_)
      sparse_k_ = sparse_s_;
    else
      k_ = s_;
    const auto add = [&](Index r, Index c, double value) {
      if (sparse_)
        sparse_k_.coeffRef(r, c) += value;
      else
        k_(r, c) += value;
    };
    for (Index i = 0; i < x_.size(); ++i) add(i, i, regular_[i]);
    for (const ConeBlock& b : unknowns_.blocks()) {
      const Index i = first(b);
      if (b.kind == ConeKind::ray) add(i, i, v_[i] / x_[i]);
      if (b.kind != ConeKind::second_order) continue;
      auto& w = scaling_[b.first];
      w = cone::Scaling<double>::between(vec(x_, b), vec(v_, b));
      Mat3d a = w.inverse_squared();
      const double size = slip(i);
      if (size > 0.0)
        for (int c = 0; c < 3; ++c) a(0, c) -= (v_[i + 1] / size) * a(1, c) + (v_[i + 2] / size) * a(2, c);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) add(i + r, i + c, a(r, c));
    }
    if (!sparse_) {
      lu_.compute(k_);
      return true;
    }
    sparse_lu_.factorize(sparse_k_);
    return sparse_lu_.info() == Eigen::Success;
  }

  /// W^-1 (lambda \ (goal e - lambda o lambda - second)): what is left of the complementarity.
  Vec3d target(const ConeBlock& b, double goal, const Vec3d& second) const {
    const Index i = first(b);
    if (b.kind == ConeKind::ray) return {(goal - x_[i] * v_[i] - second.x) / x_[i], 0.0, 0.0};
    if (b.kind != ConeKind::second_order) return {};
    const auto& w = scaling_[b.first];
    const Vec3d lambda = w.apply(vec(v_, b));
    const Vec3d rest = Vec3d{goal, 0.0, 0.0} - cone::product(lambda, lambda) - second;
    return w.apply_inverse(cone::quotient(rest, lambda));
  }

  /// v + dv = S (x + dx) + w0 + |v_t| e0 to first order, W dv + W^-1 dx = W g.
  void solve(const VectorXd& g, VectorXd& dx, VectorXd& dv) const {
    VectorXd rhs = residual_;
    for (const ConeBlock& b : unknowns_.blocks()) {
      const Index i = first(b);
      if (!is_cone(b)) continue;
      for (int k = 0; k < b.size(); ++k) rhs[i + k] += g[i + k];
      if (b.kind != ConeKind::second_order) continue;
      const double size = slip(i);
      if (size > 0.0) rhs[i] -= (v_[i + 1] * g[i + 1] + v_[i + 2] * g[i + 2]) / size;
    }
    if (sparse_)
      dx = sparse_lu_.solve(rhs);
    else
      dx = lu_.solve(rhs);
    dv = s_ * dx - residual_;
    for (const ConeBlock& b : unknowns_.blocks()) {
      const Index i = first(b);
      if (!is_cone(b))
        for (int k = 0; k < b.size(); ++k) dv[i + k] = 0.0;
      if (b.kind != ConeKind::second_order) continue;
      const double size = slip(i);
      if (size > 0.0) dv[i] += (v_[i + 1] * dv[i + 1] + v_[i + 2] * dv[i + 2]) / size;
    }
  }

  double longest(const VectorXd& dx, const VectorXd& dv, double most) const {
    double length = most;
    const auto ray = [&](double a, double da) {
      if (da < 0.0) length = std::min(length, -a / da);
    };
    for (const ConeBlock& b : unknowns_.blocks()) {
      const Index i = first(b);
      if (b.kind == ConeKind::ray) {
        ray(x_[i], dx[i]);
        ray(v_[i], dv[i]);
      } else if (b.kind == ConeKind::second_order) {
        length = cone::longest_step(vec(x_, b), vec(dx, b), length);
        length = cone::longest_step(vec(v_, b), vec(dv, b), length);
      }
    }
    return length;
  }

  bool inside(const VectorXd& x, const VectorXd& v) const {
    for (const ConeBlock& b : unknowns_.blocks()) {
      const Index i = first(b);
      if (b.kind == ConeKind::ray && !(x[i] > 0.0 && v[i] > 0.0)) return false;
      if (b.kind == ConeKind::second_order && !(cone::depth(vec(x, b)) > 0.0 && cone::depth(vec(v, b)) > 0.0))
        return false;
    }
    return true;
  }

  ContactProblem& p_;
  ConeUnknowns unknowns_;
  Eigen::MatrixXd s_, k_;
  VectorXd x_, v_, w_, w0_, residual_, regular_;
  std::vector<cone::Scaling<double>> scaling_;  ///< at the first unknown of a cone
  std::size_t cones_ = 0;
  double last_step_ = 1.0;
  bool sparse_ = false;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::SparseMatrix<double> sparse_s_, sparse_k_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_lu_;
};

/// Largest way [m] that a point is pushed by its own force.
double push_of(const ContactProblem& problem) {
  double most = 0.0;
  for (std::size_t c = 0; c < problem.size(); ++c)
    most = std::max(most, problem.compliance(c) * norm(problem.force[c]));
  return most;
}

}  // namespace

bool interior_point_fits(const ContactProblem& problem) {
  return !problem.matrix_free && problem.size() <= kMostPoints;
}

bool interior_point_pays(const ContactProblem& problem) {
  if (!interior_point_fits(problem) || problem.size() <= kMostDense) return interior_point_fits(problem);
  const auto filled =
      static_cast<double>(problem.gram.size() - static_cast<std::size_t>(std::count(
                                                    problem.gram.begin(), problem.gram.end(), 0.0)));
  return filled < kSparse * static_cast<double>(problem.gram.size());
}

ContactReport solve_interior_point(ContactProblem& problem, const ContactSolverSettings& settings) {
  ContactReport report;
  KeptAnswer best;
  best.keep(problem, measure(problem).worst());
  const KeptAnswer start = best;
  const double enough = std::max(settings.tolerance, settings.relative * best.residual);
  // Points that ask for opposite things are satisfied by forces of any size, which launch bodies.
  const double most_push = kWild * (push_of(problem) + best.residual);
  if (best.residual > enough && interior_point_fits(problem)) {
    InteriorPoint method(problem, best.residual);
    int most = std::min(kMostIterations, settings.max_sweeps);
    const int affordable = settings.max_products / method.products();
    most = affordable < kFewIterations ? 0 : std::min(most, affordable);
    for (int k = 0; k < most && best.residual > enough && !method.empty() && method.step(); ++k) {
      ++report.newton_steps;
      report.products += method.products();
      method.write();
      const double residual = measure(problem).worst();
      if (residual < best.residual && push_of(problem) <= most_push) best.keep(problem, residual);
    }
    // Laws that contradict each other: half-way to an answer that does not exist.
    if (best.residual > std::max(enough, kHalfWay * start.residual)) best = start;
    best.restore(problem);
    if (report.newton_steps > 0 && best.residual <= enough) {
      method.write_sharp(enough);
      const double residual = measure(problem).worst();
      if (residual <= enough)
        best.residual = residual;
      else
        best.restore(problem);
    }
  }
  report.change = best.residual;
  report.converged = best.residual <= settings.tolerance;
  return report;
}

}  // namespace sinew
