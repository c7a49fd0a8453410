#include "viewer/session/words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "engine/scene/json_node.hpp"

namespace sinew::viewer {

namespace {

[[noreturn]] void fail(const std::string& what, std::string_view instead) {
  throw ModelError("expected " + what + ", found " +
                   (instead.empty() ? "the end of the line" : "'" + shown(instead) + "'"));
}

template <class T>
bool read_whole(std::string_view word, T& value, int base) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  return error == std::errc{} && end == word.data() + word.size();
}

}  // namespace

std::string exact_text(double value) {
  return fmt::format("{}", value);
}

std::string exact_text(const Vec3d& v) {
  return fmt::format("{} {} {}", v.x, v.y, v.z);
}

std::string hash_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

std::string in_quotes(std::string_view text) {
  return sinew::quoted(text);
}

bool WordReader::at_end() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
  return rest_.empty();
}

std::string WordReader::word(const char* what) {
  if (at_end()) fail(what, "");
  const std::size_t size = std::min(rest_.find_first_of(" \t\r"), rest_.size());
  std::string word(rest_.substr(0, size));
  rest_.remove_prefix(size);
  return word;
}

void WordReader::expect(std::string_view expected) {
  const std::string what = "'" + std::string(expected) + "'";
  const std::string found = word(what.c_str());
  if (found != expected) fail(what, found);
}

double WordReader::number(const char* what) {
  const std::string found = word(what);
  double value = 0.0;
  const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
  if (error != std::errc{} || end != found.data() + found.size() || !std::isfinite(value))
    fail(std::string("a number (") + what + ")", found);
  return value;
}

long WordReader::whole(const char* what, long least) {
  const std::string found = word(what);
  long value = 0;
  if (!read_whole(found, value, 10) || value < least)
    fail(fmt::format("a whole number from {} on ({})", least, what), found);
  return value;
}

std::uint64_t WordReader::hash(const char* what) {
  const std::string found = word(what);
  std::uint64_t value = 0;
  if (found.size() != 16 || !read_whole(found, value, 16))
    fail(std::string("16 hexadecimal digits (") + what + ")", found);
  return value;
}

Vec3d WordReader::vector(const char* what) {
  Vec3d v;
  for (int i = 0; i < 3; ++i) v[i] = number(what);
  return v;
}

std::string WordReader::text(const char* what) {
  const std::string expected = std::string("a text in double quotes (") + what + ")";
  if (at_end()) fail(expected, "");
  if (rest_.front() != '"') fail(expected, word(what));
  std::string text;
  std::size_t i = 1;
  for (; i < rest_.size() && rest_[i] != '"'; ++i) {
    if (rest_[i] != '\\') {
      text += rest_[i];
      continue;
    }
    const char next = ++i < rest_.size() ? rest_[i] : '\0';
    unsigned code = 0;
    if (next == '"' || next == '\\') {
      text += next;
    } else if (next == 'u' && read_whole(rest_.substr(std::min(i + 1, rest_.size()), 4), code, 16) &&
               code < 0x80 && i + 4 < rest_.size()) {
      text += static_cast<char>(code);
      i += 4;
    } else {
      fail(expected, rest_);
    }
  }
  if (i >= rest_.size()) fail("a closing quote", "");
  rest_.remove_prefix(i + 1);
  if (!rest_.empty() && rest_.front() != ' ' && rest_.front() != '\t' && rest_.front() != '\r')
    fail("a space after the quote", rest_);
  return text;
}

void WordReader::end() {
  if (!at_end()) fail("nothing more", rest_);
}

}  // namespace sinew::viewer
