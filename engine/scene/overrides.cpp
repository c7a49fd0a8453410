#include "engine/scene/overrides.hpp"

#include <charconv>
#include <cstddef>

#include "engine/common/text.hpp"

namespace sinew {

namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string entry_name(const JsonNode& entry) {
  const JsonNode* name = entry.find("name");
  return name && name->kind == JsonNode::Kind::text ? name->text : "";
}

/// Entry of a list by name, else by index.
JsonNode& list_entry(JsonNode& list, const std::string& part, const Place& place, const SceneSource& source) {
  std::vector<std::string> names;
  for (JsonNode& item : list.items) {
    const std::string name = entry_name(item);
    if (name == part && !name.empty()) return item;
    if (!name.empty()) names.push_back(name);
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  const bool number = error == std::errc{} && end == part.data() + part.size();
  if (number && index < list.items.size()) return list.items[index];
  const std::string count = std::to_string(list.items.size());
  if (number || names.empty())
    source.fail(place, "there is no entry '" + shown(part) + "'; the list has " + count +
                           (list.items.size() == 1 ? " entry, index 0" : " entries, indices from 0"));
  source.fail(place, "there is no entry named '" + shown(part) + "'" + suggestion(part, names));
}

void apply(JsonNode& root, const std::string& text, int index, const SceneSource& source) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    source.fail({0, index, ""}, "an override is written key.path=value, e.g. simulation.time_step=0.005");
  const std::vector<std::string> parts = split_path(text.substr(0, equals));
  constexpr std::size_t kMaxParts = 16;
  if (parts.size() > kMaxParts)
    source.fail({0, index, ""}, "the path has too many parts; scenes need less than ten");
  JsonNode* node = &root;
  std::string path;
  for (const std::string& part : parts) {
    path = path.empty() ? shown(part) : join_path(path, part);
    const Place place{0, index, path};
    if (part.empty()) source.fail(place, "the path has an empty part; write key.path=value");
    if (node->kind == JsonNode::Kind::list) {
      node = &list_entry(*node, part, place, source);
    } else if (node->kind == JsonNode::Kind::object) {
      JsonNode* member = node->find(part);
      if (!member) {
        JsonNode object;
        object.kind = JsonNode::Kind::object;
        object.override_index = index;
        node->members.push_back({part, 0, std::move(object)});
        member = &node->members.back().value;
      }
      node = member;
    } else {
      source.fail(place, "the path goes through " + shown(*node) + ", which has no parts");
    }
  }
  *node = parse_override_value(text.substr(equals + 1), index);
}

}  // namespace

void apply_overrides(JsonNode& root, const SceneSource& source) {
  if (source.overrides.empty() || root.kind != JsonNode::Kind::object) return;
  for (std::size_t i = 0; i < source.overrides.size(); ++i)
    apply(root, source.overrides[i], static_cast<int>(i), source);
}

}  // namespace sinew
