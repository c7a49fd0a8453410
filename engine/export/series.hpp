// Time series of meshes for other programs: .vtu with a .pvd per series for ParaView, or .ply / .obj
// surfaces.
#pragma once

#include <string>
#include <vector>

#include <sinew/simulation.hpp>

#include "engine/export/obstacle_surface.hpp"
#include "engine/export/series_index.hpp"

namespace sinew {

enum class SeriesFormat { vtu, ply, obj };

/// Writes one set of files per call: bodies (all in one file), obstacles in their current pose, and with
/// vtu also embedded surfaces and contact forces. Every file appears only when complete.
///
/// vtu fields. bodies: velocity [m/s], displacement [m] at points; body, material (number of the distinct
/// material), volume_ratio [1], inside_fraction [1] at cells. surfaces: triangles with body.
/// obstacles: triangles, and lines and vertices of mesh obstacles, with obstacle, stripe. contacts: force [N]
/// on the body, normal, normal_force [N], gap [m], state (0 open, 1 stick, 2 slip), body, obstacle.
class SeriesExporter {
 public:
  struct Settings {
    std::string folder;
    SeriesFormat format = SeriesFormat::vtu;
    long continue_until = -1;  ///< >= 0: keep the index entries of an earlier run up to this frame
  };

  /// Makes the folder and tries to write there. @throws IoError.
  SeriesExporter(const Model& model, Settings settings);

  /// Exports the current frame. @throws IoError.
  void write(const Simulation& simulation) { write(simulation, simulation.frame(), simulation.time()); }
  /// The same under another number and time [s], where the simulation's own do not only grow (a run with
  /// resets); its model may be another one than in the calls before.
  void write(const Simulation& simulation, long number, double time);

  bool has(long frame) const { return !indices_.empty() && indices_.front().has(frame); }
  long steps() const { return steps_; }
  /// What to open: the .pvd files, or a pattern such as "DIR/bodies_*.ply".
  std::vector<std::string> entry_points() const;

 private:
  void take_model(const Model& model);
  void write_vtu_files(const Simulation& simulation);
  void write_surface_files(const Simulation& simulation);
  void write_bodies(const Simulation& simulation, const std::string& path) const;
  void write_surfaces(const Simulation& simulation, const std::string& path) const;
  void write_obstacles(const Simulation& simulation, const std::string& path) const;
  void write_contacts(const Simulation& simulation, const std::string& path) const;

  using Part = void (SeriesExporter::*)(const Simulation&, const std::string&) const;
  Model model_;
  Settings settings_;
  std::vector<std::int32_t> material_;      // per body: number of its material among the distinct ones
  std::vector<ObstacleSurface> obstacles_;  // local coordinates
  std::vector<Part> parts_;                 // vtu: one per index
  std::vector<SeriesIndex> indices_;
  long number_ = 0;
  double time_ = 0.0;  // [s]
  long steps_ = 0;
};

}  // namespace sinew
