// Rows of points, and weights of a term of low rank, on devices against plain loops.
#include "tests/kernels/device/random_arrays.hpp"
#include "tests/support/devices.hpp"

using namespace sinew;

namespace {

using Vectors = std::vector<Vec3d>;

/// Rows of 0 to 4 terms over n nodes.
void check_points_of(DeviceQueue& queue, std::size_t n, std::size_t columns) {
  CAPTURE(n, columns);
  test::Random random(n + 9);
  std::vector<std::size_t> start{0};
  std::vector<Index> node;
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t k = r % 5; k > 0; --k)
      node.push_back(static_cast<Index>(random.uniform(0.0, static_cast<double>(n) - 1e-6)));
    start.push_back(node.size());
  }
  const std::vector<double> weight = test::random_numbers(node.size(), 8);
  const auto d_start = to_device(queue, start, "test");
  const auto d_node = to_device(queue, node, "test");
  const auto d_weight = to_device(queue, weight, "test");
  std::vector<Vectors> column;
  std::vector<DeviceBuffer<Vec3d>> on_device;
  std::vector<const Vec3d*> table;
  for (std::size_t k = 0; k < columns; ++k) {
    column.push_back(test::random_vectors(n, 20 + k));
    on_device.push_back(to_device(queue, column[k], "test"));
    table.push_back(on_device[k].data());
  }
  const auto d_table = to_device(queue, table, "test");
  DeviceBuffer<Vec3d> rows(queue.device(), n * columns, "test");
  const DevicePoints points{d_start.view(), d_node.view(), d_weight.view()};
  queue.gather_points(points, d_table.view(), rows.view());
  const Vectors got = test::download(queue, rows);
  Vectors expected(n * columns);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t k = 0; k < columns; ++k)
      for (std::size_t t = start[r]; t < start[r + 1]; ++t)
        expected[r * columns + k] += weight[t] * column[k][node[t]];
  CHECK(test::worst_error(got, expected) < 1e-12);
  queue.clear(rows.view());
  queue.gather_points(points, d_table.view(), rows.view());
  CHECK(test::same_bits(test::download(queue, rows), got));
  CHECK(test::same_bits(test::download(queue, d_weight), weight));
  for (std::size_t k = 0; k < columns; ++k)
    CHECK(test::same_bits(test::download(queue, on_device[k]), column[k]));
}

void check_points(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : test::sizes_for(device))
    for (const std::size_t columns : {0u, 1u, 2u, 21u})
      if (n < 100000 || columns == 2) check_points_of(*queue, n, columns);
}

void check_weigh(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t rank : {0, 1, 2, 20, 31, 32, 33, 64, 1000}) {
    const Vectors random = test::random_vectors(rank * rank + rank, 5);
    std::vector<double> middle, inner;
    for (std::size_t k = 0; k < rank * rank; ++k) middle.push_back(random[k].x);
    for (std::size_t k = 0; k < rank; ++k) inner.push_back(random[rank * rank + k].y);
    const auto d_middle = to_device(*queue, middle, "test");
    const auto d_inner = to_device(*queue, inner, "test");
    DeviceBuffer<double> to(device, rank, "test");
    queue->weigh(to.view(), d_middle.view(), d_inner.view(), -2.0);
    const std::vector<double> got = test::download(*queue, to);
    for (std::size_t k = 0; k < rank; ++k) {
      long double sum = 0;
      for (std::size_t j = 0; j < rank; ++j) sum -= 2.0L * middle[k * rank + j] * inner[j];
      CHECK(std::abs(got[k] - sum) < 1e-13L * static_cast<long double>(rank));
    }
    queue->clear(to.view());
    queue->weigh(to.view(), d_middle.view(), d_inner.view(), -2.0);
    CHECK(test::same_bits(test::download(*queue, to), got));
    CHECK(test::same_bits(test::download(*queue, d_middle), middle));
    CHECK(test::same_bits(test::download(*queue, d_inner), inner));
  }
}

}  // namespace

SINEW_DEVICE_TEST("frame: rows of points", check_points)
SINEW_DEVICE_TEST("frame: weights of a term of low rank", check_weigh)
