// Rows of four numbers (x, y, z, unused) to packs of x, y, z and back: gather and scatter of nodes for N
// elements at a time. Loads and stores whole rows and transposes in registers.
#pragma once

#include <utility>

#include <sinew/base/vec3.hpp>

#include "kernels/element/simd/pack.hpp"

namespace sinew {
inline namespace SINEW_SIMD {

namespace simd_detail {

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define SINEW_SHUFFLE 1
#endif
#endif

/// Lanes I... of a and b, numbered one after the other.
template <class Result, class V, int... I>
SINEW_INLINE Result shuffle(V a, V b, std::integer_sequence<int, I...>) {
#if defined(SINEW_SHUFFLE)
  return __builtin_shufflevector(a, b, I...);
#else
  constexpr int n = sizeof(V) / sizeof(a[0]);
  return Result{(I < n ? a[I % n] : b[I % n])...};
#endif
}

template <int First, int... I>
constexpr auto range_from(std::integer_sequence<int, I...>) {
  return std::integer_sequence<int, (First + I)...>{};
}

/// For every group of four lanes the same picks: 0..3 from a, 4..7 from b.
template <int N, int I, int J, int K, int L, int... Lane>
constexpr auto group_picks(std::integer_sequence<int, Lane...>) {
  constexpr int pick[4] = {I, J, K, L};
  return std::integer_sequence<int, (pick[Lane % 4] % 4 + Lane / 4 * 4 + pick[Lane % 4] / 4 * N)...>{};
}

template <int I, int J, int K, int L, class T, int N>
SINEW_INLINE Pack<T, N> pick(Pack<T, N> a, Pack<T, N> b) {
  using V = typename Pack<T, N>::Vector;
  return Pack<T, N>(shuffle<V>(a.v, b.v, group_picks<N, I, J, K, L>(std::make_integer_sequence<int, N>{})),
                    0);
}

/// Rows of lanes first, first + 4, ... side by side. (Through registers: put together in memory, the wide
/// load would wait for all the narrow stores.)
template <class T, int N>
SINEW_INLINE typename VectorOf<T, N>::Type rows_beside(const T* rows, const std::uint16_t* index) {
  if constexpr (N == 4) {
    typename VectorOf<T, 4>::Type row;
    std::memcpy(&row, rows + 4 * index[0], sizeof(row));
    return row;
  } else {
    return shuffle<typename VectorOf<T, N>::Type>(rows_beside<T, N / 2>(rows, index),
                                                  rows_beside<T, N / 2>(rows, index + N / 2),
                                                  std::make_integer_sequence<int, N>{});
  }
}

/// Adds row g of those beside each other to rows[index[4 g]].
template <int G, class T, class V>
SINEW_INLINE void add_row(T* rows, const std::uint16_t* index, V beside) {
  using Row = typename VectorOf<T, 4>::Type;
  T* row = rows + 4 * index[4 * G];
  Row sum;
  std::memcpy(&sum, row, sizeof(Row));
  sum += shuffle<Row>(beside, beside, range_from<4 * G>(std::make_integer_sequence<int, 4>{}));
  std::memcpy(row, &sum, sizeof(Row));
}

}  // namespace simd_detail

/// Lane l from row index[l].
template <class T, int N>
SINEW_INLINE Vec3<Pack<T, N>> load_rows(const T* rows, const std::uint16_t* index) {
  using P = Pack<T, N>;
  if constexpr (N >= 4) {
    // a[k]: rows of lanes k, k + 4, ...
    P a[4];
    for (int k = 0; k < 4; ++k) a[k] = P(simd_detail::rows_beside<T, N>(rows, index + k), 0);
    using simd_detail::pick;
    const P low01 = pick<0, 4, 2, 6>(a[0], a[1]), low23 = pick<0, 4, 2, 6>(a[2], a[3]);
    const P high01 = pick<1, 5, 3, 7>(a[0], a[1]), high23 = pick<1, 5, 3, 7>(a[2], a[3]);
    return {pick<0, 1, 4, 5>(low01, low23), pick<0, 1, 4, 5>(high01, high23), pick<2, 3, 6, 7>(low01, low23)};
  } else {
    static_assert(N == 2);
    using V = typename P::Vector;
    const T *a = rows + 4 * index[0], *b = rows + 4 * index[1];
    return {P(V{a[0], b[0]}, 0), P(V{a[1], b[1]}, 0), P(V{a[2], b[2]}, 0)};
  }
}

/// Adds lane l to row index[l], lanes in order.
template <class T, int N>
SINEW_INLINE void add_to_rows(T* rows, const std::uint16_t* index, const Vec3<Pack<T, N>>& value) {
  using P = Pack<T, N>;
  if constexpr (N >= 4) {
    using simd_detail::pick;
    const P zero;
    const P xy_even = pick<0, 4, 2, 6>(value.x, value.y), xy_odd = pick<1, 5, 3, 7>(value.x, value.y);
    const P z_even = pick<0, 4, 2, 6>(value.z, zero), z_odd = pick<1, 5, 3, 7>(value.z, zero);
    const P a[4] = {pick<0, 1, 4, 5>(xy_even, z_even), pick<0, 1, 4, 5>(xy_odd, z_odd),
                    pick<2, 3, 6, 7>(xy_even, z_even), pick<2, 3, 6, 7>(xy_odd, z_odd)};
    for (int k = 0; k < 4; ++k) simd_detail::add_row<0>(rows, index + k, a[k].v);
    if constexpr (N > 4)
      for (int k = 0; k < 4; ++k) simd_detail::add_row<1>(rows, index + k, a[k].v);
    if constexpr (N > 8) {
      for (int k = 0; k < 4; ++k) simd_detail::add_row<2>(rows, index + k, a[k].v);
      for (int k = 0; k < 4; ++k) simd_detail::add_row<3>(rows, index + k, a[k].v);
    }
  } else {
    for (int l = 0; l < N; ++l) {
      T* row = rows + 4 * index[l];
      row[0] += value.x[l];
      row[1] += value.y[l];
      row[2] += value.z[l];
    }
  }
}

}  // namespace SINEW_SIMD
}  // namespace sinew
