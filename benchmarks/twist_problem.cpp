#include "benchmarks/twist_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <sinew/mesh_generation.hpp>

namespace sinew::bench {

namespace {

/// A_s = M + h^2 sum_e w V_e G_e^T G_e, from the element data of the local step: rows of G_e are the
/// gradients of the corners' hat functions.
SymmetricMatrix assemble(const BodyPrecomputed& body, double time_step) {
  std::vector<std::map<Index, double>> column(body.free_count);
  for (Index i = 0; i < body.free_count; ++i) column[i][i] = body.mass[i];
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    Vec3d g[4];
    for (int c = 1; c < 4; ++c) {
      g[c] = body.rest_inverse[t].row(c - 1);
      g[0] -= g[c];
    }
    const double scale = time_step * time_step * body.element_weight * body.volume[t];
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        const Index row = body.tets[t][a], j = body.tets[t][b];
        if (row >= j && row < body.free_count) column[j][row] += scale * dot(g[a], g[b]);
      }
    }
  }
  SymmetricMatrix matrix;
  matrix.size = body.free_count;
  matrix.column_start.push_back(0);
  for (const auto& entries : column) {
    for (const auto& [row, value] : entries) {
      matrix.row.push_back(row);
      matrix.value.push_back(value);
    }
    matrix.column_start.push_back(static_cast<Index>(matrix.row.size()));
  }
  return matrix;
}

}  // namespace

TwistProblem make_twist_problem(Index vertices, MaterialKind kind, double young_modulus, double angle) {
  TwistProblem problem;
  problem.time_step = 0.01;
  BodySpec spec;
  spec.name = "bar";
  spec.mesh = generate_mesh("bar", {{"vertices", static_cast<double>(vertices)}}).mesh;
  spec.material = {kind, young_modulus, 0.45, 0.0, 0.0};
  spec.density = 1000.0;
  ModelBuilder builder;
  builder.gravity({});
  builder.add(std::move(spec));
  const Model model = builder.build();
  const BodyData& data = model.data().bodies[0];

  double half = 0.0;
  for (const Vec3d& x : data.rest_position) half = std::max(half, x.x);
  std::vector<char> pinned;
  for (const Vec3d& x : data.rest_position) pinned.push_back(std::abs(x.x) > (1.0 - 1e-9) * half);
  problem.body = precompute_body(data, pinned, problem.time_step, SolverSettings{}, 0.0);
  for (const Index user : problem.body->to_user) problem.predicted.push_back(data.rest_position[user]);
  problem.first = problem.predicted;
  for (std::size_t i = problem.body->free_count; i < problem.first.size(); ++i) {
    const double turn = problem.first[i].x > 0.0 ? 0.5 * angle : -0.5 * angle;
    problem.first[i] = rotation_from_vector(Vec3d{turn, 0.0, 0.0}) * problem.first[i];
  }
  problem.system = assemble(*problem.body, problem.time_step);
  return problem;
}

}  // namespace sinew::bench
