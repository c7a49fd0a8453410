#include "benchmarks/recorded_peers.hpp"

#include <algorithm>
#include <cmath>

namespace sinew::bench {

double RecordedPeer::ms(std::string_view problem) const {
  if (problem == "A5") return A5;
  if (problem == "A11") return A11;
  if (problem == "B") return B;
  return problem == "D" ? D : kNone;
}

const std::vector<RecordedPeer>& recorded_peers() {
  constexpr double kNone = RecordedPeer::kNone;
  constexpr std::array<double, 4> kNoCurve = {kNone, kNone, kNone, kNone};
  static const std::vector<RecordedPeer> peers = {
      {"admm_elastic",
       "admm-elastic, corotated, 5 iterations, 2 threads",
       99,
       231,
       58,
       kNone,
       kNone,
       kNone,
       {-0.0849, -0.0232, -0.0643, -0.0407}},
      {"admm_elastic_neo_hookean",
       "admm-elastic, Neo-Hookean, 5 iterations, 2 threads",
       159,
       360,
       kNone,
       kNone,
       kNone,
       kNone,
       {-0.1920, -0.2039, -0.0341, -0.1657}},
      {"q_minh",
       "Q-Minh projective dynamics, 5 iterations, 1 thread",
       104,
       253,
       kNone,
       kNone,
       kNone,
       kNone,
       {-0.2757, -0.3053, -0.0513, -0.2265}},
      {"ly_2020", "Ly et al. 2020, cloth only (C: a patch of cloth), 5 iterations, 2 threads", kNone, kNone,
       54, kNone, 14.26e-3, 0.0, kNoCurve},
      {"ipc", "IPC, Neo-Hookean, default tolerance, 2 threads", 655, 2093, kNone, 14900, 34.7e-3, 8.5e-3,
       kIpcCurve},
      {"bullet", "Bullet 3.24 deformable, 1 thread (A5 to 1,200 ms, B to 212 ms)", 495, kNone, 12.6, 1757,
       29e-3, 12e-3, kNoCurve},
      {"jolt",
       "Jolt soft body, which knows no E and nu, 2 threads",
       3.7,
       8.2,
       6.5,
       6.4,
       187e-3,
       145e-3,
       {-0.375, -0.732, -0.552, -0.506}},
      {"mujoco", "MuJoCo 3.12 flex, 1 thread (A5 not converged)", 122, kNone, kNone, kNone, 305e-3, 283e-3,
       kNoCurve},
  };
  return peers;
}

CurveError curve_error(const std::array<double, 4>& curve, const std::array<double, 4>& reference) {
  CurveError error;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double difference = std::abs(curve[i] - reference[i]);
    error.most = difference > error.most || std::isnan(difference) ? difference : error.most;
    error.rms += difference * difference / static_cast<double>(curve.size());
  }
  error.rms = std::sqrt(error.rms);
  return error;
}

}  // namespace sinew::bench
