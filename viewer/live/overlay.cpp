// Strokes are widened in pixels after the projection; w is kept, so that depth stays right along them.
#include "viewer/live/overlay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "viewer/live/color_map.hpp"
#include "viewer/live/screen.hpp"
#include "viewer/matrices.hpp"

namespace sinew::viewer {
namespace {

using Clip = std::array<double, 4>;
using Flat = std::array<double, 2>;

class Strokes {
 public:
  Strokes(const View& view, int width, int height, std::vector<OverlayVertex>& out)
      : matrix_(clip_matrix(view, double(width) / height)),
        target_(view.target),
        near_(0.02 * norm(view.eye - view.target)),
        pixel_(ScreenMap(view, width, height).meters_per_pixel(view.target) / norm(view.eye - view.target)),
        half_{0.5 * width, 0.5 * height},
        out_(out) {}

  void line(const Vec3d& a, const Vec3d& b, const Vec3d& color, double width) {
    lift(0.5 * width);
    if (const auto ends = seen(a, b)) shaft(ends->first, ends->second, display_color(color), 0.5 * width);
  }

  void arrow(const LiveArrow& arrow) {
    lift(arrow.width_px);
    const auto ends = seen(arrow.from, arrow.from + arrow.vector);
    if (!ends) return;
    const auto& [tail, tip] = *ends;
    const Flat p = pixel(tail), q = pixel(tip);
    const double length = std::hypot(q[0] - p[0], q[1] - p[1]);
    if (!(length > 0.5)) return;
    const Vec3d color = display_color(arrow.color);
    const double head = std::min(4.2 * arrow.width_px, 0.6 * length), aside = 0.42 * head;
    const double share = 1.0 - head / length;  // of the way in pixels -> in clip coordinates
    const double s = share * tail[3] / (share * tail[3] + (1.0 - share) * tip[3]);
    Clip neck{};
    for (std::size_t k = 0; k < 4; ++k) neck[k] = (1.0 - s) * tail[k] + s * tip[k];
    shaft(tail, neck, color, 0.5 * std::min(arrow.width_px, 1.2 * aside));
    const Flat along{(q[0] - p[0]) / length, (q[1] - p[1]) / length}, across{-along[1], along[0]};
    // Straight sides, their distances as places in the stroke would round them: full inside.
    vertex(moved(neck, across, aside), color, {0, 0, 1, 0});
    vertex(moved(neck, across, -aside), color, {0, 0, 1, 0});
    vertex(tip, color, {0, 0, 1, 0});
  }

  void point(const LivePoint& point) {
    lift(0.75 * point.size_px);
    const Clip c = clip(point.x);
    if (!(c[3] > near_)) return;
    const double radius = 0.5 * point.size_px, reach = radius + 1.0;
    const Vec3d color = display_color(point.color);
    const auto corner = [&](double x, double y) {
      vertex(moved(moved(c, {1, 0}, reach * x), {0, 1}, reach * y), color,
             {reach * x, reach * y, radius, std::clamp(0.6 * (radius - 3.0), 0.0, 1.5)});
    };
    corner(-1, -1), corner(1, -1), corner(1, 1);
    corner(-1, -1), corner(1, 1), corner(-1, 1);
  }

 private:
  /// Moves what follows towards the eye by the size that pixels have at its depth: a disc on a round surface
  /// shall not sink into it. In clip space that is a constant: depth is -2 near / w there, up to a constant.
  void lift(double pixels) { lift_ = 2.0 * near_ * std::min(pixels * pixel_, 0.5); }

  Clip clip(const Vec3d& x) const {
    const Vec3d d = x - target_;
    Clip c{};
    for (std::size_t r = 0; r < 4; ++r)
      c[r] = matrix_[4 * r] * d.x + matrix_[4 * r + 1] * d.y + matrix_[4 * r + 2] * d.z + matrix_[4 * r + 3];
    c[2] -= lift_;
    return c;
  }
  Flat pixel(const Clip& c) const { return {half_[0] * c[0] / c[3], half_[1] * c[1] / c[3]}; }

  /// The part of a segment in front of the eye.
  std::optional<std::pair<Clip, Clip>> seen(const Vec3d& a, const Vec3d& b) const {
    if (!is_finite(a) || !is_finite(b)) return std::nullopt;
    Clip p = clip(a), q = clip(b);
    if (!(p[3] > near_) && !(q[3] > near_)) return std::nullopt;
    const auto shorten = [&](Clip& back, const Clip& front) {
      const double s = (near_ - back[3]) / (front[3] - back[3]);
      for (std::size_t k = 0; k < 4; ++k) back[k] += s * (front[k] - back[k]);
    };
    if (p[3] < near_) shorten(p, q);
    if (q[3] < near_) shorten(q, p);
    return std::pair{p, q};
  }

  Clip moved(Clip c, const Flat& direction, double pixels) const {
    c[0] += pixels * direction[0] / half_[0] * c[3];
    c[1] += pixels * direction[1] / half_[1] * c[3];
    return c;
  }

  void vertex(const Clip& c, const Vec3d& color, const std::array<double, 4>& shape) {
    out_.push_back({{float(c[0]), float(c[1]), float(c[2]), float(c[3])},
                    {float(color.x), float(color.y), float(color.z)},
                    {float(shape[0]), float(shape[1]), float(shape[2]), float(shape[3])}});
  }

  void shaft(const Clip& a, const Clip& b, const Vec3d& color, double radius) {
    const Flat p = pixel(a), q = pixel(b);
    const double length = std::hypot(q[0] - p[0], q[1] - p[1]);
    const Flat along = length > 1e-9 ? Flat{(q[0] - p[0]) / length, (q[1] - p[1]) / length} : Flat{1, 0};
    const Flat across{-along[1], along[0]};
    const double reach = radius + 1.0;  // the border fades over a pixel
    struct Section {
      Clip at;
      double beyond;  // [pixel] past the end
    };
    const Section sections[4] = {
        {moved(a, along, -reach), -reach}, {a, 0}, {b, 0}, {moved(b, along, reach), reach}};
    for (int i = 0; i < 3; ++i) {
      const auto corner = [&](const Section& section, double side) {
        vertex(moved(section.at, across, side * reach), color, {side * reach, section.beyond, radius, 0});
      };
      corner(sections[i], -1), corner(sections[i], 1), corner(sections[i + 1], 1);
      corner(sections[i], -1), corner(sections[i + 1], 1), corner(sections[i + 1], -1);
    }
  }

  std::array<float, 16> matrix_;
  Vec3d target_;
  double near_;
  double pixel_;  ///< size of a pixel at distance 1
  double lift_ = 0.0;
  Flat half_;
  std::vector<OverlayVertex>& out_;
};

}  // namespace

std::vector<OverlayVertex> overlay_triangles(const LiveFrame& frame, const View& view, int width,
                                             int height) {
  std::vector<OverlayVertex> triangles;
  Strokes strokes(view, width, height, triangles);
  for (const LiveLine& line : frame.lines) strokes.line(line.a, line.b, line.color, line.width_px);
  for (const LiveArrow& arrow : frame.arrows) strokes.arrow(arrow);
  for (const LivePoint& point : frame.points)
    if (is_finite(point.x)) strokes.point(point);
  return triangles;
}

}  // namespace sinew::viewer
