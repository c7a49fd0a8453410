#include "benchmarks/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/frame_error.hpp"
#include "benchmarks/frame_series.hpp"
#include "benchmarks/suite_files.hpp"
#include "engine/meshing/structured.hpp"

namespace sinew::bench {

namespace {

constexpr double kTurn = 0.5 * std::numbers::pi;  // [rad/s] of either end of a bar
constexpr double kSlope = 20.0 / 180.0 * std::numbers::pi, kGravity = 9.81, kFriction = 0.5;
constexpr double kThickness = 0.1;  // [m] of the slab

struct Options {
  std::string size = "small";
  long frames = 20;
  int repeats = 3, threads = 0;
  SuiteFiles files;
};

std::string family_of(const SuiteRow& row) {
  const std::size_t start = row.id.find('/') + 1;
  return row.id.substr(start, row.id.find('/', start) - start);
}

double figure(const SuiteRow& row, const std::string& name) {
  return row.sample(name) ? row.median(name) : row.value(name);
}

SuiteRow measure(const std::string& family, const Model& model, const ScalingSettings& settings) {
  SimulationSettings frame;
  frame.iterations = 5;
  frame.threads = settings.threads;
  SuiteRow row;
  row.labels = {{"family", family}};
  FrameSeries series(run_frames(model, frame, settings.frames, {}));
  for (int repeat = 0; repeat < settings.repeats; ++repeat)
    series.add(run_frames(model, frame, settings.frames, {}));
  series.fill(row);
  return row;
}

std::string growth_of(const SuiteResult& result, const std::string& family, const char* size,
                      const std::vector<std::pair<const char*, const char*>>& figures) {
  std::string line;
  for (const auto& [name, what] : figures) {
    std::vector<double> x, y;
    for (const SuiteRow& row : result.rows) {
      if (family_of(row) != family) continue;
      x.push_back(row.value(size));
      y.push_back(figure(row, name));
    }
    const double exponent = fitted_exponent(x, y);
    if (!std::isnan(exponent)) line += fmt::format("{} {} {:.2f}", line.empty() ? "" : ",", what, exponent);
  }
  return line;
}

std::string number(double value) {
  if (std::isnan(value)) return "-";
  return fmt::format("{:.{}f}", value, value < 1.0 ? 3 : (value < 100.0 ? 2 : 0));
}

void run(Options& options) {
  ScalingSettings settings = scaling_settings(options.size);
  require_range("--frames", options.frames, 1, 100000);
  require_range("--repeats", options.repeats, 1, 1000);
  require_range("--threads", options.threads, 0, 1024);
  settings.frames = options.frames;
  settings.repeats = options.repeats;
  settings.threads = options.threads > 0 ? options.threads : machine_info().cores;
  options.files.open(options.size == "large" ? "scaling" : "scaling-" + options.size);
  SuiteResult result = begin_suite("scaling", settings.threads);
  const LoadMeter meter;
  {
    ProgressLine progress;
    run_scaling(settings, result, [&](const std::string& line) { progress.show(line); });
  }
  result.load = meter.stop();
  const std::string machine = machine_line(settings.threads);
  const Table table = scaling_table(result);
  std::vector<std::string> lines = result.advice;
  if (!result.load.warning.empty()) lines.push_back("warning: " + result.load.warning);
  for (const SuiteRow& row : result.rows)
    for (const std::string& warning : row.warnings) lines.push_back("warning: " + row.id + ": " + warning);
  for (const std::string& failure : result.failures) lines.push_back("failure: " + failure);
  std::string text = machine + "\n\n" + table.text() + "\n";
  std::string markdown = fmt::format("# Scaling\n\n{}.\n\n{}\n", machine, table.markdown());
  for (const std::string& line : lines) {
    text += line + "\n";
    markdown += "- " + line + "\n";
  }
  std::fputs(text.c_str(), stdout);
  options.files.write(result, markdown);
}

}  // namespace

Model slab_on_slope(Index contacts) {
  const auto side = static_cast<Index>(std::max(2.0, std::round(std::sqrt(static_cast<double>(contacts)))));
  BodySpec slab;
  slab.name = "slab";
  slab.mesh = make_cuboid({1.0, 1.0, kThickness}, {side - 1, side - 1, 2});
  slab.material = {MaterialKind::stable_neo_hookean, 1e5, 0.3, 0.0, 0.005};
  slab.friction = kFriction;
  ObstacleSpec ground;
  ground.name = "ground";
  ground.friction = kFriction;
  ModelBuilder builder;
  builder.gravity({kGravity * std::sin(kSlope), 0.0, -kGravity * std::cos(kSlope)});
  return builder.add(std::move(slab)).add(std::move(ground)).build();
}

ScalingSettings scaling_settings(const std::string& size) {
  require_known("--size", size, {"small", "medium", "large"});
  ScalingSettings settings;
  settings.elastic = {5000, 10000, 20000};
  settings.contact = {100, 300, 1000};
  if (size != "small") {
    settings.elastic.push_back(50000);
    settings.contact.push_back(3000);
  }
  if (size == "large") {
    settings.elastic.push_back(100000);
    settings.contact.push_back(10000);
  }
  return settings;
}

void run_scaling(const ScalingSettings& settings, SuiteResult& result,
                 const std::function<void(const std::string&)>& progress) {
  const auto add = [&](const char* family, Index vertices, const std::function<Model()>& make) {
    const std::string id = fmt::format("scaling/{}/{}", family, vertices);
    progress(id);
    try {
      result.rows.push_back(measure(family, make(), settings));
      result.rows.back().id = id;
    } catch (const MemoryError& error) {
      result.failures.push_back(fmt::format("{}: {}", id, error.what()));
    }
  };
  const Material material{MaterialKind::stable_neo_hookean, 1e6, 0.45, 0.0, 0.0};
  for (const Index v : settings.elastic) add("elastic", v, [&] { return twisting_bar(v, material, kTurn); });
  for (const Index v : settings.contact) add("contact", v, [&] { return slab_on_slope(v); });
  const std::vector<std::string> growth = growth_lines(result);
  result.advice.insert(result.advice.end(), growth.begin(), growth.end());
}

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::pair<double, double>> logs;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (x[i] > 0.0 && y[i] > 0.0 && std::isfinite(x[i]) && std::isfinite(y[i]))
      logs.emplace_back(std::log(x[i]), std::log(y[i]));
  const auto n = static_cast<double>(logs.size());
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
  for (const auto& [a, b] : logs) {
    mean_x += a / n;
    mean_y += b / n;
  }
  for (const auto& [a, b] : logs) {
    xx += (a - mean_x) * (a - mean_x);
    xy += (a - mean_x) * (b - mean_y);
  }
  return xx > 0.0 ? xy / xx : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> growth_lines(const SuiteResult& result) {
  std::vector<std::string> lines;
  const std::string elastic = growth_of(result, "elastic", "vertices",
                                        {{"median_ms", "frame"},
                                         {"local_ms", "local"},
                                         {"global_ms", "global"},
                                         {"precompute_ms", "preparation"},
                                         {"precompute_bytes", "bytes"}});
  if (!elastic.empty()) lines.push_back("elastic: exponents in the number of vertices:" + elastic + ".");
  const std::string contact = growth_of(result, "contact", "constraints",
                                        {{"median_ms", "frame"},
                                         {"detect_ms", "detect"},
                                         {"delassus_ms", "delassus"},
                                         {"contact_solve_ms", "contact solve"},
                                         {"correct_ms", "correct"}});
  if (!contact.empty()) lines.push_back("contact: exponents in the number of contacts:" + contact + ".");
  return lines;
}

Table scaling_table(const SuiteResult& result) {
  std::vector<std::string> header = {"row", "vertices", "elements", "contacts", "frame [ms]"};
  for (const StageName& stage : stage_names()) header.emplace_back(stage.name);
  header.insert(header.end(), {"prepared [ms]", "prepared [MB]", "hash"});
  Table table(header);
  for (const SuiteRow& row : result.rows) {
    std::vector<std::string> cells = {row.id};
    for (const char* name : {"vertices", "elements", "constraints"})
      cells.push_back(fmt::format("{:.0f}", row.value(name)));
    cells.push_back(number(row.value("median_ms")));
    for (const StageName& stage : stage_names())
      cells.push_back(number(row.median(fmt::format("{}_ms", stage.name))));
    cells.push_back(number(row.value("precompute_ms")));
    cells.push_back(number(row.value("precompute_bytes") / 1e6));
    cells.push_back(row.hash);
    table.add(cells);
  }
  return table;
}

void add_scaling_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command
      .add_option("--size", options->size,
                  "small, medium, large: bars to 20k, 50k, 100k vertices, slabs to 1k, 3k, 10k contacts")
      ->capture_default_str();
  command.add_option("--frames", options->frames, "Frames of a run")->capture_default_str();
  command.add_option("--repeats", options->repeats, "Timed runs, after one that warms up")
      ->capture_default_str();
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
