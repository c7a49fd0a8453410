#include "benchmarks/memory.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "benchmarks/global_preparation.hpp"
#include "benchmarks/suite_files.hpp"
#include "host/rivals/sparse_inverse.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

constexpr double kSameVertices = 0.03, kSameElements = 0.15;  // [1] what may be called the published mesh
constexpr double kSmallVertices = 12000.0;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Options {
  std::string size = "small";
  int threads = 0;
  SuiteFiles files;
};

std::string slug(std::string text) {
  for (char& c : text) {
    const auto u = static_cast<unsigned char>(c);
    c = std::isalnum(u) != 0 ? static_cast<char>(std::tolower(u)) : '_';
  }
  return text;
}

double published(double value) {
  return value > 0.0 ? value : kUnknown;
}

std::string megabytes(double bytes) {
  if (std::isnan(bytes)) return "-";
  return fmt::format("{:.{}f}", bytes / 1e6, bytes < 1e8 ? 1 : 0);
}

/// The least saving, and the whole.
std::vector<std::string> advice_of(const SuiteResult& result) {
  const SuiteRow* least = nullptr;
  double best = 0.0;
  for (const SuiteRow& row : result.rows) {
    const double ratio = row.value("published_ratio");
    if (!least || ratio < least->value("published_ratio")) least = &row;
    best = std::max(best, ratio);
  }
  if (!least) return {};
  return {fmt::format(
      "The published inverse is {:.0f} to {:.0f} times as large as the staged one in double; least "
      "for the {} of {}k vertices. solver.precision \"mixed\" stores floats: about half.",
      least->value("published_ratio"), best, least->label("example"), least->label("vertices_k"))};
}

void run(Options& options) {
  require_known("--size", options.size, {"small", "large"});
  require_range("--threads", options.threads, 0, 1024);
  const int threads = options.threads > 0 ? options.threads : machine_info().cores;
  options.files.open(options.size == "large" ? "memory" : "memory-small");
  SuiteResult result = begin_suite("memory", threads);
  Executor executor(threads);
  std::vector<BenchProblem> problems = published_problems();
  if (options.size == "small")
    problems.erase(
        std::remove_if(problems.begin(), problems.end(),
                       [](const BenchProblem& p) { return p.published_vertices > kSmallVertices; }),
        problems.end());
  ProgressLine progress;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const auto say = [&](const std::string& what) {
      progress.show(fmt::format("[{}/{}] {}: {}", k + 1, problems.size(), problems[k].name, what));
    };
    executor.run([&] { result.rows.push_back(memory_row(problems[k], say)); });
  }
  progress.clear();
  result.advice = advice_of(result);
  const Table table = memory_suite_table(result);
  const std::string machine = machine_line(threads);
  std::string text = machine + "\n\n" + table.text() + "\n";
  for (const std::string& line : result.advice) text += line + "\n";
  std::fputs(text.c_str(), stdout);
  options.files.write(
      result, fmt::format("# Memory of the prepared inverse\n\n{}.\n\n{}", machine, table.markdown()));
}

}  // namespace

SuiteRow memory_row(const BenchProblem& problem, const std::function<void(const std::string&)>& progress) {
  progress("system");
  const BenchSystem system = problem.make();
  const Prepared prepared = prepare_staged(system.matrix, progress);
  const std::vector<Index>& tree = prepared.factor.parent;
  const InverseCount count = count_published_inverse(tree);
  const double rows = 3.0 * static_cast<double>(system.matrix.size);
  const auto vertices = static_cast<double>(system.vertices), elements = static_cast<double>(system.elements);
  const auto staged = static_cast<double>(prepared.staged.bytes);
  SuiteRow row;
  const std::string vertices_k = fmt::format("{:.1f}", problem.published_vertices / 1000.0);
  row.id = fmt::format("memory/{}/{}", slug(problem.shape), vertices_k);
  row.labels = {{"example", problem.shape}, {"vertices_k", vertices_k}};
  row.values = {{"vertices", vertices},
                {"elements", elements},
                {"published_vertices", problem.published_vertices},
                {"published_elements", problem.published_elements},
                {"nnz_factor", static_cast<double>(prepared.factor.nonzeros())},
                {"stages", prepared.staged.stages},
                {"staged_bytes", staged},
                {"staged_float_bytes", static_cast<double>(prepared.staged_float.bytes)},
                {"S_bytes", count.bytes},
                {"S_float_bytes", count.bytes - count.entries * (sizeof(double) - sizeof(float))},
                {"dense_bytes", rows * rows * sizeof(double)},
                {"dense_float_bytes", rows * rows * sizeof(float)},
                {"published_S_MB", published(problem.published_S_MB)},
                {"published_dense_MB", published(problem.published_dense_MB)},
                {"published_ratio", published(1e6 * problem.published_S_MB / staged)}};
  const auto off = [&](const char* what, double ours, double theirs, double limit) {
    if (std::abs(ours / theirs - 1.0) <= limit) return false;
    row.warnings.push_back(fmt::format("{} {:.0f}, published {:.0f}", what, ours, theirs));
    return true;
  };
  row.valid = !off("vertices", vertices, problem.published_vertices, kSameVertices);
  off("elements", elements, problem.published_elements, kSameElements);
  return row;
}

Table memory_suite_table(const SuiteResult& result) {
  Table table({"published mesh", "vertices", "staged [MB]", "in float [MB]", "S of 3n by count [MB]",
               "the same in float [MB]", "dense [MB]", "published S [MB]", "published dense [MB]",
               "published S / staged"});
  for (const SuiteRow& row : result.rows) {
    const double ratio = row.value("published_ratio");
    std::vector<std::string> cells = {fmt::format("{}, {}k", row.label("example"), row.label("vertices_k")),
                                      fmt::format("{:.0f}", row.value("vertices"))};
    for (const char* name : {"staged_bytes", "staged_float_bytes", "S_bytes", "S_float_bytes", "dense_bytes"})
      cells.push_back(megabytes(row.value(name)));
    for (const char* name : {"published_S_MB", "published_dense_MB"})
      cells.push_back(megabytes(1e6 * row.value(name)));
    cells.push_back(std::isnan(ratio) ? "-" : fmt::format("{:.0f}", ratio));
    table.add(cells);
  }
  return table;
}

void add_memory_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("--size", options->size, "small: meshes to 12k vertices; large: all published rows")
      ->capture_default_str();
  command.add_option("--threads", options->threads, "Threads; 0: one per core")->capture_default_str();
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
