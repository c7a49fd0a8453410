// The frame as a class: its stages lie in local_global_step.cpp (order of the frame, prediction, free step),
// start.cpp (where the iteration starts), contacts.cpp (detection, islands), contact_forces.cpp,
// contact_solve.cpp, line_search.cpp, closing.cpp, momentum.cpp and rotations.cpp.
#pragma once

#include <optional>

#include "engine/step/frame.hpp"
#include "engine/step/stage_timer.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

class Stepper {
 public:
  Stepper(const FrameInput& input, State& state, std::vector<BodyFrame>& bodies, FrameContacts& contacts,
          std::vector<SolveGroup>& groups, StepStatistics& statistics)
      : input_(input),
        settings_(*input.settings),
        state_(state),
        bodies_(bodies),
        contacts_(contacts),
        groups_(groups),
        statistics_(statistics) {}

  void run();

 private:
  static constexpr std::size_t kNodeGrain = 1024;
  /// Of pairs that outlive their frame, see QuasiNewton.
  static constexpr double kLeastPrecision = 1e6;

  template <class F>
  void each_body(double& stage_ms, F&& f) {
    const StageTimer timer(stage_ms);
    for_each(bodies_.size(), 1, f);
  }
  template <class F>
  void each_active(double& stage_ms, F&& f) {
    each_body(stage_ms, [&](std::size_t b) {
      if (bodies_[b].active) f(b);
    });
  }
  template <class F>
  void each_island(double& stage_ms, F&& f) {
    const StageTimer timer(stage_ms);
    for_each(contacts_.roots.size(), 1, [&](std::size_t k) { f(contacts_.islands[contacts_.roots[k]]); });
  }
  template <class F>
  void each_active_island(double& stage_ms, F&& f) {
    each_island(stage_ms, [&](Island& island) {
      if (active(island)) f(island);
    });
  }
  /// block := A^-1 block of the bodies that take part, instances of one body in one product.
  template <class Takes>
  void solve(double& stage_ms, Mirrored<Vec3d> BodyFrame::*block, Takes&& takes) {
    const StageTimer timer(stage_ms);
    for_each(bodies_.size(), 1, [&](std::size_t b) {
      if (solves_on_device(bodies_[b]) && takes(b)) solve_alone(bodies_[b], bodies_[b].*block);
    });
    for_each(groups_.size(), 1, [&](std::size_t g) {
      SolveGroup& group = groups_[g];
      group.blocks.clear();
      for (const std::size_t b : group.bodies)
        if (!solves_on_device(bodies_[b]) && takes(b))
          group.blocks.push_back((bodies_[b].*block).edit().data());
      if (group.solver && !group.blocks.empty())
        group.solver->solve(group.blocks.data(), group.blocks.size(), *group.workspace);
    });
  }
  static bool solves_on_device(const BodyFrame& f) {
    return f.device && f.precomputed->solver && f.precomputed->solver->solves_on_device();
  }
  void solve_alone(BodyFrame& f, Mirrored<Vec3d>& block) const;
  void solve_alone(BodyFrame& f, std::vector<Vec3d>& block) const;

  double h() const { return settings_.time_step; }
  double contact_tolerance() const {
    return settings_.contact.tolerance > 0.0 ? settings_.contact.tolerance : ContactSettings::kCreep * h();
  }
  bool may_collide() const {
    return settings_.contact.enabled && (!input_.obstacles.empty() || input_.collision);
  }
  bool may_touch() const { return may_collide() || !contacts_.handles.empty(); }
  Island& island_of(std::size_t b) { return contacts_.islands[contacts_.island_of[b]]; }
  /// True where contact forces may act on the body.
  bool touched(std::size_t b) { return island_of(b).rows.size() > 0; }
  bool active(const Island& island) const { return bodies_[island.bodies.front()].active; }

  // local_global_step.cpp
  void predict(std::size_t b);
  void set_external_force(std::size_t b);
  void predict_on_host(std::size_t b, const std::vector<Index>& held, const std::vector<Vec3d>& place);
  void predict_on_device(std::size_t b, const std::vector<Index>& held, const std::vector<Vec3d>& place);
  void check_sum(std::size_t b) const;
  void decide(std::size_t b, int k);
  ResidualSizes residual_on_host(std::size_t b);
  ResidualSizes residual_on_device(std::size_t b);
  void start_residual(BodyFrame& f, const Mirrored<Vec3d>& position, const Mirrored<Vec3d>& gradient,
                      Mirrored<Vec3d>& residual, int slot) const;
  ResidualSizes read_residual(const BodyFrame& f, int slot) const;
  bool go_on(int k);
  bool cut_off(int iterations_done) const;
  void free_step(std::size_t b);
  void combine(BodyFrame& f, Mirrored<Vec3d>& to, double a, const Mirrored<Vec3d>& x, double b = 0.0,
               const Mirrored<Vec3d>* y = nullptr) const;
  void remove_translation(BodyFrame& f) const;
  void add_momentum(std::size_t b, bool has_step);

  // start.cpp
  void begin_elastic(std::size_t b);
  /// Energy at a position of the body, and its gradient.
  ElasticEnergy evaluate(std::size_t b, const Mirrored<Vec3d>& position, Mirrored<Vec3d>& gradient);
  void start_evaluation(std::size_t b, const Mirrored<Vec3d>& position, Mirrored<Vec3d>& gradient);
  /// False in hybrid mode: elements are evaluated on the host, all else on the device.
  bool on_device(const BodyFrame& f) const { return f.device && !settings_.hybrid; }
  void first_local(std::size_t b);
  bool start_with_correction(std::size_t b);
  void start_at_rest_if_better(std::size_t b);
  double least_rise(std::size_t b, const Mirrored<Vec3d>& from, const Mirrored<Vec3d>& gradient,
                    const Mirrored<Vec3d>& to);
  bool handle_work_counts(std::size_t b);
  void start_at_trial_if_lower(std::size_t b, const ElasticEnergy& energy);
  void start_at_trial(BodyFrame& f, const ElasticEnergy& energy) const;
  void begin_duals(std::size_t b);
  void evaluate_here(std::size_t b);
  bool push_collapsed_apart(std::size_t b);
  /// @throws NumericalError naming body and element.
  void check_finite(std::size_t b, const Mirrored<Vec3d>& position, double value, const char* stage) const;
  /// trial := q + length * d, bodies with fixed rotations along an arc
  void move_to(BodyFrame& f, const Mirrored<Vec3d>& direction, double length) const;

  // rotations.cpp
  double turn_stiffness(std::size_t b) const;
  void start_turning(std::size_t b);
  void fix_rotations(BodyFrame& f) const;
  void move_along_arc(BodyFrame& f, const Mirrored<Vec3d>& direction, double length) const;
  void turn_pairs(std::size_t b);
  void refuse_wild_turns(Island& island);

  // contacts.cpp
  void detect();
  void drop_void();
  void detect_points(std::size_t b);
  CollisionFrame collision_frame(Mirrored<Vec3d> BodyFrame::*position) const;
  double drift(const std::vector<const Vec3d*>& place) const;
  void warm_start();
  void form_islands();
  void set_up_problem(Island& island);
  /// Of the first body on a device; null: all stand on the host. Its thread alone uses it.
  DeviceQueue* queue_of(const Island& island) const;
  bool wants_gram_on_device(const Island& island) const;
  void set_mass_gram(Island& island) const;
  void set_up_handles(Island& island);
  std::optional<std::size_t> only_body(const Island& island, const ScalarRow& row) const;
  /// Directions of cables at the iterate, before its residual is taken.
  void linearise(Island& island);
  /// Of all bodies.
  std::vector<const Vec3d*> places(Mirrored<Vec3d> BodyFrame::*position) const;
  /// Of the island's, and of those without a free node; null elsewhere.
  std::vector<const Vec3d*> places(const Island& island, Mirrored<Vec3d> BodyFrame::*position) const;
  /// Finds contacts that the iterate ran into; true if there are any. Their islands become active.
  bool add_contacts(Mirrored<Vec3d> BodyFrame::*position, bool last);
  void add_inner_contacts(const std::vector<const Vec3d*>& place);
  void activate(std::size_t b);

  // contact_forces.cpp
  void contact_step(Island& island);
  void use_metric(Island& island) const;
  struct MetricRows {
    std::size_t body = 0;
    std::vector<std::size_t> row;  ///< of the island, ascending
    std::vector<Vec3d> value;      ///< {row, rank}
  };
  std::vector<MetricRows> metric_rows_of_devices(const Island& island) const;
  void solve_contacts(Island& island, Mirrored<Vec3d> BodyFrame::*position, double relative);
  void change_forces(Island& island);
  void keep_forces(Island& island);
  void restore_forces(Island& island);
  void drop_forces(Island& island);
  void take_share_of_forces(Island& island, double share);
  /// contact_nodal := H^T f
  void gather_forces(Island& island);
  /// scale H^T force of the island's rows, into a nodal vector of its bodies.
  void gather(const Island& island, const std::vector<Vec3d>& force, double scale,
              Mirrored<Vec3d> BodyFrame::*nodal);
  void gather_for_device(const Island& island, const std::vector<Vec3d>& force, double scale, std::size_t b,
                         Mirrored<Vec3d>& nodal);
  void correct(Island& island);

  // closing.cpp
  double closing_length(const Island& island);
  double largest_squared(BodyFrame& f, const Mirrored<Vec3d>& x) const;
  void add_scaled(BodyFrame& f, Mirrored<Vec3d>& to, double factor, const Mirrored<Vec3d>& x) const;
  void close(Island& island);
  void close_gaps();
  bool lost_by_rounding(const Island& island);
  bool gaps_open(const Island& island) const;

  // contact_solve.cpp
  ContactReport solve_island(Island& island, ContactProblem& solved, double relative);

  // momentum.cpp
  bool restore_momentum(std::size_t b);
  double lost_momentum(std::size_t b, Vec3d& shift);

  // line_search.cpp
  void line_search(Island& island);
  void take_admm_step(std::size_t b);
  void admm_step(Island& island);
  void leave_admm(std::size_t b);
  /// (gradient - h^2 contact) . direction, and h^2 contact . direction
  struct Slope {
    double total = 0.0, contact = 0.0;
    Slope& operator+=(const Slope& o) {
      total += o.total;
      contact += o.contact;
      return *this;
    }
  };
  Slope slope_at(std::size_t b, const Mirrored<Vec3d>& gradient);
  void start_slope(BodyFrame& f, const Mirrored<Vec3d>& gradient, int slot) const;
  Slope read_slope(const BodyFrame& f, int slot) const;
  void try_length(std::size_t b, double length, Trial& trial);
  double end_slope_at(std::size_t b, const Trial& trial);
  void keep_step(BodyFrame& f, double length) const;
  bool search_along(Island& island);
  double refine_step(std::size_t b, double slope, double contact_work, double length, Trial& trial);

  const FrameInput& input_;
  const SimulationSettings& settings_;
  State& state_;
  std::vector<BodyFrame>& bodies_;
  FrameContacts& contacts_;
  std::vector<SolveGroup>& groups_;
  StepStatistics& statistics_;
};

}  // namespace sinew
