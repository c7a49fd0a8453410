#include "engine/elastic/local_step.hpp"

#include <cmath>

#include "kernels/element/material/kelvin_voigt.hpp"
#include "kernels/element/material/material_list.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kElementGrain = 128;

Mat3d gradient_of(const BodyPrecomputed& body, const Vec3d* x, std::size_t t) {
  const Tet& tet = body.tets[t];
  return tet_deformation_gradient(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]], body.rest_inverse[t]);
}

struct EnergyPair {
  double elastic = 0.0, damping = 0.0;
  EnergyPair& operator+=(const EnergyPair& o) {
    elastic += o.elastic;
    damping += o.damping;
    return *this;
  }
};

ElasticParameters<double> parameters_of(const BodyPrecomputed& body) {
  return {body.shear_modulus, body.first_lame, body.mooney_ratio};
}

}  // namespace

void begin_elastic_frame(const BodyPrecomputed& body, const Vec3d* start, ElasticWorkspace& workspace) {
  begin_triangles(body, start, workspace.triangles);
  begin_rows(body, start, workspace.rows);
  workspace.corner_gradient.resize(body.tets.size());
  if (body.beta <= 0.0) return;
  workspace.start_strain.resize(body.tets.size());
  for_each(body.tets.size(), kElementGrain,
           [&](std::size_t t) { workspace.start_strain[t] = green_strain(gradient_of(body, start, t)); });
}

ElasticEnergy evaluate_elastic(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                               ElasticWorkspace& workspace, Vec3d* gradient) {
  const double h = input.time_step, h2 = h * h;
  const double damping_mu = body.beta / h * body.shear_modulus,
               damping_lambda = body.beta / h * body.first_lame;

  // 1. Elements: energies and corner gradients. Chunked sums need the energies in order, so they are summed
  //    in the same pass.
  std::vector<EnergyPair> chunk_sums;
  const ElasticParameters<double> params = parameters_of(body);
  EnergyPair elements = with_tet_material(body.kind, [&]<class M>(M) {
    return ordered_sum<EnergyPair>(body.tets.size(), chunk_sums, [&](std::size_t t) {
      const Mat3d f = gradient_of(body, position, t);
      Mat3d stress;
      EnergyPair pair;
      pair.elastic = body.volume[t] * M::energy_and_stress(params, f, stress);
      if (body.beta > 0.0)
        pair.damping = body.volume[t] *
                       add_kelvin_voigt(damping_mu, damping_lambda, f, workspace.start_strain[t], stress);
      workspace.corner_gradient[t] = tet_corner_gradients(stress, body.rest_inverse[t], body.volume[t]);
      return pair;
    });
  });

  // 2. Nodes: inertia, mass damping, gather.
  const double h_alpha = h * body.alpha;
  const double inertia =
      ordered_sum<double>(static_cast<std::size_t>(body.node_count), workspace.sums, [&](std::size_t i) {
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
  // 3. Triangles of sheets, bending and springs, if there are any.
  for (const ElementEnergies& e : {add_triangles(body, h, position, workspace.triangles, gradient),
                                   add_rows(body, h, position, workspace.rows, gradient)}) {
    elements.elastic += e.elastic;
    elements.damping += e.damping;
  }
  return {inertia + h2 * (elements.elastic + elements.damping), elements.elastic};
}

double elastic_energy(const BodyPrecomputed& body, const Vec3d* position, std::vector<double>& sums) {
  const ElasticParameters<double> params = parameters_of(body);
  const double others = triangle_energy(body, position, sums) + row_energy(body, position, sums);
  return others + with_tet_material(body.kind, [&]<class M>(M) {
           return ordered_sum<double>(body.tets.size(), sums, [&](std::size_t t) {
             Mat3d stress;
             return body.volume[t] * M::energy_and_stress(params, gradient_of(body, position, t), stress);
           });
         });
}

Index find_bad_element(const BodyPrecomputed& body, const Vec3d* position) {
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    const Mat3d f = gradient_of(body, position, t);
    if (!std::isfinite(double_dot(f, f))) return static_cast<Index>(t);
  }
  return find_bad_triangle(body, position);
}

}  // namespace sinew
