// Vector operations against plain loops in long double; same bits on repeat and in either direction.
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

std::vector<Vec3d> random_vectors(std::size_t n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Vec3d> v(n);
  for (Vec3d& x : v) x = random.vector();
  return v;
}

long double plain_dot(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<long double>(a[i].x) * b[i].x + static_cast<long double>(a[i].y) * b[i].y +
           static_cast<long double>(a[i].z) * b[i].z;
  return sum;
}

std::vector<std::size_t> sizes() {
  std::vector<std::size_t> n = test::kSizes;
  n.push_back(1000000);
  return n;
}

void check_scale(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : sizes()) {
    const std::vector<Vec3d> a = random_vectors(n, 1), b = random_vectors(n, 2);
    const DeviceBuffer<Vec3d> x = to_device(*queue, a, "test");
    DeviceBuffer<Vec3d> y = to_device(*queue, b, "test");
    queue->add_scaled(y.view(), x.cview(), -3.0);
    const std::vector<Vec3d> sum = test::download(*queue, y);
    queue->scale(y.view(), x.cview(), 0.25);
    const std::vector<Vec3d> scaled = test::download(*queue, y);
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      worst = test::worse(worst, norm(sum[i] - (b[i] - 3.0 * a[i])));
      worst = test::worse(worst, norm(scaled[i] - 0.25 * a[i]));
    }
    CHECK(worst < 1e-15);
    queue->upload(y.view(), b.data());
    queue->add_scaled(y.view(), x.cview(), -3.0);
    CHECK(test::same_bits(test::download(*queue, y), sum));
    queue->scale(y.view(), x.cview(), 0.25);
    CHECK(test::same_bits(test::download(*queue, y), scaled));
    CHECK(test::same_bits(test::download(*queue, x), a));
  }
}

void check_products(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : sizes()) {
    for (const std::size_t columns :
         n > 100000 ? std::vector<std::size_t>{3} : std::vector<std::size_t>{0, 1, 2, 21, 64}) {
      std::vector<std::vector<Vec3d>> host;
      std::vector<DeviceBuffer<Vec3d>> column;
      std::vector<const Vec3d*> table;
      for (std::size_t k = 0; k < columns; ++k) {
        host.push_back(random_vectors(n, 10 + k));
        column.push_back(to_device(*queue, host[k], "test"));
        table.push_back(column[k].data());
      }
      const std::vector<Vec3d> a = random_vectors(n, 3);
      const DeviceBuffer<Vec3d> r = to_device(*queue, a, "test");
      const DeviceBuffer<const Vec3d*> pointers = to_device(*queue, table, "test");
      DeviceBuffer<double> result(device, columns, "test");
      DeviceBuffer<double> scratch(device, VectorOps::products_scratch(n, columns), "test");
      const View<const Vec3d* const> all{pointers.data(), columns};
      queue->products(all, r.cview(), result.view(), scratch.view());
      const std::vector<double> first = test::download(*queue, result);
      for (std::size_t k = 0; k < columns; ++k)
        CHECK(std::abs(first[k] - static_cast<double>(plain_dot(host[k], a))) <=
              1e-14 * (1.0 + static_cast<double>(n)));
      queue->products(all, r.cview(), result.view(), scratch.view());
      CHECK(test::same_bits(test::download(*queue, result), first));
      CHECK(test::same_bits(test::download(*queue, r), a));

      DeviceBuffer<Vec3d> y = to_device(*queue, a, "test");
      queue->add_columns(y.view(), all, result.cview());
      const std::vector<Vec3d> sum = test::download(*queue, y);
      double worst = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        Vec3d plain = a[i];
        for (std::size_t k = 0; k < columns; ++k) plain += first[k] * host[k][i];
        worst = test::worse(worst, norm(sum[i] - plain));
      }
      CHECK(worst <= 1e-13 * (1.0 + static_cast<double>(n)));
      queue->upload(y.view(), a.data());
      queue->add_columns(y.view(), all, result.cview());
      CHECK(test::same_bits(test::download(*queue, y), sum));
      for (std::size_t k = 0; k < columns; ++k)
        CHECK(test::same_bits(test::download(*queue, column[k]), host[k]));
    }
  }
}

std::vector<double> delicate_values(std::size_t n) {
  test::Random random(n + 1);
  std::vector<double> v(n);
  for (double& x : v) x = random.uniform() * std::exp(random.uniform(-20, 20));
  return v;
}

std::vector<double> part_sums(Device& device, const std::vector<double>& v,
                              const std::vector<std::size_t>& sizes) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const SumPlan plan(sizes);
  const auto values = to_device(*queue, v, "test");
  const auto chunk = to_device(*queue, plan.chunk, "test");
  const auto part_chunk = to_device(*queue, plan.part_chunk, "test");
  DeviceBuffer<double> result(device, sizes.size(), "test"), scratch(device, plan.chunk.size(), "test");
  queue->sum_parts({chunk.view(), part_chunk.view()}, values.view(), result.view(), scratch.view());
  const std::vector<double> sums = test::download(*queue, result);
  CHECK(test::same_bits(test::download(*queue, values), v));
  return sums;
}

void check_sum(Device& device) {
  const std::vector<std::size_t> part_sizes = {0,   1, 31,   32,   33,   255,     256,
                                               257, 0, 1000, 1024, 1025, 1000000, 3};
  const std::vector<double> v = delicate_values(1003917);
  const std::vector<double> sums = part_sums(device, v, part_sizes);
  CHECK(test::same_bits(part_sums(device, v, part_sizes), sums));
  std::size_t at = 0;
  for (std::size_t p = 0; p < part_sizes.size(); ++p) {
    long double plain = 0, size = 0;
    for (const std::size_t end = at + part_sizes[p]; at < end; ++at) plain += v[at], size += std::abs(v[at]);
    CHECK(std::abs(sums[p] - static_cast<double>(plain)) <= 1e-14 * static_cast<double>(size));
  }
  CHECK(at == v.size());
}

}  // namespace

SINEW_DEVICE_TEST("scale and add_scaled", check_scale)
SINEW_DEVICE_TEST("products with columns, and their sum", check_products)
SINEW_DEVICE_TEST("sums of parts", check_sum)

TEST_CASE("emulated: sums do not depend on the order of threads and blocks") {
  const std::vector<std::shared_ptr<Device>> devices = test::emulated_devices();
  const std::vector<double> v = delicate_values(70001);  // its bits differ with the order
  CHECK(part_sums(*devices[0], v, {70001}) == part_sums(*devices[1], v, {70001}));
}
