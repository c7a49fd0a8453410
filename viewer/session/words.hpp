// Lines of words: numbers, names, texts in quotes. The form in which recordings are kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sinew/base/vec3.hpp>

namespace sinew::viewer {

/// Shortest decimal form that reads back to the same bits, the sign of zero included.
std::string exact_text(double value);
std::string exact_text(const Vec3d& v);        ///< "x y z"
std::string hash_text(std::uint64_t hash);     ///< 16 hexadecimal digits
std::string in_quotes(std::string_view text);  ///< as a JSON string

/// Takes the words of one line in order. All functions throw ModelError, one line, saying what was expected.
class WordReader {
 public:
  explicit WordReader(std::string_view line) : rest_(line) {}
  bool at_end();
  std::string_view rest() const { return rest_; }
  std::string word(const char* what);        ///< up to the next space
  void expect(std::string_view word);        ///< this word and no other
  double number(const char* what);           ///< finite
  long whole(const char* what, long least);  ///< an integer, >= least
  std::uint64_t hash(const char* what);
  Vec3d vector(const char* what);
  std::string text(const char* what);  ///< in quotes
  void end();                          ///< nothing may be left

 private:
  std::string_view rest_;
};

}  // namespace sinew::viewer
