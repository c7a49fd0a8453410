// The functions of Pack for plain numbers, so that one source serves numbers and packs: choices by
// select(), never by a branch on a value, and masks joined by &, | and !. Host-device.
#pragma once

#include <cmath>
#include <type_traits>

#include <sinew/base/config.hpp>

namespace sinew {

template <class T>
requires std::is_floating_point_v<T> SINEW_HD inline T sqrt(T a) {
  return std::sqrt(a);
}
template <class T>
requires std::is_floating_point_v<T> SINEW_HD inline T log(T a) {
  return std::log(a);
}
/// log(1 + a) with full precision at small a.
template <class T>
requires std::is_floating_point_v<T> SINEW_HD inline T log1p(T a) {
  return std::log1p(a);
}
template <class T>
requires std::is_floating_point_v<T> SINEW_HD inline T cbrt(T a) {
  return std::cbrt(a);
}
template <class T>
requires std::is_floating_point_v<T> SINEW_HD inline T abs(T a) {
  return std::fabs(a);
}
/// a < b ? a : b; b where one is not a number.
template <class T>
requires std::is_floating_point_v<T> SINEW_HD inline T min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
requires std::is_floating_point_v<T> SINEW_HD inline T max(T a, T b) {
  return a > b ? a : b;
}
template <class T>
SINEW_HD inline T select(bool mask, T a, T b) {
  return mask ? a : b;
}
SINEW_HD inline bool any(bool mask) {
  return mask;
}
SINEW_HD inline bool all(bool mask) {
  return mask;
}

namespace detail {
template <class T>
struct ScalarType {
  using Type = T;
};
}  // namespace detail

/// double of double and of Pack<double, N>.
template <class T>
using ScalarOf = typename detail::ScalarType<T>::Type;

}  // namespace sinew
