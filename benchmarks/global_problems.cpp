#include "benchmarks/global_problems.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>
#include <sinew/mesh_io.hpp>

#include "benchmarks/output.hpp"
#include "benchmarks/problems.hpp"

namespace sinew::bench {

namespace {

constexpr double kLongSide = 0.5;  // [m] that a mesh from a file is scaled to: files know no unit

struct Size {
  const char* name;
  std::vector<Index> vertices;
  bool published;
};
const std::vector<Size>& sizes() {
  static const std::vector<Size> sizes = {{"small", {5000}, false},
                                          {"medium", {5000, 10000, 20000}, true},
                                          {"large", {5000, 10000, 20000, 50000, 100000}, true}};
  return sizes;
}

GlobalProblem problem_of(const BenchProblem& problem) {
  BenchSystem system = problem.make();
  return {problem.name,    problem.shape,          static_cast<Index>(system.vertices),
          system.elements, problem.published_S_MB, std::move(system.matrix)};
}

GlobalProblem problem_of_body(const std::string& name, TetMesh mesh) {
  Vec3d low = mesh.nodes.at(0), high = low;
  for (const Vec3d& x : mesh.nodes) {
    for (int c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], x[c]);
      high[c] = std::max(high[c], x[c]);
    }
  }
  const Vec3d side = high - low;
  BenchSystem system = body_system(std::move(mesh), kLongSide / std::max({side.x, side.y, side.z}));
  return {name, "mesh", static_cast<Index>(system.vertices), system.elements, 0.0, std::move(system.matrix)};
}

GlobalProblem problem_of_file(const std::string& path, Index fill_vertices) {
  MeshFile file = read_mesh(path);
  const std::string name = std::filesystem::path(path).filename().string();
  if (file.is_volume()) {
    repair_mesh(file, RepairLevel::harmless);
    return problem_of_body(name, std::move(file.mesh));
  }
  TetrahedralizeSettings settings;
  settings.vertices = fill_vertices;
  return problem_of_body(name, tetrahedralize(file.surface, settings));
}

}  // namespace

const std::vector<std::string>& shape_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = regular_shapes();
    all.insert(all.end(), {"published", "mesh"});
    return all;
  }();
  return names;
}

const std::vector<std::string>& size_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Size& size : sizes()) all.emplace_back(size.name);
    return all;
  }();
  return names;
}

std::vector<ProblemSource> select_problems(const GlobalSelection& selection) {
  for (const std::string& word : selection.shapes) require_known("--shape", word, shape_names());
  require_known("--size", selection.size, size_names());
  require_range("--fill-vertices", selection.fill_vertices, TetrahedralizeSettings::kLeastVertices,
                TetrahedralizeSettings::kMostVertices);
  const Size* size = &sizes().front();
  for (const Size& s : sizes())
    if (s.name == selection.size) size = &s;
  const auto wanted = [&](const std::string& shape, bool by_default) {
    if (selection.shapes.empty()) return by_default;
    return std::find(selection.shapes.begin(), selection.shapes.end(), shape) != selection.shapes.end();
  };
  const bool files_only = !selection.meshes.empty();

  std::vector<BenchProblem> problems;
  for (const std::string& shape : regular_shapes())
    for (const Index v : selection.vertices.empty() ? size->vertices : selection.vertices) {
      require_range("--vertices", v, 8, 2'000'000);
      if (wanted(shape, !files_only)) problems.push_back(regular_problem(shape, static_cast<std::size_t>(v)));
    }
  if (wanted("published", !files_only && size->published))
    for (BenchProblem& problem : published_problems()) problems.push_back(std::move(problem));

  std::vector<ProblemSource> sources;
  for (BenchProblem& problem : problems) {
    const std::string name = problem.name;
    sources.push_back({name, [problem = std::move(problem)] { return problem_of(problem); }});
  }
  if (wanted("mesh", files_only) && !files_only)
    throw Error("--shape mesh: no file is given; add --mesh FILE");
  for (const std::string& path : selection.meshes) {
    auto problem = std::make_shared<GlobalProblem>(problem_of_file(path, selection.fill_vertices));
    sources.push_back({problem->name, [problem] { return *problem; }});
  }
  return sources;
}

}  // namespace sinew::bench
