#include "tests/reference/plain_local_step.hpp"

#include "kernels/element/material/kelvin_voigt.hpp"
#include "kernels/element/material/material_list.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::reference {

namespace {

Mat3d gradient_of(const BodyPrecomputed& body, const Vec3d* x, std::size_t t) {
  const Tet& tet = body.tets[t];
  return tet_deformation_gradient(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]], body.rest_inverse[t]);
}

}  // namespace

void begin_plain_frame(const BodyPrecomputed& body, const Vec3d* start, PlainWorkspace& workspace) {
  workspace.corner_gradient.resize(body.tets.size());
  workspace.start_strain.resize(body.tets.size());
  for_each(body.tets.size(), 128,
           [&](std::size_t t) { workspace.start_strain[t] = green_strain(gradient_of(body, start, t)); });
}

ElasticEnergy evaluate_plain(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                             PlainWorkspace& workspace, Vec3d* gradient) {
  const double h = input.time_step, h2 = h * h;
  const double damping_mu = body.beta / h * body.shear_modulus,
               damping_lambda = body.beta / h * body.first_lame;
  const ElasticParameters<double> params{body.shear_modulus, body.first_lame, body.mooney_ratio};
  const ElementEnergies elements = with_tet_material(body.kind, [&]<class M>(M) {
    return ordered_sum<ElementEnergies>(body.tets.size(), workspace.element_sums, [&](std::size_t t) {
      const Mat3d f = gradient_of(body, position, t);
      Mat3d stress;
      ElementEnergies e;
      e.elastic = body.volume[t] * M::energy_and_stress(params, f, stress);
      if (body.beta > 0.0)
        e.damping = body.volume[t] *
                    add_kelvin_voigt(damping_mu, damping_lambda, f, workspace.start_strain[t], stress);
      workspace.corner_gradient[t] = tet_corner_gradients(stress, body.rest_inverse[t], body.volume[t]);
      return e;
    });
  });
  const double h_alpha = h * body.alpha;
  const double inertia =
      ordered_sum<double>(static_cast<std::size_t>(body.node_count), workspace.node_sums, [&](std::size_t i) {
        const Vec3d from_predicted = position[i] - input.predicted[i];
        const Vec3d from_start = position[i] - input.start[i];
        Vec3d force{};
        for (Index k = body.incidence_start[i]; k < body.incidence_start[i + 1]; ++k) {
          const Mat3d& g = workspace.corner_gradient[body.incidence[k] / 4];
          const Index corner = body.incidence[k] % 4;
          force += corner > 0 ? g.column(corner - 1) : -(g.column(0) + g.column(1) + g.column(2));
        }
        gradient[i] = body.mass[i] * (from_predicted + h_alpha * from_start) + h2 * force;
        return 0.5 * body.mass[i] * (squared_norm(from_predicted) + h_alpha * squared_norm(from_start));
      });
  return {inertia + h2 * (elements.elastic + elements.damping), elements.elastic};
}

}  // namespace sinew::reference
