// Compiled with AVX2, FMA and contraction: a sum += product is one fused instruction, always the same one.
#define SINEW_LOCAL_KERNELS local_kernels_avx2
#define SINEW_LOCAL_NAME "AVX2, FMA"
#include "engine/elastic/local_kernels.inc"
