// One frame of a bar whose ends are turned against each other: the problem of the convergence study.
//
// A straight bar at rest, 1 m x 0.2 m x 0.2 m along x, 1000 kg/m^3, no gravity, no damping, h = 0.01 s.
// Within this one frame its end faces turn about x by half the angle each, in opposite senses; all other
// nodes start where they were, which is q~. So q_0 holds the whole twist in the first layer of elements at
// each end: far from the solution, and rough on purpose.
#pragma once

#include <memory>
#include <vector>

#include <sinew/model.hpp>

#include "engine/elastic/local_step.hpp"

namespace sinew::bench {

struct TwistProblem {
  std::shared_ptr<BodyPrecomputed> body;  ///< for the local step; internal order
  SymmetricMatrix system;                 ///< A_s [kg] of the free nodes, internal order
  double time_step = 0.0;                 ///< [s]
  std::vector<Vec3d> predicted;           ///< {node_count} q~ = q_t [m]
  std::vector<Vec3d> first;               ///< {node_count} q_0 [m]

  ElasticInput input() const { return {time_step, predicted.data(), predicted.data()}; }
};

/// angle [rad] between the ends. @throws MeshError for a count of vertices that no bar has.
TwistProblem make_twist_problem(Index vertices, MaterialKind kind, double young_modulus, double angle);

}  // namespace sinew::bench
