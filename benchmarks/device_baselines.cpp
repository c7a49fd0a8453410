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

}  // namespace sinew::bench
