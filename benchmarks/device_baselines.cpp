#include "benchmarks/device_baselines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "benchmarks/device_timer.hpp"
#include "benchmarks/published_device.hpp"
#include "host/staged_solver.hpp"
#include "tests/support/random.hpp"

namespace sinew::bench {

namespace {

constexpr int kResidualSteps = 10;  // as published
constexpr double kBytes = sizeof(double);

std::vector<double> random_numbers(std::size_t n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<double> v(n);
  for (double& x : v) x = random.uniform();
  return v;
}

View<double> numbers(View<Vec3d> v) {
  return {&v.data->x, 3 * v.size};
}

/// Points in nodes spread over the body, on ground that is not level.
struct Points {
  std::vector<Index> node;
  PointRows rows;
  std::vector<ContactFrame<double>> frames;

  Points(std::size_t nodes, std::size_t count) {
    const Vec3d n = Vec3d{0.3, 0.2, 1.0} / norm(Vec3d{0.3, 0.2, 1.0});
    const Vec3d t1 = cross(n, Vec3d{1, 0, 0}) / norm(cross(n, Vec3d{1, 0, 0}));
    for (std::size_t c = 0; c < count; ++c) {
      node.push_back(static_cast<Index>(c * nodes / count));
      const ContactTerm term{0, node.back(), 1.0};
      rows.add(&term, 1);
      frames.push_back({n, t1, cross(n, t1)});
    }
  }
};

/// W on the host: columns of the scalar inverse, and the frames, which are all the same.
std::vector<double> host_delassus(const LinearSolver& solver, const Points& points, double seconds,
                                  double& ms) {
  const std::size_t count = points.node.size(), n = static_cast<std::size_t>(solver.size());
  std::vector<Index> place(n), node;
  for (std::size_t k = 0; k < n; ++k) place[solver.order()[k]] = static_cast<Index>(k);
  for (const Index i : points.node) node.push_back(place[i]);
  std::vector<double> table(n * count);
  std::vector<double*> column;
  for (std::size_t c = 0; c < count; ++c) column.push_back(table.data() + c * n);
  const auto workspace = solver.make_workspace();
  ms = median_ms(seconds, 1, [&] { solver.inverse_columns(node.data(), count, column.data(), *workspace); });
  std::vector<double> w(9 * count * count, 0.0);
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t d = 0; d < count; ++d)
      for (std::size_t k = 0; k < 3; ++k) w[(3 * c + k) * 3 * count + 3 * d + k] = column[c][node[d]];
  return w;
}

/// Steps of conjugate residual on the host.
std::vector<double> host_residual(const std::vector<double>& a, const std::vector<double>& b, int steps) {
  const std::size_t n = b.size();
  const auto product = [&](const std::vector<double>& x) {
    std::vector<double> to(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      to[i] = std::inner_product(x.begin(), x.end(), a.begin() + static_cast<std::ptrdiff_t>(i * n), 0.0);
    return to;
  };
  const auto dot = [](const std::vector<double>& x, const std::vector<double>& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  std::vector<double> x(n, 0.0), r = b, ar = product(r), p = r, ap = ar;
  double rho = dot(r, ar);
  for (int k = 0; k < steps; ++k) {
    const double alpha = rho / dot(ap, ap);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    ar = product(r);
    const double next = dot(r, ar), beta = next / rho;
    rho = next;
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = r[i] + beta * p[i];
      ap[i] = ar[i] + beta * ap[i];
    }
  }
  return x;
}

/// S W S + E as the solver for contacts makes it, with unknowns of any weight.
DeviceTiming time_residual(DeviceQueue& queue, DeviceLibraries& libraries, const std::vector<double>& w,
                           double seconds) {
  const auto size = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(w.size()))));
  test::Random random(7);
  std::vector<double> s(size), e(size), b(size), a(w.size());
  for (std::size_t i = 0; i < size; ++i) {
    s[i] = random.uniform(0.2, 1.0);
    e[i] = random.uniform(0.1, 1.0) * w[i * size + i];
    b[i] = random.uniform();
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      a[i * size + j] = s[i] * w[i * size + j] * s[j] + (i == j ? e[i] : 0.0);
  DeviceTiming t;
  t.operation = fmt::format("{} steps of conjugate residual, {} rows", kResidualSteps, size);
  std::vector<double> expected;
  t.host_ms = median_ms(seconds, 1, [&] { expected = host_residual(a, b, kResidualSteps); });
  LibraryConjugateResidual solver(queue, libraries, static_cast<Index>(size));
  const auto dw = to_device(queue, w, "contact"), ds = to_device(queue, s, "contact"),
             de = to_device(queue, e, "contact"), db = to_device(queue, b, "contact");
  DeviceBuffer<double> da(queue.device(), w.size(), "contact"), x(queue.device(), size, "contact");
  t.published_ms = recorded_ms(seconds, queue, [&] {
    queue.scale_symmetric(dw.view(), ds.view(), de.view(), da.view());
    solver.solve(da.cview(), db.view(), x.view(), kResidualSteps);
  });
  t.bytes = kBytes * static_cast<double>(w.size()) * (kResidualSteps + 3);
  t.error = relative_difference(to_host(queue, x.cview()), expected);
  return t;
}

}  // namespace

std::vector<DeviceTiming> time_published_contact(DeviceQueue& queue, DeviceLibraries& libraries,
                                                 const BenchSystem& system, std::size_t points,
                                                 double seconds) {
  const auto n = static_cast<std::size_t>(system.matrix.size);
  const Points at(n, std::min(points, n));
  const std::size_t size = 3 * at.node.size();
  DeviceTiming t;
  t.operation = fmt::format("Delassus operator, {} points", at.node.size());
  t.vertices = n;
  const auto host = make_staged_solver(system.matrix, SolverSettings{}, 0.0);
  const std::vector<double> expected = host_delassus(*host, at, seconds, t.host_ms);
  const SparseInverse<double> inverse(factor(system.matrix, FactorLibrary::native, 0.0), 0.0);
  std::vector<double> w;
  {
    PublishedInverse published(queue, libraries, inverse);
    const DeviceCsr h = published.upload_points(at.rows, at.frames);
    DeviceBuffer<double> to(queue.device(), size * size, "Delassus operator");
    t.published_ms = median_ms(seconds, 1, [&] { published.assemble(h, to.view()); });
    w = to_host(queue, to.cview());
    t.bytes = 0.5 * static_cast<double>(published.bytes()) + kBytes * static_cast<double>(w.size());
  }
  t.error = relative_difference(w, expected);
  queue.device().trim();
  DeviceTiming solve = time_residual(queue, libraries, expected, seconds);
  solve.vertices = n;
  return {t, solve};
}

DeviceTiming time_published_inverse(DeviceQueue& queue, DeviceLibraries& libraries, const BenchSystem& system,
                                    const std::vector<Vec3d>& b, const std::vector<Vec3d>& x,
                                    double seconds) {
  const SparseInverse<double> inverse(factor(system.matrix, FactorLibrary::native, 0.0), 0.0);
  PublishedInverse published(queue, libraries, inverse);
  const std::size_t n = b.size();
  std::vector<Vec3d> right(n), expected(n);
  for (std::size_t k = 0; k < n; ++k) {
    right[k] = b[inverse.order()[k]];
    expected[k] = x[inverse.order()[k]];
  }
  auto from = to_device(queue, right, "global step");
  DeviceBuffer<Vec3d> to(queue.device(), n, "global step");
  DeviceTiming t;
  t.operation = "global step, S of 3n";
  t.vertices = n;
  t.bytes = static_cast<double>(published.bytes()) + 4.0 * sizeof(Vec3d) * static_cast<double>(n);
  t.published_ms =
      recorded_ms(seconds, queue, [&] { published.solve(numbers(from.view()), numbers(to.view())); });
  t.error = relative_difference(to_host(queue, to.cview()), expected);
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
