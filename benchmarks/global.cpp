#include "benchmarks/global.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/global_problems.hpp"
#include "benchmarks/global_report.hpp"
#include "engine/export/machine_info.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

struct Options {
  GlobalSelection selection;
  std::vector<std::string> solvers;
  bool all_stages = false, cache = false;
  int threads = 0;
  double seconds = 10.0, memory_limit_GB = 2.0;
  OutputFiles files;
};

std::vector<SolverKind> solvers_of(const Options& options) {
  for (const std::string& word : options.solvers) require_known("--solvers", word, solver_kind_names());
  std::vector<SolverKind> chosen;
  for (const SolverKind& kind : solver_kinds()) {
    const bool named =
        std::find(options.solvers.begin(), options.solvers.end(), kind.name) != options.solvers.end();
    const bool by_default = options.solvers.empty() && kind.stages <= 1;
    if (named || by_default || (options.all_stages && kind.stages > 0)) chosen.push_back(kind);
  }
  return chosen;
}

GlobalSettings settings_of(const Options& options) {
  GlobalSettings settings;
  settings.solvers = solvers_of(options);
  require_range("--threads", options.threads, 0, 1024);
  settings.threads = options.threads > 0 ? options.threads : machine_info().cores;
  if (!(options.seconds >= 0.0 && options.seconds <= 3600.0))
    throw Error(fmt::format("--seconds {}: give a number from 0 to 3600", options.seconds));
  if (!(options.memory_limit_GB > 0.0 && options.memory_limit_GB <= 1e6))
    throw Error(fmt::format("--memory-limit {}: give gigabytes above 0", options.memory_limit_GB));
  settings.seconds = options.seconds;
  settings.cache = options.cache;
  settings.memory_limit = 1e9 * options.memory_limit_GB;
  return settings;
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void run(Options& options) {
  const GlobalSettings settings = settings_of(options);
  options.files.open();
  Executor executor(settings.threads);
  std::vector<ProblemSource> sources;
  executor.run([&] { sources = select_problems(options.selection); });
  print(machine_line(settings.threads) + "\n" + library_line() + "\n\n");

  std::vector<GlobalResult> results;
  ProgressLine progress;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const auto say = [&](const std::string& line) {
      progress.show(fmt::format("[{}/{}] {}", k + 1, sources.size(), line));
    };
    say(sources[k].name + ": system");
    GlobalProblem problem;
    executor.run([&] { problem = sources[k].make(); });
    results.push_back(run_global_study(problem, settings, say));
    progress.clear();
    print(problem_line(results.back()) + "\n" + solver_table(results.back(), settings.threads).text() + "\n");
  }
  const std::vector<Goal> goals = judge(results, settings.threads);
  print(nonzeros_table(results).text() + "\n" + memory_table(results).text() + "\n" +
        preparation_table(results).text() + "\n" + goal_table(goals).text());
  options.files.write(global_json(results, goals, settings),
                      global_markdown(results, goals, settings.threads));
}

}  // namespace

void add_global_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  GlobalSelection& selection = options->selection;
  command.add_option("--shape", selection.shapes, "bar, cube, sheet, published, mesh; several with commas")
      ->delimiter(',');
  command.add_option("--vertices", selection.vertices, "Sizes of bars, cubes and sheets, e.g. 5000,20000")
      ->delimiter(',');
  command
      .add_option("--size", selection.size,
                  "small: 5k vertices; medium: to 20k, and meshes with published memory; large: to 100k")
      ->capture_default_str();
  command.add_option("--mesh", selection.meshes, "Tetrahedral mesh or closed surface; may be repeated")
      ->type_name("FILE");
  command.add_option("--fill-vertices", selection.fill_vertices, "Vertices of a surface that is filled")
      ->capture_default_str();
  command.add_option("--solvers", options->solvers, "Only these, with commas; default: all but K = 2 to 6")
      ->delimiter(',');
  command.add_flag("--all-stages", options->all_stages, "Every number of stages from 1 to 6 as well");
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  command
      .add_option("--seconds", options->seconds,
                  "Time for the solves of one problem; each is run at least once")
      ->capture_default_str();
  command.add_flag("--cache", options->cache, "Also a second start, from a cache in a temporary folder");
  command
      .add_option("--memory-limit", options->memory_limit_GB,
                  "Solvers whose arrays pass so many GB are not built, and listed as such")
      ->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
