#include "engine/mesh_io/cursor.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>

#include <sinew/errors.hpp>
#include <sinew/mesh.hpp>

namespace sinew::mesh_io {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string shown(std::string_view text) {
  std::string clean;
  for (const char c : text.substr(0, 24)) clean += (c >= ' ' && c <= '~') ? c : '?';
  return text.size() > 24 ? clean + "..." : clean;
}

void Cursor::skip_space() {
  while (position_ < text_.size()) {
    if (is_space(text_[position_])) {
      ++position_;
    } else if (comment_ != '\0' && text_[position_] == comment_) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else {
      break;
    }
  }
  last_ = position_;
}

bool Cursor::at_end() {
  skip_space();
  return position_ == text_.size();
}

std::string_view Cursor::peek() {
  skip_space();
  std::size_t end = position_;
  while (end < text_.size() && !is_space(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

std::string_view Cursor::word(const char* what) {
  const std::string_view next = peek();
  if (next.empty()) fail_expected(what);
  position_ += next.size();
  return next;
}

double Cursor::number(const char* what) {
  skip_space();
  const char* begin = text_.data() + position_;
  const char* end = text_.data() + text_.size();
  double value = 0.0;
  if (begin != end && *begin == '+') ++begin;
  const auto result = std::from_chars(begin, end, value);
  const bool complete = result.ptr == end || is_space(*result.ptr) || *result.ptr == comment_;
  if (!complete || result.ec == std::errc::invalid_argument) fail_expected(what);
  // Beyond the range of double: strtod says zero or infinity, which the mesh checks then judge.
  if (result.ec == std::errc::result_out_of_range)
    value = std::strtod(std::string(begin, result.ptr).c_str(), nullptr);
  position_ = static_cast<std::size_t>(result.ptr - text_.data());
  return value;
}

long Cursor::integer(const char* what) {
  skip_space();
  const char* begin = text_.data() + position_;
  const char* end = text_.data() + text_.size();
  long value = 0;
  if (begin != end && *begin == '+') ++begin;
  const auto result = std::from_chars(begin, end, value);
  const bool complete = result.ptr == end || is_space(*result.ptr) || *result.ptr == comment_;
  if (!complete || result.ec != std::errc()) fail_expected(what);
  position_ = static_cast<std::size_t>(result.ptr - text_.data());
  return value;
}

std::string_view Cursor::line() {
  const std::size_t begin = position_;
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  position_ = std::min(end + 1, text_.size());
  std::string_view rest = text_.substr(begin, end - begin);
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

std::size_t Cursor::count(const char* what, std::size_t bytes_each) {
  const long value = integer(what);
  check_count(static_cast<double>(value), what, bytes_each);
  return static_cast<std::size_t>(value);
}

void Cursor::check_count(double count, const char* what, std::size_t bytes_each) const {
  if (count < 0) fail(std::string(what) + " is negative; mend the count");
  // One byte of grace: the last word may end with the file.
  if (count * static_cast<double>(bytes_each) > static_cast<double>(remaining()) + 1.0)
    fail(std::string(what) + " is " + std::to_string(static_cast<long long>(std::min(count, 9e18))) +
         ", but only " + std::to_string(remaining()) +
         " bytes follow: the file is truncated or the count is wrong; export it again");
  if (count > std::numeric_limits<Index>::max())
    fail(std::string(what) + " is beyond 2147483647; split the mesh");
}

std::string_view Cursor::bytes(std::size_t size, const char* what) {
  if (size > remaining())
    fail_at_byte("the file ends within its " + std::string(what) +
                 ": it is truncated; export or copy it again");
  const std::string_view block = text_.substr(position_, size);
  position_ += size;
  return block;
}

long Cursor::line_number() const {
  return 1 + static_cast<long>(std::count(text_.begin(), text_.begin() + static_cast<long>(last_), '\n'));
}

void Cursor::fail(const std::string& what) const {
  throw MeshError(path_ + ":" + std::to_string(line_number()) + ": " + what);
}

void Cursor::fail_at_byte(const std::string& what) const {
  throw MeshError(path_ + ": byte " + std::to_string(position_) + ": " + what);
}

void Cursor::fail_expected(const char* what) const {
  std::size_t end = position_;
  while (end < text_.size() && !is_space(text_[end])) ++end;
  if (end == position_)
    fail("the file ends where the " + std::string(what) +
         " should stand: it is truncated; export or copy it again");
  fail("expected the " + std::string(what) + " but found '" +
       shown(text_.substr(position_, end - position_)) + "'; mend the line or export the file again");
}

}  // namespace sinew::mesh_io
