// `sinew bench memory`: bytes of the prepared inverse for every row of the published memory tables.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "benchmarks/output.hpp"
#include "benchmarks/problems.hpp"
#include "benchmarks/suite_result.hpp"

namespace sinew::bench {

/// One row, counted exactly on a mesh of our own: "memory/raptor/10.0". Values: staged_bytes (double) and
/// staged_float_bytes are all that a solve reads, S_bytes and S_float_bytes one copy of S = L^-1 of the 3n x
/// 3n system in compressed rows with 32-bit indices, dense_bytes and dense_float_bytes its whole inverse;
/// published_S_MB and published_dense_MB as printed. Invalid where the mesh is off by more than 3 % in
/// vertices. Call inside Executor::run. @throws MemoryError, BackendError.
SuiteRow memory_row(const BenchProblem& problem, const std::function<void(const std::string&)>& progress);

/// MB: 1e6 bytes.
Table memory_suite_table(const SuiteResult& result);

void add_memory_case(CLI::App& command);

}  // namespace sinew::bench
