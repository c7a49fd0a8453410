#include "engine/contact/dense_columns.hpp"

// One body for every instruction set: elementwise multiply and add, never fused, so that all give equal bits.
#if defined(SINEW_LOCAL_AVX) && defined(__GNUC__)
#define SINEW_WIDE(set) __attribute__((target(set)))
#endif

namespace sinew {

namespace {

#define SINEW_INLINE __attribute__((always_inline)) inline

SINEW_INLINE void add_columns_body(const double* __restrict gram, std::size_t stride, const ColumnStep* step,
                                   std::size_t steps, std::size_t from, std::size_t to, double* __restrict x,
                                   double* __restrict y, double* __restrict z) {
  std::size_t k = 0;
  for (; k + 8 <= steps; k += 8) {
    const double* __restrict r[8];
    double a[8], b[8], c[8];
    for (int j = 0; j < 8; ++j) {
      r[j] = gram + step[k + j].point * stride;
      a[j] = step[k + j].change.x;
      b[j] = step[k + j].change.y;
      c[j] = step[k + j].change.z;
    }
    for (std::size_t d = from; d < to; ++d) {
      double sx = x[d], sy = y[d], sz = z[d];
#pragma GCC unroll 8
      for (int j = 0; j < 8; ++j) {
        const double g = r[j][d];
        sx += g * a[j];
        sy += g * b[j];
        sz += g * c[j];
      }
      x[d] = sx;
      y[d] = sy;
      z[d] = sz;
    }
  }
  for (; k < steps; ++k) {
    const double* __restrict r = gram + step[k].point * stride;
    const Vec3d c = step[k].change;
    for (std::size_t d = from; d < to; ++d) {
      x[d] += r[d] * c.x;
      y[d] += r[d] * c.y;
      z[d] += r[d] * c.z;
    }
  }
}

SINEW_INLINE void subtract_rows_body(const double* __restrict rows, std::size_t stride, std::size_t count,
                                     double* __restrict target, std::size_t from, std::size_t to,
                                     const double* __restrict factor, std::size_t factor_stride) {
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8) {
    const double* __restrict r = rows + k * stride;
    double f[8];
    for (int j = 0; j < 8; ++j) f[j] = factor[(k + j) * factor_stride];
    for (std::size_t i = from; i < to; ++i) {
      double t = target[i];
      t -= f[0] * r[i];
      t -= f[1] * r[stride + i];
      t -= f[2] * r[2 * stride + i];
      t -= f[3] * r[3 * stride + i];
      t -= f[4] * r[4 * stride + i];
      t -= f[5] * r[5 * stride + i];
      t -= f[6] * r[6 * stride + i];
      t -= f[7] * r[7 * stride + i];
      target[i] = t;
    }
  }
  for (; k < count; ++k) {
    const double* __restrict r = rows + k * stride;
    const double f = factor[k * factor_stride];
    for (std::size_t i = from; i < to; ++i) target[i] -= f * r[i];
  }
}

struct Kernels {
  decltype(&sinew::add_columns) add_columns;
  decltype(&sinew::subtract_rows) subtract_rows;
};

#define SINEW_KERNELS(name, attribute)                                                                  \
  attribute void add_columns_##name(const double* g, std::size_t n, const ColumnStep* s, std::size_t c, \
                                    std::size_t a, std::size_t b, double* x, double* y, double* z) {    \
    add_columns_body(g, n, s, c, a, b, x, y, z);                                                        \
  }                                                                                                     \
  attribute void subtract_rows_##name(const double* r, std::size_t n, std::size_t c, double* t,         \
                                      std::size_t a, std::size_t b, const double* f, std::size_t m) {   \
    subtract_rows_body(r, n, c, t, a, b, f, m);                                                         \
  }

SINEW_KERNELS(baseline, )
#ifdef SINEW_WIDE
SINEW_KERNELS(avx2, SINEW_WIDE("avx2"))
SINEW_KERNELS(avx512, SINEW_WIDE("avx512f,prefer-vector-width=512"))
#endif

const Kernels& kernels() {
  static const Kernels best = [] {
#ifdef SINEW_WIDE
    if (__builtin_cpu_supports("avx512f")) return Kernels{add_columns_avx512, subtract_rows_avx512};
    if (__builtin_cpu_supports("avx2")) return Kernels{add_columns_avx2, subtract_rows_avx2};
#endif
    return Kernels{add_columns_baseline, subtract_rows_baseline};
  }();
  return best;
}

}  // namespace

void add_columns(const double* gram, std::size_t stride, const ColumnStep* step, std::size_t steps,
                 std::size_t from, std::size_t to, double* x, double* y, double* z) {
  kernels().add_columns(gram, stride, step, steps, from, to, x, y, z);
}

void subtract_rows(const double* rows, std::size_t stride, std::size_t count, double* target,
                   std::size_t from, std::size_t to, const double* factor, std::size_t factor_stride) {
  kernels().subtract_rows(rows, stride, count, target, from, to, factor, factor_stride);
}

}  // namespace sinew
