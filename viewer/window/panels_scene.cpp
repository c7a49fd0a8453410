// Bodies, obstacles and settings of the scene: controls come from the table of scene keys.
#include <fmt/format.h>
#include <imgui.h>

#include "viewer/window/panels.hpp"

namespace sinew::viewer {

namespace {

const ObjectType& type_of(const char* key) {
  return *scene_type().find(key)->forms.front().object;
}

const JsonNode* entry(const JsonNode& tree, const char* list, std::size_t index) {
  const JsonNode* found = tree.find(list);
  return found && index < found->items.size() ? &found->items[index] : nullptr;
}

void shown_box(std::vector<char>& hidden, std::size_t index, std::size_t count) {
  hidden.resize(count, 0);
  bool visible = !hidden[index];
  if (ImGui::Checkbox("##visible", &visible)) hidden[index] = !visible;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("shown");
  ImGui::SameLine();
}

}  // namespace

void Panels::draw_bodies(const PanelInput& input, ViewOptions& options) {
  if (!input.state || !ImGui::CollapsingHeader("Bodies", ImGuiTreeNodeFlags_DefaultOpen)) return;
  const SceneView& scene = *input.state->scene;
  for (std::size_t b = 0; b < scene.model.body_count(); ++b) {
    ImGui::PushID(static_cast<int>(b));
    shown_box(options.body_hidden, b, scene.model.body_count());
    const bool open = ImGui::TreeNode(scene.model.body(b).name.c_str());
    note_place(form_.places(), fmt::format("bodies.{}", b), true);
    if (open) {
      ImGui::TextDisabled("%.4g kg, %zu nodes, %zu elements", scene.model.body_mass(b),
                          scene.model.body(b).nodes().size(),
                          scene.model.body(b).sheet ? scene.model.body(b).sheet->mesh.triangles.size()
                                                    : scene.model.body(b).mesh.tets.size());
      apply(input,
            form_.draw(type_of("bodies"), entry(scene.tree, "bodies", b), fmt::format("bodies.{}", b)));
      ImGui::TreePop();
    }
    ImGui::PopID();
  }
}

void Panels::draw_obstacles(const PanelInput& input, ViewOptions& options) {
  if (!input.state || input.state->obstacle_pose.empty()) return;
  if (!ImGui::CollapsingHeader("Obstacles", ImGuiTreeNodeFlags_DefaultOpen)) return;
  const SceneView& scene = *input.state->scene;
  const std::size_t count = scene.model.obstacle_count();
  for (std::size_t o = 0; o < count; ++o) {
    ImGui::PushID(static_cast<int>(o));
    shown_box(options.obstacle_hidden, o, count);
    const ObstacleSpec& spec = scene.model.obstacle(o);
    const Wrench& wrench = input.state->obstacle_wrench[o];
    const bool open =
        ImGui::TreeNode("##obstacle", "%s%s", spec.name.c_str(), spec.movable ? " (movable)" : "");
    note_place(form_.places(), fmt::format("obstacles.{}", o), true);
    ImGui::SameLine();
    ImGui::TextDisabled("%s", force_text(norm(wrench.force)).c_str());
    if (open) {
      ImGui::Text("force  (%.4g, %.4g, %.4g) N", wrench.force.x, wrench.force.y, wrench.force.z);
      ImGui::Text("torque (%.4g, %.4g, %.4g) Nm", wrench.torque.x, wrench.torque.y, wrench.torque.z);
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("on the obstacle, about its origin");
      apply(input, form_.draw(type_of("obstacles"), entry(scene.tree, "obstacles", o),
                              fmt::format("obstacles.{}", o)));
      ImGui::TreePop();
    }
    ImGui::PopID();
  }
}

void Panels::draw_scene_settings(const PanelInput& input) {
  if (!input.state) return;
  const JsonNode& tree = input.state->scene->tree;
  if (ImGui::CollapsingHeader("Simulation"))
    apply(input, form_.draw(type_of("simulation"), tree.find("simulation"), "simulation"));
  if (ImGui::CollapsingHeader("Solver"))
    apply(input, form_.draw(type_of("solver"), tree.find("solver"), "solver"));
  if (input.status->scene_changed) {
    ImGui::Separator();
    if (ImGui::Button("Back to the file's values")) input.session->revert_parameters();
  }
  for (const std::string& warning : input.state->scene->warnings)
    ImGui::TextWrapped("Note: %s", warning.c_str());
}

}  // namespace sinew::viewer
