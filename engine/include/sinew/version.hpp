// Version of the library; follows semantic versioning.
#pragma once

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0
#define SINEW_VERSION "0.1.0"

namespace sinew {

/// "0.1.0 (CHOLMOD 3.0.14, no CUDA)": version and what was built in.
const char* version_string();

}  // namespace sinew
