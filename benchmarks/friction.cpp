#include "benchmarks/friction.hpp"

#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "benchmarks/friction_study.hpp"
#include "benchmarks/output.hpp"
#include "benchmarks/twist.hpp"
#include "engine/export/machine_info.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

/// Of the published solver, by the scaling of its rows.
constexpr double kPublishedSystem = 1e-3, kPublishedMass = 0.1;

struct Options {
  std::string size = "small", young = "1e5,1e6,1e8";
  std::vector<std::string> methods = {"all"};
  int iterations = 5, threads = 0;
  OutputFiles files;
};

FrictionSettings settings_of(const Options& options) {
  std::vector<std::string> names = {"all"};
  for (const FrictionMethod& method : friction_methods()) names.push_back(method.name);
  require_known("--size", options.size, {"small", "large"});
  require_range("--iterations", options.iterations, 1, 1000);
  require_range("--threads", options.threads, 0, 1024);
  FrictionSettings settings;
  settings.young = parse_young(options.young);
  settings.iterations = options.iterations;
  if (options.size == "large") settings.time_step.push_back(0.001);
  settings.methods.clear();
  for (const std::string& word : options.methods) {
    require_known("--methods", word, names);
    for (const FrictionMethod& method : friction_methods())
      if (word == "all" || word == method.name) settings.methods.push_back(method);
  }
  return settings;
}

std::string cell(const FrictionError& error) {
  return fmt::format("{}{:.2g}", error.none ? "< " : (error.all ? "> " : ""), error.value);
}

Table table_of(const std::vector<FrictionCase>& cases) {
  Table table({"method", "E [Pa]", "h [s]", "error in mu (1 mm/s)", "error in mu (1 um/s)",
               "speed at mu = 1 [m/s]", "frames not converged", "ms per frame"});
  for (const FrictionCase& c : cases)
    table.add({c.method, fmt::format("{:.0e}", c.young), fmt::format("{:g}", c.time_step), cell(c.seen),
               cell(c.at_rest), fmt::format("{:.1e}", c.speed),
               fmt::format("{:.0f} %", 100.0 * c.unconverged), fmt::format("{:.2f}", c.ms)});
  return table;
}

void write_error(JsonWriter& json, const char* key, const FrictionError& error) {
  json.begin_object(key);
  json.number("error_in_mu", error.value);
  json.boolean("below_that", error.none);
  json.boolean("above_that", error.all);
  json.end_object();
}

std::string json_of(const FrictionSettings& settings, int threads, const std::vector<FrictionCase>& cases) {
  JsonWriter json;
  json.begin_object();
  json.text("study", "friction");
  write_machine(json, threads);
  json.integer("iterations", settings.iterations);
  json.number("settle_s", kSettle);
  json.number("watch_s", kWatch);
  json.number("seen_m_s", kSeen);
  json.number("at_rest_m_s", kAtRest);
  json.number("published_error_system", kPublishedSystem);
  json.number("published_error_mass", kPublishedMass);
  json.begin_array("cases");
  for (const FrictionCase& c : cases) {
    json.begin_object();
    json.text("method", c.method);
    json.number("young_Pa", c.young);
    json.number("time_step_s", c.time_step);
    write_error(json, "seen", c.seen);
    write_error(json, "at_rest", c.at_rest);
    json.number("speed_at_mu_1_m_s", c.speed);
    json.number("unconverged_frames", c.unconverged);
    json.number("ms_per_frame", c.ms);
    json.integer("frames", c.frames);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.str();
}

void run(Options& options) {
  const FrictionSettings settings = settings_of(options);
  options.files.open();
  Executor executor(options.threads > 0 ? options.threads : machine_info().cores);
  std::vector<FrictionCase> cases;
  {
    ProgressLine progress;
    executor.run(
        [&] { cases = run_friction_study(settings, [&](const std::string& line) { progress.show(line); }); });
  }
  const Table table = table_of(cases);
  const std::string machine = machine_line(executor.threads());
  const std::string title = fmt::format(
      "Block of 324 tetrahedra on a slope of 10 degrees, {} iterations per frame. Error in mu: largest |mu - "
      "tan 10 deg| with the wrong verdict {:g} s after mu is set. Published (non-smooth Newton): {:g} with "
      "rows scaled by the system's inverse, {:g} by the inverse masses",
      settings.iterations, kWatch, kPublishedSystem, kPublishedMass);
  std::fputs((title + ".\n" + machine + "\n\n" + table.text()).c_str(), stdout);
  options.files.write(
      json_of(settings, executor.threads(), cases),
      fmt::format("# Friction on a slope\n\n{}.\n\n{}.\n\n{}", title, machine, table.markdown()));
}

}  // namespace

void add_friction_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--size", options->size, "small: h = 0.01 s; large: 0.001 s, too")
      ->capture_default_str();
  command.add_option("--young", options->young, "Stiffnesses E,E,... [Pa]")->capture_default_str();
  command
      .add_option("--methods", options->methods,
                  "all, or some of published-system, published-mass, exact-system, exact-mass (non-smooth "
                  "Newton, form and scaling), the same with -fixed (one step of ten iterations), gs, newton")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--iterations", options->iterations, "Local-global iterations per frame")
      ->capture_default_str();
  command.add_option("--threads", options->threads, "Cases side by side; 0: one per core")
      ->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
