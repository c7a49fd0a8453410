#include "viewer/session/view_writer.hpp"

#include <algorithm>
#include <utility>

namespace sinew::viewer {

namespace {
GrabView grab_view(const LiveSimulation& live, int number, const Grab& grab,
                   const std::vector<std::vector<Vec3d>>& points) {
  const Model& model = live.scene().model;
  GrabView view;
  view.number = number;
  view.body = model.body_index(grab.point.body);
  view.point = place_of(grab.point, model.surface_triangles(view.body), points[view.body]);
  view.target = grab.target;
  view.compliance = grab.compliance;
  for (const HandleForce& force : live.simulation().handle_forces(grab.id)) view.force += force.force;
  return view;
}
}  // namespace

Vec3d place_of(const BodyPoint& point, const std::vector<Triangle>& triangles,
               const std::vector<Vec3d>& surface_points) {
  const auto at = [&](Index i) { return surface_points[static_cast<std::size_t>(i)]; };
  if (point.triangle >= 0) {
    const Triangle& triangle = triangles[static_cast<std::size_t>(point.triangle)];
    return point.barycentric.x * at(triangle[0]) + point.barycentric.y * at(triangle[1]) +
           point.barycentric.z * at(triangle[2]);
  }
  if (point.surface_point >= 0) return at(point.surface_point);
  return point.nearest_to.value_or(Vec3d{});
}

std::shared_ptr<const SceneView> scene_view(const LiveSimulation& live, std::uint64_t generation) {
  const Scene& scene = live.scene();
  const auto view = std::make_shared<SceneView>();
  view->path = scene.path;
  view->name = scene.name;
  view->model = scene.model;
  view->settings = scene.settings;
  view->output = scene.output;
  view->tree = live.tree();
  view->overrides = live.overrides();
  view->warnings = scene.warnings;
  const std::vector<std::string>& more = live.simulation().warnings();
  view->warnings.insert(view->warnings.end(), more.begin(), more.end());
  view->generation = generation;
  view->sizes = live.simulation().sizes();
  view->backend = live.simulation().backend_name();
  return view;
}

void write_view(const LiveSimulation& live, std::shared_ptr<const SceneView> scene, const Wants& wants,
                ViewState& state) {
  const Simulation& simulation = live.simulation();
  const Model& model = live.scene().model;
  state.scene = std::move(scene);
  state.frame = simulation.frame();
  state.steps = live.steps();
  state.time = simulation.time();
  state.statistics = simulation.statistics();
  const std::size_t bodies = model.body_count();
  state.points.resize(bodies);
  state.nodes.resize(wants.nodes ? bodies : 0);
  state.values.resize(wants.values ? bodies : 0);
  state.node_values.resize(wants.values && wants.nodes ? bodies : 0);
  state.quantity = wants.values;
  state.center_of_mass.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b) {
    state.points[b] = simulation.surface_points(b);
    state.center_of_mass[b] = simulation.center_of_mass(b);
    if (wants.nodes) state.nodes[b] = simulation.positions(b);
    if (wants.values) state.values[b] = simulation.surface_values(b, *wants.values);
    if (wants.values && wants.nodes) state.node_values[b] = simulation.node_values(b, *wants.values);
  }
  const std::size_t obstacles = model.obstacle_count();
  state.obstacle_pose.resize(obstacles);
  state.obstacle_wrench.resize(obstacles);
  for (std::size_t o = 0; o < obstacles; ++o) {
    state.obstacle_pose[o] = simulation.obstacle_pose(o);
    state.obstacle_wrench[o] = simulation.obstacle_wrench(o);
  }
  state.contacts = simulation.contact_forces();
  state.grabs.clear();
  for (const auto& [number, grab] : live.grabs())
    state.grabs.push_back(grab_view(live, number, grab, state.points));
}

}  // namespace sinew::viewer
