#include "benchmarks/peer_problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/frame_series.hpp"
#include "benchmarks/output.hpp"
#include "benchmarks/peer_study.hpp"
#include "benchmarks/suite_files.hpp"
#include "engine/common/solver_names.hpp"

namespace sinew::bench {

namespace {

struct Options {
  std::vector<std::string> only;
  std::string backend = "cpu";
  int repeats = 5, seconds = 10, threads = 0;
  SuiteFiles files;
};

/// The chosen cases, and the references that they are compared with.
std::vector<PeerCase> cases_of(const Options& options) {
  std::vector<std::string> known;
  const auto add = [&](const std::string& word) {
    if (std::find(known.begin(), known.end(), word) == known.end()) known.push_back(word);
  };
  for (const PeerCase& c : peer_cases()) add(c.problem);
  for (const PeerCase& c : peer_cases()) add(c.id());
  for (const std::string& word : options.only) require_known("--only", word, known);
  const auto chosen = [&](const PeerCase& c) {
    return std::any_of(options.only.begin(), options.only.end(),
                       [&](const std::string& word) { return word == c.problem || word == c.id(); });
  };
  std::vector<PeerCase> cases;
  for (const PeerCase& c : peer_cases())
    if (options.only.empty() || chosen(c)) cases.push_back(c);
  return cases;
}

std::string number(double value, const char* format) {
  return std::isnan(value) ? std::string() : fmt::format(fmt::runtime(format), value);
}
std::string millimetres(double metres) {
  return number(1e3 * metres, "{:.2f}");
}

std::string spread_of(const SuiteRow& row) {
  const std::vector<double>* samples = row.sample("median_ms");
  if (!samples || samples->size() < 2) return {};
  const auto [low, high] = std::minmax_element(samples->begin(), samples->end());
  return fmt::format("{:.0f} %", 100.0 * (*high / *low - 1.0));
}

std::vector<std::pair<std::string, Table>> tables_of(const SuiteResult& result) {
  Table times({"row", "vertices", "elements", "median [ms]", "p99", "longest", "spread", "detect", "local",
               "global", "contact", "correct", "contacts"});
  Table curves(
      {"row", "frame 25 [m]", "50", "75", "100", "largest error [mm]", "RMS", "nodes from converged, RMS"});
  Table slides({"row", "slide in 3 s [mm]", "rigid block", "error", "acceleration from 2 s on [mm/s^2]",
                "rigid block", "creep [m/s]"});
  Table contact(
      {"row", "penetration [m]", "creep [m/s]", "complementarity [m]", "support / weight", "unconverged"});
  for (const SuiteRow& row : result.rows) {
    const auto v = [&](const char* name) { return row.value(name); };
    const double contact_ms = row.median("contact_solve_ms") + row.median("delassus_ms");
    times.add({row.id, number(v("vertices"), "{:.0f}"), number(v("elements"), "{:.0f}"),
               number(v("median_ms"), "{:.2f}"), number(v("p99_ms"), "{:.2f}"),
               number(v("worst_ms"), "{:.2f}"), spread_of(row), number(row.median("detect_ms"), "{:.2f}"),
               number(row.median("local_ms"), "{:.2f}"), number(row.median("global_ms"), "{:.2f}"),
               number(contact_ms, "{:.2f}"), number(row.median("correct_ms"), "{:.2f}"),
               number(v("constraints"), "{:.0f}")});
    if (!std::isnan(v("lowest_25_m")))
      curves.add({row.id, number(v("lowest_25_m"), "{:.4f}"), number(v("lowest_50_m"), "{:.4f}"),
                  number(v("lowest_75_m"), "{:.4f}"), number(v("lowest_100_m"), "{:.4f}"),
                  millimetres(v("error_m")), millimetres(v("rms_error_m")), millimetres(v("distance_m"))});
    if (!std::isnan(v("slide_m")))
      slides.add({row.id, millimetres(v("slide_m")), millimetres(v("exact_slide_m")),
                  millimetres(v("error_m")), number(1e3 * v("late_pull_m_s2"), "{:.4f}"),
                  number(1e3 * v("exact_pull_m_s2"), "{:.4f}"), number(v("max_creep_m_s"), "{:.1e}")});
    if (v("constraints") > 0.0)
      contact.add({row.id, number(v("max_penetration_m"), "{:.1e}"), number(v("max_creep_m_s"), "{:.1e}"),
                   number(v("max_complementarity_m"), "{:.1e}"), number(v("support"), "{:.4f}"),
                   number(v("unconverged_frames"), "{:.0f}")});
  }
  std::vector<std::pair<std::string, Table>> tables;
  tables.emplace_back("Frames", std::move(times));
  const auto any = [&](const char* value) {
    return std::any_of(result.rows.begin(), result.rows.end(),
                       [&](const SuiteRow& row) { return !std::isnan(row.value(value)); });
  };
  if (any("lowest_25_m"))
    tables.emplace_back("Lowest vertex; errors of A5 from IPC's curve, of A11 from our own converged run",
                        std::move(curves));
  if (any("slide_m")) tables.emplace_back("C: block on a slope of 10 degrees", std::move(slides));
  if (any("slide_m") || any("support")) tables.emplace_back("Contact", std::move(contact));
  return tables;
}

Table recorded_table() {
  Table table(
      {"program", "A5 [ms]", "error [mm]", "A11 [ms]", "B [ms]", "C at 0.176 [mm]", "at 0.177", "D [ms]"});
  for (const RecordedPeer& p : recorded_peers())
    table.add({std::string(p.what), number(p.A5, "{:g}"), millimetres(curve_error(p.lowest, kIpcCurve).most),
               number(p.A11, "{:g}"), number(p.B, "{:g}"), millimetres(p.slide_176), millimetres(p.slide_177),
               number(p.D, "{:g}")});
  return table;
}

std::string recorded_title() {
  return fmt::format("Other programs as recorded ({}): no claim about speed today", kRecordedOn);
}

std::string heading(const SuiteResult& result) {
  return fmt::format("{}, {}", machine_line(result.threads), result.date);
}

std::vector<std::string> lines_below(const SuiteResult& result) {
  std::vector<std::string> lines;
  for (const SuiteRow& row : result.rows) lines.push_back(row.id + ": " + row.label("what"));
  const std::vector<std::string> remarks = remarks_of(result);
  lines.insert(lines.end(), remarks.begin(), remarks.end());
  return lines;
}

/// On the slowest row of the engine's own settings.
std::vector<std::string> advice_of(const SuiteResult& result) {
  const SuiteRow* slowest = nullptr;
  for (const SuiteRow& row : result.rows)
    if (row.label("setting") == "defaults" &&
        (!slowest || row.value("median_ms") > slowest->value("median_ms")))
      slowest = &row;
  const std::string advice = slowest ? advice_for(*slowest) : std::string();
  return advice.empty() ? std::vector<std::string>{} : std::vector<std::string>{advice};
}

void run(Options& options) {
  const std::vector<PeerCase> cases = cases_of(options);
  require_range("--repeats", options.repeats, 1, 1000);
  require_range("--seconds", options.seconds, 0, 100000);
  require_range("--threads", options.threads, 0, 1024);
  require_known("--backend", options.backend, {"cpu", "cuda", "emulated"});
  PeerSettings settings;
  settings.repeats = options.repeats;
  settings.seconds = options.seconds;
  settings.threads = options.threads;
  for (std::size_t i = 0; i < backend_names().size(); ++i)
    if (backend_names()[i] == options.backend) settings.backend = static_cast<Backend>(i);
  options.files.open("problems");

  SuiteResult result = begin_suite("problems", options.threads > 0 ? options.threads : machine_info().cores);
  const LoadMeter meter;
  {
    ProgressLine progress;
    result.rows = measure_problems(cases, settings, [&](const std::string& line) { progress.show(line); });
  }
  result.load = meter.stop();
  for (const SuiteRow& row : result.rows)
    if (!row.valid) result.failures.push_back(row.id + " is not valid");
  result.advice = advice_of(result);
  std::fputs(problems_text(result).c_str(), stdout);
  options.files.write(result, problems_markdown(result));
}

}  // namespace

std::string problems_text(const SuiteResult& result) {
  std::string text = heading(result) + "\n";
  for (const auto& [title, table] : tables_of(result)) text += "\n" + title + "\n\n" + table.text();
  text += "\n" + recorded_title() + "\n\n" + recorded_table().text() + "\n";
  for (const std::string& line : lines_below(result)) text += line + "\n";
  return text;
}

std::string problems_markdown(const SuiteResult& result) {
  std::string text = "# Problems that other programs were measured on\n\n" + heading(result) + ".\n";
  for (const auto& [title, table] : tables_of(result)) text += "\n**" + title + "**\n\n" + table.markdown();
  text += "\n**" + recorded_title() + "**\n\n" + recorded_table().markdown() + "\n";
  for (const std::string& line : lines_below(result)) text += "- " + line + "\n";
  return text;
}

void add_problems_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--only", options->only, "Only these problems or rows, e.g. A5,C/0.176,B/defaults")
      ->delimiter(',');
  command.add_option("--repeats", options->repeats, "Timed repeats at most")->capture_default_str();
  command
      .add_option("--seconds", options->seconds,
                  "Of timed repeats per row: no further one begins that would not fit")
      ->capture_default_str();
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  command.add_option("--backend", options->backend, "cpu, cuda or emulated")->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
