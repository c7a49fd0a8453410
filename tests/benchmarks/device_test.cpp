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
  settings.points = 20;
  settings.gram_points = {20, 33};
  settings.numbers = 9001;
  settings.triangles = 1300;
  settings.copy_bytes = 1 << 16;
  settings.seconds = 1e-3;
  DeviceStudy study;
  std::vector<std::string> told;
  Executor executor(2);
  executor.run(
      [&] { study = run_device_study(*device, settings, [&](const std::string& s) { told.push_back(s); }); });
  CHECK(study.device == "the emulated device");
  CHECK(study.copy_GB_s > 0.0);
  CHECK(study.has_libraries);
  CHECK(study.failures.empty());
  REQUIRE(study.timings.size() == 21);
  const auto timing = [&](const std::string& begin) {
    for (const DeviceTiming& t : study.timings)
      if (t.operation.rfind(begin, 0) == 0) return t;
    FAIL("no " << begin);
    return DeviceTiming{};
  };
  CHECK(study.timings[0].operation == "global step, K = 1");
  CHECK(study.timings[1].operation == "global step, K = 2");
  CHECK(study.timings[0].bytes > study.timings[1].bytes);  // fewer stages, more nonzeros
  CHECK(told.size() == 2 + 3 + 1 + 1 + 1 + 1 + 2);
  for (const DeviceTiming& t : study.timings) {
    INFO(t.operation);
    // Steps of conjugate residual multiply rounding.
    const bool many = t.operation.find(" steps of ") != std::string::npos;
    CHECK(t.error < (many ? 1e-7 : 1e-11));
    CHECK(t.ms + t.published_ms > 0.0);
    CHECK(t.host_ms + t.published_ms > 0.0);
    CHECK((t.whole_ms > 0.0) == (t.operation.rfind("global step, K", 0) == 0));
  }
  // Every form has been computed, in an order of its own.
  for (const char* name : {"global step, K = 1", "global step, K = 2", "dot product of 9000 numbers",
                           "product with G of 20 points", "product with G of 33 points"}) {
    CHECK(timing(name).library_ms > 0.0);
    CHECK(timing(name).error > 0.0);
  }
  for (const char* name :
       {"global step, S of 3n", "Delassus operator, 20 points", "10 steps of conjugate residual, 60 rows"}) {
    CHECK(timing(name).published_ms > 0.0);
    CHECK(timing(name).error > 0.0);
    CHECK(timing(name).ms == 0.0);
  }
  CHECK(timing("product with G of 20 points").published_ms > 0.0);
  CHECK(timing("product with G of 33 points").published_ms == 0.0);  // more than settings.points
  for (const char* name : {"scan of 9001 counts", "sort of 9001 pairs, 64 bits"}) {
    CHECK(timing(name).library_ms > 0.0);
    CHECK(timing(name).error == 0.0);
  }
  for (const char* name : {"32 columns of the inverse", "G of 33 points", "4 steps of nsn"}) {
    INFO(name);
    CHECK(timing(name).error > 0.0);
  }
  CHECK(timing("one sweep of gs, 33 points").host_ms >
        0.0);  // the same order of sums: it may have equal bits
  for (const char* name : {"tree of 1250 boxes, made", "tree of 1250 boxes, refit", "overlaps of 1250 boxes"})
    CHECK(timing(name).host_ms > 0.0);
  CHECK(timing("overlaps of 1250 boxes").error == 0.0);
  CHECK(timing("local step, arap").error > 0.0);
  CHECK(timing("local step, stable_neo_hookean").library_ms == 0.0);
  // Both copies of the values of S: 16 bytes an entry of the lower triangle.
  CHECK(study.timings[0].bytes > 16.0 * 300.0 * 10.0);
}
