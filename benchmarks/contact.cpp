#include "benchmarks/contact.hpp"

#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/contact_assembly.hpp"
#include "benchmarks/contact_replay.hpp"
#include "engine/export/machine_info.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

constexpr double kGoal = 10.0;  // times as fast as the Gram way, at a steady contact set

struct Options {
  std::vector<std::string> recorded;
  ContactReplaySettings replay;
  std::vector<long> constraints = {300, 1000, 3000, 10000};
  std::string body = "sheet";
  long plain_limit = 3000;
  int threads = 0;
  double seconds = 1.0;
  OutputFiles files;
};

struct Verdict {
  std::string text;
  double value;
};

std::vector<Verdict> verdicts(const std::vector<AssemblyCase>& cases) {
  std::vector<Verdict> result;
  for (const AssemblyCase& c : cases)
    for (const char* way : {kSameSet, kNewPoints})
      result.push_back({fmt::format("{}, {} constraints, {}: times the speed of the Gram way, at least {:g}",
                                    c.body, 3 * c.points, way, kGoal),
                        c.of(kGramWay).ms / c.of(way).ms});
  return result;
}

void run(Options& options) {
  std::vector<std::string> bodies = {"all"};
  bodies.insert(bodies.end(), assembly_bodies().begin(), assembly_bodies().end());
  require_known("--body", options.body, bodies);
  for (const long count : options.constraints) require_range("--constraints", count, 3, 40000);
  require_range("--plain-limit", options.plain_limit, 0, 40000);
  require_range("--threads", options.threads, 0, 1024);
  if (!(options.seconds > 0.0 && options.seconds <= 3600.0))
    throw Error(fmt::format("--seconds {:g}: give more than 0 and at most 3600", options.seconds));
  options.files.open();

  Executor executor(options.threads > 0 ? options.threads : machine_info().cores);
  const std::vector<std::size_t> constraints(options.constraints.begin(), options.constraints.end());
  std::vector<AssemblyCase> cases;
  {
    ProgressLine progress;
    for (const std::string& body : assembly_bodies()) {
      if (options.body != "all" && options.body != body) continue;
      executor.run([&] {
        for (AssemblyCase& c :
             run_assembly_study(body, constraints, static_cast<std::size_t>(options.plain_limit),
                                options.seconds, [&](const std::string& line) { progress.show(line); }))
          cases.push_back(std::move(c));
      });
    }
  }
  const std::string machine = machine_line(executor.threads());
  std::string text, markdown, lines;
  for (const AssemblyCase& c : cases)
    if (text.find(c.body) == std::string::npos) text += fmt::format("{}: {} vertices. ", c.body, c.vertices);
  markdown = fmt::format("# Delassus operator of contacts\n\n{}.\n\n{}\n\n{}\n", machine, text,
                         assembly_table(cases).markdown());
  JsonWriter json;
  json.begin_object();
  json.text("study", "contact");
  write_machine(json, executor.threads());
  write_assembly(json, cases);
  json.begin_array("goals");
  for (const Verdict& v : verdicts(cases)) {
    const bool met = v.value >= kGoal;
    lines += fmt::format("- {}: {:.3g}, {}\n", v.text, v.value, met ? "met" : "NOT met");
    json.begin_object();
    json.text("goal", v.text);
    json.number("value", v.value);
    json.number("bound", kGoal);
    json.boolean("met", met);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  std::fputs(fmt::format("{}\n{}\n\n{}\n{}", machine, text, assembly_table(cases).text(), lines).c_str(),
             stdout);
  options.files.write(json.str(), markdown + lines);
}

}  // namespace

void add_contact_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--constraints", options->constraints, "Numbers of constraints, three per point")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--body", options->body, "sheet, slab or all")->capture_default_str();
  command
      .add_option(
          "--plain-limit", options->plain_limit,
          "Constraints up to which the published 3c x 3c form is measured, which takes minutes at 10000")
      ->capture_default_str();
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  command.add_option("--seconds", options->seconds, "Time measured per way [s]")->capture_default_str();
  options->files.add_options(command);
  command.add_option("files", options->recorded,
                     "Recorded problems (sinew run --record-contacts): every contact solver on them instead");
  command.add_option("--max-sweeps", options->replay.max_sweeps,
                     "With files: sweeps of gs and steps of nsn, at most");
  command.add_option("--tolerance", options->replay.tolerance,
                     "With files: residual to reach [m] (default: as recorded)");
  command.callback([options] {
    if (options->recorded.empty()) return run(*options);
    require_range("--threads", options->threads, 0, 1024);
    require_range("--max-sweeps", options->replay.max_sweeps, 1, 1000000);
    options->replay.threads = options->threads;
    replay_contacts(options->recorded, options->replay);
  });
}

}  // namespace sinew::bench
