// Which systems `sinew bench global` solves.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/global_study.hpp"

namespace sinew::bench {

struct GlobalSelection {
  std::vector<std::string> shapes;  ///< of shape_names(); empty: mesh where files are given, else by size
  std::vector<Index> vertices;      ///< of bars, cubes, sheets; empty: by size
  std::string size = "small";       ///< of size_names()
  std::vector<std::string> meshes;  ///< files: tetrahedra, or closed surfaces to be filled
  Index fill_vertices = 5000;       ///< of a surface that is filled
};

const std::vector<std::string>& shape_names();
const std::vector<std::string>& size_names();

/// A system that is made when its turn comes: the large ones do not fit side by side.
struct ProblemSource {
  std::string name;
  std::function<GlobalProblem()> make;
};

/// Files are read here, so that a faulty one is found before anything is measured. Call inside Executor::run.
/// @throws Error for words that are not known, MeshError, IoError.
std::vector<ProblemSource> select_problems(const GlobalSelection& selection);

}  // namespace sinew::bench
