// Times of the device operations beside the host's, and beside what copying the same bytes takes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sinew/base/material_kind.hpp>

#include "kernels/device/device.hpp"

namespace sinew::bench {

struct DeviceTiming {
  std::string operation;      ///< "global step, K = 2"
  std::size_t vertices = 0;   ///< 0: of no body
  double bytes = 0.0;         ///< read and written at least once
  double ms = 0.0;            ///< on the device, data there already; median; 0, here and below: not measured
  double library_ms = 0.0;    ///< the same by cuSPARSE, cuBLAS or CUB
  double published_ms = 0.0;  ///< as published, by the same libraries
  double whole_ms = 0.0;      ///< ms with the way up and down
  double host_ms = 0.0;       ///< the same on the host; median
  double error = 0.0;  ///< [1] largest difference of any form from the host's result over its largest value
  /// [1] over the time that the bytes take at copy speed.
  double times_floor(double copy_GB_s) const { return ms * 1e6 * copy_GB_s / bytes; }
};

struct DeviceStudy {
  std::string device;
  std::string libraries;  ///< names and versions, or why there are none
  bool has_libraries = false;
  std::vector<std::string> failures;  ///< of libraries and published forms; the rest goes on
  double copy_GB_s = 0.0;             ///< read plus written
  std::vector<DeviceTiming> timings;
};

struct DeviceStudySettings {
  std::vector<std::size_t> vertices = {5000, 21000, 100000};  ///< of bars, for the global step
  std::vector<int> stages = {1, 2, 3, 0};                     ///< 0: as many as the host takes
  std::size_t tets = 111000;                                  ///< of the local step
  std::vector<MaterialKind> materials = {MaterialKind::arap, MaterialKind::stable_neo_hookean};
  std::size_t published_vertices = 25000;  ///< larger bodies are left out of the published form
  std::size_t points = 300;                ///< in contact; three rows each
  std::vector<std::size_t> gram_points = {300,
                                          3333};  ///< of products with G; the last are 10,000 constraints
  std::size_t numbers = 3000000;                  ///< of vector operations and scans
  std::size_t triangles = 200000;                 ///< of the sheet that is looked through for overlaps
  std::size_t copy_bytes = std::size_t(1) << 29;
  double seconds = 0.5;  ///< of each measurement
};

/// Call inside Executor::run. progress: told what comes next. @throws MemoryError, BackendError.
DeviceStudy run_device_study(Device& device, const DeviceStudySettings& settings,
                             const std::function<void(const std::string&)>& progress);

}  // namespace sinew::bench
