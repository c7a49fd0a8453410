// Device form of the element functions: stress of each tetrahedron, one thread an element, and the law of one
// contact point. Compiled, not yet run on a GPU and not yet called by a frame.
#include "kernels/element/contact/coulomb.hpp"
#include "kernels/element/material/kelvin_voigt.hpp"
#include "kernels/element/material/material_list.hpp"
#include "kernels/element/obstacle/obstacle_list.hpp"
#include "kernels/element/shape/tet.hpp"

namespace sinew {

constexpr int kBlockSize = 128;

/// Energy density [J/m^3] and stress [Pa] of count deformation gradients.
template <class Material>
__global__ void __launch_bounds__(kBlockSize)
    evaluate_stress_kernel(int count, ElasticParameters<double> params, const Mat3d* gradient,
                           const Mat3d* start_strain, double viscosity_mu, double viscosity_lambda,
                           double* energy, Mat3d* stress) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  Mat3d p;
  double density = Material::energy_and_stress(params, gradient[i], p);
  density += add_kelvin_voigt(viscosity_mu, viscosity_lambda, gradient[i], start_strain[i], p);
  energy[i] = density;
  stress[i] = p;
}

template __global__ void evaluate_stress_kernel<Arap>(int, ElasticParameters<double>, const Mat3d*,
                                                      const Mat3d*, double, double, double*, Mat3d*);
template __global__ void evaluate_stress_kernel<StableNeoHookean>(int, ElasticParameters<double>,
                                                                  const Mat3d*, const Mat3d*, double, double,
                                                                  double*, Mat3d*);
template __global__ void evaluate_stress_kernel<Corotated>(int, ElasticParameters<double>, const Mat3d*,
                                                           const Mat3d*, double, double, double*, Mat3d*);
template __global__ void evaluate_stress_kernel<FixedCorotated>(int, ElasticParameters<double>, const Mat3d*,
                                                                const Mat3d*, double, double, double*,
                                                                Mat3d*);
template __global__ void evaluate_stress_kernel<NeoHookean>(int, ElasticParameters<double>, const Mat3d*,
                                                            const Mat3d*, double, double, double*, Mat3d*);
template __global__ void evaluate_stress_kernel<StVenantKirchhoff>(int, ElasticParameters<double>,
                                                                   const Mat3d*, const Mat3d*, double, double,
                                                                   double*, Mat3d*);
template __global__ void evaluate_stress_kernel<MooneyRivlin>(int, ElasticParameters<double>, const Mat3d*,
                                                              const Mat3d*, double, double, double*, Mat3d*);

/// The same of sheets, without damping.
template <class Membrane>
__global__ void __launch_bounds__(kBlockSize)
    evaluate_membrane_kernel(int count, ElasticParameters<double> params, const Mat32d* gradient,
                             double* energy, Mat32d* stress) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) energy[i] = Membrane::energy_and_stress(params, gradient[i], stress[i]);
}

template __global__ void evaluate_membrane_kernel<MembraneArap>(int, ElasticParameters<double>, const Mat32d*,
                                                                double*, Mat32d*);
template __global__ void evaluate_membrane_kernel<MembraneCorotated>(int, ElasticParameters<double>,
                                                                     const Mat32d*, double*, Mat32d*);
template __global__ void evaluate_membrane_kernel<MembraneNeoHookean>(int, ElasticParameters<double>,
                                                                      const Mat32d*, double*, Mat32d*);
template __global__ void evaluate_membrane_kernel<MembraneStVenantKirchhoff>(int, ElasticParameters<double>,
                                                                             const Mat32d*, double*, Mat32d*);

/// Force of count independent contact points, see solve_coulomb_point().
__global__ void __launch_bounds__(kBlockSize)
    solve_points_kernel(int count, const Vec3d* gap_and_slip, const double* compliance, double friction,
                        Vec3d* force) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  force[i] = solve_coulomb_point(gap_and_slip[i], compliance[i], friction);
}

}  // namespace sinew
