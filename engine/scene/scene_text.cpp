#include "engine/scene/scene_text.hpp"

#include <filesystem>

#include "engine/scene/overrides.hpp"
#include "engine/scene/scene_check.hpp"

namespace sinew {

namespace {

constexpr std::size_t kLineWidth = 100;

/// column: where the value begins; depth: of the line that it stands in.
std::string pretty(const JsonNode& node, std::size_t column, std::size_t depth) {
  const bool list = node.kind == JsonNode::Kind::list;
  const std::size_t count = list ? node.items.size() : node.members.size();
  std::string text = write_json_line(node);
  if (count == 0 || (depth > 0 && column + text.size() < kLineWidth)) return text;
  const std::string indent(2 * (depth + 1), ' ');
  text = list ? "[" : "{";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key = list ? "" : sinew::quoted(node.members[i].key) + ": ";
    const JsonNode& value = list ? node.items[i] : node.members[i].value;
    text += (i > 0 ? ",\n" : "\n") + indent + key;
    text += pretty(value, indent.size() + key.size(), depth + 1);
  }
  return text + "\n" + std::string(2 * depth, ' ') + (list ? "]" : "}");
}

/// In all scene keys, "file" is the path of a mesh; in trees that are checked, nothing else is called so.
template <class Node, class F>
void for_each_file(Node& node, const F& visit) {
  for (auto& item : node.items) for_each_file(item, visit);
  for (auto& member : node.members) {
    if (member.key == "file" && member.value.kind == JsonNode::Kind::text) visit(member.value.text);
    for_each_file(member.value, visit);
  }
}

}  // namespace

JsonNode read_scene_tree(const SceneText& scene, const std::vector<std::string>& overrides) {
  const SceneSource source{scene.label, overrides};
  JsonNode root = parse_json(scene.text, source);
  apply_overrides(root, source);
  check_scene(root, source);
  return root;
}

std::vector<std::string> mesh_files(const JsonNode& tree) {
  std::vector<std::string> files;
  for_each_file(tree, [&](const std::string& file) { files.push_back(file); });
  return files;
}

void move_mesh_files(JsonNode& tree, const std::string& from_folder, const std::string& to_folder) {
  namespace fs = std::filesystem;
  const fs::path to = fs::absolute(to_folder.empty() ? "." : to_folder).lexically_normal();
  for_each_file(tree, [&](std::string& file) {
    if (file.empty() || fs::path(file).is_absolute()) return;
    const fs::path where = fs::absolute(fs::path(from_folder) / file).lexically_normal();
    file = where.lexically_relative(to).generic_string();
  });
}

std::string write_json_line(const JsonNode& node) {
  std::string text;
  switch (node.kind) {
    case JsonNode::Kind::null:
      return "null";
    case JsonNode::Kind::boolean:
      return node.boolean ? "true" : "false";
    case JsonNode::Kind::number:
      return number_text(node.number);
    case JsonNode::Kind::text:
      return sinew::quoted(node.text);
    case JsonNode::Kind::list:
      for (const JsonNode& item : node.items) text += (text.empty() ? "" : ", ") + write_json_line(item);
      return "[" + text + "]";
    case JsonNode::Kind::object:
      for (const JsonNode::Member& member : node.members)
        text += (text.empty() ? "" : ", ") + sinew::quoted(member.key) + ": " + write_json_line(member.value);
      return "{" + text + "}";
  }
  return text;
}

std::string write_scene_text(const JsonNode& tree) {
  return pretty(tree, 0, 0) + "\n";
}

}  // namespace sinew
