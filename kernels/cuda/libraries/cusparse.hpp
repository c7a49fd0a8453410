// cuSPARSE: its functions, the check of their status, handles and descriptors that free themselves.
#pragma once

#include <string>
#include <utility>

#include <cusparse.h>

#include "kernels/cuda/libraries/loaded_library.hpp"

namespace sinew {

#define SINEW_CUSPARSE_FUNCTIONS(X)                                                                         \
  X(cusparseCreate)                                                                                         \
  X(cusparseDestroy)                                                                                        \
  X(cusparseGetVersion)                                                                                     \
  X(cusparseGetErrorName)                                                                                   \
  X(cusparseGetErrorString)                                                                                 \
  X(cusparseSetStream)                                                                                      \
  X(cusparseCreateCsr)                                                                                      \
  X(cusparseCreateConstCsr)                                                                                 \
  X(cusparseDestroySpMat)                                                                                   \
  X(cusparseSpMatGetSize)                                                                                   \
  X(cusparseCsrSetPointers) X(cusparseCreateDnVec) X(cusparseCreateConstDnVec) X(cusparseDestroyDnVec)      \
      X(cusparseCreateDnMat) X(cusparseCreateConstDnMat) X(cusparseDestroyDnMat) X(cusparseSpMV_bufferSize) \
          X(cusparseSpMV) X(cusparseSpMM_bufferSize) X(cusparseSpMM_preprocess) X(cusparseSpMM)             \
              X(cusparseSpGEMM_createDescr) X(cusparseSpGEMM_destroyDescr) X(cusparseSpGEMM_workEstimation) \
                  X(cusparseSpGEMM_getNumProducts) X(cusparseSpGEMM_estimateMemory)                         \
                      X(cusparseSpGEMM_compute) X(cusparseSpGEMM_copy) X(cusparseCsr2cscEx2_bufferSize)     \
                          X(cusparseCsr2cscEx2) X(cusparseSparseToDense_bufferSize) X(cusparseSparseToDense)

/// Pointers to the functions of the loaded library, by their own names.
struct CusparseFunctions {
#define SINEW_MEMBER(name) decltype(&::name) name = nullptr;
  SINEW_CUSPARSE_FUNCTIONS(SINEW_MEMBER)
#undef SINEW_MEMBER
};

const LoadedLibrary& cusparse_library();
/// @throws BackendError where the library or one of the functions is missing.
const CusparseFunctions& cusparse();
/// @throws BackendError: "cusparseSpMM: CUSPARSE_STATUS_INVALID_VALUE (...), where"
void check_cusparse(const char* call, cusparseStatus_t status, const std::string& where);

/// SINEW_CUSPARSE(cusparseSpMM, (arguments), "product with 3 columns")
#define SINEW_CUSPARSE(call, arguments, where) \
  ::sinew::check_cusparse(#call, ::sinew::cusparse().call arguments, where)

/// Owns a handle or descriptor. Destroy: the member of CusparseFunctions that frees it.
template <class Handle, auto Destroy>
class CusparseOwner {
 public:
  CusparseOwner() = default;
  CusparseOwner(CusparseOwner&& other) noexcept { std::swap(handle_, other.handle_); }
  CusparseOwner& operator=(CusparseOwner&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~CusparseOwner() {
    if (handle_) (cusparse().*Destroy)(handle_);
  }
  Handle* put() { return &handle_; }
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using CusparseHandle = CusparseOwner<cusparseHandle_t, &CusparseFunctions::cusparseDestroy>;
using ConstSparse = CusparseOwner<cusparseConstSpMatDescr_t, &CusparseFunctions::cusparseDestroySpMat>;
using Sparse = CusparseOwner<cusparseSpMatDescr_t, &CusparseFunctions::cusparseDestroySpMat>;
using ConstVector = CusparseOwner<cusparseConstDnVecDescr_t, &CusparseFunctions::cusparseDestroyDnVec>;
using Vector = CusparseOwner<cusparseDnVecDescr_t, &CusparseFunctions::cusparseDestroyDnVec>;
using ConstDense = CusparseOwner<cusparseConstDnMatDescr_t, &CusparseFunctions::cusparseDestroyDnMat>;
using Dense = CusparseOwner<cusparseDnMatDescr_t, &CusparseFunctions::cusparseDestroyDnMat>;
using SparseProduct = CusparseOwner<cusparseSpGEMMDescr_t, &CusparseFunctions::cusparseSpGEMM_destroyDescr>;

}  // namespace sinew
