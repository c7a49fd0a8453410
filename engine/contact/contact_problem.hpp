// What contact solvers solve. The doors: contact_solver.hpp; the yardstick: residuals.hpp.
//
// Contact points of bodies that touch, seen through their scalar Gram matrix: with world displacements U_c
// (the gap along the normal, the slip along the tangents) and world forces f_c,  U = U0 + h^2 (G + Q M Q^T)
// f, where f is the point's own force plus d lambda of the scalar rows. G is scalar (fact 3); the term of low
// rank, absent by default, comes from the quasi-Newton metrics of the bodies.
#pragma once

#include <memory>
#include <vector>

#include <sinew/mesh.hpp>

#include "engine/contact/low_rank_term.hpp"
#include "engine/contact/point_operator.hpp"
#include "kernels/device/view.hpp"
#include "kernels/element/contact/coulomb.hpp"
#include "kernels/element/contact/point_law.hpp"

namespace sinew {

/// One constraint along directions of its own (a cable, a guide): value = offset + sum d_k . U_k, its force
/// on point k is d_k lambda.
struct ScalarRow {
  struct Entry {
    Index point = 0;
    Vec3d direction;  ///< d_k, any length
  };
  std::vector<Entry> entry;
  double offset = 0.0;      ///< [m]
  double compliance = 0.0;  ///< [m/N], >= 0
  bool one_sided =
      false;  ///< 0 <= lambda perp value + compliance lambda >= 0; else value + compliance lambda = 0
  double force = 0.0;  ///< lambda [N]: warm start in, solution out
};

/// What a solver keeps for the next solve with the same G. Copies of a problem start without.
struct SolverMemory {
  std::shared_ptr<void> kept;
  std::shared_ptr<void> part;  ///< of the problem, with a memory of its own (working_set.hpp)

  SolverMemory() = default;
  SolverMemory(const SolverMemory&) {}
  SolverMemory& operator=(const SolverMemory& other) {
    if (this != &other) clear();
    return *this;
  }
  SolverMemory(SolverMemory&&) = default;
  SolverMemory& operator=(SolverMemory&&) = default;
  void clear() {
    kept.reset();
    part.reset();
  }
};

struct ContactProblem {
  double squared_step = 0.0;                ///< h^2 [s^2]
  std::vector<PointLaw> law;                ///< {c}; empty: contact everywhere
  std::vector<ContactFrame<double>> frame;  ///< {c} of contacts
  std::vector<double> friction;             ///< {c} of contacts
  std::vector<double> held_compliance;      ///< {c} [m/N] of held points; empty: 0
  std::vector<ScalarRow> scalar;
  std::vector<double> gram;       ///< {c, c} row-major, G [1/kg], symmetric
  std::vector<double> mass_gram;  ///< {c} (B M^-1 B^T)_cc [1/kg]; only where RowScaling::mass asks for it
  /// G {c, c} where it is on a device, for solvers that run there; gram may be empty then. Its diagonal is
  /// what gram_diagonal says.
  View<double> device_gram;
  std::vector<double> gram_diagonal;  ///< {c} [1/kg] of device_gram
  /// Where set, it stands for G, and gram may be empty.
  const PointOperator* matrix_free = nullptr;
  LowRankTerm metric;               ///< Q: world vectors, M symmetric; empty: none
  std::vector<Vec3d> displacement;  ///< {c} U [m] with all forces acting: in and out
  std::vector<Vec3d> force;         ///< {c} f [N], world, of the point's own law: warm start in, solution out

  SolverMemory memory;  ///< resize() drops it

  std::size_t size() const { return frame.size(); }
  void resize(std::size_t count);
  PointLaw law_of(std::size_t c) const { return law.empty() ? PointLaw::contact : law[c]; }
  double held_compliance_of(std::size_t c) const {
    return held_compliance.empty() ? 0.0 : held_compliance[c];
  }
  /// Compliance of one point, r = h^2 G_cc [m/N].
  double compliance(std::size_t c) const {
    return squared_step * (matrix_free ? matrix_free->diagonal()[c] : diagonal(c));
  }
  double diagonal(std::size_t c) const { return gram.empty() ? gram_diagonal[c] : gram[c * size() + c]; }
  double& diagonal(std::size_t c) { return gram.empty() ? gram_diagonal[c] : gram[c * size() + c]; }
};

struct ContactReport {
  int sweeps = 0;         ///< of Gauss-Seidel
  int newton_steps = 0;   ///< of the Newton solvers
  int products = 0;       ///< with G: one for a sweep, a check, or an iteration of a Krylov method
  double change = 0.0;    ///< [m] largest change of a point in the last sweep or step
  bool converged = true;  ///< below the tolerance; a relative stop does not count
};

}  // namespace sinew
