// Trees of boxes find the pairs that trying all of them finds.
#include "engine/collision/box_tree.hpp"

#include <algorithm>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using test::Random;

namespace {

struct Boxes {
  std::vector<Box> box;
  TreeShape shape;
  TreeBoxes boxes;

  Boxes(Random& random, int count, double size) {
    std::vector<Index> item;
    std::vector<Vec3d> centre;
    for (int i = 0; i < count; ++i) {
      const Vec3d c = random.vector();
      Box b;
      b.include(c);
      b.include(c + random.vector(size));
      box.push_back(b);
      item.push_back(i);
      centre.push_back(random.vector());  // the tree may be made from quite other places
    }
    shape = TreeShape(item, centre);
    boxes.refit(shape, [&](Index i) { return box[i]; });
  }
};

using Pairs = std::set<std::pair<Index, Index>>;

Pairs by_tree(const Boxes& a, const Boxes& b, bool self) {
  Pairs pairs;
  const Tree ta{a.shape, a.boxes}, tb{b.shape, b.boxes};
  for (const NodePair& task : split_pairs(ta, tb, self))
    visit_pairs(ta, tb, self, task, [&](Index i, Index j) {
      const auto pair = self ? std::pair(std::min(i, j), std::max(i, j)) : std::pair(i, j);
      CHECK(pairs.insert(pair).second);  // each pair once
    });
  return pairs;
}

}  // namespace

TEST_CASE("trees find every pair of overlapping boxes once", "[collision]") {
  Random random(7);
  for (const int count : {0, 1, 3, 4, 5, 63, 400}) {
    const Boxes a(random, count, 0.2), b(random, 200, 0.2);
    Pairs expected, expected_self;
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < 200; ++j)
        if (a.box[i].overlaps(b.box[j])) expected.insert({i, j});
      for (int j = i + 1; j < count; ++j)
        if (a.box[i].overlaps(a.box[j])) expected_self.insert({i, j});
    }
    CHECK(by_tree(a, b, false) == expected);
    CHECK(by_tree(a, a, true) == expected_self);
    if (count == 400) CHECK(expected_self.size() > 50);
  }
}

TEST_CASE("the nearest item and overlaps of one box are found", "[collision]") {
  Random random(9);
  const Boxes a(random, 300, 0.1);
  for (int n = 0; n < 50; ++n) {
    const Vec3d x = random.vector(1.5);
    const auto distance = [&](Index i) { return a.box[i].squared_distance(x); };
    double least = 1e300;
    for (int i = 0; i < 300; ++i) least = std::min(least, distance(i));
    const Index found = nearest_item({a.shape, a.boxes}, x, 1e300, distance);
    REQUIRE(found >= 0);
    CHECK(distance(found) == least);
    CHECK(nearest_item({a.shape, a.boxes}, x, 0.0, distance) == -1);
    Box probe;
    probe.include(x);
    probe.include(0.5 * x);
    std::set<Index> seen, expected;
    visit_overlaps({a.shape, a.boxes}, probe, [&](Index i) { seen.insert(i); });
    for (int i = 0; i < 300; ++i)
      if (a.box[i].overlaps(probe)) expected.insert(i);
    CHECK(seen == expected);
  }
}
