// Scans and sorts against the standard library, in both forms.
#include <algorithm>
#include <numeric>

#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

std::vector<std::size_t> sizes() {
  std::vector<std::size_t> n = test::kSizes;
  // Tiles of 2048: one short of, full, one more; and enough of them for a second and a third level.
  n.insert(n.end(), {2047, 2048, 2049, 1000000, 2048 * 2048 + 5});
  return n;
}

void check_scan(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : sizes()) {
    test::Random random(n);
    std::vector<std::uint32_t> count(n), expected(n + 1, 0);
    // Beyond 2^32 in sum for the large ones: it is taken modulo 2^32.
    for (std::uint32_t& c : count) c = static_cast<std::uint32_t>(random.uniform(0.0, 100000.0));
    std::partial_sum(count.begin(), count.end(), expected.begin() + 1);
    for (const ScanForm form : {ScanForm::library, ScanForm::own}) {
      const auto from = to_device(*queue, count, "test");
      DeviceBuffer<std::uint32_t> start(device, n + 1, "test");
      DeviceBuffer<unsigned char> scratch(device, queue->scan_scratch(n), "test");
      queue->scan(from.view(), start.view(), scratch.view(), form);
      CHECK(test::download(*queue, start) == expected);
      CHECK(test::download(*queue, from) == count);
      // In place.
      queue->copy(start.view().part(0, n), from.view());
      queue->scan({start.data(), n}, start.view(), scratch.view(), form);
      CHECK(test::download(*queue, start) == expected);
    }
  }
}

struct Pairs {
  std::vector<std::uint64_t> key;
  std::vector<std::uint32_t> value;
};

Pairs sorted_on_host(const Pairs& pairs, int bits) {
  const std::uint64_t mask = bits < 64 ? (std::uint64_t(1) << bits) - 1 : ~std::uint64_t(0);
  std::vector<std::size_t> order(pairs.key.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return (pairs.key[a] & mask) < (pairs.key[b] & mask);
  });
  Pairs sorted;
  for (const std::size_t i : order) {
    sorted.key.push_back(pairs.key[i]);
    sorted.value.push_back(pairs.value[i]);
  }
  return sorted;
}

void check_sorted(Device& device, const Pairs& pairs, int bits) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const Pairs expected = sorted_on_host(pairs, bits);
  for (const ScanForm form : {ScanForm::library, ScanForm::own}) {
    auto key = to_device(*queue, pairs.key, "test");
    auto value = to_device(*queue, pairs.value, "test");
    DeviceBuffer<unsigned char> scratch(device, queue->sort_scratch(pairs.key.size()), "test");
    queue->sort_pairs(key.view(), value.view(), bits, scratch.view(), form);
    CHECK(test::download(*queue, key) == expected.key);
    CHECK(test::download(*queue, value) == expected.value);
  }
}

Pairs pairs_of(std::size_t n, const std::function<std::uint64_t(std::size_t)>& key) {
  Pairs pairs;
  for (std::size_t i = 0; i < n; ++i) {
    pairs.key.push_back(key(i));
    pairs.value.push_back(static_cast<std::uint32_t>(7 * i + 1));
  }
  return pairs;
}

std::uint64_t mixed(std::uint64_t i) {  // splitmix64: all bits in use
  i += 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

void check_sort(Device& device) {
  for (std::size_t n : test::kSizes) check_sorted(device, pairs_of(n, mixed), 64);
  check_sorted(device, pairs_of(1000000, [](std::size_t i) { return mixed(i) & 0x3fffffff; }), 30);
}

void check_sort_of_awkward_keys(Device& device) {
  constexpr std::size_t kItems = 5000;
  check_sorted(device, pairs_of(kItems, [](std::size_t) { return ~std::uint64_t(0); }), 64);  // all equal
  check_sorted(device, pairs_of(kItems, [](std::size_t i) { return i; }), 64);                // sorted
  check_sorted(device, pairs_of(kItems, [](std::size_t i) { return kItems - i; }), 64);       // reversed
  check_sorted(device, pairs_of(kItems, [](std::size_t i) { return mixed(i) % 3; }), 64);     // many equal
  check_sorted(device, pairs_of(kItems, [](std::size_t i) { return mixed(i) << 60; }), 64);   // high bits
  check_sorted(device, pairs_of(kItems, [](std::size_t i) { return i == 4999 ? 0u : 1u; }), 1);
  for (const int bits : {0, 1, 3, 4, 5, 12, 63}) check_sorted(device, pairs_of(kItems, mixed), bits);
}

}  // namespace

SINEW_DEVICE_TEST("scans", check_scan)
SINEW_DEVICE_TEST("sorts of pairs", check_sort)
SINEW_DEVICE_TEST("sorts of equal, sorted, reversed and cut keys keep the order of equal ones",
                  check_sort_of_awkward_keys)
