#include "benchmarks/device_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "benchmarks/device_timer.hpp"
#include "engine/collision/box_tree.hpp"
#include "engine/collision/device_box_tree.hpp"
#include "tests/support/random.hpp"

namespace sinew::bench {

namespace {

constexpr const char* kWhat = "pairs";
constexpr double kCell = 0.01;  // [m] edges of the sheet's squares

/// Boxes of the triangles of a square sheet, its points lifted by half a cell at random.
std::vector<DeviceBox> sheet_boxes(std::size_t triangles) {
  const auto n = std::max<Index>(1, static_cast<Index>(std::sqrt(static_cast<double>(triangles) / 2.0)));
  test::Random random(11);
  std::vector<Vec3d> x;
  for (Index j = 0; j <= n; ++j)
    for (Index i = 0; i <= n; ++i) x.push_back({kCell * i, kCell * j, random.uniform(0, 0.5 * kCell)});
  std::vector<DeviceBox> boxes;
  const auto add = [&](Index a, Index b, Index c) {
    DeviceBox box = DeviceBox::empty();
    for (const Index p : {a, b, c}) box.include({x[p], x[p]});
    boxes.push_back(box);
  };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const Index a = j * (n + 1) + i, c = a + n + 1;
      add(a, a + 1, c + 1);
      add(a, c + 1, c);
    }
  return boxes;
}

/// The same on the host.
struct HostTree {
  std::vector<Box> box;
  std::vector<Vec3d> centre;
  TreeShape shape;
  TreeBoxes boxes;

  explicit HostTree(const std::vector<DeviceBox>& from) {
    for (const DeviceBox& b : from) {
      box.push_back({b.low, b.high});
      centre.push_back(0.5 * b.low + 0.5 * b.high);
    }
  }
  void build() {
    std::vector<Index> item(box.size());
    std::iota(item.begin(), item.end(), 0);
    shape = TreeShape(std::move(item), centre);
  }
  void refit() {
    boxes.refit(shape, [&](Index i) { return box[i]; });
  }
  std::vector<std::vector<BoxPair>> pairs() const {
    const Tree tree{shape, boxes};
    const std::vector<NodePair> tasks = split_pairs(tree, tree, true);
    std::vector<std::vector<BoxPair>> lists(tasks.size());
    for_each(tasks.size(), 1, [&](std::size_t k) {
      visit_pairs(tree, tree, true, tasks[k], [&](Index i, Index j) {
        lists[k].push_back({std::min(i, j), std::max(i, j)});
      });
    });
    return lists;
  }
};

bool before(const BoxPair& a, const BoxPair& b) {
  return a.query != b.query ? a.query < b.query : a.item < b.item;
}

}  // namespace

std::vector<DeviceTiming> time_pairs(DeviceQueue& queue, std::size_t triangles, double seconds) {
  const std::vector<DeviceBox> boxes = sheet_boxes(triangles);
  const std::size_t n = boxes.size();
  HostTree host(boxes);
  DeviceTiming build, refit, list;
  build.operation = fmt::format("tree of {} boxes, made", n);
  refit.operation = fmt::format("tree of {} boxes, refit", n);
  list.operation = fmt::format("overlaps of {} boxes", n);
  build.host_ms = median_ms(seconds, 1, [&] { host.build(); });
  refit.host_ms = median_ms(seconds, 1, [&] { host.refit(); });
  std::vector<BoxPair> expected;
  list.host_ms = median_ms(seconds, 1, [&] {
    const auto lists = host.pairs();
    expected.clear();
    for (const auto& part : lists) expected.insert(expected.end(), part.begin(), part.end());
  });
  std::sort(expected.begin(), expected.end(), before);

  Device& device = queue.device();
  const auto box = to_device(queue, boxes, kWhat);
  DeviceBoxTree tree(queue, n);
  build.ms = recorded_ms(seconds, queue, [&] { tree.build(queue, box.cview()); });
  refit.ms = recorded_ms(seconds, queue, [&] { tree.refit(queue, box.cview()); });
  DeviceBuffer<std::uint32_t> count(device, n, kWhat), start(device, n + 1, kWhat);
  DeviceBuffer<unsigned char> scratch(device, queue.scan_scratch(n), kWhat);
  DeviceBuffer<BoxPair> pair(device, expected.size(), kWhat);
  PairRule rule;
  rule.upper = true;
  list.ms = recorded_ms(seconds, queue, [&] {
    queue.count_overlaps(tree.view(), box.cview(), rule, count.view(), {});
    queue.scan(count.cview(), start.view(), scratch.view());
    queue.list_overlaps(tree.view(), box.cview(), rule, start.cview(), pair.view());
  });
  const std::vector<BoxPair> found = to_host(queue, pair.cview());
  const bool same =
      std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                 [](const BoxPair& a, const BoxPair& b) { return !before(a, b) && !before(b, a); });
  list.error = same ? 0.0 : 1.0;
  // Boxes in, codes and items sorted in eight passes at least, nodes out; boxes in, leaves, levels and nodes
  // out; boxes and nodes in twice, pairs out.
  const double items = static_cast<double>(n);
  build.bytes = items * (2.0 * sizeof(DeviceBox) + 8.0 * 2.0 * 12.0 + 4.0 * sizeof(Index));
  refit.bytes = items * (4.0 * sizeof(DeviceBox) + 3.0 * sizeof(Index));
  list.bytes = items * 4.0 * sizeof(DeviceBox) + static_cast<double>(found.size() * sizeof(BoxPair));
  return {build, refit, list};
}

}  // namespace sinew::bench
