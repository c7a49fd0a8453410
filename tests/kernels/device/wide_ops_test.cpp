// Products with many columns at once, and entries of G from columns, against plain loops.
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

constexpr std::size_t kWide = kWideColumns;

template <class T>
std::vector<T> random_numbers(std::size_t n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<T> v(n);
  for (T& x : v) x = static_cast<T>(random.uniform());
  return v;
}

/// Every row has up to 70 entries; every second one the list of the row before.
template <class T>
void check_products_in(Device& device, double tolerance) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::size_t large = test::large_size(device) / 10;  // rows of 32 numbers
  for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(31), std::size_t(32),
                              std::size_t(33), std::size_t(1000), large}) {
    const double longest = n == large ? 5.9 : 70.9;
    test::Random random(n);
    std::vector<std::int64_t> value_start{0}, index_start;
    std::vector<Index> index;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 2 == 0) {
        count = static_cast<std::int64_t>(random.uniform(0.0, longest));
        index_start.push_back(static_cast<std::int64_t>(index.size()));
        for (std::int64_t k = 0; k < count; ++k)
          index.push_back(static_cast<Index>(random.uniform(0.0, static_cast<double>(n) - 1e-6)));
      } else {
        index_start.push_back(index_start.back());
      }
      value_start.push_back(value_start.back() + count);
    }
    const std::vector<T> value = random_numbers<T>(static_cast<std::size_t>(value_start.back()), 5);
    const std::vector<T> x = random_numbers<T>(n * kWide, 6), base = random_numbers<T>(n * kWide, 7);
    const auto d_value_start = to_device(*queue, value_start, "test");
    const auto d_index_start = to_device(*queue, index_start, "test");
    const auto d_index = to_device(*queue, index, "test");
    const auto d_value = to_device(*queue, value, "test");
    const auto d_x = to_device(*queue, x, "test"), d_base = to_device(*queue, base, "test");
    const RowMatrixView<T> matrix{d_value_start.view(), d_index_start.view(), d_index.view(), d_value.view()};
    const RowRange range{static_cast<Index>(n / 4), static_cast<Index>(n - n / 8), 32};
    for (const bool with_base : {false, true}) {
      std::vector<T> got[2];
      for (std::vector<T>& result : got) {
        auto to = to_device(*queue, std::vector<T>(n * kWide, T(-5)), "test");
        queue->multiply_rows_wide(matrix, range, d_x.view(), T(-1),
                                  with_base ? d_base.view() : View<const T>{}, to.view());
        result = test::download(*queue, to);
      }
      double worst = 0.0;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < kWide; ++c) {
          double plain = -5.0;
          if (i >= n / 4 && i < n - n / 8) {
            plain = with_base ? static_cast<double>(base[i * kWide + c]) : 0.0;
            for (std::int64_t k = 0; k < value_start[i + 1] - value_start[i]; ++k)
              plain -=
                  static_cast<double>(value[value_start[i] + k]) *
                  static_cast<double>(x[static_cast<std::size_t>(index[index_start[i] + k]) * kWide + c]);
          }
          worst = test::worse(worst, std::abs(plain - static_cast<double>(got[0][i * kWide + c])));
        }
      CHECK(worst < 100 * tolerance);
      CHECK(test::same_bits(got[0], got[1]));
    }
    CHECK(test::same_bits(test::download(*queue, d_x), x));
    CHECK(test::same_bits(test::download(*queue, d_base), base));
    CHECK(test::same_bits(test::download(*queue, d_value), value));
  }
}

void check_double(Device& device) {
  check_products_in<double>(device, 1e-15);
}
void check_float(Device& device) {
  check_products_in<float>(device, 1e-7);
}

template <class T>
void check_columns_in(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::size_t large = test::large_size(device) / 10;  // rows of 32 numbers
  for (const std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(31), std::size_t(32),
                              std::size_t(33), std::size_t(1000), large})
    for (const std::size_t count : {0u, 1u, 31u, 32u}) {
      if (n == large && count != 31) continue;
      std::vector<Index> node;
      for (std::size_t c = 0; c < count; ++c) node.push_back(static_cast<Index>(n == 0 ? 0 : c * 7 % n));
      const auto d_node = to_device(*queue, node, "test");
      DeviceBuffer<T> wide(device, n * kWide, "test");
      queue->unit_columns(d_node.view(), wide.view());
      const std::vector<T> units = test::download(*queue, wide);
      bool right = true;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < kWide; ++c)
          right = right && units[i * kWide + c] == T(c < count && static_cast<std::size_t>(node[c]) == i);
      CHECK(right);
      const std::vector<T> x = random_numbers<T>(n * kWide, 3);
      const auto d_x = to_device(*queue, x, "test");
      DeviceBuffer<double> columns(device, count * n, "test");
      queue->take_columns(d_x.view(), count, columns.view());
      const std::vector<double> got = test::download(*queue, columns);
      for (std::size_t c = 0; c < count; ++c)
        for (std::size_t i = 0; i < n; ++i)
          right = right && got[c * n + i] == static_cast<double>(x[i * kWide + c]);
      CHECK(right);
      queue->clear(wide.view());
      queue->unit_columns(d_node.view(), wide.view());
      CHECK(test::same_bits(test::download(*queue, wide), units));
      queue->clear(columns.view());
      queue->take_columns(d_x.view(), count, columns.view());
      CHECK(test::same_bits(test::download(*queue, columns), got));
      CHECK(test::same_bits(test::download(*queue, d_x), x));
    }
}

void check_columns(Device& device) {
  check_columns_in<double>(device);
  check_columns_in<float>(device);
}

/// Rows of 0 to 5 terms over n nodes; every third row of G touches nothing here.
void check_entries(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t count : {0u, 1u, 31u, 32u, 33u, 300u, 1000u}) {
    const std::size_t n = 57;
    test::Random random(count + 1);
    std::vector<std::vector<double>> column(n);
    std::vector<DeviceBuffer<double>> on_device;
    std::vector<const double*> table;
    for (std::size_t i = 0; i < n; ++i) {
      column[i] = random_numbers<double>(n, 90 + i);
      on_device.push_back(to_device(*queue, column[i], "test"));
      table.push_back(i % 5 == 4 ? nullptr : on_device.back().data());
    }
    std::vector<std::size_t> row, start{0};
    std::vector<Index> place, node;
    std::vector<double> weight;
    for (std::size_t i = 0; i < n; ++i)
      if (table[i]) node.push_back(static_cast<Index>(i));
    for (std::size_t c = 0; c < count; ++c) {
      if (c % 3 == 2) continue;
      row.push_back(c);
      for (int k = static_cast<int>(c % 6); k > 0; --k) {
        place.push_back(static_cast<Index>(random.uniform(0.0, static_cast<double>(node.size()) - 1e-6)));
        weight.push_back(random.uniform());
      }
      start.push_back(place.size());
    }
    const std::vector<double> before = random_numbers<double>(count * count, 4);
    const auto d_table = to_device(*queue, table, "test");
    const auto d_row = to_device(*queue, row, "test"), d_start = to_device(*queue, start, "test");
    const auto d_place = to_device(*queue, place, "test"), d_node = to_device(*queue, node, "test");
    const auto d_weight = to_device(*queue, weight, "test");
    const GramPart part{d_row.view(), d_start.view(), d_place.view(), d_weight.view(), d_node.view()};
    DeviceBuffer<double> z(device, row.size() * node.size(), "test"), diagonal(device, count, "test");
    auto gram = to_device(*queue, before, "test");
    queue->mix_columns(part, {{d_table.data(), n}}, z.view());
    queue->add_entries(part, z.cview(), count, gram.view());
    queue->take_diagonal(gram.cview(), diagonal.view());
    const std::vector<double> got = test::download(*queue, gram),
                              got_diagonal = test::download(*queue, diagonal);
    std::vector<double> expected = before;
    for (std::size_t k = 0; k < row.size(); ++k)
      for (std::size_t l = k; l < row.size(); ++l) {
        double sum = 0.0;
        for (std::size_t p = start[k]; p < start[k + 1]; ++p)
          for (std::size_t q = start[l]; q < start[l + 1]; ++q) {
            const auto [i, j] = std::minmax(node[place[p]], node[place[q]]);
            sum += weight[p] * weight[q] * column[i][j];
          }
        expected[row[k] * count + row[l]] = expected[row[l] * count + row[k]] =
            before[row[k] * count + row[l]] + sum;
      }
    double worst = 0.0;
    for (std::size_t k = 0; k < got.size(); ++k) worst = test::worse(worst, std::abs(got[k] - expected[k]));
    CHECK(worst < 1e-13);
    for (std::size_t c = 0; c < count; ++c) CHECK(got_diagonal[c] == got[c * count + c]);
    const std::vector<double> got_z = test::download(*queue, z);
    queue->clear(z.view());
    queue->upload(gram.view(), before.data());
    queue->mix_columns(part, {{d_table.data(), n}}, z.view());
    queue->add_entries(part, z.cview(), count, gram.view());
    CHECK(test::same_bits(test::download(*queue, z), got_z));
    CHECK(test::same_bits(test::download(*queue, gram), got));
    CHECK(test::same_bits(test::download(*queue, d_weight), weight));
    CHECK(test::same_bits(test::download(*queue, on_device[0]), column[0]));
  }
}

}  // namespace

SINEW_DEVICE_TEST("products with rows, 32 columns at once, in double", check_double)
SINEW_DEVICE_TEST("products with rows, 32 columns at once, in float", check_float)
SINEW_DEVICE_TEST("unit columns, and columns taken out", check_columns)
SINEW_DEVICE_TEST("entries of G from columns of the inverse", check_entries)
