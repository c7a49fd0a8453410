#include "engine/precompute/assemble.hpp"

#include <algorithm>
#include <numeric>

#include "engine/precompute/column_assembly.hpp"
#include "engine/precompute/elastic_rows.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

/// Tetrahedra by the row of their corners: 4 * tet + corner, ascending.
struct Incidence {
  std::vector<Index> start;  ///< {size + 1}
  std::vector<Index> corner;
};

Incidence incidence_of(const std::vector<Tet>& tets, const std::vector<Index>& index_of, std::size_t size) {
  Incidence result;
  result.start.assign(size + 1, 0);
  for (const Tet& tet : tets)
    for (const Index node : tet)
      if (index_of[node] >= 0) ++result.start[index_of[node] + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.corner.resize(result.start.back());
  std::vector<Index> cursor(result.start.begin(), result.start.end() - 1);
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (int c = 0; c < 4; ++c)
      if (const Index j = index_of[tets[t][c]]; j >= 0)
        result.corner[cursor[j]++] = static_cast<Index>(4 * t + c);
  return result;
}

}  // namespace

double rest_weight(const Material& material) {
  if (material.kind == MaterialKind::arap) return 2.0 * material.shear_modulus();
  return 2.0 * material.shear_modulus() + material.first_lame();
}

double plane_stress_lame(const Material& material) {
  const double mu = material.shear_modulus(), lambda = material.first_lame();
  return 2.0 * lambda * mu / (lambda + 2.0 * mu);
}

double membrane_weight(const Material& material) {
  if (material.kind == MaterialKind::arap) return 2.0 * material.shear_modulus();
  return 2.0 * material.shear_modulus() + plane_stress_lame(material);
}

SymmetricMatrix assemble(const std::vector<Tet>& tets, const std::vector<TetMatrix>& element,
                         const std::vector<Index>& index_of, const std::vector<double>& diagonal,
                         const RowColumns* rows) {
  const std::size_t size = diagonal.size();
  const Incidence incidence = incidence_of(tets, index_of, size);
  return assemble_columns(size, [&](Index j, ColumnContributions& column) {
    column.add(j, diagonal[j]);
    for (Index k = incidence.start[j]; k < incidence.start[j + 1]; ++k) {
      const Index t = incidence.corner[k] / 4;
      const int a = incidence.corner[k] % 4;
      for (int b = 0; b < 4; ++b) {
        const Index i = index_of[tets[t][b]];
        if (i < j) continue;  // upper triangle, or no row at all
        const int high = std::max(a, b), low = std::min(a, b);
        column.add(i, element[t][high * (high + 1) / 2 + low]);
      }
    }
    if (rows) rows->add_to(j, column);
  });
}

SymmetricMatrix assemble_system(const BodyData& body, const std::vector<Index>& index_of, Index size,
                                double h) {
  const Material& material = body.spec.material;
  const std::vector<Tet>& tets = body.spec.mesh.tets;
  const std::vector<Vec3d>& x = body.rest_position;
  const double elastic = h * h * (1.0 + material.rayleigh_beta / h),
               stiffness = elastic * rest_weight(material);
  std::vector<TetMatrix> element(tets.size());
  for_each(tets.size(), 1024, [&](std::size_t t) {
    const Tet& tet = tets[t];
    const Mat3d inverse_edges = inverse(tet_edges(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]));
    Vec3d g[4];
    for (int c = 1; c < 4; ++c) {
      g[c] = inverse_edges.row(c - 1);
      g[0] -= g[c];
    }
    const double scale = stiffness * body.tet_volume[t];
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b <= a; ++b) element[t][a * (a + 1) / 2 + b] = scale * dot(g[a], g[b]);
  });
  std::vector<double> diagonal(size);
  for (std::size_t i = 0; i < index_of.size(); ++i)
    if (index_of[i] >= 0) diagonal[index_of[i]] = (1.0 + h * material.rayleigh_alpha) * body.node_mass[i];
  const SquaredRows membrane = renumbered(membrane_rows(body), index_of);
  const SquaredRows others = renumbered(elastic_rows(body), index_of);
  const RowColumns rows({{&membrane, elastic * membrane_weight(material)}, {&others, elastic}},
                        diagonal.size());
  return assemble(tets, element, index_of, diagonal, &rows);
}

}  // namespace sinew
