// `sinew bench materials`: iterations and milliseconds that each material needs, by both schemes, to come
// within 1e-3 and 1e-6 of the exact frame.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <sinew/base/solver_settings.hpp>
#include <sinew/model.hpp>

namespace sinew::bench {

void add_materials_case(CLI::App& command);

/// What one target took; empty: not reached within the most iterations.
struct Reached {
  std::optional<int> iterations;
  double ms = 0.0;  ///< of the frame with that many iterations, the least of three
};

struct MaterialCase {
  MaterialKind kind{};
  double young = 0.0;          ///< [Pa]
  double poisson_ratio = 0.0;  ///< [1]
  ElasticScheme scheme{};
  double error_at_five = 0.0;  ///< after five iterations
  Reached coarse, fine;        ///< 1e-3, 1e-6
};

struct MaterialsSettings {
  Index vertices = 1300;
  double angle_deg = 20.0;  ///< between the ends, in one frame of 10 ms
  std::vector<MaterialKind> materials;
  std::vector<double> young, poisson_ratio;
  std::vector<ElasticScheme> schemes{ElasticScheme::quasi_newton, ElasticScheme::admm};
  int most_quasi_newton = 2000, most_admm = 300;
  int threads = 1;
};

/// Cases of one material, stiffness and ratio, one per scheme. Call outside of Executor::run.
std::vector<MaterialCase> study_material(const MaterialsSettings& settings, MaterialKind kind, double young,
                                         double poisson_ratio);

}  // namespace sinew::bench
