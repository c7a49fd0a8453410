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

/// Winding number with distant clusters replaced by a dipole and its first two derivatives (Barill et al.
/// 2018, whose error at reach 2 is below 1e-2 on typical meshes; see the tests).
class WindingNumber {
 public:
  /// A cluster counts as distant beyond `reach` of its radii.
  explicit WindingNumber(const TriangleBvh& bvh, double reach = 2.0);

  double operator()(const Vec3d& x) const;

 private:
  /// Moments about the centre of n (area normal), with d = point - centre, integrated over the cluster.
  struct Cluster {
    Vec3d centre;          ///< [m] area-weighted
    double far_distance2;  ///< [m^2]
    Vec3d dipole;          ///< [m^2] n
    double quadratic[6];   ///< [m^3] (n.r)(d.r) as a polynomial in r: xx yy zz xy yz zx
    double cubic[10];      ///< [m^4] (n.r)(d.r)^2: xxx yyy zzz xxy xyy yyz yzz zzx zxx xyz
  };

  Cluster make_cluster(const TriangleBvh::Node& node, double reach) const;
  static double far_angle(const Cluster& cluster, const Vec3d& r, double r2);

  const TriangleBvh& bvh_;
  std::vector<Cluster> clusters_;
};

}  // namespace sinew
