// Pictures of a run: a series of PNG files from one fixed view, and a contact sheet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sinew/scene.hpp>

#include "viewer/renderer.hpp"

namespace sinew::app {

/// At most count numbers out of first, first + step, ... <= last, evenly spaced, with the first and the last.
std::vector<long> evenly_spaced(long first, long last, long step, long count);

/// What the renderer gets: surfaces and obstacles as they are now.
viewer::RenderFrame render_frame(const Simulation& simulation, const std::string& caption);

class Pictures {
 public:
  struct Settings {
    std::string folder;  ///< "" : no series
    std::string sheet;   ///< "" : no contact sheet
    int width = 960, height = 540;
    long every = 1;
  };
  static constexpr int kSheetPictures = 12;

  /// Loads the renderer. @throws BackendError.
  Pictures(const Scene& scene, Settings settings);

  /// Fixes the view of the whole series by the simulation as it is now.
  void fix_view(const Simulation& simulation);
  /// Chooses the frames of the sheet.
  void plan(long first_frame, long last_frame);
  /// Takes a picture of the frame of this number if it is due. @throws IoError.
  void write(const Simulation& simulation, long number);
  void finish();  ///< writes the sheet from the pictures that were taken. @throws IoError.

  long written() const { return written_; }

 private:
  Settings settings_;
  std::string name_;
  CameraSpec camera_;
  std::unique_ptr<viewer::Renderer> renderer_;
  viewer::View view_;
  std::vector<long> sheet_frames_;
  std::vector<viewer::Image> sheet_images_;
  long written_ = 0;
};

}  // namespace sinew::app
