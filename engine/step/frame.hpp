// Workspace of one frame: thrown away after it, kept only to save allocations.
#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <sinew/simulation.hpp>

#include "engine/collision/collision_scene.hpp"
#include "engine/collision/detect.hpp"
#include "engine/collision/friction_table.hpp"
#include "engine/contact/contact_problem.hpp"
#include "engine/delassus/device_gram.hpp"
#include "engine/delassus/gram.hpp"
#include "engine/delassus/matrix_free.hpp"
#include "engine/elastic/admm.hpp"
#include "engine/elastic/local_step.hpp"
#include "engine/elastic/quasi_newton.hpp"
#include "engine/handles/handle_elimination.hpp"
#include "engine/handles/handle_rows.hpp"
#include "engine/precompute/body_precompute.hpp"
#include "engine/state/state.hpp"
#include "engine/step/device_frame.hpp"

namespace sinew {

/// Sizes of a body's residual: |r|^2, that of the forces which it is compared with, the largest |q|^2.
struct ResidualSizes {
  double residual2 = 0.0, scale2 = 0.0, farthest2 = 0.0;
};

/// What is known of a body at a point of a line search.
struct Trial {
  ElasticEnergy energy;
  std::optional<double> end_slope;        ///< of the merit along the direction
  std::optional<ResidualSizes> residual;  ///< with the contact forces of the search
};

/// One body during a frame. Node arrays are in internal order; *_free arrays hold the free nodes only.
struct BodyFrame {
  const BodyPrecomputed* precomputed = nullptr;
  std::unique_ptr<DeviceFrame> device;  ///< null: the body's arrays stand on the host
  FrameNodes nodes;  ///< views of the body at the frame's start, where it stands; written by: predict
  Mirrored<Vec3d>
      external_force;  ///< {node_count} [N] from outside, gravity left out; empty: none; written by: predict
  Mirrored<Vec3d> velocity;   ///< {node_count} [m/s] at the end; written by: finish
  Mirrored<Vec3d> predicted;  ///< {node_count} q~ [m]; written by: predict
  Mirrored<Vec3d> position;   ///< {node_count} q [m], iterate
  Mirrored<Vec3d> gradient;   ///< {node_count} of e(q) [N s^2]; written by: local
  ElasticEnergy energy;
  std::optional<ElasticEnergy> corrected;  ///< at the first trial of the frame, if there was one
  ElasticWorkspace elastic;
  QuasiNewton* metric = nullptr;  ///< BodyState::history

  bool admm = false;  ///< this frame still goes by ADMM; below: only then
  AdmmWorkspace duals;
  std::vector<Vec3d> admm_correction;  ///< {node_count} [N s^2] see sweep_admm()
  std::vector<Vec3d> best_position;    ///< {node_count} [m] of the iterate with the least merit
  double best_merit = 0.0;             ///< [J s^2], without contacts
  double best_residual = 0.0;          ///< [1]
  int stalled = 0;                     ///< iterations since then

  Mirrored<Vec3d> residual_vector;             ///< {free_count} r = grad e - h^2 H^T lambda [N s^2]
  Mirrored<Vec3d> trial_residual;              ///< {free_count} the same at trial, of bodies on a device
  std::optional<ResidualSizes> next_residual;  ///< trial_residual is that of the iterate, with these sizes
  Mirrored<Vec3d> inverse_residual;            ///< {free_count} A^-1 r [m]; written by: free
  Mirrored<Vec3d> direction;                   ///< {free_count} [m]; written by: free, corrected by: correct
  Mirrored<Vec3d> trial;                       ///< {node_count} [m]
  Mirrored<Vec3d> trial_gradient;              ///< {node_count}
  Mirrored<Vec3d> spare, spare_gradient;       ///< {node_count} the other point of a line search
  Mirrored<Vec3d> contact_nodal;               ///< {free_count} H^T lambda [N]
  Mirrored<Vec3d> change_nodal;                ///< {free_count} h^2 H^T (lambda - lambda_k) [N s^2]
  Mirrored<Vec3d> inverse_change;              ///< {free_count} A^-1 of it [m]
  double turn_stiffness = 0.0;                 ///< [1] see Stepper::turn_stiffness();
  const BodyPrecomputed* turn_stiffness_of = nullptr;  ///< with this
  double bend = 0.0;      ///< [m] by which trial lies off q + length * d; see move_along_arc()
  Mat3d turn;             ///< by which trial was turned where bend > 0
  bool has_arc = false;   ///< inverse_before is A^-1 of the gradient change itself, still to be solved for
  bool has_step = false;  ///< the three below wait for A^-1 of the new residual
  Mirrored<Vec3d> step;   ///< {free_count} [m]
  Mirrored<Vec3d> gradient_change;  ///< {free_count} [N s^2]
  Mirrored<Vec3d> inverse_before;   ///< {free_count} A^-1 (grad e(q_k) - h^2 H^T lambda_{k+1}) [m]
  std::vector<double> sums;
  std::unique_ptr<LinearSolver::Workspace> workspace;  ///< of solves for this body alone; made when needed
  double chebyshev_weight = 1.0;                       ///< of the last step

  DetectSettings detect;
  double longest_move = 0.0;    ///< [m] of a node from q_t to q~
  std::vector<Vec3d> detected;  ///< {node_count} [m] where pairs of surfaces were looked for last
  std::vector<Contact> found;   ///< against analytic obstacles; written by: detect
  std::vector<char> known;      ///< {points, obstacles} 1 where there is a contact already

  bool active = true;     ///< still iterating
  double rounding = 0.0;  ///< [N s^2] of the gradient
  double residual = 0.0;  ///< [1] see StepStatistics
  bool done = false;      ///< this iteration found nothing to do
  int iterations = 0, line_search_steps = 0;
};

/// The body's arrays stand on the device from now on.
void set_device(BodyFrame& frame, std::unique_ptr<DeviceFrame> device);

/// Bodies linked by contacts or handles: one contact problem, one step length. Most often one body by itself.
struct Island {
  std::vector<std::size_t> bodies;    ///< ascending
  std::vector<std::size_t> contacts;  ///< places in FrameContacts::contacts, ascending
  HandleRows handles;
  PointRows rows;  ///< B: of the contacts, then of the handles
  ContactProblem problem;
  HandleElimination elimination;  ///< of held points,
  ContactProblem reduced;         ///< which leaves this;
  bool elimination_used = false;  ///< not without held points
  GramAssembler gram;
  DeviceGram device_gram;                           ///< stands for G where the problem's gram is empty
  std::unique_ptr<MatrixFreeDelassus> matrix_free;  ///< stands for G where it is set
  std::vector<Vec3d> total_force;         ///< {rows} lambda [N]: of the point's own law and of scalar rows
  std::vector<Vec3d> previous_force;      ///< {rows} lambda_k [N]
  std::vector<Vec3d> previous_own;        ///< {rows} problem.force at lambda_k
  std::vector<double> previous_scalar;    ///< {scalar rows} at lambda_k [N]
  std::vector<Vec3d> force_change;        ///< {rows} lambda - lambda_k [N]
  std::vector<std::size_t> metric_block;  ///< {bodies of the model}: block of a body in problem.metric
  std::vector<std::size_t> contacts_before, bodies_before;  ///< when islands were formed last
  std::vector<Trial> trials;                                ///< {bodies} of the line search
  double step_length = 1.0;                                 ///< of the last line search
  int sweeps = 0, newton_steps = 0, products = 0;           ///< of the contact solves of the frame
  std::size_t columns = 0;
  bool converged = true;
  bool gives = false;        ///< no answer was found in this frame: its contacts give way, see solve_island()
  bool gives_early = false;  ///< the same for solves that do not end the frame
  int missed = 0;            ///< early solves of this frame that ended far from their aim
  int used_up = 0;           ///< early solves of this frame that ended at their limit of work
  double in_vain = 0.0;      ///< products with entries of G, of solves that did not converge
  bool exact = false;        ///< the last contact solve aimed at the full tolerance
  std::size_t contacts_solved = 0;  ///< rows in it
  bool changed = false;             ///< rows were added since the problem was set up
};

/// All contacts of a frame, and who hangs together.
struct FrameContacts {
  std::vector<Contact> contacts;       ///< sorted by key; those found late behind
  std::vector<Vec3d> force;            ///< {contacts} [N] on side a
  std::vector<Island> islands;         ///< {bodies}: that of a body stands at the place of its lowest body
  std::vector<std::size_t> roots;      ///< places of islands in use, ascending
  std::vector<std::size_t> island_of;  ///< {bodies}
  std::vector<HandleSlot> handles;     ///< those of the state, with the forces of this frame
  double longest_move = 0.0;           ///< [m] of any node from q_t to q~
  double expected_drift = 0.0;         ///< [m] twice the way from the prediction in the last frame, and a bit
  double surface_margin = 0.0;         ///< [m] at which detection looked for pairs of surfaces
};

/// Bodies that share a solver: their global steps are one product with a wider block.
struct SolveGroup {
  const LinearSolver* solver = nullptr;  ///< null: bodies without a free node
  std::vector<std::size_t> bodies;       ///< ascending
  std::unique_ptr<LinearSolver::Workspace> workspace;
  std::vector<Vec3d*> blocks;  ///< scratch: of the bodies at work
};

/// Columns of A_s^-1 on the device, of all bodies; islands come one after the other.
struct DeviceCompliances {
  std::mutex mutex;
  DeviceComplianceTables tables;
};

/// What one frame needs from outside.
struct FrameInput {
  const ModelData* model = nullptr;
  const SimulationSettings* settings = nullptr;
  double memory_limit = 0.0;  ///< [bytes]
  double end_time = 0.0;      ///< [s]
  /// No iteration beyond the first begins once it has passed, or after so many.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  int most_iterations = std::numeric_limits<int>::max();
  std::vector<ObstacleFrame> obstacles;
  FrictionTable friction;
  CollisionScene* collision = nullptr;  ///< surfaces against surfaces; null: there are none that could meet
  DeviceCompliances* compliance = nullptr;  ///< where bodies stand on a device
  const std::vector<std::vector<std::pair<Index, std::size_t>>>* pinned =
      nullptr;  ///< {body}: (internal node, pin)
};

/// One frame of the local-global scheme: fills bodies (positions), contacts (forces) and the statistics; the
/// state is read only but for the history of the quasi-Newton method, which is of no use after an error.
/// @throws NumericalError, MemoryError. Call inside Executor::run.
void step_local_global(const FrameInput& input, State& state, std::vector<BodyFrame>& bodies,
                       FrameContacts& contacts, std::vector<SolveGroup>& groups, StepStatistics& statistics);

}  // namespace sinew
