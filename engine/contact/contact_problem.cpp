#include "engine/contact/contact_problem.hpp"

#include <algorithm>

namespace sinew {

void ContactProblem::resize(std::size_t count) {
  frame.resize(count);
  friction.resize(count);
  gram.resize(count * count);
  displacement.resize(count);
  force.resize(count);
}

double natural_map_residual(const ContactProblem& problem) {
  double worst = 0.0;
  for (std::size_t c = 0; c < problem.size(); ++c) {
    if (problem.law_of(c) != PointLaw::contact) continue;
    const auto& e = problem.frame[c];
    const auto local = [&](const Vec3d& v) { return Vec3d{dot(e.n, v), dot(e.t1, v), dot(e.t2, v)}; };
    worst = std::max(worst, natural_map_residual(local(problem.displacement[c]), local(problem.force[c]),
                                                 problem.compliance(c), problem.friction[c]));
  }
  return worst;
}

}  // namespace sinew
