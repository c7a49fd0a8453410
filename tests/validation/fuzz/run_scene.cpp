#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include <sinew/errors.hpp>

#include "tests/validation/fuzz/scene.hpp"

namespace sinew::test {

namespace {

constexpr double kMostMomentumError = 1e-3;  // [1] see StepStatistics
constexpr double kRounding = 1e-6;           // [1] of the friction cone
constexpr double kImpulseError = 1e-6;       // [1] of all impulses
constexpr double kGap = 1e-4;                // [1] of the size

/// Of the processor, all threads together: others may be at work on the machine.
double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// What no frame may show.
struct Failure {
  std::string what;
};

void require(bool good, const char* what) {
  if (!good) throw Failure{what};
}

/// Free bodies end their frames in balance; one sweep of Jacobi's method for a global step leaves a residual.
bool keeps_momentum(const Simulation& simulation, const SimulationSettings& settings) {
  return simulation.model().pin_count() == 0 && settings.solver.global != GlobalSolver::jacobi &&
         settings.solver.global != GlobalSolver::chebyshev;
}

void check_statistics(const StepStatistics& s, bool keeps_momentum) {
  for (const double value :
       {s.residual, s.max_penetration_m, s.max_creep_m_s, s.complementarity_residual_m, s.momentum_error})
    require(std::isfinite(value) && value >= 0.0, "a figure of the statistics is negative or not finite");
  for (const double value : {s.energy.kinetic, s.energy.elastic, s.energy.gravity})
    require(std::isfinite(value), "an energy is not finite");
  require(s.active_contacts <= s.contacts, "more active contacts than contacts");
  // Forces of a contact solve that stopped early may be huge; the statistics say so.
  if (keeps_momentum && s.contact_converged && s.momentum_error > kMostMomentumError)
    throw Failure{"momentum is not what the impulses make of it, by " + std::to_string(s.momentum_error)};
}

void check_forces(const Simulation& simulation) {
  for (const ContactForce& f : simulation.contact_forces()) {
    require(is_finite(f.position) && is_finite(f.normal) && is_finite(f.tangential_force) &&
                is_finite(f.slip) && std::isfinite(f.gap) && std::isfinite(f.normal_force),
            "a contact force is not finite");
    require(std::abs(norm(f.normal) - 1.0) < 1e-9, "a contact normal is not of length one");
    require(f.normal_force >= 0.0, "a contact pulls");
    if (!(norm(f.tangential_force) <= (f.friction + kRounding) * f.normal_force))
      throw Failure{"a contact force is outside its friction cone: tangential " +
                    std::to_string(norm(f.tangential_force)) + " N, normal " +
                    std::to_string(f.normal_force) + " N, friction " + std::to_string(f.friction)};
  }
  for (std::size_t o = 0; o < simulation.model().obstacle_count(); ++o) {
    const Wrench w = simulation.obstacle_wrench(o);
    require(is_finite(w.force) && is_finite(w.torque), "the force on an obstacle is not finite");
  }
  for (std::size_t p = 0; p < simulation.model().pin_count(); ++p) {
    const Wrench w = simulation.pin_reaction(p);
    require(is_finite(w.force) && is_finite(w.torque), "a pin's reaction is not finite");
  }
  for (const HandleId id : simulation.handles()) {
    const Wrench w = simulation.handle_wrench(id);
    require(is_finite(w.force) && is_finite(w.torque), "a handle's force is not finite");
    if (simulation.handle_kind(id) == "cable")
      require(std::isfinite(simulation.cable_tension(id)) && std::isfinite(simulation.cable_length(id)),
              "a cable's tension or length is not finite");
  }
}

/// Momentum of all bodies against the impulses that the outputs name: of gravity, obstacles and handles.
/// Bodies among themselves cancel out.
struct Momentum {
  Vec3d value;        ///< [kg m/s]
  Vec3d damped;       ///< [kg/s m] alpha times that of each body
  double mass = 0.0;  ///< [kg]
  double size = 0.0;  ///< [kg m/s] sum of m |v|
};

Momentum momentum_of(const Simulation& simulation) {
  Momentum sum;
  for (std::size_t b = 0; b < simulation.model().body_count(); ++b) {
    const std::vector<double> mass = simulation.node_masses(b);
    const std::vector<Vec3d> velocity = simulation.velocities(b);
    const double alpha = simulation.model().body(b).material.rayleigh_alpha;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      sum.value += mass[i] * velocity[i];
      sum.damped += (alpha * mass[i]) * velocity[i];
      sum.mass += mass[i];
      sum.size += mass[i] * norm(velocity[i]);
    }
  }
  return sum;
}

void check_impulses(const Simulation& simulation, const Momentum& before, double h) {
  const Momentum after = momentum_of(simulation);
  Vec3d force = after.mass * simulation.model().gravity() - after.damped;
  double size = after.size + before.size + h * after.mass * norm(simulation.model().gravity());
  for (const ContactForce& f : simulation.contact_forces()) {
    size += h * f.normal_force;
    if (f.obstacle >= 0) force += f.normal_force * f.normal + f.tangential_force;
  }
  for (const HandleId id : simulation.handles()) {
    for (const HandleForce& f : simulation.handle_forces(id)) {
      size += h * norm(f.force);
      if (simulation.handle_kind(id) != "weld") force += f.force;
    }
  }
  const double error = norm(after.value - before.value - h * force);
  if (error > kImpulseError * size)
    throw Failure{"outputs do not make the momentum, by " + std::to_string(error / size) +
                  " of all impulses"};
}

/// In a converged frame the law of contact holds. Not with handles: contacts of points that they hold have no
/// say.
void check_law(const Simulation& simulation, const StepStatistics& s, double size, double h) {
  if (!simulation.handles().empty() || simulation.model().pin_count() > 0) return;
  if (s.complementarity_residual_m > kGap * size)
    throw Failure{"a converged frame with a residual of the contact law of " +
                  std::to_string(s.complementarity_residual_m / size) + " of the size"};
  for (const ContactForce& f : simulation.contact_forces()) {
    const double push = f.normal_force * h * h / simulation.model().body_mass(f.body);  // [m]
    if (!(push > kGap * size)) continue;                                                // rounding
    if (f.gap > kGap * size)
      throw Failure{"a contact presses at a distance of " + std::to_string(f.gap / size) + " of the size"};
    if (f.state == ContactState::stick && norm(f.slip) > kGap * size)
      throw Failure{"a contact that sticks slips by " + std::to_string(norm(f.slip) / size) + " of the size"};
  }
}

class Run {
 public:
  Run(FuzzScene& scene, int threads, Outcome& outcome)
      : scene_(scene),
        outcome_(outcome),
        simulation_(scene.builder.build(), with_threads(scene.settings, threads)) {
    earlier_ = simulation_.save();
    earlier_hash_.push_back(simulation_.state_hash());
  }

  void go(int frames, volatile int* frames_done) {
    auto action = scene_.actions.begin();
    for (int n = 0; n < frames; ++n) {
      for (; action != scene_.actions.end() && action->frame <= n; ++action) act(*action);
      step();
      if (frames_done) *frames_done = n + 1;
    }
  }

 private:
  static SimulationSettings with_threads(SimulationSettings settings, int threads) {
    settings.threads = threads;
    return settings;
  }

  void step() {
    const std::uint64_t before = simulation_.state_hash();
    const Momentum momentum = momentum_of(simulation_);
    const std::clock_t begin = std::clock();
    try {
      look_at(simulation_.step(), momentum);
    } catch (const Error&) {
      require(simulation_.state_hash() == before,
              "the state after an error is not that of the last good frame");
      throw;
    }
    outcome_.slowest = std::max(outcome_.slowest, seconds_since(begin));
    ++outcome_.frames;
    earlier_hash_.push_back(simulation_.state_hash());
    outcome_.hash = earlier_hash_.back();
  }

  void look_at(const StepStatistics& s, const Momentum& before) {
    for (std::size_t b = 0; b < simulation_.model().body_count(); ++b) {
      for (const Vec3d& x : simulation_.positions(b)) require(is_finite(x), "a position is not finite");
      for (const Vec3d& v : simulation_.velocities(b)) {
        require(is_finite(v), "a velocity is not finite");
        outcome_.speed = std::max(outcome_.speed, norm(v));
      }
    }
    const bool balanced = keeps_momentum(simulation_, scene_.settings);
    check_statistics(s, balanced);
    check_forces(simulation_);
    if (balanced && !scene_.has_forces) check_impulses(simulation_, before, scene_.settings.time_step);
    if (s.contact_converged) check_law(simulation_, s, scene_.size, scene_.settings.time_step);
    outcome_.unconverged += s.contact_converged ? 0 : 1;
    outcome_.penetration = std::max(outcome_.penetration, s.max_penetration_m / scene_.size);
    outcome_.complementarity = std::max(outcome_.complementarity, s.complementarity_residual_m / scene_.size);
    outcome_.contacts = std::max(outcome_.contacts, s.contacts);
  }

  /// What cannot be done is refused with a ModelError, and the run goes on.
  void act(const Action& action) {
    if (action.kind == ActionKind::restore_earlier) {
      repeat();
      return;
    }
    try {
      change(action);
    } catch (const ModelError&) {
    }
    earlier_ = simulation_.save();
    earlier_hash_.assign(1, simulation_.state_hash());
  }

  void change(const Action& action) {
    const std::vector<HandleId> handles = simulation_.handles();
    switch (action.kind) {
      case ActionKind::add_handle:
        simulation_.add_handle(action.handle);
        return;
      case ActionKind::body_friction:
        simulation_.set_body_friction(action.body, action.value);
        return;
      default:
        break;
    }
    if (handles.empty()) return;
    const HandleId id = handles.back();
    const std::string_view kind = simulation_.handle_kind(id);
    if (action.kind == ActionKind::remove_handle)
      simulation_.remove_handle(handles.front());
    else if (action.kind == ActionKind::soften_handle)
      simulation_.set_compliance(id, action.value);
    else if (kind == "grab")
      simulation_.set_target(id, simulation_.handle_origin(id) + action.vector);
    else if (kind == "cable")
      simulation_.set_length(id, simulation_.cable_length(id) * (0.5 + action.value));
    else if (kind != "weld")
      simulation_.set_frame(id, {rotation_from_vector(action.vector / scene_.size),
                                 simulation_.handle_origin(id) + 0.3 * action.vector});
  }

  void repeat() {
    simulation_.restore(earlier_);
    for (std::size_t k = 0; k < earlier_hash_.size(); ++k) {
      try {
        if (k > 0) simulation_.step();
      } catch (const Error& e) {
        throw Failure{"a restored state goes on to an error: " + std::string(e.what())};
      }
      require(simulation_.state_hash() == earlier_hash_[k], "a restored state goes on differently");
    }
  }

  FuzzScene& scene_;
  Outcome& outcome_;
  Simulation simulation_;
  Snapshot earlier_;
  std::vector<std::uint64_t> earlier_hash_;  ///< since then
};

}  // namespace

const char* to_string(Ending ending) {
  constexpr const char* kName[kEndings] = {"finished", "refused", "numerical error", "other error", "FAILED"};
  return kName[static_cast<int>(ending)];
}

Outcome run_scene(std::uint64_t seed, int frames, int threads, volatile int* frames_done) {
  Outcome outcome;
  const std::clock_t begin = std::clock();
  const auto end = [&](Ending ending, const std::string& message) {
    outcome.ending = ending;
    outcome.message = message;
    if (ending != Ending::failed && ending != Ending::finished &&
        (message.empty() || message.find('\n') != std::string::npos)) {
      outcome.ending = Ending::failed;
      outcome.message = "an error whose message is not one line: " + message;
    }
  };
  try {
    FuzzScene scene = random_scene(seed);
    Run(scene, threads, outcome).go(frames, frames_done);
  } catch (const NumericalError& e) {
    end(Ending::numerical_error, e.what());
  } catch (const ModelError& e) {
    end(Ending::refused, e.what());
  } catch (const MeshError& e) {
    end(Ending::refused, e.what());
  } catch (const Error& e) {
    end(Ending::other_error, e.what());
  } catch (const Failure& failure) {
    end(Ending::failed, failure.what);
  } catch (const std::exception& e) {
    end(Ending::failed, std::string("foreign exception: ") + e.what());
  }
  outcome.seconds = seconds_since(begin);
  return outcome;
}

}  // namespace sinew::test
