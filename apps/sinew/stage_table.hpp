// The table at the end of a run.
#pragma once

#include <string>
#include <vector>

#include <sinew/report.hpp>

namespace sinew::app {

/// One line per stage: median, 95th percentile, largest [ms] and share of the whole frame's time.
std::string stage_table(const std::vector<StageSummary>& stages);

/// Adds what one frame took to what all before it took.
void add_device_stages(const std::vector<DeviceStage>& frame, std::vector<DeviceStage>& sum);
void add_device_work(const DeviceWork& frame, DeviceWork& sum);
/// One line per stage of a device: mean of a frame [ms], how often it ran; and what was given to it.
std::string device_table(const std::vector<DeviceStage>& stages, const DeviceWork& work, long frames);

/// Sizes, contacts, exactness, energies: "name   text" lines below the table.
std::string run_summary(const RunReport& report, const Simulation& simulation, int threads);

}  // namespace sinew::app
