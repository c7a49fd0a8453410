// The table at the end of a run.
#pragma once

#include <string>
#include <vector>

#include <sinew/report.hpp>

namespace sinew::app {

/// One line per stage: median, 95th percentile, largest [ms] and share of the whole frame's time.
std::string stage_table(const std::vector<StageSummary>& stages);

/// Sizes, contacts, exactness, energies: "name   text" lines below the table.
std::string run_summary(const RunReport& report, const Simulation& simulation, int threads);

}  // namespace sinew::app
