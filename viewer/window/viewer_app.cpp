#include "viewer/window/viewer_app.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <sinew/errors.hpp>

#include "viewer/window/gui.hpp"

namespace sinew::viewer {

namespace {

constexpr double kPicture = 1.0 / 60.0;                   // [s] pictures come no faster
constexpr double kLongestPicture = 0.05;                  // [s] longer ones do not make the pauses longer
constexpr double kIdle = 0.05;                            // [s] between looks while nothing moves
constexpr double kSpeeds[] = {0.1, 0.25, 0.5, 1.0, 0.0};  // the last: unlimited
constexpr double kMark = 12.0;                            // [window unit] within which a contact is picked

/// Field of view [degree] that is so much wider in the plane of the picture.
double widened(double degrees, double factor) {
  const double half = 0.5 * degrees * std::numbers::pi / 180.0;
  return 2.0 * std::atan(factor * std::tan(half)) * 180.0 / std::numbers::pi;
}

constexpr ImGuiPopupFlags kAnyPopup = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;

bool inside(const Area& area, double x, double y) {
  return x >= area.left && y >= area.top && x < area.left + area.width && y < area.top + area.height;
}

std::optional<SurfaceQuantity> quantity_of(const std::string& name) {
  if (name == "stress") return SurfaceQuantity::von_mises_stress;
  if (name == "strain") return SurfaceQuantity::principal_strain;
  if (name == "speed") return SurfaceQuantity::speed;
  if (name == "displacement") return SurfaceQuantity::displacement;
  return std::nullopt;
}

}  // namespace

ViewerApp::Gui::Gui(Window& window) {
  gui::start(window.handle(), window.content_scale());
}
ViewerApp::Gui::~Gui() {
  gui::stop();
}

ViewerApp::ViewerApp(const ViewerOptions& options)
    : options_(options),
      window_(options.width, options.height, "Sinew"),
      gui_(window_),
      session_([&] {
        Session::Options session = options.session;
        if (!options.screenshot.empty()) {
          session.paused = true;
          session.watch = false;
        }
        return session;
      }()),
      renderer_(window_.gl()),
      hand_(session_) {
  if (!options.state_log.empty()) state_log_ = std::make_unique<StateLog>(options.state_log);
  view_.show_panels = options.panels;
  view_.contacts = options.contacts;
  view_.cut = options.cut;
  view_.color_by = quantity_of(options.color);
  if (!options.replay.empty())
    session_.replay(options.replay);
  else if (!options.scene.empty())
    session_.open(options.scene);
}

ViewerApp::~ViewerApp() = default;

ScreenMap ViewerApp::screen() const {
  const Area area = panels_.area();
  return ScreenMap(camera_.view(), area.width, area.height);
}

bool ViewerApp::still_waiting() const {
  if (options_.screenshot.empty() || written_) return false;
  if (!options_.replay.empty() && options_.frames == 0 && status_.replay_result.empty()) return true;
  return !state_ || state_->steps < options_.frames;
}

void ViewerApp::wait_for_picture() {
  const bool moving =
      status_.playing || status_.loading || hand_.holds() != Hand::Holds::nothing || still_waiting();
  // Where the processor draws, a third of its time is kept for the simulation; clicks and keys end the pause.
  const double pause = renderer_.is_software() ? std::max(kPicture, 1.5 * picture_seconds_) : kPicture;
  for (;;) {
    const double until = last_picture_ + (moving || window_.has_events() ? pause : std::max(pause, kIdle));
    const double rest = until - window_.seconds();
    window_.poll(std::max(0.0, rest));
    if (rest <= 0.0 || window_.has_more_than_moves() || window_.should_close()) return;
  }
}

int ViewerApp::run(const volatile std::sig_atomic_t& interrupted) {
  while (!window_.should_close() && !interrupted) {
    wait_for_picture();
    take_state();
    const std::vector<InputEvent> events = window_.take_events();
    std::vector<int> keys;
    for (const InputEvent& event : events)
      if (event.kind == InputEvent::Kind::key) keys.push_back(event.key);
    gui::begin_picture(keys);  // first: it knows then what the cursor is over
    for (const InputEvent& event : events) handle(event);
    hand_.flush(window_.seconds());
    draw();
    if (options_.screenshot.empty() || written_) continue;
    if (state_ && !stepped_) {
      stepped_ = true;
      if (options_.frames > 0)
        session_.step(static_cast<int>(options_.frames));
      else if (!options_.replay.empty())
        session_.play();
    }
    const bool failed = (!state_ && !status_.loading && !messages_.empty() &&
                         messages_.back().kind == Message::Kind::error) ||
                        (state_ && state_->diverged && still_waiting());
    if (!status_.replay_result.empty() && state_ && state_->steps < options_.frames) {
      std::fprintf(stderr, "sinew: error: --frames %ld: the recording ends after %ld\n", options_.frames,
                   state_->steps);
      status_code_ = 2;
      break;
    }
    if (failed) {
      std::fprintf(stderr, "sinew: error: %s\n",
                   messages_.empty() ? "no frame" : messages_.back().text.c_str());
      status_code_ = state_ ? 3 : 2;
      break;
    }
    if (!still_waiting()) {
      written_ = true;
      for (int i = 0; i < 3; ++i) {  // panels settle within a picture or two
        if (i == 2) picture_to_ = options_.screenshot;
        gui::begin_picture({});
        draw();
      }
      break;
    }
  }
  return status_code_;
}

void ViewerApp::take_state() {
  status_ = session_.status();
  messages_ = session_.messages();
  const std::shared_ptr<const ViewState> before = state_;
  if (std::shared_ptr<const ViewState> latest = session_.latest()) state_ = std::move(latest);
  if (wanted_values_ != view_.color_by) session_.want_values(wanted_values_ = view_.color_by);
  if (wanted_nodes_ != view_.cut) session_.want_nodes(wanted_nodes_ = view_.cut);
  if (!state_ || state_ == before) return;
  const bool other_scene = state_->scene->path != framed_path_;
  if (!before || before->opened != state_->opened || before->resets != state_->resets) {
    history_.clear();
    hand_.forget();
  }
  if (other_scene) {
    framed_path_ = state_->scene->path;
    view_.body_hidden.clear();
    view_.obstacle_hidden.clear();
    view_.inspected.reset();
    framed_ = false;
    window_.set_title(state_->scene->name + " - Sinew");
  }
  if (state_->steps > 0) history_.add(state_->steps, state_->statistics);
  const double wanted = arrow_length_per_newton(*state_, view_);
  // Forces jitter; the scale of their arrows must not.
  if (wanted > 0.0)
    arrow_length_ = arrow_length_ > 0.0 ? arrow_length_ + 0.1 * (wanted - arrow_length_) : wanted;
  follow_inspected();
}

void ViewerApp::frame_all(bool at_once) {
  if (!state_) return;
  const Area area = panels_.area();
  const double aspect = area.width / area.height;
  if (at_once) {
    // As pictures of `sinew run` see it, with the scene's wishes.
    RenderFrame frame;
    const Model& model = state_->scene->model;
    for (std::size_t b = 0; b < state_->points.size(); ++b)
      frame.surfaces.push_back({state_->points[b], model.surface_triangles(b), {}});
    for (std::size_t o = 0; o < state_->obstacle_pose.size(); ++o)
      frame.obstacles.push_back({model.obstacle(o).shape, state_->obstacle_pose[o]});
    const OutputSpec& output = state_->scene->output;
    View view = frame_view(frame, output.camera, aspect);
    const double meant = static_cast<double>(output.width) / output.height;
    if (output.camera.eye && aspect < meant)  // a fixed camera: half way to what it sees in its own format
      view.vertical_fov_deg = widened(view.vertical_fov_deg, std::sqrt(meant / aspect));
    camera_ = OrbitCamera(view);
    light_ = key_light_direction(view);
    return;
  }
  const Bounds bounds = body_bounds(*state_, view_);
  camera_.frame(bounds.min, bounds.max, aspect);
}

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
  const ContactForce* nearest = nullptr;
  for (const ContactForce& c : state_->contacts)
    if (!nearest || norm(c.position - picked.position) < norm(nearest->position - picked.position))
      nearest = &c;
  if (nearest) picked.position = nearest->position;
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
      constexpr SurfaceQuantity kOrder[] = {SurfaceQuantity::von_mises_stress,
                                            SurfaceQuantity::principal_strain, SurfaceQuantity::speed,
                                            SurfaceQuantity::displacement};
      std::size_t next = 0;
      for (std::size_t i = 0; i < std::size(kOrder); ++i)
        if (view_.color_by == kOrder[i]) next = i + 1;
      view_.color_by.reset();
      if (next < std::size(kOrder)) view_.color_by = kOrder[next];
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

void ViewerApp::act_on(const Wishes& wishes) {
  if (wishes.quit) window_.close();
  if (wishes.frame_all) frame_all(false);
  if (wishes.view) camera_.look_from(*wishes.view);
  if (wishes.open) session_.open(*wishes.open);
  if (wishes.replay) session_.replay(*wishes.replay);
}

void ViewerApp::draw_overlay() {
  const Area area = panels_.area();
  const ScreenMap map = screen();
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const auto label = [&](const Vec3d& at, const std::string& text) {
    const auto seen = map.project(at);
    if (!seen || (*seen)[0] < 0.0 || (*seen)[1] < 0.0 || (*seen)[0] > area.width || (*seen)[1] > area.height)
      return;
    const ImVec2 place{static_cast<float>((*seen)[0] + area.left + 10.0),
                       static_cast<float>((*seen)[1] + area.top - 20.0)};
    draw.AddText({place.x + 1.0f, place.y + 1.0f}, IM_COL32(0, 0, 0, 200), text.c_str());
    draw.AddText(place, IM_COL32(255, 255, 255, 255), text.c_str());
  };
  for (const GrabView& grab : state_->grabs) label(grab.target, force_text(norm(grab.force)));
  for (std::size_t o = 0; o < state_->obstacle_pose.size(); ++o) {
    const bool held = hand_.holds() == Hand::Holds::obstacle && hand_.obstacle() == o;
    if (!held && (!view_.obstacle_forces || view_.hidden_obstacle(o))) continue;
    const Wrench& wrench = state_->obstacle_wrench[o];
    label(state_->obstacle_pose[o].translation,
          fmt::format("{}: {}, {:.3g} Nm", state_->scene->model.obstacle(o).name,
                      force_text(norm(wrench.force)), norm(wrench.torque)));
  }
}

void ViewerApp::draw() {
  const double now = window_.seconds();
  const double passed = now - last_picture_;
  last_picture_ = now;
  camera_.advance(passed);
  PanelInput input;
  input.state = state_.get();
  input.status = &status_;
  input.messages = &messages_;
  input.history = &history_;
  input.session = &session_;
  input.hand = &hand_;
  input.graphics = window_.description();
  input.arrow_length = arrow_length_;
  const Wishes wishes = panels_.draw(input, view_);
  if (state_ && !framed_) {  // not before the panels have left an area
    frame_all(true);
    framed_ = panels_settled_;
  }
  panels_settled_ = true;
  if (state_) draw_overlay();

  int width = 0, height = 0, units_x = 0, units_y = 0;
  window_.pixel_size(width, height);
  window_.size(units_x, units_y);
  if (width > 0 && height > 0 && units_x > 0 && units_y > 0) {
    const Area area = panels_.area();
    const double scale = static_cast<double>(width) / units_x;
    const auto pixels = [&](double units) { return static_cast<int>(std::lround(units * scale)); };
    const GlFunctions& gl = window_.gl();
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl.Viewport(0, 0, width, height);
    gl.ClearColor(0.09f, 0.09f, 0.10f, 1.0f);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const int w = pixels(area.width), h = pixels(area.height);
    LiveFrame frame = state_ ? live_frame(*state_, view_, hand_, arrow_length_) : LiveFrame{};
    frame.light = light_;
    const bool moving = status_.playing || orbiting_ || panning_;
    renderer_.set_samples(renderer_.is_software() && moving ? 1 : 4);
    if (w > 0 && h > 0)
      renderer_.draw(frame, camera_.view(), pixels(area.left), height - pixels(area.top) - h, w, h);
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl.Viewport(0, 0, width, height);
  }
  gui::end_picture();
  if (wishes.screenshot || key_wishes_.screenshot) {
    std::string path;
    std::error_code code;
    const std::string stem = state_ ? std::filesystem::path(state_->scene->path).stem().string() : "sinew";
    do {
      path = fmt::format("{}_{:03d}.png", stem, ++screenshots_);
    } while (std::filesystem::exists(path, code));
    save_picture(path);
  }
  if (!picture_to_.empty()) save_picture(std::exchange(picture_to_, {}));  // a swap leaves nothing to read
  window_.swap();
  const Wishes keys = std::exchange(key_wishes_, {});
  act_on(keys);
  act_on(wishes);
  picture_seconds_ = std::min(window_.seconds() - now, kLongestPicture);
  if (state_log_) {
    const Area area = panels_.area();
    state_log_->write(state_.get(), status_, messages_, view_, hand_, panels_.places(), screen(), area.left,
                      area.top);
  }
}

void ViewerApp::save_picture(const std::string& path) {
  Image image;
  window_.pixel_size(image.width, image.height);
  if (image.width <= 0 || image.height <= 0) return;
  const auto row = static_cast<std::size_t>(image.width) * 3;
  std::vector<std::uint8_t> pixels(row * static_cast<std::size_t>(image.height));
  const GlFunctions& gl = window_.gl();
  gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  gl.ReadPixels(0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  image.rgb.resize(pixels.size());
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y)
    std::copy_n(
        pixels.begin() + static_cast<std::ptrdiff_t>(row * (static_cast<std::size_t>(image.height) - 1 - y)),
        row, image.rgb.begin() + static_cast<std::ptrdiff_t>(row * y));
  try {
    write_png(path, image);
    std::fprintf(stderr, "sinew: wrote %s\n", path.c_str());
  } catch (const IoError& error) {
    std::fprintf(stderr, "sinew: error: %s\n", error.what());
    if (written_) status_code_ = 2;
  }
}

}  // namespace sinew::viewer
