// Anderson's mixing of Gauss-Seidel sweeps (Anderson 1965; Walker and Ni 2011, type II): the sweeps of a
// stiff body on a plane converge like 1 - (elastic / rigid compliance); mixing a few of them makes that a
// Krylov method. Guarded: an extrapolation that the next sweep judges worse than the best before is taken
// back.
#pragma once

#include <functional>
#include <vector>

#include <sinew/base/vec3.hpp>

namespace sinew {

class AndersonAccelerator {
 public:
  /// before: unknowns at the start of the sweep that gave `after`. Returns unknowns to go on with, put back
  /// on their cones by project(index, value), or null to go on as is. weight[c] [m/N] makes residuals
  /// lengths.
  const std::vector<Vec3d>* extrapolate(const std::vector<Vec3d>& before, const std::vector<Vec3d>& after,
                                        const std::vector<double>& weight,
                                        const std::function<Vec3d(std::size_t, const Vec3d&)>& project);

 private:
  /// Differences between consecutive sweeps.
  struct Entry {
    std::vector<Vec3d> result, residual;
  };
  void forget() {
    used_ = 0;
    has_last_ = false;
  }
  void remember(const std::vector<Vec3d>& result);

  static constexpr std::size_t kDepth = 24;
  Entry entry_[kDepth];            ///< ring
  double normal_[kDepth][kDepth];  ///< inner products of the residual differences
  std::size_t used_ = 0, next_slot_ = 0;
  bool has_last_ = false;
  std::vector<Vec3d> last_result_, last_residual_, residual_;
  /// Of the largest change of the first sweeps. Laws that contradict each other (no room between obstacles)
  /// have sweeps that change alike for ever: their mixture lies at infinity, and forces of 1e20 N end in
  /// rounding.
  static constexpr double kFarthest = 1e4;
  static constexpr int kFirstCalls = 8;
  int calls_ = 0;
  double largest_ = 0.0;     ///< change of one of the first sweeps [m]
  double best_ = -1.0;       ///< smallest residual so far
  std::vector<Vec3d> safe_;  ///< result that had it
  std::vector<Vec3d> next_;
  bool extrapolated_ = false;
  /// Plain sweeps after a rejection, doubled each time: contacts that still change their state defeat mixing.
  static constexpr int kLongestPause = 64;
  int pause_ = 0, next_pause_ = 2;
};

}  // namespace sinew
