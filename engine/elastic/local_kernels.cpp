#include "engine/elastic/local_kernels.hpp"

namespace sinew {

namespace local_kernels_baseline {
const LocalKernels<double>& doubles();
const LocalKernels<float>& floats();
}  // namespace local_kernels_baseline
#if defined(SINEW_LOCAL_AVX)
namespace local_kernels_avx2 {
const LocalKernels<double>& doubles();
const LocalKernels<float>& floats();
}  // namespace local_kernels_avx2
namespace local_kernels_avx512 {
const LocalKernels<double>& doubles();
const LocalKernels<float>& floats();
}  // namespace local_kernels_avx512
#endif

int material_number(MaterialKind kind, int corners) {
  if (corners != 3) return static_cast<int>(kind);
  int number = 0;
  for (const MaterialKind k : kTriangleMaterialKinds) {
    if (k == kind) return number;
    ++number;
  }
  return number - 1;  // as with_triangle_material()
}

bool available(InstructionSet set) {
#if defined(SINEW_LOCAL_AVX)
  switch (set) {
    case InstructionSet::baseline:
      return true;
    case InstructionSet::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case InstructionSet::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
#endif
  return set == InstructionSet::baseline;
}

template <class T>
const LocalKernels<T>& local_kernels(InstructionSet set) {
  constexpr bool kDouble = sizeof(T) == 8;
  (void)set;
#if defined(SINEW_LOCAL_AVX)
  if constexpr (kDouble) {
    if (set == InstructionSet::avx512) return local_kernels_avx512::doubles();
    if (set == InstructionSet::avx2) return local_kernels_avx2::doubles();
  } else {
    if (set == InstructionSet::avx512) return local_kernels_avx512::floats();
    if (set == InstructionSet::avx2) return local_kernels_avx2::floats();
  }
#endif
  if constexpr (kDouble)
    return local_kernels_baseline::doubles();
  else
    return local_kernels_baseline::floats();
}

template <class T>
const LocalKernels<T>& local_kernels() {
  static const LocalKernels<T>& best =
      available(InstructionSet::avx512) ? local_kernels<T>(InstructionSet::avx512)
      : available(InstructionSet::avx2) ? local_kernels<T>(InstructionSet::avx2)
                                        : local_kernels<T>(InstructionSet::baseline);
  return best;
}

template const LocalKernels<double>& local_kernels<double>(InstructionSet);
template const LocalKernels<float>& local_kernels<float>(InstructionSet);
template const LocalKernels<double>& local_kernels<double>();
template const LocalKernels<float>& local_kernels<float>();

}  // namespace sinew
