#include "tests/reference/plain_triangles.hpp"

#include <cmath>

#include "kernels/element/material/material_list.hpp"
#include "kernels/element/shape/triangle.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::reference {

namespace {

constexpr std::size_t kTriangleGrain = 256;

Mat32d gradient_of(const BodyPrecomputed& body, const Vec3d* x, std::size_t t) {
  const Triangle& v = body.triangles[t];
  return triangle_deformation_gradient(x[v[0]], x[v[1]], x[v[2]], body.triangle_inverse[t]);
}

/// Green strain (F^T F - I)/2: E_11, E_12, E_22.
std::array<double, 3> strain_of(const Mat32d& f) {
  const Vec3d a = f.column(0), b = f.column(1);
  return {0.5 * (dot(a, a) - 1.0), 0.5 * dot(a, b), 0.5 * (dot(b, b) - 1.0)};
}

/// Kelvin-Voigt damping in the plane, as add_kelvin_voigt() in space; lambda that of plane stress.
double add_damping(double mu, double lambda, const Mat32d& f, const std::array<double, 3>& start_strain,
                   Mat32d& stress) {
  std::array<double, 3> d = strain_of(f);
  for (int k = 0; k < 3; ++k) d[k] -= start_strain[k];
  const double tr = d[0] + d[2];
  Mat2d s;
  s(0, 0) = 2.0 * mu * d[0] + lambda * tr;
  s(0, 1) = s(1, 0) = 2.0 * mu * d[1];
  s(1, 1) = 2.0 * mu * d[2] + lambda * tr;
  stress += f * s;
  return mu * (d[0] * d[0] + 2.0 * d[1] * d[1] + d[2] * d[2]) + 0.5 * lambda * tr * tr;
}

/// Beyond the largest stretch s*: k/2 sum_i (s_i - s*)^2 over the principal stretches s_i > s*, by the
/// eigenvectors of F^T F; C1, and zero for any F within the limit.
double add_strain_limit(double stiffness, double largest, const Mat32d& f, Mat32d& stress) {
  const Vec3d a = f.column(0), b = f.column(1);
  const double c11 = dot(a, a), c12 = dot(a, b), c22 = dot(b, b);
  const double half = 0.5 * (c11 - c22), root = std::hypot(half, c12);
  const double upper = 0.5 * (c11 + c22) + root, lower = 0.5 * (c11 + c22) - root;
  if (!(upper > largest * largest)) return 0.0;
  // First principal direction (x, y), the other one across; any pair where both stretches are equal.
  double x = half >= 0.0 ? half + root : c12, y = half >= 0.0 ? c12 : root - half;
  const double length = std::hypot(x, y);
  x = length > 0.0 ? x / length : 1.0;
  y = length > 0.0 ? y / length : 0.0;
  double energy = 0.0;
  const auto add = [&](double squared, double vx, double vy) {
    if (!(squared > largest * largest)) return;
    const double stretch = std::sqrt(squared), over = stretch - largest;
    const Vec3d u = (stiffness * over / stretch) * (vx * a + vy * b);
    stress += Mat32d::columns(vx * u, vy * u);
    energy += 0.5 * stiffness * over * over;
  };
  add(upper, x, y);
  add(lower, -y, x);
  return energy;
}

/// psi [J/m^3] of the material and the strain limit.
template <class M>
double energy_and_stress(const BodyPrecomputed& body, const Mat32d& f, Mat32d& stress) {
  double energy =
      M::energy_and_stress(ElasticParameters<double>{body.shear_modulus, body.first_lame}, f, stress);
  if (body.limit_stiffness > 0.0)
    energy += add_strain_limit(body.limit_stiffness, body.largest_stretch, f, stress);
  return energy;
}

}  // namespace

void begin_plain_triangles(const BodyPrecomputed& body, const Vec3d* start,
                           PlainTriangleWorkspace& workspace) {
  workspace.corner_gradient.resize(body.triangles.size());
  if (body.beta <= 0.0) return;
  workspace.start_strain.resize(body.triangles.size());
  for_each(body.triangles.size(), kTriangleGrain,
           [&](std::size_t t) { workspace.start_strain[t] = strain_of(gradient_of(body, start, t)); });
}

ElementEnergies add_plain_triangles(const BodyPrecomputed& body, double time_step, const Vec3d* position,
                                    PlainTriangleWorkspace& workspace, Vec3d* gradient) {
  if (body.triangles.empty()) return {};
  const double h2 = time_step * time_step, viscosity = body.beta / time_step;
  const double damping_mu = viscosity * body.shear_modulus,
               damping_lambda = viscosity * plane_stress_lame(ElasticParameters<double>{body.shear_modulus,
                                                                                        body.first_lame});
  const ElementEnergies energies = with_triangle_material(body.kind, [&]<class M>(M) {
    return ordered_sum<ElementEnergies>(body.triangles.size(), workspace.sums, [&](std::size_t t) {
      const Mat32d f = gradient_of(body, position, t);
      Mat32d stress;
      const double volume = body.triangle_volume[t];
      ElementEnergies e;
      e.elastic = volume * energy_and_stress<M>(body, f, stress);
      if (body.beta > 0.0)
        e.damping = volume * add_damping(damping_mu, damping_lambda, f, workspace.start_strain[t], stress);
      workspace.corner_gradient[t] = triangle_corner_gradients(stress, body.triangle_inverse[t], volume);
      return e;
    });
  });
  for_each(static_cast<std::size_t>(body.node_count), kTriangleGrain, [&](std::size_t i) {
    Vec3d sum{};
    for (Index k = body.triangle_incidence_start[i]; k < body.triangle_incidence_start[i + 1]; ++k) {
      const Mat32d& g = workspace.corner_gradient[body.triangle_incidence[k] / 3];
      const Index corner = body.triangle_incidence[k] % 3;
      sum += corner > 0 ? g.column(corner - 1) : -(g.column(0) + g.column(1));
    }
    gradient[i] += h2 * sum;
  });
  return energies;
}

double plain_triangle_energy(const BodyPrecomputed& body, const Vec3d* position, std::vector<double>& sums) {
  if (body.triangles.empty()) return 0.0;
  return with_triangle_material(body.kind, [&]<class M>(M) {
    return ordered_sum<double>(body.triangles.size(), sums, [&](std::size_t t) {
      Mat32d stress;
      return body.triangle_volume[t] * energy_and_stress<M>(body, gradient_of(body, position, t), stress);
    });
  });
}

}  // namespace sinew::reference
