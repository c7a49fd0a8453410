// The panels around the picture, drawn with Dear ImGui. What they ask for goes to the session, or to Wishes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/live/camera.hpp"
#include "viewer/window/drawing.hpp"
#include "viewer/window/form.hpp"
#include "viewer/window/history.hpp"
#include "viewer/window/view_options.hpp"

namespace sinew::viewer {

/// All that a picture of the panels is made from.
struct PanelInput {
  const ViewState* state = nullptr;  ///< null before the first scene
  const Status* status = nullptr;
  const std::vector<Message>* messages = nullptr;
  const History* history = nullptr;
  Session* session = nullptr;
  Hand* hand = nullptr;
  std::string graphics;  ///< driver and version
  double arrow_length = 0.0;
};

/// What only the window itself can do.
struct Wishes {
  bool frame_all = false, quit = false;
  std::optional<StandardView> view;
  std::optional<std::string> open, replay;
  std::optional<std::string> screenshot;
};

/// The part of the window that is left for the picture, in window units.
struct Area {
  double left = 0.0, top = 0.0, width = 1.0, height = 1.0;
};

class Panels {
 public:
  Panels();
  /// Between ImGui::NewFrame() and ImGui::Render().
  Wishes draw(const PanelInput& input, ViewOptions& options);
  Area area() const { return area_; }  ///< of the last draw()
  const Places& places() { return form_.places(); }
  void ask_for_file() { browsing_ = true; }
  void ask_for_scene_name(const ViewState& state);

 private:
  void draw_menu(const PanelInput& input, ViewOptions& options, Wishes& wishes);
  void draw_controls(const PanelInput& input, ViewOptions& options);
  void draw_hand(const PanelInput& input, ViewOptions& options);
  void draw_bodies(const PanelInput& input, ViewOptions& options);
  void draw_obstacles(const PanelInput& input, ViewOptions& options);
  void draw_scene_settings(const PanelInput& input);
  void draw_view(const PanelInput& input, ViewOptions& options);
  void draw_times(const PanelInput& input);
  void draw_numbers(const PanelInput& input);
  void draw_inspected(const PanelInput& input, ViewOptions& options);
  void draw_messages(const PanelInput& input);
  void draw_legend(const PanelInput& input, const ViewOptions& options);
  void draw_help(ViewOptions& options);
  void draw_files(Wishes& wishes);
  void draw_save(const PanelInput& input);
  void apply(const PanelInput& input, const std::optional<Edit>& edit);

  Area area_;
  Form form_;
  std::uint64_t generation_ = 0;
  std::uint64_t last_message_ = 0;  ///< its number
  double message_until_ = 0.0;      ///< [s] on Dear ImGui's clock
  bool unsettled_ = false;          ///< the form may show what the scene no longer has
  bool browsing_ = false, saving_ = false, saving_recording_ = false;
  std::string folder_ = ".", file_name_;
};

}  // namespace sinew::viewer
