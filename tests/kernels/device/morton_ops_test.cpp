// Morton codes on devices: the three numbers in a code are the place of the box's centre in 21 bits.
#include <cmath>

#include "tests/kernels/device/random_arrays.hpp"
#include "tests/support/devices.hpp"

using namespace sinew;

namespace {

enum class Kind { random, flat, equal, some_empty };

std::vector<DeviceBox> boxes_of(std::size_t n, Kind kind) {
  const std::vector<Vec3d> low = test::random_vectors(n, 1);
  std::vector<DeviceBox> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    boxes.push_back({low[i], low[i] + Vec3d{0.1, 0.2, 0.3}});
    if (kind == Kind::flat) boxes[i].low.y = boxes[i].high.y = 0.5;
    if (kind == Kind::equal) boxes[i] = boxes[0];
    if (kind == Kind::some_empty && i % 3 == 0) boxes[i] = DeviceBox::empty();
  }
  return boxes;
}

Vec3d centre(const DeviceBox& box) {
  return 0.5 * (box.low + box.high);
}

/// Bits 3 k + shift of a code.
double number_in(std::uint64_t code, int shift) {
  std::uint64_t number = 0;
  for (int k = 0; k < 21; ++k) number |= (code >> (3 * k + shift) & 1) << k;
  return static_cast<double>(number);
}

void check_codes(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : test::sizes_for(device))
    for (const Kind kind : {Kind::random, Kind::flat, Kind::equal, Kind::some_empty}) {
      CAPTURE(n, static_cast<int>(kind));
      const std::vector<DeviceBox> boxes = boxes_of(n, kind);
      const auto box = to_device(*queue, boxes, "test");
      DeviceBuffer<std::uint64_t> code(device, n, "test");
      DeviceBuffer<DeviceBox> scratch(device, BoxTreeOps::morton_scratch(n), "test");
      queue->morton_codes(box.cview(), code.view(), scratch.view());
      const std::vector<std::uint64_t> codes = test::download(*queue, code);
      DeviceBox all = DeviceBox::empty();
      for (const DeviceBox& b : boxes)
        if (!b.is_empty()) all.include({centre(b), centre(b)});
      double worst = 0.0;
      for (std::size_t i = 0; i < n; ++i)
        for (int axis = 0; axis < 3 && !boxes[i].is_empty(); ++axis) {
          const double extent = all.high[axis] - all.low[axis];
          const double place = extent > 0.0 ? (centre(boxes[i])[axis] - all.low[axis]) / extent : 0.0;
          const double expected = std::min(std::floor(place * 2097152.0), 2097151.0);
          worst = test::worse(worst, std::abs(number_in(codes[i], 2 - axis) - expected));
        }
      CHECK(worst <= 1.0);  // the last bit hangs on rounding
      queue->clear(code.view());
      queue->morton_codes(box.cview(), code.view(), scratch.view());
      CHECK(test::same_bits(test::download(*queue, code), codes));
      CHECK(test::same_bits(test::download(*queue, box), boxes));
    }
}

}  // namespace

SINEW_DEVICE_TEST("Morton codes hold the places of centres", check_codes)
