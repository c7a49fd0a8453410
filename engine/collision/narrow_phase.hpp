// Contacts of single pairs of features: a point with a triangle, an edge with an edge.
//
// A pair whose ways cross gets the plane of its first hit. Another pair gets the direction between its
// nearest points, if that is a local minimum of distance: the direction lies within the normal cone of the
// nearest feature. So a point above a fan of triangles has one contact, and two inner edges of flat surfaces
// have none (ghost forces, Erleben 2018); a flat edge over a sharp one has. Normals and weights stay fixed in
// the frame.
#pragma once

#include <vector>

#include "engine/collision/collision_scene.hpp"
#include "engine/collision/surface_state.hpp"

namespace sinew {

/// [rad] by which a pair that pressed in the last frame may miss the tests of direction. Without it resting
/// contacts at the border of a cone come and go with the frames, and the bodies hum.
inline constexpr double kKept = 0.02;

/// A surface with its state in this frame.
struct PresentSurface {
  const Surface* surface = nullptr;
  const SurfaceTopology* topology = nullptr;
  const SurfaceTrees* trees = nullptr;
  const SurfaceState* state = nullptr;
};

/// A contact with what is needed to tell it from its equals.
struct FoundContact {
  Contact contact;
  bool hit = false;     ///< from crossing ways
  double time = 0.0;    ///< [1] of the hit
  bool at_end = false;  ///< from the nearest places at the end, not at the start
};

/// A place on a surface: a point, or within an edge or a triangle.
struct SurfacePlace {
  Index count = 0;
  std::array<Index, 3> point{};
  std::array<double, 3> weight{};

  Vec3d at(const std::vector<Vec3d>& x) const {
    Vec3d sum{};
    for (Index k = 0; k < count; ++k) sum += weight[k] * x[point[k]];
    return sum;
  }
};

enum class DetectMode {
  all,     ///< whatever can touch in the frame
  missed,  ///< only what crosses, or ends closer than half the thickness
};

/// Two surfaces (or one with itself) in one frame.
class NarrowPhase {
 public:
  NarrowPhase(const PresentSurface& a, const PresentSurface& b, const CollisionFrame& frame, DetectMode mode);

  /// {points of a}: 1 where a's point starts inside b (closed), and the other way round; empty: nowhere.
  std::vector<char> a_inside, b_inside;

  /// Point of a (or of b, if swapped) against a triangle of the other.
  void point_face(Index point, Index face, bool swapped, std::vector<FoundContact>& found) const;
  void edge_edge(Index edge_a, Index edge_b, std::vector<FoundContact>& found) const;
  /// The way out of the other surface for a point that starts inside.
  void exit(Index point, bool swapped, std::vector<FoundContact>& found) const;

  /// The first place where the way of a node inside a body (a is its inner surface) leads into b.
  void inner_node(Index node, std::vector<FoundContact>& found) const;

  double thickness() const { return thickness_; }  ///< [m] the surfaces keep apart
  bool self() const { return self_; }

 private:
  struct Separation {
    Vec3d n;                 ///< pushes the first place off the second
    double start_gap = 0.0;  ///< [m] at the start, thickness taken off
    double thickness = 0.0;  ///< [m]
    bool hit = false;
    double time = 0.0;
    bool at_end = false;
  };

  void emit(const PresentSurface& first, const SurfacePlace& p, const PresentSurface& second,
            const SurfacePlace& q, Separation s, ContactKey key, std::vector<FoundContact>& found) const;
  bool nothing_moves(const PresentSurface& a, const Index* p, int np, const PresentSurface& b, const Index* q,
                     int nq) const;
  bool hit_point_face(const PresentSurface& s, Index point, const PresentSurface& t, Index face,
                      double distance, std::vector<FoundContact>& found) const;
  bool hit_edges(Index edge_a, Index edge_b, double distance, std::vector<FoundContact>& found) const;
  ContactKey point_key(const PresentSurface& s, Index point, const PresentSurface& t, Index face,
                       TrianglePart part) const;
  ContactKey edge_key(Index edge_a, Index edge_b) const;
  bool slipped(const ContactKey& key, const Vec3d& n, const SurfaceTopology& b) const;
  bool pressed(const ContactKey& key) const;  ///< in the last frame
  double rest_thickness(double rest_distance) const;
  double edge_rest_thickness(Index edge_a, Index edge_b) const;
  double flatness(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index edge) const;

  PresentSurface a_, b_;
  const CollisionFrame& frame_;
  DetectMode mode_;
  bool self_;
  double thickness_;
  double friction_;
};

}  // namespace sinew
