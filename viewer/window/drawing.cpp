#include "viewer/window/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "viewer/palette.hpp"

namespace sinew::viewer {

namespace {

constexpr Vec3d kStick{0.10, 0.60, 0.25}, kSlip{0.95, 0.45, 0.05}, kNormal{0.45, 0.45, 0.85};
constexpr Vec3d kGrab{0.95, 0.80, 0.10}, kPinned{0.25, 0.55, 0.95}, kCenter{0.9, 0.1, 0.4};
constexpr Vec3d kPicked{1.0, 1.0, 1.0};

void add_contacts(const ViewState& state, const ViewOptions& options, double arrow_length, LiveFrame& frame) {
  const double normal_length = 0.03 * body_bounds(state, options).size();
  for (const ContactForce& c : state.contacts) {
    if (options.hidden_body(static_cast<std::size_t>(c.body))) continue;
    if (options.normals)
      frame.lines.push_back({c.position, c.position + normal_length * c.normal, kNormal, 1.5});
    if (!options.contacts || c.state == ContactState::open) continue;
    const Vec3d color = c.state == ContactState::stick ? kStick : kSlip;
    const Vec3d force = c.normal_force * c.normal + c.tangential_force;
    frame.arrows.push_back({c.position, arrow_length * force, color, 2.5});
    frame.points.push_back({c.position, color, 5.0});
  }
}

}  // namespace

ValueRange value_range(const ViewState& state, const ViewOptions& options) {
  ValueRange range{options.range_min, options.range_max};
  if (options.automatic_range) {
    range = {0.0, 0.0};
    for (std::size_t b = 0; b < state.values.size(); ++b)
      if (!options.hidden_body(b) && state.quantity == options.color_by)
        for (const double v : state.values[b]) range.max = std::max(range.max, v);
  }
  if (!(range.max > range.min)) range.max = range.min + std::max(1e-12, std::abs(range.min) * 1e-9);
  return range;
}

double arrow_length_per_newton(const ViewState& state, const ViewOptions& options) {
  double largest = 0.0;
  for (const ContactForce& c : state.contacts)
    largest = std::max(largest, norm(c.normal_force * c.normal + c.tangential_force));
  if (!(largest > 0.0)) return 0.0;
  return options.arrow_factor * body_bounds(state, options).size() / 6.0 / largest;
}

const ContactForce* nearest_contact(const ViewState& state, const Vec3d& x) {
  const ContactForce* nearest = nullptr;
  for (const ContactForce& c : state.contacts)
    if (!nearest || norm(c.position - x) < norm(nearest->position - x)) nearest = &c;
  return nearest;
}

const ShownQuantity* find_quantity(std::optional<SurfaceQuantity> quantity) {
  const auto found = std::find_if(kQuantities.begin(), kQuantities.end(),
                                  [&](const ShownQuantity& shown) { return shown.quantity == quantity; });
  return found == kQuantities.end() ? nullptr : &*found;
}

std::string force_text(double newton) {
  const double size = std::abs(newton);
  if (!std::isfinite(newton)) return "no number";
  if (size >= 1e3) return fmt::format("{:.3g} kN", newton * 1e-3);
  if (size >= 1.0 || size == 0.0) return fmt::format("{:.3g} N", newton);
  if (size >= 1e-3) return fmt::format("{:.3g} mN", newton * 1e3);
  return fmt::format("{:.3g} uN", newton * 1e6);
}

LiveFrame live_frame(const ViewState& state, const ViewOptions& options, const Hand& hand,
                     double arrow_length) {
  const Model& model = state.scene->model;
  LiveFrame frame;
  frame.wireframe = options.wireframe;
  frame.shadows = options.shadows;
  const ValueRange range = value_range(state, options);
  frame.value_min = range.min;
  frame.value_max = range.max;
  frame.cut = cut_plane(state, options);
  for (std::size_t b = 0; b < state.points.size(); ++b) {
    const BodySpec& spec = model.body(b);
    const Vec3d color = spec.color.value_or(body_color(b));
    const bool visible = !options.hidden_body(b);
    const bool tetrahedra = !spec.sheet && b < state.nodes.size();
    const bool colored = options.color_by && state.quantity == options.color_by && b < state.values.size();
    if (options.cut && tetrahedra && visible) {
      LiveCells cells;
      cells.nodes = &state.nodes[b];
      cells.tets = &spec.mesh.tets;
      cells.color = color;
      if (colored && b < state.node_values.size()) cells.values = &state.node_values[b];
      cells.whole = options.cut_whole;
      frame.cells.push_back(cells);
    }
    LiveSurface surface;
    surface.points = &state.points[b];
    surface.triangles = &model.surface_triangles(b);
    surface.color = color;
    if (colored) surface.values = &state.values[b];
    surface.visible = visible && !(options.cut && options.cut_whole && tetrahedra);
    surface.two_sided = spec.sheet.has_value();
    frame.surfaces.push_back(surface);
  }
  for (std::size_t o = 0; o < state.obstacle_pose.size(); ++o) {
    if (options.hidden_obstacle(o)) continue;
    const ObstacleSpec& spec = model.obstacle(o);
    const bool held = hand.holds() == Hand::Holds::obstacle && hand.obstacle() == o;
    frame.obstacles.push_back(
        {&spec.shape, state.obstacle_pose[o], spec.color.value_or(RenderObstacle{}.color), held});
  }
  add_contacts(state, options, arrow_length, frame);
  for (const GrabView& grab : state.grabs) {
    const Vec3d color = hand.is_pinned(grab.number) ? kPinned : kGrab;
    // In the hand: to where the hand is by now, which the next frames will follow.
    const bool held = hand.holds() == Hand::Holds::body && hand.grab() == grab.number;
    const Vec3d target = held ? hand.target() : grab.target;
    frame.lines.push_back({grab.point, target, color, 2.0});
    frame.points.push_back({grab.point, color, 7.0});
    frame.points.push_back({target, color, 11.0});
  }
  if (hand.holds() == Hand::Holds::obstacle && hand.obstacle() < state.obstacle_pose.size()) {
    const Vec3d origin = state.obstacle_pose[hand.obstacle()].translation;
    frame.lines.push_back({origin, hand.pose().translation, kGrab, 2.0});
    frame.points.push_back({hand.pose().translation, kGrab, 11.0});
  }
  if (options.centers)
    for (std::size_t b = 0; b < state.center_of_mass.size(); ++b)
      if (!options.hidden_body(b)) frame.points.push_back({state.center_of_mass[b], kCenter, 10.0});
  if (options.inspected) frame.points.push_back({options.inspected->position, kPicked, 9.0});
  return frame;
}

}  // namespace sinew::viewer
