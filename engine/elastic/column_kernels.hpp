// Products of many columns of numbers with one or two others, and sums of columns: what L-BFGS does with its
// pairs, which do not fit into the nearer caches. One source, column_kernels.inc, is compiled for the
// instruction sets of local_kernels.hpp, and the best that the processor has is taken at run time. The number
// of threads plays no part: callers go by chunks that the size fixes.
#pragma once

#include <cstddef>

#include "engine/elastic/local_kernels.hpp"

namespace sinew {

struct ColumnKernels {
  /// sum[k] = column[k] . x over [begin, end), k < count.
  void (*dot)(const double* const* column, std::size_t count, const double* x, std::size_t begin,
              std::size_t end, double* sum);
  /// The same with x and y in one pass over the columns: sum[2 k] and sum[2 k + 1].
  void (*dot_two)(const double* const* column, std::size_t count, const double* x, const double* y,
                  std::size_t begin, std::size_t end, double* sum);
  /// to += sum_k weight[k] column[k] over [begin, end), columns in order.
  void (*add)(const double* const* column, std::size_t count, const double* weight, std::size_t begin,
              std::size_t end, double* to);
};

/// Of an available set.
const ColumnKernels& column_kernels(InstructionSet set);
/// The best available; the same answer always.
const ColumnKernels& column_kernels();

}  // namespace sinew
