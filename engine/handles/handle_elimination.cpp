#include "engine/handles/handle_elimination.hpp"

#include <algorithm>

#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kRowGrain = 8;
constexpr double kCarried = 1e-10;  // of a point's compliance

/// Change of the force at each point against the warm start, scalar rows included.
std::vector<Vec3d> force_changes(const std::vector<std::size_t>& kept, const ContactProblem& reduced,
                                 const ContactProblem& full) {
  std::vector<Vec3d> change(kept.size());
  for (std::size_t c = 0; c < kept.size(); ++c) change[c] = reduced.force[c] - full.force[kept[c]];
  for (std::size_t s = 0; s < reduced.scalar.size(); ++s)
    for (const ScalarRow::Entry& e : reduced.scalar[s].entry)
      change[e.point] += (reduced.scalar[s].force - full.scalar[s].force) * e.direction;
  return change;
}

Vec3d row3(const std::vector<double>& block, std::size_t row) {
  return {block[3 * row], block[3 * row + 1], block[3 * row + 2]};
}

}  // namespace

void HandleElimination::prepare(const ContactProblem& full, ContactProblem& reduced) {
  split(full);
  factor(full);
  reduced.resize(kept_.size());
  reduced.squared_step = full.squared_step;
  reduce_gram(full, reduced.gram);
}

void HandleElimination::split(const ContactProblem& full) {
  held_.clear();
  kept_.clear();
  place_.assign(full.size(), 0);
  for (std::size_t c = 0; c < full.size(); ++c) {
    const bool held = full.law_of(c) == PointLaw::held;
    place_[c] = held ? held_.size() : kept_.size();
    (held ? held_ : kept_).push_back(c);
  }
}

void HandleElimination::factor(const ContactProblem& full) {
  const std::size_t n = held_.size();
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      matrix[i * n + j] = full.squared_step * full.gram[held_[i] * full.size() + held_[j]];
    if (!full.held_compliance.empty()) matrix[i * n + i] += full.held_compliance[held_[i]];
  }
  if (matrix == matrix_ && factor_.size() == n) return;
  matrix_ = std::move(matrix);
  factor_.compute(matrix_, n);
  ++factor_count_;
}

void HandleElimination::reduce_gram(const ContactProblem& full, std::vector<double>& gram) {
  const std::size_t n = kept_.size();
  coupling_.resize(held_.size() * n);
  for (std::size_t i = 0; i < held_.size(); ++i)
    for (std::size_t c = 0; c < n; ++c) coupling_[i * n + c] = full.gram[held_[i] * full.size() + kept_[c]];
  factor_.half_solve(coupling_, n);
  // A point that held ones carry along entirely has no compliance left; rounding must not give it any.
  fixed_.assign(n, 0);
  for (std::size_t c = 0; c < n; ++c) {
    const double own = full.gram[kept_[c] * full.size() + kept_[c]];
    double left = own;
    for (std::size_t k = 0; k < factor_.rank(); ++k)
      left -= full.squared_step * coupling_[k * n + c] * coupling_[k * n + c];
    fixed_[c] = left <= kCarried * own;
  }
  for_each(n, kRowGrain, [&](std::size_t a) {
    double* row = gram.data() + a * n;
    if (fixed_[a]) {
      std::fill_n(row, n, 0.0);
      return;
    }
    const double* whole = full.gram.data() + kept_[a] * full.size();
    for (std::size_t b = 0; b < n; ++b) row[b] = whole[kept_[b]];
    for (std::size_t k = 0; k < factor_.rank(); ++k) {
      const double* y = coupling_.data() + k * n;
      const double share = full.squared_step * y[a];
      for (std::size_t b = 0; b < n; ++b) row[b] -= share * y[b];
    }
    for (std::size_t b = 0; b < n; ++b)
      if (fixed_[b]) row[b] = 0.0;
  });
}

void HandleElimination::reduce(const ContactProblem& full, ContactProblem& reduced) {
  const std::size_t n = kept_.size();
  reduced.law.resize(n);
  for (std::size_t c = 0; c < n; ++c) {
    reduced.law[c] = full.law_of(kept_[c]);
    reduced.frame[c] = full.frame[kept_[c]];
    reduced.friction[c] = full.friction[kept_[c]];
    reduced.force[c] = full.force[kept_[c]];
  }
  reduced.mass_gram.clear();
  if (!full.mass_gram.empty())
    for (const std::size_t c : kept_) reduced.mass_gram.push_back(full.mass_gram[c]);
  reduced.held_compliance.clear();
  reduced.scalar = full.scalar;
  for (ScalarRow& row : reduced.scalar)
    for (ScalarRow::Entry& e : row.entry) e.point = static_cast<Index>(place_[e.point]);

  half_.resize(3 * held_.size());
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const std::size_t p = held_[i];
    const double compliance = full.held_compliance.empty() ? 0.0 : full.held_compliance[p];
    const Vec3d r = full.displacement[p] + compliance * full.force[p];
    for (int axis = 0; axis < 3; ++axis) half_[3 * i + axis] = r[axis];
  }
  factor_.half_solve(half_, 3);
  reduce_metric(full, reduced);

  const std::size_t rank = full.metric.rank();
  std::vector<double> pull(rank);  // M^ Q_H^T K^-1 r
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t l = 0; l < rank; ++l) pull[k] += middle_[k * rank + l] * shift_[l];
  for (std::size_t c = 0; c < n; ++c) {
    Vec3d sum{};
    for (std::size_t k = 0; k < factor_.rank(); ++k) sum += coupling_[k * n + c] * row3(half_, k);
    for (std::size_t k = 0; k < rank; ++k) sum += pull[k] * low_rank_[c * rank + k];
    reduced.displacement[c] = full.displacement[kept_[c]] - full.squared_step * sum;
  }
}

void HandleElimination::reduce_metric(const ContactProblem& full, ContactProblem& reduced) {
  const std::size_t n = kept_.size(), rank = full.metric.rank(), columns = 3 * rank;
  const std::vector<Vec3d> full_low_rank = full.metric.dense();
  low_rank_.resize(n * rank);
  const std::vector<double> full_middle = full.metric.dense_middle();
  middle_ = full_middle;
  shift_.assign(rank, 0.0);
  half_metric_.resize(held_.size() * columns);
  for (std::size_t i = 0; i < held_.size(); ++i)
    for (std::size_t k = 0; k < columns; ++k)
      half_metric_[i * columns + k] = full_low_rank[held_[i] * rank + k / 3][k % 3];
  if (rank == 0) {
    reduced.metric.clear();
    return;
  }
  factor_.half_solve(half_metric_, columns);
  for_each(n, kRowGrain, [&](std::size_t c) {
    for (std::size_t k = 0; k < rank; ++k) {
      Vec3d q = full_low_rank[kept_[c] * rank + k];
      for (std::size_t i = 0; i < factor_.rank(); ++i)
        q -= (full.squared_step * coupling_[i * n + c]) * row3(half_metric_, i * rank + k);
      low_rank_[c * rank + k] = fixed_[c] ? Vec3d{} : q;
    }
  });
  std::vector<double> overlap(rank * rank);  // S
  for (std::size_t i = 0; i < factor_.rank(); ++i)
    for (std::size_t k = 0; k < rank; ++k) {
      const Vec3d p = row3(half_metric_, i * rank + k);
      shift_[k] += dot(p, row3(half_, i));
      for (std::size_t l = 0; l < rank; ++l)
        overlap[k * rank + l] += dot(p, row3(half_metric_, i * rank + l));
    }
  std::vector<double> system(rank * rank);  // 1 + h^2 M S
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t l = 0; l < rank; ++l) {
      double sum = 0.0;
      for (std::size_t m = 0; m < rank; ++m) sum += full_middle[k * rank + m] * overlap[m * rank + l];
      system[k * rank + l] = (k == l ? 1.0 : 0.0) + full.squared_step * sum;
    }
  // A metric that is not positive definite on the held points has no say there.
  if (!solve_dense(std::move(system), rank, middle_, rank)) middle_.assign(rank * rank, 0.0);
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t l = 0; l < k; ++l)
      middle_[k * rank + l] = middle_[l * rank + k] = 0.5 * (middle_[k * rank + l] + middle_[l * rank + k]);
  reduced.metric.set_dense(rank, low_rank_, middle_);
}

void HandleElimination::recover(const ContactProblem& reduced, ContactProblem& full) const {
  const std::size_t n = kept_.size(), m = held_.size(), rank = full.metric.rank();
  const double h2 = full.squared_step;
  std::vector<Vec3d> change = force_changes(kept_, reduced, full);

  std::vector<double> z(rank);  // M^ (Q^^T change - shift)
  std::vector<double> seen(rank);
  for (std::size_t k = 0; k < rank; ++k) {
    seen[k] = -shift_[k];
    for (std::size_t c = 0; c < n; ++c) seen[k] += dot(low_rank_[c * rank + k], change[c]);
  }
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t l = 0; l < rank; ++l) z[k] += middle_[k * rank + l] * seen[l];

  std::vector<double> held_change(3 * factor_.rank());  // -E^T (r + h^2 G_Hc change + h^2 Q_H z)
  for (std::size_t i = 0; i < factor_.rank(); ++i) {
    Vec3d sum{};
    for (std::size_t c = 0; c < n; ++c) sum += coupling_[i * n + c] * change[c];
    for (std::size_t k = 0; k < rank; ++k) sum += z[k] * row3(half_metric_, i * rank + k);
    sum = -(row3(half_, i) + h2 * sum);
    for (int axis = 0; axis < 3; ++axis) held_change[3 * i + axis] = sum[axis];
  }
  factor_.half_solve_back(held_change, 3);

  for_each(m, kRowGrain, [&](std::size_t i) {
    const double* row = full.gram.data() + held_[i] * full.size();
    Vec3d sum{};
    for (std::size_t c = 0; c < n; ++c) sum += row[kept_[c]] * change[c];
    for (std::size_t j = 0; j < m; ++j) sum += row[held_[j]] * row3(held_change, j);
    if (rank > 0) sum += full.metric.at(held_[i], z);
    full.displacement[held_[i]] += h2 * sum;
  });
  for (std::size_t i = 0; i < m; ++i) full.force[held_[i]] += row3(held_change, i);
  for (std::size_t c = 0; c < n; ++c) {
    full.force[kept_[c]] = reduced.force[c];
    full.displacement[kept_[c]] = reduced.displacement[c];
  }
  for (std::size_t s = 0; s < full.scalar.size(); ++s) full.scalar[s].force = reduced.scalar[s].force;
}

}  // namespace sinew
