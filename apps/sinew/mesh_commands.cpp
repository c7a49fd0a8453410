#include "apps/sinew/mesh_commands.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>
#include <sinew/mesh_io.hpp>

#include "engine/export/json_writer.hpp"

namespace sinew {

namespace {

constexpr std::size_t kNumbersShown = 12;

std::string json_of(const std::string& path, const MeshFile& file, const MeshReport& report) {
  static constexpr const char* kSeverity[] = {"note", "harmless", "error"};
  JsonWriter json;
  json.begin_object();
  json.text("file", path);
  json.text("format", report.format);
  json.text("verdict", report.sound() ? "sound" : report.simulable() ? "usable" : "not usable");
  json.boolean("sound", report.sound());
  json.boolean("simulable", report.simulable());
  json.text("kind", report.volume ? "volume" : "surface");
  const auto count = [&](const char* key, std::size_t value) {
    json.integer(key, static_cast<long long>(value));
  };
  count("nodes", report.nodes);
  count("elements", report.elements);
  count("triangles", report.triangles);
  count("components", report.components);
  count("holes", report.holes);
  json.boolean("closed", report.closed);
  json.number("volume", report.total_volume);
  json.vector("box_min", report.box_min);
  json.vector("box_max", report.box_max);
  if (report.volume) {
    json.number("min_dihedral_deg", report.min_dihedral_deg);
    json.number("max_dihedral_deg", report.max_dihedral_deg);
  }
  json.begin_array("quality_histogram");
  for (const std::size_t bin : report.quality_histogram) count("", bin);
  json.end_array();
  json.text("unit_guess", report.unit_guess);
  json.begin_array("faults");
  for (const MeshFault& fault : report.faults) {
    json.begin_object();
    json.text("kind", fault.kind);
    json.text("severity", kSeverity[static_cast<int>(fault.severity)]);
    json.text("what", fault.what);
    json.begin_array("numbers");
    for (const long number : fault.numbers) json.integer("", number);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.begin_array("notes");
  for (const std::string& note : file.notes) json.text("", note);
  json.end_array();
  json.end_object();
  return json.str();
}

void print_lines(const char* label, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::printf("%-16s%s\n", label, line.c_str());
}

std::string surface_path(const std::string& path) {
  const std::filesystem::path out(path);
  return (out.parent_path() / (out.stem().string() + "_surface.ply")).string();
}

// Before any work, so that no time is lost on tetrahedra which the file cannot hold.
void require_volume_format(const std::string& path) {
  if (!keeps_tetrahedra(path))
    throw MeshError(path + ": " + std::filesystem::path(path).extension().string() +
                    " files hold surfaces only; write .vtu, .msh or .mesh");
}

// Writes tetrahedra; an embedded surface also goes to a file of its own, which any viewer shows.
void write_volume(const std::string& path, const TetMesh& mesh) {
  write_mesh(path, mesh);
  if (!keeps_tetrahedra(path)) {
    const std::size_t triangles =
        mesh.surface.empty() ? boundary_triangles(mesh).size() : mesh.surface.triangles.size();
    std::printf("wrote %s: surface only, %zu triangles; .vtu, .msh or .mesh would keep the %zu tetrahedra\n",
                path.c_str(), triangles, mesh.tets.size());
    return;
  }
  std::printf("wrote %s: %zu nodes, %zu tetrahedra\n", path.c_str(), mesh.nodes.size(), mesh.tets.size());
  const std::string extension = std::filesystem::path(path).extension().string();
  if (mesh.surface.empty() || (extension != ".vtu" && extension != ".msh" && extension != ".mesh")) return;
  const SurfaceMesh surface{embedded_points(mesh, mesh.nodes), mesh.surface.triangles};
  write_mesh(surface_path(path), surface);
  std::printf(
      "wrote %s: its embedded surface, %zu triangles%s\n", surface_path(path).c_str(),
      surface.triangles.size(),
      extension == ".vtu" ? " (also kept inside the .vtu)" : "; only .vtu keeps it inside the mesh file");
}

void write_any(const std::string& path, const MeshFile& file) {
  if (file.is_volume()) return write_volume(path, file.mesh);
  write_mesh(path, file.surface);
  std::printf("wrote %s: %zu points, %zu triangles\n", path.c_str(), file.surface.points.size(),
              file.surface.triangles.size());
}

void check_scale(double scale) {
  if (!std::isfinite(scale) || scale <= 0.0)
    throw MeshError("--scale: " + std::to_string(scale) +
                    " is not a positive number; use e.g. 0.001 for millimetres");
}

void scale_points(std::vector<Vec3d>& points, double scale) {
  for (Vec3d& p : points) p *= scale;
}

// Whether mending is worth recommending: some fault is gone, or touches fewer elements or nodes.
bool some_fault_shrinks(const MeshReport& before, const MeshReport& after) {
  return std::any_of(before.faults.begin(), before.faults.end(), [&](const MeshFault& fault) {
    if (fault.severity == MeshFault::Severity::note) return false;
    const auto left = std::find_if(after.faults.begin(), after.faults.end(),
                                   [&](const MeshFault& f) { return f.kind == fault.kind; });
    return left == after.faults.end() || left->numbers.size() < fault.numbers.size();
  });
}

void info(const std::string& path, bool as_json, bool all, int& exit_status) {
  const MeshFile file = read_mesh(path);
  const MeshReport report = inspect_mesh(file);
  exit_status = report.sound() ? 0 : 1;
  if (as_json) {
    std::printf("%s\n", json_of(path, file, report).c_str());
    return;
  }
  std::printf("%-16s%s\n%s", "file", path.c_str(),
              to_text(report, all ? std::size_t(-1) : kNumbersShown).c_str());
  print_lines("reading", file.notes);
  if (report.sound()) return;
  MeshFile trial = file;
  repair_mesh(trial, RepairLevel::all);
  const MeshReport mended = inspect_mesh(trial);
  if (mended.elements == 0)
    std::printf("%-16s%s\n", "to mend", "nothing would be left after mending; export the mesh again");
  else if (some_fault_shrinks(report, mended))
    std::printf("%-16s%s\n", "to mend", repair_command(path).c_str());
}

void repair(const std::string& in, const std::string& out) {
  MeshFile file = read_mesh(in);
  const std::vector<std::string> done = repair_mesh(file, RepairLevel::all);
  if (done.empty())
    std::printf("nothing to mend\n");
  else
    for (const std::string& line : done) std::printf("%s\n", line.c_str());
  const MeshReport after = inspect_mesh(file);
  for (const MeshFault& fault : after.faults)
    if (fault.severity == MeshFault::Severity::error)
      std::printf("left: %s: %zu; %s\n", fault.kind.c_str(), fault.numbers.size(), fault.what.c_str());
  if (after.elements == 0) throw MeshError(in + ": no element is left after mending; export the mesh again");
  write_any(out, file);
}

void convert(const std::string& in, const std::string& out, double scale) {
  check_scale(scale);
  MeshFile file = read_mesh(in);
  scale_points(file.mesh.nodes, scale);
  scale_points(file.surface.points, scale);
  for (const std::string& note : file.notes) std::printf("%s\n", note.c_str());
  write_any(out, file);
}

double checked_cell(double cell, const char* unit) {
  if (!std::isfinite(cell) || cell <= 0.0) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", cell);
    throw MeshError(std::string("--cell ") + text + ": give a positive length [" + unit + "], or --vertices");
  }
  return cell;
}

void list_generators() {
  for (const GeneratorInfo& shape : mesh_generators()) {
    std::printf("%s: %s%s\n", shape.name.c_str(), shape.what.c_str(),
                shape.surface_only ? " (surface only: to export, not to simulate)" : "");
    for (const GeneratorParameter& p : shape.parameters)
      std::printf("  %-20s default %g [%s], %g to %g: %s\n", p.name.c_str(), p.default_value, p.unit.c_str(),
                  p.min_value, p.max_value, p.what.c_str());
  }
}

struct GenerateOptions {
  std::string shape, out;
  std::optional<double> vertices, cell;
  std::vector<std::string> set;
  bool list = false;
};

void generate(const GenerateOptions& options) {
  if (options.list) return list_generators();
  if (options.shape.empty() || options.out.empty())
    throw MeshError("mesh generate: a shape and an output file are needed; --list shows the shapes");
  std::map<std::string, double> parameters;
  for (const std::string& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    double value = 0.0;
    const char* end = assignment.data() + assignment.size();
    const char* begin = equals == std::string::npos ? end : assignment.data() + equals + 1;
    const auto result = std::from_chars(begin, end, value);
    if (begin == end || result.ec != std::errc() || result.ptr != end)
      throw MeshError("--set: '" + assignment + "' is not of the form name=number; e.g. --set radius=0.05");
    parameters[assignment.substr(0, equals)] = value;
  }
  if (options.vertices) parameters["vertices"] = *options.vertices;
  if (options.cell) parameters["cell"] = checked_cell(*options.cell, "m");
  for (const GeneratorInfo& shape : mesh_generators())
    if (shape.name == options.shape && !shape.surface_only) require_volume_format(options.out);
  const GeneratedMesh generated = generate_mesh(options.shape, parameters);
  if (!generated.mesh.tets.empty()) return write_volume(options.out, generated.mesh);
  write_mesh(options.out, generated.surface);
  std::printf("wrote %s: %zu points, %zu triangles\n", options.out.c_str(), generated.surface.points.size(),
              generated.surface.triangles.size());
}

struct TetrahedralizeOptions {
  std::string in, out;
  std::optional<long> vertices;
  std::optional<double> cell;
  double scale = 1.0;
  bool conforming = false;
};

// Elements that name missing nodes would be read past the end of the points.
bool unreadable(const MeshFault& fault) {
  return fault.kind == "out_of_range" || fault.kind == "not_finite";
}

void tetrahedralize_file(const TetrahedralizeOptions& options) {
  check_scale(options.scale);
  TetrahedralizeSettings settings;
  if (options.vertices) {
    if (*options.vertices < settings.kLeastVertices || *options.vertices > settings.kMostVertices)
      throw MeshError("--vertices " + std::to_string(*options.vertices) + ": give a number from " +
                      std::to_string(settings.kLeastVertices) + " to " +
                      std::to_string(settings.kMostVertices));
    settings.vertices = static_cast<Index>(*options.vertices);
  }
  if (options.cell) settings.cell = checked_cell(*options.cell, "unit of the scaled surface");
  require_volume_format(options.out);
  const MeshFile file = read_mesh(options.in);
  for (const MeshFault& fault : inspect_mesh(file).faults)
    if (file.is_volume() ? unreadable(fault) : prevents_filling(fault))
      throw MeshError(options.in + ": " + fault.what + "; mend it first: " + repair_command(options.in));
  SurfaceMesh surface = file.surface;
  if (file.is_volume()) {
    surface.points =
        file.mesh.surface.empty() ? file.mesh.nodes : embedded_points(file.mesh, file.mesh.nodes);
    surface.triangles =
        file.mesh.surface.empty() ? boundary_triangles(file.mesh) : file.mesh.surface.triangles;
  }
  scale_points(surface.points, options.scale);
  settings.embed = !options.conforming;
  std::vector<std::string> notes;
  const TetMesh mesh = tetrahedralize(surface, settings, &notes);
  for (const std::string& note : notes) std::printf("%s\n", note.c_str());
  write_volume(options.out, mesh);
}

}  // namespace

void add_mesh_commands(CLI::App& app, int& exit_status) {
  CLI::App* mesh = app.add_subcommand("mesh", "inspect, mend, convert and make meshes");
  mesh->require_subcommand(1);
  mesh->footer("Formats:\n" + mesh_format_table());

  struct FileOptions {
    std::string in, out;
    bool json = false, all = false;
    double scale = 1.0;
  };
  {
    const auto options = std::make_shared<FileOptions>();
    CLI::App* command =
        mesh->add_subcommand("info", "verdict, figures and faults; exit status 1 where there are faults");
    command->add_option("file", options->in, "mesh")->required();
    command->add_flag("--json", options->json, "as JSON, with all numbers");
    command->add_flag("--all", options->all, "list all numbers of faulty elements");
    command->callback(
        [options, &exit_status] { info(options->in, options->json, options->all, exit_status); });
  }
  {
    const auto options = std::make_shared<FileOptions>();
    CLI::App* command = mesh->add_subcommand("repair", "mend what can be mended and say what was done");
    command->add_option("in", options->in, "mesh")->required();
    command->add_option("out", options->out, "mended mesh")->required();
    command->callback([options] { repair(options->in, options->out); });
  }
  {
    const auto options = std::make_shared<FileOptions>();
    CLI::App* command = mesh->add_subcommand("convert", "write in the format of the new extension");
    command->add_option("in", options->in, "mesh")->required();
    command->add_option("out", options->out, "converted mesh")->required();
    command->add_option("--scale", options->scale, "factor on all coordinates, e.g. 0.001 for millimetres");
    command->callback([options] { convert(options->in, options->out, options->scale); });
  }
  {
    const auto options = std::make_shared<GenerateOptions>();
    CLI::App* command = mesh->add_subcommand("generate", "make one of the built-in shapes");
    command->add_option("shape", options->shape, "name of the shape; --list shows all");
    command->add_option("out", options->out, "mesh to write");
    auto* vertices = command->add_option("--vertices", options->vertices,
                                         "target number of nodes (default: the shape's, see --list)");
    command->add_option("--cell", options->cell, "edge length of the lattice [m]")->excludes(vertices);
    command->add_option("--set", options->set, "name=value, a parameter of the shape");
    command->add_flag("--list", options->list, "shapes and their parameters");
    command->callback([options] { generate(*options); });
  }
  {
    const auto options = std::make_shared<TetrahedralizeOptions>();
    CLI::App* command = mesh->add_subcommand("tetrahedralize", "fill a closed or nearly closed surface");
    command->add_option("in", options->in, "surface")->required();
    command->add_option("out", options->out, "tetrahedral mesh")->required();
    using Settings = TetrahedralizeSettings;
    auto* vertices =
        command->add_option("--vertices", options->vertices,
                            "target number of nodes, " + std::to_string(Settings::kLeastVertices) + " to " +
                                std::to_string(Settings::kMostVertices) + " (default " +
                                std::to_string(Settings().vertices) + ")");
    command->add_option("--cell", options->cell, "edge length of the lattice [unit after scaling]")
        ->excludes(vertices);
    command->add_flag("--conforming", options->conforming,
                      "let the mesh end at the surface instead of embedding it");
    command->add_option("--scale", options->scale, "factor on all coordinates, e.g. 0.001 for millimetres");
    command->callback([options] { tetrahedralize_file(*options); });
  }
}

}  // namespace sinew
