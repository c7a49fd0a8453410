#include "engine/elastic/column_kernels.hpp"

namespace sinew {

const ColumnKernels& column_kernels_baseline();
#if defined(SINEW_LOCAL_AVX)
const ColumnKernels& column_kernels_avx2();
const ColumnKernels& column_kernels_avx512();
#endif

const ColumnKernels& column_kernels(InstructionSet set) {
#if defined(SINEW_LOCAL_AVX)
  if (set == InstructionSet::avx512) return column_kernels_avx512();
  if (set == InstructionSet::avx2) return column_kernels_avx2();
#endif
  (void)set;
  return column_kernels_baseline();
}

const ColumnKernels& column_kernels() {
  static const ColumnKernels& best = column_kernels(available(InstructionSet::avx512) ? InstructionSet::avx512
                                                    : available(InstructionSet::avx2) ? InstructionSet::avx2
                                                                                      : InstructionSet::baseline);
  return best;
}

}  // namespace sinew
