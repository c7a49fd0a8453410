#include "engine/contact/newton_step.hpp"

#include <algorithm>

#include "engine/contact/residuals.hpp"

namespace sinew {

namespace {

constexpr int kHalvings = 6;

}  // namespace

double merit(const ContactProblem& problem, const ForceStep& step, double length,
             const std::vector<double>& own_compliance, const std::vector<double>& response) {
  double sum = 0.0;
  for (std::size_t c = 0; c < problem.size(); ++c) {
    const PointLaw law = problem.law_of(c);
    if (law == PointLaw::none) continue;
    const Vec3d u = problem.displacement[c] + length * step.displacement.at(c);
    const Vec3d f = problem.force[c] + length * step.own[c];
    if (law == PointLaw::held) {
      sum += squared_norm(u + problem.held_compliance_of(c) * f);
      continue;
    }
    const auto& e = problem.frame[c];
    const auto local = [&](const Vec3d& v) { return Vec3d{dot(e.n, v), dot(e.t1, v), dot(e.t2, v)}; };
    const double map = natural_map_residual(
        local(u), local(f), response.empty() ? problem.compliance(c) : response[c], problem.friction[c]);
    sum += map * map;
  }
  for (std::size_t s = 0; s < problem.scalar.size(); ++s) {
    const ScalarRow& row = problem.scalar[s];
    const double force = row.force + length * step.lambda[s];
    double value = scalar_value(problem, row) + row.compliance * force;
    for (const auto& entry : row.entry)
      value += length * dot(entry.direction, step.displacement.at(entry.point));
    if (row.one_sided) value = std::min(value, own_compliance[s] * force);
    sum += value * value;
  }
  return sum;
}

void take_step(ContactProblem& problem, const ForceStep& step, const std::vector<double>& own_compliance,
               bool search, const std::vector<double>& response) {
  double best = 1.0;
  if (search) {
    const double before = merit(problem, step, 0.0, own_compliance, response);
    double least = merit(problem, step, 1.0, own_compliance, response), length = 1.0;
    for (int k = 0; k < kHalvings && !(least < before); ++k) {
      length *= 0.5;
      const double value = merit(problem, step, length, own_compliance, response);
      if (!(value < least)) continue;
      least = value;
      best = length;
    }
    if (!(least < before)) best = 1.0;
  }
  for (std::size_t c = 0; c < problem.size(); ++c) {
    problem.force[c] += best * step.own[c];
    problem.displacement[c] += best * step.displacement.at(c);
  }
  for (std::size_t s = 0; s < problem.scalar.size(); ++s) problem.scalar[s].force += best * step.lambda[s];
}

void set_forces(ContactProblem& problem, const ContactOperator& op, const std::vector<Vec3d>& own,
                const std::vector<double>& lambda) {
  std::vector<Vec3d> change(problem.size());
  for (std::size_t c = 0; c < problem.size(); ++c) {
    change[c] = own[c] - problem.force[c];
    problem.force[c] = own[c];
  }
  for (std::size_t s = 0; s < problem.scalar.size(); ++s) {
    ScalarRow& row = problem.scalar[s];
    for (const auto& entry : row.entry) change[entry.point] += (lambda[s] - row.force) * entry.direction;
    row.force = lambda[s];
  }
  SplitVectors u;
  op.apply(change, u);
  for (std::size_t c = 0; c < problem.size(); ++c) problem.displacement[c] += u.at(c);
}

void KeptAnswer::keep(const ContactProblem& problem, double value) {
  displacement = problem.displacement;
  force = problem.force;
  scalar.clear();
  for (const ScalarRow& row : problem.scalar) scalar.push_back(row.force);
  residual = value;
}

void KeptAnswer::restore(ContactProblem& problem) const {
  problem.displacement = displacement;
  problem.force = force;
  for (std::size_t s = 0; s < scalar.size(); ++s) problem.scalar[s].force = scalar[s];
}

}  // namespace sinew
