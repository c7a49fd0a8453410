// Fans of faces around a point, parted by creases.
#include "viewer/live/smooth_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "viewer/render_geometry.hpp"

namespace sinew::viewer {
namespace {

constexpr float kGrey = -1.0f;            // value that is not finite
constexpr double kFarthest = 1e12;        // [m] that float arithmetic bears
constexpr std::size_t kLargestStar = 64;  // faces at a point that are looked at for creases

/// Corners (3 * triangle + corner) around each point, in the order of triangles.
struct Stars {
  std::vector<std::uint32_t> start, corner;
};

Stars stars_of(std::size_t points, const std::vector<Triangle>& triangles) {
  Stars stars;
  stars.start.assign(points + 1, 0);
  for (const Triangle& t : triangles)
    for (const Index i : t) ++stars.start[std::size_t(i) + 1];
  for (std::size_t p = 0; p < points; ++p) stars.start[p + 1] += stars.start[p];
  stars.corner.resize(3 * triangles.size());
  std::vector<std::uint32_t> fill(stars.start.begin(), stars.start.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      stars.corner[fill[std::size_t(triangles[t][k])]++] = std::uint32_t(3 * t + k);
  return stars;
}

/// True where two triangles share a further point besides p.
bool share_edge(const Triangle& a, const Triangle& b, Index p) {
  for (const Index i : a)
    if (i != p && (i == b[0] || i == b[1] || i == b[2])) return true;
  return false;
}

}  // namespace

SmoothSurface smooth_surface(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
  std::vector<Triangle> sound;
  std::vector<Vec3d> normal;  // zero where degenerate: no crease to it
  for (const Triangle& t : triangles) {
    const auto [low, high] = std::minmax({t[0], t[1], t[2]});
    if (low < 0 || std::size_t(high) >= points.size()) continue;
    const Vec3d &a = points[std::size_t(t[0])], &b = points[std::size_t(t[1])],
                &c = points[std::size_t(t[2])];
    const Vec3d n = normalized(cross(b - a, c - a));
    sound.push_back(t);
    normal.push_back(is_finite(n) ? n : Vec3d{});
  }

  SmoothSurface surface;
  surface.indices.resize(3 * sound.size());
  const Stars stars = stars_of(points.size(), sound);
  const double cos_crease = std::cos(kCreaseAngleDeg * std::numbers::pi / 180.0);
  std::vector<std::size_t> fan;  // of each corner of a star
  for (std::size_t p = 0; p < points.size(); ++p) {
    const std::uint32_t* corner = stars.corner.data() + stars.start[p];
    const std::size_t count = stars.start[p + 1] - stars.start[p];
    fan.resize(count);
    for (std::size_t i = 0; i < count; ++i) fan[i] = count > kLargestStar ? 0 : i;
    for (std::size_t i = 0; i < count && count <= kLargestStar; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const std::size_t s = corner[i] / 3, t = corner[j] / 3;
        if (fan[i] == fan[j] || !share_edge(sound[s], sound[t], Index(p))) continue;
        const bool degenerate = normal[s] == Vec3d{} || normal[t] == Vec3d{};
        if (!degenerate && dot(normal[s], normal[t]) < cos_crease) continue;
        const auto [kept, merged] = std::minmax(fan[i], fan[j]);
        std::replace(fan.begin(), fan.end(), std::size_t(merged), std::size_t(kept));
      }
    for (std::size_t i = 0; i < count; ++i) {
      if (fan[i] == i) {  // the first corner of its fan
        surface.indices[corner[i]] = std::uint32_t(surface.point.size());
        surface.point.push_back(std::uint32_t(p));
      } else {
        surface.indices[corner[i]] = surface.indices[corner[fan[i]]];
      }
    }
  }

  // Each edge once, whatever fans its ends belong to.
  std::vector<std::size_t> order(3 * sound.size());
  for (std::size_t e = 0; e < order.size(); ++e) order[e] = e;
  const auto ends = [&](std::size_t e) {
    const Triangle& t = sound[e / 3];
    const Index a = t[e % 3], b = t[(e + 1) % 3];
    return std::array{std::min(a, b), std::max(a, b)};
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ends(a) < ends(b); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && ends(order[i]) == ends(order[i - 1])) continue;
    const std::size_t t = order[i] / 3, k = order[i] % 3;
    surface.edges.push_back(surface.indices[3 * t + k]);
    surface.edges.push_back(surface.indices[3 * t + (k + 1) % 3]);
    const auto [a, b] = ends(order[i]);
    const double length = norm(points[std::size_t(b)] - points[std::size_t(a)]);
    if (std::isfinite(length)) surface.mean_edge += length;
  }
  if (!surface.edges.empty()) surface.mean_edge /= 0.5 * double(surface.edges.size());
  return surface;
}

float ValueRange::place(double value) const {
  const double t = max > min ? (value - min) / (max - min) : 0.0;
  return std::isfinite(t) ? float(std::clamp(t, 0.0, 1.0)) : kGrey;
}

void stream(const SmoothSurface& surface, const std::vector<Vec3d>& points, const Vec3d& origin,
            const std::vector<double>* values, const ValueRange& range, std::vector<StreamVertex>& out) {
  out.resize(surface.point.size());
  for (std::size_t v = 0; v < out.size(); ++v) {
    const std::size_t p = surface.point[v];
    Vec3d x = points[p] - origin;
    if (!(std::abs(x.x) < kFarthest && std::abs(x.y) < kFarthest && std::abs(x.z) < kFarthest)) x = {};
    out[v] = {{float(x.x), float(x.y), float(x.z)},
              {0.0f, 0.0f, 0.0f},
              values && p < values->size() ? range.place((*values)[p]) : 0.0f};
  }
  // Differences of doubles, so that fine meshes far from the origin stay smooth.
  for (std::size_t t = 0; t + 2 < surface.indices.size(); t += 3) {
    const std::uint32_t i = surface.indices[t], j = surface.indices[t + 1], k = surface.indices[t + 2];
    const Vec3d& a = points[surface.point[i]];
    const Vec3d n = cross(points[surface.point[j]] - a, points[surface.point[k]] - a);
    for (const std::uint32_t v : {i, j, k})
      for (int c = 0; c < 3; ++c) out[v].normal[c] += float(n[c]);
  }
  for (StreamVertex& v : out) {
    double length2 = 0.0;
    for (const float c : v.normal) length2 += double(c) * double(c);
    const float scale = length2 > 0.0 && std::isfinite(length2) ? float(1.0 / std::sqrt(length2)) : 0.0f;
    for (float& c : v.normal) c = scale > 0.0f ? scale * c : 0.0f;
  }
}

}  // namespace sinew::viewer
