#include "benchmarks/device_study.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "benchmarks/local_study.hpp"
#include "benchmarks/problems.hpp"
#include "engine/elastic/device_elastic.hpp"
#include "host/device_inverse.hpp"
#include "host/device_solver.hpp"
#include "host/staged_solver.hpp"
#include "kernels/device/queue.hpp"
#include "tests/support/random.hpp"

namespace sinew::bench {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Median [ms] of work(), called for about so many seconds after one call to warm up. inner: repetitions that
/// one call of work does.
double median_ms(double seconds, int inner, const std::function<void()>& work) {
  work();
  std::vector<double> ms;
  const Clock::time_point begin = Clock::now();
  do {
    const Clock::time_point start = Clock::now();
    work();
    ms.push_back(ms_since(start) / inner);
  } while (ms_since(begin) < 1e3 * seconds);
  std::nth_element(ms.begin(), ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2), ms.end());
  return ms[ms.size() / 2];
}

/// The same of recorded work, many runs between two waits: what a launch from the host costs is hidden.
double median_ms(double seconds, DeviceQueue& queue, DeviceGraph& graph) {
  const int inner = queue.device().is_emulated() ? 1 : 20;
  return median_ms(seconds, inner, [&] {
    for (int k = 0; k < inner; ++k) queue.run(graph);
    queue.synchronize();
  });
}

double relative_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, norm(a[i] - b[i]));
    size = std::max(size, norm(b[i]));
  }
  return size > 0.0 ? difference / size : difference;
}

double copy_speed(DeviceQueue& queue, std::size_t bytes, double seconds) {
  DeviceBuffer<char> from(queue.device(), bytes, "copy"), to(queue.device(), bytes, "copy");
  queue.clear(from.view());
  queue.begin_recording();
  queue.copy(to.view(), from.cview());
  const std::unique_ptr<DeviceGraph> graph = queue.end_recording();
  return 2e-6 * static_cast<double>(bytes) / median_ms(seconds, queue, *graph);
}

DeviceTiming time_global_step(Device& device, const BenchSystem& system, int stages, double seconds) {
  SolverSettings settings;
  settings.stages = stages;
  std::unique_ptr<LinearSolver> host = make_staged_solver(system.matrix, settings, 0.0);
  const auto n = static_cast<std::size_t>(host->size());
  std::vector<Vec3d> b(n), x, got(n);
  test::Random random(1);
  for (Vec3d& v : b) v = random.vector();

  DeviceTiming t;
  t.operation = fmt::format("global step, K = {}", host->sizes().stages);
  t.vertices = n;
  const auto workspace = host->make_workspace();
  t.host_ms = median_ms(seconds, 1, [&] {
    x = b;
    Vec3d* block = x.data();
    host->solve(&block, 1, *workspace);
  });

  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  {
    const DeviceInverse<double> inverse(*queue, make_staged_rows(*staged_inverse_of(*host).full));
    auto vectors = inverse.make_workspace(device);
    const auto right = to_device(*queue, b, "global step");
    DeviceBuffer<Vec3d> block(device, n, "global step");
    queue->begin_recording();
    queue->copy(block.view(), right.view());
    inverse.apply(*queue, block.view(), vectors);
    const std::unique_ptr<DeviceGraph> graph = queue->end_recording();
    t.ms = median_ms(seconds, *queue, *graph);
    t.bytes = static_cast<double>(inverse.bytes()) + 8.0 * sizeof(Vec3d) * static_cast<double>(n);
    queue->download(got.data(), static_cast<const DeviceBuffer<Vec3d>&>(block).view());
    queue->synchronize();
    t.error = relative_difference(got, x);
  }
  const std::unique_ptr<LinearSolver> whole =
      make_device_solver(std::move(host), std::shared_ptr<Device>(std::shared_ptr<Device>{}, &device));
  const auto whole_workspace = whole->make_workspace();
  t.whole_ms = median_ms(seconds, 1, [&] {
    got = b;
    Vec3d* to = got.data();
    whole->solve(&to, 1, *whole_workspace);
  });
  return t;
}

DeviceTiming time_local_step(Device& device, std::size_t tets, MaterialKind kind, double seconds) {
  const LocalProblem p = make_local_problem(tets, kind);
  constexpr double kStep = 0.01;
  DeviceTiming t;
  t.operation = fmt::format("local step, {}", to_string(kind));
  t.vertices = p.start.size();
  std::vector<Vec3d> expected(p.start.size()), got(p.start.size());
  ElasticWorkspace workspace;
  begin_elastic_frame(*p.body, p.start.data(), workspace);
  t.host_ms = median_ms(seconds, 1, [&] {
    evaluate_elastic(*p.body, {kStep, p.start.data(), p.start.data()}, p.position.data(), workspace,
                     expected.data());
  });
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const DeviceBody body(*queue, *p.body);
  DeviceElastic elastic(device, body);
  const auto start = to_device(*queue, p.start, "local step"),
             position = to_device(*queue, p.position, "local step");
  DeviceBuffer<Vec3d> gradient(device, p.start.size(), "local step");
  elastic.begin_frame(*queue, start.view());
  queue->begin_recording();
  elastic.evaluate(*queue, kStep, start.view(), start.view(), position.view(), gradient.view());
  const std::unique_ptr<DeviceGraph> graph = queue->end_recording();
  t.ms = median_ms(seconds, *queue, *graph);
  // What the body holds, positions twice (blocks and nodes), predicted, start, gradient; block sums both
  // ways.
  t.bytes = static_cast<double>(body.bytes()) +
            sizeof(Vec3d) * (5.0 * static_cast<double>(p.start.size()) +
                             2.0 * static_cast<double>(p.body->blocks.node.size()));
  queue->download(got.data(), static_cast<const DeviceBuffer<Vec3d>&>(gradient).view());
  queue->synchronize();
  t.error = relative_difference(got, expected);
  return t;
}

}  // namespace

DeviceStudy run_device_study(Device& device, const DeviceStudySettings& settings,
                             const std::function<void(const std::string&)>& progress) {
  DeviceStudy study;
  study.device = device.name();
  progress("copy");
  study.copy_GB_s = copy_speed(*device.make_queue(), settings.copy_bytes, settings.seconds);
  device.trim();
  for (const std::size_t vertices : settings.vertices) {
    progress(fmt::format("bar of {} vertices", vertices));
    const BenchSystem system = regular_problem("bar", vertices).make();
    for (const int stages : settings.stages) {
      study.timings.push_back(time_global_step(device, system, stages, settings.seconds));
      progress(fmt::format("{} of {} vertices", study.timings.back().operation, vertices));
    }
    device.trim();
  }
  for (const MaterialKind kind : settings.materials) {
    progress(fmt::format("local step, {}", to_string(kind)));
    study.timings.push_back(time_local_step(device, settings.tets, kind, settings.seconds));
  }
  return study;
}

}  // namespace sinew::bench
