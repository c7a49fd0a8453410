// Products by the libraries against plain loops. On CUDA their bits may differ from run to run.
#include <cmath>

#include <sinew/errors.hpp>

#include "kernels/device/libraries.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

std::vector<double> random_numbers(std::size_t n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<double> v(n);
  for (double& x : v) x = random.uniform();
  return v;
}

/// Null, and a warning, where a device has none: they are baselines and may be missing.
std::unique_ptr<DeviceLibraries> libraries_for(DeviceQueue& queue) {
  if (!queue.device().is_emulated())
    for (const CudaLibrary& library : list_cuda_libraries())
      if (!library.reason.empty()) {
        WARN(library.reason);
        return nullptr;
      }
  return make_device_libraries(queue);
}

/// Rows of 0 to 9 entries with ascending columns.
struct HostCsr {
  Index rows, columns;
  std::vector<Index> row_start = {0}, column;
  std::vector<double> value;

  HostCsr(Index m, Index n, std::uint64_t seed) : rows(m), columns(n) {
    test::Random random(seed);
    for (Index i = 0; i < m; ++i) {
      const auto count = static_cast<int>(random.uniform(0.0, 9.99));
      Index j = static_cast<Index>(random.uniform(0.0, 7.0));
      for (int k = 0; k < count && j < n; ++k) {
        column.push_back(j);
        value.push_back(random.uniform());
        j += 1 + static_cast<Index>(random.uniform(0.0, static_cast<double>(n) / 9.0));
      }
      row_start.push_back(static_cast<Index>(column.size()));
    }
  }
  /// {rows * columns}, column-major
  std::vector<double> dense() const {
    std::vector<double> d(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0.0);
    for (Index i = 0; i < rows; ++i)
      for (Index p = row_start[i]; p < row_start[i + 1]; ++p)
        d[static_cast<std::size_t>(column[p]) * static_cast<std::size_t>(rows) + i] += value[p];
    return d;
  }
};

template <class T>
struct Uploaded {
  DeviceBuffer<Index> row_start, column;
  DeviceBuffer<T> value;
  CsrView<T> view;

  Uploaded(DeviceQueue& queue, const HostCsr& a)
      : row_start(to_device(queue, a.row_start, "test")),
        column(to_device(queue, a.column, "test")),
        value(to_device(queue, std::vector<T>(a.value.begin(), a.value.end()), "test")),
        view{a.rows, a.columns, row_start.cview(), column.cview(), value.cview()} {}
};

std::vector<Index> lengths() {
  return {1, 31, 32, 33, 1000};
}

template <class T>
void check_products_in(Device& device, double tolerance) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::unique_ptr<DeviceLibraries> libraries = libraries_for(*queue);
  if (!libraries) return;
  for (const Index m : lengths()) {
    for (const Index n : {m, m + 7}) {
      const HostCsr a(m, n, static_cast<std::uint64_t>(m + n));
      const Uploaded<T> matrix(*queue, a);
      const auto prepared = libraries->prepare(matrix.view);
      const auto width = static_cast<std::size_t>(n), height = static_cast<std::size_t>(m);
      const std::vector<double> numbers = random_numbers(3 * width, 5);
      std::vector<Vec3<T>> x(width);
      std::vector<T> flat(numbers.begin(), numbers.begin() + n);
      for (std::size_t i = 0; i < width; ++i)
        for (int c = 0; c < 3; ++c) x[i][c] = static_cast<T>(numbers[3 * i + static_cast<std::size_t>(c)]);
      const auto dx = to_device(*queue, x, "test");
      const auto dflat = to_device(*queue, flat, "test");
      DeviceBuffer<Vec3<T>> to(device, height, "test");
      DeviceBuffer<T> to_flat(device, height, "test");
      prepared->multiply(dx.cview(), to.view());
      prepared->multiply(dflat.cview(), to_flat.view());
      const auto got = test::download(*queue, to);
      const auto got_flat = test::download(*queue, to_flat);
      prepared->multiply(dx.cview(), to.view(), T(-2), T(1));  // A x - 2 A x
      const auto turned = test::download(*queue, to);
      double worst = 0.0;
      for (std::size_t i = 0; i < height; ++i) {
        double sum[4] = {};
        for (Index p = a.row_start[i]; p < a.row_start[i + 1]; ++p) {
          for (int c = 0; c < 3; ++c) sum[c] += a.value[p] * static_cast<double>(x[a.column[p]][c]);
          sum[3] += a.value[p] * static_cast<double>(flat[a.column[p]]);
        }
        for (int c = 0; c < 3; ++c) {
          worst = test::worse(worst, std::abs(static_cast<double>(got[i][c]) - sum[c]));
          worst = test::worse(worst, std::abs(static_cast<double>(turned[i][c]) + sum[c]));
        }
        worst = test::worse(worst, std::abs(static_cast<double>(got_flat[i]) - sum[3]));
      }
      CHECK(worst < tolerance);
      CHECK(test::same_bits(test::download(*queue, dx), x));
    }
  }
}

void check_double(Device& device) {
  check_products_in<double>(device, 1e-12);
}
void check_float(Device& device) {
  check_products_in<float>(device, 1e-5);
}

std::vector<double> dense_on_host(DeviceQueue& queue, DeviceLibraries& libraries, const DeviceCsr& a) {
  DeviceBuffer<double> to(queue.device(),
                          static_cast<std::size_t>(a.rows) * static_cast<std::size_t>(a.columns), "test");
  libraries.to_dense(a.view(), to.view());
  return test::download(queue, to);
}

void check_sparse_products(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::unique_ptr<DeviceLibraries> libraries = libraries_for(*queue);
  if (!libraries) return;
  for (const Index m : {1, 31, 32, 33, 300}) {
    const Index k = m + 5, n = m + 2;
    const HostCsr a(m, k, 11), b(k, n, 12);
    const Uploaded<double> left(*queue, a), right(*queue, b);
    const DeviceCsr product = libraries->multiply(left.view, right.view);
    CHECK(product.rows == m);
    CHECK(product.columns == n);
    const std::vector<double> got = dense_on_host(*queue, *libraries, product), x = a.dense(), y = b.dense();
    double worst = 0.0;
    const auto rows = static_cast<std::size_t>(m), inner = static_cast<std::size_t>(k);
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
      for (std::size_t i = 0; i < rows; ++i) {
        double sum = 0.0;
        for (std::size_t l = 0; l < inner; ++l) sum += x[l * rows + i] * y[j * inner + l];
        worst = test::worse(worst, std::abs(got[j * rows + i] - sum));
      }
    CHECK(worst < 1e-12);

    const DeviceCsr turned = libraries->transpose(left.view);
    CHECK(turned.rows == k);
    CHECK(turned.columns == m);
    const std::vector<double> t = dense_on_host(*queue, *libraries, turned);
    bool same = true;
    for (std::size_t l = 0; l < inner; ++l)
      for (std::size_t i = 0; i < rows; ++i) same = same && t[i * inner + l] == x[l * rows + i];
    CHECK(same);
  }
  HostCsr nothing(3, 4, 1);
  nothing.row_start = {0, 0, 0, 0};
  nothing.column.clear();
  nothing.value.clear();
  const Uploaded<double> empty(*queue, nothing), other(*queue, HostCsr(4, 2, 3));
  CHECK(dense_on_host(*queue, *libraries, libraries->multiply(empty.view, other.view)) ==
        std::vector<double>(6, 0.0));
  CHECK(dense_on_host(*queue, *libraries, libraries->transpose(empty.view)) == std::vector<double>(12, 0.0));
}

void check_dense_products(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::unique_ptr<DeviceLibraries> libraries = libraries_for(*queue);
  if (!libraries) return;
  for (const Index m : {1, 31, 32, 33, 200}) {
    for (const Index k : {0, 1, 40}) {
      const Index n = 3;
      const auto rows = static_cast<std::size_t>(m), inner = static_cast<std::size_t>(k);
      const std::vector<double> a = random_numbers(rows * inner, 1), b = random_numbers(inner * 3, 2);
      const auto da = to_device(*queue, a, "test"), db = to_device(*queue, b, "test");
      DeviceBuffer<double> c(device, rows * 3, "test"), y(device, rows, "test");
      libraries->multiply_dense(m, n, k, da.cview(), db.cview(), c.view());
      libraries->multiply_dense(m, k, da.cview(), db.cview(), y.view());
      const std::vector<double> got = test::download(*queue, c), vector = test::download(*queue, y);
      double worst = 0.0;
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < rows; ++i) {
          double sum = 0.0;
          for (std::size_t l = 0; l < inner; ++l) sum += a[l * rows + i] * b[j * inner + l];
          worst = test::worse(worst, std::abs(got[j * rows + i] - sum));
          if (j == 0) worst = test::worse(worst, std::abs(vector[i] - sum));
        }
      CHECK(worst < 1e-12);
    }
  }
}

void check_vectors(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::unique_ptr<DeviceLibraries> libraries = libraries_for(*queue);
  if (!libraries) return;
  std::vector<std::size_t> sizes = test::kSizes;
  sizes.push_back(1000000);
  for (const std::size_t n : sizes) {
    const std::vector<double> x = random_numbers(n, 3), y = random_numbers(n, 4), factor = {-0.25};
    const auto dx = to_device(*queue, x, "test"), dy = to_device(*queue, y, "test"),
               df = to_device(*queue, factor, "test");
    DeviceBuffer<double> result(device, 2, "test");
    auto sum = to_device(*queue, y, "test");
    libraries->dot(dx.cview(), dy.cview(), result.view().part(0, 1));
    libraries->norm(dx.cview(), result.view().part(1, 1));
    libraries->add_scaled(df.cview(), dx.cview(), sum.view());
    const std::vector<double> added = test::download(*queue, sum);
    libraries->scale(df.cview(), sum.view());
    const std::vector<double> scaled = test::download(*queue, sum), numbers = test::download(*queue, result);
    long double dot = 0, square = 0;
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      dot += static_cast<long double>(x[i]) * y[i];
      square += static_cast<long double>(x[i]) * x[i];
      worst = test::worse(worst, std::abs(added[i] - (y[i] - 0.25 * x[i])));
      worst = test::worse(worst, std::abs(scaled[i] + 0.25 * added[i]));
    }
    CHECK(worst < 1e-15);
    const double size = static_cast<double>(square) + 1e-300;
    CHECK(std::abs(numbers[0] - static_cast<double>(dot)) <= 1e-12 * size);
    CHECK(std::abs(numbers[1] - std::sqrt(static_cast<double>(square))) <= 1e-12 * std::sqrt(size));
  }
}

}  // namespace

SINEW_DEVICE_TEST("libraries: sparse products in double", check_double)
SINEW_DEVICE_TEST("libraries: sparse products in float", check_float)
SINEW_DEVICE_TEST("libraries: products and transposes of sparse matrices", check_sparse_products)
SINEW_DEVICE_TEST("libraries: dense products", check_dense_products)
SINEW_DEVICE_TEST("libraries: dot, norm, sums of vectors", check_vectors)

TEST_CASE("libraries: what is there is told with its file, what is not with the reason") {
  for (const CudaLibrary& library : list_cuda_libraries()) {
    CHECK((library.name == "cuSPARSE" || library.name == "cuBLAS"));
    CHECK(library.file.empty() == !library.reason.empty());
    CHECK(library.reason.find('\n') == std::string::npos);
    if (!library.reason.empty()) CHECK(library.reason.find("LD_LIBRARY_PATH") != std::string::npos);
  }
}
