// Status checks of CUDA calls. Only kernels/cuda includes this.
#pragma once

#include <string>

#include <cuda_runtime.h>

#include <sinew/errors.hpp>

namespace sinew {

/// "cudaMemcpyAsync: cudaErrorInvalidValue (invalid argument), copy to the host"
inline std::string cuda_failure(const char* call, cudaError_t status, const std::string& where) {
  std::string text =
      std::string(call) + ": " + cudaGetErrorName(status) + " (" + cudaGetErrorString(status) + ")";
  return where.empty() ? text : text + ", " + where;
}

/// @throws BackendError
inline void check_cuda(const char* call, cudaError_t status, const std::string& where = {}) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // it was told; errors that are not sticky must not be found by the next call
  throw BackendError(cuda_failure(call, status, where));
}

}  // namespace sinew

/// SINEW_CUDA(cudaStreamCreate, (&stream)) or with where: SINEW_CUDA(cudaMalloc, (&p, n), "staged inverse")
#define SINEW_CUDA(call, arguments, ...) ::sinew::check_cuda(#call, call arguments __VA_OPT__(, ) __VA_ARGS__)
