// Reading of "sinew-bench-1". Keys that are not known are left alone: newer files can be read.
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/suite_result.hpp"
#include "engine/common/atomic_file.hpp"
#include "engine/scene/json_node.hpp"

namespace sinew::bench {

namespace {

using Kind = JsonNode::Kind;

/// Looks up members and says what is wrong with them.
class Reader {
 public:
  Reader(const SceneSource& source, const JsonNode& node, std::string path)
      : source_(source), node_(node), path_(std::move(path)) {
    if (node.kind != Kind::object) fail("is " + shown(node) + "; an object { ... } is needed", node);
  }

  [[noreturn]] void fail(const std::string& what, const JsonNode& at) const {
    throw Error(
        fmt::format("{}:{}: {} {}", source_.label, at.line, path_.empty() ? "the file" : path_, what));
  }
  [[noreturn]] void fail(std::string_view key, const std::string& what, const JsonNode& at) const {
    throw Error(fmt::format("{}:{}: {} {}", source_.label, at.line, join_path(path_, key), what));
  }

  const JsonNode* find(std::string_view key, Kind kind, const char* need) const {
    const JsonNode* value = node_.find(key);
    if (value && value->kind != kind)
      fail(key, fmt::format("is {}; {} is needed", shown(*value), need), *value);
    return value;
  }
  std::string text(std::string_view key, bool required = false) const {
    const JsonNode* value = find(key, Kind::text, "a text");
    if (!value && required) fail(fmt::format("lacks '{}': it is no result of a suite", key), node_);
    return value ? value->text : std::string();
  }
  double number(std::string_view key, double otherwise) const {
    const JsonNode* value = node_.find(key);
    return value ? number_of(key, *value) : otherwise;
  }
  double number_of(std::string_view key, const JsonNode& value) const {
    if (value.kind == Kind::null) return std::numeric_limits<double>::quiet_NaN();
    if (value.kind != Kind::number) fail(key, "is " + shown(value) + "; a number or null is needed", value);
    return value.number;
  }
  std::vector<std::string> lines(std::string_view key) const {
    std::vector<std::string> all;
    if (const JsonNode* list = find(key, Kind::list, "a list of texts"))
      for (const JsonNode& item : list->items) {
        if (item.kind != Kind::text) fail(key, "holds " + shown(item) + "; a text is needed", item);
        all.push_back(item.text);
      }
    return all;
  }
  Reader member(const JsonNode& value, std::string_view key) const {
    return {source_, value, join_path(path_, key)};
  }
  const std::vector<JsonNode::Member>& members() const { return node_.members; }

 private:
  const SceneSource& source_;
  const JsonNode& node_;
  std::string path_;
};

SuiteRow read_row(const Reader& json) {
  SuiteRow row;
  row.id = json.text("id", true);
  if (const JsonNode* labels = json.find("labels", Kind::object, "an object")) {
    const Reader reader = json.member(*labels, "labels");
    for (const auto& m : reader.members()) row.labels.emplace_back(m.key, reader.text(m.key));
  }
  if (const JsonNode* values = json.find("values", Kind::object, "an object")) {
    const Reader reader = json.member(*values, "values");
    for (const auto& m : reader.members()) row.values.emplace_back(m.key, reader.number_of(m.key, m.value));
  }
  if (const JsonNode* samples = json.find("samples", Kind::object, "an object")) {
    const Reader reader = json.member(*samples, "samples");
    for (const auto& m : reader.members()) {
      std::vector<double> values;
      for (const JsonNode& item : reader.find(m.key, Kind::list, "a list of numbers")->items)
        values.push_back(reader.number_of(m.key, item));
      row.samples.emplace_back(m.key, std::move(values));
    }
  }
  row.hash = json.text("hash");
  if (const JsonNode* valid = json.find("valid", Kind::boolean, "true or false")) row.valid = valid->boolean;
  row.warnings = json.lines("warnings");
  return row;
}

MachineInfo read_machine(const Reader& json) {
  MachineInfo machine;
  machine.cpu = json.text("cpu");
  const double cores = json.number("cores", 0.0);
  machine.cores = cores >= 0.0 && cores <= 1e6 ? static_cast<int>(cores) : 0;
  machine.memory_bytes = json.number("memory_bytes", 0.0);
  machine.compiler = json.text("compiler");
  machine.system = json.text("system");
  return machine;
}

}  // namespace

SuiteResult parse_suite(const std::string& text, const std::string& label) {
  const SceneSource source{label, {}};
  const JsonNode root = parse_json(text, source);
  const Reader json(source, root, {});
  const std::string format = json.text("format", true);
  if (format != "sinew-bench-1")
    json.fail("format", fmt::format("is '{}'; this program reads 'sinew-bench-1'", shown(format)), root);
  SuiteResult result;
  result.machine = {};
  result.suite = json.text("suite", true);
  result.command = json.text("command");
  result.date = json.text("date");
  result.version = json.text("version");
  const double threads = json.number("threads", 0.0);
  result.threads = threads >= 0.0 && threads <= 1e6 ? static_cast<int>(threads) : 0;
  if (const JsonNode* machine = json.find("machine", Kind::object, "an object"))
    result.machine = read_machine(json.member(*machine, "machine"));
  if (const JsonNode* load = json.find("load", Kind::object, "an object")) {
    const Reader reader = json.member(*load, "load");
    result.load.others_share = reader.number("others_share", 0.0);
    result.load.warning = reader.text("warning");
  }
  const JsonNode* rows = json.find("rows", Kind::list, "a list");
  if (!rows) json.fail("lacks 'rows': it is no result of a suite", root);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < rows->items.size(); ++i) {
    const Reader reader = json.member(rows->items[i], fmt::format("rows.{}", i));
    result.rows.push_back(read_row(reader));
    if (!ids.insert(result.rows.back().id).second)
      reader.fail(
          "id",
          fmt::format("'{}' stands in an earlier row, too; ids are unique", shown(result.rows.back().id)),
          rows->items[i]);
  }
  result.advice = json.lines("advice");
  result.failures = json.lines("failures");
  return result;
}

SuiteResult read_suite(const std::string& path) {
  return parse_suite(read_file(path), path);
}

}  // namespace sinew::bench
