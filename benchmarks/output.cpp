#include "benchmarks/output.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "engine/export/machine_info.hpp"

namespace sinew::bench {

void Table::add(std::vector<std::string> row) {
  row.resize(header_.size());
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::size_t> width;
  for (std::size_t c = 0; c < header_.size(); ++c) {
    width.push_back(header_[c].size());
    for (const auto& row : rows_) width[c] = std::max(width[c], row[c].size());
  }
  std::string out;
  const auto add_line = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += c == 0 ? fmt::format("{:<{}}", row[c], width[c]) : fmt::format("  {:>{}}", row[c], width[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  add_line(header_);
  for (const auto& row : rows_) add_line(row);
  return out;
}

std::string Table::markdown() const {
  std::string out;
  const auto add_line = [&](const std::vector<std::string>& row) {
    out += "|";
    for (const std::string& cell : row) out += " " + cell + " |";
    out += "\n";
  };
  add_line(header_);
  out += "|";
  for (std::size_t c = 0; c < header_.size(); ++c) out += c == 0 ? "---|" : "---:|";
  out += "\n";
  for (const auto& row : rows_) add_line(row);
  return out;
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(std::string_view text) {
  if (!terminal_) return;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(text.size()), text.data());
  std::fflush(stderr);
  visible_ = true;
}

void ProgressLine::clear() {
  if (visible_) std::fputs("\r\033[K", stderr);
  visible_ = false;
}

void OutputFiles::add_options(CLI::App& command) {
  command.add_option("--json", json_, "Write all figures as JSON")->type_name("OUT.json");
  command.add_option("--markdown", markdown_, "Write the table as Markdown")->type_name("OUT.md");
}

void OutputFiles::open() {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!json_.empty() && !markdown_.empty() && !fs::is_other(json_, code) &&
      (fs::path(json_).lexically_normal() == fs::path(markdown_).lexically_normal() ||
       fs::equivalent(json_, markdown_, code)))
    throw Error(fmt::format("{}: --json and --markdown name the same file; choose another", json_));
  // Opened and left: an interrupted study leaves nothing behind.
  for (const std::string& path : {json_, markdown_})
    if (!path.empty()) AtomicFile probe(path);
}

void OutputFiles::write(std::string_view json, std::string_view markdown) {
  if (!json_.empty()) write_file_atomically(json_, std::string(json) + "\n");
  if (!markdown_.empty()) write_file_atomically(markdown_, markdown);
}

void require_known(std::string_view option, std::string_view word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) == known.end())
    throw Error(fmt::format("{} {}{}", option, word, suggestion(word, known)));
}

void require_range(std::string_view option, long value, long low, long high) {
  if (value < low || value > high)
    throw Error(fmt::format("{} {}: give a number from {} to {}", option, value, low, high));
}

void write_machine(JsonWriter& json, int threads) {
  write_machine(json, machine_info(), threads);
}

void write_machine(JsonWriter& json, const MachineInfo& machine, int threads) {
  json.begin_object("machine");
  json.text("cpu", machine.cpu);
  json.integer("cores", machine.cores);
  json.number("memory_bytes", machine.memory_bytes);
  json.text("compiler", machine.compiler);
  json.text("system", machine.system);
  json.end_object();
  json.integer("threads", threads);
}

std::string machine_line(int threads) {
  const MachineInfo machine = machine_info();
  return fmt::format("{}, {} cores, {} memory, {}, {} thread{}", machine.cpu, machine.cores,
                     human_bytes(machine.memory_bytes), machine.compiler, threads, threads == 1 ? "" : "s");
}

}  // namespace sinew::bench
