#include "engine/elastic/unfold.hpp"

#include <algorithm>

#include "kernels/element/shape/tet.hpp"
#include "kernels/element/small_matrix/polar.hpp"

namespace sinew {

namespace {
constexpr double kCollapsed = 1e-6;
}

bool unfolding_forces(const BodyPrecomputed& body, const Vec3d* position, Vec3d* force) {
  if (body.kind == MaterialKind::arap) return false;
  bool found = false;
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    const Tet& tet = body.tets[t];
    const Mat3d f = tet_deformation_gradient(position[tet[0]], position[tet[1]], position[tet[2]],
                                             position[tet[3]], body.rest_inverse[t]);
    const Mat3d c = cofactor(f);  // of the size of the product of the two largest singular values
    const double size2 = std::max(1.0, double_dot(f, f));
    if (double_dot(c, c) > kCollapsed * kCollapsed * size2 * size2) continue;
    found = true;
    const Mat3d g = tet_corner_gradients(body.element_weight * (polar_rotation(f) - f), body.rest_inverse[t],
                                         body.volume[t]);
    for (int corner = 1; corner < 4; ++corner) {
      force[tet[corner]] += g.column(corner - 1);
      force[tet[0]] -= g.column(corner - 1);
    }
  }
  return found;
}

}  // namespace sinew
