// `sinew bench twist`: options, tables and files of the convergence study.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "benchmarks/twist_study.hpp"

namespace sinew::bench {

void add_twist_case(CLI::App& command);

/// "1e5,1e7" as numbers. @throws Error naming the word that is none.
std::vector<double> parse_young(const std::string& text);

std::string twist_json(const TwistSettings& settings, const std::string& size, int threads,
                       const std::vector<TwistCase>& cases);

}  // namespace sinew::bench
