// Options of `sinew run`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <sinew/scene.hpp>

#include "engine/export/series.hpp"

namespace sinew::app {

/// As given; check_options() says whether they can be.
struct RunOptions {
  std::string scene;
  std::optional<long> frames;
  std::string backend = "auto";
  bool hybrid = false, device_times = false;
  std::optional<int> threads;
  std::vector<std::string> overrides;
  std::string report;
  bool report_frames = false;
  std::string export_folder, format = "vtu";
  std::optional<long> every;
  std::string png_folder, size, sheet;
  std::string checkpoint;
  std::optional<long> checkpoint_every;
  std::string resume;
  std::string replay;
  std::string record_folder;
  std::optional<long> record_every;
  bool quiet = false;

  bool pictures() const { return !png_folder.empty() || !sheet.empty(); }
};

void add_run_options(CLI::App& run, RunOptions& options);
/// @throws Error, BackendError: one line that begins with the option.
void check_options(const RunOptions& options);

Backend parse_backend(const std::string& text);
SeriesFormat parse_format(const std::string& text);
void parse_size(const std::string& text, OutputSpec& output);

}  // namespace sinew::app
