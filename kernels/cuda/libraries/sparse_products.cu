// SpGEMM, transposes, and dense copies of sparse matrices.
#include "kernels/cuda/libraries/sparse.cuh"

namespace sinew {

namespace {

constexpr cusparseOperation_t kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr double kOne = 1.0, kZero = 0.0;
// The form that works in chunks: all products at once (16 bytes each, the square of the row lengths of a
// dense result) would not fit any device.
constexpr cusparseSpGEMMAlg_t kProductForm = CUSPARSE_SPGEMM_ALG3;
constexpr std::int64_t kMostProducts = 200000000;  // of a chunk

DeviceCsr make_csr(CudaQueue& queue, Index rows, Index columns, std::size_t entries) {
  DeviceCsr a;
  a.rows = rows;
  a.columns = columns;
  a.row_start = DeviceBuffer<Index>(queue.device(), static_cast<std::size_t>(rows) + 1, "sparse product");
  a.column = DeviceBuffer<Index>(queue.device(), entries, "sparse product");
  a.value = DeviceBuffer<double>(queue.device(), entries, "sparse product");
  if (entries == 0) {
    queue.clear(a.row_start.view());
    queue.synchronize();
  }
  return a;
}

}  // namespace

DeviceCsr multiply_sparse(CudaQueue& queue, cusparseHandle_t handle, const CsrView<double>& a,
                          const CsrView<double>& b) {
  if (a.value.size == 0 || b.value.size == 0) return make_csr(queue, a.rows, b.columns, 0);
  const std::string where =
      "product of " + std::to_string(a.value.size) + " with " + std::to_string(b.value.size) + " entries";
  const ConstSparse left = describe(a), right = describe(b);
  DeviceCsr c;
  c.rows = a.rows;
  c.columns = b.columns;
  c.row_start = DeviceBuffer<Index>(queue.device(), static_cast<std::size_t>(a.rows) + 1, "sparse product");
  Sparse result;
  SINEW_CUSPARSE(cusparseCreateCsr,
                 (result.put(), a.rows, b.columns, 0, c.row_start.data(), nullptr, nullptr,
                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
                 where);
  SparseProduct product;
  SINEW_CUSPARSE(cusparseSpGEMM_createDescr, (product.put()), where);
  queue.begin_call("cusparseSpGEMM");
  std::size_t bytes = 0;
  const auto look = [&](void* space) {
    SINEW_CUSPARSE(cusparseSpGEMM_workEstimation,
                   (handle, kPlain, kPlain, &kOne, left, right, &kZero, result, CUDA_R_64F, kProductForm,
                    product, &bytes, space),
                   where);
  };
  look(nullptr);
  DeviceBuffer<char> first(queue.device(), bytes, "cuSPARSE SpGEMM");
  look(first.data());
  std::int64_t products = 0;
  SINEW_CUSPARSE(cusparseSpGEMM_getNumProducts, (product, &products), where);
  const float share =
      products > kMostProducts ? static_cast<float>(kMostProducts) / static_cast<float>(products) : 1.0f;
  std::size_t compute_bytes = 0;
  const auto estimate = [&](void* space, std::size_t* needed) {
    SINEW_CUSPARSE(cusparseSpGEMM_estimateMemory,
                   (handle, kPlain, kPlain, &kOne, left, right, &kZero, result, CUDA_R_64F, kProductForm,
                    product, share, &bytes, space, needed),
                   where);
  };
  estimate(nullptr, nullptr);
  DeviceBuffer<char> third(queue.device(), bytes, "cuSPARSE SpGEMM");
  estimate(third.data(), &compute_bytes);
  queue.synchronize();
  third = {};
  DeviceBuffer<char> second(queue.device(), compute_bytes, "cuSPARSE SpGEMM");
  SINEW_CUSPARSE(cusparseSpGEMM_compute,
                 (handle, kPlain, kPlain, &kOne, left, right, &kZero, result, CUDA_R_64F, kProductForm,
                  product, &compute_bytes, second.data()),
                 where);
  std::int64_t rows = 0, columns = 0, entries = 0;
  SINEW_CUSPARSE(cusparseSpMatGetSize, (result, &rows, &columns, &entries), where);
  c.column = DeviceBuffer<Index>(queue.device(), static_cast<std::size_t>(entries), "sparse product");
  c.value = DeviceBuffer<double>(queue.device(), static_cast<std::size_t>(entries), "sparse product");
  SINEW_CUSPARSE(cusparseCsrSetPointers, (result, c.row_start.data(), c.column.data(), c.value.data()),
                 where);
  SINEW_CUSPARSE(
      cusparseSpGEMM_copy,
      (handle, kPlain, kPlain, &kOne, left, right, &kZero, result, CUDA_R_64F, kProductForm, product), where);
  queue.synchronize();  // before the workspaces go
  return c;
}

DeviceCsr transpose_sparse(CudaQueue& queue, cusparseHandle_t handle, const CsrView<double>& a) {
  DeviceCsr c = make_csr(queue, a.columns, a.rows, a.value.size);
  if (a.value.size == 0) return c;
  const std::string where = "transpose of " + std::to_string(a.value.size) + " entries";
  const int entries = static_cast<int>(a.value.size);
  queue.begin_call("cusparseCsr2cscEx2");
  std::size_t bytes = 0;
  SINEW_CUSPARSE(cusparseCsr2cscEx2_bufferSize,
                 (handle, a.rows, a.columns, entries, a.value.data, a.row_start.data, a.column.data,
                  c.value.data(), c.row_start.data(), c.column.data(), CUDA_R_64F, CUSPARSE_ACTION_NUMERIC,
                  CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes),
                 where);
  DeviceBuffer<char> space(queue.device(), bytes, "cuSPARSE transpose");
  SINEW_CUSPARSE(cusparseCsr2cscEx2,
                 (handle, a.rows, a.columns, entries, a.value.data, a.row_start.data, a.column.data,
                  c.value.data(), c.row_start.data(), c.column.data(), CUDA_R_64F, CUSPARSE_ACTION_NUMERIC,
                  CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, space.data()),
                 where);
  queue.synchronize();
  return c;
}

void make_dense(CudaQueue& queue, cusparseHandle_t handle, const CsrView<double>& a, View<double> to) {
  if (a.value.size == 0) {
    queue.clear(to);
    return queue.synchronize();
  }
  const std::string where = "dense " + std::to_string(a.rows) + " x " + std::to_string(a.columns) + " matrix";
  const ConstSparse matrix = describe(a);
  Dense dense;
  SINEW_CUSPARSE(cusparseCreateDnMat,
                 (dense.put(), a.rows, a.columns, a.rows, to.data, CUDA_R_64F, CUSPARSE_ORDER_COL), where);
  queue.begin_call("cusparseSparseToDense");
  std::size_t bytes = 0;
  SINEW_CUSPARSE(cusparseSparseToDense_bufferSize,
                 (handle, matrix, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes), where);
  DeviceBuffer<char> space(queue.device(), bytes, "cuSPARSE dense copy");
  SINEW_CUSPARSE(cusparseSparseToDense,
                 (handle, matrix, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, space.data()), where);
  queue.synchronize();
}

}  // namespace sinew
