#include "benchmarks/materials.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

#include <fmt/format.h>

#include <sinew/simulation.hpp>

#include "benchmarks/frame_error.hpp"
#include "benchmarks/output.hpp"
#include "benchmarks/twist.hpp"
#include "engine/common/solver_names.hpp"
#include "engine/export/machine_info.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

constexpr double kCoarse = 1e-3, kFine = 1e-6;
constexpr double kDegree = 0.017453292519943295;
constexpr double kTimeStep = 0.01;  // [s]

struct Options {
  std::string material = "all", young = "1e4,1e5,1e6,1e7,1e8,1e9";
  int vertices = 1300, angle = 20, threads = 0;
  OutputFiles files;
};

/// The same frame again and again with other numbers of iterations: k iterations are the first k of more.
class Frames {
 public:
  Frames(const Model& model, const FrameError& reference, const SimulationSettings& settings)
      : model_(model), reference_(reference), settings_(settings) {}

  double error(int iterations) {
    const auto known = error_.find(iterations);
    if (known != error_.end()) return known->second;
    return error_[iterations] = reference_.error(positions(iterations));
  }
  std::vector<Vec3d> positions(int iterations) {
    settings_.iterations = iterations;
    Simulation simulation(model_, settings_);
    simulation.step();
    return simulation.positions(0);
  }
  /// Doubles, then halves the interval. Errors of quasi-Newton never rise; ADMM's may, then the first count
  /// found is one that reaches the target, not surely the least.
  Reached reach(double target, int most) {
    int low = 0, high = 1;
    while (error(high) > target) {
      if (high == most) return {};
      low = high;
      high = std::min(2 * high, most);
    }
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (error(middle) > target ? low : high) = middle;
    }
    Reached reached{high, 0.0};
    settings_.iterations = high;
    Simulation simulation(model_, settings_);
    for (int repeat = 0; repeat < 3; ++repeat) {
      simulation.reset();
      const double ms = simulation.step().ms.frame;
      reached.ms = repeat == 0 ? ms : std::min(ms, reached.ms);
    }
    return reached;
  }

 private:
  const Model& model_;
  const FrameError& reference_;
  SimulationSettings settings_;
  std::map<int, double> error_;
};

std::string cell(const Reached& reached, bool time) {
  if (!reached.iterations) return "none";
  return time ? fmt::format("{:.1f}", reached.ms) : std::to_string(*reached.iterations);
}

Table table_of(const std::vector<MaterialCase>& cases) {
  Table table({"material", "E [Pa]", "nu", "scheme", "error at 5", "iterations to 1e-3", "ms",
               "iterations to 1e-6", "ms "});
  for (const MaterialCase& c : cases)
    table.add({std::string(to_string(c.kind)), fmt::format("{:.0e}", c.young),
               fmt::format("{:g}", c.poisson_ratio), to_string(c.scheme),
               fmt::format("{:.1e}", c.error_at_five), cell(c.coarse, false), cell(c.coarse, true),
               cell(c.fine, false), cell(c.fine, true)});
  return table;
}

std::string json_of(const MaterialsSettings& settings, const std::vector<MaterialCase>& cases) {
  JsonWriter json;
  json.begin_object();
  json.text("study", "materials");
  write_machine(json, settings.threads);
  json.integer("vertices", settings.vertices);
  json.number("angle_deg", settings.angle_deg);
  json.integer("most_iterations_quasi_newton", settings.most_quasi_newton);
  json.integer("most_iterations_admm", settings.most_admm);
  json.begin_array("cases");
  for (const MaterialCase& c : cases) {
    json.begin_object();
    json.text("material", to_string(c.kind));
    json.number("young_Pa", c.young);
    json.number("poisson_ratio", c.poisson_ratio);
    json.text("scheme", to_string(c.scheme));
    json.number("error_at_5", c.error_at_five);
    json.integer("iterations_to_1e-3", c.coarse.iterations.value_or(-1));
    json.number("ms_to_1e-3", c.coarse.iterations ? c.coarse.ms : -1.0);
    json.integer("iterations_to_1e-6", c.fine.iterations.value_or(-1));
    json.number("ms_to_1e-6", c.fine.iterations ? c.fine.ms : -1.0);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.str();
}

void run(Options& options) {
  std::vector<std::string> known = {"all"};
  for (const MaterialKind kind : kTetMaterialKinds) known.emplace_back(to_string(kind));
  require_known("--material", options.material, known);
  require_range("--vertices", options.vertices, 200, 100000);
  require_range("--angle", options.angle, 1, 180);
  require_range("--threads", options.threads, 0, 1024);
  MaterialsSettings settings;
  settings.vertices = options.vertices;
  settings.angle_deg = options.angle;
  settings.threads = options.threads > 0 ? options.threads : machine_info().cores;
  settings.young = parse_young(options.young);
  settings.poisson_ratio = {0.3, 0.45, 0.49};
  for (const MaterialKind kind : kTetMaterialKinds)
    if (options.material == "all" || options.material == to_string(kind)) settings.materials.push_back(kind);
  options.files.open();
  std::vector<MaterialCase> cases;
  {
    ProgressLine progress;
    for (const MaterialKind kind : settings.materials)
      for (const double nu : settings.poisson_ratio)
        for (const double young : settings.young) {
          progress.show(fmt::format("{} nu {:g} E {:.0e}", to_string(kind), nu, young));
          for (MaterialCase& c : study_material(settings, kind, young, nu)) cases.push_back(c);
        }
  }
  const Table table = table_of(cases);
  const std::string machine = machine_line(settings.threads);
  const std::string title = fmt::format(
      "Bar of {} vertices, ends turned by {} degrees in one frame of 10 ms; at most {} iterations, {} of ADMM",
      settings.vertices, options.angle, settings.most_quasi_newton, settings.most_admm);
  std::fputs((title + "\n" + machine + "\n\n" + table.text()).c_str(), stdout);
  options.files.write(json_of(settings, cases), fmt::format("# Convergence of the materials\n\n{}.\n\n{}.\n\n{}",
                                                            title, machine, table.markdown()));
}

}  // namespace

std::vector<MaterialCase> study_material(const MaterialsSettings& settings, MaterialKind kind, double young,
                                         double poisson_ratio) {
  SimulationSettings frame;
  frame.threads = settings.threads;
  frame.solver.cache = false;
  frame.time_step = kTimeStep;
  const Model model = twisting_bar(settings.vertices, Material{kind, young, poisson_ratio, 0.0, 0.0},
                                   0.5 * settings.angle_deg * kDegree / kTimeStep);
  Executor executor(settings.threads);
  std::optional<FrameError> reference;
  executor.run([&] { reference.emplace(model, kTimeStep); });
  SimulationSettings good = frame;
  good.iterations = settings.most_quasi_newton;
  good.tolerance = 1e-9;
  Simulation solution(model, good);
  const std::vector<Vec3d> start = solution.positions(0);
  solution.step();
  executor.run([&] {
    reference->set_frame(start, std::vector<Vec3d>(start.size()), solution.positions(0));
  });
  std::vector<MaterialCase> cases;
  for (const ElasticScheme scheme : settings.schemes) {
    frame.solver.scheme = scheme;
    const int most =
        scheme == ElasticScheme::admm ? settings.most_admm : settings.most_quasi_newton;
    Frames frames(model, *reference, frame);
    MaterialCase c{kind, young, poisson_ratio, scheme, frames.error(5), {}, {}};
    c.coarse = frames.reach(kCoarse, most);
    c.fine = frames.reach(kFine, most);
    cases.push_back(c);
  }
  return cases;
}

void add_materials_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--material", options->material, "One material of tetrahedra, or all")
      ->capture_default_str();
  command.add_option("--young", options->young, "Stiffnesses E,E,... [Pa]")->capture_default_str();
  command.add_option("--vertices", options->vertices, "Vertices of the bar")->capture_default_str();
  command.add_option("--angle", options->angle, "Angle between the ends [degrees], 1 to 180")
      ->capture_default_str();
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
