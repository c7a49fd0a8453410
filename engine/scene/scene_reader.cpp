#include "engine/scene/scene_reader.hpp"

#include <cmath>
#include <numbers>

#include "engine/scene/scene_keys.hpp"

namespace sinew {

namespace {

constexpr double kShortest = 1e-12;  // below this a vector points nowhere

double radians(double degrees) {
  return degrees * (std::numbers::pi / 180.0);
}

/// Rotation vector [rad] of {"axis", "angle_deg"}.
Vec3d rotation_vector(const JsonNode& node, const std::string& path, const SceneSource& source) {
  double angle_deg = 0.0;
  read(node, "angle_deg", angle_deg);
  return radians(angle_deg) * read_direction(node, "axis", path, source);
}

/// Exact for multiples of 90 degrees about a world axis, so that upright boxes stay upright bit for bit.
Mat3d rotation_matrix(const Vec3d& vector, double angle_deg) {
  Mat3d r = rotation_from_vector(vector);
  if (std::fmod(angle_deg, 90.0) == 0.0)
    for (auto& row : r.m)
      for (double& value : row)
        if (std::fabs(value - std::round(value)) < 1e-12) value = std::round(value) + 0.0;
  return r;
}

Mat3d one_rotation(const JsonNode& node, const std::string& path, const SceneSource& source) {
  double angle_deg = 0.0;
  read(node, "angle_deg", angle_deg);
  return rotation_matrix(rotation_vector(node, path, source), angle_deg);
}

/// Smallest turn that brings local z to the direction; for -z half a turn about x.
Mat3d turn_z_to(const Vec3d& direction) {
  const Vec3d axis{-direction.y, direction.x, 0.0};  // z x direction
  const double sine = norm(axis);
  if (sine < kShortest) return direction.z > 0.0 ? Mat3d::identity() : Mat3d::diagonal(1.0, -1.0, -1.0);
  // Columns from the direction itself: R z is the direction without rounding of sine and cosine.
  const Vec3d u = axis / sine;
  const Vec3d v = cross(direction, u);
  const Vec3d z_cross_u = Vec3d{-u.y, u.x, 0.0};
  // R maps (u, z x u, z) to (u, direction x u, direction).
  return Mat3d::columns(u, v, direction) * transpose(Mat3d::columns(u, z_cross_u, Vec3d{0.0, 0.0, 1.0}));
}

void check_time(double time, std::size_t i, double before, const JsonNode& node, const std::string& path,
                const SceneSource& source) {
  if (i > 0 && !(time > before))
    source.fail(place_of(*node.find("time"), path + ".time"), "is " + number_text(time) + "; must be above " +
                                                                  number_text(before) +
                                                                  " s, the time of the keyframe before");
}

}  // namespace

Vec3d to_vec3(const JsonNode& list) {
  return {list.items[0].number, list.items[1].number, list.items[2].number};
}

void read(const JsonNode& object, const char* key, double& value) {
  if (const JsonNode* node = object.find(key)) value = node->number;
}
void read(const JsonNode& object, const char* key, int& value) {
  if (const JsonNode* node = object.find(key)) value = static_cast<int>(node->number);
}
void read(const JsonNode& object, const char* key, long& value) {
  if (const JsonNode* node = object.find(key)) value = static_cast<long>(node->number);
}
void read(const JsonNode& object, const char* key, bool& value) {
  if (const JsonNode* node = object.find(key)) value = node->boolean;
}
void read(const JsonNode& object, const char* key, std::string& value) {
  if (const JsonNode* node = object.find(key)) value = node->text;
}
void read(const JsonNode& object, const char* key, Vec3d& value) {
  if (const JsonNode* node = object.find(key)) value = to_vec3(*node);
}
void read(const JsonNode& object, const char* key, std::optional<double>& value) {
  if (const JsonNode* node = object.find(key)) value = node->number;
}
void read(const JsonNode& object, const char* key, std::optional<Vec3d>& value) {
  if (const JsonNode* node = object.find(key)) value = to_vec3(*node);
}

Vec3d read_direction(const JsonNode& object, const char* key, const std::string& path,
                     const SceneSource& source) {
  const JsonNode& node = *object.find(key);
  const Vec3d vector = to_vec3(node);
  if (norm(vector) < kShortest)
    source.fail(place_of(node, join_path(path, key)),
                "has length 0 and so no direction; give e.g. [0, 0, 1]");
  return normalized(vector);
}

Mat3d read_rotation(const JsonNode& node, const std::string& path, const SceneSource& source) {
  if (node.kind == JsonNode::Kind::object) return one_rotation(node, path, source);
  Mat3d rotation = Mat3d::identity();
  for (std::size_t i = 0; i < node.items.size(); ++i)
    rotation = one_rotation(node.items[i], path + "." + std::to_string(i), source) * rotation;
  return rotation;
}

Transform read_transform(const JsonNode& node, const std::string& path, const SceneSource& source) {
  Transform transform;
  if (const JsonNode* scale = node.find("scale")) {
    const double s = scale->number;
    transform.scale = scale->kind == JsonNode::Kind::number ? Vec3d{s, s, s} : to_vec3(*scale);
  }
  if (const JsonNode* rotate = node.find("rotate"))
    transform.rotation = read_rotation(*rotate, join_path(path, "rotate"), source);
  read(node, "translate", transform.translation);
  return transform;
}

Motion read_motion(const JsonNode& node, const std::string& path, const SceneSource& source) {
  Motion motion;
  if (const JsonNode* keyframes = node.find("keyframes")) {
    for (std::size_t i = 0; i < keyframes->items.size(); ++i) {
      const JsonNode& item = keyframes->items[i];
      const std::string item_path = join_path(path, "keyframes") + "." + std::to_string(i);
      Motion::Keyframe keyframe;
      read(item, "time", keyframe.time);
      check_time(keyframe.time, i, i > 0 ? motion.keyframes.back().time : 0.0, item, item_path, source);
      read(item, "translate", keyframe.translation);
      if (const JsonNode* rotate = item.find("rotate"))
        keyframe.rotation = rotation_vector(*rotate, join_path(item_path, "rotate"), source);
      motion.keyframes.push_back(keyframe);
    }
  }
  read(node, "velocity", motion.velocity);
  read(node, "spin", motion.spin);
  return motion;
}

Region read_region(const JsonNode& node, const std::string& path, const SceneSource& source) {
  Region region;
  read(node, "surface_only", region.surface_only);
  if (const JsonNode* all = node.find("all")) {
    if (!all->boolean)
      source.fail(place_of(*all, join_path(path, "all")),
                  "is false, which chooses nothing; write true, or box, ball, half_space or nodes instead");
    region.shape = Region::All{};
  } else if (const JsonNode* box = node.find("box")) {
    const Region::Box shape{to_vec3(*box->find("min")), to_vec3(*box->find("max"))};
    for (int axis = 0; axis < 3; ++axis)
      if (shape.min[axis] > shape.max[axis])
        source.fail(place_of(*box, join_path(path, "box")),
                    std::string("min is above max along ") + "xyz"[axis] + " (" +
                        number_text(shape.min[axis]) + " > " + number_text(shape.max[axis]) +
                        " m); swap them");
    region.shape = shape;
  } else if (const JsonNode* ball = node.find("ball")) {
    region.shape = Region::Ball{to_vec3(*ball->find("center")), ball->find("radius")->number};
  } else if (const JsonNode* half = node.find("half_space")) {
    const std::string half_path = join_path(path, "half_space");
    region.shape =
        Region::HalfSpace{to_vec3(*half->find("point")), read_direction(*half, "normal", half_path, source)};
  } else if (const JsonNode* nodes = node.find("nodes")) {
    Region::Nodes shape;
    shape.indices.reserve(nodes->items.size());
    for (const JsonNode& item : nodes->items) shape.indices.push_back(static_cast<Index>(item.number));
    region.shape = std::move(shape);
  }
  return region;
}

namespace {

template <std::size_t N>
std::vector<std::array<Index, N>> index_rows(const JsonNode* list) {
  std::vector<std::array<Index, N>> rows(list ? list->items.size() : 0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < N; ++k) rows[i][k] = static_cast<Index>(list->items[i].items[k].number);
  return rows;
}

/// What stands in the scene itself; a file or a generated shape comes later.
MeshShape read_mesh_shape(const JsonNode& node, const std::string& path, const SceneSource& source) {
  MeshShape shape;
  read(node, "contact_thickness", shape.thickness);
  const JsonNode* positions = node.find("positions");
  const char* const given = node.find("file") ? "file" : positions ? "positions" : "generate";
  for (const JsonNode::Member& member : node.members)
    if (std::string(given) != "generate" && !goes_with(member.key, given))
      source.fail({member.key_line, member.value.override_index, join_path(path, member.key)},
                  std::string("does not go together with '") + given + "'; it belongs to '" +
                      (member.key == "scale" ? "file" : "positions") + "'");
  if (!positions) return shape;
  for (const JsonNode& item : positions->items) shape.mesh.points.push_back(to_vec3(item));
  shape.mesh.triangles = index_rows<3>(node.find("triangles"));
  shape.edges = index_rows<2>(node.find("edges"));
  if (const JsonNode* points = node.find("points"))
    for (const JsonNode& item : points->items) shape.points.push_back(static_cast<Index>(item.number));
  return shape;
}

}  // namespace

ObstacleShape read_shape(const JsonNode& node, const std::string& path, const SceneSource& source) {
  const JsonNode::Member& member = node.members.front();  // exactly one, as checked
  const JsonNode& value = member.value;
  double radius = 0.0, length = 0.0;
  read(value, "radius", radius);
  read(value, "length", length);
  if (member.key == "mesh") return read_mesh_shape(value, join_path(path, "mesh"), source);
  if (member.key == "sphere") return SphereShape{radius};
  if (member.key == "box") return BoxShape{0.5 * to_vec3(*value.find("size"))};
  if (member.key == "capsule") return CapsuleShape{radius, 0.5 * length};
  if (member.key == "cylinder") return CylinderShape{radius, 0.5 * length};
  return HalfSpaceShape{};
}

Pose read_obstacle_pose(const JsonNode& node, const std::string& path, const SceneSource& source) {
  Pose pose;
  read(node, "position", pose.translation);
  if (const JsonNode* rotate = node.find("rotate"))
    pose.rotation = read_rotation(*rotate, join_path(path, "rotate"), source);
  else if (node.find("axis"))
    pose.rotation = turn_z_to(read_direction(node, "axis", path, source));
  return pose;
}

VectorPath read_force(const JsonNode& node, const std::string& path, const SceneSource& source) {
  VectorPath force;
  if (node.kind == JsonNode::Kind::list) {
    force.times.push_back(0.0);
    force.values.push_back(to_vec3(node));
    return force;
  }
  const JsonNode& keyframes = *node.find("keyframes");
  for (std::size_t i = 0; i < keyframes.items.size(); ++i) {
    const JsonNode& item = keyframes.items[i];
    const std::string item_path = join_path(path, "keyframes") + "." + std::to_string(i);
    const double time = item.find("time")->number;
    check_time(time, i, i > 0 ? force.times.back() : 0.0, item, item_path, source);
    force.times.push_back(time);
    force.values.push_back(to_vec3(*item.find("value")));
  }
  return force;
}

}  // namespace sinew
