// Scene files: JSON with comments, checked against one table of keys that also gives the schema and the
// documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sinew/model.hpp>
#include <sinew/simulation.hpp>

namespace sinew {

/// How a picture is taken. All optional: the renderer frames the scene by itself.
struct CameraSpec {
  std::optional<Vec3d> eye;     ///< [m]
  std::optional<Vec3d> target;  ///< [m]
  double vertical_fov_deg = 35.0;
  std::optional<Vec3d> direction;  ///< view direction used for automatic framing
};

/// What a run of the scene makes by default; the command line overrides.
struct OutputSpec {
  long frames = 300;
  int export_every = 4;           ///< frames between exported meshes and pictures
  int width = 960, height = 540;  ///< [pixel]
  CameraSpec camera;
};

struct Scene {
  std::string path;  ///< as given
  std::string name;
  Model model;
  SimulationSettings settings;
  OutputSpec output;
  std::vector<std::string> warnings;
};

/// Reads a scene; paths in it are relative to its folder. overrides: "key.path=value" as of --set,
/// e.g. "simulation.time_step=0.005" or "bodies.0.friction=0.2" (value: JSON, or a bare string).
/// @throws SceneError (file, line, key), MeshError, ModelError, IoError.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same from text; base_folder resolves relative paths, label stands for the file in messages.
Scene load_scene_text(const std::string& text, const std::string& base_folder, const std::string& label,
                      const std::vector<std::string>& overrides = {});

std::string scene_json_schema();    ///< JSON Schema (draft 2020-12), with units
std::string scene_documentation();  ///< Markdown, the content of docs/scene.md

}  // namespace sinew
