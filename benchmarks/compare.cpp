#include "benchmarks/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"

namespace sinew::bench {

namespace {

constexpr double kWorse = 0.05;       // [1] an accuracy that is this much worse is told
constexpr double kNegligible = 1e-9;  // in the unit of the value (m, m/s, 1): rounding, whatever its ratio
constexpr double kSameMemory = 0.05;  // [1] kernels of one machine tell a little more or less

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_accuracy(const std::string& name) {
  for (const char* word : {"penetration", "creep", "complementarity", "error", "unconverged"})
    if (name.find(word) != std::string::npos) return name.rfind("published", 0) != 0;
  return false;
}

/// Times, and what is computed from times, differ from run to run.
bool is_of_time(const std::string& name) {
  for (const char* end : {"_ms", "ratio", "_share", "exponent"})
    if (ends_with(name, end)) return true;
  return ends_with(name, "_s") && !ends_with(name, "m_s");  // seconds, but no speeds
}

bool differ(double a, double b) {
  return !(a == b || (std::isnan(a) && std::isnan(b)));
}

std::string threads_text(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::vector<std::string> remarks_of(const SuiteResult& a, const SuiteResult& b) {
  std::vector<std::string> lines;
  const MachineInfo &m = a.machine, &n = b.machine;
  const bool memory = std::abs(m.memory_bytes - n.memory_bytes) > kSameMemory * m.memory_bytes;
  if (m.cpu != n.cpu || m.cores != n.cores || m.system != n.system || memory)
    lines.push_back(fmt::format(
        "different machines: ratios say nothing about the code (A: {}, {} cores, {}; "
        "B: {}, {} cores, {})",
        m.cpu, m.cores, human_bytes(m.memory_bytes), n.cpu, n.cores, human_bytes(n.memory_bytes)));
  if (a.threads != b.threads)
    lines.push_back(fmt::format("different numbers of threads: A has {}, B {}", a.threads, b.threads));
  if (m.compiler != n.compiler)
    lines.push_back(fmt::format("different compilers: A by {}, B by {}", m.compiler, n.compiler));
  for (const auto& [name, result] : {std::pair{"A", &a}, std::pair{"B", &b}})
    if (!result->load.warning.empty()) lines.push_back(fmt::format("{}: {}", name, result->load.warning));
  return lines;
}

void compare_samples(const SuiteRow& a, const SuiteRow& b, std::vector<SampleChange>& changes) {
  std::string main = a.samples.empty() ? "" : a.samples.front().first;
  for (const char* name : {"frame_median_ms", "median_ms"})
    if (a.sample(name)) main = name;
  for (const auto& [name, values] : a.samples) {
    const std::vector<double>* others = b.sample(name);
    if (!others) continue;
    changes.push_back(
        {a.id, name, median_of(values), median_of(*others), ratio_interval(values, *others), name == main});
  }
}

void compare_values(const SuiteRow& a, const SuiteRow& b, std::vector<ValueChange>& changes) {
  for (const auto& [name, before] : a.values) {
    const double after = b.value(name);
    if (is_of_time(name) || !differ(before, after)) continue;
    const bool grew = after > (1.0 + kWorse) * before && after - before > kNegligible;
    changes.push_back({a.id, name, before, after, is_accuracy(name) && (grew || std::isnan(after))});
  }
  for (const auto& [name, after] : b.values) {
    const bool there =
        std::any_of(a.values.begin(), a.values.end(), [&](const auto& pair) { return pair.first == name; });
    if (!there && !is_of_time(name) && !std::isnan(after))
      changes.push_back({a.id, name, a.value(name), after});
  }
}

std::string figure(double value) {
  if (std::isnan(value)) return "unknown";
  const double size = std::abs(value);
  if (size >= 1e5 && size < 1e15 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return size != 0.0 && (size < 1e-3 || size >= 1e6) ? fmt::format("{:.3e}", value)
                                                     : fmt::format("{:.4g}", value);
}

std::string ratio_text(double ratio) {
  return std::isnan(ratio) ? "-" : fmt::format("{:.3f}", ratio);
}

std::vector<std::string> cells_of(const SampleChange& s) {
  return {s.id,
          s.sample,
          figure(s.a),
          figure(s.b),
          ratio_text(s.ratio.ratio),
          s.ratio.known() ? fmt::format("{:.3f} .. {:.3f}", s.ratio.low, s.ratio.high) : "-",
          to_string(s.change())};
}

Table empty_sample_table() {
  return Table({"row", "sample", "A", "B", "B / A", "95 % interval", "change"});
}

/// One titled part, left out where nothing stands in it.
void add_part(std::string& text, const std::string& title, const std::string& body, bool markdown) {
  if (body.empty()) return;
  text += fmt::format("{}{}{}\n{}{}", text.empty() ? "" : "\n", markdown ? "## " : "", title,
                      markdown ? "\n" : "", body);
}

std::string lines_text(const std::vector<std::string>& lines, bool markdown) {
  std::string text;
  for (const std::string& line : lines) text += (markdown ? "- " : "  ") + line + "\n";
  return text;
}

std::string body_of(const Table& table, bool markdown) {
  return markdown ? table.markdown() : table.text();
}

std::string changes_body(const Comparison& c, bool markdown) {
  Table table = empty_sample_table();
  bool any = false;
  for (const SampleChange& s : c.samples) {
    if (s.change() != Change::faster && s.change() != Change::slower) continue;
    table.add(cells_of(s));
    any = true;
  }
  return any ? body_of(table, markdown) : std::string();
}

std::string values_body(const Comparison& c, bool worse, bool markdown) {
  Table table({"row", "value", "A", "B", "B / A"});
  bool any = false;
  for (const ValueChange& v : c.values) {
    if (v.worse != worse) continue;
    table.add({v.id, v.value, figure(v.a), figure(v.b),
               v.a > 0.0 && std::isfinite(v.b) ? fmt::format("{:.3f}", v.b / v.a) : "-"});
    any = true;
  }
  return any ? body_of(table, markdown) : std::string();
}

/// How much of what is called a change may be chance.
std::string tally(const Comparison& c) {
  if (c.samples.empty()) return "No samples to compare.\n";
  int intervals = 0, slower = 0, faster = 0;
  for (const SampleChange& s : c.samples) {
    intervals += s.ratio.known() ? 1 : 0;
    slower += s.change() == Change::slower ? 1 : 0;
    faster += s.change() == Change::faster ? 1 : 0;
  }
  if (intervals == 0)
    return "No intervals: they need two repeats on either side. Ratios alone say little on a machine that "
           "does "
           "other things, too.\n";
  if (slower + faster == 0) return fmt::format("Nothing changed among {} samples.\n", intervals);
  return fmt::format(
      "{} of {} samples slower, {} faster. Of intervals about equal times one in twenty excludes 1 by "
      "chance; "
      "run what matters again.\n",
      slower, intervals, faster);
}

void write_strings(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.begin_array(key);
  for (const std::string& text : texts) json.text({}, text);
  json.end_array();
}

struct Options {
  std::string a, b;
  bool all = false;
  double fail_above = 0.0;
  OutputFiles files;
};

std::string source_line(const char* name, const std::string& path, const SuiteResult& r) {
  return fmt::format("{}: {} ({}, {}; {}, {} cores, {})\n", name, path, r.date, r.version, r.machine.cpu,
                     r.machine.cores, threads_text(r.threads));
}

void run(Options& options) {
  if (options.fail_above != 0.0 && !(options.fail_above >= 1.0 && options.fail_above <= 1000.0))
    throw Error(fmt::format("--fail-above {:g}: give a ratio from 1 to 1000; 1.1 is ten percent slower",
                            options.fail_above));
  options.files.open();
  const SuiteResult a = read_suite(options.a), b = read_suite(options.b);
  const Comparison comparison = compare(a, b);
  const std::string sources = source_line("A", options.a, a) + source_line("B", options.b, b);
  std::fputs((sources + comparison_text(comparison, options.all, false)).c_str(), stdout);
  std::string markdown = fmt::format("# Suite {}: B beside A\n\n", a.suite);
  for (const auto& [name, path, result] : {std::tuple{"A", &options.a, &a}, std::tuple{"B", &options.b, &b}})
    markdown += "- " + source_line(name, *path, *result);
  options.files.write(comparison_json(comparison, options.a, options.b),
                      markdown + "\n" + comparison_text(comparison, options.all, true));
  if (options.fail_above == 0.0) return;
  if (std::none_of(comparison.samples.begin(), comparison.samples.end(),
                   [](const SampleChange& s) { return s.ratio.known(); }))
    throw Error(
        "--fail-above: no sample has two repeats in both files, so nothing can be judged; measure again "
        "with more repeats");
  const std::vector<SampleChange> slow = slower_than(comparison, options.fail_above);
  if (slow.empty()) return;
  std::fflush(stdout);
  throw Error(
      fmt::format("{} of {} samples slower than {:g} times with their whole interval; worst: {} {}, {:.3f} "
                  "({:.3f} to {:.3f})",
                  slow.size(), comparison.samples.size(), options.fail_above, slow[0].id, slow[0].sample,
                  slow[0].ratio.ratio, slow[0].ratio.low, slow[0].ratio.high));
}

}  // namespace

const char* to_string(Change change) {
  switch (change) {
    case Change::faster:
      return "faster";
    case Change::slower:
      return "slower";
    case Change::unknown:
      return "no interval";
    case Change::none:
      break;
  }
  return "-";
}

Change SampleChange::change() const {
  if (!ratio.known()) return Change::unknown;
  if (!ratio.excludes_one() || std::abs(ratio.ratio - 1.0) <= kNoticeable) return Change::none;
  return ratio.ratio > 1.0 ? Change::slower : Change::faster;
}

Comparison compare(const SuiteResult& a, const SuiteResult& b) {
  if (a.suite != b.suite)
    throw Error(
        fmt::format("A holds the suite '{}', B '{}'; compare two results of one suite", a.suite, b.suite));
  Comparison c;
  c.remarks = remarks_of(a, b);
  std::size_t common = 0;
  for (const SuiteRow& row : a.rows) {
    if (!row.valid) c.invalid_a.push_back(row.id);
    const SuiteRow* other = b.row(row.id);
    if (!other) {
      c.only_a.push_back(row.id);
      continue;
    }
    ++common;
    compare_samples(row, *other, c.samples);
    compare_values(row, *other, c.values);
    if (row.hash != other->hash) c.hashes.push_back(row.id);
  }
  for (const SuiteRow& row : b.rows) {
    if (!row.valid) c.invalid_b.push_back(row.id);
    if (!a.row(row.id)) c.only_b.push_back(row.id);
  }
  if (common == 0)
    throw Error(
        fmt::format("no row of A stands in B (A: {} rows, B: {} rows of the suite '{}'); run both with the "
                    "same options",
                    a.rows.size(), b.rows.size(), a.suite));
  return c;
}

std::vector<SampleChange> slower_than(const Comparison& comparison, double limit) {
  std::vector<SampleChange> slow;
  for (const SampleChange& s : comparison.samples)
    if (s.change() == Change::slower && s.ratio.low > limit) slow.push_back(s);
  std::stable_sort(slow.begin(), slow.end(), [](const SampleChange& x, const SampleChange& y) {
    return x.ratio.ratio > y.ratio.ratio;
  });
  return slow;
}

Table sample_table(const Comparison& comparison, bool all) {
  Table table = empty_sample_table();
  for (const SampleChange& s : comparison.samples)
    if (all || s.main) table.add(cells_of(s));
  return table;
}

std::string comparison_text(const Comparison& c, bool all, bool markdown) {
  std::string text;
  add_part(text, "Mind", lines_text(c.remarks, markdown), markdown);
  if (!c.samples.empty())
    add_part(text, all ? "All samples" : "Rows", body_of(sample_table(c, all), markdown), markdown);
  if (!all) add_part(text, "Changed", changes_body(c, markdown), markdown);
  add_part(text, "Less accurate", values_body(c, true, markdown), markdown);
  add_part(text, "Other values that differ", values_body(c, false, markdown), markdown);
  add_part(text, "Another final state", lines_text(c.hashes, markdown), markdown);
  add_part(text, "Only in A", lines_text(c.only_a, markdown), markdown);
  add_part(text, "Only in B", lines_text(c.only_b, markdown), markdown);
  add_part(text, "Invalid in A", lines_text(c.invalid_a, markdown), markdown);
  add_part(text, "Invalid in B", lines_text(c.invalid_b, markdown), markdown);
  return text + "\n" + tally(c);
}

std::string comparison_json(const Comparison& c, const std::string& a, const std::string& b) {
  JsonWriter json;
  json.begin_object();
  json.text("format", "sinew-compare-1");
  json.text("a", a);
  json.text("b", b);
  write_strings(json, "remarks", c.remarks);
  json.begin_array("samples");
  for (const SampleChange& s : c.samples) {
    json.begin_object();
    json.text("id", s.id);
    json.text("sample", s.sample);
    json.boolean("main", s.main);
    json.number("a", s.a);
    json.number("b", s.b);
    json.number("ratio", s.ratio.ratio);
    json.number("low", s.ratio.low);
    json.number("high", s.ratio.high);
    json.number("degrees_of_freedom", s.ratio.degrees_of_freedom);
    json.text("change", to_string(s.change()));
    json.end_object();
  }
  json.end_array();
  json.begin_array("values");
  for (const ValueChange& v : c.values) {
    json.begin_object();
    json.text("id", v.id);
    json.text("value", v.value);
    json.number("a", v.a);
    json.number("b", v.b);
    json.boolean("worse", v.worse);
    json.end_object();
  }
  json.end_array();
  write_strings(json, "other_hash", c.hashes);
  write_strings(json, "only_a", c.only_a);
  write_strings(json, "only_b", c.only_b);
  write_strings(json, "invalid_a", c.invalid_a);
  write_strings(json, "invalid_b", c.invalid_b);
  json.end_object();
  return json.str();
}

void add_compare_case(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("A", options->a, "Result of a suite")->required()->type_name("A.json");
  command.add_option("B", options->b, "Result of the same suite, compared with A")
      ->required()
      ->type_name("B.json");
  command.add_flag("--all", options->all, "Every sample of every row");
  command
      .add_option("--fail-above", options->fail_above,
                  "Exit status 1 where a sample is slower than R times A with its whole interval")
      ->type_name("R");
  options->files.add_options(command);
  command.callback([options] { run(*options); });
}

}  // namespace sinew::bench
