// Checks of single specs: value, bounds, name.
#pragma once

#include <array>
#include <string>

#include <sinew/model.hpp>

namespace sinew {

/// @throws ModelError (values) or MeshError (mesh that cannot be simulated).
void check_body(const BodySpec& body);
/// Triangles, thickness, bending. what: "body 'name'". @throws MeshError, ModelError.
void check_sheet(const std::string& what, const BodySpec& body);
/// @throws ModelError.
void check_springs(const std::string& what, const BodySpec& body);
/// Closed bounds; open_low excludes the lower one. @throws ModelError.
void check_range(const std::string& what, const char* field, double value, double low, double high,
                 const char* unit, bool open_low = false);
void check_obstacle(const ObstacleSpec& obstacle);
/// Indices, lengths and areas. @throws MeshError, ModelError.
void check_mesh_shape(const std::string& what, const MeshShape& shape);
/// Default thickness, and closed surfaces turned outwards: true where that was needed.
bool complete_mesh_shape(MeshShape& shape);
void check_motion(const Motion& motion, const std::string& what);
void check_path(const VectorPath& path, const std::string& what);

/// Lengths of a shape [m], padded with zeros; of a mesh only the thickness.
std::array<double, 3> obstacle_dimensions(const ObstacleShape& shape);

}  // namespace sinew
