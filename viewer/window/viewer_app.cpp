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

constexpr double kPicture = 1.0 / 60.0;  // [s] pictures come no faster
constexpr double kIdle = 0.05;           // [s] between looks while nothing moves

/// Field of view [degree] that is so much wider in the plane of the picture.
double widened(double degrees, double factor) {
  const double half = 0.5 * degrees * std::numbers::pi / 180.0;
  return 2.0 * std::atan(factor * std::tan(half)) * 180.0 / std::numbers::pi;
}

std::optional<SurfaceQuantity> quantity_of(const std::string& name) {
  for (const ShownQuantity& shown : kQuantities)
    if (name == shown.word) return shown.quantity;
  return std::nullopt;
}

}  // namespace

ViewerApp::Gui::Gui(Window& window, bool remembered) {
  gui::start(window.handle(), window.content_scale(), remembered);
}
ViewerApp::Gui::~Gui() {
  gui::stop();
}

ViewerApp::ViewerApp(const ViewerOptions& options)
    : options_(options),
      window_(options.width, options.height, "Sinew"),
      graphics_(window_.description()),
      gui_(window_, options.screenshot.empty()),
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

void ViewerApp::act_on(const Wishes& wishes) {
  if (wishes.quit) window_.close();
  if (wishes.frame_all) frame_all(false);
  if (wishes.view) camera_.look_from(*wishes.view);
  if (wishes.open) session_.open(*wishes.open);
  if (wishes.replay) session_.replay(*wishes.replay);
}

}  // namespace sinew::viewer
