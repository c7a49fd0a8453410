#include "engine/export/json_writer.hpp"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace sinew {

namespace {
// Length of the valid UTF-8 sequence at the start of text, 0 where it is broken (RFC 3629).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const unsigned char second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}
}  // namespace

void JsonWriter::begin_value(std::string_view key) {
  if (levels_.empty()) return;
  if (!levels_.back().empty) text_ += ',';
  levels_.back().empty = false;
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
  if (!key.empty()) {
    append_quoted(key);
    text_ += ": ";
  }
}

void JsonWriter::close(char bracket) {
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
  }
  text_ += bracket;
  if (levels_.empty()) text_ += '\n';
}

void JsonWriter::begin_object(std::string_view key) {
  begin_value(key);
  text_ += '{';
  levels_.push_back({std::string(key), true});
}
void JsonWriter::end_object() {
  close('}');
}

void JsonWriter::begin_array(std::string_view key) {
  begin_value(key);
  text_ += '[';
  levels_.push_back({std::string(key), true});
}
void JsonWriter::end_array() {
  close(']');
}

void JsonWriter::append_number(std::string_view key, double value) {
  if (std::isfinite(value)) {
    text_ += fmt::format("{:.17g}", value);
    return;
  }
  text_ += "null";
  std::string path;
  for (const Level& level : levels_)
    if (!level.key.empty()) path += level.key + ".";
  not_finite_.push_back(path + std::string(key));
}

void JsonWriter::number(std::string_view key, double value) {
  begin_value(key);
  append_number(key, value);
}
void JsonWriter::integer(std::string_view key, long long value) {
  begin_value(key);
  text_ += fmt::format("{}", value);
}
void JsonWriter::text(std::string_view key, std::string_view value) {
  begin_value(key);
  append_quoted(value);
}
void JsonWriter::boolean(std::string_view key, bool value) {
  begin_value(key);
  text_ += value ? "true" : "false";
}
void JsonWriter::vector(std::string_view key, const Vec3d& value) {
  begin_value(key);
  for (int i = 0; i < 3; ++i) {
    text_ += i == 0 ? "[" : ", ";
    append_number(key, value[i]);
  }
  text_ += ']';
}

void JsonWriter::append_quoted(std::string_view value) {
  text_ += '"';
  while (!value.empty()) {
    const char c = value.front();
    const std::size_t length = utf8_length(value);
    if (length == 0) {
      text_ += "\xEF\xBF\xBD";  // replacement character: file names may be any bytes, JSON may not
    } else if (c == '"' || c == '\\') {
      text_ += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      text_ += value.substr(0, length);
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

}  // namespace sinew
