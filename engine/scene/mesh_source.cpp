#include "engine/scene/mesh_source.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>
#include <sinew/mesh_io.hpp>

#include "engine/scene/scene_keys.hpp"

namespace sinew {

namespace {

std::string identity(const MeshSource& mesh) {
  std::string key = mesh.shape + "\n" + mesh.file + "\n" + number_text(mesh.scale);
  for (const auto& [name, value] : mesh.parameters) key += "\n" + name + "=" + number_text(value);
  if (mesh.tetrahedralize) {
    const TetrahedralizeSettings& t = *mesh.tetrahedralize;
    key += "\n" + number_text(t.cell) + " " + std::to_string(t.vertices) + " " + (t.embed ? "e " : "s ") +
           number_text(t.winding_threshold);
  }
  return key;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string first_numbers(const std::vector<long>& numbers) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMost); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  if (numbers.size() > kMost) text += " and " + std::to_string(numbers.size() - kMost) + " more";
  return text;
}

/// Boundary with its own numbering.
SurfaceMesh boundary_surface(const TetMesh& mesh) {
  SurfaceMesh surface{{}, boundary_triangles(mesh)};
  std::vector<Index> number(mesh.nodes.size(), -1);
  for (Triangle& triangle : surface.triangles)
    for (Index& node : triangle) {
      Index& n = number[node];
      if (n < 0) {
        n = static_cast<Index>(surface.points.size());
        surface.points.push_back(mesh.nodes[node]);
      }
      node = n;
    }
  return surface;
}

}  // namespace

const TetMesh& MeshLoader::load(const MeshSource& mesh, std::vector<std::string>& warnings) {
  return loaded(mesh, Use::solid, warnings).solid;
}

const SurfaceMesh& MeshLoader::load_sheet(const MeshSource& mesh, std::vector<std::string>& warnings) {
  return loaded(mesh, Use::sheet, warnings).surface;
}

const SurfaceMesh& MeshLoader::load_obstacle(const MeshSource& mesh, std::vector<std::string>& warnings) {
  return loaded(mesh, Use::obstacle, warnings).surface;
}

const LoadedMesh& MeshLoader::loaded(const MeshSource& mesh, Use use, std::vector<std::string>& warnings) {
  std::string key = std::to_string(static_cast<int>(use)) + "\n" + identity(mesh);
  if (cache_ && !mesh.file.empty()) key += "\n" + file_stamp(path_of(mesh));
  const auto known = used_.find(key);
  if (known != used_.end()) return *known->second;
  std::shared_ptr<const LoadedMesh> result = cache_ ? cache_->find(key) : nullptr;
  if (!result) {
    result = std::make_shared<const LoadedMesh>(make(mesh, use));
    if (cache_) cache_->keep(key, result);
  }
  const std::string where = mesh.place.line > 0 ? ":" + std::to_string(mesh.place.line) : "";
  for (const std::string& note : result->notes)
    warnings.push_back(source_.label + where + ": " + mesh.file + ": " + one_line(note));
  return *used_.emplace(key, std::move(result)).first->second;
}

LoadedMesh MeshLoader::make(const MeshSource& mesh, Use use) const {
  LoadedMesh result;
  const bool file = !mesh.file.empty();
  if (use == Use::solid)
    result.solid = file ? from_file(mesh, result.notes) : generated(mesh);
  else if (use == Use::sheet)
    result.surface = file ? sheet_from_file(mesh, result.notes) : generated_sheet(mesh);
  else
    result.surface = file ? obstacle_from_file(mesh, result.notes) : generated_obstacle(mesh);
  return result;
}

std::string MeshLoader::path_of(const MeshSource& mesh) const {
  const std::filesystem::path given(mesh.file);
  return given.is_absolute() ? mesh.file : (std::filesystem::path(base_folder_) / given).string();
}

SurfaceMesh MeshLoader::generated_sheet(const MeshSource& mesh) const {
  // Before it is made: what a solid lacks to be made is of no interest here.
  const std::vector<std::string> sheets = generator_names(true);
  if (std::find(sheets.begin(), sheets.end(), mesh.shape) == sheets.end())
    source_.fail(mesh.place,
                 "'" + mesh.shape + "' has tetrahedra; give it as \"mesh\" of the body instead of \"sheet\"");
  return made(mesh).surface;
}

SurfaceMesh MeshLoader::generated_obstacle(const MeshSource& mesh) const {
  GeneratedMesh generated = made(mesh);
  return generated.mesh.tets.empty() ? std::move(generated.surface) : boundary_surface(generated.mesh);
}

GeneratedMesh MeshLoader::made(const MeshSource& mesh) const {
  try {
    return generate_mesh(mesh.shape, mesh.parameters);
  } catch (const MeshError& error) {
    source_.fail(mesh.place, one_line(error.what()));
  } catch (const MemoryError& error) {
    source_.fail(mesh.place, one_line(error.what()));
  }
}

TetMesh MeshLoader::generated(const MeshSource& mesh) const {
  GeneratedMesh generated = made(mesh);
  if (generated.mesh.tets.empty())
    source_.fail(mesh.place, "'" + mesh.shape +
                                 "' is a surface without tetrahedra; give it as \"sheet\": {\"mesh\": ...} "
                                 "of the body, or choose another shape");
  return std::move(generated.mesh);
}

MeshFile MeshLoader::read_file(const MeshSource& mesh) const {
  try {
    return read_mesh(path_of(mesh));
  } catch (const MeshError& error) {
    source_.fail(mesh.place, "the mesh cannot be read: " + one_line(error.what()));
  } catch (const IoError& error) {
    source_.fail(mesh.place, one_line(error.what()) + " (paths are relative to the scene's folder)");
  }
}

/// Every remark and repair becomes a warning; what is left to say is what decides which side pushes.
SurfaceMesh MeshLoader::obstacle_from_file(const MeshSource& mesh, std::vector<std::string>& notes) const {
  MeshFile file = read_file(mesh);
  notes = file.notes;
  if (file.is_volume()) {
    SurfaceMesh surface = boundary_surface(file.mesh);
    file = {};
    file.surface = std::move(surface);
  }
  if (file.surface.empty())
    source_.fail(mesh.place, mesh.file + " holds no triangles; give a mesh that has some");
  for (const std::string& action : repair_mesh(file, RepairLevel::all_but_holes)) notes.push_back(action);
  const MeshReport report = inspect_mesh(file);
  if (file.surface.empty())
    source_.fail(mesh.place, mesh.file + " holds no usable triangle; export it again");
  for (const MeshFault& fault : report.faults) {
    const std::string numbers = fault.numbers.empty() ? "" : " (" + first_numbers(fault.numbers) + ")";
    if (fault.severity == MeshFault::Severity::error)
      source_.fail(mesh.place, mesh.file + " cannot be an obstacle: " + fault.kind + numbers + ": " +
                                   one_line(fault.what) + "; mend it with: " + repair_command(path_of(mesh)));
    if (fault.kind == "hole" || fault.kind == "non_manifold_edge" || fault.kind == "not_orientable")
      notes.push_back(fault.kind + numbers +
                      ": not closed, so both sides of its triangles push and bodies inside stay; " +
                      "if it is meant to be solid, mend it with: " + repair_command(path_of(mesh)));
  }
  if (!mesh.scale_given && !report.unit_guess.empty())
    notes.push_back(report.unit_guess + " (key mesh.scale; give \"scale\": 1 if metres are right)");
  for (Vec3d& point : file.surface.points) point *= mesh.scale;
  return std::move(file.surface);
}

/// Faults that a sheet cannot live with are found by the model, with their cure.
SurfaceMesh MeshLoader::sheet_from_file(const MeshSource& mesh, std::vector<std::string>& notes) const {
  MeshFile file = read_file(mesh);
  if (file.is_volume())
    source_.fail(mesh.place,
                 mesh.file + " holds tetrahedra; give it as \"mesh\" of the body instead of \"sheet\"");
  if (file.surface.empty())
    source_.fail(mesh.place, mesh.file + " holds no triangles; give a mesh that has some");
  notes = file.notes;
  for (const std::string& action : repair_mesh(file, RepairLevel::harmless)) notes.push_back(action);
  const MeshReport report = inspect_mesh(file);
  if (!mesh.scale_given && !report.unit_guess.empty())
    notes.push_back(report.unit_guess + " (key mesh.scale; give \"scale\": 1 if metres are right)");
  for (Vec3d& point : file.surface.points) point *= mesh.scale;
  return std::move(file.surface);
}

TetMesh MeshLoader::from_file(const MeshSource& mesh, std::vector<std::string>& notes) const {
  MeshFile file = read_file(mesh);
  const bool volume = file.is_volume();
  if (volume && mesh.tetrahedralize)
    source_.fail(mesh.place, mesh.file + " already holds tetrahedra; remove the key 'tetrahedralize'");
  if (!volume && file.surface.empty())
    source_.fail(mesh.place,
                 mesh.file + " holds neither tetrahedra nor triangles; give a mesh of one of them");
  if (!volume && !mesh.tetrahedralize)
    source_.fail(mesh.place,
                 mesh.file +
                     " is a surface, and bodies need tetrahedra; add \"tetrahedralize\": {} beside "
                     "\"file\", or run: sinew mesh tetrahedralize " +
                     path_of(mesh) + " OUT.vtu");

  notes = file.notes;
  for (const std::string& action : repair_mesh(file, RepairLevel::harmless)) notes.push_back(action);
  const MeshReport report = inspect_mesh(file);
  for (const MeshFault& fault : report.faults) {
    if (fault.severity != MeshFault::Severity::error) continue;
    if (!volume && !prevents_filling(fault)) continue;  // filling it says what it mended
    const std::string numbers = fault.numbers.empty() ? "" : " (" + first_numbers(fault.numbers) + ")";
    source_.fail(mesh.place, mesh.file + " cannot be simulated: " + fault.kind + numbers + ": " +
                                 one_line(fault.what) + "; mend it with: " + repair_command(path_of(mesh)));
  }
  if (!mesh.scale_given && !report.unit_guess.empty())
    notes.push_back(report.unit_guess + " (key mesh.scale; give \"scale\": 1 if metres are right)");

  if (volume) {
    for (Vec3d& node : file.mesh.nodes) node *= mesh.scale;
    return std::move(file.mesh);
  }
  for (Vec3d& point : file.surface.points) point *= mesh.scale;
  try {
    return tetrahedralize(file.surface, *mesh.tetrahedralize, &notes);
  } catch (const MeshError& error) {
    source_.fail(mesh.place, mesh.file + " cannot be filled with tetrahedra: " + one_line(error.what()));
  } catch (const MemoryError& error) {
    source_.fail(mesh.place, mesh.file + " cannot be filled with tetrahedra: " + one_line(error.what()));
  }
}

}  // namespace sinew
