// Compiled with AVX2, FMA and contraction: a sum += product is one fused instruction, always the same one.
#include "host/staged_kernels.hpp"

#define SINEW_STAGED_KERNELS staged_kernels_avx2
#include "host/staged_kernels.inc"
