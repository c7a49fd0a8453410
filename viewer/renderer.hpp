// Door between the engine's users and the renderer, which is a module loaded at run time
// (libsinew_renderer): whoever includes this header links no graphics.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sinew/mesh.hpp>
#include <sinew/model.hpp>
#include <sinew/scene.hpp>

namespace sinew::viewer {

/// 8-bit RGB, top row first.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< {height, width, 3}
};

/// A surface as it is now.
struct RenderSurface {
  std::vector<Vec3d> points;        ///< [m]
  std::vector<Triangle> triangles;  ///< indices of points; points used by no triangle are ignored
  Vec3d color{0.76, 0.30, 0.15};    ///< linear RGB
};

struct RenderObstacle {
  ObstacleShape shape;
  Pose pose;                      ///< current
  Vec3d color{0.42, 0.45, 0.49};  ///< linear RGB; a half-space is drawn lighter
};

/// All that one picture shows.
struct RenderFrame {
  std::vector<RenderSurface> surfaces;
  std::vector<RenderObstacle> obstacles;
  std::string caption;  ///< drawn small in the lower left corner; may be empty
};

/// A fixed view for a whole series.
struct View {
  Vec3d eye, target;
  double vertical_fov_deg = 35.0;
};

/// Off-screen renderer; one per thread.
class Renderer {
 public:
  virtual ~Renderer() = default;
  virtual std::string description() const = 0;  ///< e.g. "EGL, llvmpipe, OpenGL 4.5"
  /// Frames bodies (and bounded obstacles near them) from a pleasant angle; wishes override.
  virtual View frame_scene(const RenderFrame& frame, const CameraSpec& wishes, double aspect) const = 0;
  virtual Image render(const RenderFrame& frame, const View& view, int width, int height) = 0;
};

/// Loads the module and makes a renderer (EGL without a display first, then OSMesa).
/// @throws BackendError in one line: what is missing and which package brings it.
std::unique_ptr<Renderer> make_renderer();

/// PNG file, atomic. @throws IoError.
void write_png(const std::string& path, const Image& image);

/// Pictures side by side in reading order, scaled down to the cell width, with a thin border.
Image contact_sheet(const std::vector<Image>& images, int columns, int cell_width);

}  // namespace sinew::viewer
