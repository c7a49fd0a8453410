// Random scenes of soft bodies in contact, and what becomes of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sinew/simulation.hpp>

namespace sinew::test {

/// What happens to a scene from outside while it runs.
enum class ActionKind {
  add_handle,
  remove_handle,   ///< the oldest one
  move_handle,     ///< target, frame, length or tension of the youngest one
  soften_handle,   ///< its compliance
  body_friction,   ///< of one body
  restore_earlier  ///< back to the state at the last action, then on: the same bits are due
};
struct Action {
  int frame = 0;  ///< before this frame, 0-based
  ActionKind kind = ActionKind::add_handle;
  std::size_t body = 0;
  HandleSpec handle{};
  Vec3d vector{};      ///< [m]
  double value = 0.0;  ///< compliance [m/N], friction [1], length [m] or tension [N]
};

struct FuzzScene {
  ModelBuilder builder;
  SimulationSettings settings;
  std::vector<Action> actions;  ///< ascending in frame
  std::string text;             ///< what is in it, one line
  double size = 1.0;            ///< [m] of the bodies, about
  bool has_forces = false;      ///< from outside, beside gravity
};

/// Same seed, same scene, on every platform. Parameters reach over the ranges that the checks of models
/// allow, as far as they are of use: E 1e2 to 1e11 Pa, 1 to 2e4 kg/m^3, speeds up to 100 m/s, frames of 1e-4
/// to 0.05 s.
FuzzScene random_scene(std::uint64_t seed);

enum class Ending {
  finished,         ///< all frames
  refused,          ///< ModelError, MeshError: the scene cannot be built
  numerical_error,  ///< NumericalError, and the state is that of the last good frame
  other_error,      ///< MemoryError and other typed errors
  failed            ///< anything else: a number that is not finite, a broken law, a foreign exception
};
constexpr int kEndings = 5;
const char* to_string(Ending ending);

struct Outcome {
  Ending ending = Ending::finished;
  std::string message;           ///< of the error or failure
  int frames = 0;                ///< completed
  long unconverged = 0;          ///< frames in which a contact solve stopped at its limit
  double slowest = 0.0;          ///< [s] of the processor, longest frame
  double seconds = 0.0;          ///< [s] all of it
  double penetration = 0.0;      ///< [1] of the scene's size: the deepest at the end of a frame
  double speed = 0.0;            ///< [m/s] of any node at the end of a frame
  double complementarity = 0.0;  ///< [1] of the scene's size: the worst residual of the contact law
  std::size_t contacts = 0;      ///< at most in a frame
  std::uint64_t hash = 0;        ///< of the last state
};

/// Runs the scene and looks at all outputs after each frame. threads 0: all. `frames_done` follows the run
/// for those who may have to end it.
Outcome run_scene(std::uint64_t seed, int frames, int threads = 1, volatile int* frames_done = nullptr);

}  // namespace sinew::test
