// `sinew bench compare A.json B.json`: two results of one suite, row by row.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "benchmarks/output.hpp"
#include "benchmarks/ratio_interval.hpp"
#include "benchmarks/suite_result.hpp"

namespace sinew::bench {

/// A ratio this near to one is never called a change, however narrow its interval.
inline constexpr double kNoticeable = 0.03;

enum class Change { none, faster, slower, unknown };  ///< unknown: less than two repeats on a side
const char* to_string(Change change);                 ///< "-", "faster", "slower", "no interval"

/// One sample of one row: B beside A.
struct SampleChange {
  std::string id, sample;
  double a = 0.0, b = 0.0;  ///< medians of the repeats
  RatioInterval ratio;      ///< B / A
  bool main = false;        ///< what the row is judged by: "median_ms", else its first sample
  /// The interval excludes 1 and the ratio is beyond 1 +- kNoticeable.
  Change change() const;
};

/// A value, which has no repeats.
struct ValueChange {
  std::string id, value;
  double a = 0.0, b = 0.0;
  bool worse = false;  ///< an accuracy that got worse by more than 5 %, or is not known any more
};

struct Comparison {
  std::vector<std::string> remarks;  ///< why ratios may say nothing about the code, one line each
  std::vector<SampleChange> samples;
  std::vector<ValueChange> values;  ///< those that differ, but for times and what comes from times
  std::vector<std::string> hashes;  ///< ids of rows that end in another state
  std::vector<std::string> only_a, only_b;
  std::vector<std::string> invalid_a, invalid_b;  ///< ids of rows that call themselves invalid
};

/// @throws Error where the suites differ, or no row has an id in common.
Comparison compare(const SuiteResult& a, const SuiteResult& b);

/// Samples that are slower than limit with their whole interval: worst first.
std::vector<SampleChange> slower_than(const Comparison& comparison, double limit);

/// Main samples; with all set every sample.
Table sample_table(const Comparison& comparison, bool all);
/// Everything that `sinew bench compare` prints. a, b: as they are called.
std::string comparison_text(const Comparison& comparison, bool all, bool markdown);
std::string comparison_json(const Comparison& comparison, const std::string& a, const std::string& b);

void add_compare_case(CLI::App& command);

}  // namespace sinew::bench
