#include "apps/sinew/pictures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "viewer/palette.hpp"

namespace sinew::app {

std::vector<long> evenly_spaced(long first, long last, long step, long count) {
  std::vector<long> result;
  const long start = (first + step - 1) / step, available = last / step - start + 1;
  if (available <= 0 || count <= 0) return result;
  const long chosen = std::min(available, count);
  for (long i = 0; i < chosen; ++i) {
    const double position = chosen > 1 ? static_cast<double>(i) / static_cast<double>(chosen - 1) : 0.0;
    result.push_back((start + std::lround(position * static_cast<double>(available - 1))) * step);
  }
  return result;
}

viewer::RenderFrame render_frame(const Simulation& simulation, const std::string& caption) {
  const Model& model = simulation.model();
  viewer::RenderFrame frame;
  frame.caption = caption;
  for (std::size_t i = 0; i < model.body_count(); ++i) {
    viewer::RenderSurface surface;
    surface.points = simulation.surface_points(i);
    surface.triangles = model.surface_triangles(i);
    surface.color = model.body(i).color.value_or(viewer::body_color(i));
    frame.surfaces.push_back(std::move(surface));
  }
  for (std::size_t i = 0; i < model.obstacle_count(); ++i) {
    viewer::RenderObstacle obstacle{model.obstacle(i).shape, simulation.obstacle_pose(i)};
    if (model.obstacle(i).color) obstacle.color = *model.obstacle(i).color;
    frame.obstacles.push_back(obstacle);
  }
  return frame;
}

Pictures::Pictures(const Scene& scene, Settings settings)
    : settings_(std::move(settings)),
      name_(scene.name),
      camera_(scene.output.camera),
      renderer_(viewer::make_renderer()) {}

void Pictures::fix_view(const Simulation& simulation) {
  view_ = renderer_->frame_scene(render_frame(simulation, ""), camera_,
                                 static_cast<double>(settings_.width) / settings_.height);
}

void Pictures::plan(long first_frame, long last_frame) {
  if (!settings_.sheet.empty())
    sheet_frames_ = evenly_spaced(first_frame, last_frame, settings_.every, kSheetPictures);
}

void Pictures::write(const Simulation& simulation, long number) {
  if (number % settings_.every != 0) return;
  const bool for_sheet = std::binary_search(sheet_frames_.begin(), sheet_frames_.end(), number);
  if (settings_.folder.empty() && !for_sheet) return;
  const std::string caption = fmt::format("{}  t = {:.2f} s", name_, simulation.time());
  viewer::Image image =
      renderer_->render(render_frame(simulation, caption), view_, settings_.width, settings_.height);
  if (!settings_.folder.empty()) {
    viewer::write_png(fmt::format("{}/frame_{:06d}.png", settings_.folder, number), image);
    ++written_;
  }
  if (for_sheet) sheet_images_.push_back(std::move(image));
}

void Pictures::finish() {
  if (settings_.sheet.empty() || sheet_images_.empty()) return;
  const int columns = std::min(4, static_cast<int>(sheet_images_.size()));
  viewer::write_png(settings_.sheet,
                    viewer::contact_sheet(sheet_images_, columns, std::min(480, settings_.width)));
}

}  // namespace sinew::app
