// Values out of a checked tree. None of these checks types again: check_scene() has done so.
#pragma once

#include <optional>
#include <string>

#include <sinew/model.hpp>

#include "engine/scene/json_node.hpp"

namespace sinew {

Vec3d to_vec3(const JsonNode& list);
void read(const JsonNode& object, const char* key, double& value);
void read(const JsonNode& object, const char* key, int& value);
void read(const JsonNode& object, const char* key, long& value);
void read(const JsonNode& object, const char* key, bool& value);
void read(const JsonNode& object, const char* key, std::string& value);
void read(const JsonNode& object, const char* key, Vec3d& value);
void read(const JsonNode& object, const char* key, std::optional<Vec3d>& value);
void read(const JsonNode& object, const char* key, std::optional<double>& value);

/// Readers of parts; path is that of the node.
/// @throws SceneError for an axis without direction, times that do not grow, a box inside out.
Mat3d read_rotation(const JsonNode& node, const std::string& path, const SceneSource& source);
Transform read_transform(const JsonNode& node, const std::string& path, const SceneSource& source);
Motion read_motion(const JsonNode& node, const std::string& path, const SceneSource& source);
Region read_region(const JsonNode& node, const std::string& path, const SceneSource& source);
ObstacleShape read_shape(const JsonNode& node, const std::string& path, const SceneSource& source);
Pose read_obstacle_pose(const JsonNode& node, const std::string& path, const SceneSource& source);
VectorPath read_force(const JsonNode& node, const std::string& path, const SceneSource& source);

/// Direction of a vector key. @throws SceneError where it is (nearly) zero.
Vec3d read_direction(const JsonNode& object, const char* key, const std::string& path,
                     const SceneSource& source);

}  // namespace sinew
