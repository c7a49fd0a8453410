// SpMV and SpMM. Matrices without rows or entries never reach the library, which knows no null pointers.
#include <sinew/errors.hpp>

#include "kernels/cuda/libraries/sparse.cuh"

namespace sinew {

namespace {

constexpr cusparseOperation_t kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
// Of the forms for blocks stored row after row the fast one; its bits may differ from run to run.
constexpr cusparseSpMMAlg_t kBlockForm = CUSPARSE_SPMM_CSR_ALG2;
constexpr cusparseSpMVAlg_t kVectorForm = CUSPARSE_SPMV_ALG_DEFAULT;

template <class T>
class CudaMatrix final : public LibraryMatrix<T> {
 public:
  CudaMatrix(CudaQueue& queue, cusparseHandle_t handle, const CsrView<T>& a)
      : queue_(queue), handle_(handle), a_(a) {
    if (empty()) return;
    matrix_ = describe(a);
    // Only for the size of the workspaces, and to look at the matrix ahead of the products.
    DeviceBuffer<T> x(queue.device(), 3 * static_cast<std::size_t>(a.columns), "cuSPARSE"),
        to(queue.device(), 3 * static_cast<std::size_t>(a.rows), "cuSPARSE");
    queue.clear(x.view());
    std::size_t bytes = 0;
    SINEW_CUSPARSE(cusparseSpMV_bufferSize,
                   (handle_, kPlain, &kOne, matrix_, from(x.data()), &kZero, into(to.data()), cuda_type<T>(),
                    kVectorForm, &bytes),
                   "size of the workspace");
    vector_space_ = DeviceBuffer<char>(queue.device(), bytes, "cuSPARSE SpMV");
    SINEW_CUSPARSE(cusparseSpMM_bufferSize,
                   (handle_, kPlain, kPlain, &kOne, matrix_, block_from(x.data()), &kZero,
                    block_into(to.data()), cuda_type<T>(), kBlockForm, &bytes),
                   "size of the workspace");
    block_space_ = DeviceBuffer<char>(queue.device(), bytes, "cuSPARSE SpMM");
    SINEW_CUSPARSE(cusparseSpMM_preprocess,
                   (handle_, kPlain, kPlain, &kOne, matrix_, block_from(x.data()), &kZero,
                    block_into(to.data()), cuda_type<T>(), kBlockForm, block_space_.data()),
                   "matrix of " + std::to_string(a.value.size) + " entries");
    queue.synchronize();
  }

  void multiply(View<const Vec3<T>> x, View<Vec3<T>> to, T factor, T keep) override {
    if (empty()) {
      if (keep == T(0)) return queue_.clear(to);
      if (keep == T(1)) return;
      throw BackendError("cuSPARSE: a matrix without entries cannot scale what was there");
    }
    queue_.begin_call("cusparseSpMM");
    SINEW_CUSPARSE(cusparseSpMM,
                   (handle_, kPlain, kPlain, &factor, matrix_, block_from(&x.data->x), &keep,
                    block_into(&to.data->x), cuda_type<T>(), kBlockForm, block_space_.data()),
                   size());
  }
  void multiply(View<const T> x, View<T> to) override {
    if (empty()) return queue_.clear(to);
    queue_.begin_call("cusparseSpMV");
    SINEW_CUSPARSE(cusparseSpMV,
                   (handle_, kPlain, &kOne, matrix_, from(x.data), &kZero, into(to.data), cuda_type<T>(),
                    kVectorForm, vector_space_.data()),
                   size());
  }

 private:
  static constexpr T kOne = 1, kZero = 0;

  bool empty() const { return a_.rows == 0 || a_.columns == 0 || a_.value.size == 0; }
  std::string size() const {
    return std::to_string(a_.rows) + " x " + std::to_string(a_.columns) + " matrix of " +
           std::to_string(a_.value.size) + " entries";
  }
  ConstVector from(const T* x) const {
    ConstVector v;
    SINEW_CUSPARSE(cusparseCreateConstDnVec, (v.put(), a_.columns, x, cuda_type<T>()), "vector");
    return v;
  }
  Vector into(T* to) const {
    Vector v;
    SINEW_CUSPARSE(cusparseCreateDnVec, (v.put(), a_.rows, to, cuda_type<T>()), "vector");
    return v;
  }
  ConstDense block_from(const T* x) const {
    ConstDense v;
    SINEW_CUSPARSE(cusparseCreateConstDnMat,
                   (v.put(), a_.columns, 3, 3, x, cuda_type<T>(), CUSPARSE_ORDER_ROW), "n x 3 block");
    return v;
  }
  Dense block_into(T* to) const {
    Dense v;
    SINEW_CUSPARSE(cusparseCreateDnMat, (v.put(), a_.rows, 3, 3, to, cuda_type<T>(), CUSPARSE_ORDER_ROW),
                   "n x 3 block");
    return v;
  }

  CudaQueue& queue_;
  cusparseHandle_t handle_;
  CsrView<T> a_;
  ConstSparse matrix_;
  DeviceBuffer<char> vector_space_, block_space_;
};

}  // namespace

template <class T>
std::unique_ptr<LibraryMatrix<T>> prepare_matrix(CudaQueue& queue, cusparseHandle_t handle,
                                                 const CsrView<T>& a) {
  return std::make_unique<CudaMatrix<T>>(queue, handle, a);
}
template std::unique_ptr<LibraryMatrix<double>> prepare_matrix<double>(CudaQueue&, cusparseHandle_t,
                                                                       const CsrView<double>&);
template std::unique_ptr<LibraryMatrix<float>> prepare_matrix<float>(CudaQueue&, cusparseHandle_t,
                                                                     const CsrView<float>&);

}  // namespace sinew
