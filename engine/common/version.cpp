#include <sinew/version.hpp>

namespace sinew {

const char* version_string() {
  return SINEW_VERSION " (" SINEW_FACTOR_LIBRARY ", " SINEW_CUDA_STATE ")";
}

}  // namespace sinew
