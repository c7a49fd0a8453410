// Fast hashes of large arrays: for keys by content and for checksums of files. Not against forgery.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sinew {

/// 64 bits of a stream of bytes, eight bytes at a time in four lanes (about memory speed). The value depends
/// on the bytes and the seed only, not on how they are cut into calls. Each step is one-to-one in the lane
/// and in the word, so no change inside a single word can cancel out.
class StreamHash {
 public:
  explicit StreamHash(std::uint64_t seed = 0);
  StreamHash& add(const void* data, std::size_t size);
  std::uint64_t value() const;

 private:
  static constexpr std::size_t kStripe = 32;
  void take_stripes(const unsigned char* data, std::size_t stripes);

  std::array<std::uint64_t, 4> lane_;
  std::array<unsigned char, kStripe> rest_{};
  std::uint64_t size_ = 0;
};

/// Two hashes of 64 bits with different seeds, and helpers that mark where one part ends.
class ContentHash {
 public:
  ContentHash& add(const void* data, std::size_t size) {
    first_.add(data, size);
    second_.add(data, size);
    return *this;
  }
  ContentHash& add(std::string_view text) {
    return add(static_cast<std::uint64_t>(text.size())).add(text.data(), text.size());
  }
  /// Numbers and enumerations.
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) ContentHash& add(T x) { return add(&x, sizeof x); }
  /// Elements without padding only.
  template <class T>
  ContentHash& add(const std::vector<T>& v) {
    return add(static_cast<std::uint64_t>(v.size())).add(v.data(), v.size() * sizeof(T));
  }
  std::array<std::uint64_t, 2> value() const { return {first_.value(), second_.value()}; }

 private:
  StreamHash first_{0x6A09E667F3BCC908u};  // fractions of the square roots of 2 and 3
  StreamHash second_{0xBB67AE8584CAA73Bu};
};

/// 16 hexadecimal digits per number.
std::string hex_text(const std::array<std::uint64_t, 2>& value);

}  // namespace sinew
