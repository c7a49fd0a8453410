// Contacts between surfaces: body against body, a body with itself, and bodies against mesh obstacles and the
// corners and edges of boxes. Points of bodies against analytic obstacles are in detect.hpp.
//
// Every surface has a tree of boxes over its triangles, made once and refit in every frame around the ways
// from start to end; points and edges come with the triangle that they belong to. Overlapping pairs go
// through the narrow phase in parallel; lists are joined in a fixed order.
#pragma once

#include <memory>
#include <vector>

#include "engine/collision/contact.hpp"
#include "engine/collision/detect.hpp"
#include "engine/collision/friction_table.hpp"

namespace sinew {

struct CarriedForce;
class Device;

struct CollisionFrame {
  std::vector<const Vec3d*> start,
      end;  ///< {bodies} node positions [m] at both ends of the path, internal order
  const std::vector<ObstacleFrame>* obstacles = nullptr;
  double margin = 0.0;             ///< [m] around the paths
  double max_depenetration = 0.0;  ///< [m] per frame
  const FrictionTable* friction = nullptr;
  bool enabled = true;
  const std::vector<CarriedForce>* carried = nullptr;  ///< of the last frame, in the order of keys; or null
};

/// Which of two contacts counts that differ in the last digits at most: on the edge of two triangles both may
/// see it, each with its own rounding.
enum class Equals {
  first_found,  ///< depends on the order of looking
  by_numbers    ///< does not: whoever finds the pairs, the contacts are the same to the bit
};

class CollisionScene {
 public:
  /// The bodies' precomputed parts must outlive the scene. Model and list have the same order of bodies.
  /// device: finds the pairs, for Equals::by_numbers; null: the host does.
  CollisionScene(const ModelData& model, const std::vector<std::shared_ptr<BodyPrecomputed>>& bodies,
                 Equals equals = Equals::first_found, std::shared_ptr<Device> device = nullptr);
  ~CollisionScene();
  CollisionScene(CollisionScene&&) noexcept;
  CollisionScene& operator=(CollisionScene&&) noexcept;

  /// Appends the contacts between surfaces, in the order of their keys.
  void detect(const CollisionFrame& frame, std::vector<Contact>& contacts);

  /// Appends what detect() did not foresee: pairs whose way from start to end crosses, or that end closer
  /// than half their thickness, and have no contact with that key yet. Returns how many.
  std::size_t add_missed(const CollisionFrame& frame, std::vector<Contact>& contacts);

  /// The same for nodes inside solids (feature node_triangle): those whose way leads through a surface. After
  /// add_missed() of the same frame.
  std::size_t add_inner(const CollisionFrame& frame, std::vector<Contact>& contacts);

  /// Deepest point [m] of a surface inside a closed one, true geometry without thickness, >= 0.
  double deepest_penetration(const std::vector<const Vec3d*>& position,
                             const std::vector<ObstacleFrame>& obstacles) const;

  /// Pairs of an edge and a triangle that cross: between bodies, within a body, with mesh obstacles.
  std::size_t count_intersections(const std::vector<const Vec3d*>& position,
                                  const std::vector<ObstacleFrame>& obstacles) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew
