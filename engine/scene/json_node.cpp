#include "engine/scene/json_node.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <json/json.h>
#include <sinew/errors.hpp>

namespace sinew {

namespace {

constexpr int kMaxDepth = 64;  // scenes need 8; the parser recurses

/// Turns byte offsets into lines.
class LineTable {
 public:
  explicit LineTable(std::string_view text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') ends_.push_back(i);
  }
  int line(std::ptrdiff_t offset) const {
    const auto end = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
    return static_cast<int>(std::lower_bound(ends_.begin(), ends_.end(), end) - ends_.begin()) + 1;
  }
  /// Line of the key whose value starts at offset; the value's line where a comment lies between.
  int key_line(std::ptrdiff_t offset) const {
    std::ptrdiff_t i = offset - 1;
    while (i >= 0 && (is_space(i) || text_[static_cast<std::size_t>(i)] == ':')) --i;
    return i >= 0 && text_[static_cast<std::size_t>(i)] == '"' ? line(i) : line(offset);
  }

 private:
  bool is_space(std::ptrdiff_t i) const {
    const char c = text_[static_cast<std::size_t>(i)];
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
  std::string_view text_;
  std::vector<std::size_t> ends_;
};

std::unique_ptr<Json::CharReader> make_reader() {
  Json::CharReaderBuilder builder;
  builder["collectComments"] = false;
  builder["allowTrailingCommas"] = false;
  builder["strictRoot"] = true;  // without it, the library lets some garbage behind the root pass
  builder["rejectDupKeys"] = true;
  builder["failIfExtra"] = true;
  builder["allowSpecialFloats"] = false;
  builder["stackLimit"] = kMaxDepth;
  return std::unique_ptr<Json::CharReader>(builder.newCharReader());
}

/// Takes over one value with its lines; members in the order of the file. bad: first number that overflows.
JsonNode convert(const Json::Value& value, const LineTable& lines, int& bad_line) {
  JsonNode node;
  node.line = lines.line(value.getOffsetStart());
  if (value.isBool()) {
    node.kind = JsonNode::Kind::boolean;
    node.boolean = value.asBool();
  } else if (value.isNumeric()) {
    node.kind = JsonNode::Kind::number;
    node.number = value.asDouble();
    if (!std::isfinite(node.number) && bad_line == 0) bad_line = node.line;
  } else if (value.isString()) {
    node.kind = JsonNode::Kind::text;
    node.text = value.asString();
  } else if (value.isArray()) {
    node.kind = JsonNode::Kind::list;
    node.items.reserve(value.size());
    for (const Json::Value& item : value) node.items.push_back(convert(item, lines, bad_line));
  } else if (value.isObject()) {
    node.kind = JsonNode::Kind::object;
    std::vector<std::pair<std::ptrdiff_t, std::string>> order;
    for (auto it = value.begin(); it != value.end(); ++it)
      order.emplace_back(it->getOffsetStart(), it.name());
    std::sort(order.begin(), order.end());
    for (const auto& [offset, key] : order) {
      JsonNode member = convert(*value.find(key.data(), key.data() + key.size()), lines, bad_line);
      node.members.push_back({key, lines.key_line(offset), std::move(member)});
    }
  }
  return node;
}

/// Line in which brackets are nested deeper than kMaxDepth.
int line_of_depth(const std::string& text) {
  int depth = 0, line = 1;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) break;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return line;
}

/// The library's own list of errors: "* Line 3, Column 5\n  Missing ',' ...\n". Only the first counts.
void fail_syntax(const std::string& errors, const std::string& text, const SceneSource& source) {
  int line = 0, column = 0;
  std::sscanf(errors.c_str(), "* Line %d, Column %d", &line, &column);
  const std::size_t start = errors.find('\n');
  std::string what = start == std::string::npos ? errors : errors.substr(start + 1);
  what = what.substr(what.find_first_not_of(' ') == std::string::npos ? 0 : what.find_first_not_of(' '));
  what = what.substr(0, what.find('\n'));
  while (!what.empty() && what.back() == '.') what.pop_back();
  what = shown(what);  // the library quotes numbers of any length
  if (what.find("A valid JSON document") == 0) {
    const auto first = static_cast<std::ptrdiff_t>(text.find_first_not_of(" \t\r\n"));
    source.fail({LineTable(text).line(first), -1, ""}, "is a single value; a scene is an object { ... }");
  }

  std::size_t at = 0;
  for (int i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  at = std::min(text.size(), at + static_cast<std::size_t>(std::max(column - 1, 0)));
  std::size_t before = at;
  while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1]))) --before;
  const char next = at < text.size() ? text[at] : '\0';
  const std::string rest = text.substr(at, 9);

  std::string hint;
  if (what.find("Duplicate key") != std::string::npos)
    hint = "; a key may stand only once in an object, remove one of the two";
  else if (what.find("Exceeded") != std::string::npos)
    hint = "";
  else if (before > 0 && text[before - 1] == ',' && (next == '}' || next == ']'))
    hint = "; remove the comma after the last entry";
  else if (rest.rfind("NaN", 0) == 0 || rest.rfind("nan", 0) == 0 || rest.rfind("Infinity", 0) == 0 ||
           rest.rfind("-Infinity", 0) == 0 || rest.rfind("inf", 0) == 0)
    hint = "; NaN and Infinity are not allowed, give a number";
  else if (next == '\'')
    hint = "; use double quotes";
  else if (at >= text.size())
    hint = "; the file ends too early, is it complete?";
  else if (what.find("Extra non-whitespace") != std::string::npos)
    hint = "; a scene is one object, remove what follows it";
  else if (what.find("Missing ','") != std::string::npos)
    hint = "; put a comma after the entry before";
  source.fail({line, -1, ""},
              "is not valid JSON: " + what + " (column " + std::to_string(column) + ")" + hint);
}

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  for (const Member& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

JsonNode* JsonNode::find(std::string_view key) {
  return const_cast<JsonNode*>(static_cast<const JsonNode*>(this)->find(key));
}

void SceneSource::fail(const Place& place, const std::string& what) const {
  if (place.override_index < 0) throw SceneError(label, place.line, place.path, what);
  const auto& set = overrides[static_cast<std::size_t>(place.override_index)];
  throw SceneError(label, 0, place.path, what + " (given by --set " + shown(set) + ")");
}

std::string join_path(const std::string& path, std::string_view key) {
  return path.empty() ? shown(key) : path + "." + shown(key);
}

Place place_of(const JsonNode& node, std::string path) {
  return {node.line, node.override_index, std::move(path)};
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out(text.substr(0, kLongest));
  if (text.size() > kLongest) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) out.pop_back();
    if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0) out.pop_back();
    out += "...";
  }
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return out;
}

std::string shown(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::null:
      return "null";
    case JsonNode::Kind::boolean:
      return node.boolean ? "true" : "false";
    case JsonNode::Kind::number:
      return "the number " + number_text(node.number);
    case JsonNode::Kind::text:
      return "the text '" + shown(node.text) + "'";
    case JsonNode::Kind::list:
      return "a list of " + std::to_string(node.items.size());
    case JsonNode::Kind::object:
      return "an object";
  }
  return "";
}

std::string number_text(double value) {
  std::string text = fmt::format("{}", value == 0.0 ? 0.0 : value);
  // 1e13 and 1e-9 for people, not 10000000000000 and 1e-09.
  if (text.find_first_of(".e") == std::string::npos) {
    const std::size_t last = text.find_last_not_of('0');
    const std::size_t zeros = last == std::string::npos ? 0 : text.size() - 1 - last;
    if (zeros >= 6) text = text.substr(0, text.size() - zeros) + "e" + std::to_string(zeros);
  } else if (const std::size_t minus = text.find("e-0"); minus != std::string::npos) {
    text.erase(minus + 2, 1);
  } else if (const std::size_t plus = text.find("e+"); plus != std::string::npos) {
    text.erase(plus + 1, 1);
  }
  return text;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

JsonNode parse_json(const std::string& given, const SceneSource& source) {
  const bool has_mark = given.rfind("\xEF\xBB\xBF", 0) == 0;  // byte order mark of some editors
  const std::string text = has_mark ? given.substr(3) : given;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    source.fail({1, -1, ""}, "is empty; a scene is a JSON object, see docs/scene.md");
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    source.fail({LineTable(text).line(static_cast<std::ptrdiff_t>(zero)), -1, ""},
                "is not a text file (it holds a zero byte); a scene is JSON");

  Json::Value root;
  std::string errors;
  try {
    if (!make_reader()->parse(text.data(), text.data() + text.size(), &root, &errors))
      fail_syntax(errors, text, source);
  } catch (const Json::Exception&) {  // the library's only ones: nesting, and texts of over a gigabyte
    source.fail({line_of_depth(text), -1, ""}, "is nested deeper than " + std::to_string(kMaxDepth) +
                                                   " levels; a scene needs less than ten");
  }
  int bad_line = 0;
  JsonNode node = convert(root, LineTable(text), bad_line);
  if (bad_line > 0)
    source.fail({bad_line, -1, ""}, "holds a number too large for a double; give a smaller one");
  return node;
}

JsonNode parse_override_value(const std::string& text, int override_index) {
  JsonNode node;
  Json::Value root;
  std::string errors;
  bool json = false;
  int bad_line = 0;
  try {
    // A list around it: single numbers and texts are read with the same strictness as a whole file.
    const std::string list = "[" + text + "\n]";
    json = make_reader()->parse(list.data(), list.data() + list.size(), &root, &errors) && root.size() == 1;
    if (json) node = convert(root[0u], LineTable(list), bad_line);
  } catch (const Json::Exception&) {
    json = false;
  }
  if (!json || bad_line > 0) {
    node = JsonNode{};
    node.kind = JsonNode::Kind::text;
    node.text = text;
  }
  const auto mark = [override_index](auto&& self, JsonNode& n) -> void {
    n.line = 0;
    n.override_index = override_index;
    for (JsonNode& item : n.items) self(self, item);
    for (JsonNode::Member& member : n.members) {
      member.key_line = 0;
      self(self, member.value);
    }
  };
  mark(mark, node);
  return node;
}

}  // namespace sinew
