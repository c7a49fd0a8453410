#include <sinew/errors.hpp>

#include "kernels/cuda/libraries/cublas.hpp"
#include "kernels/cuda/libraries/sparse.cuh"

namespace sinew {

namespace {

constexpr std::size_t kCublasSpace = std::size_t(32) << 20;  // [bytes] what cuBLAS asks for on sm_90

class CudaLibraries final : public DeviceLibraries {
 public:
  explicit CudaLibraries(CudaQueue& queue) : queue_(queue) {
    SINEW_CUSPARSE(cusparseCreate, (sparse_.put()), "handle");
    SINEW_CUSPARSE(cusparseSetStream, (sparse_, queue.stream()), "handle");
    SINEW_CUBLAS(cublasSetStream_v2, (dense_, queue.stream()), "handle");
    // An own workspace: recorded work must find it again.
    space_ = DeviceBuffer<char>(queue.device(), kCublasSpace, "cuBLAS");
    SINEW_CUBLAS(cublasSetWorkspace_v2, (dense_, space_.data(), space_.size()), "handle");
    SINEW_CUBLAS(cublasSetPointerMode_v2, (dense_, CUBLAS_POINTER_MODE_DEVICE), "handle");
    const std::vector<double> scalars = {1.0, 0.0};
    scalars_ = to_device(queue, scalars, "cuBLAS");
    int sparse = 0, dense = 0;
    SINEW_CUSPARSE(cusparseGetVersion, (sparse_, &sparse), "handle");
    SINEW_CUBLAS(cublasGetVersion_v2, (dense_, &dense), "handle");
    name_ = "cuSPARSE " + version(sparse / 1000, sparse / 100 % 10, sparse % 100) + ", cuBLAS " +
            version(dense / 10000, dense / 100 % 100, dense % 100);
  }
  ~CudaLibraries() override { cudaStreamSynchronize(queue_.stream()); }  // before the workspace goes

  const std::string& name() const override { return name_; }

  std::unique_ptr<LibraryMatrix<double>> prepare(const CsrView<double>& a) override {
    return prepare_matrix<double>(queue_, sparse_, a);
  }
  std::unique_ptr<LibraryMatrix<float>> prepare(const CsrView<float>& a) override {
    return prepare_matrix<float>(queue_, sparse_, a);
  }
  DeviceCsr multiply(const CsrView<double>& a, const CsrView<double>& b) override {
    return multiply_sparse(queue_, sparse_, a, b);
  }
  DeviceCsr transpose(const CsrView<double>& a) override { return transpose_sparse(queue_, sparse_, a); }
  void to_dense(const CsrView<double>& a, View<double> to) override { make_dense(queue_, sparse_, a, to); }

  void multiply_dense(Index m, Index n, Index k, View<const double> a, View<const double> b,
                      View<double> c) override {
    if (m == 0 || n == 0) return;
    if (k == 0) return queue_.clear(c);
    queue_.begin_call("cublasDgemm");
    SINEW_CUBLAS(cublasDgemm_v2,
                 (dense_, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, one(), a.data, m, b.data, k, zero(), c.data, m),
                 size(m, n) + " product");
  }
  void multiply_dense(Index m, Index n, View<const double> a, View<const double> x,
                      View<double> to) override {
    if (m == 0) return;
    if (n == 0) return queue_.clear(to);
    queue_.begin_call("cublasDgemv");
    SINEW_CUBLAS(cublasDgemv_v2, (dense_, CUBLAS_OP_N, m, n, one(), a.data, m, x.data, 1, zero(), to.data, 1),
                 size(m, n) + " matrix");
  }
  void dot(View<const double> x, View<const double> y, View<double> result) override {
    if (x.size == 0) return queue_.clear(result);
    queue_.begin_call("cublasDdot");
    SINEW_CUBLAS(cublasDdot_v2, (dense_, length(x.size), x.data, 1, y.data, 1, result.data),
                 std::to_string(x.size) + " numbers");
  }
  void norm(View<const double> x, View<double> result) override {
    if (x.size == 0) return queue_.clear(result);
    queue_.begin_call("cublasDnrm2");
    SINEW_CUBLAS(cublasDnrm2_v2, (dense_, length(x.size), x.data, 1, result.data),
                 std::to_string(x.size) + " numbers");
  }
  void add_scaled(View<const double> factor, View<const double> x, View<double> y) override {
    if (x.size == 0) return;
    queue_.begin_call("cublasDaxpy");
    SINEW_CUBLAS(cublasDaxpy_v2, (dense_, length(x.size), factor.data, x.data, 1, y.data, 1),
                 std::to_string(x.size) + " numbers");
  }
  void scale(View<const double> factor, View<double> x) override {
    if (x.size == 0) return;
    queue_.begin_call("cublasDscal");
    SINEW_CUBLAS(cublasDscal_v2, (dense_, length(x.size), factor.data, x.data, 1),
                 std::to_string(x.size) + " numbers");
  }

 private:
  static std::string version(int major, int minor, int patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }
  static std::string size(Index m, Index n) { return std::to_string(m) + " x " + std::to_string(n); }
  static int length(std::size_t n) { return static_cast<int>(n); }
  const double* one() const { return scalars_.data(); }
  const double* zero() const { return scalars_.data() + 1; }

  CudaQueue& queue_;
  DeviceBuffer<char> space_;
  DeviceBuffer<double> scalars_;
  CusparseHandle sparse_;
  CublasHandle dense_;
  std::string name_;
};

}  // namespace

std::vector<CudaLibrary> list_cuda_libraries() {
  std::vector<CudaLibrary> all;
  for (const LoadedLibrary* library : {&cusparse_library(), &cublas_library()})
    all.push_back({library->name(), library->path(), library->reason()});
  return all;
}

std::unique_ptr<DeviceLibraries> make_cuda_libraries(DeviceQueue& queue) {
  auto* cuda = dynamic_cast<CudaQueue*>(&queue);
  if (!cuda) throw BackendError("cuSPARSE and cuBLAS: only for queues of CUDA devices");
  return std::make_unique<CudaLibraries>(*cuda);
}

}  // namespace sinew
