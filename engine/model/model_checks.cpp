#include "engine/model/model_checks.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

#include <sinew/errors.hpp>

namespace sinew {

namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_vector(const std::string& what, const char* field, const Vec3d& v) {
  if (!is_finite(v)) throw ModelError(what + ": " + field + " is not a finite vector");
}

void check_rotation(const std::string& what, const Mat3d& r) {
  const Mat3d e = transpose(r) * r - Mat3d::identity();
  if (!(double_dot(e, e) < 1e-12) || !(determinant(r) > 0.0))
    throw ModelError(what + ": its rotation is not a proper rotation matrix");
}

void check_mesh(const std::string& what, const TetMesh& mesh, const Vec3d& scale) {
  const Index nodes = static_cast<Index>(mesh.nodes.size());
  if (mesh.tets.empty())
    throw MeshError(what + ": the mesh has no tetrahedra; make some with 'sinew mesh tetrahedralize'");
  for (Index i = 0; i < nodes; ++i)
    if (!is_finite(mesh.nodes[i])) throw MeshError(what + ": node " + std::to_string(i) + " is not finite");
  std::vector<char> used(mesh.nodes.size(), 0);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    for (const Index node : mesh.tets[t]) {
      if (node < 0 || node >= nodes)
        throw MeshError(what + ": element " + std::to_string(t) + " names node " + std::to_string(node) +
                        ", there are " + std::to_string(nodes) + "; mend it with 'sinew mesh repair'");
      used[node] = 1;
    }
    const Tet& e = mesh.tets[t];
    const auto scaled = [&](int corner) {
      const Vec3d& x = mesh.nodes[e[corner]];
      return Vec3d{scale.x * x.x, scale.y * x.y, scale.z * x.z};
    };
    const double volume = tet_volume(scaled(0), scaled(1), scaled(2), scaled(3));
    double edge2 = 0.0;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) edge2 = std::max(edge2, squared_norm(scaled(a) - scaled(b)));
    if (!(volume > 1e-12 * edge2 * std::sqrt(edge2)))
      throw MeshError(what + ": element " + std::to_string(t) + (volume < 0 ? " is inverted" : " is flat") +
                      " (volume " + number(volume) + "); mend it with 'sinew mesh repair'");
  }
  for (Index i = 0; i < nodes; ++i)
    if (!used[i])
      throw MeshError(what + ": node " + std::to_string(i) +
                      " belongs to no element; mend it with 'sinew mesh repair'");
  if (!mesh.inside_fraction.empty()) {
    if (mesh.inside_fraction.size() != mesh.tets.size())
      throw MeshError(what + ": inside_fraction has " + std::to_string(mesh.inside_fraction.size()) +
                      " values for " + std::to_string(mesh.tets.size()) + " elements");
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      if (!(mesh.inside_fraction[t] > 0.0 && mesh.inside_fraction[t] <= 1.0))
        throw MeshError(what + ": inside_fraction of element " + std::to_string(t) + " is not in (0, 1]");
  }
  const EmbeddedSurface& s = mesh.surface;
  if (s.tet.size() != s.weights.size())
    throw MeshError(what + ": embedded surface has " + std::to_string(s.tet.size()) + " carriers for " +
                    std::to_string(s.weights.size()) + " weights");
  for (std::size_t p = 0; p < s.tet.size(); ++p) {
    double sum = 0.0;
    for (const double w : s.weights[p]) sum += w;
    if (s.tet[p] < 0 || s.tet[p] >= static_cast<Index>(mesh.tets.size()) || !(std::abs(sum - 1.0) < 1e-6))
      throw MeshError(what + ": embedded point " + std::to_string(p) +
                      " has no carrier or weights that do not sum to 1");
  }
  for (const Triangle& t : s.triangles)
    for (const Index p : t)
      if (p < 0 || p >= static_cast<Index>(s.tet.size()))
        throw MeshError(what + ": an embedded triangle names point " + std::to_string(p) + ", there are " +
                        std::to_string(s.tet.size()));
}

}  // namespace

void check_range(const std::string& what, const char* field, double value, double low, double high,
                 const char* unit, bool open_low) {
  const bool good = std::isfinite(value) && (open_low ? value > low : value >= low) && value <= high;
  if (good) return;
  std::string bounds = (open_low ? "> " : ">= ") + number(low);
  if (high < kInfinity) bounds += " and <= " + number(high);
  throw ModelError(what + ": " + field + " is " + number(value) + ", must be " + bounds +
                   (*unit ? std::string(" ") + unit : ""));
}

void check_body(const BodySpec& body) {
  const std::string what = "body '" + body.name + "'";
  const Material& m = body.material;
  if (m.lame) {
    check_range(what, "shear_modulus", m.lame->shear_modulus, 0.0, kInfinity, "Pa", true);
    check_range(what, "first_lame", m.lame->first_lame, 0.0, kInfinity, "Pa");
    if (m.lame->first_lame > kMostLameRatio * m.lame->shear_modulus)
      throw ModelError(what + ": first_lame " + number(m.lame->first_lame) + " Pa with shear_modulus " +
                       number(m.lame->shear_modulus) +
                       " Pa is a Poisson's ratio above 0.499; give a first_lame of " +
                       "at most 499 times shear_modulus");
  } else {
    check_range(what, "young_modulus", m.young_modulus, 0.0, kInfinity, "Pa", true);
    check_range(what, "poisson_ratio", m.poisson_ratio, 0.0, 0.499, "");
  }
  check_range(what, "mooney_ratio", m.mooney_ratio, 0.0, 1.0, "");
  check_range(what, "rayleigh_alpha", m.rayleigh_alpha, 0.0, kInfinity, "1/s");
  check_range(what, "rayleigh_beta", m.rayleigh_beta, 0.0, kInfinity, "s");
  check_range(what, "density", body.density, 0.0, kInfinity, "kg/m^3", true);
  check_range(what, "friction", body.friction, 0.0, kInfinity, "");
  if (body.contact_thickness)
    check_range(what, "contact_thickness", *body.contact_thickness, 0.0, kInfinity, "m");
  for (int i = 0; i < 3; ++i) check_range(what, "scale", body.transform.scale[i], 0.0, kInfinity, "", true);
  check_rotation(what, body.transform.rotation);
  check_vector(what, "translation", body.transform.translation);
  check_vector(what, "velocity", body.velocity);
  check_vector(what, "angular_velocity", body.angular_velocity);
  if (body.sheet)
    check_sheet(what, body);
  else
    check_mesh(what, body.mesh, body.transform.scale);
  check_springs(what, body);
}

void check_motion(const Motion& motion, const std::string& what) {
  check_vector(what, "velocity", motion.velocity);
  check_vector(what, "spin", motion.spin);
  for (std::size_t i = 0; i < motion.keyframes.size(); ++i) {
    const auto& key = motion.keyframes[i];
    check_vector(what, "keyframe translation", key.translation);
    check_vector(what, "keyframe rotation", key.rotation);
    if (!std::isfinite(key.time) || (i > 0 && !(key.time > motion.keyframes[i - 1].time)))
      throw ModelError(what + ": keyframe " + std::to_string(i) + " is at " + number(key.time) +
                       " s; times must increase from one keyframe to the next");
  }
}

void check_path(const VectorPath& path, const std::string& what) {
  if (path.values.empty() || path.times.size() != path.values.size())
    throw ModelError(what + ": has " + std::to_string(path.times.size()) + " times for " +
                     std::to_string(path.values.size()) + " values; both need the same number, at least 1");
  for (std::size_t i = 0; i < path.values.size(); ++i) {
    check_vector(what, "value", path.values[i]);
    if (!std::isfinite(path.times[i]) || (i > 0 && !(path.times[i] > path.times[i - 1])))
      throw ModelError(what + ": key " + std::to_string(i) + " is at " + number(path.times[i]) +
                       " s; times must increase from one key to the next");
  }
}

std::array<double, 3> obstacle_dimensions(const ObstacleShape& shape) {
  struct Visit {
    std::array<double, 3> operator()(const HalfSpaceShape&) const { return {}; }
    std::array<double, 3> operator()(const SphereShape& s) const { return {s.radius, 0, 0}; }
    std::array<double, 3> operator()(const BoxShape& s) const {
      return {s.half_extents.x, s.half_extents.y, s.half_extents.z};
    }
    std::array<double, 3> operator()(const CapsuleShape& s) const { return {s.radius, s.half_length, 0}; }
    std::array<double, 3> operator()(const CylinderShape& s) const { return {s.radius, s.half_length, 0}; }
    std::array<double, 3> operator()(const MeshShape& s) const { return {s.thickness, 0, 0}; }
  };
  return std::visit(Visit{}, shape);
}

void check_obstacle(const ObstacleSpec& obstacle) {
  const std::string what = "obstacle '" + obstacle.name + "'";
  const auto positive = [&](const char* field, double value) {
    check_range(what, field, value, 0.0, kInfinity, "m", true);
  };
  if (const auto* s = std::get_if<SphereShape>(&obstacle.shape)) positive("radius", s->radius);
  if (const auto* s = std::get_if<BoxShape>(&obstacle.shape))
    for (int i = 0; i < 3; ++i) positive("half_extents", s->half_extents[i]);
  if (const auto* s = std::get_if<CapsuleShape>(&obstacle.shape)) {
    positive("radius", s->radius);
    check_range(what, "half_length", s->half_length, 0.0, kInfinity, "m");
  }
  if (const auto* s = std::get_if<CylinderShape>(&obstacle.shape)) {
    positive("radius", s->radius);
    positive("half_length", s->half_length);
  }
  if (const auto* s = std::get_if<MeshShape>(&obstacle.shape)) check_mesh_shape(what, *s);
  check_range(what, "friction", obstacle.friction, 0.0, kInfinity, "");
  check_rotation(what, obstacle.pose.rotation);
  check_vector(what, "position", obstacle.pose.translation);
  check_motion(obstacle.motion, what);
}

}  // namespace sinew
