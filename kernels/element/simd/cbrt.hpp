// Cube root of packs.
#pragma once

#include "kernels/element/simd/pack.hpp"

namespace sinew {
inline namespace SINEW_SIMD {

/// Cube root of finite normal numbers > 0, to three units in the last place; anything else gives a number
/// without meaning. x = 8^k z with z in [2^-1.5, 2^1.5), then Halley's iteration y -= y (y^3 - z) / (2 y^3 +
/// z), whose error goes as 2/3 of its cube: from 8 % to 3e-4, to 2e-11, to rounding.
template <class T, int N>
SINEW_INLINE Pack<T, N> cbrt(Pack<T, N> x) {
  using P = Pack<T, N>;
  using Vector = typename P::Vector;
  using Integers = typename P::Integers;
  using Unsigned = typename simd_detail::VectorOf<std::make_unsigned_t<typename P::Integer>, N>::Type;
  constexpr bool kDouble = sizeof(T) == 8;
  constexpr int kMantissa = kDouble ? 52 : 23;
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)), as in log; kRoot: bits of sqrt(1/2).
  constexpr typename P::Integer kRoot = kDouble ? static_cast<typename P::Integer>(0x3FE6A09E667F3BCD)
                                                : static_cast<typename P::Integer>(0x3F3504F3);
  constexpr typename P::Integer kRaise = kDouble ? 1024 : 128;
  const Integers bits = reinterpret_cast<Integers>(x.v);
  const Integers root = Integers{} + kRoot, raise = Integers{} + kRaise;
  const auto raised = (reinterpret_cast<Unsigned>(bits) - reinterpret_cast<Unsigned>(root) +
                       (reinterpret_cast<Unsigned>(raise) << kMantissa)) >>
                      kMantissa;
  const Integers exponent = reinterpret_cast<Integers>(raised) - kRaise;
  const P m(reinterpret_cast<Vector>(
                bits - reinterpret_cast<Integers>(reinterpret_cast<Unsigned>(exponent) << kMantissa)),
            0);
  // Integers as numbers and back, by the last places of 1.5 * 2^mantissa.
  const P magic(kDouble ? T(6755399441055744.0) : T(12582912.0));
  const Integers magic_bits = reinterpret_cast<Integers>(magic.v);
  const P e = P(reinterpret_cast<Vector>(magic_bits + exponent), 0) - magic;
  const P rounded = e * T(1.0 / 3.0) + magic;  // k = the integer nearest to e / 3
  const Integers k = reinterpret_cast<Integers>(rounded.v) - magic_bits;
  const P rest = e - T(3) * (rounded - magic);  // -1, 0 or 1
  const P z = m * select(rest < P(T(-0.5)), P(T(0.5)), select(rest > P(T(0.5)), P(T(2)), P(T(1))));
  P y = T(0.66) + T(0.2857) * z;
  for (int step = 0; step < (kDouble ? 3 : 2); ++step) {
    const P cube = y * y * y;
    y -= y * ((cube - z) / (T(2) * cube + z));
  }
  return P(reinterpret_cast<Vector>(reinterpret_cast<Integers>(y.v) +
                                    reinterpret_cast<Integers>(reinterpret_cast<Unsigned>(k) << kMantissa)),
           0);
}

}  // namespace SINEW_SIMD
}  // namespace sinew
