// `sinew bench`: one subcommand per study, and their list.
#pragma once

#include <vector>

#include <CLI/CLI.hpp>

namespace sinew::bench {

struct BenchCase {
  const char* name;
  const char* what;                ///< one line for help and list
  void (*add)(CLI::App& command);  ///< adds options and the callback that runs it; errors leave it as Error
  const char* second_name = "";    ///< another word for the same study
};

/// The table of studies: the one registration line of each.
const std::vector<BenchCase>& bench_cases();

void add_bench_command(CLI::App& app);

}  // namespace sinew::bench
