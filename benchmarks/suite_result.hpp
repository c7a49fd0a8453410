// What a suite measured, as rows that can be compared: the file format "sinew-bench-1" of `sinew bench`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sinew/report.hpp>

#include "benchmarks/machine_load.hpp"
#include "engine/export/machine_info.hpp"

namespace sinew::bench {

/// One measurement. Lists of pairs keep their order in the file and in tables.
struct SuiteRow {
  std::string id;  ///< "twisting_bar/5.3/defaults": what comparisons match by; unique in its file
  std::vector<std::pair<std::string, std::string>> labels;
  /// Units stand at the end of the names: "precompute_ms", "max_penetration_m". NaN: not known.
  std::vector<std::pair<std::string, double>> values;
  /// One number per repeat: what comparisons judge.
  std::vector<std::pair<std::string, std::vector<double>>> samples;
  std::string hash;  ///< of the final state; empty where there is none
  bool valid = true;
  std::vector<std::string> warnings;

  std::string label(std::string_view name) const;  ///< "" where it has none
  double value(std::string_view name) const;       ///< NaN where it has none
  /// Null where it has none.
  const std::vector<double>* sample(std::string_view name) const;
  double median(std::string_view name) const;  ///< of the repeats; NaN where it has none
};

struct SuiteResult {
  std::string suite, command, date, version;
  int threads = 0;
  MachineLoad load;
  std::vector<SuiteRow> rows;
  std::vector<std::string> advice, failures;
  MachineInfo machine = machine_info();

  /// Null where no row has that id.
  const SuiteRow* row(std::string_view id) const;
};

/// Mean of the two in the middle where their number is even; values that are not finite are left out; NaN
/// where none is left.
double median_of(std::vector<double> values);

/// A result of this program, on this machine, today: version, date (UTC) and command line are filled in.
SuiteResult begin_suite(std::string suite, int threads);

/// Warnings of the machine and of the rows, failures, advice: a line each, in this order.
std::vector<std::string> remarks_of(const SuiteResult& result);

/// @throws Error where two rows have one id.
std::string suite_json(const SuiteResult& result);

/// @throws Error, one line with file, line and key; IoError.
SuiteResult read_suite(const std::string& path);
SuiteResult parse_suite(const std::string& text, const std::string& label);

}  // namespace sinew::bench
