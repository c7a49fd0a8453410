#include "engine/contact/newton_system.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact/gmres.hpp"
#include "engine/contact/newton_step.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

// Columns of Q that the preconditioner takes in: of two or three bodies, where more would cost more than they
// save; as many as there are points where it is to be exact.
constexpr std::size_t kMostColumns = 64;

constexpr std::size_t kMostBindings = 400;

}  // namespace

NewtonSystem::NewtonSystem(ContactProblem& problem, const NewtonSettings& settings)
    : p_(problem), settings_(settings), operator_(problem), count_(problem.size()), state_(count_) {
  if (!p_.memory.kept) p_.memory.kept = std::make_shared<FactoredPoints>();
  points_ = static_cast<FactoredPoints*>(p_.memory.kept.get());
  points_->recall(p_);
  for (const ScalarRow& row : p_.scalar)
    row_compliance_.push_back(operator_.scalar_compliance(row) + row.compliance);
}

bool NewtonSystem::step(ContactReport& report) {
  choose_states();
  if (index_.empty()) return false;
  const bool changed = points_->collect(p_, index_, settings_.bind);
  if (changed || !updated_) update_factor();
  place_.assign(count_, 0);
  for (std::size_t i = 0; i < points_->point().size(); ++i) place_[points_->point()[i]] = i;
  bind_points();
  const std::size_t m = points_->point().size(), rows = row_.size();
  std::vector<double> b(3 * m + rows), x(3 * m + rows, 0.0);
  right_hand_side(b);
  const int iterations = gmres(
      b, x, settings_.most_krylov, settings_.krylov_tolerance,
      [&](const std::vector<double>& in, std::vector<double>& out) { apply(in, out); },
      [&](const std::vector<double>& in, std::vector<double>& out) { precondition(in, out); });
  report.products += iterations + 1;
  if (settings_.bind) report.products += binding_products();
  take(x);
  return true;
}

/// A factor of its own for every step (Cholesky: m^3 / 6 multiplications, three for an entry of G).
int NewtonSystem::binding_products() const {
  const double m = static_cast<double>(points_->point().size()), all = static_cast<double>(count_);
  const double work = m * m * m / 18.0 + (is_bound_ ? bound_.work(update_.rank()) : 0.0);
  return static_cast<int>(work / std::max(1.0, all * all));
}

void NewtonSystem::choose_states() {
  for (std::size_t c = 0; c < count_; ++c) state_[c] = choose_state(p_, c, response(c));
  row_.clear();
  for (std::size_t k = 0; k < p_.scalar.size(); ++k) {
    const ScalarRow& row = p_.scalar[k];
    const double r = row_compliance_[k];
    const double value = scalar_value(p_, row) + row.compliance * row.force;
    if (row.one_sided && !(r * row.force - value > 0.0)) continue;
    row_.push_back(k);
    for (const auto& entry : row.entry)
      if (state_[entry.point].kind == PointKind::off) state_[entry.point].kind = PointKind::carrier;
  }
  index_.clear();
  for (std::size_t c = 0; c < count_; ++c)
    if (state_[c].kind != PointKind::off || !(p_.force[c] == Vec3d{})) index_.push_back(c);
}

void NewtonSystem::right_hand_side(std::vector<double>& b) const {
  const std::size_t m = points_->point().size();
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t c = points_->point()[i];
    const PointState& s = state_[c];
    Vec3d r = p_.displacement[c];
    if (s.kind == PointKind::held) r += p_.held_compliance_of(c) * p_.force[c];
    if (s.kind == PointKind::slip) r += (s.across * dot(s.p, p_.force[c])) * s.p;
    r = s.restrict(r);
    for (int k = 0; k < 3; ++k) b[3 * i + k] = -r[k];
  }
  // Sliding points first move their force to -mu l_n t, open ones drop theirs: what that does is part of
  // the right-hand side.
  std::vector<Vec3d> change(m);
  bool any = false;
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t c = points_->point()[i];
    const PointState& s = state_[c];
    if (s.kind == PointKind::off) {
      change[i] = -1.0 * p_.force[c];
      any = any || !(change[i] == Vec3d{});
    }
    if (s.kind != PointKind::slip) continue;
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
    const Vec3d r = state_[points_->point()[i]].restrict(u.at(i));
    for (int k = 0; k < 3; ++k) b[3 * i + k] -= r[k];
  }
  for (std::size_t k = 0; k < row_.size(); ++k)
    for (const auto& entry : p_.scalar[row_[k]].entry)
      b[3 * m + k] -= dot(entry.direction, u.at(place_[entry.point]));
}

void NewtonSystem::product(const std::vector<Vec3d>& force, SplitVectors& u) const {
  if (points_->whole() || p_.matrix_free) {
    operator_.apply(force, u);
    return;
  }
  const std::size_t m = points_->point().size();
  u.assign(m, 0.0);
  std::vector<ColumnStep> steps;
  for (std::size_t i = 0; i < m; ++i)
    if (!(force[i] == Vec3d{})) steps.push_back({i, force[i]});
  constexpr std::size_t kChunk = 256;
  for_each((m + kChunk - 1) / kChunk, 1, [&](std::size_t chunk) {
    add_columns(points_->gram().data(), m, steps.data(), steps.size(), chunk * kChunk,
                std::min(m, (chunk + 1) * kChunk), u.x.data(), u.y.data(), u.z.data());
  });
  if (p_.metric.rank() == 0) return;
  std::vector<double> z(p_.metric.rank(), 0.0);
  for (std::size_t i = 0; i < m; ++i) operator_.add_to_z(points_->point()[i], force[i], z);
  for_each(m, 256, [&](std::size_t i) {
    Vec3d extra{};
    operator_.add_low_rank(points_->point()[i], z, extra);
    u.set(i, u.at(i) + extra);
  });
}

void NewtonSystem::apply(const std::vector<double>& in, std::vector<double>& out) const {
  const std::size_t m = points_->point().size();
  std::vector<Vec3d> force(m);
  for (std::size_t i = 0; i < m; ++i) {
    const PointState& s = state_[points_->point()[i]];
    force[i] = s.force_of(s.restrict({in[3 * i], in[3 * i + 1], in[3 * i + 2]}));
  }
  for (std::size_t k = 0; k < row_.size(); ++k)
    for (const auto& entry : p_.scalar[row_[k]].entry)
      force[place_[entry.point]] += in[3 * m + k] * entry.direction;
  SplitVectors u;
  product(force, u);
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t c = points_->point()[i];
    const PointState& s = state_[c];
    const Vec3d x{in[3 * i], in[3 * i + 1], in[3 * i + 2]};
    Vec3d r = u.at(i);
    if (s.kind == PointKind::held) r += p_.held_compliance_of(c) * x;
    if (s.kind == PointKind::slip) r += (s.across * dot(s.p, x)) * s.p;
    r = s.restrict(r);
    for (int k = 0; k < 3; ++k) out[3 * i + k] = r[k];
  }
  for (std::size_t k = 0; k < row_.size(); ++k) {
    const ScalarRow& row = p_.scalar[row_[k]];
    double value = row.compliance * in[3 * m + k];
    for (const auto& entry : row.entry) value += dot(entry.direction, u.at(place_[entry.point]));
    out[3 * m + k] = value;
  }
}

void NewtonSystem::update_factor() {
  const std::size_t m = points_->point().size(), rank = p_.metric.rank();
  updated_ = true;
  update_.clear();
  if (rank > kMostColumns && (!settings_.bind || rank > m)) return;
  const std::vector<Vec3d> all = p_.metric.dense();
  std::vector<Vec3d> q(m * rank);
  std::vector<double> middle = p_.metric.dense_middle();
  for (double& v : middle) v *= p_.squared_step;
  for (std::size_t i = 0; i < m; ++i)
    std::copy_n(all.begin() + points_->point()[i] * rank, rank, q.begin() + i * rank);
  update_.set(std::move(q), rank, middle, [&](SplitVectors& x) { points_->solve(p_, x); });
}

/// What slides has no displacement given along its way, and friction there; what is off has no force.
void NewtonSystem::bind_points() {
  is_bound_ = false;
  if (!settings_.bind || p_.matrix_free) return;
  std::vector<Binding> bindings;
  for (std::size_t i = 0; i < points_->point().size(); ++i) {
    const std::size_t c = points_->point()[i];
    const PointState& s = state_[c];
    if (s.kind == PointKind::off || s.kind == PointKind::carrier)
      for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
        bindings.push_back({i, axis, axis, 0.0});
    if (s.kind != PointKind::slip) continue;
    bindings.push_back({i, s.t + s.friction * s.n, s.t, 0.0});
    if (s.across > 0.0) bindings.push_back({i, s.p, -1.0 * s.p, -1.0 / s.across});
  }
  is_bound_ = bindings.size() <= kMostBindings;
  if (!is_bound_) return;
  bound_.set(std::move(bindings), points_->point().size(), update_,
             [&](SplitVectors& x) { points_->solve(p_, x); });
}

void NewtonSystem::precondition(const std::vector<double>& in, std::vector<double>& out) const {
  const std::size_t m = points_->point().size();
  const auto inside = [&](std::size_t i, const Vec3d& v) {
    const std::size_t c = points_->point()[i];
    return is_bound_ ? state_[c].restrict(v) : state_[c].soften(p_.compliance(c), v);
  };
  SplitVectors x;
  x.assign(m, 0.0);
  for (std::size_t i = 0; i < m; ++i) x.set(i, inside(i, {in[3 * i], in[3 * i + 1], in[3 * i + 2]}));
  const std::vector<double> z = update_.project(x);
  points_->solve(p_, x);
  update_.subtract(z, x);
  if (is_bound_) bound_.apply(update_, x);
  for (std::size_t i = 0; i < m; ++i) {
    const Vec3d v = inside(i, x.at(i));
    for (int k = 0; k < 3; ++k) out[3 * i + k] = v[k];
  }
  for (std::size_t k = 0; k < row_.size(); ++k) {
    const double own = row_compliance_[row_[k]];
    out[3 * m + k] = own > 0.0 ? in[3 * m + k] / own : 0.0;
  }
}

Vec3d NewtonSystem::next_force(std::size_t c, const Vec3d& change) const {
  const PointState& s = state_[c];
  if (s.kind == PointKind::carrier || s.kind == PointKind::off) return {};
  const Vec3d f = p_.force[c] + s.restrict(change);
  if (s.kind == PointKind::held) return f;
  const Vec3d& n = p_.frame[c].n;
  const double normal = dot(n, f), limit = s.friction * normal;
  if (settings_.inside_laws && !(normal > 0.0)) return {};
  Vec3d tangential = f - normal * n;
  if (s.kind == PointKind::slip) tangential = dot(s.p, tangential) * s.p - limit * s.t;
  const double size = norm(tangential);
  if (settings_.inside_laws && (size > limit || (s.kind == PointKind::slip && size > 0.0)))
    tangential *= limit / size;
  return normal * n + tangential;
}

void NewtonSystem::take(const std::vector<double>& x) {
  const std::size_t m = points_->point().size();
  std::vector<Vec3d> next(count_);
  for (std::size_t i = 0; i < m; ++i)
    next[points_->point()[i]] = next_force(points_->point()[i], {x[3 * i], x[3 * i + 1], x[3 * i + 2]});
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
  take_step(p_, step, row_compliance_, true, settings_.response);
}

}  // namespace sinew
