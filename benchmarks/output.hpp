// What every benchmark needs for its output: an aligned table, a progress line, files that appear whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <sinew/report.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/export/json_writer.hpp"

namespace sinew::bench {

/// Rows of text under a header; the first column is aligned left, the others right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
  /// As many cells as the header has.
  void add(std::vector<std::string> row);
  std::string text() const;
  std::string markdown() const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// One line on stderr that overwrites itself; silent where stderr is no terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(std::string_view text);
  void clear();

 private:
  bool terminal_;
  bool visible_ = false;
};

/// --json and --markdown. Both are tried before the first measurement, so that nobody waits for minutes to
/// learn that a folder cannot be written; they appear only when complete, and nothing of them before.
class OutputFiles {
 public:
  void add_options(CLI::App& command);
  /// @throws IoError, Error where both name one file.
  void open();
  /// @throws IoError.
  void write(std::string_view json, std::string_view markdown);

 private:
  std::string json_, markdown_;
};

/// Checks a word of the command line. @throws Error naming the option and the nearest known word.
void require_known(std::string_view option, std::string_view word, const std::vector<std::string>& known);
/// @throws Error naming the option and its bounds.
void require_range(std::string_view option, long value, long low, long high);

/// "machine": {...}, "threads": n, with the same keys as reports of runs.
void write_machine(JsonWriter& json, int threads);
void write_machine(JsonWriter& json, const MachineInfo& machine, int threads);
/// The same as one line: processor, cores, memory, compiler, threads.
std::string machine_line(int threads);

}  // namespace sinew::bench
