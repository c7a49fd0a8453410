#include "engine/elastic/local_step.hpp"

#include <cmath>

#include "engine/elastic/block_material.hpp"
#include "engine/elastic/block_step.hpp"
#include "kernels/element/material/membrane/plane_stress.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/element/shape/triangle.hpp"

namespace sinew {

BlockMaterial<double> block_material(const BodyPrecomputed& body, double h) {
  const double viscosity = body.beta / h;
  const double lambda =
      body.triangles.empty()
          ? body.first_lame
          : plane_stress_lame(ElasticParameters<double>{body.shear_modulus, body.first_lame});
  return {body.shear_modulus, body.first_lame,      body.mooney_ratio,   viscosity * body.shear_modulus,
          viscosity * lambda, body.largest_stretch, body.limit_stiffness};
}

void begin_elastic_frame(const BodyPrecomputed& body, const Vec3d* start, ElasticWorkspace& workspace) {
  begin_rows(body, start, workspace.rows);
  const ElementBlocks<double>& elements = body.blocks;
  workspace.partial.resize(4 * elements.node.size());
  workspace.energy.resize(elements.blocks.size());
  if (body.beta <= 0.0) return;
  workspace.start_strain.resize(elements.strain_values() * elements.volume.size());
  block_strains(elements, *workspace.kernels, start, workspace.start_strain.data());
}

ElasticEnergy evaluate_elastic(const BodyPrecomputed& body, const ElasticInput& input, const Vec3d* position,
                               ElasticWorkspace& workspace, Vec3d* gradient) {
  const double h = input.time_step, h2 = h * h;
  const ElementBlocks<double>& elements = body.blocks;

  // 1. Blocks of elements: energies and sums of gradients.
  const BlockMaterial<double> material = block_material(body, h);
  const double* start_strain = body.beta > 0.0 ? workspace.start_strain.data() : nullptr;
  const auto evaluate =
      workspace.kernels->of(elements).evaluate[material_number(body.kind, elements.corners)];
  BlockEnergy sum = evaluate_blocks(elements, evaluate, material, position, start_strain,
                                    workspace.partial.data(), workspace.energy.data());

  // 2. Nodes: inertia, mass damping, gather.
  const double h_alpha = h * body.alpha;
  const double* partial = workspace.partial.data();
  const double inertia =
      ordered_sum<double>(static_cast<std::size_t>(body.node_count), workspace.sums, [&](std::size_t i) {
        const Vec3d from_predicted = position[i] - input.predicted[i];
        const Vec3d from_start = position[i] - input.start[i];
        const Vec3d force = gather_node(elements, partial, i);
        gradient[i] = body.mass[i] * (from_predicted + h_alpha * from_start) + h2 * force;
        return 0.5 * body.mass[i] * (squared_norm(from_predicted) + h_alpha * squared_norm(from_start));
      });
  // 3. Bending and springs, if there are any.
  const ElementEnergies rows = add_rows(body, h, position, workspace.rows, gradient);
  sum.elastic += rows.elastic;
  sum.damping += rows.damping;
  return {inertia + h2 * (sum.elastic + sum.damping), sum.elastic};
}

double elastic_energy(const BodyPrecomputed& body, const Vec3d* position, std::vector<double>& sums) {
  double total = row_energy(body, position, sums);
  const ElementBlocks<double>& elements = body.blocks;
  const BlockMaterial<double> material = block_material(body, 1.0);
  const auto energy =
      local_kernels<double>().of(elements).energy[material_number(body.kind, elements.corners)];
  sums.resize(elements.blocks.size());
  for_each(elements.blocks.size(), 1, [&](std::size_t b) {
    const BlockInput<double> block{&elements.blocks[b], &elements, position, nullptr, nullptr};
    sums[b] = energy(block, material);
  });
  for (const double s : sums) total += s;
  return total;
}

Index find_bad_element(const BodyPrecomputed& body, const Vec3d* position) {
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    const Tet& tet = body.tets[t];
    const Mat3d f = tet_deformation_gradient(position[tet[0]], position[tet[1]], position[tet[2]],
                                             position[tet[3]], body.rest_inverse[t]);
    if (!std::isfinite(double_dot(f, f))) return static_cast<Index>(t);
  }
  for (std::size_t t = 0; t < body.triangles.size(); ++t) {
    const Triangle& v = body.triangles[t];
    const Mat32d f = triangle_deformation_gradient(position[v[0]], position[v[1]], position[v[2]],
                                                   body.triangle_inverse[t]);
    if (!std::isfinite(double_dot(f, f))) return static_cast<Index>(t);
  }
  return -1;
}

}  // namespace sinew
