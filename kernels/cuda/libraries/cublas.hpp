// cuBLAS: its functions, the check of their status, a handle that frees itself.
#pragma once

#include <string>

#include <cublas_v2.h>

#include "kernels/cuda/libraries/loaded_library.hpp"

namespace sinew {

#define SINEW_CUBLAS_FUNCTIONS(X) \
  X(cublasCreate_v2)              \
  X(cublasDestroy_v2)             \
  X(cublasGetVersion_v2)          \
  X(cublasGetStatusName)          \
  X(cublasGetStatusString)        \
  X(cublasSetStream_v2)           \
  X(cublasSetWorkspace_v2)        \
  X(cublasSetPointerMode_v2)      \
  X(cublasDdot_v2) X(cublasDnrm2_v2) X(cublasDaxpy_v2) X(cublasDscal_v2) X(cublasDgemv_v2) X(cublasDgemm_v2)

/// Pointers to the functions of the loaded library, by their own names.
struct CublasFunctions {
#define SINEW_MEMBER(name) decltype(&::name) name = nullptr;
  SINEW_CUBLAS_FUNCTIONS(SINEW_MEMBER)
#undef SINEW_MEMBER
};

const LoadedLibrary& cublas_library();
/// @throws BackendError where the library or one of the functions is missing.
const CublasFunctions& cublas();
/// @throws BackendError: "cublasDdot_v2: CUBLAS_STATUS_INVALID_VALUE (...), where"
void check_cublas(const char* call, cublasStatus_t status, const std::string& where);

/// SINEW_CUBLAS(cublasDdot_v2, (arguments), "dot product")
#define SINEW_CUBLAS(call, arguments, where) \
  ::sinew::check_cublas(#call, ::sinew::cublas().call arguments, where)

class CublasHandle {
 public:
  CublasHandle() { SINEW_CUBLAS(cublasCreate_v2, (&handle_), "handle"); }
  ~CublasHandle() { cublas().cublasDestroy_v2(handle_); }
  CublasHandle(const CublasHandle&) = delete;
  CublasHandle& operator=(const CublasHandle&) = delete;
  operator cublasHandle_t() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace sinew
