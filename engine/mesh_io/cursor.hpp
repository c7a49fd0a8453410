// A reading position in the content of a mesh file: words and numbers of text, values of binary data.
// Every failure names the file and the line (text) or byte (binary).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sinew::mesh_io {

/// Value with its bytes in reverse order.
template <class T>
T reversed_bytes(T value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

inline bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Lower-case copy (ASCII).
std::string lower_case(std::string_view text);

/// Text of at most 24 printable characters, for messages.
std::string shown(std::string_view text);

class Cursor {
 public:
  /// comment: character that starts a comment reaching to the end of the line; '\0' for none.
  Cursor(std::string_view text, std::string path, char comment = '\0')
      : text_(text), path_(std::move(path)), comment_(comment) {}

  std::size_t position() const { return position_; }
  void set_position(std::size_t position) { position_ = position < text_.size() ? position : text_.size(); }
  std::size_t remaining() const { return text_.size() - position_; }
  std::string_view text() const { return text_; }
  const std::string& path() const { return path_; }

  // Text. what names the expected thing in messages ("x coordinate", "node number").
  /// Skips space and comments; true at the end of the file.
  bool at_end();
  /// Next word without taking it; empty at the end.
  std::string_view peek();
  std::string_view word(const char* what);
  double number(const char* what);
  long integer(const char* what);
  /// Rest of the current line without its end; the position moves to the next line.
  std::string_view line();
  /// A count of things that take at least bytes_each bytes further on; refused where the file is too short.
  std::size_t count(const char* what, std::size_t bytes_each);
  void check_count(double count, const char* what, std::size_t bytes_each) const;

  // Binary.
  bool swap_bytes = false;  ///< the file's byte order is not this machine's
  template <class T>
  T binary(const char* what) {
    T value;
    std::memcpy(&value, bytes(sizeof(T), what).data(), sizeof(T));
    return swap_bytes ? reversed_bytes(value) : value;
  }
  std::string_view bytes(std::size_t size, const char* what);

  /// @throws MeshError "path:line: what", the line being that of the last word or number taken.
  [[noreturn]] void fail(const std::string& what) const;
  /// @throws MeshError "path: byte N: what".
  [[noreturn]] void fail_at_byte(const std::string& what) const;
  long line_number() const;

 private:
  [[noreturn]] void fail_expected(const char* what) const;
  void skip_space();

  std::string_view text_;
  std::string path_;
  std::size_t position_ = 0;
  std::size_t last_ = 0;  // start of the last word: where messages point to
  char comment_;
};

}  // namespace sinew::mesh_io
