// Products with sparse matrices by cuSPARSE. Only .cu files include this.
#pragma once

#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/cuda/libraries/cusparse.hpp"
#include "kernels/device/libraries.hpp"

namespace sinew {

template <class T>
constexpr cudaDataType cuda_type() {
  return sizeof(T) == sizeof(double) ? CUDA_R_64F : CUDA_R_32F;
}

/// Descriptor of borrowed rows.
template <class T>
ConstSparse describe(const CsrView<T>& a) {
  ConstSparse matrix;
  SINEW_CUSPARSE(cusparseCreateConstCsr,
                 (matrix.put(), a.rows, a.columns, static_cast<std::int64_t>(a.value.size), a.row_start.data,
                  a.column.data, a.value.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                  CUSPARSE_INDEX_BASE_ZERO, cuda_type<T>()),
                 "matrix by rows");
  return matrix;
}

/// See DeviceLibraries.
template <class T>
std::unique_ptr<LibraryMatrix<T>> prepare_matrix(CudaQueue& queue, cusparseHandle_t handle,
                                                 const CsrView<T>& a);
DeviceCsr multiply_sparse(CudaQueue& queue, cusparseHandle_t handle, const CsrView<double>& a,
                          const CsrView<double>& b);
DeviceCsr transpose_sparse(CudaQueue& queue, cusparseHandle_t handle, const CsrView<double>& a);
void make_dense(CudaQueue& queue, cusparseHandle_t handle, const CsrView<double>& a, View<double> to);

}  // namespace sinew
