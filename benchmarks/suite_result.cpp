#include "benchmarks/suite_result.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <limits>
#include <set>

#include <fmt/format.h>

#include <sinew/errors.hpp>
#include <sinew/version.hpp>

#include "benchmarks/output.hpp"
#include "engine/common/atomic_file.hpp"

namespace sinew::bench {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

template <class T>
const T* find(const std::vector<std::pair<std::string, T>>& pairs, std::string_view name) {
  for (const auto& [key, value] : pairs)
    if (key == name) return &value;
  return nullptr;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

/// As it was typed, but for the folder of the program.
std::string command_line() {
  std::string text;
  try {
    text = read_file("/proc/self/cmdline");
  } catch (const IoError&) {
    return {};
  }
  std::string command;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\0', start), text.size());
    std::string word = text.substr(start, end - start);
    if (start == 0) word = std::filesystem::path(word).filename().string();
    if (word.empty() || word.find_first_of(" \t'\"\\$") != std::string::npos) word = "'" + word + "'";
    command += (start == 0 ? "" : " ") + word;
    start = end + 1;
  }
  return command;
}

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& lines) {
  json.begin_array(key);
  for (const std::string& line : lines) json.text({}, line);
  json.end_array();
}

void write_row(JsonWriter& json, const SuiteRow& row) {
  json.begin_object();
  json.text("id", row.id);
  json.begin_object("labels");
  for (const auto& [key, text] : row.labels) json.text(key, text);
  json.end_object();
  json.begin_object("values");
  for (const auto& [key, value] : row.values) json.number(key, value);
  json.end_object();
  json.begin_object("samples");
  for (const auto& [key, values] : row.samples) {
    json.begin_array(key);
    for (const double value : values) json.number({}, value);
    json.end_array();
  }
  json.end_object();
  json.text("hash", row.hash);
  json.boolean("valid", row.valid);
  write_texts(json, "warnings", row.warnings);
  json.end_object();
}

}  // namespace

std::string SuiteRow::label(std::string_view name) const {
  const std::string* text = find(labels, name);
  return text ? *text : std::string();
}
double SuiteRow::value(std::string_view name) const {
  const double* v = find(values, name);
  return v ? *v : kUnknown;
}
const std::vector<double>* SuiteRow::sample(std::string_view name) const {
  return find(samples, name);
}
double SuiteRow::median(std::string_view name) const {
  const std::vector<double>* s = sample(name);
  return s ? median_of(*s) : kUnknown;
}

const SuiteRow* SuiteResult::row(std::string_view id) const {
  for (const SuiteRow& r : rows)
    if (r.id == id) return &r;
  return nullptr;
}

double median_of(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }),
               values.end());
  if (values.empty()) return kUnknown;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

SuiteResult begin_suite(std::string suite, int threads) {
  SuiteResult result;
  result.suite = std::move(suite);
  result.command = command_line();
  result.date = today();
  result.version = version_string();
  result.threads = threads;
  return result;
}

std::vector<std::string> remarks_of(const SuiteResult& result) {
  std::vector<std::string> lines;
  if (!result.load.warning.empty()) lines.push_back("warning: " + result.load.warning);
  for (const SuiteRow& row : result.rows)
    for (const std::string& warning : row.warnings) lines.push_back("warning: " + row.id + ": " + warning);
  for (const std::string& failure : result.failures) lines.push_back("failure: " + failure);
  for (const std::string& advice : result.advice) lines.push_back(advice);
  return lines;
}

std::string suite_json(const SuiteResult& result) {
  std::set<std::string> ids;
  for (const SuiteRow& row : result.rows)
    if (!ids.insert(row.id).second) throw Error(fmt::format("suite {}: two rows '{}'", result.suite, row.id));
  JsonWriter json;
  json.begin_object();
  json.text("format", "sinew-bench-1");
  json.text("suite", result.suite);
  json.text("command", result.command);
  json.text("date", result.date);
  json.text("version", result.version);
  write_machine(json, result.machine, result.threads);
  json.begin_object("load");
  json.number("others_share", result.load.others_share);
  json.text("warning", result.load.warning);
  json.end_object();
  json.begin_array("rows");
  for (const SuiteRow& row : result.rows) write_row(json, row);
  json.end_array();
  write_texts(json, "advice", result.advice);
  write_texts(json, "failures", result.failures);
  json.end_object();
  return json.str();
}

}  // namespace sinew::bench
