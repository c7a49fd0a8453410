#include "engine/contact/residuals.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

double scalar_value(const ContactProblem& problem, const ScalarRow& row) {
  double value = row.offset;
  for (const auto& entry : row.entry) value += dot(entry.direction, problem.displacement[entry.point]);
  return value;
}

ContactYardstick measure(const ContactProblem& problem) {
  ContactYardstick y;
  for (std::size_t c = 0; c < problem.size(); ++c) {
    if (problem.law_of(c) == PointLaw::none) continue;
    if (problem.law_of(c) == PointLaw::held) {
      const Vec3d residual = problem.displacement[c] + problem.held_compliance_of(c) * problem.force[c];
      y.held = std::max(y.held, norm(residual));
      continue;
    }
    const auto& e = problem.frame[c];
    const auto local = [&](const Vec3d& v) { return Vec3d{dot(e.n, v), dot(e.t1, v), dot(e.t2, v)}; };
    const Vec3d u = local(problem.displacement[c]), f = local(problem.force[c]);
    const double r = problem.compliance(c), friction = problem.friction[c];
    y.natural_map = std::max(y.natural_map, natural_map_residual(u, f, r, friction));
    const double slip = std::hypot(u.y, u.z), tangential = std::hypot(f.y, f.z);
    y.cone = std::max({y.cone, -f.x, tangential - friction * std::max(0.0, f.x)});
    y.complementarity = std::max(y.complementarity, std::min(std::max(0.0, u.x), r * std::max(0.0, f.x)));
    y.penetration = std::max(y.penetration, -u.x);
    if (f.x > 0.0 && tangential < 0.9999 * friction * f.x) y.creep = std::max(y.creep, slip);
  }
  for (const ScalarRow& row : problem.scalar) {
    const double residual = scalar_value(problem, row) + row.compliance * row.force;
    double r = row.compliance;  // the law of a one-sided row needs a length to compare its force with
    for (const auto& a : row.entry)
      for (const auto& b : row.entry)
        if (problem.matrix_free || problem.gram.empty())
          r += a.point == b.point ? problem.compliance(a.point) * dot(a.direction, b.direction) : 0.0;
        else
          r += problem.squared_step * dot(a.direction, b.direction) *
               problem.gram[static_cast<std::size_t>(a.point) * problem.size() + b.point];
    const double distance = row.one_sided ? std::abs(std::min(residual, r * row.force)) : std::abs(residual);
    y.scalar = std::max(y.scalar, distance);
  }
  return y;
}

double natural_map_residual(const ContactProblem& problem) {
  return measure(problem).natural_map;
}

}  // namespace sinew
