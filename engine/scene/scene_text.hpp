// Scenes as text and as trees: for programs that show a scene's values, change them and write it again.
#pragma once

#include <string>
#include <vector>

#include <sinew/scene.hpp>

#include "engine/scene/json_node.hpp"
#include "engine/scene/mesh_cache.hpp"

namespace sinew {

/// A scene before it is read: what is needed to load it again with other overrides.
struct SceneText {
  std::string text;
  std::string base_folder;  ///< paths in it are relative to this folder
  std::string label;        ///< stands for the file in messages: the path as given
};

/// @throws IoError, SceneError for a file that can be no scene.
SceneText read_scene_text(const std::string& path);

/// The same as load_scene(); cache: see MeshCache, may be null.
Scene load_scene_text(const SceneText& scene, const std::vector<std::string>& overrides, MeshCache* cache);

/// The tree of values with the overrides applied, checked like a scene that is loaded. @throws SceneError.
JsonNode read_scene_tree(const SceneText& scene, const std::vector<std::string>& overrides = {});

/// Mesh files of a tree, in order. Paths are as they stand there.
std::vector<std::string> mesh_files(const JsonNode& tree);

/// Makes relative paths of mesh files in a tree, which count from one folder, count from another.
void move_mesh_files(JsonNode& tree, const std::string& from_folder, const std::string& to_folder);

/// A value on one line of JSON.
std::string write_json_line(const JsonNode& node);

/// JSON that reads back to an equal tree: order kept, short values on one line. Comments are not in the tree.
std::string write_scene_text(const JsonNode& tree);

}  // namespace sinew
