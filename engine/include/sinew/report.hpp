// Report of a run: what the frames cost, how exact they were, and where the bodies ended. One JSON file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/simulation.hpp>

namespace sinew {

/// The machine as a report names it; no host name, no user.
struct MachineInfo {
  std::string cpu;            ///< model name, "unknown" where the system does not tell
  int cores = 0;              ///< logical cores this process may use
  double memory_bytes = 0.0;  ///< physical memory
  std::string compiler;       ///< e.g. "g++ 12.2.0, release"
  std::string system;         ///< e.g. "Linux x86_64"
};

/// Order statistics of a list of values. Between two values the percentile is interpolated linearly
/// (rank p (n - 1), as most statistics packages do by default). All zero for an empty list.
struct Distribution {
  double median = 0, p95 = 0, p99 = 0, max = 0, mean = 0, sum = 0;
};
Distribution distribution(std::vector<double> values);

/// One stage of the frame with its times [ms].
struct StageSummary {
  std::string_view name;  ///< as in StageTimes: "detect" ... "finish", last "frame"
  Distribution ms;
};

/// Where a body is. Shape figure: see shape_deviation.
struct BodySummary {
  std::string name;
  Vec3d centre, velocity;              ///< [m], [m/s], of the centre of mass
  Vec3d box_min, box_max;              ///< [m], of the surface points
  double volume = 0, rest_volume = 0;  ///< [m^3]
  double area = 0, rest_area = 0;      ///< [m^2] of a sheet; 0 for tetrahedra
  /// [1] mass-weighted RMS distance to the best fitting rigid copy of the rest shape, divided by the rest
  /// shape's radius of gyration. 0 after any rigid motion.
  double shape_deviation = 0;
};
/// Figures of one body now. O(nodes).
BodySummary summarize_body(const Simulation& simulation, std::size_t body);

/// One handle at the end of a frame.
struct HandleRecord {
  std::string name;
  std::string_view kind;
  Vec3d origin;   ///< [m] that the torque refers to
  Wrench wrench;  ///< on the body
  bool is_cable = false;
  double tension = 0.0, length = 0.0;  ///< [N], [m] of cables
};

/// Collects the statistics of a run frame by frame and writes the report.
class RunReport {
 public:
  struct Settings {
    std::string scene_name, scene_file;
    std::string backend = "cpu";
    int threads = 1;
    MachineInfo machine;
    std::vector<std::string> warnings;  ///< of the scene; those of the model are added
    bool per_frame = false;             ///< also list every frame, with bodies, obstacles and hash
  };

  RunReport(const Simulation& simulation, Settings settings);

  /// Records the frame just made. wall_ms: time of step() as the caller saw it [ms].
  void add(const Simulation& simulation, double wall_ms);

  std::size_t frame_count() const { return frames_.size(); }
  std::vector<StageSummary> stages() const;  ///< detect ... correct, frame
  const std::vector<StepStatistics>& frames() const { return frames_; }
  double max_penetration_m() const;
  double max_creep_m_s() const;
  double complementarity_residual_m() const;
  double momentum_error() const;
  /// Frames in which some contact solve stopped at max_sweeps, and the worst complementarity among them [m].
  std::size_t contact_unconverged_frames() const;
  double unconverged_complementarity_m() const;
  const Energy& start_energy() const { return start_energy_; }  ///< before the first frame

  /// Pairs of an edge and a triangle that cross, {frames}: bodies, each with itself too, and mesh obstacles.
  const std::vector<std::size_t>& intersections() const { return intersections_; }
  std::size_t intersecting_frames() const;
  std::size_t max_intersections() const;
  /// Tells of surfaces that cross, in one line; empty where none do.
  std::string intersection_warning() const;

  /// [m] Unconverged frames above this complementarity residual are a warning of the report.
  static constexpr double kNoticeableResidual = 1e-5;

  /// "complete" unless said otherwise: "interrupted", "failed".
  void set_status(std::string status) { status_ = std::move(status); }
  void add_warning(std::string line) { settings_.warnings.push_back(std::move(line)); }

  /// The report; bodies, obstacles and pins as they are now. Every number is finite: a value that is not
  /// becomes null and is named in "warnings".
  std::string to_json(const Simulation& simulation) const;
  /// The same into a file, which appears only when complete. @throws IoError.
  void write(const std::string& path, const Simulation& simulation) const;

 private:
  struct ObstacleRecord {
    std::string name;
    Wrench wrench;
    Vec3d origin;
  };
  struct FrameRecord {
    std::vector<BodySummary> bodies;
    std::vector<ObstacleRecord> obstacles;
    std::vector<HandleRecord> handles;
    std::uint64_t state_hash = 0;
  };

  Settings settings_;
  std::string status_ = "complete";
  long first_frame_ = 0;
  Energy start_energy_;
  double wall_ms_ = 0.0, simulated_s_ = 0.0;
  std::vector<StepStatistics> frames_;
  std::vector<std::size_t> intersections_;  // {frames}
  std::vector<FrameRecord> records_;        // per_frame only
};

}  // namespace sinew
