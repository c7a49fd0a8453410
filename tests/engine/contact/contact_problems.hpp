// Contact problems for tests.
#pragma once

#include <cmath>

#include "engine/contact/contact_problem.hpp"
#include "tests/support/random.hpp"

namespace sinew::test {

/// h = 0.01 s, planes z = 0, friction 0.5; G is for the caller to fill.
inline ContactProblem zero_problem(std::size_t count) {
  ContactProblem p;
  p.resize(count);
  p.squared_step = 1e-4;
  for (auto& frame : p.frame) frame = make_contact_frame(Vec3d{0, 0, 1});
  for (double& mu : p.friction) mu = 0.5;
  return p;
}

/// Points of a stiff body: G = 1/m + elastic, as of a block on an uneven floor.
inline ContactProblem body_on_plane(std::size_t count, double rigid, double elastic, std::uint64_t seed) {
  Random random(seed);
  ContactProblem p = zero_problem(count);
  std::vector<Vec3d> place(count);
  for (Vec3d& x : place) x = random.vector();
  for (std::size_t i = 0; i < count; ++i) {
    p.frame[i] = make_contact_frame(normalized(Vec3d{0.2 * random.uniform(), 0.2 * random.uniform(), 1.0}));
    p.friction[i] = random.uniform(0.0, 0.8);
    p.displacement[i] = 1e-3 * (Vec3d{0.3, 0.1, -1.0} + 0.3 * random.vector());
    for (std::size_t j = 0; j < count; ++j)
      p.gram[i * count + j] = rigid + elastic * std::exp(-4.0 * norm(place[i] - place[j]));
  }
  return p;
}

/// A term of low rank with a positive definite M.
inline void add_rank(ContactProblem& p, std::size_t rank, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> middle(rank * rank, 0.0);
  for (std::size_t k = 0; k < rank; ++k) middle[k * rank + k] = 0.1 + 0.2 * static_cast<double>(k);
  std::vector<Vec3d> q;
  for (std::size_t k = 0; k < p.size() * rank; ++k) q.push_back(0.3 * random.vector());
  p.metric.set_dense(rank, q, middle);
}

/// How far the displacements of an answer are from U0 + h^2 (G + Q M Q^T) (f - f0).
inline double displacement_error(const ContactProblem& start, const ContactProblem& answer) {
  const std::size_t n = start.size();
  std::vector<Vec3d> df(n);
  for (std::size_t c = 0; c < n; ++c) df[c] = answer.force[c] - start.force[c];
  for (std::size_t s = 0; s < start.scalar.size(); ++s)
    for (const auto& entry : start.scalar[s].entry)
      df[entry.point] += (answer.scalar[s].force - start.scalar[s].force) * entry.direction;
  const std::size_t rank = start.metric.rank();
  const std::vector<Vec3d> q = start.metric.dense();
  const std::vector<double> middle = start.metric.dense_middle();
  std::vector<double> z(rank, 0.0);
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t k = 0; k < rank; ++k) z[k] += dot(q[c * rank + k], df[c]);
  double worst = 0.0;
  for (std::size_t c = 0; c < n; ++c) {
    Vec3d u = start.displacement[c];
    for (std::size_t d = 0; d < n; ++d) u += (start.squared_step * start.gram[c * n + d]) * df[d];
    for (std::size_t k = 0; k < rank; ++k)
      for (std::size_t l = 0; l < rank; ++l)
        u += (start.squared_step * middle[k * rank + l] * z[l]) * q[c * rank + k];
    worst = std::max(worst, norm(u - answer.displacement[c]));
  }
  return worst;
}

}  // namespace sinew::test
