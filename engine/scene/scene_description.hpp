// A scene as written: typed and checked, with the lines it came from; no mesh is loaded yet.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sinew/mesh_generation.hpp>
#include <sinew/scene.hpp>

#include "engine/scene/handle_reader.hpp"
#include "engine/scene/json_node.hpp"

namespace sinew {

/// Where a mesh comes from: a file or a generated shape.
struct MeshSource {
  Place place;       ///< of "file" or "generate"
  std::string file;  ///< as written; empty: generated
  double scale = 1.0;
  bool scale_given = false;
  std::optional<TetrahedralizeSettings> tetrahedralize;
  std::string shape;
  std::map<std::string, double> parameters;  ///< those written; the generator has defaults for the others
};

struct BodyDescription {
  Place place;
  MeshSource mesh;
  BodySpec spec;  ///< without mesh
};
struct ObstacleDescription {
  Place place, mesh_place;
  ObstacleSpec spec;               ///< a mesh shape without what comes from a file or a generator
  std::optional<MeshSource> mesh;  ///< of those
};
struct PinDescription {
  Place place, region_place;
  PinSpec spec;
};
struct ForceDescription {
  Place place, region_place;
  ForceSpec spec;
};

struct FrictionPairDescription {
  Place place;
  FrictionPair pair;
};

struct SceneDescription {
  std::string name;  ///< "": left out
  std::string description;
  Vec3d gravity{0.0, 0.0, -9.81};  ///< [m/s^2]
  SimulationSettings settings;
  OutputSpec output;
  std::vector<BodyDescription> bodies;
  std::vector<ObstacleDescription> obstacles;
  std::vector<PinDescription> pins;
  std::vector<ForceDescription> forces;
  std::vector<HandleDescription> handles;
  std::vector<FrictionPairDescription> friction_pairs;
};

/// Parses, applies overrides, checks keys and values, resolves names.
/// @throws SceneError.
SceneDescription read_scene_description(const std::string& text, const SceneSource& source);

}  // namespace sinew
