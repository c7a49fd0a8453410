// Controls made from the table of scene keys: names, units, bounds, choices and texts exist once.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "engine/scene/json_node.hpp"
#include "engine/scene/scene_keys.hpp"

namespace sinew::viewer {

/// A change that was typed in: path as in --set, value as JSON.
struct Edit {
  std::string path, value;
};

/// Where visible controls and headers are, in window units, by path.
using Places = std::map<std::string, std::array<double, 2>>;
/// Notes the middle of the last item, or of its left end (a header's arrow and name).
void note_place(Places& places, const std::string& path, bool left_end);

class Form {
 public:
  /// Draws the simple keys of an object (numbers, switches, choices, vectors) and those of the objects in it.
  /// node: its values; null: all by default. Returns a finished change. A control keeps what was typed until
  /// settle(), because the scene with it takes a while to be built.
  std::optional<Edit> draw(const ObjectType& type, const JsonNode* node, const std::string& path);
  /// The scene was built anew, or could not be: show what it has.
  void settle();
  Places& places() { return places_; }  ///< of what was drawn since they were cleared last

 private:
  std::optional<Edit> draw_key(const Key& key, const JsonNode* value, const std::string& path);

  std::map<std::string, JsonNode> pending_;  ///< by path
  Places places_;
  std::string active_;  ///< path of the control that is being used
};

}  // namespace sinew::viewer
