// Marks and integer type shared by every layer; usable by C++ and CUDA compilers.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define SINEW_HD __host__ __device__
#else
#define SINEW_HD
#endif

namespace sinew {

/// Signed 32-bit index of nodes, elements and contacts.
using Index = std::int32_t;

}  // namespace sinew
