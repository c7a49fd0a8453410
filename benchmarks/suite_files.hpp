// Where results of suites go: --json, --markdown, and --save beside the results of other machines.
#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "benchmarks/output.hpp"
#include "benchmarks/suite_result.hpp"

namespace sinew::bench {

/// The source tree that holds the current folder: the nearest parent with benchmarks/table3.csv. "" where
/// there is none.
std::string source_folder();

/// "amd-epyc-zen4-2core": maker, family, generation where it can be told, and cores.
std::string machine_folder(const MachineInfo& machine);

/// "Zen 4": the generation of a processor by its family and model (CPUID), "" where it is not known.
std::string generation_of(int family, int model);

class SuiteFiles {
 public:
  void add_options(CLI::App& command);
  /// Before the first measurement, so that nobody waits for minutes to learn that a folder cannot be written.
  /// name: "table3-small". @throws IoError, Error.
  void open(const std::string& name);
  /// Tells on stdout where a saved result lies. @throws IoError.
  void write(const SuiteResult& result, std::string_view markdown);

 private:
  OutputFiles files_;
  bool save_ = false;
  std::string results_folder_, saved_;
};

}  // namespace sinew::bench
