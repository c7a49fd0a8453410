// How a point takes part in one step of Newton's method on the active set.
#pragma once

#include "engine/contact/contact_problem.hpp"

namespace sinew {

enum class PointKind : std::uint8_t { off, stick, slip, held, carrier };

struct PointState {
  PointKind kind = PointKind::off;
  Vec3d t, p;           ///< slip: unit direction of sliding, and the tangent across it
  double across = 0.0;  ///< [m/N] slip: compliance across the direction of sliding
  double friction = 0.0;
  Vec3d n;

  /// The part of a world vector that the point's equations see.
  Vec3d restrict(const Vec3d& v) const {
    if (kind == PointKind::stick || kind == PointKind::held) return v;
    return kind == PointKind::slip ? v - dot(t, v) * t : Vec3d{};
  }
  /// Force of the unknown x: sliding friction goes with the normal force.
  Vec3d force_of(const Vec3d& x) const {
    return kind == PointKind::slip ? x - (friction * dot(n, x)) * t : x;
  }
  /// Scales what moves across the direction of sliding down to its stiffer own compliance; r: the point's.
  Vec3d soften(double r, const Vec3d& v) const;
};

/// By the augmented force of point c (Alart and Curnier 1991); r [m/N] says what length a force stands for.
PointState choose_state(const ContactProblem& problem, std::size_t c, double r);

}  // namespace sinew
