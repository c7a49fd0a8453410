// Parameters of the isotropic materials; every material takes the same ones and uses what it needs.
#pragma once

#include <sinew/base/config.hpp>

namespace sinew {

template <class S>
struct ElasticParameters {
  S shear_modulus{};        ///< mu [Pa], > 0
  S first_lame{};           ///< lambda [Pa], >= 0
  S mooney_ratio = S(0.2);  ///< share of mu in the second invariant [1], in [0, 1]; Mooney-Rivlin only
};

}  // namespace sinew
