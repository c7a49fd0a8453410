#include "benchmarks/device_study.hpp"

#include "kernels/device/emulated_device.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

TEST_CASE("bench device: every operation agrees with the host, and bytes are those of the data") {
  const std::shared_ptr<Device> device = make_emulated_device();
  DeviceStudySettings settings;
  settings.vertices = {300};
  settings.stages = {1, 2, 0};
  settings.tets = 600;
  settings.copy_bytes = 1 << 16;
  settings.seconds = 1e-3;
  DeviceStudy study;
  std::vector<std::string> told;
  Executor executor(2);
  executor.run(
      [&] { study = run_device_study(*device, settings, [&](const std::string& s) { told.push_back(s); }); });
  CHECK(study.device == "the emulated device");
  CHECK(study.copy_GB_s > 0.0);
  REQUIRE(study.timings.size() == 5);
  CHECK(study.timings[0].operation == "global step, K = 1");
  CHECK(study.timings[1].operation == "global step, K = 2");
  CHECK(study.timings[3].operation == "local step, arap");
  CHECK(study.timings[4].operation == "local step, stable_neo_hookean");
  CHECK(study.timings[0].bytes > study.timings[1].bytes);  // fewer stages, more nonzeros
  CHECK(told.size() == 2 + 3 + 2);
  for (const DeviceTiming& t : study.timings) {
    INFO(t.operation);
    CHECK(t.error < 1e-11);
    CHECK(t.error > 0.0);  // sums in another order: computed, not copied
    CHECK(t.ms > 0.0);
    CHECK(t.host_ms > 0.0);
    CHECK((t.whole_ms > 0.0) == (t.operation[0] == 'g'));
  }
  // Both copies of the values of S: 16 bytes an entry of the lower triangle.
  CHECK(study.timings[0].bytes > 16.0 * 300.0 * 10.0);
}
