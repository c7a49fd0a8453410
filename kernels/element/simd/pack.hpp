// N numbers that go through the same arithmetic: the SIMD form of T in element functions. Built on the vector
// extensions of g++ and clang; host only, never included by device sources.
//
// Templates made for packs must not be shared between files compiled for different instruction sets: the
// linker keeps one copy of each and would run AVX-512 code on a processor without it. The inline namespace
// below carries the instruction set into the name of everything that mentions a Pack.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "kernels/element/simd/scalar.hpp"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define SINEW_SIMD simd_avx512
#elif defined(__AVX2__)
#define SINEW_SIMD simd_avx2
#else
#define SINEW_SIMD simd_baseline
#endif

#define SINEW_INLINE inline __attribute__((always_inline))

namespace sinew {
inline namespace SINEW_SIMD {

namespace simd_detail {
template <class T>
struct IntegerOf;
template <>
struct IntegerOf<double> {
  using Type = std::int64_t;
};
template <>
struct IntegerOf<float> {
  using Type = std::int32_t;
};
template <class T, int N>
struct VectorOf {
  typedef T Type __attribute__((vector_size(N * sizeof(T))));
};
}  // namespace simd_detail

/// Result of a comparison: per lane all bits set or none.
template <class T, int N>
struct Mask {
  using Bits = typename simd_detail::VectorOf<typename simd_detail::IntegerOf<T>::Type, N>::Type;
  Bits bits{};

  bool operator[](int lane) const { return bits[lane] != 0; }
  friend SINEW_INLINE Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
  friend SINEW_INLINE Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
  friend SINEW_INLINE Mask operator!(Mask a) { return {~a.bits}; }
};

template <class T, int N>
struct Pack {
  static_assert((N & (N - 1)) == 0, "the lanes of a pack are a power of two");
  using Scalar = T;
  using Vector = typename simd_detail::VectorOf<T, N>::Type;
  using Integer = typename simd_detail::IntegerOf<T>::Type;
  using Integers = typename simd_detail::VectorOf<Integer, N>::Type;
  static constexpr int kLanes = N;

  Vector v;

  SINEW_INLINE constexpr Pack() : v{} {}
  /// The same number in every lane.
  SINEW_INLINE constexpr Pack(T a) : v(a - Vector{}) {}
  SINEW_INLINE constexpr explicit Pack(Vector a, int) : v(a) {}

  /// From N numbers in a row; any alignment.
  static SINEW_INLINE Pack load(const T* p) {
    Pack r;
    std::memcpy(&r.v, p, sizeof(Vector));
    return r;
  }
  SINEW_INLINE void store(T* p) const { std::memcpy(p, &v, sizeof(Vector)); }

  SINEW_INLINE T operator[](int lane) const { return v[lane]; }
  SINEW_INLINE void set(int lane, T a) { v[lane] = a; }

  SINEW_INLINE constexpr Pack& operator+=(Pack o) { return v += o.v, *this; }
  SINEW_INLINE constexpr Pack& operator-=(Pack o) { return v -= o.v, *this; }
  SINEW_INLINE constexpr Pack& operator*=(Pack o) { return v *= o.v, *this; }
  SINEW_INLINE constexpr Pack& operator/=(Pack o) { return v /= o.v, *this; }
  friend SINEW_INLINE constexpr Pack operator+(Pack a, Pack b) { return a += b; }
  friend SINEW_INLINE constexpr Pack operator-(Pack a, Pack b) { return a -= b; }
  friend SINEW_INLINE constexpr Pack operator*(Pack a, Pack b) { return a *= b; }
  friend SINEW_INLINE constexpr Pack operator/(Pack a, Pack b) { return a /= b; }
  friend SINEW_INLINE constexpr Pack operator-(Pack a) { return Pack(-a.v, 0); }

  friend SINEW_INLINE Mask<T, N> operator<(Pack a, Pack b) { return {a.v < b.v}; }
  friend SINEW_INLINE Mask<T, N> operator>(Pack a, Pack b) { return {a.v > b.v}; }
  friend SINEW_INLINE Mask<T, N> operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
  friend SINEW_INLINE Mask<T, N> operator>=(Pack a, Pack b) { return {a.v >= b.v}; }
  friend SINEW_INLINE Mask<T, N> operator==(Pack a, Pack b) { return {a.v == b.v}; }
  friend SINEW_INLINE Mask<T, N> operator!=(Pack a, Pack b) { return {a.v != b.v}; }

  /// Lane by lane mask ? a : b.
  friend SINEW_INLINE Pack select(Mask<T, N> mask, Pack a, Pack b) { return Pack(mask.bits ? a.v : b.v, 0); }
  friend SINEW_INLINE Pack min(Pack a, Pack b) { return Pack(a.v < b.v ? a.v : b.v, 0); }
  friend SINEW_INLINE Pack max(Pack a, Pack b) { return Pack(a.v > b.v ? a.v : b.v, 0); }
  friend SINEW_INLINE Pack abs(Pack a) { return Pack(a.v < Vector{} ? -a.v : a.v, 0); }
};

/// Sum over the lanes, first to last.
template <class T, int N>
SINEW_INLINE T sum_lanes(Pack<T, N> a) {
  T s = a.v[0];
  for (int lane = 1; lane < N; ++lane) s += a.v[lane];
  return s;
}

/// Bit `lane` set where the mask is.
template <class T, int N>
SINEW_INLINE unsigned lanes_of(Mask<T, N> m) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  if constexpr (sizeof(m) == 64 && sizeof(T) == 8)
    return _mm512_movepi64_mask(reinterpret_cast<__m512i>(m.bits));
  if constexpr (sizeof(m) == 64 && sizeof(T) == 4)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(m.bits));
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(m) == 32 && sizeof(T) == 8)
    return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m.bits)));
  if constexpr (sizeof(m) == 32 && sizeof(T) == 4)
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(m.bits)));
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(m) == 16 && sizeof(T) == 8)
    return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(m.bits)));
  if constexpr (sizeof(m) == 16 && sizeof(T) == 4)
    return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(m.bits)));
#endif
  unsigned lanes = 0;
  for (int lane = 0; lane < N; ++lane) lanes |= (m.bits[lane] != 0 ? 1u : 0u) << lane;
  return lanes;
}
template <class T, int N>
SINEW_INLINE bool any(Mask<T, N> m) {
  return lanes_of(m) != 0;
}
template <class T, int N>
SINEW_INLINE bool all(Mask<T, N> m) {
  return lanes_of(!m) == 0;
}

template <class T, int N>
SINEW_INLINE Pack<T, N> sqrt(Pack<T, N> a) {
  using P = Pack<T, N>;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  if constexpr (sizeof(P) == 64 && sizeof(T) == 8) return P(_mm512_maskz_sqrt_pd(0xFF, a.v), 0);
  if constexpr (sizeof(P) == 64 && sizeof(T) == 4) return P(_mm512_maskz_sqrt_ps(0xFFFF, a.v), 0);
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(P) == 32 && sizeof(T) == 8) return P(_mm256_sqrt_pd(a.v), 0);
  if constexpr (sizeof(P) == 32 && sizeof(T) == 4) return P(_mm256_sqrt_ps(a.v), 0);
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(P) == 16 && sizeof(T) == 8) return P(_mm_sqrt_pd(a.v), 0);
  if constexpr (sizeof(P) == 16 && sizeof(T) == 4) return P(_mm_sqrt_ps(a.v), 0);
#endif
  P r;
  for (int lane = 0; lane < N; ++lane) r.v[lane] = std::sqrt(a.v[lane]);
  return r;
}

namespace simd_detail {

// log(1 + f) = f - s (f - R(s^2)) with s = f / (2 + f), where 2 atanh(s) = 2 s + s R(s^2); R is the
// interpolant at the Chebyshev nodes of s^2 in [0, (3 - sqrt 8)^2], its error below a tenth of a unit in the
// last place.
template <class P>
SINEW_INLINE P log_remainder(P z) {
  if constexpr (sizeof(typename P::Scalar) == 8) {
    return z * (0.66666666666666696905 +
                z * (0.39999999999899381945 +
                     z * (0.28571428626031063985 +
                          z * (0.2222221112572326267 +
                               z * (0.18182889786157990687 +
                                    z * (0.15331699634642276737 + z * P(0.14616721166287598155)))))));
  } else {
    return z * (0.66666666554406187186f +
                z * (0.400001219141455579f + z * (0.28550812383011837943f + z * P(0.23330696660983466784f))));
  }
}

/// x = 2^k m with m in [sqrt(1/2), sqrt(2)), for finite normal x > 0; k as a number.
template <class P>
SINEW_INLINE P split(P x, P& k) {
  using T = typename P::Scalar;
  using Integer = typename P::Integer;
  using Integers = typename P::Integers;
  using UnsignedInteger = std::make_unsigned_t<Integer>;
  using Unsigned = typename VectorOf<UnsignedInteger, P::kLanes>::Type;
  constexpr bool kDouble = sizeof(T) == 8;
  constexpr int kMantissa = kDouble ? 52 : 23;
  constexpr Integer kRoot = static_cast<Integer>(kDouble ? 0x3FE6A09E667F3BCD : 0x3F3504F3);  // of sqrt(1/2)
  const Integers bits = reinterpret_cast<Integers>(x.v);
  // Shifted as a number without sign (AVX2 has no other shift of 64 bits), so moved above zero first.
  constexpr Integer kRaise = kDouble ? 1024 : 128;
  constexpr auto kOffset =
      (static_cast<UnsignedInteger>(kRaise) << kMantissa) - static_cast<UnsignedInteger>(kRoot);
  const Unsigned raised = (reinterpret_cast<Unsigned>(bits) + kOffset) >> kMantissa;
  const Integers exponent = reinterpret_cast<Integers>(raised) - kRaise;
  const Integers shift = reinterpret_cast<Integers>(reinterpret_cast<Unsigned>(exponent) << kMantissa);
  // The integer exponent as a number: added to the bits of 1.5 * 2^mantissa it stands in the last places.
  const P magic(kDouble ? T(6755399441055744.0) : T(12582912.0));
  k = P(reinterpret_cast<typename P::Vector>(reinterpret_cast<Integers>(magic.v) + exponent), 0) - magic;
  return P(reinterpret_cast<typename P::Vector>(bits - shift), 0);
}

/// log(x + rest) for finite normal x > 0 and a rest below half a unit in the last place of x.
template <class T, int N>
SINEW_INLINE Pack<T, N> log_of_normal(Pack<T, N> x, Pack<T, N> rest) {
  using P = Pack<T, N>;
  constexpr bool kDouble = sizeof(T) == 8;
  P k;
  const P f = split(x, k) - T(1);
  const P small = rest / x;
  const P s = f / (T(2) + f);
  const P z = s * s;
  const P half = T(0.5) * f * f;
  const P tail = s * (half + log_remainder(z));
  constexpr T kLn2High = kDouble ? T(0.6931471804855391383171082) : T(0.693115234375);
  constexpr T kLn2Low = kDouble ? T(7.440617110012396716130157e-11) : T(0.00003194618494530941723212146);
  return k * kLn2High - ((half - (tail + (k * kLn2Low + small))) - f);
}

}  // namespace simd_detail

/// Natural logarithm to about one unit in the last place; -inf at 0, NaN below.
template <class T, int N>
SINEW_INLINE Pack<T, N> log(Pack<T, N> x) {
  using P = Pack<T, N>;
  constexpr bool kDouble = sizeof(T) == 8;
  constexpr T kLeast = kDouble ? T(2.2250738585072014e-308) : T(1.17549435e-38f);
  constexpr T kMost = kDouble ? T(1.7976931348623157e308) : T(3.40282347e38f);
  constexpr T kScale = kDouble ? T(18014398509481984.0) : T(33554432.0);       // 2^54, 2^25
  constexpr T kLogScale = kDouble ? T(37.429947750237047) : T(17.328679514f);  // their logarithms
  const auto denormal = x < P(kLeast);
  const P r = simd_detail::log_of_normal<T, N>(select(denormal, x * kScale, x), P(T(0))) -
              select(denormal, P(kLogScale), P(T(0)));
  const T infinity = __builtin_inf(), nan = __builtin_nan("");
  return select((x > P(T(0))) & (x <= P(kMost)), r,
                select(x == P(T(0)), P(-infinity), select(x > P(kMost), x, P(nan))));
}

/// log(1 + a), for 1 + a in the range of normal numbers, to about one unit in the last place also at small a;
/// -inf at -1, NaN below.
template <class T, int N>
SINEW_INLINE Pack<T, N> log1p(Pack<T, N> a) {
  using P = Pack<T, N>;
  constexpr T kMost = sizeof(T) == 8 ? T(1.7976931348623157e308) : T(3.40282347e38f);
  const P x = T(1) + a;
  // What the sum dropped: exact (Knuth's two-sum).
  const P back = x - T(1);
  const P rest = (T(1) - (x - back)) + (a - back);
  const P r = simd_detail::log_of_normal<T, N>(x, rest);
  const T infinity = __builtin_inf(), nan = __builtin_nan("");
  return select((x > P(T(0))) & (x <= P(kMost)), r,
                select(x == P(T(0)), P(-infinity), select(x > P(kMost), x, P(nan))));
}

/// Cube root of a finite normal a > 0, to about one unit in the last place.
template <class T, int N>
SINEW_INLINE Pack<T, N> cbrt(Pack<T, N> a) {
  using P = Pack<T, N>;
  constexpr bool kDouble = sizeof(T) == 8;
  P k;
  const P m = simd_detail::split(a, k);
  // k = 3 q + r with r in -1, 0, 1: y = 2^r m lies in [2^-1.5, 2^1.5).
  const P magic(kDouble ? T(6755399441055744.0) : T(12582912.0));
  const P shifted = k * T(1.0 / 3.0) + magic;
  const P r = k - T(3) * (shifted - magic);
  const P y = m * select(r > P(T(0.5)), P(T(2)), select(r < P(T(-0.5)), P(T(0.5)), P(T(1))));
  // A cubic with an error of 2 %, then Halley's iteration, which cubes it; a Newton step rounds well.
  P x = T(0.4474) + y * (T(0.7278) + y * (T(-0.2099) + y * T(0.0303)));
  for (int step = 0; step < (kDouble ? 2 : 1); ++step) {
    const P cube = x * x * x;
    x = x * (cube + T(2) * y) / (T(2) * cube + y);
  }
  x = x - (x - y / (x * x)) * T(1.0 / 3.0);
  // 2^q from the last places of the shifted number.
  using Integers = typename P::Integers;
  constexpr int kMantissa = kDouble ? 52 : 23;
  constexpr typename P::Integer kBias = kDouble ? 1023 : 127;
  const Integers q = reinterpret_cast<Integers>(shifted.v) - reinterpret_cast<Integers>(magic.v);
  return x * P(reinterpret_cast<typename P::Vector>((q + kBias) << kMantissa), 0);
}

}  // namespace SINEW_SIMD

namespace detail {
template <class T, int N>
struct ScalarType<Pack<T, N>> {
  using Type = T;
};
}  // namespace detail

}  // namespace sinew
