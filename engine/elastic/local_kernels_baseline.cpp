#define SINEW_LOCAL_KERNELS local_kernels_baseline
#define SINEW_LOCAL_NAME "baseline"
#include "engine/elastic/local_kernels.inc"
