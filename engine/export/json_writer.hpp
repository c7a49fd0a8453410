// Writes JSON in the order of the calls, with 17 significant digits. jsoncpp would sort the keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/vec3.hpp>

namespace sinew {

/// Text builder for one JSON document. Empty key: element of an array (or the root).
class JsonWriter {
 public:
  void begin_object(std::string_view key = {});
  void end_object();
  void begin_array(std::string_view key = {});
  void end_array();

  void number(std::string_view key, double value);  ///< null where not finite, see not_finite()
  void integer(std::string_view key, long long value);
  void text(std::string_view key, std::string_view value);
  void boolean(std::string_view key, bool value);
  void vector(std::string_view key, const Vec3d& value);  ///< [x, y, z] on one line

  /// Keys, with their parents, whose value was not finite, e.g. "energy_J.first.elastic".
  const std::vector<std::string>& not_finite() const { return not_finite_; }
  const std::string& str() const { return text_; }

 private:
  struct Level {
    std::string key;
    bool empty = true;
  };
  void begin_value(std::string_view key);
  void append_quoted(std::string_view value);
  void append_number(std::string_view key, double value);
  void close(char bracket);

  std::string text_;
  std::vector<Level> levels_;
  std::vector<std::string> not_finite_;
};

}  // namespace sinew
