#include "engine/scene/scene_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/common/text.hpp"

namespace sinew {

namespace {

using Kind = ValueForm::Kind;

class Checker {
 public:
  explicit Checker(const SceneSource& source) : source_(source) {}

  void object(const JsonNode& node, const ObjectType& type, const std::string& path) const {
    if (type.has_generator_parameters && node.find("generate")) {
      generated_mesh(node, type, path);
      return;
    }
    members(node, type.keys, path);
    for (const KeyChoice& choice : type.choices) choose(node, type, choice, path);
    for (const Key& key : type.keys)
      if (key.required && !node.find(key.name)) missing(node, key, path);
  }

 private:
  void members(const JsonNode& node, const std::vector<Key>& keys, const std::string& path) const {
    for (const JsonNode::Member& member : node.members) {
      const auto key =
          std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == member.key; });
      if (key == keys.end()) unknown(member, keys, path);
      value(member.value, *key, join_path(path, member.key));
    }
  }

  [[noreturn]] void unknown(const JsonNode::Member& member, const std::vector<Key>& keys,
                            const std::string& path) const {
    std::vector<std::string> names;
    for (const Key& key : keys) names.push_back(key.name);
    const Place place{member.key_line, member.value.override_index, join_path(path, member.key)};
    if (names.empty())
      source_.fail(place, "unknown key '" + shown(member.key) + "'; this object has no keys");
    for (const Key& key : keys)
      for (const ValueForm& form : key.forms)
        if (form.kind == Kind::object && form.object->find(member.key))
          source_.fail(place, "unknown key '" + shown(member.key) + "'; it is a key of '" + key.name +
                                  "': write \"" + key.name + "\": {\"" + member.key + "\": ...}");
    source_.fail(place, "unknown key '" + shown(member.key) + "'" + suggestion(member.key, names));
  }

  [[noreturn]] void missing(const JsonNode& node, const Key& key, const std::string& path) const {
    source_.fail(place_of(node, path), "the key '" + key.name + "' is missing; add it: " + form_text(key));
  }

  void choose(const JsonNode& node, const ObjectType& type, const KeyChoice& choice,
              const std::string& path) const {
    const JsonNode::Member* first = nullptr;
    std::string names;
    for (const std::string& key : choice.keys) names += (names.empty() ? "'" : ", '") + key + "'";
    for (const JsonNode::Member& member : node.members) {
      if (std::find(choice.keys.begin(), choice.keys.end(), member.key) == choice.keys.end()) continue;
      if (first)
        source_.fail({member.key_line, member.value.override_index, join_path(path, member.key)},
                     "does not go together with '" + first->key + "'; keep one of " + names);
      first = &member;
    }
    if (!first && choice.needs_one) {
      std::string text = "the " + type.name + " has none of " + names;
      if (choice.keys.size() == 2)
        text = "the " + type.name + " has neither '" + choice.keys[0] + "' nor '" + choice.keys[1] + "'";
      source_.fail(place_of(node, path), text + "; add one");
    }
  }

  /// The keys of a generated mesh depend on the shape, so the shape is looked at first.
  void generated_mesh(const JsonNode& node, const ObjectType& type, const std::string& path) const {
    for (const KeyChoice& choice : type.choices) choose(node, type, choice, path);
    const JsonNode& shape = *node.find("generate");
    const std::string shape_path = join_path(path, "generate");
    value(shape, *type.find("generate"), shape_path);
    const std::vector<Key> keys = generator_keys(shape.text, type);
    if (keys.empty())
      source_.fail(place_of(shape, shape_path), "unknown shape '" + shown(shape.text) + "'" +
                                                    suggestion(shape.text, generator_names(type)));
    members(node, keys, path);
  }

  void value(const JsonNode& node, const Key& key, const std::string& path) const {
    for (const ValueForm& form : key.forms) {
      if (!fits(node, form.kind)) continue;
      if (form.kind == Kind::object) return object(node, *form.object, path);
      if (form.kind == Kind::object_list) return objects(node, *form.object, path);
      if (form.kind == Kind::text) return text(node, key, path);
      return numbers(node, key, form.kind, path);
    }
    std::string hint;
    const bool wants_number = std::any_of(key.forms.begin(), key.forms.end(), [](const ValueForm& f) {
      return f.kind == Kind::number || f.kind == Kind::integer;
    });
    if (wants_number && node.kind == JsonNode::Kind::text && is_number(node.text))
      hint = "; remove the quotes";
    source_.fail(place_of(node, path), "expected " + form_text(key) + ", found " + shown(node) + hint);
  }

  static bool is_number(const std::string& text) {
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0';
  }

  static bool fits(const JsonNode& node, Kind kind) {
    switch (kind) {
      case Kind::boolean:
        return node.kind == JsonNode::Kind::boolean;
      case Kind::integer:
      case Kind::number:
        return node.kind == JsonNode::Kind::number;
      case Kind::text:
        return node.kind == JsonNode::Kind::text;
      case Kind::object:
        return node.kind == JsonNode::Kind::object;
      default:
        return node.kind == JsonNode::Kind::list;
    }
  }

  void objects(const JsonNode& node, const ObjectType& type, const std::string& path) const {
    if (node.items.empty() && type.needs_entries)
      source_.fail(place_of(node, path), "is empty; it needs at least one " + type.name);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::string item_path = path + "." + std::to_string(i);
      const JsonNode& item = node.items[i];
      if (item.kind != JsonNode::Kind::object)
        source_.fail(place_of(item, item_path), "expected an object { ... }, found " + shown(item));
      object(item, type, item_path);
    }
  }

  void text(const JsonNode& node, const Key& key, const std::string& path) const {
    if (key.required && node.text.empty()) source_.fail(place_of(node, path), "is empty; give a text");
    if (key.choices.empty()) return;
    if (std::find(key.choices.begin(), key.choices.end(), node.text) == key.choices.end())
      source_.fail(place_of(node, path),
                   "unknown value '" + shown(node.text) + "'" + suggestion(node.text, key.choices));
  }

  void numbers(const JsonNode& node, const Key& key, Kind kind, const std::string& path) const {
    if (kind == Kind::boolean) return;
    if (row_length(kind) > 0) return rows(node, key, kind, path);
    if (node.kind == JsonNode::Kind::number) return number(node, key, kind == Kind::integer, path);
    const std::size_t length = kind == Kind::vector3 ? 3 : kind == Kind::integer_pair ? 2 : node.items.size();
    const std::string unit = key.unit_name.empty() || key.unit_name == "1" ? "" : " in " + key.unit_name;
    if (node.items.size() != length)
      source_.fail(place_of(node, path), "has " + std::to_string(node.items.size()) + " entries; give " +
                                             std::to_string(length) + " numbers" + unit);
    if (length == 0) source_.fail(place_of(node, path), "is empty; give at least one number");
    for (std::size_t i = 0; i < length; ++i) {
      const JsonNode& item = node.items[i];
      const std::string item_path = path + "." + std::to_string(i);
      if (item.kind != JsonNode::Kind::number)
        source_.fail(place_of(item, item_path), "expected a number" + unit + ", found " + shown(item));
      number(item, key, kind != Kind::vector3, item_path);
    }
  }

  void rows(const JsonNode& node, const Key& key, Kind kind, const std::string& path) const {
    if (node.items.empty()) source_.fail(place_of(node, path), "is empty; give at least one entry");
    const Kind row = kind == Kind::integer_pair_list ? Kind::integer_pair : Kind::vector3;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const JsonNode& item = node.items[i];
      const std::string item_path = path + "." + std::to_string(i);
      if (item.kind != JsonNode::Kind::list)
        source_.fail(place_of(item, item_path), "expected a list of " + std::to_string(row_length(kind)) +
                                                    " numbers, found " + shown(item));
      numbers(item, key, row, item_path);
      for (std::size_t k = 0; kind == Kind::integer_triple_list && k < item.items.size(); ++k)
        number(item.items[k], key, true, item_path + "." + std::to_string(k));
    }
  }

  void number(const JsonNode& node, const Key& key, bool whole, const std::string& path) const {
    const double v = node.number;
    if (whole && std::floor(v) != v)
      source_.fail(place_of(node, path), "is " + number_text(v) + "; give a whole number");
    const bool low = key.bounds.min_open ? !(v > key.bounds.min) : !(v >= key.bounds.min);
    if (low || !(v <= key.bounds.max))
      source_.fail(place_of(node, path), "is " + number_text(v) + "; must be " + bounds_text(key));
  }

  const SceneSource& source_;
};

}  // namespace

void check_scene(const JsonNode& root, const SceneSource& source) {
  if (root.kind != JsonNode::Kind::object)
    source.fail({root.line, -1, ""},
                "expected an object { ... }, found " + shown(root) + "; see docs/scene.md");
  Checker(source).object(root, scene_type(), "");
}

}  // namespace sinew
