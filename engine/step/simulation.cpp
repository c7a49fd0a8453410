// The public face of stepping: owns the model, what was prepared, the state, and hands out copies in the
// user's node order.
#include <sinew/simulation.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <sinew/errors.hpp>

#include "engine/common/device_stages.hpp"
#include "engine/common/hash.hpp"
#include "engine/elastic/node_values.hpp"
#include "engine/handles/carry_handles.hpp"
#include "engine/handles/handle_table.hpp"
#include "engine/handles/resolve_handle.hpp"
#include "engine/handles/surface_places.hpp"
#include "engine/step/continue.hpp"
#include "engine/step/finish.hpp"
#include "engine/step/frame.hpp"
#include "engine/step/stage_timer.hpp"
#include "host/memory.hpp"
#include "kernels/device/available.hpp"
#include "kernels/device/emulated_device.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

void SimulationSettings::validate() const {
  const auto require = [](bool good, const std::string& field, double value, const char* bounds) {
    if (!good)
      throw ModelError("simulation: " + field + " is " + std::to_string(value) + ", must be " + bounds);
  };
  require(time_step >= 1e-6 && time_step <= 10.0, "time_step", time_step, ">= 1e-6 s and <= 10 s");
  require(iterations >= 1, "iterations", iterations, ">= 1");
  require(tolerance >= 0.0 && tolerance < 1.0, "tolerance", tolerance, ">= 0 and < 1");
  require(budget_ms >= 0.0 && budget_ms <= 1e9, "budget_ms", budget_ms, ">= 0 ms and <= 1e9 ms");
  require(history >= 0 && history <= 100, "history", history, ">= 0 and <= 100");
  require(solver.stages >= 0 && solver.stages <= SolverSettings::kMostStages, "solver.stages", solver.stages,
          ">= 0 and <= 6");
  require(solver.refinement_steps >= 0 && solver.refinement_steps <= 5, "solver.refinement_steps",
          solver.refinement_steps, ">= 0 and <= 5");
  require(solver.pcg_tolerance > 0.0 && solver.pcg_tolerance < 1.0, "solver.pcg_tolerance",
          solver.pcg_tolerance, "> 0 and < 1");
  require(solver.pcg_max_iterations >= 1, "solver.pcg_max_iterations", solver.pcg_max_iterations, ">= 1");
  require(threads >= 0 && threads <= 1024, "threads", threads, ">= 0 and <= 1024");
  require(memory_limit_bytes >= 0.0, "memory_limit_bytes", memory_limit_bytes, ">= 0");
  require(contact.max_sweeps >= 1, "contact.max_sweeps", contact.max_sweeps, ">= 1");
  require(contact.tolerance >= 0.0 && std::isfinite(contact.tolerance), "contact.tolerance",
          contact.tolerance, ">= 0 m");
  require(contact.margin >= 0.0 && std::isfinite(contact.margin), "contact.margin", contact.margin, ">= 0 m");
  require(contact.max_depenetration_speed > 0.0, "contact.max_depenetration_speed",
          contact.max_depenetration_speed, "> 0 m/s");
  require(contact.nsn.steps >= 0 && contact.nsn.steps <= 1000000, "contact.nsn.steps", contact.nsn.steps,
          ">= 0 and <= 1000000");
  require(contact.nsn.krylov_iterations >= 1 && contact.nsn.krylov_iterations <= 1000000,
          "contact.nsn.krylov_iterations", contact.nsn.krylov_iterations, ">= 1 and <= 1000000");
}

namespace {

/// Hash of all that decides the bits of a run; threads and memory are not among it.
std::uint64_t hash_of_run(const ModelData& model, const SimulationSettings& s) {
  // What "automatic" stands for gives the same bits.
  const GlobalSolver global =
      s.solver.global == GlobalSolver::automatic ? GlobalSolver::staged : s.solver.global;
  const FactorLibrary factor =
      s.solver.factor == FactorLibrary::automatic && global != GlobalSolver::triangular
          ? FactorLibrary::native
          : s.solver.factor;
  return Hash()
      .add(static_cast<std::int64_t>(model.hash))
      .add(static_cast<std::int64_t>(s.backend == Backend::automatic ? Backend::cpu : s.backend))
      .add(
          static_cast<std::int64_t>(s.hybrid && s.backend != Backend::automatic && s.backend != Backend::cpu))
      .add(s.time_step)
      .add(static_cast<std::int64_t>(s.iterations))
      .add(s.tolerance)
      .add(static_cast<std::int64_t>(s.history))
      .add(static_cast<std::int64_t>(s.solver.scheme == ElasticScheme::admm))
      .add(static_cast<std::int64_t>(global))
      .add(static_cast<std::int64_t>(s.solver.stages))
      .add(static_cast<std::int64_t>(s.solver.precision))
      .add(static_cast<std::int64_t>(s.solver.refinement_steps))
      .add(static_cast<std::int64_t>(factor))
      .add(static_cast<std::int64_t>(s.solver.preconditioner))
      .add(s.solver.pcg_tolerance)
      .add(static_cast<std::int64_t>(s.solver.pcg_max_iterations))
      .add(static_cast<std::int64_t>(s.contact.enabled))
      .add(static_cast<std::int64_t>(s.contact.solver == ContactSolver::automatic ? ContactSolver::newton
                                                                                  : s.contact.solver))
      .add(static_cast<std::int64_t>(s.contact.max_sweeps))
      .add(s.contact.tolerance)
      .add(s.contact.margin)
      .add(s.contact.max_depenetration_speed)
      .add(static_cast<std::int64_t>(s.contact.delassus))
      .add(static_cast<std::int64_t>(s.contact.broad_phase != BroadPhase::automatic))
      .add(static_cast<std::int64_t>(s.contact.nsn.form))
      .add(static_cast<std::int64_t>(s.contact.nsn.scaling))
      .add(static_cast<std::int64_t>(s.contact.nsn.steps))
      .add(static_cast<std::int64_t>(s.contact.nsn.krylov_iterations))
      .value();
}

}  // namespace

namespace {

/// Null: the host. @throws BackendError
std::shared_ptr<Device> device_of(Backend backend) {
  if (backend == Backend::cuda) return make_cuda_device();
  if (backend == Backend::emulated) return make_emulated_device();
  return nullptr;
}

/// More than points of bodies against half-spaces.
bool surfaces_may_meet(const ModelData& model) {
  if (model.bodies.size() > 1) return true;
  for (const BodyData& body : model.bodies)
    if (body.self_contact) return true;
  for (const ObstacleSpec& obstacle : model.obstacles)
    if (!std::holds_alternative<HalfSpaceShape>(obstacle.shape)) return true;
  return false;
}

}  // namespace

class Simulation::Impl {
 public:
  /// @throws ModelError for an index that does not exist.
  static void check_index(std::size_t index, std::size_t count, const char* what) {
    if (index >= count)
      throw ModelError(std::string(what) + " " + std::to_string(index) + " does not exist; there are " +
                       std::to_string(count));
  }
  void check_body(std::size_t body) const { check_index(body, data().bodies.size(), "body"); }

  /// like: only what stands since its own constructor is read, it may be at work.
  Impl(Model model, const SimulationSettings& settings, const Impl* like, const PrepareProgress& progress)
      : model_(std::move(model)), settings_(settings), executor_(settings.threads) {
    settings_.validate();
    memory_limit_ =
        settings_.memory_limit_bytes > 0.0 ? settings_.memory_limit_bytes : available_memory_bytes();
    if (like && !same_preparation(settings_, like->settings_)) like = nullptr;
    device_ = like ? like->device_ : device_of(settings_.backend);
    if (device_) backend_name_ = device_->name();
    prepare(like, progress);
    hash_ = hash_of_run(data(), settings_);
    for (const auto& p : precomputed_)
      hash_ = Hash().add(static_cast<std::int64_t>(hash_)).add(p->to_user).value();
    reset();
  }

  const ModelData& data() const { return model_.data(); }

  void prepare(const Impl* like, const PrepareProgress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    const ModelData& model = data();
    const std::vector<std::vector<char>> pinned = pinned_nodes(model);
    std::vector<std::size_t> first_of(model.bodies.size()), to_prepare;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      first_of[b] = b;
      for (std::size_t a = 0; a < b; ++a) {
        if (first_of[a] == a && same_precompute(model.bodies[a], pinned[a], model.bodies[b], pinned[b])) {
          first_of[b] = a;
          break;
        }
      }
    }
    sizes_ = {};
    precomputed_.resize(model.bodies.size());
    double memory_left = memory_limit_;
    const auto count_memory = [&](const BodyPrecomputed& p) {
      if (memory_limit_ > 0.0) memory_left = std::max(1.0, memory_left - static_cast<double>(p.bytes()));
    };
    const std::vector<std::vector<char>> like_pinned =
        like ? pinned_nodes(like->data()) : std::vector<std::vector<char>>{};
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (first_of[b] != b) continue;
      for (std::size_t a = 0; a < like_pinned.size() && !precomputed_[b]; ++a)
        if (same_precompute(like->data().bodies[a], like_pinned[a], model.bodies[b], pinned[b]))
          precomputed_[b] = like->precomputed_[a];
      if (!precomputed_[b]) {
        to_prepare.push_back(b);
        continue;
      }
      ++sizes_.taken_over;
      if (settings_.memory_limit_bytes > 0.0) count_memory(*precomputed_[b]);  // else it is not free any more
    }
    DiskCache cache(settings_.solver);
    for (std::size_t done = 0; done < to_prepare.size(); ++done) {
      const std::size_t b = to_prepare[done];
      if (progress) progress(done, to_prepare.size(), model.bodies[b].spec.name);
      executor_.run([&] {
        precomputed_[b] = precompute_body(model.bodies[b], pinned[b], settings_.time_step, settings_.solver,
                                          memory_left, &cache, device_);
      });
      const BodyPrecomputed& p = *precomputed_[b];
      count_memory(p);
      if (p.from_cache) ++sizes_.from_cache;
      if (p.solver && !p.from_cache && p.solver->sizes().nnz_factor > 0) ++sizes_.factorizations;
    }
    for (std::size_t b = 0; b < model.bodies.size(); ++b) precomputed_[b] = precomputed_[first_of[b]];
    if (!cache.warning().empty()) warnings_.push_back(cache.warning());
    group_bodies(first_of);
    prepare_device(first_of);
    if (settings_.contact.enabled && surfaces_may_meet(model)) {
      const bool device = settings_.contact.broad_phase == BroadPhase::device;
      if (device && !device_)
        warnings_.push_back(
            "contact.broad_phase: \"device\" needs --backend cuda or emulated; pairs are found on the host");
      collision_ = std::make_unique<CollisionScene>(
          model, precomputed_,
          settings_.contact.broad_phase == BroadPhase::automatic ? Equals::first_found : Equals::by_numbers,
          device ? device_ : nullptr);
    }
    pinned_.resize(model.bodies.size());
    for (std::size_t k = 0; k < model.pins.size(); ++k)
      for (const Index node : model.pins[k].nodes)
        pinned_[model.pins[k].body].emplace_back(precomputed_[model.pins[k].body]->to_internal[node], k);

    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const BodyPrecomputed& p = *precomputed_[b];
      sizes_.vertices += p.node_count;
      sizes_.elements += p.tets.size() + p.triangles.size();
      sizes_.surface_vertices += p.points.size();
      if (first_of[b] != b) continue;
      ++sizes_.distinct_bodies;
      if (p.solver) {
        const LinearSolver::Sizes solver = p.solver->sizes();
        sizes_.nnz_l += solver.nnz_factor;
        sizes_.nnz_inverse += solver.stored_entries;
        sizes_.stages = std::max(sizes_.stages, solver.stages);
      }
      sizes_.precompute_bytes += p.bytes();
    }
    sizes_.precompute_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Bodies with a free node stand on the device, if there is one.
  void prepare_device(const std::vector<std::size_t>& first_of) {
    queues_.resize(first_of.size());
    counted_.resize(first_of.size());
    device_bodies_.resize(first_of.size());
    if (!device_) return;
    for (std::size_t b = 0; b < first_of.size(); ++b) {
      if (precomputed_[b]->free_count == 0) continue;
      queues_[b] = device_->make_queue();
      queues_[b]->time_stages(settings_.device_times);
      device_bodies_[b] = first_of[b] != b ? device_bodies_[first_of[b]]
                                           : std::make_shared<DeviceBody>(*queues_[b], *precomputed_[b]);
    }
  }

  void group_bodies(const std::vector<std::size_t>& first_of) {
    std::vector<std::size_t> group_of(first_of.size());
    for (std::size_t b = 0; b < first_of.size(); ++b) {
      if (first_of[b] == b) {
        group_of[b] = groups_.size();
        groups_.emplace_back();
        groups_.back().solver = precomputed_[b]->solver.get();
        if (groups_.back().solver) groups_.back().workspace = groups_.back().solver->make_workspace();
      }
      groups_[group_of[first_of[b]]].bodies.push_back(b);
    }
  }

  void reset() {
    state_ = State{};
    for (const BodyData& body : data().bodies) state_.body_friction.push_back(body.spec.friction);
    for (const ObstacleSpec& obstacle : data().obstacles)
      state_.obstacle_friction.push_back(obstacle.friction);
    state_.moved.resize(data().obstacles.size());
    for (std::size_t b = 0; b < data().bodies.size(); ++b) {
      const BodyPrecomputed& p = *precomputed_[b];
      BodyState body;
      std::vector<Vec3d>&position = body.position.edit(), &velocity = body.velocity.edit();
      for (const Index user : p.to_user) {
        position.push_back(data().bodies[b].start_position[user]);
        velocity.push_back(data().bodies[b].start_velocity[user]);
      }
      // Held nodes move as their pin says, whatever the body's velocity.
      for (const auto& [node, pin] : pinned_[b])
        velocity[node] = pin_start_velocity(data().pins[pin], position[node]);
      state_.bodies.push_back(std::move(body));
    }
    for (const HandleData& handle : data().handles)
      insert_handle(in_internal_order(handle.handle), kModelGeneration, state_.handles);
    forget_outputs();
  }

  void continue_from(const Impl& other) {
    reset();
    continue_run({other.data(), other.settings_, other.precomputed_}, other.state_, other.outputs_,
                 {data(), settings_, precomputed_}, state_, outputs_);
    next_generation_ = std::max(next_generation_, other.next_generation_);
    statistics_ = other.statistics_;
    statistics_.frame = static_cast<long>(state_.frame);
    statistics_.time = time();
    statistics_.energy = total_energy(data(), precomputed_, state_);
  }

  Handle in_internal_order(Handle handle) const {
    for (ContactTerm& term : handle.term) term.node = precomputed_[term.body]->to_internal[term.node];
    return handle;
  }
  std::vector<const Vec3d*> position_pointers() const {
    std::vector<const Vec3d*> position;
    for (const BodyState& body : state_.bodies) position.push_back(body.position.host().data());
    return position;
  }

  void forget_outputs() {
    statistics_ = {};
    statistics_.frame = static_cast<long>(state_.frame);
    statistics_.time = time();
    outputs_ = {};
    outputs_.pin_reaction.resize(data().pins.size());
    statistics_.energy = total_energy(data(), precomputed_, state_);
  }

  Vec3d pin_start_velocity(const PinData& pin, const Vec3d& x) const {
    const Pose next = evaluate(pin.spec.motion, pin.origin, settings_.time_step);
    const Pose now = evaluate(pin.spec.motion, pin.origin, 0.0);
    return (next.apply(x) - now.apply(x)) / settings_.time_step;
  }

  Pose obstacle_pose(std::size_t obstacle) const {
    const std::optional<MovedObstacle>& moved = state_.moved[obstacle];
    return moved ? moved->now : pose_at(data().obstacles[obstacle], time());
  }

  double time() const { return static_cast<double>(state_.frame) * settings_.time_step; }

  /// most_iterations: in place of the budget.
  const StepStatistics& step(std::optional<int> most_iterations = std::nullopt) {
    const auto begin = std::chrono::steady_clock::now();
    StepStatistics statistics;
    FrameInput input;
    input.model = &data();
    input.settings = &settings_;
    input.memory_limit = memory_limit_;
    input.friction.body = state_.body_friction;
    input.friction.obstacle = state_.obstacle_friction;
    input.friction.pairs = data().friction_pairs;
    input.end_time = static_cast<double>(state_.frame + 1) * settings_.time_step;
    if (most_iterations)
      input.most_iterations = *most_iterations;
    else if (settings_.budget_ms > 0.0)
      input.deadline = begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                   std::chrono::duration<double, std::milli>(settings_.budget_ms));
    input.pinned = &pinned_;
    input.collision = collision_.get();
    input.compliance = &compliance_;
    for (std::size_t o = 0; o < data().obstacles.size(); ++o)
      input.obstacles.push_back(
          {&data().obstacles[o], obstacle_pose(o),
           state_.moved[o] ? state_.moved[o]->next : pose_at(data().obstacles[o], input.end_time)});
    frames_.resize(data().bodies.size());
    for (std::size_t b = 0; b < frames_.size(); ++b) {
      frames_[b].precomputed = precomputed_[b].get();
      if (!frames_[b].device && queues_[b])
        set_device(frames_[b], std::make_unique<DeviceFrame>(*queues_[b], *device_bodies_[b]));
    }
    try {
      executor_.run([&] {
        step_local_global(input, state_, frames_, contacts_, groups_, statistics);
        const StageTimer timer(statistics.ms.finish);
        finish_frame(input, frames_, contacts_, state_, statistics, outputs_);
      });
    } catch (...) {  // the state is that of the last good frame, without pairs: some are of the bad one
      clear_history();
      throw;
    }
    for (std::optional<MovedObstacle>& moved : state_.moved)
      if (moved) moved->now = moved->next;
    measure_device();
    statistics.frame = static_cast<long>(state_.frame);
    statistics.time = time();
    statistics.ms.frame =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    statistics_ = statistics;
    return statistics_;
  }

  void clear_history() {
    for (BodyState& body : state_.bodies) body.history.clear();
  }

  /// What this frame cost the device.
  void measure_device() {
    device_work_ = {};
    device_stages_.clear();
    for (std::size_t b = 0; b < queues_.size(); ++b) {
      if (!queues_[b]) continue;
      const QueueCounters now = queues_[b]->counters();
      QueueCounters& before = counted_[b];
      device_work_.launches += now.launches - before.launches;
      device_work_.copies += now.copies - before.copies;
      device_work_.waits += now.waits - before.waits;
      device_work_.bytes_up += now.bytes_up - before.bytes_up;
      device_work_.bytes_down += now.bytes_down - before.bytes_down;
      before = now;
      if (!settings_.device_times) continue;
      queues_[b]->synchronize();
      for (const StageTime& stage : queues_[b]->take_stage_times())
        add_stage({stage.name, stage.ms, stage.count}, device_stages_);
    }
  }

  /// Places of the mesh of a body's nodes, on its device.
  const DeviceBuffer<Index>& device_order(std::size_t body) {
    device_order_.resize(queues_.size());
    if (device_order_[body].size() == 0)
      device_order_[body] = to_device(*queues_[body], precomputed_[body]->to_user, "positions");
    return device_order_[body];
  }
  View<const Vec3d> positions_on_device(std::size_t body) {
    Mirrored<Vec3d>& position = state_.bodies[body].position;
    position.bind(queues_[body].get());
    return position.device();
  }

  template <class T>
  std::vector<T> in_user_order(std::size_t body, const std::vector<T>& internal) const {
    check_body(body);
    const BodyPrecomputed& p = *precomputed_[body];
    std::vector<T> result(internal.size());
    for (std::size_t i = 0; i < internal.size(); ++i) result[p.to_user[i]] = internal[i];
    return result;
  }

  Model model_;
  SimulationSettings settings_;
  std::shared_ptr<Device> device_;  ///< null: the host
  std::string backend_name_ = "cpu";
  Executor executor_;
  double memory_limit_ = 0.0;
  std::uint64_t hash_ = 0;
  std::vector<std::shared_ptr<BodyPrecomputed>> precomputed_;
  std::vector<std::vector<std::pair<Index, std::size_t>>> pinned_;
  ModelSizes sizes_;
  std::vector<std::unique_ptr<DeviceQueue>> queues_;  ///< {bodies} null: on the host
  std::vector<std::shared_ptr<const DeviceBody>> device_bodies_;
  std::vector<DeviceBuffer<Index>> device_order_;      ///< {bodies} made when asked for
  std::vector<DeviceBuffer<Vec3d>> device_positions_;  ///< {bodies} likewise
  std::vector<QueueCounters> counted_;                 ///< {bodies} up to the last frame
  DeviceCompliances compliance_;
  DeviceWork device_work_;
  std::vector<DeviceStage> device_stages_;
  State state_;
  std::uint32_t next_generation_ = kModelGeneration + 1;  ///< of handles made at run time; never used twice
  std::unique_ptr<CollisionScene> collision_;             ///< null: no surfaces that could meet
  std::unique_ptr<CollisionScene> counting_;  ///< where that is null, made when crossings are counted
  std::vector<BodyFrame> frames_;
  FrameContacts contacts_;
  std::vector<SolveGroup> groups_;
  std::vector<std::string> warnings_;
  FrameOutputs outputs_;
  StepStatistics statistics_;
};

namespace {

void add_force(Wrench& wrench, const ContactForce& contact, double sign, const Vec3d& about) {
  const Vec3d force = sign * (contact.normal_force * contact.normal + contact.tangential_force);
  wrench.force += force;
  wrench.torque += cross(contact.position - about, force);
}

std::vector<double> lengths(const std::vector<Vec3d>& vectors) {
  std::vector<double> result;
  for (const Vec3d& v : vectors) result.push_back(norm(v));
  return result;
}

std::vector<Vec3d> differences(std::vector<Vec3d> a, const std::vector<Vec3d>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

void check_friction(const std::string& what, double friction) {
  if (!(friction >= 0.0) || !std::isfinite(friction))
    throw ModelError(what + ": friction is " + std::to_string(friction) + ", must be >= 0 and finite");
}

}  // namespace

Simulation::Simulation(Model model, SimulationSettings settings)
    : Simulation(std::move(model), std::move(settings), nullptr) {}
Simulation::Simulation(Model model, SimulationSettings settings, const Simulation* like,
                       const PrepareProgress& progress)
    : impl_(
          std::make_unique<Impl>(std::move(model), settings, like ? like->impl_.get() : nullptr, progress)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const StepStatistics& Simulation::step() {
  return impl_->step();
}
const StepStatistics& Simulation::step(int most_iterations) {
  if (most_iterations < 1)
    throw ModelError("step: most_iterations is " + std::to_string(most_iterations) + ", must be >= 1");
  return impl_->step(most_iterations);
}
void Simulation::clear_history() {
  impl_->clear_history();
}
void Simulation::reset() {
  impl_->reset();
}
void Simulation::continue_from(const Simulation& other) {
  if (&other != this) impl_->continue_from(*other.impl_);
}
Snapshot Simulation::save() const {
  return write_state(impl_->state_, impl_->hash_);
}
void Simulation::restore(const Snapshot& snapshot) {
  impl_->state_ = read_state(snapshot, impl_->hash_, impl_->state_);
  for (const HandleSlot& slot : impl_->state_.handles)
    impl_->next_generation_ = std::max(impl_->next_generation_, slot.generation + 1);
  impl_->forget_outputs();
}

const Model& Simulation::model() const {
  return impl_->model_;
}
const SimulationSettings& Simulation::settings() const {
  return impl_->settings_;
}
const std::string& Simulation::backend_name() const {
  return impl_->backend_name_;
}
const std::vector<std::string>& Simulation::warnings() const {
  return impl_->warnings_;
}
const DeviceWork& Simulation::device_work() const {
  return impl_->device_work_;
}
const std::vector<DeviceStage>& Simulation::device_stages() const {
  return impl_->device_stages_;
}
const ModelSizes& Simulation::sizes() const {
  return impl_->sizes_;
}
const StepStatistics& Simulation::statistics() const {
  return impl_->statistics_;
}
long Simulation::frame() const {
  return static_cast<long>(impl_->state_.frame);
}
double Simulation::time() const {
  return impl_->time();
}

std::vector<Vec3d> Simulation::positions(std::size_t body) const {
  impl_->check_body(body);
  return impl_->in_user_order(body, impl_->state_.bodies[body].position.host());
}
const double* Simulation::device_positions(std::size_t body) {
  impl_->check_body(body);
  if (!impl_->queues_[body]) return nullptr;
  const View<const Vec3d> from = impl_->positions_on_device(body);
  impl_->device_positions_.resize(impl_->queues_.size());
  DeviceBuffer<Vec3d>& to = impl_->device_positions_[body];
  DeviceQueue& queue = *impl_->queues_[body];
  if (to.size() == 0) to = DeviceBuffer<Vec3d>(queue.device(), from.size, "positions");
  queue.put(to.view(), impl_->device_order(body).view(), from);
  queue.synchronize();
  static_assert(sizeof(Vec3d) == 3 * sizeof(double));
  return &to.data()->x;
}
void Simulation::write_positions(std::size_t body, float* device_to) {
  impl_->check_body(body);
  if (!impl_->queues_[body])
    throw ModelError("write_positions: body '" + impl_->data().bodies[body].spec.name +
                     "' stands on the host; use positions()");
  const View<const Vec3d> from = impl_->positions_on_device(body);
  DeviceQueue& queue = *impl_->queues_[body];
  queue.put_floats({device_to, 3 * from.size}, impl_->device_order(body).view(), from);
  queue.synchronize();
}
std::vector<Vec3d> Simulation::velocities(std::size_t body) const {
  impl_->check_body(body);
  return impl_->in_user_order(body, impl_->state_.bodies[body].velocity.host());
}
std::vector<double> Simulation::node_masses(std::size_t body) const {
  impl_->check_body(body);
  return impl_->data().bodies[body].node_mass;
}
void Simulation::set_state(std::size_t body, const std::vector<Vec3d>& positions,
                           const std::vector<Vec3d>& velocities) {
  impl_->check_body(body);
  BodyState& state = impl_->state_.bodies[body];
  const BodyPrecomputed& p = *impl_->precomputed_[body];
  const std::size_t count = state.position.size();
  if (positions.size() != count || velocities.size() != count)
    throw ModelError("set_state: body '" + impl_->data().bodies[body].spec.name + "' has " +
                     std::to_string(count) + " nodes, given are " + std::to_string(positions.size()) +
                     " positions and " + std::to_string(velocities.size()) + " velocities");
  for (std::size_t i = 0; i < count; ++i)
    if (!is_finite(positions[i]) || !is_finite(velocities[i]))
      throw ModelError("set_state: node " + std::to_string(i) + " is not finite");
  std::vector<Vec3d>&position = state.position.edit(), &velocity = state.velocity.edit();
  for (std::size_t i = 0; i < count; ++i) {
    position[p.to_internal[i]] = positions[i];
    velocity[p.to_internal[i]] = velocities[i];
  }
  std::erase_if(impl_->state_.carried, [&](const CarriedForce& c) {
    return c.key.body == static_cast<Index>(body) || c.key.other_body == static_cast<Index>(body);
  });
  state.history.clear();
  state.correction.host_new(0);
  impl_->forget_outputs();
}
std::vector<Vec3d> Simulation::surface_points(std::size_t body) const {
  impl_->check_body(body);
  const TetMesh& mesh = impl_->data().bodies[body].spec.mesh;
  return mesh.surface.empty() ? positions(body) : embedded_points(mesh, positions(body));
}
std::vector<double> Simulation::node_values(std::size_t body, SurfaceQuantity quantity) const {
  impl_->check_body(body);
  const BodyPrecomputed& p = *impl_->precomputed_[body];
  const BodyState& state = impl_->state_.bodies[body];
  if (quantity == SurfaceQuantity::speed) return lengths(velocities(body));
  if (quantity == SurfaceQuantity::displacement)
    return lengths(differences(positions(body), impl_->data().bodies[body].start_position));
  std::vector<double> values;
  const Vec3d* position = state.position.host().data();
  impl_->executor_.run([&] {
    values = quantity == SurfaceQuantity::von_mises_stress ? von_mises_stress(p, position)
                                                           : principal_strain(p, position);
  });
  return impl_->in_user_order(body, values);
}
std::vector<double> Simulation::surface_values(std::size_t body, SurfaceQuantity quantity) const {
  impl_->check_body(body);
  const BodyData& data = impl_->data().bodies[body];
  const TetMesh& mesh = data.spec.mesh;
  if (mesh.surface.empty()) return node_values(body, quantity);
  if (quantity == SurfaceQuantity::speed) return lengths(embedded_points(mesh, velocities(body)));
  if (quantity == SurfaceQuantity::displacement)
    return lengths(embedded_points(mesh, differences(positions(body), data.start_position)));
  const std::vector<double> of_node = node_values(body, quantity);
  std::vector<double> values(mesh.surface.tet.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int k = 0; k < 4; ++k)
      values[i] += mesh.surface.weights[i][k] * of_node[mesh.tets[mesh.surface.tet[i]][k]];
  return values;
}
Vec3d Simulation::center_of_mass(std::size_t body) const {
  impl_->check_body(body);
  const BodyPrecomputed& p = *impl_->precomputed_[body];
  const std::vector<Vec3d>& position = impl_->state_.bodies[body].position.host();
  Vec3d sum{};
  for (std::size_t i = 0; i < position.size(); ++i) sum += p.mass[i] * position[i];
  return sum / impl_->data().bodies[body].mass;
}
double Simulation::volume(std::size_t body) const {
  impl_->check_body(body);
  const BodyData& data = impl_->data().bodies[body];
  const std::vector<Vec3d> x = positions(body);
  if (data.spec.sheet) return area(body) * data.spec.sheet->thickness;
  double sum = 0.0;
  for (std::size_t t = 0; t < data.spec.mesh.tets.size(); ++t) {
    const Tet& e = data.spec.mesh.tets[t];
    const double fraction = data.spec.mesh.inside_fraction.empty() ? 1.0 : data.spec.mesh.inside_fraction[t];
    sum += fraction * tet_volume(x[e[0]], x[e[1]], x[e[2]], x[e[3]]);
  }
  return sum;
}
double Simulation::area(std::size_t body) const {
  impl_->check_body(body);
  const BodyData& data = impl_->data().bodies[body];
  if (!data.spec.sheet) return 0.0;
  const std::vector<Vec3d> x = positions(body);
  double sum = 0.0;
  for (const Triangle& t : data.spec.sheet->mesh.triangles)
    sum += 0.5 * norm(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]));
  return sum;
}
Pose Simulation::obstacle_pose(std::size_t obstacle) const {
  impl_->check_index(obstacle, impl_->data().obstacles.size(), "obstacle");
  return impl_->obstacle_pose(obstacle);
}
void Simulation::set_obstacle_pose(std::size_t obstacle, const Pose& pose) {
  const Pose now = obstacle_pose(obstacle);
  check_pose(pose, "obstacle '" + impl_->data().obstacles[obstacle].name + "': its pose");
  impl_->state_.moved[obstacle] = MovedObstacle{now, pose};
}
bool Simulation::obstacle_moved(std::size_t obstacle) const {
  impl_->check_index(obstacle, impl_->data().obstacles.size(), "obstacle");
  return impl_->state_.moved[obstacle].has_value();
}
const std::vector<ContactForce>& Simulation::contact_forces() const {
  return impl_->outputs_.contacts;
}
Wrench Simulation::obstacle_wrench(std::size_t obstacle) const {
  const Vec3d origin = obstacle_pose(obstacle).translation;
  Wrench wrench;
  for (const ContactForce& c : impl_->outputs_.contacts) {
    if (c.obstacle != static_cast<Index>(obstacle)) continue;
    add_force(wrench, c, -1.0, origin);
  }
  return wrench;
}
Wrench Simulation::pin_reaction(std::size_t pin) const {
  impl_->check_index(pin, impl_->outputs_.pin_reaction.size(), "pin");
  return impl_->outputs_.pin_reaction[pin];
}
Wrench Simulation::body_contact_wrench(std::size_t body) const {
  impl_->check_body(body);
  Wrench wrench;
  for (const ContactForce& c : impl_->outputs_.contacts) {
    if (c.body == c.other_body) continue;
    const double sign = c.body == static_cast<Index>(body)         ? 1.0
                        : c.other_body == static_cast<Index>(body) ? -1.0
                                                                   : 0.0;
    if (sign != 0.0) add_force(wrench, c, sign, Vec3d{});
  }
  return wrench;
}
Wrench Simulation::pair_wrench(std::size_t body, std::size_t other, const Vec3d& about) const {
  impl_->check_body(body);
  impl_->check_body(other);
  Wrench wrench;
  if (body == other) return wrench;
  const Index a = static_cast<Index>(body), b = static_cast<Index>(other);
  for (const ContactForce& c : impl_->outputs_.contacts) {
    if (c.body == a && c.other_body == b) add_force(wrench, c, 1.0, about);
    if (c.body == b && c.other_body == a) add_force(wrench, c, -1.0, about);
  }
  return wrench;
}
void Simulation::set_body_friction(std::size_t body, double friction) {
  impl_->check_body(body);
  check_friction("body '" + impl_->data().bodies[body].spec.name + "'", friction);
  impl_->state_.body_friction[body] = friction;
}
void Simulation::set_obstacle_friction(std::size_t obstacle, double friction) {
  impl_->check_index(obstacle, impl_->data().obstacles.size(), "obstacle");
  check_friction("obstacle '" + impl_->data().obstacles[obstacle].name + "'", friction);
  impl_->state_.obstacle_friction[obstacle] = friction;
}
HandleId Simulation::add_handle(const HandleSpec& spec) {
  std::vector<std::vector<Vec3d>> nodes;
  std::vector<const std::vector<Vec3d>*> position;
  for (std::size_t b = 0; b < impl_->data().bodies.size(); ++b) nodes.push_back(positions(b));
  for (const auto& x : nodes) position.push_back(&x);
  Handle handle = resolve_handle(spec, {impl_->data().bodies, position, time()});
  const HandleId id = insert_handle(impl_->in_internal_order(std::move(handle)), impl_->next_generation_,
                                    impl_->state_.handles);
  ++impl_->next_generation_;
  return id;
}
void Simulation::remove_handle(HandleId id) {
  handle_of(impl_->state_.handles, id);
  impl_->state_.handles[id.index].handle.reset();
}
void Simulation::clear_handles() {
  for (HandleSlot& slot : impl_->state_.handles) slot.handle.reset();
}
std::vector<HandleId> Simulation::handles() const {
  std::vector<HandleId> ids;
  const std::vector<HandleSlot>& slots = impl_->state_.handles;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i].handle) ids.push_back({static_cast<Index>(i), slots[i].generation});
  return ids;
}
bool Simulation::has_handle(HandleId id) const {
  const std::vector<HandleId> all = handles();
  return std::find(all.begin(), all.end(), id) != all.end();
}
HandleId Simulation::handle(std::string_view name) const {
  return handle_named(impl_->state_.handles, name);
}
const std::string& Simulation::handle_name(HandleId id) const {
  return handle_of(std::as_const(impl_->state_.handles), id).name;
}
std::string_view Simulation::handle_kind(HandleId id) const {
  return to_string(handle_of(std::as_const(impl_->state_.handles), id).kind);
}
void Simulation::set_target(HandleId id, const Vec3d& target) {
  sinew::set_target(handle_of(impl_->state_.handles, id), target);
}
void Simulation::set_frame(HandleId id, const Pose& frame) {
  sinew::set_frame(handle_of(impl_->state_.handles, id), frame);
}
void Simulation::set_length(HandleId id, double length) {
  sinew::set_length(handle_of(impl_->state_.handles, id), length);
}
void Simulation::set_tension(HandleId id, double tension) {
  sinew::set_tension(handle_of(impl_->state_.handles, id), tension);
}
void Simulation::set_compliance(HandleId id, double compliance) {
  sinew::set_compliance(handle_of(impl_->state_.handles, id), compliance);
}
Vec3d Simulation::handle_origin(HandleId id) const {
  return sinew::handle_origin(handle_of(std::as_const(impl_->state_.handles), id), time(),
                              impl_->position_pointers());
}
Wrench Simulation::handle_wrench(HandleId id) const {
  const Vec3d origin = handle_origin(id);
  Wrench wrench;
  for (const HandleForce& f : handle_forces(id)) {
    wrench.force += f.force;
    wrench.torque += cross(f.position - origin, f.force);
  }
  return wrench;
}
Wrench Simulation::frame_wrench(HandleId id) const {
  const Wrench on_body = handle_wrench(id);
  return {-on_body.force, -on_body.torque};
}
std::vector<HandleForce> Simulation::handle_forces(HandleId id) const {
  const Handle& handle = handle_of(std::as_const(impl_->state_.handles), id);
  const std::vector<const Vec3d*> position = impl_->position_pointers();
  std::vector<HandleForce> forces;
  for (std::size_t k = 0; k < handle.size(); ++k)
    forces.push_back({handle_point(handle, k, position), handle.force[k]});
  return forces;
}
double Simulation::cable_tension(HandleId id) const {
  return handle_of(std::as_const(impl_->state_.handles), id).tension;
}
double Simulation::cable_length(HandleId id) const {
  return handle_length(handle_of(std::as_const(impl_->state_.handles), id), impl_->position_pointers());
}
BodyPoint Simulation::nearest_surface_point(std::size_t body, const Vec3d& x) const {
  impl_->check_body(body);
  const BodyData& data = impl_->data().bodies[body];
  const TrianglePlace place = nearest_place(data.surface_triangles, surface_points(body), x);
  return {data.spec.name, -1, place.triangle, place.barycentric, std::nullopt};
}
std::optional<SurfaceHit> Simulation::pick(const Vec3d& origin, const Vec3d& direction) const {
  std::optional<SurfaceHit> first;
  const Vec3d along = normalized(direction);
  for (std::size_t b = 0; b < impl_->data().bodies.size(); ++b) {
    const BodyData& data = impl_->data().bodies[b];
    const auto hit = first_hit(data.surface_triangles, surface_points(b), origin, along);
    if (!hit || (first && first->distance <= hit->distance)) continue;
    first = SurfaceHit{{data.spec.name, -1, hit->triangle, hit->barycentric, std::nullopt},
                       origin + hit->distance * along,
                       hit->distance};
  }
  return first;
}
std::size_t Simulation::count_intersections() const {
  if (!impl_->collision_ && !impl_->counting_)
    impl_->counting_ = std::make_unique<CollisionScene>(impl_->data(), impl_->precomputed_);
  const CollisionScene& scene = impl_->collision_ ? *impl_->collision_ : *impl_->counting_;
  std::vector<const Vec3d*> position;
  for (const BodyState& body : impl_->state_.bodies) position.push_back(body.position.host().data());
  std::vector<ObstacleFrame> obstacles;
  for (std::size_t o = 0; o < impl_->data().obstacles.size(); ++o) {
    const Pose pose = obstacle_pose(o);
    obstacles.push_back({&impl_->data().obstacles[o], pose, pose});
  }
  std::size_t count = 0;
  impl_->executor_.run([&] { count = scene.count_intersections(position, obstacles); });
  return count;
}
Vec3d Simulation::linear_momentum() const {
  Vec3d sum{};
  for (std::size_t b = 0; b < impl_->state_.bodies.size(); ++b) {
    const std::vector<Vec3d>& velocity = impl_->state_.bodies[b].velocity.host();
    for (std::size_t i = 0; i < velocity.size(); ++i) sum += impl_->precomputed_[b]->mass[i] * velocity[i];
  }
  return sum;
}
Vec3d Simulation::angular_momentum(const Vec3d& about) const {
  Vec3d sum{};
  for (std::size_t b = 0; b < impl_->state_.bodies.size(); ++b) {
    const BodyState& body = impl_->state_.bodies[b];
    const std::vector<Vec3d>&position = body.position.host(), &velocity = body.velocity.host();
    for (std::size_t i = 0; i < velocity.size(); ++i)
      sum += impl_->precomputed_[b]->mass[i] * cross(position[i] - about, velocity[i]);
  }
  return sum;
}
std::uint64_t Simulation::run_hash() const {
  return impl_->hash_;
}
std::uint64_t Simulation::state_hash() const {
  Hash hash;
  for (std::size_t b = 0; b < impl_->state_.bodies.size(); ++b) hash.add(positions(b)).add(velocities(b));
  return hash.value();
}

}  // namespace sinew
