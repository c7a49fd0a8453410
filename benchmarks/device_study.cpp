#include "benchmarks/device_study.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/device_baselines.hpp"
#include "benchmarks/device_pairs.hpp"
#include "benchmarks/device_timer.hpp"
#include "benchmarks/library_inverse.hpp"
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

double copy_speed(DeviceQueue& queue, std::size_t bytes, double seconds) {
  DeviceBuffer<char> from(queue.device(), bytes, "copy"), to(queue.device(), bytes, "copy");
  queue.clear(from.view());
  return 2e-6 * static_cast<double>(bytes) /
         recorded_ms(seconds, queue, [&] { queue.copy(to.view(), from.cview()); });
}

/// What a library cannot do, for its memory or its own reasons, must not end the study.
void attempt(DeviceStudy& study, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    study.failures.emplace_back(error.what());
  }
}

/// A right-hand side and its solution, in the order of the matrix.
struct RightSide {
  std::vector<Vec3d> b, x;
};

DeviceTiming time_global_step(DeviceStudy& study, Device& device, const BenchSystem& system, int stages,
                              double seconds, RightSide& side) {
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
  side.b.resize(n);
  side.x.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    side.b[host->order()[k]] = b[k];
    side.x[host->order()[k]] = x[k];
  }

  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  {
    const StagedRows<double> rows = make_staged_rows(*staged_inverse_of(*host).full);
    const auto right = to_device(*queue, b, "global step");
    DeviceBuffer<Vec3d> block(device, n, "global step");
    const auto measure = [&](const std::function<void()>& apply) {
      const double ms = recorded_ms(seconds, *queue, [&] {
        queue->copy(block.view(), right.view());
        apply();
      });
      t.error = std::max(t.error, relative_difference(to_host(*queue, block.cview()), x));
      return ms;
    };
    {
      const DeviceInverse<double> inverse(*queue, rows);
      auto vectors = inverse.make_workspace(device);
      t.ms = measure([&] { inverse.apply(*queue, block.view(), vectors); });
      t.bytes = static_cast<double>(inverse.bytes()) + 8.0 * sizeof(Vec3d) * static_cast<double>(n);
    }
    if (study.has_libraries)
      attempt(study, [&] {
        const auto libraries = make_device_libraries(*queue);
        LibraryInverse inverse(*queue, *libraries, rows);
        t.library_ms = measure([&] { inverse.apply(*queue, block.view()); });
      });
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
  std::vector<Vec3d> expected(p.start.size());
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
  t.ms = recorded_ms(seconds, *queue, [&] {
    elastic.evaluate(*queue, kStep, start.view(), start.view(), position.view(), gradient.view());
  });
  // What the body holds, positions twice (blocks and nodes), predicted, start, gradient; block sums both
  // ways.
  t.bytes = static_cast<double>(body.bytes()) +
            sizeof(Vec3d) * (5.0 * static_cast<double>(p.start.size()) +
                             2.0 * static_cast<double>(p.body->blocks.node.size()));
  t.error = relative_difference(to_host(*queue, gradient.cview()), expected);
  return t;
}

}  // namespace

DeviceStudy run_device_study(Device& device, const DeviceStudySettings& settings,
                             const std::function<void(const std::string&)>& progress) {
  DeviceStudy study;
  study.device = device.name();
  progress("copy");
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  std::unique_ptr<DeviceLibraries> libraries;
  try {
    libraries = make_device_libraries(*queue);
    study.libraries = libraries->name();
    study.has_libraries = true;
  } catch (const BackendError& error) {
    study.libraries = error.what();
  }
  const auto add = [&](std::vector<DeviceTiming> timings) {
    study.timings.insert(study.timings.end(), timings.begin(), timings.end());
    device.trim();
  };
  study.copy_GB_s = copy_speed(*queue, settings.copy_bytes, settings.seconds);
  device.trim();
  for (const std::size_t vertices : settings.vertices) {
    progress(fmt::format("bar of {} vertices", vertices));
    const BenchSystem system = regular_problem("bar", vertices).make();
    RightSide side;
    for (const int stages : settings.stages) {
      add({time_global_step(study, device, system, stages, settings.seconds, side)});
      progress(fmt::format("{} of {} vertices", study.timings.back().operation, vertices));
    }
    if (!libraries || side.b.empty() || side.b.size() > settings.published_vertices) continue;
    progress(fmt::format("published form, {} vertices", vertices));
    attempt(study, [&] {
      add({time_published_inverse(*queue, *libraries, system, side.b, side.x, settings.seconds)});
    });
    attempt(study, [&] {
      add(time_published_contact(*queue, *libraries, system, settings.points, settings.seconds));
    });
  }
  if (!settings.vertices.empty() && !settings.gram_points.empty()) {
    const std::size_t vertices = settings.vertices[settings.vertices.size() / 2];
    progress(fmt::format("contact of a bar of {} vertices", vertices));
    add(time_contact(*queue, regular_problem("bar", vertices).make(), settings.gram_points.back(),
                     settings.seconds));
  }
  progress("products, vectors, scans and sorts");
  for (const std::size_t points : settings.gram_points)
    add({time_gram_product(*queue, libraries.get(), points, settings.points, settings.seconds)});
  add(time_vectors(*queue, libraries.get(), settings.numbers, settings.seconds));
  add(time_scans(*queue, settings.numbers, settings.seconds));
  progress("pairs of boxes");
  add(time_pairs(*queue, settings.triangles, settings.seconds));
  for (const MaterialKind kind : settings.materials) {
    progress(fmt::format("local step, {}", to_string(kind)));
    study.timings.push_back(time_local_step(device, settings.tets, kind, settings.seconds));
  }
  return study;
}

}  // namespace sinew::bench
