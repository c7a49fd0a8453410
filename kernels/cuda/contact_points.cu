// Device form of the law of one contact point. Compiled, not yet called by a frame.
#include "kernels/element/contact/coulomb.hpp"
#include "kernels/element/obstacle/obstacle_list.hpp"

namespace sinew {

constexpr int kBlockSize = 128;

/// Force of count independent contact points, see solve_coulomb_point().
__global__ void __launch_bounds__(kBlockSize)
    solve_points_kernel(int count, const Vec3d* gap_and_slip, const double* compliance, double friction,
                        Vec3d* force) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  force[i] = solve_coulomb_point(gap_and_slip[i], compliance[i], friction);
}

}  // namespace sinew
