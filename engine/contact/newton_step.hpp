// What the Newton solvers share: how far to go along a step, and the best answer so far.
#pragma once

#include <vector>

#include "engine/contact/contact_operator.hpp"

namespace sinew {

/// A change of the forces of points and rows that keeps all forces allowed, and the displacements that
/// follow.
struct ForceStep {
  std::vector<Vec3d> own;      ///< {c} [N]
  std::vector<double> lambda;  ///< {scalar rows} [N]
  SplitVectors displacement;   ///< {c} [m]
};

/// Sum of the squares of all natural maps [m^2] part of the way along a step. own_compliance: {scalar rows}
/// [m/N], their own compliance included. response: {c} [m/N] what length a force stands for; empty: a
/// point's own compliance.
double merit(const ContactProblem& problem, const ForceStep& step, double length,
             const std::vector<double>& own_compliance, const std::vector<double>& response = {});

/// Takes the step, halved while that lowers the merit; the whole of it where no part does: where it leads may
/// be better later. All laws allow every point between two allowed ones, and displacements follow linearly,
/// so that trying a shorter step costs no product.
void take_step(ContactProblem& problem, const ForceStep& step, const std::vector<double>& own_compliance,
               bool search, const std::vector<double>& response = {});

/// Forces := own {c} and lambda {scalar rows}; displacements follow by one product.
void set_forces(ContactProblem& problem, const ContactOperator& op, const std::vector<Vec3d>& own,
                const std::vector<double>& lambda);

/// Forces and displacements to go back to.
struct KeptAnswer {
  std::vector<Vec3d> displacement, force;
  std::vector<double> scalar;
  double residual = 0.0;

  void keep(const ContactProblem& problem, double value);
  void restore(ContactProblem& problem) const;
};

}  // namespace sinew
