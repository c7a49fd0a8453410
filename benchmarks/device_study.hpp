// Times of the device operations beside the host's, and beside what copying the same bytes takes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sinew/base/material_kind.hpp>

#include "kernels/device/device.hpp"

namespace sinew::bench {

struct DeviceTiming {
  std::string operation;  ///< "global step, K = 2"
  std::size_t vertices = 0;
  double bytes = 0.0;     ///< read and written at least once
  double ms = 0.0;        ///< on the device, data there already; median
  double whole_ms = 0.0;  ///< with the way up and down; 0: not measured
  double host_ms = 0.0;   ///< the same on the host; median
  double error = 0.0;     ///< [1] largest difference from the host's result over its largest value
  /// [1] over the time that the bytes take at copy speed.
  double times_floor(double copy_GB_s) const { return ms * 1e6 * copy_GB_s / bytes; }
};

struct DeviceStudy {
  std::string device;
  double copy_GB_s = 0.0;  ///< read plus written
  std::vector<DeviceTiming> timings;
};

struct DeviceStudySettings {
  std::vector<std::size_t> vertices = {5000, 21000, 100000};  ///< of bars, for the global step
  std::vector<int> stages = {1, 2, 3, 0};                     ///< 0: as many as the host takes
  std::size_t tets = 111000;                                  ///< of the local step
  std::vector<MaterialKind> materials = {MaterialKind::arap, MaterialKind::stable_neo_hookean};
  std::size_t copy_bytes = std::size_t(1) << 29;
  double seconds = 0.5;  ///< of each measurement
};

/// Call inside Executor::run. progress: told what comes next. @throws MemoryError, BackendError.
DeviceStudy run_device_study(Device& device, const DeviceStudySettings& settings,
                             const std::function<void(const std::string&)>& progress);

}  // namespace sinew::bench
