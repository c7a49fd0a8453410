#include "kernels/cuda/libraries/cusparse.hpp"

#include <sinew/errors.hpp>

namespace sinew {

const LoadedLibrary& cusparse_library() {
  static const LoadedLibrary library("cuSPARSE", "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR));
  return library;
}

const CusparseFunctions& cusparse() {
  static const CusparseFunctions functions = [] {
    CusparseFunctions f;
#define SINEW_LOAD(name) f.name = reinterpret_cast<decltype(f.name)>(cusparse_library().function(#name));
    SINEW_CUSPARSE_FUNCTIONS(SINEW_LOAD)
#undef SINEW_LOAD
    return f;
  }();
  return functions;
}

void check_cusparse(const char* call, cusparseStatus_t status, const std::string& where) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw BackendError(std::string(call) + ": " + cusparse().cusparseGetErrorName(status) + " (" +
                     cusparse().cusparseGetErrorString(status) + "), " + where);
}

}  // namespace sinew
