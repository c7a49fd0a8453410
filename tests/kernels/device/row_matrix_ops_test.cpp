// Products with matrices by rows against plain loops.
#include <numeric>

#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

/// Rows of 0 to 3 lanes entries, every third with the list of the one before.
template <class T>
struct PlainMatrix {
  std::vector<std::int64_t> value_start{0}, index_start;
  std::vector<Index> index;
  std::vector<T> value;

  PlainMatrix(Index rows, Index columns, int longest, std::uint64_t seed) {
    test::Random random(seed);
    std::int64_t count = 0;
    for (Index i = 0; i < rows; ++i) {
      if (i % 3 != 2 || index.empty()) {
        count = columns == 0 ? 0 : static_cast<std::int64_t>(random.uniform(0.0, longest + 0.999));
        index_start.push_back(static_cast<std::int64_t>(index.size()));
        for (std::int64_t k = 0; k < count; ++k)
          index.push_back(static_cast<Index>(random.uniform(0.0, columns - 1e-6)));
      } else {
        index_start.push_back(index_start.back());
      }
      for (std::int64_t k = 0; k < count; ++k) value.push_back(static_cast<T>(random.uniform()));
      value_start.push_back(static_cast<std::int64_t>(value.size()));
    }
  }
};

template <class T>
void check_products_in(Device& device, double tolerance) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const auto large = static_cast<Index>(test::large_size(device));
  for (const Index n : {0, 1, 31, 32, 33, 129, 1000, large}) {
    for (const int lanes : {1, 4, 32, 128}) {
      if (n == large && lanes > 4) continue;
      const PlainMatrix<T> m(n, n, 3 * lanes, static_cast<std::uint64_t>(n + lanes));
      test::Random random(9);
      std::vector<Vec3<T>> x(n), base(n), start(n);
      for (Index i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) {
          x[i][c] = static_cast<T>(random.uniform());
          base[i][c] = static_cast<T>(random.uniform());
          start[i][c] = T(-5);
        }
      const auto value_start = to_device(*queue, m.value_start, "test");
      const auto index_start = to_device(*queue, m.index_start, "test");
      const auto index = to_device(*queue, m.index, "test");
      const auto value = to_device(*queue, m.value, "test");
      const auto dx = to_device(*queue, x, "test"), dbase = to_device(*queue, base, "test");
      const RowMatrixView<T> view{value_start.view(), index_start.view(), index.view(), value.view()};
      const Index first = n / 4, end = n - n / 8;
      for (const bool with_base : {false, true}) {
        auto to = to_device(*queue, start, "test");
        queue->multiply_rows(view, {first, end, lanes}, dx.view(), T(-1),
                             with_base ? dbase.view() : View<const Vec3<T>>{}, to.view());
        const std::vector<Vec3<T>> got = test::download(*queue, to);
        queue->upload(to.view(), start.data());
        queue->multiply_rows(view, {first, end, lanes}, dx.view(), T(-1),
                             with_base ? dbase.view() : View<const Vec3<T>>{}, to.view());
        CHECK(test::same_bits(test::download(*queue, to), got));
        double worst = 0.0;
        for (Index i = 0; i < n; ++i) {
          const bool in_range = i >= first && i < end;
          for (int c = 0; c < 3; ++c) {
            long double plain = in_range ? (with_base ? base[i][c] : T(0)) : start[i][c], size = 1;
            for (std::int64_t k = 0; k < m.value_start[i + 1] - m.value_start[i] && in_range; ++k) {
              const long double term = static_cast<long double>(m.value[m.value_start[i] + k]) *
                                       x[m.index[m.index_start[i] + k]][c];
              plain -= term;
              size += std::abs(term);
            }
            worst = test::worse(worst, static_cast<double>(std::abs(got[i][c] - plain) / size));
          }
        }
        CHECK(worst < tolerance);
      }
      CHECK(test::same_bits(test::download(*queue, dx), x));
      CHECK(test::same_bits(test::download(*queue, dbase), base));
      CHECK(test::same_bits(test::download(*queue, value), m.value));
      CHECK(test::same_bits(test::download(*queue, index), m.index));
    }
  }
}

void check_double(Device& device) {
  check_products_in<double>(device, 1e-12);
}
void check_float(Device& device) {
  check_products_in<float>(device, 1e-5);
}

void check_convert(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : test::sizes_for(device)) {
    test::Random random(n);
    std::vector<Vec3d> x(n);
    for (Vec3d& v : x) v = random.vector();
    const auto from = to_device(*queue, x, "test");
    DeviceBuffer<Vec3<float>> narrow(device, n, "test");
    DeviceBuffer<Vec3d> wide(device, n, "test");
    queue->convert(narrow.view(), from.view());
    queue->convert(wide.view(), static_cast<const DeviceBuffer<Vec3<float>>&>(narrow).view());
    const std::vector<Vec3d> got = test::download(*queue, wide);
    bool right = true;
    for (std::size_t i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c)
        right = right && got[i][c] == static_cast<double>(static_cast<float>(x[i][c]));
    CHECK(right);
    const std::vector<Vec3<float>> floats = test::download(*queue, narrow);
    queue->clear(wide.view());
    queue->convert(wide.view(), static_cast<const DeviceBuffer<Vec3<float>>&>(narrow).view());
    CHECK(test::same_bits(test::download(*queue, wide), got));
    CHECK(test::same_bits(test::download(*queue, narrow), floats));
    CHECK(test::same_bits(test::download(*queue, from), x));
  }
}

}  // namespace

SINEW_DEVICE_TEST("products with rows in double", check_double)
SINEW_DEVICE_TEST("products with rows in float", check_float)
SINEW_DEVICE_TEST("conversion between double and float", check_convert)
