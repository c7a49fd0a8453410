// Trees of boxes on a device: each node holds what its range holds, and overlaps are those that trying all
// pairs finds, for boxes that make trees bad: equal, flat, empty, with one far away.
#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

enum class Kind { random, equal, flat, outlier, some_empty, all_empty, line };
constexpr Kind kKinds[] = {Kind::random,     Kind::equal,     Kind::flat, Kind::outlier,
                           Kind::some_empty, Kind::all_empty, Kind::line};

std::vector<DeviceBox> make_boxes(std::size_t n, Kind kind, double size, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<DeviceBox> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d a = random.vector(), b = a + random.vector(size);
    DeviceBox box{component_min(a, b), component_max(a, b)};
    if (kind == Kind::equal) box = {{1, 2, 3}, {1, 2, 3}};
    if (kind == Kind::flat) box.low.z = box.high.z = 0.5;
    if (kind == Kind::outlier && i == n / 2) box = {{1e12, -1e12, 0}, {2e12, -1e12, 1}};
    if (kind == Kind::all_empty || (kind == Kind::some_empty && i % 3 == 0)) box = DeviceBox::empty();
    if (kind == Kind::line)
      box = {{static_cast<double>(i / 2), 0, 0}, {static_cast<double>(i / 2) + 1, 0, 0}};
    boxes.push_back(box);
  }
  return boxes;
}

/// The item of rank k, and the codes in this order.
struct SortedCodes {
  std::vector<std::uint32_t> item;
  std::vector<std::uint64_t> code;
  explicit SortedCodes(const std::vector<std::uint64_t>& of_item) : item(of_item.size()) {
    std::iota(item.begin(), item.end(), 0u);
    std::stable_sort(item.begin(), item.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return of_item[a] < of_item[b]; });
    for (const std::uint32_t i : item) code.push_back(of_item[i]);
  }
};

struct DeviceTree {
  std::unique_ptr<DeviceQueue> queue;
  DeviceBuffer<DeviceBox> box, leaf_box, node_box, level_box;
  DeviceBuffer<std::uint32_t> item;
  DeviceBuffer<Index> left, right, first, last;
  std::vector<std::uint64_t> codes;

  DeviceTree(Device& device, const std::vector<DeviceBox>& host) : queue(device.make_queue()) {
    const std::size_t n = host.size(), nodes = n > 0 ? n - 1 : 0;
    box = to_device(*queue, host, "test");
    DeviceBuffer<std::uint64_t> code(device, n, "test");
    DeviceBuffer<DeviceBox> scratch(device, BoxTreeOps::morton_scratch(n), "test");
    queue->morton_codes(box.cview(), code.view(), scratch.view());
    codes = test::download(*queue, code);
    const SortedCodes sorted(codes);
    item = to_device(*queue, sorted.item, "test");
    const auto in_order = to_device(*queue, sorted.code, "test");
    for (DeviceBuffer<Index>* b : {&left, &right, &first, &last}) *b = {device, nodes, "test"};
    leaf_box = {device, n, "test"};
    node_box = {device, nodes, "test"};
    level_box = {device, box_levels_size(n), "test"};
    queue->build_tree(in_order.cview(), view());
    queue->refit_tree(box.cview(), view());
    queue->synchronize();
  }
  BoxTreeView view() {
    return {item.view(), left.view(),     right.view(),    first.view(),
            last.view(), leaf_box.view(), node_box.view(), level_box.view()};
  }

  std::vector<std::vector<Index>> overlaps(const std::vector<DeviceBox>& query, const PairRule& rule) {
    Device& device = queue->device();
    const auto asked = to_device(*queue, query, "test");
    DeviceBuffer<std::uint32_t> count(device, query.size(), "test");
    DeviceBuffer<double> number(device, query.size(), "test");
    queue->count_overlaps(view(), asked.cview(), rule, count.view(), number.view());
    const std::vector<std::uint32_t> counts = test::download(*queue, count);
    const std::vector<double> numbers = test::download(*queue, number);
    bool exact = true;
    std::vector<std::uint32_t> start(1, 0);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      exact = exact && numbers[i] == counts[i];
      start.push_back(start.back() + counts[i]);
    }
    const auto starts = to_device(*queue, start, "test");
    DeviceBuffer<BoxPair> pair(device, start.back(), "test");
    queue->list_overlaps(view(), asked.cview(), rule, starts.cview(), pair.view());
    const std::vector<BoxPair> pairs = test::download(*queue, pair);
    std::vector<std::vector<Index>> lists(query.size());
    for (std::size_t i = 0; i < query.size(); ++i)
      for (std::size_t k = start[i]; k < start[i + 1]; ++k) {
        exact = exact && pairs[k].query == static_cast<Index>(i);
        lists[i].push_back(pairs[k].item);
      }
    CHECK(exact);
    return lists;
  }
};

bool same(const DeviceBox& a, const DeviceBox& b) {
  return a.low == b.low && a.high == b.high;
}

std::vector<std::vector<Index>> by_trying(const std::vector<DeviceBox>& query,
                                          const std::vector<DeviceBox>& box, const PairRule& rule) {
  std::vector<std::vector<Index>> lists(query.size());
  for (std::size_t i = 0; i < query.size(); ++i)
    for (std::size_t j = 0; j < box.size(); ++j)
      if (query[i].overlaps(box[j]) && rule.allows(i, j)) lists[i].push_back(static_cast<Index>(j));
  return lists;
}

void check_boxes(Device& device) {
  for (const std::size_t n : test::sizes_for(device)) {
    const auto queue = device.make_queue();
    test::Random random(n);
    std::vector<Vec3d> start, end;
    std::vector<double> inflation;
    std::vector<Index> corner;
    for (std::size_t i = 0; i < n; ++i) {
      start.push_back(random.vector());
      end.push_back(random.vector());
      inflation.push_back(random.uniform(0, 0.1));
    }
    for (std::size_t i = 0; i < 3 * n; ++i)
      corner.push_back(static_cast<Index>(random.uniform(0, static_cast<double>(n))));
    const auto a = to_device(*queue, start, "test"), b = to_device(*queue, end, "test");
    const auto more = to_device(*queue, inflation, "test");
    const auto index = to_device(*queue, corner, "test");
    DeviceBuffer<DeviceBox> way(device, n, "test"), face(device, n, "test");
    queue->way_boxes(a.cview(), b.cview(), more.cview(), way.view());
    queue->join_boxes(way.cview(), index.cview(), 3, face.view());
    const std::vector<DeviceBox> ways = test::download(*queue, way), faces = test::download(*queue, face);
    bool good = true;
    for (std::size_t i = 0; i < n; ++i) {
      DeviceBox sum = DeviceBox::empty();
      for (int axis = 0; axis < 3; ++axis) {
        good = good && ways[i].low[axis] == std::min(start[i][axis], end[i][axis]) - inflation[i];
        good = good && ways[i].high[axis] == std::max(start[i][axis], end[i][axis]) + inflation[i];
        for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
          sum.low[axis] = std::min(sum.low[axis], ways[corner[k]].low[axis]);
          sum.high[axis] = std::max(sum.high[axis], ways[corner[k]].high[axis]);
        }
      }
      good = good && same(faces[i], sum);
    }
    CHECK(good);
    queue->clear(way.view());
    queue->clear(face.view());
    queue->way_boxes(a.cview(), b.cview(), more.cview(), way.view());
    queue->join_boxes(way.cview(), index.cview(), 3, face.view());
    CHECK(test::same_bits(test::download(*queue, way), ways));
    CHECK(test::same_bits(test::download(*queue, face), faces));
    CHECK(test::same_bits(test::download(*queue, a), start));
    CHECK(test::same_bits(test::download(*queue, b), end));
    CHECK(test::same_bits(test::download(*queue, index), corner));
  }
}

void check_codes(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  // Corners of a cube and one point inside, bit by bit.
  const auto at = [](double x, double y, double z) { return DeviceBox{{x, y, z}, {x, y, z}}; };
  const std::vector<DeviceBox> box = {at(0, 0, 0), at(2, 2, 2),   at(2, 0, 0),       at(0, 2, 0),
                                      at(0, 0, 2), at(1, 1, 0.5), DeviceBox::empty()};
  const DeviceTree tree(device, box);
  constexpr std::uint64_t kX = 0x4924924924924924ull;  // every third bit
  CHECK(tree.codes[0] == 0);
  CHECK(tree.codes[1] == (kX | kX >> 1 | kX >> 2));
  CHECK(tree.codes[2] == kX);
  CHECK(tree.codes[3] == kX >> 1);
  CHECK(tree.codes[4] == kX >> 2);
  CHECK(tree.codes[5] == (std::uint64_t(6) << 60 | std::uint64_t(1) << 57));
  CHECK(tree.codes[6] == 0);
}

void check_tree(Device& device) {
  for (const std::size_t n : test::kSizes)
    for (const Kind kind : kKinds) {
      CAPTURE(n, static_cast<int>(kind));
      const std::vector<DeviceBox> boxes = make_boxes(n, kind, 0.2, n + 1);
      DeviceTree tree(device, boxes);
      CHECK(test::same_bits(test::download(*tree.queue, tree.box), boxes));
      const auto item = test::download(*tree.queue, tree.item);
      const auto left = test::download(*tree.queue, tree.left),
                 right = test::download(*tree.queue, tree.right);
      const auto first = test::download(*tree.queue, tree.first),
                 last = test::download(*tree.queue, tree.last);
      const auto node_box = test::download(*tree.queue, tree.node_box);
      // From the root: ranges are halved into ranges, every leaf is met once, no path is deeper than 95.
      struct Place {
        Index node, first, last, depth;
      };
      std::vector<Place> open;
      if (n > 1) open.push_back({0, 0, static_cast<Index>(n) - 1, 1});
      std::vector<int> met(n, n == 1);
      bool ranges = true, bounds = true;
      Index deepest = 0;
      while (!open.empty()) {
        const Place p = open.back();
        open.pop_back();
        deepest = std::max(deepest, p.depth);
        ranges = ranges && first[p.node] == p.first && last[p.node] == p.last;
        DeviceBox sum = DeviceBox::empty();
        for (Index k = p.first; k <= p.last; ++k) sum.include(boxes[item[k]]);
        bounds = bounds && same(sum, node_box[p.node]);
        const Index l = left[p.node], r = right[p.node];
        const Index cut = l < 0 ? p.first : last[l];
        ranges = ranges && cut >= p.first && cut < p.last;
        if (!ranges) break;
        const auto child = [&](Index c, Index from, Index to) {
          if (c >= 0)
            open.push_back({c, from, to, p.depth + 1});
          else if (-1 - c == from && from == to)
            ++met[from];
          else
            ranges = false;
        };
        child(l, p.first, cut);
        child(r, cut + 1, p.last);
      }
      CHECK(ranges);
      CHECK(bounds);
      CHECK(std::all_of(met.begin(), met.end(), [](int m) { return m == 1; }));
      CHECK(deepest <= 95);
      if (kind == Kind::equal && n == 1000) CHECK(deepest == 10);  // by the bits of the ranks

      DeviceBuffer<double> area(device, n > 0 ? n - 1 : 0, "test");
      tree.queue->node_areas(tree.view(), area.view());
      const std::vector<double> areas = test::download(*tree.queue, area);
      bool right_area = true;
      for (std::size_t k = 0; k + 1 < n; ++k) {
        const Vec3d d = node_box[k].high - node_box[k].low;
        const double half = node_box[k].is_empty() ? 0.0 : d.x * d.y + d.y * d.z + d.z * d.x;
        right_area = right_area && std::abs(areas[k] - half) <= 1e-12 * half;
      }
      CHECK(right_area);

      // Refit with other boxes on the same tree, and again with the old ones: same bits.
      const auto other = to_device(*tree.queue, make_boxes(n, Kind::random, 0.5, 99), "test");
      tree.queue->refit_tree(other.cview(), tree.view());
      tree.queue->refit_tree(tree.box.cview(), tree.view());
      CHECK(test::same_bits(test::download(*tree.queue, tree.node_box), node_box));
    }
}

void check_overlaps(Device& device) {
  for (const std::size_t n : test::kSizes)
    for (const Kind kind : kKinds) {
      CAPTURE(n, static_cast<int>(kind));
      const std::vector<DeviceBox> boxes = make_boxes(n, kind, 0.2, n + 1);
      DeviceTree tree(device, boxes);
      std::vector<DeviceBox> queries = make_boxes(33, Kind::random, 0.5, 7);
      queries.push_back({{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}});
      queries.push_back(DeviceBox::empty());
      CHECK(tree.overlaps(queries, {}) == by_trying(queries, boxes, {}));
      CHECK(tree.overlaps({}, {}).empty());

      // With itself: upper pairs only, owners of 50 items, every third may meet itself, groups of 7 do not.
      PairRule rule;
      rule.upper = true;
      CHECK(tree.overlaps(boxes, rule) == by_trying(boxes, boxes, rule));
      std::vector<Index> owner, group;
      for (std::size_t i = 0; i < n; ++i) {
        owner.push_back(static_cast<Index>(i / 50));
        group.push_back(i % 2 == 0 ? static_cast<Index>(i / 7) : -1);
      }
      std::vector<unsigned char> self;
      for (std::size_t o = 0; o <= n / 50; ++o) self.push_back(o % 3 == 0);
      const auto owners = to_device(*tree.queue, owner, "test"),
                 groups = to_device(*tree.queue, group, "test");
      const auto selves = to_device(*tree.queue, self, "test");
      const PairRule on_device{true, owners.cview(), selves.cview(), groups.cview()};
      const PairRule on_host{true, {owner.data(), n}, {self.data(), self.size()}, {group.data(), n}};
      CHECK(tree.overlaps(boxes, on_device) == by_trying(boxes, boxes, on_host));
    }
}

/// Lists that do not fit are left out whole, and nothing is written behind the end.
void check_short_list(Device& device) {
  const std::vector<DeviceBox> boxes = make_boxes(100, Kind::equal, 0.2, 1);
  DeviceTree tree(device, boxes);
  std::vector<std::uint32_t> start;
  for (std::uint32_t i = 0; i <= 100; ++i) start.push_back(100 * i);
  const auto starts = to_device(*tree.queue, start, "test");
  const std::vector<BoxPair> old(250, {-7, -7});
  DeviceBuffer<BoxPair> pair = to_device(*tree.queue, old, "test");
  tree.queue->list_overlaps(tree.view(), tree.box.cview(), {}, starts.cview(), pair.view());
  const std::vector<BoxPair> pairs = test::download(*tree.queue, pair);
  for (Index k = 0; k < 200; ++k) {
    CHECK(pairs[k].query == k / 100);
    CHECK(pairs[k].item == k % 100);
  }
  for (Index k = 200; k < 250; ++k) CHECK(pairs[k].item == -7);
}

/// So many that the levels take several launches.
void check_many(Device& device) {
  const std::size_t n = 1000001;
  const std::vector<DeviceBox> boxes = make_boxes(n, Kind::random, 0.01, 3);
  DeviceTree tree(device, boxes);
  const std::vector<DeviceBox> queries = make_boxes(20, Kind::random, 0.15, 8);
  const auto lists = tree.overlaps(queries, {});
  CHECK(lists == by_trying(queries, boxes, {}));
  CHECK(test::same_bits(test::download(*tree.queue, tree.box), boxes));
  DeviceTree again(device, boxes);
  CHECK(again.codes == tree.codes);
  const auto same_part = [&](DeviceBuffer<Index> DeviceTree::*part) {
    return test::same_bits(test::download(*tree.queue, tree.*part),
                           test::download(*again.queue, again.*part));
  };
  CHECK(same_part(&DeviceTree::left));
  CHECK(same_part(&DeviceTree::right));
  CHECK(same_part(&DeviceTree::first));
  CHECK(same_part(&DeviceTree::last));
  const auto node_box = test::download(*tree.queue, tree.node_box);
  CHECK(test::same_bits(test::download(*again.queue, again.node_box), node_box));
  CHECK(again.overlaps(queries, {}) == lists);
  DeviceBuffer<double> area(device, n - 1, "test");
  tree.queue->node_areas(tree.view(), area.view());
  double worst = 0.0;
  const std::vector<double> areas = test::download(*tree.queue, area);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const Vec3d d = node_box[k].high - node_box[k].low;
    const double half = d.x * d.y + d.y * d.z + d.z * d.x;
    worst = test::worse(worst, std::abs(areas[k] - half) / half);
  }
  CHECK(worst < 1e-12);
  CHECK(std::accumulate(lists.begin(), lists.end(), std::size_t(0),
                        [](std::size_t sum, const auto& list) { return sum + list.size(); }) > 100);
}

}  // namespace

SINEW_DEVICE_TEST("boxes of ways, and around them", check_boxes)
SINEW_DEVICE_TEST("Morton codes", check_codes)
SINEW_DEVICE_TEST("trees of boxes: ranges, bounds, refit", check_tree)
SINEW_DEVICE_TEST("overlaps of boxes are those found by trying all", check_overlaps)
SINEW_DEVICE_TEST("lists of overlaps that do not fit", check_short_list)
SINEW_DEVICE_TEST("overlaps among many boxes", check_many)
