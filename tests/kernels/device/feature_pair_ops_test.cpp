// Features of pairs of triangles: those that come near each other, against plain tests of all of them.
#include <algorithm>
#include <cmath>

#include "kernels/element/contact/distance.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

/// Small triangles all about; neighbours in number share two points, every third point does not move freely.
struct Soup {
  std::vector<Vec3d> start, end;
  std::vector<double> inflation;
  std::vector<Index> corner, edge_point, own_point, own_edge;
  std::vector<Index> point_start{0}, edge_start{0};
  std::vector<unsigned char> movable, bare;
  std::vector<DeviceBox> point_box, edge_box, triangle_box;

  explicit Soup(std::size_t triangles) {
    test::Random random(triangles + 5);
    const auto add_point = [&](const Vec3d& x) {
      start.push_back(x);
      end.push_back(x + random.vector(0.1));
      inflation.push_back(random.uniform() < 0 ? 0.01 : 0.03);
      movable.push_back(start.size() % 3 != 0);
      return static_cast<Index>(start.size()) - 1;
    };
    for (std::size_t f = 0; f < triangles; ++f) {
      Index v[3];
      const Vec3d x = random.vector(0.4);
      const bool shares = f % 2 == 1;
      for (int k = 0; k < 3; ++k)
        v[k] = shares && k < 2 ? corner[3 * (f - 1) + static_cast<std::size_t>(k)]
                               : add_point(x + random.vector(0.15));
      for (int k = shares ? 2 : 0; k < 3; ++k) own_point.push_back(v[k]);
      for (int k = 0; k < 3; ++k) {
        corner.push_back(v[k]);
        if (shares && k == 0) continue;  // of the one before
        own_edge.push_back(static_cast<Index>(edge_point.size() / 2));
        edge_point.push_back(std::min(v[k], v[(k + 1) % 3]));
        edge_point.push_back(std::max(v[k], v[(k + 1) % 3]));
      }
      point_start.push_back(static_cast<Index>(own_point.size()));
      edge_start.push_back(static_cast<Index>(own_edge.size()));
      bare.push_back(f % 5 == 0);
    }
    for (std::size_t p = 0; p < start.size(); ++p) {
      const Vec3d more{inflation[p], inflation[p], inflation[p]};
      point_box.push_back({component_min(start[p], end[p]) - more, component_max(start[p], end[p]) + more});
    }
    const auto around = [&](const std::vector<Index>& index, std::size_t corners) {
      std::vector<DeviceBox> boxes;
      for (std::size_t i = 0; i < index.size(); i += corners) {
        boxes.push_back(DeviceBox::empty());
        for (std::size_t k = i; k < i + corners; ++k) boxes.back().include(point_box[index[k]]);
      }
      return boxes;
    };
    edge_box = around(edge_point, 2);
    triangle_box = around(corner, 3);
  }

  double motion(const Index* p, int np, const Index* q, int nq) const {
    double most = 0.0;
    for (int i = 0; i < np; ++i)
      for (int k = 0; k < nq; ++k)
        most = std::max(most, norm(end[p[i]] - start[p[i]] - end[q[k]] + start[q[k]]));
    return most;
  }

  /// 1: comes near, 0: does not, -1: too close to say.
  int judge(double distance, double reach) const {
    if (std::abs(distance - reach) < 1e-6) return -1;
    return distance < reach;
  }
  int point_triangle(Index p, Index f) const {
    const Index* v = &corner[3 * static_cast<std::size_t>(f)];
    if (std::count(v, v + 3, p) > 0 || !(movable[p] + movable[v[0]] + movable[v[1]] + movable[v[2]]))
      return 0;
    if (!point_box[p].overlaps(triangle_box[f])) return 0;
    const Vec3d x = start[p], a = start[v[0]], b = start[v[1]], c = start[v[2]];
    const double distance = norm(x - triangle_point(closest_on_triangle(x, a, b, c), a, b, c));
    return judge(distance, inflation[p] + inflation[v[0]] + motion(&p, 1, v, 3));
  }
  int edges(Index d, Index e) const {
    const Index *p = &edge_point[2 * static_cast<std::size_t>(d)],
                *q = &edge_point[2 * static_cast<std::size_t>(e)];
    if (std::count(q, q + 2, p[0]) + std::count(q, q + 2, p[1]) > 0) return 0;
    if (!(movable[p[0]] + movable[p[1]] + movable[q[0]] + movable[q[1]])) return 0;
    if (!edge_box[d].overlaps(edge_box[e])) return 0;
    const Vec3d a = start[p[0]], b = start[p[1]], c = start[q[0]], g = start[q[1]];
    const auto near = closest_on_segments(a, b, c, g);
    const double distance = norm(a + near.s * (b - a) - c - near.t * (g - c));
    return judge(distance, inflation[p[0]] + inflation[q[0]] + motion(p, 2, q, 2));
  }
};

void check_features(Device& device) {
  const auto queue = device.make_queue();
  std::size_t all = 0, left_out = 0;
  for (const std::size_t n :
       {std::size_t(0), std::size_t(1), std::size_t(2), std::size_t(32), std::size_t(33), std::size_t(200),
        device.is_emulated() ? std::size_t(600) : std::size_t(3000)}) {
    const Soup s(n);
    std::vector<BoxPair> pair;
    for (std::size_t f = 0; f < n; ++f)
      for (std::size_t g = f + 1; g < n; ++g)
        if (s.triangle_box[f].overlaps(s.triangle_box[g]))
          pair.push_back({static_cast<Index>(f), static_cast<Index>(g)});
    const std::size_t total = pair.size();
    pair.insert(pair.end(), 40, {0, n > 1 ? 1 : 0});  // room
    const auto start = to_device(*queue, s.start, "test"), end = to_device(*queue, s.end, "test");
    const auto inflation = to_device(*queue, s.inflation, "test");
    const auto corner = to_device(*queue, s.corner, "test"),
               edge_point = to_device(*queue, s.edge_point, "test");
    const auto point_start = to_device(*queue, s.point_start, "test"),
               own_point = to_device(*queue, s.own_point, "test"),
               edge_start = to_device(*queue, s.edge_start, "test"),
               own_edge = to_device(*queue, s.own_edge, "test");
    const auto movable = to_device(*queue, s.movable, "test"), bare = to_device(*queue, s.bare, "test");
    const auto point = to_device(*queue, s.point_box, "test"), edge = to_device(*queue, s.edge_box, "test"),
               triangle = to_device(*queue, s.triangle_box, "test");
    const auto pairs = to_device(*queue, pair, "test");
    const auto totals =
        to_device(*queue, std::vector<std::uint32_t>{static_cast<std::uint32_t>(total), 1000000}, "test");
    const FeatureView features{corner.cview(),     edge_point.cview(), point_start.cview(), own_point.cview(),
                               edge_start.cview(), own_edge.cview(),   movable.cview(),     bare.cview()};
    const FeatureWays ways{start.cview(), end.cview(),  inflation.cview(),
                           point.cview(), edge.cview(), triangle.cview()};
    DeviceBuffer<std::uint32_t> count(device, pair.size(), "test");
    DeviceBuffer<double> number(device, pair.size(), "test");
    queue->count_features(features, ways, pairs.cview(), totals.cview().part(1, 1), count.view(), {});
    CHECK(test::download(*queue, count) == std::vector<std::uint32_t>(pair.size(), 0));  // more than the room
    queue->count_features(features, ways, pairs.cview(), totals.cview().part(0, 1), count.view(),
                          number.view());
    const auto counts = test::download(*queue, count);
    const auto numbers = test::download(*queue, number);
    std::vector<std::uint32_t> place(1, 0);
    bool sound = true;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      sound = sound && numbers[k] == counts[k] && (k < total || counts[k] == 0);
      place.push_back(place.back() + counts[k]);
    }
    CHECK(sound);
    const auto places = to_device(*queue, place, "test");
    DeviceBuffer<FeaturePair> feature(device, place.back(), "test");
    queue->list_features(features, ways, pairs.cview(), totals.cview().part(0, 1), places.cview(),
                         feature.view());
    const auto found = test::download(*queue, feature);
    queue->list_features(features, ways, pairs.cview(), totals.cview().part(0, 1), places.cview(),
                         feature.view());
    CHECK(test::same_bits(test::download(*queue, feature), found));
    queue->count_features(features, ways, pairs.cview(), totals.cview().part(0, 1), count.view(), {});
    CHECK(test::same_bits(test::download(*queue, count), counts));
    CHECK(test::same_bits(test::download(*queue, pairs), pair));
    CHECK(test::same_bits(test::download(*queue, corner), s.corner));
    CHECK(test::same_bits(test::download(*queue, end), s.end));
    CHECK(test::same_bits(test::download(*queue, start), s.start));

    // Every pair of features that belong to the two triangles, in order.
    bool good = true;
    for (std::size_t k = 0; k < total; ++k) {
      std::size_t at = place[k];
      const auto expect = [&](int verdict, const FeaturePair& f) {
        const bool listed = at < place[k + 1] && found[at].first == f.first && found[at].second == f.second;
        if (verdict >= 0) good = good && listed == (verdict == 1);
        at += listed;
        ++all;
        left_out += verdict == 0;
      };
      const Index f = pair[k].query, g = pair[k].item;
      const auto points = [&](Index own, Index other) {
        for (Index i = s.point_start[own]; i < s.point_start[own + 1] && !s.bare[other]; ++i)
          expect(s.point_triangle(s.own_point[i], other), {s.own_point[i], other});
      };
      points(f, g);
      points(g, f);
      for (Index i = s.edge_start[f]; i < s.edge_start[f + 1]; ++i)
        for (Index m = s.edge_start[g]; m < s.edge_start[g + 1]; ++m)
          expect(s.edges(s.own_edge[i], s.own_edge[m]), {-1 - s.own_edge[i], s.own_edge[m]});
      good = good && at == place[k + 1];
    }
    CHECK(good);
  }
  CHECK(all > 4000);
  CHECK(left_out > 1000);
  CHECK(all - left_out > 300);
}

}  // namespace

SINEW_DEVICE_TEST("features of pairs of triangles", check_features)
