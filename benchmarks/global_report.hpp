// Tables, Markdown and JSON of `sinew bench global`.
#pragma once

#include <string>
#include <vector>

#include "benchmarks/global_verdict.hpp"
#include "benchmarks/output.hpp"

namespace sinew::bench {

/// Time per solve of every solver of one problem.
Table solver_table(const GlobalResult& result, int threads);
/// Nonzeros of L and of every number of stages, what staged stores.
Table nonzeros_table(const std::vector<GlobalResult>& results);
/// Bytes beside the published ones.
Table memory_table(const std::vector<GlobalResult>& results);
/// Seconds of starts.
Table preparation_table(const std::vector<GlobalResult>& results);
Table goal_table(const std::vector<Goal>& goals);

/// "bar 20k: 21000 vertices, 120000 elements, 2.13 M nonzeros in the factor".
std::string problem_line(const GlobalResult& result);
/// Processor's instructions taken, CHOLMOD, METIS, BLAS.
std::string library_line();

std::string global_markdown(const std::vector<GlobalResult>& results, const std::vector<Goal>& goals,
                            int threads);
std::string global_json(const std::vector<GlobalResult>& results, const std::vector<Goal>& goals,
                        const GlobalSettings& settings);

}  // namespace sinew::bench
