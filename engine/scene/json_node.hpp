// JSON with comments as a tree that knows its lines, and the error that points into it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Where a value was written: a line of the scene file, or an override of the command line.
struct Place {
  int line = 0;             ///< 1-based; 0 for values that stand in no line
  int override_index = -1;  ///< index into SceneSource::overrides, -1: from the file
  std::string path;         ///< "bodies.0.friction"; "" for the scene itself
};

/// One value. Members keep the order of the file.
struct JsonNode {
  enum class Kind { null, boolean, number, text, list, object };
  struct Member;

  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0.0;  ///< finite
  std::string text;
  std::vector<JsonNode> items;
  std::vector<Member> members;
  int line = 0;
  int override_index = -1;

  const JsonNode* find(std::string_view key) const;  ///< nullptr if the object lacks the key
  JsonNode* find(std::string_view key);
};

struct JsonNode::Member {
  std::string key;
  int key_line = 0;
  JsonNode value;
};

/// What a scene was read from; every message goes through fail().
struct SceneSource {
  std::string label;                   ///< path as given, for messages
  std::vector<std::string> overrides;  ///< "key.path=value"

  /// @throws SceneError, one line; says which override is to blame where one is.
  [[noreturn]] void fail(const Place& place, const std::string& what) const;
};

/// "friction" -> "bodies.0.friction".
std::string join_path(const std::string& path, std::string_view key);
Place place_of(const JsonNode& node, std::string path);

/// Text for messages: control characters replaced, at most 60 bytes.
std::string shown(std::string_view text);
/// What a value is, for messages: "the text 'abc'", "a list of 2", "-1".
std::string shown(const JsonNode& node);
/// Shortest decimal form that reads back to the same bits.
std::string number_text(double value);
std::string quoted(std::string_view text);  ///< as a JSON string

/// Comments are allowed; trailing commas, keys given twice, NaN and Infinity are not.
/// @throws SceneError with the line.
JsonNode parse_json(const std::string& text, const SceneSource& source);

/// The value of an override: JSON, else the text itself.
JsonNode parse_override_value(const std::string& text, int override_index);

}  // namespace sinew
