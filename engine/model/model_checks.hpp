// Checks of single specs: value, bounds, name.
#pragma once

#include <array>
#include <string>

#include <sinew/model.hpp>

namespace sinew {

/// @throws ModelError (values) or MeshError (mesh that cannot be simulated).
void check_body(const BodySpec& body);
void check_obstacle(const ObstacleSpec& obstacle);
void check_motion(const Motion& motion, const std::string& what);
void check_path(const VectorPath& path, const std::string& what);

/// Lengths of a shape [m], padded with zeros.
std::array<double, 3> obstacle_dimensions(const ObstacleShape& shape);

}  // namespace sinew
