// Compiled with the options of local_kernels_avx512.cpp.
#define SINEW_COLUMN_KERNELS column_kernels_avx512
#include "engine/elastic/column_kernels.inc"
