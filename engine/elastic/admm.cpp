#include "engine/elastic/admm.hpp"

#include "kernels/element/material/material_list.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/element/shape/triangle.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kGrain = 64;

Mat3d tet_gradient(const BodyPrecomputed& body, const Vec3d* x, std::size_t t) {
  const Tet& tet = body.tets[t];
  return tet_deformation_gradient(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]], body.rest_inverse[t]);
}
Mat32d sheet_gradient(const BodyPrecomputed& body, const Vec3d* x, std::size_t t) {
  const Triangle& v = body.triangles[t];
  return triangle_deformation_gradient(x[v[0]], x[v[1]], x[v[2]], body.triangle_inverse[t]);
}
ElasticParameters<double> parameters(const BodyPrecomputed& body) {
  return {body.shear_modulus, body.first_lame, body.mooney_ratio};
}
template <class M, class F>
F stress_of(const ElasticParameters<double>& p, const F& f) {
  F stress;
  M::energy_and_stress(p, f, stress);
  return stress;
}

/// One element: dual in and out; returns what replaces the stress, less the stress.
template <class M, class F>
F sweep_element(const ElasticParameters<double>& p, double weight, const F& f, F& dual) {
  const F projected = M::projection(p, f + dual, weight);
  dual += f - projected;
  return weight * (f - projected + dual) - stress_of<M>(p, f);
}

}  // namespace

void begin_admm(const BodyPrecomputed& body, const Vec3d* position, AdmmWorkspace& workspace) {
  const ElasticParameters<double> p = parameters(body);
  const double flexibility = 1.0 / body.element_weight;
  workspace.dual.resize(body.tets.size());
  workspace.corner_gradient.resize(body.tets.size());
  with_tet_material(body.kind, [&]<class M>(M) {
    for_each(body.tets.size(), kGrain, [&](std::size_t t) {
      workspace.dual[t] = flexibility * stress_of<M>(p, tet_gradient(body, position, t));
    });
  });
  workspace.sheet_dual.resize(body.triangles.size());
  workspace.sheet_gradient.resize(body.triangles.size());
  with_triangle_material(body.kind, [&]<class M>(M) {
    for_each(body.triangles.size(), kGrain, [&](std::size_t t) {
      workspace.sheet_dual[t] = flexibility * stress_of<M>(p, sheet_gradient(body, position, t));
    });
  });
}

void sweep_admm(const BodyPrecomputed& body, double time_step, const Vec3d* position,
                AdmmWorkspace& workspace, Vec3d* correction) {
  const ElasticParameters<double> p = parameters(body);
  const double weight = body.element_weight, h2 = time_step * time_step;
  with_tet_material(body.kind, [&]<class M>(M) {
    for_each(body.tets.size(), kGrain, [&](std::size_t t) {
      const Mat3d stress = sweep_element<M>(p, weight, tet_gradient(body, position, t), workspace.dual[t]);
      workspace.corner_gradient[t] = tet_corner_gradients(stress, body.rest_inverse[t], body.volume[t]);
    });
  });
  with_triangle_material(body.kind, [&]<class M>(M) {
    for_each(body.triangles.size(), kGrain, [&](std::size_t t) {
      const Mat32d stress =
          sweep_element<M>(p, weight, sheet_gradient(body, position, t), workspace.sheet_dual[t]);
      workspace.sheet_gradient[t] =
          triangle_corner_gradients(stress, body.triangle_inverse[t], body.triangle_volume[t]);
    });
  });
  for_each(static_cast<std::size_t>(body.node_count), 256, [&](std::size_t i) {
    Vec3d sum{};
    if (!body.tets.empty()) {
      for (Index k = body.incidence_start[i]; k < body.incidence_start[i + 1]; ++k) {
        const Mat3d& g = workspace.corner_gradient[body.incidence[k] / 4];
        const Index corner = body.incidence[k] % 4;
        sum += corner > 0 ? g.column(corner - 1) : -(g.column(0) + g.column(1) + g.column(2));
      }
    }
    if (!body.triangles.empty()) {
      for (Index k = body.triangle_incidence_start[i]; k < body.triangle_incidence_start[i + 1]; ++k) {
        const Mat32d& g = workspace.sheet_gradient[body.triangle_incidence[k] / 3];
        const Index corner = body.triangle_incidence[k] % 3;
        sum += corner > 0 ? g.column(corner - 1) : -(g.column(0) + g.column(1));
      }
    }
    correction[i] = h2 * sum;
  });
}

}  // namespace sinew
