// Stepping a model: settings, positions, velocities, forces, statistics, save, restore, reset.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/solver_settings.hpp>
#include <sinew/model.hpp>

namespace sinew {

struct ContactSettings {
  bool enabled = true;
  ContactSolver solver = ContactSolver::automatic;
  int max_sweeps = 200;  ///< [1], >= 1: Gauss-Seidel sweeps per contact solve
  /// [m], >= 0: natural-map residual at which solvers stop. 0: kCreep times the time step, so that what
  /// sticks stays, however long one waits.
  double tolerance = 0.0;
  static constexpr double kCreep = 1e-8;  ///< [m/s]
  double margin = 0.0;  ///< [m], >= 0: extra detection distance; motion within the frame is always covered
  double max_depenetration_speed = 1.0;  ///< [m/s], > 0: overlaps at the start leave no faster than this
  DelassusWay delassus = DelassusWay::automatic;
  BroadPhase broad_phase = BroadPhase::automatic;
  NonsmoothSettings nsn;
};

struct SimulationSettings {
  double time_step = 0.01;  ///< h [s], > 0
  int iterations = 5;       ///< K, >= 1: local-global iterations per frame at most
  double tolerance = 0.0;   ///< [1], >= 0: stop earlier when the residual force, relative to the forces
                            ///< of the frame, is below this; 0: always K iterations
  /// [ms], >= 0: once a frame has taken as long, no further iteration begins; contact is closed still. 0: no
  /// limit. With a limit the clock decides the bits, see Simulation::step(int).
  double budget_ms = 0.0;
  int history = 10;  ///< L-BFGS pairs, >= 0 (0: plain quasi-Newton with A), kept between frames:
                     ///< 480 bytes per node at 10, in snapshots too
  Backend backend = Backend::automatic;
  bool hybrid = false;        ///< on a device: elements are evaluated on the host, all else there
  bool device_times = false;  ///< on a device: fill device_stages(); costs a little
  SolverSettings solver;
  ContactSettings contact;
  int threads = 0;                  ///< 0: all cores. Results do not depend on it.
  double memory_limit_bytes = 0.0;  ///< 0: what the machine has free
  void validate() const;            ///< @throws ModelError naming the field, its value and its bounds
};

/// Times of one frame by stage [ms]; those before `frame` are parts of it that do not overlap.
struct StageTimes {
  double detect = 0, delassus = 0, local = 0, rhs = 0, free = 0, contact = 0, correct = 0, finish = 0,
         frame = 0;
};

/// Energies [J]. gravity: potential relative to the height z = 0.
struct Energy {
  double kinetic = 0, elastic = 0, gravity = 0;
  double total() const { return kinetic + elastic + gravity; }
};

/// What one frame did; filled always.
struct StepStatistics {
  long frame = 0;     ///< frames completed
  double time = 0.0;  ///< [s] simulated at the end of the frame
  StageTimes ms;
  int iterations = 0;         ///< local-global iterations used
  bool cut = false;           ///< the budget or step(most_iterations) left work undone
  int line_search_steps = 0;  ///< trial points beyond the first
  int contact_sweeps = 0;     ///< Gauss-Seidel sweeps, all iterations
  int contact_steps = 0;      ///< steps of Newton's method on contacts, all iterations
  int contact_products = 0;   ///< products with the matrix of the contacts, all iterations
  bool contact_converged = true;
  std::size_t contacts = 0;            ///< contact points considered
  std::size_t active_contacts = 0;     ///< with a normal force
  std::size_t compliance_columns = 0;  ///< columns of A^-1 computed in this frame
  double residual = 0.0;               ///< [1] residual force relative to the forces of the frame
  double max_penetration_m = 0.0;      ///< true geometry at the end, all surface points against obstacles
  double max_creep_m_s = 0.0;          ///< largest |slip|/h where the tangential force is inside the cone
  double complementarity_residual_m = 0.0;  ///< natural map
  double momentum_error = 0.0;              ///< |change - impulses| / sum m (|v| + |v before| + h |g|)
  Energy energy;
};

enum class ContactState : std::uint8_t { open, stick, slip };

/// One contact point with its force on the body; on what it touches acts the opposite force.
struct ContactForce {
  Index body = 0;
  Index other_body = -1;  ///< what is touched: another body, the same (self-contact), or -1 and:
  Index obstacle = -1;
  Index surface_point = -1;   ///< index into surface_points(body); -1: within a triangle or an edge of it
  Vec3d position;             ///< [m]
  Vec3d normal;               ///< unit, towards the body
  double gap = 0.0;           ///< [m]
  double friction = 0.0;      ///< coefficient of the pair
  double normal_force = 0.0;  ///< [N]
  Vec3d tangential_force;     ///< [N]
  Vec3d slip;                 ///< [m] tangential displacement relative to what is touched, in this frame
  ContactState state = ContactState::open;
};

/// What surfaces are coloured by.
enum class SurfaceQuantity : std::uint8_t {
  von_mises_stress,  ///< [Pa] of Cauchy's stress, elastic part; of sheets: of the membrane, thickness at rest
  principal_strain,  ///< [1] largest principal stretch less 1
  speed,             ///< [m/s]
  displacement       ///< [m] from the place at time 0
};

/// Force [N] and torque [Nm] about a stated point.
struct Wrench {
  Vec3d force, torque;
};

/// Time of a named part of a device's work in one frame, by marks between the work.
struct DeviceStage {
  std::string name;
  double ms = 0.0;  ///< [ms]
  int count = 0;    ///< how often it began
};

/// What the host gave to a device in one frame, and how often it waited for it.
struct DeviceWork {
  std::uint64_t launches = 0, copies = 0, waits = 0;
  std::uint64_t bytes_up = 0, bytes_down = 0;
};

/// Sizes of a prepared model.
struct ModelSizes {
  std::size_t vertices = 0, elements = 0, surface_vertices = 0, nnz_l = 0, nnz_inverse = 0;
  int stages = 0;
  std::size_t distinct_bodies = 0;  ///< solvers kept
  std::size_t from_cache = 0;       ///< of these, read from the cache on disk
  std::size_t taken_over = 0;       ///< of these, shared with the simulation before
  std::size_t factorizations = 0;   ///< numeric ones that this simulation made; no frame and no call adds any
  double precompute_ms = 0.0;
  std::size_t precompute_bytes = 0;
};

/// All that a simulation carries between frames, as bytes. Restoring gives the same bits onwards.
struct Snapshot {
  std::vector<std::uint8_t> bytes;
};

/// Told before each distinct body is prepared: how many are done, of how many, and its name. What it throws
/// ends the preparation.
using PrepareProgress = std::function<void(std::size_t done, std::size_t total, const std::string& body)>;

/// One thread at a time; on the host (backend_name() "cpu") several may call what is const.
class Simulation {
 public:
  /// Prepares (order, factor). @throws ModelError, MemoryError, BackendError.
  explicit Simulation(Model model, SimulationSettings settings = {});
  /// The same, but bodies that `like` (may be null) has prepared already are shared with it: equal in mesh,
  /// scale, material, density and pins, with the same time step, solver and backend. Results are the same to
  /// the bit. `like` may be at work in another thread meanwhile, as long as it lives.
  Simulation(Model model, SimulationSettings settings, const Simulation* like,
             const PrepareProgress& progress = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Advances one frame. @throws NumericalError; the state is then that of the last good frame.
  const StepStatistics& step();
  /// The same with at most so many iterations, >= 1, and without a look at the clock: repeats a frame that
  /// budget_ms has cut, to the bit, where its statistics().iterations are given, and any other frame with no
  /// fewer.
  const StepStatistics& step(int most_iterations);
  void reset();  ///< back to time 0: bit for bit a fresh start
  /// Forgets what the frames before have taught the quasi-Newton method, as a frame does that cannot be
  /// computed: to repeat a run with such a frame without it.
  void clear_history();

  /// Goes on from the moment of another simulation, of a changed model or changed settings: bodies of the
  /// same name and topology (tetrahedra, triangles of the surface) take their positions and velocities,
  /// contact forces stay where what touches is the same, time goes on (at the nearest frame). Handles made at
  /// run time keep their ids, points, targets and compliances where their bodies are there; handles of the
  /// model are those of the new one, with what was set at run time. Obstacles stay where they were set.
  /// Statistics and forces of the last frame stay to be read. All else, like friction, is that of the new
  /// model. Between equal simulations the frames that follow are the same to the bit, but for coefficients of
  /// friction set at run time.
  void continue_from(const Simulation& other);

  Snapshot save() const;
  /// @throws ModelError if the snapshot belongs to another model or settings, or is damaged.
  void restore(const Snapshot& snapshot);

  const Model& model() const;
  const SimulationSettings& settings() const;
  /// What computes the frames: "cpu", "the emulated device", or the name of the CUDA device.
  const std::string& backend_name() const;
  const ModelSizes& sizes() const;
  /// Remarks of the preparation that do no harm (a cache folder that cannot be written), one line each.
  const std::vector<std::string>& warnings() const;
  const StepStatistics& statistics() const;
  const DeviceWork& device_work() const;  ///< of the last frame; zero on the host
  /// Of the last frame, summed over the bodies; empty on the host, and without settings().device_times.
  const std::vector<DeviceStage>& device_stages() const;
  long frame() const;
  double time() const;  ///< [s]

  std::vector<Vec3d> positions(std::size_t body) const;   ///< [m], {nodes}, order of the mesh
  std::vector<Vec3d> velocities(std::size_t body) const;  ///< [m/s], {nodes}, order of the mesh
  /// Positions [m] of a body as they stand on the device, three doubles a node in the order of the mesh: a
  /// pointer of the device, null for bodies on the host. Valid until the next call of a function that is not
  /// const.
  const double* device_positions(std::size_t body);
  /// Writes positions [m], three floats a node in the order of the mesh, to memory of the device (a buffer of
  /// OpenGL or another program that is mapped there), without a way over the host. @throws ModelError for a
  /// body on the host.
  void write_positions(std::size_t body, float* device_to);
  std::vector<double> node_masses(std::size_t body) const;  ///< [kg], {nodes}, order of the mesh
  /// Places a body's nodes: positions [m] and velocities [m/s], {nodes}, order of the mesh. Pinned nodes
  /// return to their path in the next frame. @throws ModelError for a wrong number of nodes or a value that
  /// is not finite.
  void set_state(std::size_t body, const std::vector<Vec3d>& positions, const std::vector<Vec3d>& velocities);
  std::vector<Vec3d> surface_points(std::size_t body) const;  ///< [m]: embedded points, else all nodes
  /// {surface points}: stress and strain are means over the elements at a node, by their volumes.
  std::vector<double> surface_values(std::size_t body, SurfaceQuantity quantity) const;
  /// The same, {nodes}, order of the mesh.
  std::vector<double> node_values(std::size_t body, SurfaceQuantity quantity) const;
  Vec3d center_of_mass(std::size_t body) const;  ///< [m]
  double volume(std::size_t body) const;  ///< [m^3] current, with inside fractions; area times rest thickness
  double area(std::size_t body) const;    ///< [m^2] current, of a sheet; 0 for tetrahedra
  Pose obstacle_pose(std::size_t obstacle) const;  ///< at the current time
  /// Where an obstacle, movable or not, is at the end of the next frame: it goes there evenly within the
  /// frame and stays until set again, its own motion counts no more. Part of snapshots; reset() brings its
  /// motion back. @throws ModelError for what is no finite rotation and place.
  void set_obstacle_pose(std::size_t obstacle, const Pose& pose);
  bool obstacle_moved(std::size_t obstacle) const;  ///< it was set, and goes by its own motion no more
  const std::vector<ContactForce>& contact_forces() const;  ///< of the last frame, stable order
  Wrench obstacle_wrench(std::size_t obstacle) const;  ///< on the obstacle, about its origin (current pose)
  Wrench pin_reaction(
      std::size_t pin) const;  ///< of the pin on the body, about the pin's origin (moved along)
  /// Sum of contact forces and torque on the body, about the origin of the world.
  Wrench body_contact_wrench(std::size_t body) const;
  /// Contact force and torque on `body` by `other`, about the given point; self-contact sums to zero.
  Wrench pair_wrench(std::size_t body, std::size_t other, const Vec3d& about = {}) const;
  /// Friction coefficients [1], >= 0, from the next frame on; part of snapshots, reset() brings back the
  /// model's. Pairs with a coefficient of their own keep it. @throws ModelError for a value out of range.
  void set_body_friction(std::size_t body, double friction);
  void set_obstacle_friction(std::size_t obstacle, double friction);

  // Handles (handles.hpp): they act from the next frame on, and are part of snapshots. reset() brings those
  // of the model back. All of these @throw ModelError for a handle that is gone, or a value that cannot be.
  HandleId add_handle(const HandleSpec& spec);
  void remove_handle(HandleId id);
  void clear_handles();
  std::vector<HandleId> handles() const;  ///< alive, ascending
  bool has_handle(HandleId id) const;
  HandleId handle(std::string_view name) const;  ///< @throws ModelError with the nearest known name
  const std::string& handle_name(HandleId id) const;
  std::string_view handle_kind(HandleId id) const;      ///< "grab", "hold", "weld", "attachment", "cable"
  void set_target(HandleId id, const Vec3d& target);    ///< [m] of a grab, at the end of the next frame
  void set_frame(HandleId id, const Pose& frame);       ///< of a hold (about its origin) or an attachment
  void set_length(HandleId id, double length);          ///< [m] of a cable
  void set_tension(HandleId id, double tension);        ///< [N] of a cable
  void set_compliance(HandleId id, double compliance);  ///< [m/N]
  Vec3d handle_origin(HandleId id) const;  ///< [m]: target, origin moved along, else the mean of the points
  /// Force and torque about handle_origin() on the body (of a weld: on body a; of a cable: on all bodies).
  Wrench handle_wrench(HandleId id) const;
  /// The reaction: what an attachment or hold does to the frame, about the frame's origin.
  Wrench frame_wrench(HandleId id) const;
  std::vector<HandleForce> handle_forces(HandleId id) const;  ///< point by point
  double cable_tension(HandleId id) const;                    ///< [N]
  double cable_length(HandleId id) const;                     ///< [m] now, from stop to stop
  /// Place on the surface of a body nearest to x [m].
  BodyPoint nearest_surface_point(std::size_t body, const Vec3d& x) const;
  /// First surface that a ray meets, e.g. under the mouse.
  std::optional<SurfaceHit> pick(const Vec3d& origin, const Vec3d& direction) const;

  /// Pairs of an edge and a triangle that cross now: between bodies, within bodies that meet themselves, and
  /// with mesh obstacles. 0 is a state without intersections. Looked for when called, not in every frame.
  std::size_t count_intersections() const;
  Vec3d linear_momentum() const;                          ///< [kg m/s]
  Vec3d angular_momentum(const Vec3d& about = {}) const;  ///< [kg m^2/s]
  /// Hash of positions and velocities in the user's order.
  std::uint64_t state_hash() const;
  /// Hash of all that decides the bits of the frames: model, settings but for threads and memory, order of
  /// the unknowns. Snapshots fit where it is the same.
  std::uint64_t run_hash() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
