// What other programs took for the problems of peer_models.hpp on one day on one machine: a record, not a
// claim. Who wants to compare speeds runs them again (benchmarks/peers).
#pragma once

#include <array>
#include <limits>
#include <string_view>
#include <vector>

namespace sinew::bench {

inline constexpr std::string_view kRecordedOn =
    "2026-11-27, AMD EPYC Zen 3, 2 virtual cores at 2.45 GHz, 24 GB, g++ 12.2; repeats differed by 10 to 25 "
    "%";

struct RecordedPeer {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::string_view name;  ///< in names of values: "admm_elastic"
  std::string_view what;
  double A5 = kNone, A11 = kNone, B = kNone, D = kNone;         ///< [ms] median of the frames
  double slide_176 = kNone, slide_177 = kNone;                  ///< [m] C: in 3 s at mu = 0.176 and 0.177
  std::array<double, 4> lowest = {kNone, kNone, kNone, kNone};  ///< [m] A5: at kCurveFrames

  double ms(std::string_view problem) const;  ///< kNone where it was not measured
};
const std::vector<RecordedPeer>& recorded_peers();

inline constexpr std::array<long, 4> kCurveFrames = {25, 50, 75, 100};
/// [m] Lowest vertex of A5 by IPC at kCurveFrames: implicit Euler at 0.01 s with the energy mu/2 (tr F^T F -
/// 3 - 2 ln J) + lambda/2 (ln J)^2 and lumped masses, to 1e-4 m.
inline constexpr std::array<double, 4> kIpcCurve = {-0.2262, -0.0847, -0.1282, -0.1722};

/// Largest and RMS difference [m] of two curves.
struct CurveError {
  double most = 0.0, rms = 0.0;
};
CurveError curve_error(const std::array<double, 4>& curve, const std::array<double, 4>& reference);

}  // namespace sinew::bench
