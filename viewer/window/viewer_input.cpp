// What mouse and keys do in the window.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include "viewer/window/viewer_app.hpp"

namespace sinew::viewer {

namespace {

constexpr double kSpeeds[] = {0.1, 0.25, 0.5, 1.0, 0.0};  // the last: unlimited
constexpr double kMark = 12.0;                            // [window unit] within which a contact is picked
constexpr ImGuiPopupFlags kAnyPopup = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;

bool inside(const Area& area, double x, double y) {
  return x >= area.left && y >= area.top && x < area.left + area.width && y < area.top + area.height;
}

}  // namespace

void ViewerApp::follow_inspected() {
  if (!view_.inspected) return;
  Inspected& picked = *view_.inspected;
  if (!picked.contact) {
    const auto point = static_cast<std::size_t>(picked.surface_point);
    if (picked.body < state_->points.size() && point < state_->points[picked.body].size())
      picked.position = state_->points[picked.body][point];
    else
      view_.inspected.reset();
    return;
  }
  if (const ContactForce* nearest = nearest_contact(*state_, picked.position))
    picked.position = nearest->position;
}

void ViewerApp::inspect(double x, double y) {
  view_.inspected.reset();
  if (!state_) return;
  const ScreenMap map = screen();
  if (view_.contacts || view_.normals) {
    double nearest = kMark;
    for (const ContactForce& c : state_->contacts) {
      const auto seen = map.project(c.position);
      const double away = seen ? std::hypot((*seen)[0] - x, (*seen)[1] - y) : nearest;
      if (away >= nearest) continue;
      nearest = away;
      view_.inspected = Inspected{static_cast<std::size_t>(c.body), c.surface_point, c.position, true};
    }
    if (view_.inspected) return;
  }
  const std::optional<Touch> found = touch(*state_, view_, map.ray(x, y));
  if (!found || !found->body_point) return;
  const Triangle& corners = state_->scene->model.surface_triangles(
      found->body)[static_cast<std::size_t>(found->body_point->triangle)];
  Index nearest = corners[0];
  const std::vector<Vec3d>& points = state_->points[found->body];
  for (const Index corner : corners)
    if (norm(points[static_cast<std::size_t>(corner)] - found->position) <
        norm(points[static_cast<std::size_t>(nearest)] - found->position))
      nearest = corner;
  view_.inspected = Inspected{found->body, nearest, points[static_cast<std::size_t>(nearest)], false};
}

void ViewerApp::handle_press(const InputEvent& event) {
  const Area area = panels_.area();
  if (!state_ || !inside(area, event.x, event.y)) return;
  // What Dear ImGui says is about where the cursor is by now.
  if (ImGui::GetIO().WantCaptureMouse && inside(area, ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y))
    return;
  const double x = event.x - area.left, y = event.y - area.top;
  if (event.button == GLFW_MOUSE_BUTTON_MIDDLE) {
    panning_ = true;
  } else if (event.button == GLFW_MOUSE_BUTTON_RIGHT) {
    orbiting_ = true;
  } else if (event.button == GLFW_MOUSE_BUTTON_LEFT) {
    if (event.mods & GLFW_MOD_ALT)
      inspect(x, y);
    else if (status_.replaying ||
             !hand_.press(*state_, view_, screen(), x, y, event.mods & GLFW_MOD_CONTROL, event.arrived))
      orbiting_ = true;
  }
}

void ViewerApp::handle(const InputEvent& event) {
  const Area area = panels_.area();
  const double x = event.x - area.left, y = event.y - area.top;
  switch (event.kind) {
    case InputEvent::Kind::press:
      handle_press(event);
      break;
    case InputEvent::Kind::release:
      if (event.button == GLFW_MOUSE_BUTTON_LEFT && hand_.holds() != Hand::Holds::nothing)
        hand_.release(event.mods & GLFW_MOD_SHIFT, event.arrived);
      else if (event.button != GLFW_MOUSE_BUTTON_MIDDLE)
        orbiting_ = false;
      if (event.button == GLFW_MOUSE_BUTTON_MIDDLE) panning_ = false;
      break;
    case InputEvent::Kind::move:
      if (orbiting_) camera_.orbit(event.x - last_x_, event.y - last_y_, area.height);
      if (panning_) camera_.pan(event.x - last_x_, event.y - last_y_, area.height);
      hand_.move(screen(), x, y);
      break;
    case InputEvent::Kind::wheel:
      if (hand_.holds() != Hand::Holds::nothing)
        hand_.change_depth(screen(), event.wheel);
      else if (!ImGui::GetIO().WantCaptureMouse)
        camera_.zoom(event.wheel, x, y, area.width, area.height);
      break;
    case InputEvent::Kind::key:
      if (ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen("", kAnyPopup)) break;
      if (!event.repeated || event.key == GLFW_KEY_PERIOD) handle_key(event);
      break;
    case InputEvent::Kind::drop:
      if (!event.paths.empty()) {
        const std::string& path = event.paths.front();
        if (std::filesystem::path(path).extension() == ".sinewlog")
          key_wishes_.replay = path;
        else
          key_wishes_.open = path;
      }
      break;
  }
  last_x_ = event.x;
  last_y_ = event.y;
}

double ViewerApp::slower_or_faster(bool faster) const {
  const auto place = std::find(std::begin(kSpeeds), std::end(kSpeeds), status_.speed);
  const auto index = place == std::end(kSpeeds) ? 3 : place - std::begin(kSpeeds);
  const auto last = static_cast<std::ptrdiff_t>(std::size(kSpeeds)) - 1;
  return kSpeeds[std::clamp<std::ptrdiff_t>(index + (faster ? 1 : -1), 0, last)];
}

void ViewerApp::handle_key(const InputEvent& event) {
  if (event.mods & GLFW_MOD_CONTROL) {
    if (event.key == GLFW_KEY_O) panels_.ask_for_file();
    if (event.key == GLFW_KEY_R) session_.reload();
    if (event.key == GLFW_KEY_S && state_) panels_.ask_for_scene_name(*state_);
    if (event.key == GLFW_KEY_Q) window_.close();
    return;
  }
  constexpr StandardView kViews[] = {StandardView::front, StandardView::back, StandardView::left,
                                     StandardView::right, StandardView::top,  StandardView::bottom,
                                     StandardView::iso};
  if (event.key >= GLFW_KEY_1 && event.key <= GLFW_KEY_7) key_wishes_.view = kViews[event.key - GLFW_KEY_1];
  switch (event.key) {
    case GLFW_KEY_SPACE:
      if (status_.playing)
        session_.pause();
      else
        session_.play();
      break;
    case GLFW_KEY_PERIOD:
      session_.step();
      break;
    case GLFW_KEY_R:
      session_.reset();
      break;
    case GLFW_KEY_LEFT_BRACKET:
    case GLFW_KEY_RIGHT_BRACKET:
      session_.set_speed(slower_or_faster(event.key == GLFW_KEY_RIGHT_BRACKET));
      break;
    case GLFW_KEY_BACKSPACE:
      hand_.unpin_all();
      break;
    case GLFW_KEY_F:
      key_wishes_.frame_all = true;
      break;
    case GLFW_KEY_C:
      view_.contacts = !view_.contacts;
      break;
    case GLFW_KEY_N:
      view_.normals = !view_.normals;
      break;
    case GLFW_KEY_W:
      view_.wireframe = !view_.wireframe;
      break;
    case GLFW_KEY_X:
      view_.cut = !view_.cut;
      break;
    case GLFW_KEY_M: {
      const ShownQuantity* shown = find_quantity(view_.color_by);
      const ShownQuantity* next = shown ? shown + 1 : kQuantities.data();
      view_.color_by.reset();
      if (next != kQuantities.data() + kQuantities.size()) view_.color_by = next->quantity;
      break;
    }
    case GLFW_KEY_I:
      inspect(event.x - panels_.area().left, event.y - panels_.area().top);
      break;
    case GLFW_KEY_P:
      key_wishes_.screenshot = "";
      break;
    case GLFW_KEY_TAB:
      view_.show_panels = !view_.show_panels;
      break;
    case GLFW_KEY_F1:
      view_.show_help = !view_.show_help;
      break;
    case GLFW_KEY_ESCAPE:
      view_.show_help = false;
      view_.inspected.reset();
      break;
    default:
      break;
  }
}

}  // namespace sinew::viewer
