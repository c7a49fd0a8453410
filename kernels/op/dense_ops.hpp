// What is left to do between the calls of a dense library, so that nothing comes to the host.
#pragma once

#include <cstddef>

#include "kernels/device/view.hpp"

namespace sinew {

class DenseOps {
 public:
  virtual ~DenseOps() = default;

  /// to[0] = a[0] / b[0], 0 where b[0] is 0, and to[1] = -to[0]: the scalars of conjugate directions.
  virtual void quotient(View<const double> a, View<const double> b, View<double> to) = 0;
  /// to = S W S + E for diagonal S and E, {n}; w, to {n, n}, may be the same.
  virtual void scale_symmetric(View<const double> w, View<const double> s, View<const double> e,
                               View<double> to) = 0;
};

}  // namespace sinew
