// FNV-1a, 64 bits: for state hashes and for telling models apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sinew {

class Hash {
 public:
  Hash& add(const void* data, std::size_t size) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ byte[i]) * 0x100000001B3ull;
    return *this;
  }
  Hash& add(double x) { return add(&x, sizeof x); }
  Hash& add(std::int64_t x) { return add(&x, sizeof x); }
  Hash& add(std::string_view text) {
    return add(static_cast<std::int64_t>(text.size())).add(text.data(), text.size());
  }
  /// Elements without padding only.
  template <class T>
  Hash& add(const std::vector<T>& v) {
    return add(static_cast<std::int64_t>(v.size())).add(v.data(), v.size() * sizeof(T));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325ull;
};

}  // namespace sinew
