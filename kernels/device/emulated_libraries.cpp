#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/libraries.hpp"

namespace sinew {

namespace {

template <class T>
class EmulatedMatrix final : public LibraryMatrix<T> {
 public:
  EmulatedMatrix(EmulatedQueue& queue, const CsrView<T>& a) : queue_(queue), a_(a) {}
  void multiply(View<const Vec3<T>> x, View<Vec3<T>> to, T factor, T keep) override {
    rows(x, to, factor, keep);
  }
  void multiply(View<const T> x, View<T> to) override { rows(x, to, T(1), T(0)); }

 private:
  template <class V>
  void rows(View<const V> x, View<V> to, T factor, T keep) {
    queue_.call([=, a = a_] {
      for (Index i = 0; i < a.rows; ++i) {
        V sum{};
        for (Index p = a.row_start[i]; p < a.row_start[i + 1]; ++p) sum += a.value[p] * x[a.column[p]];
        to[i] = keep != T(0) ? factor * sum + keep * to[i] : factor * sum;
      }
    });
  }
  EmulatedQueue& queue_;
  CsrView<T> a_;
};

using Rows = std::vector<std::vector<std::pair<Index, double>>>;  ///< (column, value), ascending

DeviceCsr upload(EmulatedQueue& queue, Index columns, const Rows& rows) {
  std::vector<Index> row_start = {0}, column;
  std::vector<double> value;
  for (const auto& row : rows) {
    for (const auto& [j, v] : row) {
      column.push_back(j);
      value.push_back(v);
    }
    row_start.push_back(static_cast<Index>(column.size()));
  }
  DeviceCsr a;
  a.rows = static_cast<Index>(rows.size());
  a.columns = columns;
  a.row_start = to_device(queue, row_start, "sparse product");
  a.column = to_device(queue, column, "sparse product");
  a.value = to_device(queue, value, "sparse product");
  return a;
}

class EmulatedLibraries final : public DeviceLibraries {
 public:
  explicit EmulatedLibraries(EmulatedQueue& queue) : queue_(queue) {}
  const std::string& name() const override { return name_; }

  std::unique_ptr<LibraryMatrix<double>> prepare(const CsrView<double>& a) override {
    return std::make_unique<EmulatedMatrix<double>>(queue_, a);
  }
  std::unique_ptr<LibraryMatrix<float>> prepare(const CsrView<float>& a) override {
    return std::make_unique<EmulatedMatrix<float>>(queue_, a);
  }

  DeviceCsr multiply(const CsrView<double>& a, const CsrView<double>& b) override {
    queue_.synchronize();
    Rows rows(static_cast<std::size_t>(a.rows));
    std::vector<double> sum(static_cast<std::size_t>(b.columns));
    std::vector<char> met(sum.size(), 0);
    for (Index i = 0; i < a.rows; ++i) {
      auto& row = rows[static_cast<std::size_t>(i)];
      for (Index p = a.row_start[i]; p < a.row_start[i + 1]; ++p)
        for (Index q = b.row_start[a.column[p]]; q < b.row_start[a.column[p] + 1]; ++q) {
          const Index j = b.column[q];
          if (!met[j]) {
            met[j] = 1;
            sum[j] = 0.0;
            row.emplace_back(j, 0.0);
          }
          sum[j] += a.value[p] * b.value[q];
        }
      std::sort(row.begin(), row.end());
      for (auto& [j, v] : row) {
        v = sum[j];
        met[j] = 0;
      }
    }
    return upload(queue_, b.columns, rows);
  }
  DeviceCsr transpose(const CsrView<double>& a) override {
    queue_.synchronize();
    Rows rows(static_cast<std::size_t>(a.columns));
    for (Index i = 0; i < a.rows; ++i)
      for (Index p = a.row_start[i]; p < a.row_start[i + 1]; ++p)
        rows[static_cast<std::size_t>(a.column[p])].emplace_back(i, a.value[p]);
    return upload(queue_, a.rows, rows);
  }
  void to_dense(const CsrView<double>& a, View<double> to) override {
    queue_.synchronize();
    std::fill(to.begin(), to.end(), 0.0);
    const auto height = static_cast<std::size_t>(a.rows);
    for (Index i = 0; i < a.rows; ++i)
      for (Index p = a.row_start[i]; p < a.row_start[i + 1]; ++p)
        to[static_cast<std::size_t>(a.column[p]) * height + static_cast<std::size_t>(i)] = a.value[p];
  }

  void multiply_dense(Index m, Index n, Index k, View<const double> a, View<const double> b,
                      View<double> c) override {
    const auto rows = static_cast<std::size_t>(m), inner = static_cast<std::size_t>(k);
    queue_.call([=] {
      for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
        for (std::size_t i = 0; i < rows; ++i) {
          double sum = 0.0;
          for (std::size_t l = 0; l < inner; ++l) sum += a[l * rows + i] * b[j * inner + l];
          c[j * rows + i] = sum;
        }
    });
  }
  void multiply_dense(Index m, Index n, View<const double> a, View<const double> x,
                      View<double> to) override {
    multiply_dense(m, 1, n, a, x, to);
  }

  void dot(View<const double> x, View<const double> y, View<double> result) override {
    queue_.call([=] { result[0] = sum_of_products(x, y); });
  }
  void norm(View<const double> x, View<double> result) override {
    queue_.call([=] { result[0] = std::sqrt(sum_of_products(x, x)); });
  }
  void add_scaled(View<const double> factor, View<const double> x, View<double> y) override {
    queue_.call([=] {
      for (std::size_t i = 0; i < x.size; ++i) y[i] += factor[0] * x[i];
    });
  }
  void scale(View<const double> factor, View<double> x) override {
    queue_.call([=] {
      for (double& v : x) v *= factor[0];
    });
  }

 private:
  static double sum_of_products(View<const double> x, View<const double> y) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size; ++i) sum += x[i] * y[i];
    return sum;
  }
  EmulatedQueue& queue_;
  std::string name_ = "loops on the host in place of cuSPARSE and cuBLAS";
};

}  // namespace

std::unique_ptr<DeviceLibraries> make_device_libraries(DeviceQueue& queue) {
  if (auto* emulated = dynamic_cast<EmulatedQueue*>(&queue))
    return std::make_unique<EmulatedLibraries>(*emulated);
  return make_cuda_libraries(queue);
}

}  // namespace sinew
