#include "viewer/window/cut.hpp"

#include <algorithm>
#include <limits>

namespace sinew::viewer {

namespace {

void extend(Bounds& bounds, const Vec3d& x) {
  bounds.min = {std::min(bounds.min.x, x.x), std::min(bounds.min.y, x.y), std::min(bounds.min.z, x.z)};
  bounds.max = {std::max(bounds.max.x, x.x), std::max(bounds.max.y, x.y), std::max(bounds.max.z, x.z)};
}

}  // namespace

double Bounds::size() const {
  return norm(max - min);
}

Bounds body_bounds(const ViewState& state, const ViewOptions& options) {
  constexpr double far = std::numeric_limits<double>::infinity();
  for (const bool with_hidden : {false, true}) {
    Bounds bounds{{far, far, far}, {-far, -far, -far}};
    for (std::size_t b = 0; b < state.points.size(); ++b)
      if (with_hidden || !options.hidden_body(b))
        for (const Vec3d& x : state.points[b]) extend(bounds, x);
    if (bounds.min.x <= bounds.max.x) return bounds;
  }
  return {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
}

std::optional<CutPlane> cut_plane(const ViewState& state, const ViewOptions& options) {
  if (!options.cut) return std::nullopt;
  const Bounds bounds = body_bounds(state, options);
  const auto along = [&](const Vec3d& x) {
    return options.cut_axis == 0 ? x.x : options.cut_axis == 1 ? x.y : x.z;
  };
  const double place = along(bounds.min) + options.cut_place * (along(bounds.max) - along(bounds.min));
  const Vec3d axis{options.cut_axis == 0 ? 1.0 : 0.0, options.cut_axis == 1 ? 1.0 : 0.0,
                   options.cut_axis == 2 ? 1.0 : 0.0};
  return CutPlane{place * axis, options.cut_flip ? -axis : axis};
}

}  // namespace sinew::viewer
