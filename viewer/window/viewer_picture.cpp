// One picture: panels, the scene, what is written over it, the file that was asked for.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include <sinew/errors.hpp>

#include "viewer/window/gui.hpp"
#include "viewer/window/viewer_app.hpp"

namespace sinew::viewer {

namespace {

constexpr double kLongestPicture = 0.05;  // [s] longer ones do not make the pauses longer

}  // namespace

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
  input.graphics = graphics_;
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
