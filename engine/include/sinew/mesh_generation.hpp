// Making meshes: shapes of our own by signed distance, and tetrahedra for a closed or nearly closed surface.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <sinew/mesh.hpp>

namespace sinew {

/// One parameter of a generator, for schema, help and documents.
struct GeneratorParameter {
  std::string name;  ///< e.g. "radius"
  std::string unit;  ///< "m", "1" ...
  double default_value = 0.0;
  double min_value = 0.0, max_value = 0.0;
  std::string what;
};

/// One shape that can be generated.
struct GeneratorInfo {
  std::string
      name;  ///< "bar", "block", "ball", "hollow_ball", "torus", "cylinder", "capsule", "cloth",
             ///< "gingerbread", "creature" (long-necked, four-legged), "raptor", "newt", "gripper_finger"
  std::string what;
  bool surface_only = false;  ///< cloth: triangles instead of tetrahedra
  std::vector<GeneratorParameter> parameters;
};

const std::vector<GeneratorInfo>& mesh_generators();

/// What a generator made.
struct GeneratedMesh {
  TetMesh mesh;                   ///< empty for cloth
  SurfaceMesh surface;            ///< cloth only
  std::vector<Vec3d> cable_path;  ///< [m], gripper finger: points of the cable from base to tip
};

/// Generates a shape. parameters: by name, absent ones take their default. Every shape has
/// either "cell" [m] (edge length of the lattice) or "vertices" (target count, met within 3 %; wins over
/// cell). Same input, same bits. @throws MeshError naming the parameter and its bounds, or the nearest known
/// shape.
GeneratedMesh generate_mesh(const std::string& shape, const std::map<std::string, double>& parameters);

/// Settings of tetrahedralize().
struct TetrahedralizeSettings {
  static constexpr Index kLeastVertices = 50, kMostVertices = 5'000'000;
  double cell = 0.0;      ///< [unit of the surface] lattice edge; 0: from vertices
  Index vertices = 3000;  ///< target number of nodes when cell is 0: kLeastVertices to kMostVertices
  bool embed = true;      ///< true: whole lattice cells with inside fraction, surface embedded;
                          ///< false: cells are stuffed to the surface, which becomes the mesh boundary
  double winding_threshold = 0.5;  ///< inside where the generalised winding number exceeds this
};

/// Simulation tetrahedra for a closed or nearly closed surface (generalised winding number, Jacobson et al.
/// 2013). Total volume (with inside fractions) matches the enclosed one to 1 %. Least dihedral angle >= 8
/// degrees. notes receives one line per remark (holes bridged, parts dropped). @throws MeshError if nothing
/// is inside.
TetMesh tetrahedralize(const SurfaceMesh& surface, const TetrahedralizeSettings& settings,
                       std::vector<std::string>* notes = nullptr);

}  // namespace sinew
