// What is simulated: bodies, obstacles, pins, forces. Built once, never changed afterwards.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <sinew/base/mat3.hpp>
#include <sinew/base/material_kind.hpp>
#include <sinew/handles.hpp>
#include <sinew/mesh.hpp>
#include <sinew/motion.hpp>

namespace sinew {

std::string_view to_string(MaterialKind kind);  ///< its name in scenes

/// Largest lambda / mu: 2 nu / (1 - 2 nu) at nu = 0.499, with room for rounding.
inline constexpr double kMostLameRatio = 499.0 * (1.0 + 1e-12);

/// Lamé's parameters, the other way to give the stiffness.
struct LameParameters {
  double shear_modulus = 0.0;  ///< mu [Pa], > 0
  double first_lame = 0.0;     ///< lambda [Pa], in [0, 499 mu]: nu <= 0.499
  friend bool operator==(const LameParameters&, const LameParameters&) = default;
};

/// Isotropic material in SI units.
struct Material {
  MaterialKind kind = MaterialKind::stable_neo_hookean;
  double young_modulus = 1e5;   ///< [Pa], > 0; not used where `lame` is set
  double poisson_ratio = 0.45;  ///< [1], in [0, 0.499]; not used where `lame` is set
  double rayleigh_alpha = 0.0;  ///< [1/s], >= 0: mass-proportional damping (damps rigid motion too)
  double rayleigh_beta = 0.01;  ///< [s], >= 0: stiffness-proportional damping (does not damp rigid motion)

  std::optional<LameParameters> lame = std::nullopt;  ///< takes the place of young_modulus and poisson_ratio
  double mooney_ratio = 0.2;  ///< [1], in [0, 1]: C01 / (C10 + C01), mooney_rivlin only

  double shear_modulus() const {  ///< mu [Pa]
    return lame ? lame->shear_modulus : young_modulus / (2.0 * (1.0 + poisson_ratio));
  }
  double first_lame() const {  ///< lambda [Pa]
    if (lame) return lame->first_lame;
    return young_modulus * poisson_ratio / ((1.0 + poisson_ratio) * (1.0 - 2.0 * poisson_ratio));
  }
  friend bool operator==(const Material&, const Material&) = default;
};

/// x -> rotation * (scale * x) + translation.
struct Transform {
  Vec3d scale{1.0, 1.0, 1.0};          ///< per axis, > 0
  Mat3d rotation = Mat3d::identity();  ///< proper rotation
  Vec3d translation{};                 ///< [m]
  Vec3d apply(const Vec3d& x) const {
    return rotation * Vec3d{scale.x * x.x, scale.y * x.y, scale.z * x.z} + translation;
  }
};

/// How a sheet resists bending; quadratic in the positions where flat is at rest (docs/cloth.md).
enum class BendingModel { none, isometric, laplace_beltrami };
std::string_view to_string(BendingModel model);

struct Bending {
  BendingModel model = BendingModel::isometric;
  /// [J], >= 0: of the squared sum of both curvatures per area. Default: plate theory, E t^3 / (12 (1 -
  /// nu^2)).
  std::optional<double> stiffness;
  bool flat_rest = false;  ///< true: flat is at rest; false: the curvature of the mesh is (without its sign)
};

/// A body made of triangles: cloth, foil, a thin shell.
struct Sheet {
  SurfaceMesh mesh;                    ///< in its own coordinates, open or closed
  double thickness = 1e-3;             ///< [m], > 0; not scaled by the body's transform
  std::optional<double> area_density;  ///< [kg/m^2], > 0; default: density times thickness
  Bending bending;
  /// [1], >= 0: largest principal stretch less 1 beyond which the sheet is kStrainLimitFactor times as stiff.
  std::optional<double> strain_limit;
  static constexpr double kStrainLimitFactor = 10.0;
};

/// Pulls two nodes of a body to a distance: stiffness/2 (|x_a - x_b| - rest_length)^2.
struct Spring {
  std::array<Index, 2> nodes{};       ///< of the body's mesh, 0-based
  double stiffness = 0.0;             ///< [N/m], >= 0
  std::optional<double> rest_length;  ///< [m], >= 0; default: the distance in the scaled mesh
};

/// A deformable body: tetrahedra, or a sheet of triangles (then mesh is empty).
struct BodySpec {
  std::string name;  ///< unique, not empty
  TetMesh mesh;      ///< in its own coordinates; transform brings it into the world
  Transform transform;
  Material material;
  double density = 1000.0;     ///< [kg/m^3], > 0
  double friction = 0.5;       ///< [1], >= 0; two in contact take the geometric mean, or their FrictionPair
  Vec3d velocity{};            ///< [m/s] at time 0
  Vec3d angular_velocity{};    ///< [rad/s] at time 0, about the centre of mass
  std::optional<Vec3d> color;  ///< linear RGB in [0, 1]
  std::optional<Sheet> sheet;
  std::vector<Spring> springs;

  /// [m], >= 0: offset of its surface in contact; two surfaces stay the sum of their offsets apart. Default:
  /// half a sheet's thickness; solids kSolidThickness of their diagonal against other surfaces and against
  /// mesh obstacles, 0 against the other obstacles.
  std::optional<double> contact_thickness = std::nullopt;
  std::optional<bool> self_contact = std::nullopt;  ///< contact with itself; default: sheets only
  static constexpr double kSolidThickness = 5e-4;   ///< of the bounding box's diagonal at the start

  const std::vector<Vec3d>& nodes() const { return sheet ? sheet->mesh.points : mesh.nodes; }
};

/// Obstacle shapes in local coordinates (z up).
struct HalfSpaceShape {};  ///< z <= 0 is solid
struct SphereShape {
  double radius = 0.0;
};  ///< [m]
struct BoxShape {
  Vec3d half_extents{};
};  ///< [m]
struct CapsuleShape {
  double radius = 0.0, half_length = 0.0;
};  ///< [m], axis z, half_length without the caps
struct CylinderShape {
  double radius = 0.0, half_length = 0.0;
};  ///< [m], axis z, flat ends
/// Rigid triangles, edges and points. Closed (every edge between two triangles that run against each other
/// along it): the side that the triangles turn away from is solid, and a body inside is pushed out. Open:
/// both sides of a triangle push, each to the side on which the body is.
struct MeshShape {
  SurfaceMesh mesh;                         ///< [m], obstacle coordinates; may have no triangles
  std::vector<std::array<Index, 2>> edges;  ///< further edges between points of the mesh: wires, blades
  std::vector<Index> points;                ///< further points of the mesh that are obstacles by themselves
  /// [m] offset all around (half the thickness of a plate). <= 0: kOpenThickness of the bounding box's
  /// diagonal, but 0 for a closed mesh without further edges and points.
  double thickness = 0.0;
  static constexpr double kOpenThickness = 1e-3;
};
using ObstacleShape =
    std::variant<HalfSpaceShape, SphereShape, BoxShape, CapsuleShape, CylinderShape, MeshShape>;
std::string_view to_string(const ObstacleShape& shape);

struct ObstacleSpec {
  std::string name;  ///< unique, not empty
  ObstacleShape shape;
  Pose pose;  ///< at time 0, before motion; its translation is the obstacle's origin (torques refer to it)
  Motion motion;          ///< about the obstacle's origin
  double friction = 0.5;  ///< [1], >= 0
  std::optional<Vec3d> color;
  bool movable = false;  ///< may be dragged in the viewer; Simulation::set_obstacle_pose() moves any
};

/// Nodes held or moved from outside. They leave the unknowns; the reaction is an output.
struct PinSpec {
  std::string name;  ///< unique, not empty
  std::string body;
  Region region;
  Motion motion;  ///< rigid motion of the held nodes; default: fixed
  std::optional<Vec3d>
      origin;  ///< [m] of rotation and of the reaction torque; default: centroid of the nodes
};

/// A force from outside on a region of a body.
struct ForceSpec {
  std::string name;
  std::string body;
  Region region;
  VectorPath force;  ///< [N], total over the region, shared out in proportion to node mass
};

/// Friction between two bodies, or a body and an obstacle, in place of the geometric mean of theirs.
struct FrictionPair {
  std::string a, b;       ///< names, in any order; at least one is a body
  double friction = 0.5;  ///< [1], >= 0
};

class ModelData;  // engine/model/model.hpp

/// Immutable model; cheap to copy (shared).
class Model {
 public:
  std::size_t body_count() const;
  std::size_t obstacle_count() const;
  std::size_t pin_count() const;
  std::size_t handle_count() const;
  const BodySpec& body(std::size_t i) const;
  const ObstacleSpec& obstacle(std::size_t i) const;
  const PinSpec& pin(std::size_t i) const;
  const HandleSpec& handle(std::size_t i) const;
  Vec3d gravity() const;  ///< [m/s^2]
  /// Index by name. @throws ModelError with the nearest known name.
  std::size_t body_index(std::string_view name) const;
  std::size_t obstacle_index(std::string_view name) const;
  std::size_t pin_index(std::string_view name) const;
  /// Surface for pictures, export and contact: embedded surface or boundary, as indices into
  /// Simulation::surface_points(body).
  const std::vector<Triangle>& surface_triangles(std::size_t body) const;
  double body_mass(std::size_t body) const;          ///< [kg]
  double body_rest_volume(std::size_t body) const;   ///< [m^3], with inside fractions; area times thickness
  double body_rest_area(std::size_t body) const;     ///< [m^2] of a sheet; 0 for tetrahedra
  const std::vector<std::string>& warnings() const;  ///< harmless repairs and remarks, one line each
  const ModelData& data() const { return *data_; }

 private:
  friend class ModelBuilder;
  std::shared_ptr<const ModelData> data_;
};

/// Collects parts, checks them and makes a Model.
class ModelBuilder {
 public:
  ModelBuilder();
  ~ModelBuilder();
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;

  ModelBuilder& gravity(const Vec3d& g);  ///< [m/s^2], default (0, 0, -9.81)
  /// @throws ModelError for a value out of range or a name used twice; MeshError for a mesh that cannot be
  /// simulated (with the command that mends it).
  ModelBuilder& add(BodySpec body);
  ModelBuilder& add(ObstacleSpec obstacle);
  ModelBuilder& add(PinSpec pin);
  ModelBuilder& add(ForceSpec force);
  ModelBuilder& add(HandleSpec handle);
  ModelBuilder& add(FrictionPair pair);
  /// @throws ModelError for an unknown name, an empty region, a friction pair given twice, or no body at all.
  Model build();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew
