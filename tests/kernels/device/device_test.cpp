// Memory, order and recording of devices.
#include <numeric>

#include <sinew/errors.hpp>

#include "tests/support/devices.hpp"

using namespace sinew;

namespace {

void check_copies(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : test::sizes_for(device)) {
    std::vector<int> from(n), back(n, -7);
    std::iota(from.begin(), from.end(), 3);
    DeviceBuffer<int> a(device, n, "test"), b(device, n, "test");
    queue->upload(a.view(), from.data());
    queue->copy(b.view(), a.cview());
    queue->clear(a.view());
    queue->download(back.data(), b.cview());
    queue->synchronize();
    CHECK(back == from);
    CHECK(test::download(*queue, a) == std::vector<int>(n, 0));
  }
}

void check_recording(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  constexpr std::size_t kItems = 300;
  PinnedBuffer<Vec3d> in(device, kItems), out(device, kItems);
  DeviceBuffer<Vec3d> x(device, kItems, "test"), y(device, kItems, "test");
  for (std::size_t i = 0; i < kItems; ++i) in[i] = {1.0 * static_cast<double>(i), 2.0, 3.0}, out[i] = {};
  queue->begin_recording();
  queue->upload(x.view(), in.data());
  queue->scale(y.view(), x.cview(), 2.0);
  queue->add_scaled(y.view(), x.cview(), -0.5);
  queue->download(out.data(), y.cview());
  const std::unique_ptr<DeviceGraph> graph = queue->end_recording();
  CHECK(graph->nodes() == 4);
  queue->synchronize();
  CHECK(out[7] == Vec3d{});  // recorded, not done
  queue->run(*graph);
  queue->synchronize();
  CHECK(out[7] == Vec3d{10.5, 3.0, 4.5});
  in[7] = {-1.0, 0.0, 1.0};  // it reads what is there now
  queue->run(*graph);
  queue->synchronize();
  CHECK(out[7] == Vec3d{-1.5, 0.0, 1.5});
}

void check_stages(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  constexpr std::size_t kItems = 100000;
  DeviceBuffer<Vec3d> x(device, kItems, "test");
  const auto work = [&](int repeat) {
    for (int k = 0; k < repeat; ++k) queue->scale(x.view(), x.cview(), 1.0);
  };
  queue->clear(x.view());
  { const QueueStage off(*queue, "not timed"); }
  queue->synchronize();
  CHECK(queue->take_stage_times().empty());

  queue->time_stages(true);
  const std::uint64_t waits = queue->counters().waits, launches = queue->counters().launches;
  {
    const QueueStage frame(*queue, "frame");
    for (int k = 0; k < 3; ++k) {
      const QueueStage local(*queue, "local");
      work(1);
    }
    const QueueStage global(*queue, "global");
    work(20);
  }
  CHECK(queue->counters().waits == waits);
  CHECK(queue->counters().launches == launches + 23);
  queue->synchronize();
  const std::vector<StageTime> times = queue->take_stage_times();
  REQUIRE(times.size() == 3);
  CHECK(times[0].name == "frame");
  CHECK(times[0].count == 1);
  CHECK(times[1].name == "local");
  CHECK(times[1].count == 3);
  CHECK(times[2].name == "global");
  CHECK(times[1].ms > 0.0);
  // The whole covers its parts; clocks of devices tick in half microseconds.
  CHECK(times[0].ms >= times[1].ms + times[2].ms - 0.01);
  CHECK(queue->take_stage_times().empty());

  // In a graph: measured whenever it has run.
  queue->begin_recording();
  queue->begin_stage("recorded");
  work(2);
  queue->end_stage();
  const std::unique_ptr<DeviceGraph> graph = queue->end_recording();
  queue->synchronize();
  CHECK(queue->take_stage_times().empty());
  for (int k = 0; k < 2; ++k) {
    queue->run(*graph);
    {
      const QueueStage after(*queue, "after");
      work(1);
    }
    queue->synchronize();
    const std::vector<StageTime> again = queue->take_stage_times();
    REQUIRE(again.size() == 2);
    CHECK(again[0].name == "recorded");
    CHECK(again[0].count == 1);
    CHECK(again[0].ms > 0.0);
    CHECK(again[1].name == "after");
  }
  queue->synchronize();
  CHECK(queue->take_stage_times().empty());
}

}  // namespace

SINEW_DEVICE_TEST("stages are timed by marks, and nothing waits for them", check_stages)
SINEW_DEVICE_TEST("copies arrive whole and in order", check_copies)
SINEW_DEVICE_TEST("recorded work can be repeated", check_recording)

TEST_CASE("device blocks: powers of two and three quarters of them") {
  CHECK(Device::block_size(1) == 256);
  CHECK(Device::block_size(256) == 256);
  CHECK(Device::block_size(257) == 384);
  CHECK(Device::block_size(385) == 512);
  CHECK(Device::block_size(1025) == 1536);
  CHECK(Device::block_size(1537) == 2048);
  for (std::size_t n = 1; n < 5000; ++n) {
    CHECK(Device::block_size(n) >= n);
    CHECK(Device::block_size(Device::block_size(n)) == Device::block_size(n));
  }
}

TEST_CASE("device memory: blocks are used again, and what is missing is told") {
  EmulatedDeviceSettings settings;
  settings.memory = 4096;
  const std::shared_ptr<Device> device = make_emulated_device(settings);
  {
    DeviceBuffer<double> a(*device, 256, "first");  // 2048 bytes
    CHECK(device->memory().used == 2048);
    CHECK(device->memory().free == 2048);
  }
  CHECK(device->memory().used == 0);
  CHECK(device->memory().pooled == 2048);
  const DeviceBuffer<double> b(*device, 250, "second");  // the same block
  CHECK(device->memory().pooled == 0);
  CHECK(device->memory().free == 2048);
  { DeviceBuffer<double> c(*device, 192, "third"); }   // 1536 bytes, kept,
  { DeviceBuffer<double> d(*device, 256, "fourth"); }  // but given up where another size needs the room
  CHECK(device->memory().pooled == 2048);
  CHECK(device->memory().free == 0);
  try {
    const DeviceBuffer<double> e(*device, 1000, "staged inverse");
    FAIL("there is no such room");
  } catch (const MemoryError& error) {
    const std::string text = error.what();
    CHECK(text.find("staged inverse: 8192 bytes needed") == 0);
    CHECK(text.find("2048 of 4096") != std::string::npos);
  }
  device->trim();
  CHECK(device->memory().pooled == 0);
  const DeviceBuffer<double> none(*device, 0, "nothing");
  CHECK(none.data() == nullptr);
}

TEST_CASE("emulated device: nothing is done before synchronize, memory starts as NaN") {
  const std::shared_ptr<Device> device = make_emulated_device();
  const std::unique_ptr<DeviceQueue> queue = device->make_queue();
  DeviceBuffer<double> a(*device, 3, "test");
  std::vector<double> from = {1.0, 2.0, 3.0}, back(3, 0.0);
  queue->download(back.data(), a.cview());
  queue->synchronize();
  for (const double x : back) CHECK(std::isnan(x));
  queue->upload(a.view(), from.data());
  queue->download(back.data(), a.cview());
  from[1] = 20.0;  // too early: the copy has not read it yet
  CHECK(std::isnan(back[1]));
  queue->synchronize();
  CHECK(back[1] == 20.0);
  CHECK(queue->counters().copies == 3);
  CHECK(queue->counters().bytes_up == 24);
  CHECK(queue->counters().bytes_down == 48);
  CHECK(queue->counters().waits == 2);
}

TEST_CASE("cuda devices: what is there, or why there is none") {
  const DeviceList list = list_cuda_devices();
  CHECK(list.devices.empty() == !list.reason.empty());
  if (!list.devices.empty()) return;
  try {
    make_cuda_device();
    FAIL("there is none");
  } catch (const BackendError& error) {
    const std::string text = error.what();
    CHECK(text.find("no CUDA device: " + list.reason) == 0);
    CHECK(text.find("--backend cpu") != std::string::npos);
    CHECK(text.find('\n') == std::string::npos);
  }
}
