#include "benchmarks/device.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/device_study.hpp"
#include "benchmarks/output.hpp"
#include "engine/export/machine_info.hpp"
#include "kernels/device/available.hpp"
#include "kernels/device/emulated_device.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

struct Options {
  std::string backend = "cuda";
  std::vector<long> vertices = {5000, 21000, 100000};
  long tets = 111000, copy_MB = 512, points = 0, numbers = 0;
  int threads = 0;
  double seconds = 0.5;
  OutputFiles files;
};

std::shared_ptr<Device> device_of(const std::string& backend) {
  require_known("--backend", backend, {"cuda", "emulated"});
  if (backend == "emulated") return make_emulated_device();
  try {
    return make_cuda_device();
  } catch (const BackendError& error) {
    throw BackendError(fmt::format("--backend cuda: {}", error.what()));
  }
}

Table timing_table(const DeviceStudy& study) {
  Table table({"operation", "vertices", "MB", "device [ms]", "over copying", "library [ms]", "published [ms]",
               "with copies [ms]", "host [ms]", "error"});
  const auto ms = [](double value) { return value > 0.0 ? fmt::format("{:.4f}", value) : std::string("-"); };
  for (const DeviceTiming& t : study.timings)
    table.add({t.operation, t.vertices > 0 ? fmt::format("{}", t.vertices) : "-",
               fmt::format("{:.1f}", 1e-6 * t.bytes), ms(t.ms),
               t.ms > 0.0 ? fmt::format("{:.2f}", t.times_floor(study.copy_GB_s)) : "-", ms(t.library_ms),
               ms(t.published_ms), ms(t.whole_ms), ms(t.host_ms), fmt::format("{:.0e}", t.error)});
  return table;
}

std::string study_json(const DeviceStudy& study, int threads) {
  JsonWriter json;
  json.begin_object();
  json.text("study", "device");
  write_machine(json, threads);
  json.text("device", study.device);
  json.text("libraries", study.libraries);
  json.number("copy_GB_s", study.copy_GB_s);
  json.begin_array("failures");
  for (const std::string& failure : study.failures) {
    json.begin_object();
    json.text("message", failure);
    json.end_object();
  }
  json.end_array();
  json.begin_array("timings");
  for (const DeviceTiming& t : study.timings) {
    json.begin_object();
    json.text("operation", t.operation);
    json.integer("vertices", static_cast<long long>(t.vertices));
    json.number("bytes", t.bytes);
    json.number("ms", t.ms);
    json.number("times_floor", t.times_floor(study.copy_GB_s));
    json.number("library_ms", t.library_ms);
    json.number("published_ms", t.published_ms);
    json.number("whole_ms", t.whole_ms);
    json.number("host_ms", t.host_ms);
    json.number("error", t.error);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.str();
}

void run(Options& options) {
  DeviceStudySettings settings;
  settings.vertices.clear();
  for (const long v : options.vertices) {
    require_range("--vertices", v, 8, 1000000);
    settings.vertices.push_back(static_cast<std::size_t>(v));
  }
  require_range("--tets", options.tets, 6, 10000000);
  require_range("--copy", options.copy_MB, 1, 16384);
  require_range("--points", options.points, 0, 100000);
  require_range("--numbers", options.numbers, 0, 1000000000);
  require_range("--threads", options.threads, 0, 1024);
  if (!(options.seconds > 0.0 && options.seconds <= 60.0))
    throw Error(fmt::format("--seconds {:g}: give more than 0 and at most 60", options.seconds));
  settings.tets = static_cast<std::size_t>(options.tets);
  settings.copy_bytes = static_cast<std::size_t>(options.copy_MB) << 20;
  settings.seconds = options.seconds;
  const std::shared_ptr<Device> device = device_of(options.backend);
  if (options.points > 0 || device->is_emulated())
    settings.points = options.points > 0 ? static_cast<std::size_t>(options.points) : 30;
  if (device->is_emulated()) {
    settings.gram_points = {settings.points};
    settings.triangles = 20000;
  }
  if (options.numbers > 0 || device->is_emulated())
    settings.numbers = options.numbers > 0 ? static_cast<std::size_t>(std::max(3l, options.numbers)) : 100000;
  options.files.open();

  Executor executor(options.threads > 0 ? options.threads : machine_info().cores);
  DeviceStudy study;
  {
    ProgressLine progress;
    executor.run([&] {
      study = run_device_study(*device, settings, [&](const std::string& line) { progress.show(line); });
    });
  }
  const std::string machine = machine_line(executor.threads());
  const std::string head = fmt::format(
      "Device: {}; copies at {:.1f} GB/s, read plus written. Device times: recorded work, data there "
      "already{}. Libraries: {}",
      study.device, study.copy_GB_s,
      device->is_emulated() ? "; emulated, so its times say nothing about a GPU" : "", study.libraries);
  std::string failures;
  for (const std::string& failure : study.failures) failures += "Left out: " + failure + "\n\n";
  const Table table = timing_table(study);
  std::fputs(fmt::format("{}\n{}\n\n{}{}", machine, head, failures, table.text()).c_str(), stdout);
  options.files.write(
      study_json(study, executor.threads()),
      fmt::format("# Device operations\n\n{}.\n\n{}.\n\n{}{}", machine, head, failures, table.markdown()));
}

}  // namespace

void add_device_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--backend", options->backend, "cuda, or emulated (no GPU: correctness only)")
      ->capture_default_str();
  command.add_option("--vertices", options->vertices, "Sizes of the bars of the global step")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--tets", options->tets, "Tetrahedra of the local step, about")->capture_default_str();
  command
      .add_option("--points", options->points,
                  "Points in contact of the published form; 0: 300, 30 on the emulated device")
      ->capture_default_str();
  command
      .add_option("--numbers", options->numbers,
                  "Length of vectors and scans; 0: 3000000, 100000 on the emulated device")
      ->capture_default_str();
  command.add_option("--copy", options->copy_MB, "Size of the copied buffer [MB]")->capture_default_str();
  command.add_option("--threads", options->threads, "Threads of the host; 0: one per core")
      ->capture_default_str();
  command.add_option("--seconds", options->seconds, "Time of each measurement [s]")->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
