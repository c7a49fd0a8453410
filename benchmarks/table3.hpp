// `sinew bench table3`: the scenes of the published table, our times beside the published ones, and how exact
// the frames are.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "benchmarks/suite_result.hpp"

namespace sinew::bench {

void add_table3_case(CLI::App& command);

/// The result as tables: times, stages at most contacts, exactness, sizes; then warnings and advice.
std::string table3_text(const SuiteResult& result);
std::string table3_markdown(const SuiteResult& result);

}  // namespace sinew::bench
