#include "benchmarks/twist.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/output.hpp"
#include "engine/export/machine_info.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

struct Size {
  const char* name;
  Index vertices;
};
constexpr Size kSizes[] = {{"small", 1300}, {"medium", 5400}, {"large", 21000}};
constexpr MaterialKind kMaterials[] = {MaterialKind::arap, MaterialKind::stable_neo_hookean};

struct Options {
  std::string size = "medium", material = "all", young = "1e5,1e6,1e7,1e8,1e9";
  int iterations = 1000, threads = 0, angle = 90;
  OutputFiles files;
};

TwistSettings settings_of(const Options& options) {
  std::vector<std::string> sizes, materials = {"all"};
  for (const Size& size : kSizes) sizes.emplace_back(size.name);
  for (const MaterialKind kind : kMaterials) materials.emplace_back(to_string(kind));
  require_known("--size", options.size, sizes);
  require_known("--material", options.material, materials);
  require_range("--iterations", options.iterations, 1, 100000);
  require_range("--threads", options.threads, 0, 1024);
  require_range("--angle", options.angle, 1, 180);
  TwistSettings settings;
  for (const Size& size : kSizes)
    if (options.size == size.name) settings.vertices = size.vertices;
  if (options.material != "all") {
    settings.materials.clear();
    for (const MaterialKind kind : kMaterials)
      if (options.material == to_string(kind)) settings.materials.push_back(kind);
  }
  settings.young = parse_young(options.young);
  settings.iterations = options.iterations;
  settings.angle_deg = options.angle;
  return settings;
}

std::string power_of_ten(double value) {
  const double exponent = std::log10(value);
  return std::abs(exponent - std::round(exponent)) < 1e-9 ? fmt::format("1e{:.0f}", exponent)
                                                          : fmt::format("{:g}", value);
}

Table table_of(const std::vector<TwistCase>& cases) {
  Table table({"material", "E [Pa]", "method", "iterations to 1e-3", "ms per iteration", "of it local step",
               "ms to 1e-3", "error after 33 ms", "error at the end", "iterations"});
  for (const TwistCase& c : cases) {
    for (const TwistCurve& curve : c.curves) {
      const int at = curve.converged_at();
      table.add({std::string(to_string(c.material)), power_of_ten(c.young), curve.method,
                 at < 0 ? "none" : std::to_string(at), fmt::format("{:.2f}", curve.ms_per_iteration()),
                 fmt::format("{:.2f}", curve.local_ms), at < 0 ? "none" : fmt::format("{:.0f}", curve.ms[at]),
                 fmt::format("{:.1e}", curve.error_in_frame()), fmt::format("{:.1e}", curve.error.back()),
                 std::to_string(curve.error.size() - 1)});
    }
  }
  return table;
}

std::string heading(const TwistSettings& settings, const std::vector<TwistCase>& cases) {
  return fmt::format("Bar of {} vertices, {} tetrahedra, ends turned by {:g} degrees in one frame of 10 ms",
                     cases.front().vertices, cases.front().tets, settings.angle_deg);
}

void run(Options& options) {
  const TwistSettings settings = settings_of(options);
  options.files.open();
  Executor executor(options.threads > 0 ? options.threads : machine_info().cores);
  std::vector<TwistCase> cases;
  {
    ProgressLine progress;
    executor.run(
        [&] { cases = run_twist_study(settings, [&](const std::string& line) { progress.show(line); }); });
  }
  const Table table = table_of(cases);
  const std::string title = heading(settings, cases), machine = machine_line(executor.threads());
  std::fputs((title + "\n" + machine + "\n\n" + table.text()).c_str(), stdout);
  options.files.write(
      twist_json(settings, options.size, executor.threads(), cases),
      fmt::format("# Convergence: twisted bar\n\n{}.\n\n{}.\n\n{}", title, machine, table.markdown()));
}

/// Every iteration to 20, then sixteen per decade, and the last.
std::vector<std::size_t> thinned(std::size_t count) {
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < count; ++k) {
    const auto mark = [](double at) { return std::floor(16.0 * std::log10(at)); };
    if (k <= 20 || k + 1 == count || mark(static_cast<double>(k)) != mark(static_cast<double>(k - 1)))
      chosen.push_back(k);
  }
  return chosen;
}

double rounded(double value) {
  return std::stod(fmt::format("{:.5g}", value));
}

void write_curve(JsonWriter& json, const TwistCurve& curve) {
  const int at = curve.converged_at();
  json.begin_object();
  json.text("method", curve.method);
  if (curve.chebyshev_radius > 0.0) json.number("chebyshev_radius", curve.chebyshev_radius);
  json.number("ms_per_iteration", rounded(curve.ms_per_iteration()));
  json.number("local_ms", rounded(curve.local_ms));
  json.number("other_ms", rounded(curve.other_ms));
  json.integer("iterations_to_1e-3", at);
  json.number("ms_to_1e-3", at < 0 ? -1.0 : rounded(curve.ms[at]));
  json.number("error_after_33_ms", rounded(curve.error_in_frame()));
  const std::vector<std::size_t> chosen = thinned(curve.error.size());
  json.begin_array("iteration");
  for (const std::size_t k : chosen) json.integer({}, static_cast<long long>(k));
  json.end_array();
  json.begin_array("ms");
  for (const std::size_t k : chosen) json.number({}, rounded(curve.ms[k]));
  json.end_array();
  json.begin_array("error");
  for (const std::size_t k : chosen) json.number({}, rounded(curve.error[k]));
  json.end_array();
  json.end_object();
}

}  // namespace

std::vector<double> parse_young(const std::string& text) {
  std::vector<double> values;
  std::size_t start = 0;
  do {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string word = text.substr(start, end - start);
    double value = 0.0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || rest != word.data() + word.size() || !(value >= 1e3 && value <= 1e12))
      throw Error(
          fmt::format("--young {}: '{}' is no stiffness from 1e3 to 1e12 Pa; give e.g. 1e5,1e7", text, word));
    values.push_back(value);
    start = end + 1;
  } while (start <= text.size());
  return values;
}

std::string twist_json(const TwistSettings& settings, const std::string& size, int threads,
                       const std::vector<TwistCase>& cases) {
  JsonWriter json;
  json.begin_object();
  json.text("study", "twist");
  write_machine(json, threads);
  json.text("size", size);
  json.number("angle_deg", settings.angle_deg);
  json.number("frame_ms", kFrameMs);
  json.number("converged", kConverged);
  json.begin_array("cases");
  for (const TwistCase& c : cases) {
    json.begin_object();
    json.text("material", to_string(c.material));
    json.number("young_Pa", c.young);
    json.integer("vertices", c.vertices);
    json.integer("free_vertices", c.free_vertices);
    json.integer("tets", static_cast<long long>(c.tets));
    json.number("energy_first_Js2", c.first_merit);
    json.number("energy_best_Js2", c.best_merit);
    json.number("newton_relative_gradient", c.newton_gradient);
    json.begin_array("methods");
    for (const TwistCurve& curve : c.curves) write_curve(json, curve);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.str();
}

void add_twist_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--size", options->size, "small, medium or large: 1.3k, 5.4k, 21k vertices")
      ->capture_default_str();
  command.add_option("--material", options->material, "arap, stable_neo_hookean or all")
      ->capture_default_str();
  command.add_option("--young", options->young, "Stiffnesses E,E,... [Pa]")->capture_default_str();
  command.add_option("--iterations", options->iterations, "Most iterations of a method")
      ->capture_default_str();
  command.add_option("--angle", options->angle, "Angle between the ends [degrees], 1 to 180")
      ->capture_default_str();
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
