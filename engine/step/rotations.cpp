// Bodies that turn (docs/method.md): rotations in the metric, steps along arcs, pairs in the body's axes. For
// free bodies of ARAP that A holds much stiffer against turning than their mass does: of these A knows all
// else, of other materials it does not, and stiff sheets of Neo-Hooke at 95 m/s were torn apart.
#include <algorithm>
#include <cmath>

#include "engine/step/stepper.hpp"

namespace sinew {

namespace {
constexpr double kStiffTurn = 1e5;    // times the inertia: what A adds against turning
constexpr double kMuchTurned = 2e-5;  // of the body, by which its ends leave a line: pairs of before do harm
constexpr double kLeastInertia = 1e-10;  // of the sum of all three: below, turning means nothing
constexpr double kLeastBend = 1e-8;      // strain by a straight step that is not worth an arc
constexpr double kWildTurn = 0.5;        // [rad]

/// v and w of a direction, which carry its momenta.
struct RigidPart {
  Vec3d centre, shift, axis;
  double radius = 0.0;  ///< [m] of the farthest node
};

RigidPart rigid_part(const BodyPrecomputed& p, const std::vector<Vec3d>& position,
                     const std::vector<Vec3d>& direction) {
  const std::size_t n = direction.size();
  RigidPart out;
  double mass = 0.0, size2 = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    mass += p.mass[i];
    out.centre += p.mass[i] * position[i];
    out.shift += p.mass[i] * direction[i];
  }
  out.centre *= 1.0 / mass;
  out.shift *= 1.0 / mass;
  Mat3d inertia{};
  Vec3d momentum{};
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d arm = position[i] - out.centre;
    size2 = std::max(size2, squared_norm(arm));
    momentum += p.mass[i] * cross(arm, direction[i]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        inertia(r, c) += p.mass[i] * ((r == c ? squared_norm(arm) : 0.0) - arm[r] * arm[c]);
  }
  out.axis = inverse(inertia) * momentum;
  out.radius = std::sqrt(size2);
  return out;
}
}  // namespace

/// How much stiffer than its inertia A holds the body against turning, s . M s / (s . M A^-1 M s) over the
/// three turns of its start shape; 0 where it cannot turn freely. Of the shape alone, so that every run of a
/// scene takes the same way.
double Stepper::turn_stiffness(std::size_t b) const {
  const BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  if (p.free_count != p.node_count || !p.solver) return 0.0;
  if (input_.model->bodies[b].spec.material.kind != MaterialKind::arap) return 0.0;
  const std::size_t n = static_cast<std::size_t>(p.node_count);
  std::vector<Vec3d> arm(n), inverse(n);
  Vec3d centre{};
  double mass = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    arm[i] = input_.model->bodies[b].start_position[p.to_user[i]];
    centre += p.mass[i] * arm[i];
    mass += p.mass[i];
  }
  centre *= 1.0 / mass;
  for (std::size_t i = 0; i < n; ++i) {
    arm[i] -= centre;
    inverse[i] = p.mass[i] * arm[i];
  }
  Vec3d* data = inverse.data();
  p.solver->solve(&data, 1, *p.solver->make_workspace());
  // w x (.) of both, summed over the axes: twice the products of the arms.
  double own = 0.0, held = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    own += p.mass[i] * squared_norm(arm[i]);
    held += p.mass[i] * dot(arm[i], inverse[i]);
  }
  return held > 0.0 ? own / held : 0.0;
}

/// The iteration starts on the arc of the prediction, which stretches nothing.
void Stepper::start_turning(std::size_t b) {
  BodyFrame& f = bodies_[b];
  if (f.turn_stiffness_of != f.precomputed) {
    f.turn_stiffness = turn_stiffness(b);
    f.turn_stiffness_of = f.precomputed;
  }
  if (!(f.turn_stiffness > kStiffTurn)) return;
  f.position = state_.bodies[b].position;
  combine(f, f.direction, 1.0, f.predicted, -1.0, &f.position);
  move_along_arc(f, f.direction, 1.0);
  if (f.bend > kMuchTurned * input_.model->bodies[b].diagonal)
    f.metric->clear();
  else if (f.bend > 0.0)
    f.metric->turn(f.turn);
  std::swap(f.position, f.trial);
  f.trial = f.position;
  fix_rotations(f);
}

/// A free body resists a rotation by its mass alone as well, but A takes it for strain: with A a card of
/// 1 mm tips over too slowly by a factor of a hundred. The true Hessian takes s = w x (q~ - c) to M s
/// (Rayleigh's alpha added); three such pairs, M-orthogonal, are fixed for the frame.
void Stepper::fix_rotations(BodyFrame& f) const {
  const BodyPrecomputed& p = *f.precomputed;
  const std::vector<Vec3d>& position = f.position.host();
  const std::size_t n = position.size();
  Vec3d centre{};
  double mass = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    centre += p.mass[i] * position[i];
    mass += p.mass[i];
  }
  centre *= 1.0 / mass;
  const double damped = 1.0 + h() * p.alpha;
  std::vector<Vec3d> arm(n), inverse_arm(n);
  for (std::size_t i = 0; i < n; ++i) {
    arm[i] = position[i] - centre;
    inverse_arm[i] = (damped * p.mass[i]) * arm[i];
  }
  solve_alone(f, inverse_arm);  // A acts on each axis alike: A^-1 M (w x arm) = w x A^-1 M arm
  Mat3d inertia{};
  for (std::size_t i = 0; i < n; ++i)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        inertia(r, c) += p.mass[i] * ((r == c ? squared_norm(arm[i]) : 0.0) - arm[i][r] * arm[i][c]);
  std::vector<Vec3d> axes;  // orthogonal in the tensor of inertia
  for (int k = 0; k < 3; ++k) {
    Vec3d axis{};
    axis[k] = 1.0;
    for (const Vec3d& a : axes) axis -= (dot(a, inertia * axis) / dot(a, inertia * a)) * a;
    if (!(dot(axis, inertia * axis) > kLeastInertia * trace(inertia))) continue;  // a line of nodes
    axes.push_back(axis);
    std::vector<Vec3d> s(n), y(n), inverse_y(n);
    for (std::size_t i = 0; i < n; ++i) {
      s[i] = cross(axis, arm[i]);
      y[i] = (damped * p.mass[i]) * s[i];
      inverse_y[i] = cross(axis, inverse_arm[i]);
    }
    f.metric->fix(std::move(s), std::move(y), std::move(inverse_y), f.sums);
  }
}

/// A straight step that turns a body by an angle t stretches it by t^2 / 2, which stiff bodies do not allow:
/// the line search would cut the turn to nothing. So the rigid part of d is carried out as a rotation,
///   trial = c + l v + exp(l w) (q - c + l (d - v - w x (q - c))),
/// with the same first order. w and v carry the momenta of d.
void Stepper::move_along_arc(BodyFrame& f, const Mirrored<Vec3d>& along, double length) const {
  const std::vector<Vec3d>&position = f.position.host(), &direction = along.host();
  const std::size_t n = direction.size();
  const RigidPart rigid = rigid_part(*f.precomputed, position, direction);
  std::vector<Vec3d>& trial = f.trial.host_new(n);
  f.bend = 0.0;
  const double bend = 0.5 * squared_norm(length * rigid.axis);
  if (!(bend > kLeastBend)) {
    for_each(n, kNodeGrain, [&](std::size_t i) { trial[i] = position[i] + length * direction[i]; });
    return;
  }
  f.bend = bend * rigid.radius;
  f.turn = rotation_from_vector(length * rigid.axis);
  const Mat3d change = f.turn - Mat3d::identity();
  for_each(n, kNodeGrain, [&](std::size_t i) {
    const Vec3d arm = position[i] - rigid.centre, turned = cross(rigid.axis, arm), d = direction[i];
    const Vec3d off_line = change * (arm + length * (d - rigid.shift - turned)) - length * turned;
    trial[i] = position[i] + length * d + off_line;
  });
}

/// A turn of half a radian in one iteration, or laws without an answer, come of contacts that ask for the
/// impossible: without rotations they meet resistance.
void Stepper::refuse_wild_turns(Island& island) {
  bool wild = false;
  for (const std::size_t b : island.bodies) {
    const BodyFrame& f = bodies_[b];
    if (f.metric->fixed() == 0) continue;
    wild = wild || island.gives || island.gives_early || island.missed > 0 ||
           norm(rigid_part(*f.precomputed, f.position.host(), f.direction.host()).axis) > kWildTurn;
  }
  if (!wild) return;
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    f.metric->clear();
    combine(f, f.direction, -1.0, f.inverse_before);
  }
}

/// Forces inside turn with the body: pairs live in its own axes, or a turn would look like a stretch without
/// resistance. Inertia is linear.
void Stepper::turn_pairs(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  const std::vector<Vec3d>&start = state_.bodies[b].position.host(), &predicted = f.predicted.host();
  const std::vector<Vec3d>&position = f.position.host(), &trial = f.trial.host();
  const std::vector<Vec3d>&gradient = f.gradient.host(), &trial_gradient = f.trial_gradient.host();
  std::vector<Vec3d>&step = f.step.edit(), &change = f.gradient_change.edit();
  const double damping = h() * p.alpha;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const auto inertia = [&](const Vec3d& x) {
      return p.mass[i] * ((x - predicted[i]) + damping * (x - start[i]));
    };
    step[i] = f.turn * step[i];
    change[i] = trial_gradient[i] - inertia(trial[i]) - f.turn * (gradient[i] - inertia(position[i])) +
                ((1.0 + damping) * p.mass[i]) * step[i];
  }
  f.metric->turn(f.turn);
}

}  // namespace sinew
