#include "engine/elastic/triangle_step.hpp"

#include <cmath>

#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kTriangleGrain = 256;

/// Columns of the 3 x 2 deformation gradient F = [b - a, c - a] D_m^-1.
std::array<Vec3d, 2> gradient_of(const BodyPrecomputed& body, const Vec3d* x, std::size_t t) {
  const Triangle& v = body.triangles[t];
  const auto& inverse = body.triangle_inverse[t];
  const Vec3d b = x[v[1]] - x[v[0]], c = x[v[2]] - x[v[0]];
  return {inverse[0] * b, inverse[1] * b + inverse[2] * c};
}

std::array<double, 3> strain_of(const std::array<Vec3d, 2>& f) {
  return {0.5 * (dot(f[0], f[0]) - 1.0), 0.5 * dot(f[0], f[1]), 0.5 * (dot(f[1], f[1]) - 1.0)};
}

/// psi [J/m^3] and its stress [Pa]: mu |F - R|^2 with the rotation R = (F + N) / sqrt(i + 2 J), N the
/// cofactor.
double energy_and_stress(const BodyPrecomputed& body, const std::array<Vec3d, 2>& f,
                         std::array<Vec3d, 2>& stress) {
  const double mu = body.shear_modulus;
  const Vec3d normal = cross(f[0], f[1]);
  const double j = norm(normal), sum2 = dot(f[0], f[0]) + dot(f[1], f[1]) + 2.0 * j, sum = std::sqrt(sum2);
  if (!(sum > 0.0)) {
    stress = {};
    return 2.0 * mu;
  }
  const Vec3d n = j > 0.0 ? normal / j : Vec3d{};
  const Vec3d cofactor[2] = {cross(f[1], n), cross(n, f[0])};
  for (int k = 0; k < 2; ++k) stress[k] = (2.0 * mu) * (f[k] - (f[k] + cofactor[k]) / sum);
  return mu * (sum2 - 2.0 * j - 2.0 * sum + 2.0);
}

}  // namespace

void begin_triangles(const BodyPrecomputed& body, const Vec3d* start, TriangleWorkspace& workspace) {
  workspace.corner_gradient.resize(body.triangles.size());
  if (body.beta <= 0.0) return;
  workspace.start_strain.resize(body.triangles.size());
  for_each(body.triangles.size(), kTriangleGrain,
           [&](std::size_t t) { workspace.start_strain[t] = strain_of(gradient_of(body, start, t)); });
}

ElementEnergies add_triangles(const BodyPrecomputed& body, double time_step, const Vec3d* position,
                              TriangleWorkspace& workspace, Vec3d* gradient) {
  if (body.triangles.empty()) return {};
  const double h2 = time_step * time_step;
  const double damping_mu = body.beta / time_step * body.shear_modulus,
               damping_lambda = body.beta / time_step * body.first_lame;
  const ElementEnergies energies =
      ordered_sum<ElementEnergies>(body.triangles.size(), workspace.sums, [&](std::size_t t) {
        const std::array<Vec3d, 2> f = gradient_of(body, position, t);
        std::array<Vec3d, 2> stress;
        const double volume = body.triangle_volume[t];
        ElementEnergies e;
        e.elastic = volume * energy_and_stress(body, f, stress);
        if (body.beta > 0.0) {
          std::array<double, 3> d = strain_of(f);
          for (int k = 0; k < 3; ++k) d[k] -= workspace.start_strain[t][k];
          const double tr = d[0] + d[2];
          e.damping = volume * (damping_mu * (d[0] * d[0] + 2.0 * d[1] * d[1] + d[2] * d[2]) +
                                0.5 * damping_lambda * tr * tr);
          const double s11 = 2.0 * damping_mu * d[0] + damping_lambda * tr, s12 = 2.0 * damping_mu * d[1],
                       s22 = 2.0 * damping_mu * d[2] + damping_lambda * tr;
          stress[0] += s11 * f[0] + s12 * f[1];
          stress[1] += s12 * f[0] + s22 * f[1];
        }
        const auto& inverse = body.triangle_inverse[t];
        workspace.corner_gradient[t] = {volume * (inverse[0] * stress[0] + inverse[1] * stress[1]),
                                        (volume * inverse[2]) * stress[1]};
        return e;
      });
  for_each(static_cast<std::size_t>(body.node_count), kTriangleGrain, [&](std::size_t i) {
    Vec3d sum{};
    for (Index k = body.triangle_incidence_start[i]; k < body.triangle_incidence_start[i + 1]; ++k) {
      const std::array<Vec3d, 2>& g = workspace.corner_gradient[body.triangle_incidence[k] / 3];
      const Index corner = body.triangle_incidence[k] % 3;
      sum += corner > 0 ? g[corner - 1] : -(g[0] + g[1]);
    }
    gradient[i] += h2 * sum;
  });
  return energies;
}

double triangle_energy(const BodyPrecomputed& body, const Vec3d* position, std::vector<double>& sums) {
  return ordered_sum<double>(body.triangles.size(), sums, [&](std::size_t t) {
    std::array<Vec3d, 2> stress;
    return body.triangle_volume[t] * energy_and_stress(body, gradient_of(body, position, t), stress);
  });
}

Index find_bad_triangle(const BodyPrecomputed& body, const Vec3d* position) {
  for (std::size_t t = 0; t < body.triangles.size(); ++t) {
    const std::array<Vec3d, 2> f = gradient_of(body, position, t);
    if (!std::isfinite(dot(f[0], f[0]) + dot(f[1], f[1]))) return static_cast<Index>(t);
  }
  return -1;
}

}  // namespace sinew
