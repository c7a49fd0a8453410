// Systems A_s for benchmarks of the global step: bars, cubes and sheets of any size, and the meshes whose
// memory was published. Each one is made when asked for: the large ones do not fit side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <sinew/mesh.hpp>

#include "host/cholesky.hpp"

namespace sinew::bench {

/// One assembled system of free nodes.
struct BenchSystem {
  SymmetricMatrix matrix;  ///< A_s [kg]
  std::size_t vertices = 0;
  std::size_t elements = 0;  ///< tetrahedra, or triangles of a sheet
};

/// A free body of tetrahedra, E = 1 MPa, for steps of 10 ms; scale: of its nodes. Call inside Executor::run.
/// @throws MeshError.
BenchSystem body_system(TetMesh mesh, double scale = 1.0);

/// What can be assembled, and what was published about a mesh of that kind and size (0: nothing).
struct BenchProblem {
  std::string name;   ///< "bar 20.8k"
  std::string shape;  ///< of regular_shapes(), or the published name: "raptor"
  double published_vertices = 0.0, published_elements = 0.0;  ///< to 100, as printed
  double published_S_MB = 0.0;                                ///< S = L^-1 of the 3n x 3n system in double
  double published_dense_MB = 0.0;                            ///< A^-1 of the same, dense
  std::function<BenchSystem()> make;  ///< call inside Executor::run; @throws MemoryError
};

/// "bar" (square section, eight times as long as wide), "cube", "sheet" (square, isometric bending).
const std::vector<std::string>& regular_shapes();

/// A regular mesh of about so many vertices (within 3 % from 500 on). @throws Error for an unknown shape or
/// less than 8 vertices.
BenchProblem regular_problem(const std::string& shape, std::size_t vertices);

/// All rows of the published tables, in their order, on meshes of our own with as many vertices (within 3 %).
std::vector<BenchProblem> published_problems();

}  // namespace sinew::bench
