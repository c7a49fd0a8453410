// Compiled as everything else.
#define SINEW_COLUMN_KERNELS column_kernels_baseline
#include "engine/elastic/column_kernels.inc"
