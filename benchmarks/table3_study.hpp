// Rows of table 3 measured: columns of settings, repeats, and how far a frame is from its exact solution.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sinew/model.hpp>
#include <sinew/simulation.hpp>

#include "benchmarks/frame_series.hpp"
#include "benchmarks/suite_result.hpp"
#include "benchmarks/table3_rows.hpp"

namespace sinew::bench {

/// How a row is solved; all at the published 5 iterations and 10 ms.
struct Table3Column {
  const char* name;
  const char* what;
  void (*apply)(SimulationSettings& settings);
};
/// "published": the published algorithms; "method": ours with the published number of conjugate residual
/// iterations; "defaults": the engine's own choice.
const std::vector<Table3Column>& table3_columns();

struct Table3Settings {
  std::string source;  ///< root of the source tree
  std::vector<Table3Column> columns;
  long most_frames = 0;  ///< 0: as many as the row says
  int repeats = 5;       ///< most timed repeats
  /// [s] of frames per row and column: no further repeat begins that would not fit. A first run that takes
  /// longer by itself is no warm-up but the one repeat.
  double seconds = 15;
  int threads = 0;
  Backend backend = Backend::cpu;
  SlowedStage slowed;
};

/// One row in all its columns, which take turns. progress: a line on what is at work.
std::vector<SuiteRow> measure_row(const Table3Row& row, const Table3Settings& settings,
                                  const std::function<void(const std::string&)>& progress);

/// Distance of single frames of a run from the same frames with many iterations of the engine's own choice.
class FrameCheck {
 public:
  /// settings: the engine's own choice for the row. Looks at three frames of a run of so many, at one where
  /// something may touch.
  FrameCheck(const Model& model, SimulationSettings settings, long frames);
  /// To be called before each frame, see run_frames.
  void before(Simulation& simulation, long frame);
  /// Largest distance [m] of a node; NaN where no reference has a twentieth of the frame's residual.
  double frame_error_m() const { return frame_error_; }
  /// Largest (e - e*) / (e_0 - e*), see frame_error.hpp; NaN where something touches, a body is not alone, or
  /// no reference came to kSolved.
  double energy_error() const { return energy_error_; }

  static constexpr double kSolved = 1e-5;  ///< [1] residual of a frame that counts as solved

 private:
  bool looks_at(long frame) const;
  void compare(const Simulation& simulation);

  Simulation reference_;
  long frames_;
  bool alone_;                                        ///< one body that nothing can touch
  bool waiting_ = false;                              ///< the reference is one frame ahead
  std::vector<std::vector<Vec3d>> start_, velocity_;  ///< {bodies} of the frame that waits
  double frame_error_, energy_error_;
};

}  // namespace sinew::bench
