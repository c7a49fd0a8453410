#include "engine/precompute/elastic_rows.hpp"

#include <cmath>

#include "engine/precompute/assemble.hpp"

namespace sinew {

namespace {

/// |row x| below this share of its terms is rounding: the mesh is flat there.
constexpr double kFlat = 1e-10;

Vec3d value_of(const SquaredRows& rows, std::size_t s, const std::vector<Vec3d>& x, double& size) {
  Vec3d sum{};
  size = 0.0;
  const Vec3d origin = x[rows.node[rows.start[s]]];  // coefficients of bending rows sum to zero
  for (Index p = rows.start[s]; p < rows.start[s + 1]; ++p) {
    const Vec3d term = rows.coefficient[p] * (x[rows.node[p]] - origin);
    sum += term;
    size += norm(term);
  }
  return sum;
}

}  // namespace

double bending_stiffness(const BodySpec& spec) {
  const Sheet& sheet = *spec.sheet;
  const double t = sheet.thickness;
  // E / (1 - nu^2) in the constants of Lame.
  const double plate = 2.0 * spec.material.shear_modulus() + plane_stress_lame(spec.material);
  return sheet.bending.stiffness.value_or(plate * t * t * t / 12.0);
}

SquaredRows elastic_rows(const BodyData& body) {
  SquaredRows rows;
  if (body.spec.sheet) {
    const Bending& bending = body.spec.sheet->bending;
    const SurfaceMesh rest{body.rest_position, body.spec.sheet->mesh.triangles};
    double stiffness = bending_stiffness(body.spec);
    if (bending.model == BendingModel::isometric) {
      rows = isometric_bending_rows(rest);
      // A third of Bergou's weight: a cylinder bends one of three edges, three times as sharply, and would
      // cost three times the integral of its squared curvature.
      stiffness /= 3.0;
    } else if (bending.model == BendingModel::laplace_beltrami) {
      rows = laplace_beltrami_rows(rest);
    }
    for (std::size_t s = 0; s < rows.size(); ++s) {
      rows.weight[s] *= stiffness;
      if (bending.flat_rest) continue;
      double size = 0.0;
      const double length = norm(value_of(rows, s, body.rest_position, size));
      if (length > kFlat * size) rows.length[s] = length;
    }
  }
  for (const Spring& spring : body.spec.springs) {
    const Index a = spring.nodes[0], b = spring.nodes[1];
    rows.add(a, 1.0);
    rows.add(b, -1.0);
    rows.end_row(spring.stiffness,
                 spring.rest_length.value_or(norm(body.rest_position[a] - body.rest_position[b])));
  }
  return rows;
}

SquaredRows membrane_rows(const BodyData& body) {
  if (!body.spec.sheet) return {};
  SquaredRows rows = membrane_rows(SurfaceMesh{body.rest_position, body.spec.sheet->mesh.triangles});
  for (double& weight : rows.weight) weight *= body.spec.sheet->thickness;
  return rows;
}

SquaredRows renumbered(const SquaredRows& rows, const std::vector<Index>& index_of) {
  SquaredRows result;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    for (Index p = rows.start[s]; p < rows.start[s + 1]; ++p)
      if (index_of[rows.node[p]] >= 0) result.add(index_of[rows.node[p]], rows.coefficient[p]);
    result.end_row(rows.weight[s], rows.length[s]);
  }
  return result;
}

}  // namespace sinew
