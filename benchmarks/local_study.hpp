// Time of one evaluation of energy and gradient, nodes included: a straightforward Eigen version, the plain
// loop, and blocks of packs in every instruction set of the processor, all in turns.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/twist_problem.hpp"

namespace sinew::bench {

/// A bar of twice the length of its sides, rotated by 1 rad, every node displaced at random by up to 5 % of
/// an edge: strains of about 10 %.
struct LocalProblem {
  std::shared_ptr<BodyPrecomputed> body;
  std::vector<Vec3d> start, position;  ///< {node_count} [m]
};
LocalProblem make_local_problem(std::size_t tets, MaterialKind kind);
/// A square sheet without bending, turned and displaced in the same way.
LocalProblem make_local_sheet(std::size_t triangles, MaterialKind kind);

struct LocalTiming {
  std::string name;
  bool is_double = true;
  std::vector<double> ms;  ///< per evaluation, one value a round
  /// Share of the values below: 0.5 is the median.
  double quantile(double share) const;
};

struct LocalCase {
  MaterialKind material;
  std::vector<LocalTiming> timings;
  const LocalTiming* find(const std::string& name) const;
  /// Fastest in double.
  const LocalTiming& best() const;
};

/// All materials of one shape of elements.
struct LocalStudy {
  int corners = 4;  ///< 4: tetrahedra, 3: triangles
  std::size_t elements = 0, vertices = 0, blocks = 0, slots = 0;
  double bytes = 0.0;           ///< read and written in one evaluation, each once
  double bandwidth_GB_s = 0.0;  ///< of reading that many bytes again and again
  double floor_ms() const { return 1e-6 * bytes / bandwidth_GB_s; }
  std::vector<LocalCase> cases;
};

inline constexpr const char* kEigenName = "Eigen JacobiSVD";
inline constexpr const char* kPlainName = "plain loop";

/// corners: 4, or 3 (materials: those of sheets). seconds: measured per material. Call inside Executor::run.
LocalStudy run_local_study(int corners, std::size_t elements, const std::vector<MaterialKind>& materials,
                           double seconds, const std::function<void(const std::string&)>& progress);

}  // namespace sinew::bench
