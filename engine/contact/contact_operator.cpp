#include "engine/contact/contact_operator.hpp"

#include <algorithm>

#include "kernels/element/contact/largest_eigenvalue.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kGroupsPerTask = 8;

}  // namespace

ContactOperator::ContactOperator(const ContactProblem& problem)
    : p_(problem), count_(problem.size()), groups_((problem.size() + kGroup - 1) / kGroup) {
  if (!p_.matrix_free) find_zero_blocks();
  project_metric();
}

/// A block that is not zero says so at its first entries.
void ContactOperator::find_zero_blocks() {
  zero_.assign(groups_ * groups_, 0);
  for_each(groups_, 8, [&](std::size_t a) {
    for (std::size_t b = 0; b < groups_; ++b) {
      bool zero = true;
      for (std::size_t c = a * kGroup; zero && c < group_end(a); ++c)
        for (std::size_t d = b * kGroup; zero && d < group_end(b); ++d) zero = p_.gram[c * count_ + d] == 0.0;
      zero_[a * groups_ + b] = zero;
    }
  });
  for (const char zero : zero_) dense_ = dense_ && !zero;
}

void ContactOperator::project_metric() {
  const LowRankTerm& metric = p_.metric;
  projected_.assign(metric.vectors().size(), Vec3d{});
  if (projected_.empty()) return;
  for_each(count_, 64, [&](std::size_t c) {
    for (const LowRankTerm::Segment& s : metric.row(c)) {
      const std::size_t width = metric.width(s.block);
      const double* middle = metric.middle(s.block);
      const Vec3d* q = metric.vectors().data() + s.first;
      for (std::size_t k = 0; k < width; ++k)
        for (std::size_t l = 0; l < width; ++l)
          projected_[s.first + l] += (p_.squared_step * middle[k * width + l]) * q[k];
    }
  });
}

std::size_t ContactOperator::group_end(std::size_t group) const {
  return std::min(count_, (group + 1) * kGroup);
}

void ContactOperator::move(const std::vector<ColumnStep>& steps, std::size_t except, SplitVectors& u) const {
  if (steps.empty()) return;
  const std::size_t tasks = (groups_ + kGroupsPerTask - 1) / kGroupsPerTask;
  const std::size_t first_source = steps.front().point / kGroup;
  bool one_source = true;
  for (const ColumnStep& s : steps) one_source = one_source && s.point / kGroup == first_source;
  const auto move_range = [&](const std::vector<ColumnStep>& list, std::size_t from, std::size_t to) {
    add_columns(p_.gram.data(), count_, list.data(), list.size(), from, to, u.x.data(), u.y.data(),
                u.z.data());
  };
  for_each(tasks, 1, [&](std::size_t task) {
    const std::size_t last = std::min(groups_, (task + 1) * kGroupsPerTask);
    if (dense_ && except == kNoGroup) {
      move_range(steps, task * kGroupsPerTask * kGroup, group_end(last - 1));
      return;
    }
    std::vector<ColumnStep> near;
    for (std::size_t t = task * kGroupsPerTask; t < last; ++t) {
      if (t == except) continue;
      if (one_source) {
        if (block_is_zero(first_source, t)) continue;
        std::size_t run = t + 1;  // neighbours in one go
        while (run < last && run != except && !block_is_zero(first_source, run)) ++run;
        move_range(steps, t * kGroup, group_end(run - 1));
        t = run - 1;
        continue;
      }
      near.clear();
      for (const ColumnStep& s : steps)
        if (!block_is_zero(s.point / kGroup, t)) near.push_back(s);
      move_range(near, t * kGroup, group_end(t));
    }
  });
}

void ContactOperator::add_to_z(std::size_t c, const Vec3d& change, std::vector<double>& z) const {
  if (!projected_.empty()) p_.metric.add_to(c, change, z);
}

void ContactOperator::add_low_rank(std::size_t c, const std::vector<double>& z, Vec3d& sum) const {
  if (projected_.empty()) return;
  for (const LowRankTerm::Segment& s : p_.metric.row(c)) {
    const std::size_t begin = p_.metric.begin(s.block), width = p_.metric.width(s.block);
    for (std::size_t k = 0; k < width; ++k) sum += z[begin + k] * projected_[s.first + k];
  }
}

double ContactOperator::largest_low_rank(std::size_t c) const {
  if (projected_.empty()) return 0.0;
  double m[3][3] = {};
  for (const LowRankTerm::Segment& s : p_.metric.row(c))
    for (std::size_t k = s.first; k < s.first + p_.metric.width(s.block); ++k) {
      const Vec3d &a = projected_[k], &b = p_.metric.vectors()[k];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] += a[i] * b[j];
    }
  return largest_eigenvalue(m);
}

double ContactOperator::scalar_compliance(const ScalarRow& row) const {
  double sum = 0.0;
  if (p_.matrix_free) {
    std::vector<Vec3d> force(count_);
    for (const auto& a : row.entry) force[a.point] += a.direction;
    SplitVectors u;
    apply(force, u);
    for (const auto& a : row.entry) sum += dot(a.direction, u.at(a.point));
    return sum;
  }
  for (const auto& a : row.entry)
    for (const auto& b : row.entry)
      sum += p_.squared_step * p_.gram[static_cast<std::size_t>(a.point) * count_ + b.point] *
             dot(a.direction, b.direction);
  if (!projected_.empty()) {
    std::vector<double> z(p_.metric.rank(), 0.0);
    for (const auto& a : row.entry) add_to_z(a.point, a.direction, z);
    for (const auto& a : row.entry) {
      Vec3d u{};
      add_low_rank(a.point, z, u);
      sum += dot(a.direction, u);
    }
  }
  return sum;
}

void ContactOperator::apply(const std::vector<Vec3d>& force, SplitVectors& u, bool use_low_rank) const {
  u.assign(count_, 0.0);
  if (p_.matrix_free) {
    std::vector<Vec3d> out(count_);
    p_.matrix_free->apply(force, out);
    for (std::size_t c = 0; c < count_; ++c) u.set(c, p_.squared_step * out[c]);
  } else {
    std::vector<ColumnStep> steps;
    for (std::size_t c = 0; c < count_; ++c)
      if (!(force[c] == Vec3d{})) steps.push_back({c, p_.squared_step * force[c]});
    move(steps, kNoGroup, u);
  }
  if (!use_low_rank || projected_.empty()) return;
  std::vector<double> z(p_.metric.rank(), 0.0);
  for (std::size_t c = 0; c < count_; ++c) add_to_z(c, force[c], z);
  for_each(count_, 256, [&](std::size_t c) {
    Vec3d extra{};
    add_low_rank(c, z, extra);
    u.x[c] += extra.x;
    u.y[c] += extra.y;
    u.z[c] += extra.z;
  });
}

}  // namespace sinew
