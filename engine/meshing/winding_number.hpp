// Generalised winding number (Jacobson, Kavan & Sorkine-Hornung 2013): 1 inside, 0 outside a closed surface,
// and a smooth number between where the surface has holes.
#pragma once

#include <vector>

#include <sinew/mesh.hpp>

#include "engine/meshing/triangle_bvh.hpp"

namespace sinew {

/// Solid angle [sr] of triangle a, b, c seen from x, positive from the back (van Oosterom & Strackee 1983).
double solid_angle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// Sum over all triangles, for comparison.
double winding_number_by_sum(const SurfaceMesh& surface, const Vec3d& x);

/// Winding number with distant clusters replaced by a dipole and its first derivative (Barill et al. 2018).
class WindingNumber {
 public:
  /// A cluster counts as distant beyond `reach` of its radii.
  explicit WindingNumber(const TriangleBvh& bvh, double reach = 2.3);

  double operator()(const Vec3d& x) const;

 private:
  struct Cluster {
    Vec3d centre;          ///< [m] area-weighted
    double far_distance2;  ///< [m^2]
    Vec3d dipole;          ///< [m^2] sum of area times normal
    double moment[6];  ///< [m^3] sum of (point - centre) (x) area normal, symmetric part: xx yy zz xy yz zx
  };

  const TriangleBvh& bvh_;
  std::vector<Cluster> clusters_;
};

}  // namespace sinew
