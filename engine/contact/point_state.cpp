#include "engine/contact/point_state.hpp"

#include <cmath>

namespace sinew {

Vec3d PointState::soften(double r, const Vec3d& v) const {
  if (kind != PointKind::slip) return restrict(v);
  const Vec3d inside = restrict(v);
  const double scale = std::sqrt(r / (r + across));
  return inside + ((scale - 1.0) * dot(p, inside)) * p;
}

PointState choose_state(const ContactProblem& problem, std::size_t c, double r) {
  PointState s;
  const PointLaw law = problem.law_of(c);
  if (law == PointLaw::held) s.kind = PointKind::held;
  if (law != PointLaw::contact || !(r > 0.0)) return s;
  const auto& e = problem.frame[c];
  const Vec3d &u = problem.displacement[c], &f = problem.force[c];
  const double normal = r * dot(e.n, f) - dot(e.n, u);  // [m] augmented
  if (!(normal > 0.0)) return s;
  s.n = e.n;
  s.friction = problem.friction[c];
  const double limit = s.friction * normal;
  const double w1 = dot(e.t1, u) - r * dot(e.t1, f), w2 = dot(e.t2, u) - r * dot(e.t2, f);
  const double w = std::sqrt(w1 * w1 + w2 * w2);
  if (w <= limit) {
    s.kind = PointKind::stick;
    return s;
  }
  s.kind = PointKind::slip;
  s.t = (w1 / w) * e.t1 + (w2 / w) * e.t2;
  s.p = cross(e.n, s.t);
  s.across = limit > 0.0 ? r * (w / limit - 1.0) : 1e12 * r;
  return s;
}

}  // namespace sinew
