#include "benchmarks/local.hpp"

#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/local_study.hpp"
#include "benchmarks/output.hpp"
#include "engine/export/machine_info.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

struct Options {
  long tets = 111000, triangles = 111000;
  int threads = 0;
  double seconds = 6.0;
  std::string material = "all";
  OutputFiles files;
};

/// What was promised of one material, for 111,000 tetrahedra on two threads.
struct Goal {
  MaterialKind material;
  double least_ratio, most_ms;
};
constexpr Goal kGoals[] = {{MaterialKind::arap, 20.0, 4.0},
                           {MaterialKind::neo_hookean, 10.0, 12.0},
                           {MaterialKind::stable_neo_hookean, 10.0, 12.0}};
constexpr double kGoalTets = 111000.0;

struct Verdict {
  std::string text;
  double value, bound;
  bool met;
};

std::vector<Verdict> verdicts(const LocalStudy& study) {
  std::vector<Verdict> result;
  if (study.corners != 4) return result;
  for (const Goal& goal : kGoals) {
    for (const LocalCase& c : study.cases) {
      if (c.material != goal.material) continue;
      const double ms = c.best().quantile(0.5), ratio = c.find(kEigenName)->quantile(0.5) / ms;
      const double scaled = ms * kGoalTets / static_cast<double>(study.elements);
      result.push_back({fmt::format("{}: times the speed of {}, at least {:g}", to_string(c.material),
                                    kEigenName, goal.least_ratio),
                        ratio, goal.least_ratio, ratio >= goal.least_ratio});
      result.push_back(
          {fmt::format("{}: ms for 111,000 tetrahedra, at most {:g}", to_string(c.material), goal.most_ms),
           scaled, goal.most_ms, scaled <= goal.most_ms});
    }
  }
  return result;
}

Table timing_table(const LocalStudy& study) {
  Table table({"material", "form", "ns per element", "ms", "quartiles [ms]", "times Eigen"});
  for (const LocalCase& c : study.cases) {
    const double eigen = c.find(kEigenName)->quantile(0.5);
    for (const LocalTiming& t : c.timings) {
      const double ms = t.quantile(0.5);
      table.add({std::string(to_string(c.material)), t.name,
                 fmt::format("{:.2f}", 1e6 * ms / static_cast<double>(study.elements)),
                 fmt::format("{:.2f}", ms),
                 fmt::format("{:.2f} to {:.2f}", t.quantile(0.25), t.quantile(0.75)),
                 fmt::format("{:.1f}", eigen / ms)});
    }
  }
  return table;
}

std::string verdict_lines(const std::vector<Verdict>& all, const char* mark) {
  std::string text;
  for (const Verdict& v : all)
    text += fmt::format("{}{}: {:.2f}, {}\n", mark, v.text, v.value, v.met ? "met" : "NOT met");
  return text;
}

const char* shape_name(const LocalStudy& study) {
  return study.corners == 3 ? "triangles" : "tetrahedra";
}

void write_study(JsonWriter& json, const LocalStudy& study) {
  json.begin_object();
  json.text("shape", shape_name(study));
  json.integer("elements", static_cast<long long>(study.elements));
  json.integer("vertices", static_cast<long long>(study.vertices));
  json.integer("blocks", static_cast<long long>(study.blocks));
  json.integer("slots", static_cast<long long>(study.slots));
  json.number("bytes", study.bytes);
  json.number("bandwidth_GB_s", study.bandwidth_GB_s);
  json.number("floor_ms", study.floor_ms());
  json.begin_array("cases");
  for (const LocalCase& c : study.cases) {
    json.begin_object();
    json.text("material", to_string(c.material));
    json.begin_array("forms");
    for (const LocalTiming& t : c.timings) {
      json.begin_object();
      json.text("form", t.name);
      json.number("ns_per_element", 1e6 * t.quantile(0.5) / static_cast<double>(study.elements));
      json.number("ms_median", t.quantile(0.5));
      json.number("ms_lower_quartile", t.quantile(0.25));
      json.number("ms_upper_quartile", t.quantile(0.75));
      json.integer("rounds", static_cast<long long>(t.ms.size()));
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

std::string local_json(const std::vector<LocalStudy>& studies, const std::vector<Verdict>& goals,
                       int threads) {
  JsonWriter json;
  json.begin_object();
  json.text("study", "local");
  write_machine(json, threads);
  json.begin_array("shapes");
  for (const LocalStudy& study : studies) write_study(json, study);
  json.end_array();
  json.begin_array("goals");
  for (const Verdict& v : goals) {
    json.begin_object();
    json.text("goal", v.text);
    json.number("value", v.value);
    json.number("bound", v.bound);
    json.boolean("met", v.met);
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
  require_range("--tets", options.tets, 6, 1000000);
  require_range("--triangles", options.triangles, 0, 1000000);
  require_range("--threads", options.threads, 0, 1024);
  if (!(options.seconds > 0.0 && options.seconds <= 3600.0))
    throw Error(fmt::format("--seconds {:g}: give more than 0 and at most 3600", options.seconds));
  const auto chosen = [&](const auto& kinds) {
    std::vector<MaterialKind> materials;
    for (const MaterialKind kind : kinds)
      if (options.material == "all" || options.material == to_string(kind)) materials.push_back(kind);
    return materials;
  };
  const std::vector<MaterialKind> solid = chosen(kTetMaterialKinds),
                                  membrane = chosen(kTriangleMaterialKinds);
  options.files.open();

  Executor executor(options.threads > 0 ? options.threads : machine_info().cores);
  std::vector<LocalStudy> studies;
  {
    ProgressLine progress;
    executor.run([&] {
      const auto study = [&](int corners, long elements, const std::vector<MaterialKind>& materials) {
        if (elements == 0 || materials.empty()) return;
        studies.push_back(run_local_study(corners, static_cast<std::size_t>(elements), materials,
                                          options.seconds,
                                          [&](const std::string& line) { progress.show(line); }));
      };
      study(4, options.tets, solid);
      study(3, options.triangles, membrane);
    });
  }
  const std::string machine = machine_line(executor.threads());
  std::string text = machine + "\n", markdown = fmt::format("# Local step\n\n{}.\n", machine);
  std::vector<Verdict> goals;
  for (const LocalStudy& study : studies) {
    const Table table = timing_table(study);
    const std::string head = fmt::format(
        "Energy and gradient of {} {}, {} vertices; {} blocks, {:.2f} slots a vertex. Memory floor: {:.1f} "
        "MB at "
        "{:.1f} GB/s (read from where so much fits): {:.2f} ms",
        study.elements, shape_name(study), study.vertices, study.blocks,
        static_cast<double>(study.slots) / static_cast<double>(study.vertices), 1e-6 * study.bytes,
        study.bandwidth_GB_s, study.floor_ms());
    text += fmt::format("\n{}\n\n{}", head, table.text());
    markdown += fmt::format("\n{}.\n\n{}", head, table.markdown());
    const std::vector<Verdict> met = verdicts(study);
    goals.insert(goals.end(), met.begin(), met.end());
  }
  std::fputs((text + "\n" + verdict_lines(goals, "")).c_str(), stdout);
  options.files.write(local_json(studies, goals, executor.threads()),
                      markdown + "\n" + verdict_lines(goals, "- "));
}

}  // namespace

void add_local_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--tets", options->tets, "Tetrahedra, about")->capture_default_str();
  command.add_option("--triangles", options->triangles, "Triangles, about; 0: no sheet")
      ->capture_default_str();
  command.add_option("--material", options->material, "One material, or all")->capture_default_str();
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  command.add_option("--seconds", options->seconds, "Time measured per material [s]")->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
