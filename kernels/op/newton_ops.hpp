// Steps of the non-smooth Newton solver of contact on the device (engine/contact/nonsmooth_newton.hpp says
// what they compute). Unknowns of the system stand by points, in the frame of a contact (world axes where
// held), then (lambda, 0, 0) of the scalar rows.
//
// Conjugate residual keeps its numbers on the device: a kernel that needs a sum adds the parts that the
// kernel before left, every block the same ones in the same order, and block 0 writes what follows. An
// iteration is three launches and the product. Iterations after the last needed one do nothing.
#pragma once

#include "kernels/element/contact/nonsmooth.hpp"
#include "kernels/op/contact_ops.hpp"

namespace sinew {

/// Of one iteration of conjugate residual.
struct KrylovState {
  double enough = 0.0;  ///< square of the residual at which it stops
  double rar = 0.0;     ///< r . A r
  int done = 0;         ///< before this iteration: it does nothing
  int broken = 0;       ///< within it: no further one does anything
  int started = 0;      ///< there was a residual
  int steps = 0;        ///< taken so far
};

/// What a step leaves for the host.
struct NewtonOutcome {
  double residual = 0.0;  ///< [m] worst of all laws; NaN where something is
  double start = 0.0;     ///< [m] the first one
  double best = 0.0;      ///< [m] least so far: that of the kept answer
  double length = 0.0;    ///< of the last step
  int kept = 0;           ///< the present answer is the best
  int products = 0;       ///< with G since the first measure, as the host counts them
};

inline constexpr int kStepLengths = 8;  ///< that are tried: 0, 1, 1/2 ... 1/64

struct NewtonView {
  ContactView problem;
  View<const double> scaling;  ///< {c} r [m/N] of contacts in the functions of gap and force
  int published = 0;           ///< form
  int search = 0;              ///< steps are halved while that lowers the merit
  Complementarity function = Complementarity::fischer_burmeister;
  double relative = 0.0;  ///< residual at which conjugate residual stops

  View<Vec3d> displacement;  ///< {c} [m], world
  View<Vec3d> force;         ///< {unknowns} [N], world
  View<Vec3d> kept_displacement, kept_force;
  View<Vec3d> lambda;           ///< {unknowns} of the system [N]
  View<Vec3d> share, e, scale;  ///< {unknowns} Omega^1/2 or Omega; E; 1 / sqrt(diagonal)
  View<Vec3d> x, r, ar, p, ap;  ///< {unknowns} of conjugate residual
  View<Vec3d> step;             ///< {unknowns} change of the forces, world
  View<Vec3d> push, move;       ///< {c} world forces and the displacements that they make
  View<double> part;            ///< {newton_parts(unknowns)}
  View<KrylovState> krylov;     ///< a ring of at least 2
  View<NewtonOutcome> outcome;  ///< {1}

  SINEW_HD KrylovState& iteration(int k) const { return krylov[static_cast<std::size_t>(k) % krylov.size]; }
  SINEW_HD std::size_t unknowns() const { return problem.unknowns(); }
};

inline constexpr std::size_t kNewtonItems = 128;  ///< unknowns of a block
inline constexpr std::size_t newton_parts(std::size_t unknowns) {
  return (unknowns + kNewtonItems - 1) / kNewtonItems * kStepLengths;
}

class NewtonOps {
 public:
  virtual ~NewtonOps() = default;

  /// lambda from the forces that act.
  virtual void newton_unknowns(const NewtonView& newton) = 0;
  /// The system at the present forces and displacements, and the start of conjugate residual: r, x = 0.
  virtual void newton_system(const NewtonView& newton) = 0;
  /// Iteration k in three parts: push = forces of scaled r, of scalar rows too; after the product, move = h^2
  /// W push, ar = A r; then directions and a step.
  virtual void krylov_forces(const NewtonView& newton, int k) = 0;
  virtual void krylov_product(const NewtonView& newton, int k) = 0;
  virtual void krylov_step(const NewtonView& newton, int k) = 0;
  /// After `iterations` of them: step, push of the forces put back on their laws.
  virtual void newton_take(const NewtonView& newton, int iterations) = 0;
  /// With move of that push: how far to go; forces and displacements follow.
  virtual void newton_advance(const NewtonView& newton) = 0;
  /// outcome.residual of the present answer. It is kept where it is better than `best`; first: in any case.
  virtual void newton_measure(const NewtonView& newton, bool first) = 0;
};

}  // namespace sinew
