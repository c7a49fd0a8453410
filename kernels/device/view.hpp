// Borrowed arrays: what kernels and whole-array operations are given.
#pragma once

#include <cstddef>
#include <type_traits>

#include <sinew/base/config.hpp>

namespace sinew {

/// `size` numbers of T at `data`, owned by somebody else. On which side they stand, the name of the argument
/// or field tells: device memory unless it says host.
template <class T>
struct View {
  T* data = nullptr;
  std::size_t size = 0;

  constexpr View() = default;
  constexpr View(T* begin, std::size_t count) : data(begin), size(count) {}
  /// View<T> goes where View<const T> is asked for.
  template <class U>
  requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>) constexpr View(const View<U>& other)
      : data(other.data), size(other.size) {}

  SINEW_HD T& operator[](std::size_t i) const { return data[i]; }
  SINEW_HD T* begin() const { return data; }
  SINEW_HD T* end() const { return data + size; }
  View part(std::size_t first, std::size_t count) const { return {data + first, count}; }
};

/// All of an array that stands on the host.
template <class Array>
View<const typename Array::value_type> host_view(const Array& array) {
  return {array.data(), array.size()};
}

}  // namespace sinew
