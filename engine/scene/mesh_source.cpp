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
  const std::string key = identity(mesh);
  const auto known = loaded_.find(key);
  if (known != loaded_.end()) return known->second;
  return loaded_.emplace(key, mesh.file.empty() ? generated(mesh) : from_file(mesh, warnings)).first->second;
}

const SurfaceMesh& MeshLoader::load_sheet(const MeshSource& mesh, std::vector<std::string>& warnings) {
  const std::string key = identity(mesh);
  const auto known = sheets_.find(key);
  if (known != sheets_.end()) return known->second;
  if (!mesh.file.empty()) return sheets_.emplace(key, sheet_from_file(mesh, warnings)).first->second;
  // Before it is made: what a solid lacks to be made is of no interest here.
  const std::vector<std::string> sheets = generator_names(true);
  if (std::find(sheets.begin(), sheets.end(), mesh.shape) == sheets.end())
    source_.fail(mesh.place,
                 "'" + mesh.shape + "' has tetrahedra; give it as \"mesh\" of the body instead of \"sheet\"");
  return sheets_.emplace(key, made(mesh).surface).first->second;
}

const SurfaceMesh& MeshLoader::load_obstacle(const MeshSource& mesh, std::vector<std::string>& warnings) {
  const std::string key = identity(mesh);
  const auto known = obstacles_.find(key);
  if (known != obstacles_.end()) return known->second;
  if (!mesh.file.empty()) return obstacles_.emplace(key, obstacle_from_file(mesh, warnings)).first->second;
  GeneratedMesh generated = made(mesh);
  SurfaceMesh surface =
      generated.mesh.tets.empty() ? std::move(generated.surface) : boundary_surface(generated.mesh);
  return obstacles_.emplace(key, std::move(surface)).first->second;
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

void MeshLoader::warn(const MeshSource& mesh, const std::string& what,
                      std::vector<std::string>& warnings) const {
  const std::string where = mesh.place.line > 0 ? ":" + std::to_string(mesh.place.line) : "";
  warnings.push_back(source_.label + where + ": " + mesh.file + ": " + one_line(what));
}

MeshFile MeshLoader::read_file(const MeshSource& mesh, std::string& path) const {
  const std::filesystem::path given(mesh.file);
  path = given.is_absolute() ? mesh.file : (std::filesystem::path(base_folder_) / given).string();
  try {
    return read_mesh(path);
  } catch (const MeshError& error) {
    source_.fail(mesh.place, "the mesh cannot be read: " + one_line(error.what()));
  } catch (const IoError& error) {
    source_.fail(mesh.place, one_line(error.what()) + " (paths are relative to the scene's folder)");
  }
}

/// Every remark and repair becomes a warning; what is left to say is what decides which side pushes.
SurfaceMesh MeshLoader::obstacle_from_file(const MeshSource& mesh, std::vector<std::string>& warnings) const {
  std::string path;
  MeshFile file = read_file(mesh, path);
  for (const std::string& note : file.notes) warn(mesh, note, warnings);
  if (file.is_volume()) {
    SurfaceMesh surface = boundary_surface(file.mesh);
    file = {};
    file.surface = std::move(surface);
  }
  if (file.surface.empty())
    source_.fail(mesh.place, mesh.file + " holds no triangles; give a mesh that has some");
  for (const std::string& action : repair_mesh(file, RepairLevel::all_but_holes))
    warn(mesh, action, warnings);
  const MeshReport report = inspect_mesh(file);
  if (file.surface.empty())
    source_.fail(mesh.place, mesh.file + " holds no usable triangle; export it again");
  for (const MeshFault& fault : report.faults) {
    const std::string numbers = fault.numbers.empty() ? "" : " (" + first_numbers(fault.numbers) + ")";
    if (fault.severity == MeshFault::Severity::error)
      source_.fail(mesh.place, mesh.file + " cannot be an obstacle: " + fault.kind + numbers + ": " +
                                   one_line(fault.what) + "; mend it with: " + repair_command(path));
    if (fault.kind == "hole" || fault.kind == "non_manifold_edge" || fault.kind == "not_orientable")
      warn(mesh,
           fault.kind + numbers +
               ": not closed, so both sides of its triangles push and bodies inside stay; " +
               "if it is meant to be solid, mend it with: " + repair_command(path),
           warnings);
  }
  if (!mesh.scale_given && !report.unit_guess.empty())
    warn(mesh, report.unit_guess + " (key mesh.scale; give \"scale\": 1 if metres are right)", warnings);
  for (Vec3d& point : file.surface.points) point *= mesh.scale;
  return std::move(file.surface);
}

/// Faults that a sheet cannot live with are found by the model, with their cure.
SurfaceMesh MeshLoader::sheet_from_file(const MeshSource& mesh, std::vector<std::string>& warnings) const {
  std::string path;
  MeshFile file = read_file(mesh, path);
  if (file.is_volume())
    source_.fail(mesh.place,
                 mesh.file + " holds tetrahedra; give it as \"mesh\" of the body instead of \"sheet\"");
  if (file.surface.empty())
    source_.fail(mesh.place, mesh.file + " holds no triangles; give a mesh that has some");
  for (const std::string& note : file.notes) warn(mesh, note, warnings);
  for (const std::string& action : repair_mesh(file, RepairLevel::harmless)) warn(mesh, action, warnings);
  const MeshReport report = inspect_mesh(file);
  if (!mesh.scale_given && !report.unit_guess.empty())
    warn(mesh, report.unit_guess + " (key mesh.scale; give \"scale\": 1 if metres are right)", warnings);
  for (Vec3d& point : file.surface.points) point *= mesh.scale;
  return std::move(file.surface);
}

TetMesh MeshLoader::from_file(const MeshSource& mesh, std::vector<std::string>& warnings) const {
  std::string path;
  MeshFile file = read_file(mesh, path);
  const auto warn = [&](const std::string& what) { this->warn(mesh, what, warnings); };
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
                     path + " OUT.vtu");

  for (const std::string& note : file.notes) warn(note);
  for (const std::string& action : repair_mesh(file, RepairLevel::harmless)) warn(action);
  const MeshReport report = inspect_mesh(file);
  for (const MeshFault& fault : report.faults) {
    if (fault.severity != MeshFault::Severity::error) continue;
    if (!volume && !prevents_filling(fault)) continue;  // filling it says what it mended
    const std::string numbers = fault.numbers.empty() ? "" : " (" + first_numbers(fault.numbers) + ")";
    source_.fail(mesh.place, mesh.file + " cannot be simulated: " + fault.kind + numbers + ": " +
                                 one_line(fault.what) + "; mend it with: " + repair_command(path));
  }
  if (!mesh.scale_given && !report.unit_guess.empty())
    warn(report.unit_guess + " (key mesh.scale; give \"scale\": 1 if metres are right)");

  if (volume) {
    for (Vec3d& node : file.mesh.nodes) node *= mesh.scale;
    return std::move(file.mesh);
  }
  for (Vec3d& point : file.surface.points) point *= mesh.scale;
  std::vector<std::string> notes;
  try {
    TetMesh filled = tetrahedralize(file.surface, *mesh.tetrahedralize, &notes);
    for (const std::string& note : notes) warn(note);
    return filled;
  } catch (const MeshError& error) {
    source_.fail(mesh.place, mesh.file + " cannot be filled with tetrahedra: " + one_line(error.what()));
  } catch (const MemoryError& error) {
    source_.fail(mesh.place, mesh.file + " cannot be filled with tetrahedra: " + one_line(error.what()));
  }
}

}  // namespace sinew
