// Bodies of the choice of features.
#pragma once

#include <cmath>

#include "kernels/device/kernel.hpp"
#include "kernels/element/contact/distance.hpp"
#include "kernels/op/feature_pair_ops.hpp"

namespace sinew {

struct FeatureChooser {
  FeatureView features;
  FeatureWays ways;

  SINEW_HD static double largest(const Vec3d& x) {
    const double a = x.x < 0 ? -x.x : x.x, b = x.y < 0 ? -x.y : x.y, c = x.z < 0 ? -x.z : x.z;
    return a > b ? (a > c ? a : c) : (b > c ? b : c);
  }

  /// Whether `apart` at the start can shrink to `reach` by the relative motion [m^2]. The narrow phase
  /// decides and must not miss a pair, so there is room for what rounding does to nearest places on slivers;
  /// size: sum of the largest coordinates [m].
  SINEW_HD static bool comes_near(const Vec3d& apart, double reach, double squared_motion, double size) {
    using std::sqrt;
    const double distance = norm(apart), slack = 1e-8 * (size + distance);
    return !(distance > reach + sqrt(squared_motion) + slack);
  }
  SINEW_HD Vec3d move(Index p) const { return ways.end[p] - ways.start[p]; }
  SINEW_HD double reach(Index p, Index q) const { return ways.inflation[p] + ways.inflation[q]; }

  SINEW_HD bool meets_triangle(Index p, Index triangle) const {
    const Index* v = features.corner.data + 3 * static_cast<std::size_t>(triangle);
    if (p == v[0] || p == v[1] || p == v[2]) return false;
    if (!(features.movable[p] | features.movable[v[0]] | features.movable[v[1]] | features.movable[v[2]]))
      return false;
    if (!ways.point[p].overlaps(ways.triangle[triangle])) return false;
    const Vec3d x = ways.start[p], a = ways.start[v[0]], b = ways.start[v[1]], c = ways.start[v[2]];
    const Vec3d apart = x - triangle_point(closest_on_triangle(x, a, b, c), a, b, c);
    double motion = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double m = squared_norm(move(v[k]) - move(p));
      if (m > motion) motion = m;
    }
    return comes_near(apart, reach(p, v[0]), motion, largest(x) + largest(a) + largest(b) + largest(c));
  }

  SINEW_HD bool meet(Index edge, Index other) const {
    const Index* e = features.edge_point.data + 2 * static_cast<std::size_t>(edge);
    const Index* f = features.edge_point.data + 2 * static_cast<std::size_t>(other);
    if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) return false;
    if (!(features.movable[e[0]] | features.movable[e[1]] | features.movable[f[0]] | features.movable[f[1]]))
      return false;
    if (!ways.edge[edge].overlaps(ways.edge[other])) return false;
    const Vec3d p = ways.start[e[0]], q = ways.start[e[1]], r = ways.start[f[0]], s = ways.start[f[1]];
    const SegmentPoints<double> c = closest_on_segments(p, q, r, s);
    const Vec3d apart = p + c.s * (q - p) - r - c.t * (s - r);
    double motion = 0.0;
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k) {
        const double m = squared_norm(move(e[i]) - move(f[k]));
        if (m > motion) motion = m;
      }
    return comes_near(apart, reach(e[0], f[0]), motion, largest(p) + largest(q) + largest(r) + largest(s));
  }

  template <class Visit>
  SINEW_HD void points(Index own, Index triangle, Visit&& visit) const {
    for (Index k = features.point_start[own]; k < features.point_start[own + 1]; ++k) {
      const Index p = features.own_point[k];
      if (meets_triangle(p, triangle)) visit(FeaturePair{p, triangle});
    }
  }

  template <class Visit>
  SINEW_HD void visit(const BoxPair& pair, Visit&& visit) const {
    const Index f = pair.query, g = pair.item;
    if (!features.bare[g]) points(f, g, visit);
    if (!features.bare[f]) points(g, f, visit);
    for (Index k = features.edge_start[f]; k < features.edge_start[f + 1]; ++k) {
      const Index d = features.own_edge[k];
      if (!ways.edge[d].overlaps(ways.triangle[g])) continue;
      for (Index m = features.edge_start[g]; m < features.edge_start[g + 1]; ++m) {
        const Index e = features.own_edge[m];
        if (meet(d, e)) visit(FeaturePair{-1 - d, e});
      }
    }
  }
};

struct CountFeaturesKernel {
  FeatureChooser chooser;
  View<const BoxPair> pair;
  const std::uint32_t* total;
  std::uint32_t* count;
  double* number;  ///< may be null
  SINEW_HD void operator()(std::size_t i) const {
    std::uint32_t sum = 0;
    if (*total <= pair.size && i < *total) chooser.visit(pair[i], [&](const FeaturePair&) { ++sum; });
    count[i] = sum;
    if (number) number[i] = sum;
  }
};

struct ListFeaturesKernel {
  FeatureChooser chooser;
  View<const BoxPair> pair;
  const std::uint32_t* total;
  const std::uint32_t* start;
  View<FeaturePair> feature;
  SINEW_HD void operator()(std::size_t i) const {
    const std::size_t begin = start[i], end = start[i + 1];
    if (*total > pair.size || i >= *total || end > feature.size || begin >= end) return;
    std::size_t at = begin;
    chooser.visit(pair[i], [&](const FeaturePair& f) { feature[at++] = f; });
  }
};

namespace op {

template <class Queue>
void count_features(Queue& queue, const FeatureView& features, const FeatureWays& ways,
                    View<const BoxPair> pair, View<const std::uint32_t> total, View<std::uint32_t> count,
                    View<double> number) {
  queue.for_each(pair.size, CountFeaturesKernel{{features, ways}, pair, total.data, count.data, number.data});
}

template <class Queue>
void list_features(Queue& queue, const FeatureView& features, const FeatureWays& ways,
                   View<const BoxPair> pair, View<const std::uint32_t> total, View<const std::uint32_t> start,
                   View<FeaturePair> feature) {
  queue.for_each(pair.size, ListFeaturesKernel{{features, ways}, pair, total.data, start.data, feature});
}

}  // namespace op

}  // namespace sinew
