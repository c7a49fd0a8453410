// Bodies of the operations between calls of a dense library.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/dense_ops.hpp"

namespace sinew {

struct QuotientKernel {
  const double *a, *b;
  double* to;
  SINEW_HD void operator()(std::size_t) const {
    const double q = *b != 0.0 ? *a / *b : 0.0;
    to[0] = q;
    to[1] = -q;
  }
};

struct ScaleSymmetricKernel {
  const double *w, *s, *e;
  std::size_t n;
  double* to;
  SINEW_HD void operator()(std::size_t k) const {
    const std::size_t i = k / n, j = k % n;
    const double v = s[i] * w[k] * s[j];
    to[k] = i == j ? v + e[i] : v;
  }
};

namespace op {

template <class Queue>
void quotient(Queue& queue, View<const double> a, View<const double> b, View<double> to) {
  queue.for_each(1, QuotientKernel{a.data, b.data, to.data});
}

template <class Queue>
void scale_symmetric(Queue& queue, View<const double> w, View<const double> s, View<const double> e,
                     View<double> to) {
  queue.for_each(to.size, ScaleSymmetricKernel{w.data, s.data, e.data, s.size, to.data});
}

}  // namespace op

}  // namespace sinew
