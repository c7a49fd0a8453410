#include "host/staged_kernels.hpp"

#define SINEW_STAGED_KERNELS staged_kernels_baseline
#include "host/staged_kernels.inc"

namespace sinew {

namespace {
bool has_avx2() {
#if defined(SINEW_STAGED_AVX2)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}
}  // namespace

template <class T>
const StagedKernels<T>& staged_kernels() {
#if defined(SINEW_STAGED_AVX2)
  if (has_avx2()) return staged_kernels_avx2<T>();
#endif
  return staged_kernels_baseline<T>();
}
template const StagedKernels<double>& staged_kernels<double>();
template const StagedKernels<float>& staged_kernels<float>();

const char* staged_kernels_name() {
  return has_avx2() ? "AVX2, FMA" : "baseline";
}

}  // namespace sinew
