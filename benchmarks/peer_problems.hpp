// `sinew bench problems`: the problems that other programs were measured on, beside what they took.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "benchmarks/suite_result.hpp"

namespace sinew::bench {

void add_problems_case(CLI::App& command);

/// The result as tables: times, exactness, the peers' record; then warnings.
std::string problems_text(const SuiteResult& result);
std::string problems_markdown(const SuiteResult& result);

}  // namespace sinew::bench
