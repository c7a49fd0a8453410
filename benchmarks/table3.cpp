#include "benchmarks/table3.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/output.hpp"
#include "benchmarks/suite_files.hpp"
#include "benchmarks/table3_study.hpp"
#include "engine/common/solver_names.hpp"
#include "engine/common/text.hpp"

namespace sinew::bench {

namespace {

const std::vector<std::string>& size_names() {
  static const std::vector<std::string> names = {"small", "medium", "large", "all"};
  return names;
}

struct Options {
  std::string size = "small", source, slow_stage, backend = "cpu";
  std::vector<std::string> rows, columns = {"method", "defaults"};
  long frames = 0;
  int repeats = 5, seconds = 15, threads = 0;
  SuiteFiles files;
};

std::vector<Table3Column> columns_of(const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const Table3Column& column : table3_columns()) names.emplace_back(column.name);
  for (const std::string& name : wanted) require_known("--columns", name, names);
  std::vector<Table3Column> columns;
  for (const Table3Column& column : table3_columns())
    if (std::find(wanted.begin(), wanted.end(), column.name) != wanted.end()) columns.push_back(column);
  return columns;
}

std::vector<Table3Row> rows_of(const Options& options, const std::string& source) {
  require_known("--size", options.size, size_names());
  const std::vector<Table3Row> all = read_table3(source + "/benchmarks/table3.csv");
  std::vector<std::string> ids;
  for (const Table3Row& row : all) ids.push_back(row.id());
  for (const std::string& text : options.rows)
    if (std::none_of(ids.begin(), ids.end(),
                     [&](const auto& id) { return id.find(text) != std::string::npos; }))
      throw Error(fmt::format("--rows: no row has '{}' in its name{}", text, suggestion(text, ids)));
  std::vector<Table3Row> chosen;
  for (const Table3Row& row : all) {
    const bool fits = options.size == "all" || size_names()[row.size] == options.size;
    const bool named = std::any_of(options.rows.begin(), options.rows.end(), [&](const std::string& text) {
      return row.id().find(text) != std::string::npos;
    });
    if (fits && (options.rows.empty() || named)) chosen.push_back(row);
  }
  if (chosen.empty())
    throw Error(fmt::format("--rows: none of these rows is of size {}; add --size all", options.size));
  return chosen;
}

std::string number(double value, int digits = 3) {
  if (std::isnan(value)) return "";
  if (value == 0.0) return "0";
  if (std::abs(value) >= 1e6 || std::abs(value) < 1e-3) return fmt::format("{:.{}e}", value, digits - 2);
  const int whole = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return fmt::format("{:.{}f}", value, std::clamp(digits - whole, 0, digits));
}

/// "12.3 / 6.23": ours and the published.
std::string beside(double ours, double published) {
  return std::isnan(published) ? number(ours) : number(ours) + " / " + number(published);
}

std::string spread(const std::vector<double>* samples) {
  if (!samples || samples->size() < 2) return "";
  const auto [low, high] = std::minmax_element(samples->begin(), samples->end());
  return fmt::format("{:.0f} %", 100.0 * (*high / *low - 1.0));
}

std::vector<std::pair<std::string, Table>> tables_of(const SuiteResult& result) {
  Table times({"row", "longest frame [ms]", "published", "ratio", "median", "p99", "spread", "repeats"});
  Table stages(
      {"row", "contacts", "detect", "delassus", "local", "global", "contact solve", "correct", "finish"});
  Table exact({"row", "penetration [m]", "creep [m/s]", "complementarity [m]", "energy error",
               "frame error [m]", "residual", "unconverged", "hash"});
  Table sizes({"row", "vertices", "elements", "prepared [ms]", "MB"});
  for (const SuiteRow& row : result.rows) {
    const auto v = [&](const char* name) { return row.value(name); };
    times.add({row.id, number(v("worst_ms")), number(v("published_worst_ms")), number(v("ratio")),
               number(v("median_ms")), number(v("p99_ms")), spread(row.sample("worst_ms")),
               number(v("repeats"))});
    const double iterations = std::max(1.0, v("iterations"));
    const double assemble = row.value("published_assemble_ms");
    stages.add(
        {row.id, beside(v("constraints"), v("published_constraints")), number(v("detect_at_most_ms")),
         beside(v("delassus_at_most_ms"), v("published_delassus_ms")),
         beside(v("local_at_most_ms") / iterations, v("published_local_ms")),
         beside(v("global_at_most_ms") / iterations, v("published_global_ms")),
         beside(v("contact_solve_at_most_ms") / iterations, v("published_contact_solve_ms") + assemble),
         beside(v("correct_at_most_ms") / iterations, v("published_correct_ms")),
         number(v("finish_at_most_ms"))});
    exact.add({row.id, number(v("max_penetration_m"), 2), number(v("max_creep_m_s"), 2),
               number(v("max_complementarity_m"), 2), number(v("energy_error"), 2),
               number(v("frame_error_m"), 2), number(v("residual"), 2), number(v("unconverged_frames")),
               row.hash});
    sizes.add({row.id, beside(v("vertices"), v("published_vertices")),
               beside(v("elements"), v("published_elements")), number(v("precompute_ms")),
               beside(v("precompute_bytes") / 1e6, v("published_bytes") / 1e6)});
  }
  return {{"Times of frames without detection, on the host's cores here and on a GPU as published",
           std::move(times)},
          {"Frame with most contacts, in ms; ours / published; local to correct per iteration",
           std::move(stages)},
          {"Exactness", std::move(exact)},
          {"Sizes, ours / published", std::move(sizes)}};
}

std::string heading(const SuiteResult& result) {
  return fmt::format("{}, {}. Published figures: 24 cores of an i9-13900KF and an RTX 4090",
                     machine_line(result.threads), result.date);
}

/// On the row that is furthest behind, as its defaults have it.
std::vector<std::string> advice_of(const SuiteResult& result) {
  const SuiteRow* worst = nullptr;
  for (const SuiteRow& row : result.rows)
    if (row.label("column") == "defaults" && (!worst || row.value("ratio") > worst->value("ratio")))
      worst = &row;
  if (!worst) return {};
  const std::string advice = advice_for(*worst);
  return advice.empty() ? std::vector<std::string>{} : std::vector<std::string>{advice};
}

void run(Options& options) {
  Table3Settings settings;
  settings.source = options.source.empty() ? source_folder() : options.source;
  if (settings.source.empty())
    throw Error("the current folder is in no source tree with benchmarks/table3.csv; give --source FOLDER");
  settings.columns = columns_of(options.columns);
  const std::vector<Table3Row> rows = rows_of(options, settings.source);
  require_range("--frames", options.frames, 0, 100000);
  require_range("--repeats", options.repeats, 1, 1000);
  require_range("--seconds", options.seconds, 0, 100000);
  require_range("--threads", options.threads, 0, 1024);
  require_known("--backend", options.backend, {"cpu", "cuda", "emulated"});
  if (!options.slow_stage.empty()) settings.slowed = parse_slowed_stage(options.slow_stage);
  settings.most_frames = options.frames;
  settings.repeats = options.repeats;
  settings.seconds = options.seconds;
  settings.threads = options.threads;
  for (std::size_t i = 0; i < backend_names().size(); ++i)
    if (backend_names()[i] == options.backend) settings.backend = static_cast<Backend>(i);
  options.files.open(options.size == "all" ? "table3" : "table3-" + options.size);

  SuiteResult result = begin_suite("table3", options.threads > 0 ? options.threads : machine_info().cores);
  const LoadMeter meter;
  {
    ProgressLine progress;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (SuiteRow& row : measure_row(rows[i], settings, [&](const std::string& line) {
             progress.show(fmt::format("row {} of {}, {}", i + 1, rows.size(), line));
           }))
        result.rows.push_back(std::move(row));
    }
  }
  result.load = meter.stop();
  result.advice = advice_of(result);
  if (!options.slow_stage.empty())
    result.failures.push_back("--slow-stage " + options.slow_stage + ": times are made slower on purpose");
  std::fputs(table3_text(result).c_str(), stdout);
  options.files.write(result, table3_markdown(result));
}

}  // namespace

std::string table3_text(const SuiteResult& result) {
  std::string text = heading(result) + "\n";
  for (const auto& [title, table] : tables_of(result)) text += "\n" + title + "\n\n" + table.text();
  const std::vector<std::string> remarks = remarks_of(result);
  if (!remarks.empty()) text += "\n";
  for (const std::string& line : remarks) text += line + "\n";
  return text;
}

std::string table3_markdown(const SuiteResult& result) {
  std::string text = "# Table 3\n\n" + heading(result) + ".\n";
  for (const auto& [title, table] : tables_of(result)) text += "\n**" + title + "**\n\n" + table.markdown();
  const std::vector<std::string> remarks = remarks_of(result);
  if (!remarks.empty()) text += "\n";
  for (const std::string& line : remarks) text += "- " + line + "\n";
  return text;
}

void add_table3_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--size", options->size, "small, medium, large (of each example's sizes) or all")
      ->capture_default_str();
  command
      .add_option("--rows", options->rows, "Only rows with one of these texts in their name, e.g. twist,ball")
      ->delimiter(',');
  std::string columns = "Some of the columns:";
  for (const Table3Column& column : table3_columns())
    columns += fmt::format(" {} ({});", column.name, column.what);
  columns +=
      " published takes minutes and gigabytes a row where cloth touches much: its contacts do not converge.";
  command.add_option("--columns", options->columns, columns)->delimiter(',')->capture_default_str();
  command.add_option("--frames", options->frames, "Frames of a run at most; 0: as the table says");
  command.add_option("--repeats", options->repeats, "Timed repeats at most")->capture_default_str();
  command
      .add_option("--seconds", options->seconds,
                  "Of frames per row and column: no further repeat begins that would not fit")
      ->capture_default_str();
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  command.add_option("--backend", options->backend, "cpu, cuda or emulated")->capture_default_str();
  command.add_option("--source", options->source,
                     "Source tree with assets and benchmarks; default: the one around the current folder");
  command.add_option(
      "--slow-stage", options->slow_stage,
      "STAGE=MS: wait in every frame and charge it to the stage, to see that compare finds it");
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
