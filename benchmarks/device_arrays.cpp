// Products, sums, scans and sorts beside those of libraries.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "benchmarks/device_baselines.hpp"
#include "benchmarks/device_timer.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/support/random.hpp"

namespace sinew::bench {

namespace {
constexpr double kBytes = sizeof(double);
}  // namespace

DeviceTiming time_gram_product(DeviceQueue& queue, DeviceLibraries* libraries, std::size_t points,
                               std::size_t published_points, double seconds) {
  std::vector<double> gram = random_numbers(points * points, 4);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j < i; ++j) gram[i * points + j] = gram[j * points + i];
  test::Random random(5);
  std::vector<Vec3d> f(points), expected(points);
  for (Vec3d& v : f) v = random.vector();
  DeviceTiming t;
  t.operation = fmt::format("product with G of {} points", points);
  t.bytes = kBytes * static_cast<double>(gram.size());
  t.host_ms = median_ms(seconds, 1, [&] {
    for_each(points, 16, [&](std::size_t i) {
      Vec3d sum{};
      for (std::size_t j = 0; j < points; ++j) sum += gram[i * points + j] * f[j];
      expected[i] = sum;
    });
  });
  const auto dgram = to_device(queue, gram, "product with G");
  auto df = to_device(queue, f, "product with G");
  DeviceBuffer<Vec3d> to(queue.device(), points, "product with G");
  const auto measure = [&](double& ms, const std::function<void()>& product) {
    ms = recorded_ms(seconds, queue, product);
    t.error = std::max(t.error, relative_difference(to_host(queue, to.cview()), expected));
  };
  measure(t.ms, [&] {
    queue.multiply_gram({points, dgram.view()}, 1.0, df.cview(), {}, to.view(), nullptr);
  });
  if (!libraries) return t;
  const auto count = static_cast<Index>(points);
  measure(t.library_ms, [&] {  // by columns f is 3 x c, and G its own transpose
    libraries->multiply_dense(3, count, count, numbers(df.view()), dgram.view(), numbers(to.view()));
  });
  if (points > published_points) return t;
  const std::size_t size = 3 * points;
  std::vector<double> w(size * size, 0.0);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j < points; ++j)
      for (std::size_t k = 0; k < 3; ++k) w[(3 * i + k) * size + 3 * j + k] = gram[i * points + j];
  const auto dw = to_device(queue, w, "product with W");
  measure(t.published_ms, [&] {
    libraries->multiply_dense(3 * count, 3 * count, dw.view(), numbers(df.view()), numbers(to.view()));
  });
  return t;
}

std::vector<DeviceTiming> time_vectors(DeviceQueue& queue, DeviceLibraries* libraries, std::size_t size,
                                       double seconds) {
  const std::size_t blocks = size / 3;
  const std::vector<double> a = random_numbers(3 * blocks, 1), b = random_numbers(3 * blocks, 2);
  Device& device = queue.device();
  DeviceBuffer<Vec3d> x(device, blocks, "vectors"), y(device, blocks, "vectors");
  queue.copy_up(x.data(), a.data(), x.bytes());
  queue.copy_up(y.data(), b.data(), y.bytes());
  const std::vector<const Vec3d*> table = {x.data()};
  const auto column = to_device(queue, table, "vectors");
  DeviceBuffer<double> result(device, 1, "vectors"), library(device, 1, "vectors"),
      scratch(device, VectorOps::products_scratch(blocks, 1), "vectors");
  const View<const double> flat_x = numbers(x.view()), flat_y = numbers(y.view());
  std::vector<DeviceTiming> timings;

  DeviceTiming dot;
  dot.operation = fmt::format("dot product of {} numbers", a.size());
  dot.bytes = 2.0 * kBytes * static_cast<double>(a.size());
  double sum = 0.0;
  dot.host_ms = median_ms(seconds, 1, [&] { sum = std::inner_product(a.begin(), a.end(), b.begin(), 0.0); });
  dot.ms = recorded_ms(seconds, queue, [&] {
    queue.products({column.data(), 1}, y.cview(), result.view(), scratch.view());
  });
  const double size_of_sum = std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0) *
                                       std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
  dot.error = std::abs(to_host(queue, result.cview())[0] - sum) / size_of_sum;
  if (libraries) {
    dot.library_ms = recorded_ms(seconds, queue, [&] { libraries->dot(flat_x, flat_y, library.view()); });
    dot.error = std::max(dot.error, std::abs(to_host(queue, library.cview())[0] - sum) / size_of_sum);
  }
  timings.push_back(dot);

  DeviceTiming axpy;
  constexpr double kFactor = 1e-9;  // many times the same: the sum must stay where it is
  axpy.operation = fmt::format("scaled sum of {} numbers", a.size());
  axpy.bytes = 1.5 * dot.bytes;
  std::vector<double> host = b;
  axpy.host_ms = median_ms(seconds, 1, [&] {
    for (std::size_t i = 0; i < a.size(); ++i) host[i] += kFactor * a[i];
  });
  const auto once = [&](const std::function<void()>& add) {
    queue.copy_up(y.data(), b.data(), y.bytes());
    add();
    const std::vector<double> got = to_host<double>(queue, flat_y);
    for (std::size_t i = 0; i < a.size(); ++i) host[i] = b[i] + kFactor * a[i];
    axpy.error = std::max(axpy.error, relative_difference(got, host));
  };
  axpy.ms = recorded_ms(seconds, queue, [&] { queue.add_scaled(y.view(), x.cview(), kFactor); });
  once([&] { queue.add_scaled(y.view(), x.cview(), kFactor); });
  if (libraries) {
    const std::vector<double> factor = {kFactor};
    const auto scalar = to_device(queue, factor, "vectors");
    const auto add = [&] { libraries->add_scaled(scalar.view(), flat_x, numbers(y.view())); };
    axpy.library_ms = recorded_ms(seconds, queue, add);
    once(add);
  }
  timings.push_back(axpy);
  return timings;
}

std::vector<DeviceTiming> time_scans(DeviceQueue& queue, std::size_t size, double seconds) {
  Device& device = queue.device();
  std::vector<std::uint32_t> count(size), expected(size + 1, 0);
  std::vector<std::uint64_t> key(size);
  test::Random random(3);
  for (std::size_t i = 0; i < size; ++i) {
    count[i] = static_cast<std::uint32_t>(random.uniform(0.0, 9.99));
    key[i] = static_cast<std::uint64_t>(random.uniform(0.0, 9e18));
  }
  const auto numbers_of = [](const auto& v) { return std::vector<double>(v.begin(), v.end()); };
  std::vector<DeviceTiming> timings(2);
  DeviceTiming &scan = timings[0], &sort = timings[1];
  scan.operation = fmt::format("scan of {} counts", size);
  scan.bytes = 2.0 * sizeof(std::uint32_t) * static_cast<double>(size);
  scan.host_ms =
      median_ms(seconds, 1, [&] { std::partial_sum(count.begin(), count.end(), expected.begin() + 1); });
  const auto from = to_device(queue, count, "scan");
  DeviceBuffer<std::uint32_t> start(device, size + 1, "scan"), value(device, size, "sort");
  DeviceBuffer<unsigned char> scratch(device, std::max(queue.scan_scratch(size), queue.sort_scratch(size)),
                                      "scan");
  std::vector<std::uint64_t> sorted;
  sort.operation = fmt::format("sort of {} pairs, 64 bits", size);
  sort.bytes = 2.0 * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) * static_cast<double>(size);
  sort.host_ms = median_ms(seconds, 1, [&] {
    sorted = key;
    std::sort(sorted.begin(), sorted.end());
  });
  const auto keys = to_device(queue, key, "sort");
  DeviceBuffer<std::uint64_t> work(device, size, "sort");
  queue.clear(value.view());
  for (const ScanForm form : {ScanForm::own, ScanForm::library}) {
    const double scan_ms =
        recorded_ms(seconds, queue, [&] { queue.scan(from.view(), start.view(), scratch.view(), form); });
    scan.error = std::max(
        scan.error, relative_difference(numbers_of(to_host(queue, start.cview())), numbers_of(expected)));
    const double sort_ms = recorded_ms(seconds, queue, [&] {
      queue.copy(work.view(), keys.view());
      queue.sort_pairs(work.view(), value.view(), 64, scratch.view(), form);
    });
    sort.error = std::max(sort.error,
                          relative_difference(numbers_of(to_host(queue, work.cview())), numbers_of(sorted)));
    (form == ScanForm::own ? scan.ms : scan.library_ms) = scan_ms;
    (form == ScanForm::own ? sort.ms : sort.library_ms) = sort_ms;
  }
  return timings;
}

}  // namespace sinew::bench
