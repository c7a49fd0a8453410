#include "engine/contact/active_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/common/content_hash.hpp"
#include "engine/contact/contact_operator.hpp"
#include "engine/contact/dense_cholesky.hpp"
#include "engine/contact/gauss_seidel.hpp"
#include "engine/contact/gmres.hpp"
#include "engine/contact/low_rank_update.hpp"
#include "engine/contact/newton_step.hpp"
#include "engine/contact/nonsmooth_newton.hpp"
#include "engine/contact/residuals.hpp"
#include "engine/contact/sparse_inverse.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr int kMostSteps = 30;
constexpr int kMostKrylov = 40;
constexpr double kKrylovTolerance = 1e-2;
constexpr std::size_t kMany = 512;        // points from which the factor is a sparse one
constexpr std::size_t kMostColumns = 64;  // of Q that the preconditioner takes in: two or three bodies
constexpr std::size_t kShortestTail = 8;  // points that join without a new factor, and a sixteenth more
constexpr double kProgress = 0.9;         // a step that leaves more of the residual
constexpr int kPatience = 3;              // may happen so often
// Two points at almost one place share a force that is known only to the ratio of their distance to the
// body's size: steps that are not exact trade it between them for ever. So steps that stall become exact,
// where the points are not many, and leave out, one by one, points that they would pull at.
constexpr int kExactSteps = 60, kExactPatience = 10, kExactTries = 1, kExactKrylov = 150, kMostDrops = 8;
constexpr double kExactTolerance = 1e-9;
constexpr std::size_t kExactColumns = 256;
constexpr int kFirstSweeps = 10;  // of Gauss-Seidel then (nsn without G), doubled each time

enum class Kind : std::uint8_t { off, stick, slip, held, carrier };

/// How a point takes part in one Newton step.
struct PointState {
  Kind kind = Kind::off;
  Vec3d t, p;           ///< slip: unit direction of sliding, and the tangent across it
  double across = 0.0;  ///< [m/N] slip: compliance across the direction of sliding
  double friction = 0.0;
  Vec3d n;
};

/// Points that take part, or did: their part of G and its factor, kept from step to step and from solve to
/// solve of one problem.
struct NewtonMemory {
  std::vector<std::size_t> point;  ///< the factored ones first
  std::size_t factored = 0;
  std::vector<double> gram;  ///< {m, m} h^2 G
  DenseCholesky factor;      ///< of the first `factored` points,
  SparseInverse sparse;      ///< or this, where they are many
  bool many = false;
  bool whole = false;       ///< all points in order: then the problem's own G serves, and gram is empty
  std::uint64_t print = 0;  ///< of the problem's G where gram is empty
};

std::uint64_t fingerprint(const std::vector<double>& a) {
  constexpr std::size_t kChunk = 1 << 16;
  std::vector<std::uint64_t> part((a.size() + kChunk - 1) / kChunk);
  for_each(part.size(), 1, [&](std::size_t k) {
    const std::size_t first = k * kChunk, count = std::min(kChunk, a.size() - first);
    part[k] = StreamHash().add(a.data() + first, count * sizeof(double)).value();
  });
  return StreamHash(a.size()).add(part.data(), part.size() * sizeof(std::uint64_t)).value();
}

class ActiveNewton {
 public:
  explicit ActiveNewton(ContactProblem& problem)
      : p_(problem), operator_(problem), count_(problem.size()), state_(count_) {
    recall();
    for (const ScalarRow& row : p_.scalar)
      row_compliance_.push_back(operator_.scalar_compliance(row) + row.compliance);
  }

  /// Has solved a problem with this G before.
  bool remembers() const { return !memory_->point.empty(); }
  /// Worst natural map over points and rows [m].
  double residual() const { return measure(p_).worst(); }

  bool exact() const { return exact_; }
  /// From now on.
  void set_exact(bool exact) {
    updated_ = updated_ && exact_ == exact;
    exact_ = exact;
  }

  /// One step; false where no unknown takes part.
  bool step(ContactReport& report) {
    choose_states();
    if (index_.empty()) return false;
    collect();
    const std::size_t m = memory_->point.size(), rows = row_.size();
    std::vector<double> b(3 * m + rows), x;
    for (int round = 0;; ++round) {
      right_hand_side(b);
      x.assign(3 * m + rows, 0.0);
      const int iterations = gmres(
          b, x, exact_ ? kExactKrylov : kMostKrylov, exact_ ? kExactTolerance : kKrylovTolerance,
          [&](const std::vector<double>& in, std::vector<double>& out) { apply(in, out); },
          [&](const std::vector<double>& in, std::vector<double>& out) { precondition(in, out); });
      report.products += iterations + 1;
      if (!exact_ || round >= kMostDrops || !drop_pulling(x)) break;
    }
    take(x);
    return true;
  }

 private:
  std::size_t point_at(std::size_t i) const { return memory_->point[i]; }
  static Vec3d local(const ContactFrame<double>& e, const Vec3d& v) {
    return {dot(e.n, v), dot(e.t1, v), dot(e.t2, v)};
  }

  void choose_states() {
    for (std::size_t c = 0; c < count_; ++c) {
      PointState& s = state_[c];
      s = {};
      const PointLaw law = p_.law_of(c);
      if (law == PointLaw::held) s.kind = Kind::held;
      if (law != PointLaw::contact) continue;
      const double r = p_.compliance(c);
      if (!(r > 0.0)) continue;
      const auto& e = p_.frame[c];
      const Vec3d u = local(e, p_.displacement[c]), f = local(e, p_.force[c]);
      const double normal = r * f.x - u.x;  // [m] augmented
      if (!(normal > 0.0)) continue;
      s.n = e.n;
      s.friction = p_.friction[c];
      const double limit = s.friction * normal;
      const double w1 = u.y - r * f.y, w2 = u.z - r * f.z, w = std::sqrt(w1 * w1 + w2 * w2);
      if (w <= limit) {
        s.kind = Kind::stick;
        continue;
      }
      s.kind = Kind::slip;
      s.t = (w1 / w) * e.t1 + (w2 / w) * e.t2;
      s.p = cross(e.n, s.t);
      s.across = limit > 0.0 ? r * (w / limit - 1.0) : 1e12 * r;
    }
    row_.clear();
    for (std::size_t k = 0; k < p_.scalar.size(); ++k) {
      const ScalarRow& row = p_.scalar[k];
      const double r = row_compliance_[k];
      const double value = scalar_value(p_, row) + row.compliance * row.force;
      if (row.one_sided && !(r * row.force - value > 0.0)) continue;
      row_.push_back(k);
      for (const auto& entry : row.entry)
        if (state_[entry.point].kind == Kind::off) state_[entry.point].kind = Kind::carrier;
    }
    index_.clear();
    for (std::size_t c = 0; c < count_; ++c)
      if (state_[c].kind != Kind::off || !(p_.force[c] == Vec3d{})) index_.push_back(c);
  }

  /// Sees to it that all points that take part are in the work set, and that its factor is of use.
  void collect() {
    NewtonMemory& w = *memory_;
    if (p_.matrix_free) {  // all points, each scaled by its own compliance
      w = {};
      place_.resize(count_);
      for (std::size_t c = 0; c < count_; ++c) {
        w.point.push_back(c);
        place_[c] = c;
      }
      return;
    }
    std::vector<char> known(count_, 0);
    for (const std::size_t c : w.point) known[c] = 1;
    std::vector<std::size_t> added;
    for (const std::size_t c : index_)
      if (!known[c]) added.push_back(c);
    const std::size_t tail = w.point.size() + added.size() - w.factored;
    const bool rebuild = tail > kShortestTail + w.factored / 16 || 2 * index_.size() < w.point.size();
    if (rebuild) {
      w.point = index_;
      if (4 * index_.size() > 3 * count_)
        for (std::size_t c = 0; c < count_; ++c)
          if (state_[c].kind == Kind::off && p_.force[c] == Vec3d{}) w.point.push_back(c);
      std::sort(w.point.begin(), w.point.end());
      w.factored = w.point.size();
    } else {
      w.point.insert(w.point.end(), added.begin(), added.end());
    }
    if (rebuild) w.whole = w.point.size() == count_ && count_ > kMany && p_.held_compliance.empty();
    if (rebuild && w.whole) {
      w.gram = {};
      w.print = fingerprint(p_.gram);
      w.many = true;
      w.sparse.factor(p_.gram, count_);
    } else if (rebuild || !added.empty()) {
      copy_gram(w.gram);
    }
    if (rebuild && !w.whole) {
      std::vector<double> a = w.gram;
      const std::size_t m = w.point.size();
      for (std::size_t i = 0; i < m; ++i)
        if (p_.law_of(w.point[i]) == PointLaw::held) a[i * m + i] += p_.held_compliance_of(w.point[i]);
      w.many = m > kMany;
      if (w.many)  // a handful of steps more than with the dense factor, which costs n^3 / 3
        w.sparse.factor(a, m);
      else
        w.factor.factor(std::move(a), m);
    }
    if (rebuild || !added.empty() || !updated_) update_factor();
    place_.assign(count_, 0);
    for (std::size_t i = 0; i < w.point.size(); ++i) place_[w.point[i]] = i;
  }
  /// h^2 G between the points of the work set.
  void copy_gram(std::vector<double>& gram) const {
    const std::vector<std::size_t>& point = memory_->point;
    const std::size_t m = point.size();
    gram.resize(m * m);
    for_each(m, 32, [&](std::size_t i) {
      const double* row = p_.gram.data() + point[i] * count_;
      for (std::size_t j = 0; j < m; ++j) gram[i * m + j] = p_.squared_step * row[point[j]];
    });
  }
  /// What an earlier solve left holds for the same G only.
  void recall() {
    if (!p_.memory.kept) p_.memory.kept = std::make_shared<NewtonMemory>();
    memory_ = static_cast<NewtonMemory*>(p_.memory.kept.get());
    if (p_.matrix_free) *memory_ = {};
    if (p_.matrix_free) return;
    if (memory_->whole) {
      if (memory_->point.size() != count_ || memory_->print != fingerprint(p_.gram)) *memory_ = {};
      return;
    }
    bool fits = true;
    for (const std::size_t c : memory_->point) fits = fits && c < count_;
    if (fits) {
      copy_gram(scratch_);
      fits = scratch_ == memory_->gram;
    }
    if (!fits) *memory_ = {};
  }

  /// The part of a world vector that the point's equations see.
  Vec3d restrict(const PointState& s, const Vec3d& v) const {
    switch (s.kind) {
      case Kind::stick:
      case Kind::held:
        return v;
      case Kind::slip:
        return v - dot(s.t, v) * s.t;
      default:
        return {};
    }
  }
  /// Force of the unknown x: sliding friction goes with the normal force.
  Vec3d force_of(const PointState& s, const Vec3d& x) const {
    return s.kind == Kind::slip ? x - (s.friction * dot(s.n, x)) * s.t : x;
  }

  void right_hand_side(std::vector<double>& b) const {
    const std::size_t m = memory_->point.size();
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t c = point_at(i);
      const PointState& s = state_[c];
      Vec3d r = p_.displacement[c];
      if (s.kind == Kind::held) r += p_.held_compliance_of(c) * p_.force[c];
      if (s.kind == Kind::slip) r += (s.across * dot(s.p, p_.force[c])) * s.p;
      r = restrict(s, r);
      for (int k = 0; k < 3; ++k) b[3 * i + k] = -r[k];
    }
    // Sliding points first move their force to -mu l_n t, open ones drop theirs: what that does is part of
    // the right-hand side.
    std::vector<Vec3d> change(m);
    bool any = false;
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t c = point_at(i);
      const PointState& s = state_[c];
      if (s.kind == Kind::off) {
        change[i] = -1.0 * p_.force[c];
        any = any || !(change[i] == Vec3d{});
      }
      if (s.kind != Kind::slip) continue;
      const double wrong = dot(s.t, p_.force[c]) + s.friction * dot(s.n, p_.force[c]);
      change[i] = -wrong * s.t;
      any = any || wrong != 0.0;
    }
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const ScalarRow& row = p_.scalar[row_[k]];
      b[3 * m + k] = -(scalar_value(p_, row) + row.compliance * row.force);
    }
    if (!any) return;
    SplitVectors u;
    product(change, u);
    for (std::size_t i = 0; i < m; ++i) {
      const Vec3d r = restrict(state_[point_at(i)], u.at(i));
      for (int k = 0; k < 3; ++k) b[3 * i + k] -= r[k];
    }
    for (std::size_t k = 0; k < row_.size(); ++k)
      for (const auto& entry : p_.scalar[row_[k]].entry)
        b[3 * m + k] -= dot(entry.direction, u.at(place_[entry.point]));
  }

  /// u := h^2 (G + Q M Q^T) f over the points that take part.
  void product(const std::vector<Vec3d>& force, SplitVectors& u) const {
    if (memory_->whole || p_.matrix_free) {
      operator_.apply(force, u);
      return;
    }
    const std::size_t m = memory_->point.size();
    u.assign(m, 0.0);
    std::vector<ColumnStep> steps;
    for (std::size_t i = 0; i < m; ++i)
      if (!(force[i] == Vec3d{})) steps.push_back({i, force[i]});
    constexpr std::size_t kChunk = 256;
    for_each((m + kChunk - 1) / kChunk, 1, [&](std::size_t chunk) {
      add_columns(memory_->gram.data(), m, steps.data(), steps.size(), chunk * kChunk,
                  std::min(m, (chunk + 1) * kChunk), u.x.data(), u.y.data(), u.z.data());
    });
    if (p_.metric.rank() == 0) return;
    std::vector<double> z(p_.metric.rank(), 0.0);
    for (std::size_t i = 0; i < m; ++i) operator_.add_to_z(point_at(i), force[i], z);
    for_each(m, 256, [&](std::size_t i) {
      Vec3d extra{};
      operator_.add_low_rank(point_at(i), z, extra);
      u.set(i, u.at(i) + extra);
    });
  }

  void apply(const std::vector<double>& in, std::vector<double>& out) const {
    const std::size_t m = memory_->point.size();
    std::vector<Vec3d> force(m);
    for (std::size_t i = 0; i < m; ++i) {
      const PointState& s = state_[point_at(i)];
      force[i] = force_of(s, restrict(s, {in[3 * i], in[3 * i + 1], in[3 * i + 2]}));
    }
    for (std::size_t k = 0; k < row_.size(); ++k)
      for (const auto& entry : p_.scalar[row_[k]].entry)
        force[place_[entry.point]] += in[3 * m + k] * entry.direction;
    SplitVectors u;
    product(force, u);
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t c = point_at(i);
      const PointState& s = state_[c];
      const Vec3d x{in[3 * i], in[3 * i + 1], in[3 * i + 2]};
      Vec3d r = u.at(i);
      if (s.kind == Kind::held) r += p_.held_compliance_of(c) * x;
      if (s.kind == Kind::slip) r += (s.across * dot(s.p, x)) * s.p;
      r = restrict(s, r);
      for (int k = 0; k < 3; ++k) out[3 * i + k] = r[k];
    }
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const ScalarRow& row = p_.scalar[row_[k]];
      double value = row.compliance * in[3 * m + k];
      for (const auto& entry : row.entry) value += dot(entry.direction, u.at(place_[entry.point]));
      out[3 * m + k] = value;
    }
  }

  /// Scales what moves across the direction of sliding down to its stiffer own compliance.
  Vec3d soften(std::size_t c, const PointState& s, const Vec3d& v) const {
    if (s.kind != Kind::slip) return restrict(s, v);
    const double r = p_.compliance(c);
    const Vec3d inside = restrict(s, v);
    const double scale = std::sqrt(r / (r + s.across));
    return inside + ((scale - 1.0) * dot(s.p, inside)) * s.p;
  }
  /// x := (h^2 G)^-1 x, near enough.
  void solve_factor(SplitVectors& x) const {
    for (std::size_t i = memory_->factored; i < memory_->point.size(); ++i)
      x.set(i, (1.0 / p_.compliance(point_at(i))) * x.at(i));
    if (memory_->many)
      memory_->sparse.solve(x);
    else
      memory_->factor.solve(x);
    if (!memory_->whole) return;  // else the factor is that of G itself
    for (std::size_t i = 0; i < count_; ++i) x.set(i, (1.0 / p_.squared_step) * x.at(i));
  }
  /// The term of low rank, which G's factor knows nothing of.
  void update_factor() {
    const std::size_t m = memory_->point.size(), rank = p_.metric.rank();
    updated_ = true;
    update_.clear();
    // Of more columns the system would cost more than it saves.
    if (rank > (exact_ ? kExactColumns : kMostColumns)) return;
    const std::vector<Vec3d> all = p_.metric.dense();
    std::vector<Vec3d> q(m * rank);
    std::vector<double> middle = p_.metric.dense_middle();
    for (double& v : middle) v *= p_.squared_step;
    for (std::size_t i = 0; i < m; ++i)
      std::copy_n(all.begin() + point_at(i) * rank, rank, q.begin() + i * rank);
    update_.set(std::move(q), rank, middle, [&](SplitVectors& x) { solve_factor(x); });
  }
  void precondition(const std::vector<double>& in, std::vector<double>& out) const {
    const std::size_t m = memory_->point.size();
    SplitVectors x;
    x.assign(m, 0.0);
    for (std::size_t i = 0; i < m; ++i)
      x.set(i, soften(point_at(i), state_[point_at(i)], {in[3 * i], in[3 * i + 1], in[3 * i + 2]}));
    const std::vector<double> z = update_.project(x);
    solve_factor(x);
    update_.subtract(z, x);
    for (std::size_t i = 0; i < m; ++i) {
      const Vec3d v = soften(point_at(i), state_[point_at(i)], x.at(i));
      for (int k = 0; k < 3; ++k) out[3 * i + k] = v[k];
    }
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const double own = row_compliance_[row_[k]];
      out[3 * m + k] = own > 0.0 ? in[3 * m + k] / own : 0.0;
    }
  }

  /// The point that this step would pull at most stops taking part; false if there is none.
  bool drop_pulling(const std::vector<double>& x) {
    PointState* worst = nullptr;
    double least = 0.0;
    for (std::size_t i = 0; i < memory_->point.size(); ++i) {
      const std::size_t c = point_at(i);
      PointState& s = state_[c];
      if (s.kind != Kind::stick && s.kind != Kind::slip) continue;
      const Vec3d dx = restrict(s, {x[3 * i], x[3 * i + 1], x[3 * i + 2]});
      const double pull = p_.compliance(c) * dot(s.n, p_.force[c] + dx);
      if (pull > 0.0 || (worst && pull >= least)) continue;
      worst = &s;
      least = pull;
    }
    if (worst) worst->kind = Kind::off;
    return worst != nullptr;
  }

  /// New forces, back inside their laws; displacements with them.
  void take(const std::vector<double>& x) {
    const std::size_t m = memory_->point.size();
    std::vector<Vec3d> next(count_);
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t c = point_at(i);
      const PointState& s = state_[c];
      const Vec3d dx = restrict(s, {x[3 * i], x[3 * i + 1], x[3 * i + 2]});
      if (s.kind == Kind::carrier || s.kind == Kind::off) continue;
      if (s.kind == Kind::held) {
        next[c] = p_.force[c] + dx;
        continue;
      }
      const auto& e = p_.frame[c];
      Vec3d f = p_.force[c] + dx;
      const double normal = dot(e.n, f);
      if (!(normal > 0.0)) continue;
      Vec3d tangential = f - normal * e.n;
      const double limit = s.friction * normal;
      if (s.kind == Kind::slip) tangential = dot(s.p, tangential) * s.p - limit * s.t;
      const double size = norm(tangential);
      if (size > limit || (s.kind == Kind::slip && size > 0.0)) tangential *= limit / size;
      next[c] = normal * e.n + tangential;
    }
    ForceStep step;
    step.own.resize(count_);
    step.lambda.assign(p_.scalar.size(), 0.0);
    for (std::size_t c = 0; c < count_; ++c) step.own[c] = next[c] - p_.force[c];
    std::vector<Vec3d> change = step.own;
    for (std::size_t k = 0; k < p_.scalar.size(); ++k) step.lambda[k] = -p_.scalar[k].force;
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const ScalarRow& row = p_.scalar[row_[k]];
      const double value = row.force + x[3 * m + k];
      step.lambda[row_[k]] = (row.one_sided ? std::max(0.0, value) : value) - row.force;
    }
    for (std::size_t k = 0; k < p_.scalar.size(); ++k)
      for (const auto& entry : p_.scalar[k].entry) change[entry.point] += step.lambda[k] * entry.direction;
    operator_.apply(change, step.displacement);
    take_step(p_, step, row_compliance_, true);
  }

  ContactProblem& p_;
  ContactOperator operator_;
  std::size_t count_;
  std::vector<PointState> state_;
  NewtonMemory* memory_ = nullptr;
  std::vector<std::size_t> index_, place_, row_;
  std::vector<double> row_compliance_;  ///< [m/N] of scalar rows against themselves and their own compliance
  std::vector<double> scratch_;
  LowRankUpdate update_;  ///< of the factor, by the metric of this solve
  bool updated_ = false;
  bool exact_ = false;
};

}  // namespace

namespace {

/// Laws that contradict each other (no room between obstacles) are met at infinity: steps that would press
/// this many times deeper than anything at the start are not taken.
constexpr double kWild = 100.0;

/// Largest displacement [m] of a point, by all and by its own force.
double reach_of(const ContactProblem& problem) {
  double most = 0.0;
  for (std::size_t c = 0; c < problem.size(); ++c)
    most = std::max(most, norm(problem.displacement[c]) + problem.compliance(c) * norm(problem.force[c]));
  return most;
}

}  // namespace

ContactReport solve_active_newton(ContactProblem& problem, const ContactSolverSettings& settings) {
  ContactReport report;
  ActiveNewton newton(problem);
  KeptAnswer best;
  best.keep(problem, newton.residual());
  const double enough = std::max(settings.tolerance, settings.relative * best.residual);
  // Forces of the last frame say little about who slides now: sweeps find that out at the least cost,
  // but for many points, where a step with its few products costs less than they do.
  const double scale = reach_of(problem);
  int stalled = newton.remembers() || problem.size() > kMany ? 0 : kExactPatience, sweeps = kFirstSweeps,
      steps = 0, spent = 0;
  // Answers that only steer the next iteration need no such care.
  int exact_tries =
      settings.relative > 0.0 || problem.size() > kMany || problem.matrix_free ? 0 : kExactTries;
  while (best.residual > enough && steps < (newton.exact() ? kExactSteps : kMostSteps) &&
         report.products < settings.max_products) {
    // States that steps cannot settle, sweeps can.
    if (stalled >= (newton.exact() ? kExactPatience : kPatience)) {
      if (spent >= settings.max_sweeps) break;
      best.restore(problem);
      ContactSolverSettings some = settings;
      some.relative = 0.0;
      some.tolerance = 0.1 * enough;
      some.max_sweeps = std::min(sweeps, settings.max_sweeps - spent);
      some.max_products = settings.max_products - report.products;
      sweeps *= 2;
      if (newton.exact() && --exact_tries == 0) newton.set_exact(false);
      const ContactReport swept =
          problem.matrix_free ? solve_nsn(problem, some) : solve_gauss_seidel(problem, some);
      report.newton_steps += swept.newton_steps;
      spent += std::max(1, swept.sweeps + swept.newton_steps);
      report.sweeps += swept.sweeps;
      report.products += swept.products;
      best.keep(problem, newton.residual());
      stalled = 0;
      continue;
    }
    const bool moved = newton.step(report);
    ++report.newton_steps;
    ++steps;
    double residual = newton.residual();
    if (!(reach_of(problem) <= kWild * scale)) residual = std::numeric_limits<double>::infinity();
    const bool progress = moved && residual < kProgress * best.residual;
    stalled = progress ? 0 : stalled + 1;
    if (residual < best.residual) best.keep(problem, residual);
    if (stalled == 1 && !newton.exact() && exact_tries > 0) {
      newton.set_exact(true);
      best.restore(problem);
    } else if (!std::isfinite(residual)) {
      stalled = kExactPatience;
    }
  }
  best.restore(problem);
  report.change = best.residual;
  report.converged = best.residual <= settings.tolerance;
  return report;
}

}  // namespace sinew
