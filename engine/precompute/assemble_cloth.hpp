// The constant scalar system of cloth: mass, in-plane stiffness of triangles, bending that is quadratic in
// the positions. Every energy is a sum of squares of linear functions of the nodes,
//
//     E = 1/2 sum_s weight_s |row_s x|^2,          A_s = M + h^2 sum_s weight_s row_s^T row_s,
//
// so a model is a list of sparse rows, and all models share one assembly.
//
// Isometric bending: Bergou, Wardetzky, Harmon, Zorin, Grinspun, "A Quadratic Bending Model for Inextensible
// Surfaces", 2006. Laplace-Beltrami bending: L^T M^-1 L with the cotangent Laplacian L and Voronoi areas M.
#pragma once

#include <vector>

#include <sinew/mesh.hpp>
#include <sinew/model.hpp>

#include "engine/precompute/column_assembly.hpp"
#include "host/cholesky.hpp"

namespace sinew {

/// Material of a sheet, per rest area.
struct SheetMaterial {
  double area_density = 0.2;        ///< [kg/m^2], > 0
  double membrane_weight = 1e3;     ///< [N/m], >= 0: Young's modulus times thickness, of |F - P|^2 per area
  double bending_stiffness = 1e-4;  ///< [J], >= 0: of the squared mean curvature (sum of both) per area
  BendingModel bending = BendingModel::isometric;
};

/// sum_s weight[s] (|row_s x| - length[s])^2 over sparse rows; A_s takes their weights, whatever the lengths.
struct SquaredRows {
  std::vector<Index> start{0};  ///< {row count + 1}
  std::vector<Index> node;      ///< distinct within a row
  std::vector<double> coefficient;
  std::vector<double> weight;  ///< {row count}
  std::vector<double> length;  ///< {row count}, >= 0: |row x| at rest

  std::size_t size() const { return weight.size(); }
  void add(Index n, double c) {
    node.push_back(n);
    coefficient.push_back(c);
  }
  void end_row(double w, double rest_length = 0.0) {
    start.push_back(static_cast<Index>(node.size()));
    weight.push_back(w);
    length.push_back(rest_length);
  }
};

/// Two rows per triangle, the components of the gradient [1/m] along two axes of its rest plane; weight: its
/// rest area [m^2]. @throws MeshError for an index out of range or a triangle without area.
SquaredRows membrane_rows(const SurfaceMesh& mesh);

/// One row per inner edge over the four nodes of its two triangles; weight 3 / (A_0 + A_1) [1/m^2].
/// Zero for affine functions of a flat rest shape. Bending a grid along one of its axes costs three times the
/// integral of the squared curvature, since one of three edges bends alone. @throws MeshError as above, or
/// for an edge of more than two triangles.
SquaredRows isometric_bending_rows(const SurfaceMesh& mesh);

/// One row per inner node over its neighbours, (L x)_i with weights (cot + cot) / 2; weight 1 / A_i [1/m^2],
/// A_i the area nearest to the node (mixed Voronoi). Nodes of the boundary have none: there L x holds a
/// boundary term, which would pull at the rim of a flat sheet. @throws MeshError as above.
SquaredRows laplace_beltrami_rows(const SurfaceMesh& mesh);

/// [kg], {node count}: a third of the mass of the triangles around each node.
std::vector<double> sheet_node_mass(const SurfaceMesh& mesh, double area_density);

struct ScaledRows {
  const SquaredRows* rows;
  double factor;
};

/// Rows of several forms by node, ready to be added column by column.
class RowColumns {
 public:
  RowColumns(std::vector<ScaledRows> forms, std::size_t node_count);
  /// Adds factor * weight_s row_s^T row_s of every form to column j of the lower triangle.
  void add_to(Index j, ColumnContributions& column) const;

 private:
  struct Incidence {  ///< of one form: its rows by node, as places in SquaredRows::node
    std::vector<Index> start, place, row;
  };
  std::vector<ScaledRows> forms_;
  std::vector<Incidence> incidences_;
};

/// diag(diagonal) + sum over the forms of factor * weight_s row_s^T row_s.
SymmetricMatrix assemble_rows(const std::vector<double>& diagonal, const std::vector<ScaledRows>& forms);

/// A_s [kg] of a sheet for steps of h [s], no node pinned.
SymmetricMatrix assemble_sheet(const SurfaceMesh& mesh, const SheetMaterial& material, double h);

}  // namespace sinew
