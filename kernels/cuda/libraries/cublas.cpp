#include "kernels/cuda/libraries/cublas.hpp"

#include <sinew/errors.hpp>

namespace sinew {

const LoadedLibrary& cublas_library() {
  static const LoadedLibrary library("cuBLAS", "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));
  return library;
}

const CublasFunctions& cublas() {
  static const CublasFunctions functions = [] {
    CublasFunctions f;
#define SINEW_LOAD(name) f.name = reinterpret_cast<decltype(f.name)>(cublas_library().function(#name));
    SINEW_CUBLAS_FUNCTIONS(SINEW_LOAD)
#undef SINEW_LOAD
    return f;
  }();
  return functions;
}

void check_cublas(const char* call, cublasStatus_t status, const std::string& where) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw BackendError(std::string(call) + ": " + cublas().cublasGetStatusName(status) + " (" +
                     cublas().cublasGetStatusString(status) + "), " + where);
}

}  // namespace sinew
