// Compiled with AVX-512 F, DQ, VL and BW, FMA and contraction.
#define SINEW_LOCAL_KERNELS local_kernels_avx512
#define SINEW_LOCAL_NAME "AVX-512"
#include "engine/elastic/local_kernels.inc"
