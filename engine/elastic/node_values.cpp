#include "engine/elastic/node_values.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/element/contact/largest_eigenvalue.hpp"
#include "kernels/element/material/material_list.hpp"
#include "kernels/element/material/membrane/strain_limit.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/element/shape/triangle.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kGrain = 512;

Mat3d gradient_of_tet(const BodyPrecomputed& body, const Vec3d* x, std::size_t t) {
  const Tet& v = body.tets[t];
  return tet_deformation_gradient(x[v[0]], x[v[1]], x[v[2]], x[v[3]], body.rest_inverse[t]);
}

Mat32d gradient_of_triangle(const BodyPrecomputed& body, const Vec3d* x, std::size_t t) {
  const Triangle& v = body.triangles[t];
  return triangle_deformation_gradient(x[v[0]], x[v[1]], x[v[2]], body.triangle_inverse[t]);
}

double held(double j) {
  return std::max(j, kLeastRatio<double>);
}

/// sqrt(3/2 s : s), s the deviator; without the differences of a mean.
double von_mises(const Mat3d& s) {
  const double xy = s(0, 0) - s(1, 1), yz = s(1, 1) - s(2, 2), zx = s(2, 2) - s(0, 0);
  const double shear = s(0, 1) * s(0, 1) + s(1, 2) * s(1, 2) + s(2, 0) * s(2, 0);
  return std::sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * shear);
}

Mat3d times_transpose(const Mat32d& a, const Mat32d& b) {
  Mat3d r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(i, 0) * b(j, 0) + a(i, 1) * b(j, 1);
  return r;
}

ElasticParameters<double> parameters_of(const BodyPrecomputed& body) {
  return {body.shear_modulus, body.first_lame, body.mooney_ratio};
}

template <class Value>
std::vector<double> of_elements(std::size_t count, Value value) {
  std::vector<double> result(count);
  for_each(count, kGrain, [&](std::size_t t) { result[t] = value(t); });
  return result;
}

/// Means over the elements at each node.
std::vector<double> to_nodes(const BodyPrecomputed& body, const std::vector<double>& of_element) {
  const bool sheet = !body.triangles.empty();
  const std::vector<Index>& start = sheet ? body.triangle_incidence_start : body.incidence_start;
  const std::vector<Index>& place = sheet ? body.triangle_incidence : body.incidence;
  const std::vector<double>& volume = sheet ? body.triangle_volume : body.volume;
  const Index corners = sheet ? 3 : 4;
  std::vector<double> result(static_cast<std::size_t>(body.node_count));
  for_each(result.size(), kGrain, [&](std::size_t i) {
    double sum = 0.0, weight = 0.0;
    for (Index k = start[i]; k < start[i + 1]; ++k) {
      const Index element = place[k] / corners;
      sum += volume[element] * of_element[element];
      weight += volume[element];
    }
    result[i] = weight > 0.0 ? sum / weight : 0.0;
  });
  return result;
}

}  // namespace

std::vector<double> von_mises_stress(const BodyPrecomputed& body, const Vec3d* position) {
  const ElasticParameters<double> parameters = parameters_of(body);
  if (body.triangles.empty())
    return to_nodes(body, with_tet_material(body.kind, [&]<class M>(M) {
                      return of_elements(body.tets.size(), [&](std::size_t t) {
                        const Mat3d f = gradient_of_tet(body, position, t);
                        Mat3d stress;
                        M::energy_and_stress(parameters, f, stress);
                        return von_mises(stress * transpose(f)) / held(determinant(f));
                      });
                    }));
  return to_nodes(body, with_triangle_material(body.kind, [&]<class M>(M) {
                    return of_elements(body.triangles.size(), [&](std::size_t t) {
                      const Mat32d f = gradient_of_triangle(body, position, t);
                      Mat32d stress;
                      M::energy_and_stress(parameters, f, stress);
                      if (body.limit_stiffness > 0.0)
                        add_strain_limit(body.limit_stiffness, body.largest_stretch, f, stress);
                      return von_mises(times_transpose(stress, f)) /
                             held(norm(cross(f.column(0), f.column(1))));
                    });
                  }));
}

std::vector<double> principal_strain(const BodyPrecomputed& body, const Vec3d* position) {
  if (body.triangles.empty())
    return to_nodes(body, of_elements(body.tets.size(), [&](std::size_t t) {
                      const Mat3d f = gradient_of_tet(body, position, t);
                      return std::sqrt(largest_eigenvalue((transpose(f) * f).m)) - 1.0;
                    }));
  return to_nodes(body, of_elements(body.triangles.size(), [&](std::size_t t) {
                    const Mat32d f = gradient_of_triangle(body, position, t);
                    const Vec3d a = f.column(0), b = f.column(1);
                    const double aa = squared_norm(a), bb = squared_norm(b), ab = dot(a, b);
                    const double half = 0.5 * (aa - bb);
                    return std::sqrt(0.5 * (aa + bb) + std::sqrt(half * half + ab * ab)) - 1.0;
                  }));
}

}  // namespace sinew
