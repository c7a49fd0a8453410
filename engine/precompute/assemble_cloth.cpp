#include "engine/precompute/assemble_cloth.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <sinew/errors.hpp>

#include "engine/precompute/column_assembly.hpp"

namespace sinew {

namespace {

/// Half edge: from node a to node b in a triangle, c its third node. Sorted by (low, high), then by triangle.
struct HalfEdge {
  Index low, high, triangle, opposite;
};

std::vector<HalfEdge> half_edges(const SurfaceMesh& mesh) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int c = 0; c < 3; ++c) {
      const Triangle& v = mesh.triangles[t];
      const Index a = v[c], b = v[(c + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), static_cast<Index>(t), v[(c + 2) % 3]});
    }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
  });
  return edges;
}

bool same_edge(const HalfEdge& a, const HalfEdge& b) {
  return a.low == b.low && a.high == b.high;
}

/// f(first half edge, number of triangles on it) for every edge.
template <class F>
void for_each_edge(const std::vector<HalfEdge>& edges, F&& f) {
  for (std::size_t k = 0; k < edges.size();) {
    std::size_t end = k + 1;
    while (end < edges.size() && same_edge(edges[k], edges[end])) ++end;
    if (end - k > 2)
      throw MeshError("edge " + std::to_string(edges[k].low) + "-" + std::to_string(edges[k].high) +
                      " is in " + std::to_string(end - k) +
                      " triangles; bending needs at most two: split the sheet there");
    f(&edges[k], end - k);
    k = end;
  }
}

/// Areas [m^2] of all triangles. @throws MeshError.
std::vector<double> checked_areas(const SurfaceMesh& mesh) {
  std::vector<double> area;
  area.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    const std::string name = "triangle " + std::to_string(area.size());
    for (const Index node : t)
      if (node < 0 || static_cast<std::size_t>(node) >= mesh.points.size())
        throw MeshError(name + " names node " + std::to_string(node) + ", the sheet has " +
                        std::to_string(mesh.points.size()) + "; mend it with 'sinew mesh repair'");
    const Vec3d &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    area.push_back(0.5 * norm(cross(b - a, c - a)));
    // Also false for numbers that are none.
    if (!(area.back() > 1e-14 * (squared_norm(b - a) + squared_norm(c - a))))
      throw MeshError(name + " has no area; mend the sheet with 'sinew mesh repair'");
  }
  return area;
}

/// Cotangent of the angle at corner between a and b.
double cotangent(const Vec3d& corner, const Vec3d& a, const Vec3d& b) {
  return dot(a - corner, b - corner) / norm(cross(a - corner, b - corner));
}

std::vector<double> node_areas(const SurfaceMesh& mesh, const std::vector<double>& area) {
  std::vector<double> result(mesh.points.size(), 0.0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const Index node : mesh.triangles[t]) result[node] += area[t] / 3.0;
  return result;
}

/// Areas of points nearer to a node than to its neighbours; in obtuse triangles half and quarters instead
/// (Meyer, Desbrun, Schroeder, Barr 2003). A third of each triangle would make nodes of a grid with
/// alternating diagonals differ by a factor of two, and a cylinder 12.5 % too costly.
std::vector<double> mixed_areas(const SurfaceMesh& mesh, const std::vector<double>& area) {
  std::vector<double> result(mesh.points.size(), 0.0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    double cot[3];
    int obtuse = -1;
    for (int c = 0; c < 3; ++c) {
      cot[c] = cotangent(mesh.points[v[c]], mesh.points[v[(c + 1) % 3]], mesh.points[v[(c + 2) % 3]]);
      if (cot[c] < 0.0) obtuse = c;
    }
    for (int c = 0; c < 3; ++c) {
      const int next = (c + 1) % 3, last = (c + 2) % 3;
      if (obtuse >= 0)
        result[v[c]] += (c == obtuse ? 0.5 : 0.25) * area[t];
      else
        result[v[c]] += (squared_norm(mesh.points[v[next]] - mesh.points[v[c]]) * cot[last] +
                         squared_norm(mesh.points[v[last]] - mesh.points[v[c]]) * cot[next]) /
                        8.0;
    }
  }
  return result;
}

}  // namespace

SquaredRows membrane_rows(const SurfaceMesh& mesh) {
  const std::vector<double> area = checked_areas(mesh);
  SquaredRows rows;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    const Vec3d b = mesh.points[v[1]] - mesh.points[v[0]], c = mesh.points[v[2]] - mesh.points[v[0]];
    // Rest plane with its first axis along b: b = (b1, 0), c = (c1, c2).
    const double b1 = norm(b), c1 = dot(b, c) / b1, c2 = 2.0 * area[t] / b1;
    const double along[2] = {1.0 / b1, 0.0}, across[2] = {-c1 / (b1 * c2), 1.0 / c2};
    for (const auto& g : {along, across}) {
      rows.add(v[0], -g[0] - g[1]);
      rows.add(v[1], g[0]);
      rows.add(v[2], g[1]);
      rows.end_row(area[t]);
    }
  }
  return rows;
}

SquaredRows isometric_bending_rows(const SurfaceMesh& mesh) {
  const std::vector<double> area = checked_areas(mesh);
  SquaredRows rows;
  for_each_edge(half_edges(mesh), [&](const HalfEdge* edge, std::size_t count) {
    if (count < 2) return;
    // x0 x1 the edge, x2 and x3 opposite; Bergou et al., section 3: K over these four.
    const Vec3d &x0 = mesh.points[edge[0].low], &x1 = mesh.points[edge[0].high];
    const Vec3d &x2 = mesh.points[edge[0].opposite], &x3 = mesh.points[edge[1].opposite];
    const double c01 = cotangent(x0, x1, x2), c02 = cotangent(x0, x1, x3);
    const double c03 = cotangent(x1, x0, x2), c04 = cotangent(x1, x0, x3);
    rows.add(edge[0].low, c03 + c04);
    rows.add(edge[0].high, c01 + c02);
    rows.add(edge[0].opposite, -c01 - c03);
    rows.add(edge[1].opposite, -c02 - c04);
    rows.end_row(3.0 / (area[edge[0].triangle] + area[edge[1].triangle]));
  });
  return rows;
}

SquaredRows laplace_beltrami_rows(const SurfaceMesh& mesh) {
  const std::vector<double> around = mixed_areas(mesh, checked_areas(mesh));
  const std::size_t n = mesh.points.size();
  std::vector<char> inner(n, 1);
  struct Link {
    Index node, neighbour;
    double weight;
  };
  std::vector<Link> links;
  for_each_edge(half_edges(mesh), [&](const HalfEdge* edge, std::size_t count) {
    const Index a = edge->low, b = edge->high;
    if (count < 2) inner[a] = inner[b] = 0;
    double weight = 0.0;
    for (std::size_t k = 0; k < count; ++k)
      weight += 0.5 * cotangent(mesh.points[edge[k].opposite], mesh.points[a], mesh.points[b]);
    links.push_back({a, b, weight});
    links.push_back({b, a, weight});
  });
  std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.node < b.node; });
  SquaredRows rows;
  for (std::size_t k = 0; k < links.size();) {
    const Index i = links[k].node;
    double sum = 0.0;
    for (; k < links.size() && links[k].node == i; ++k) {
      if (!inner[i]) continue;
      rows.add(links[k].neighbour, links[k].weight);
      sum += links[k].weight;
    }
    if (!inner[i]) continue;
    rows.add(i, -sum);
    rows.end_row(1.0 / around[i]);
  }
  return rows;
}

std::vector<double> sheet_node_mass(const SurfaceMesh& mesh, double area_density) {
  std::vector<double> mass = node_areas(mesh, checked_areas(mesh));
  for (double& m : mass) m *= area_density;
  return mass;
}

RowColumns::RowColumns(std::vector<ScaledRows> forms, std::size_t node_count) : forms_(std::move(forms)) {
  for (const ScaledRows& form : forms_) {
    Incidence& in = incidences_.emplace_back();
    in.start.assign(node_count + 1, 0);
    for (const Index node : form.rows->node) ++in.start[node + 1];
    std::partial_sum(in.start.begin(), in.start.end(), in.start.begin());
    in.place.resize(form.rows->node.size());
    in.row.resize(form.rows->node.size());
    std::vector<Index> cursor(in.start.begin(), in.start.end() - 1);
    for (std::size_t s = 0; s < form.rows->size(); ++s)
      for (Index p = form.rows->start[s]; p < form.rows->start[s + 1]; ++p) {
        const Index k = cursor[form.rows->node[p]]++;
        in.place[k] = p;
        in.row[k] = static_cast<Index>(s);
      }
  }
}

void RowColumns::add_to(Index j, ColumnContributions& column) const {
  for (std::size_t f = 0; f < forms_.size(); ++f) {
    const SquaredRows& rows = *forms_[f].rows;
    const Incidence& in = incidences_[f];
    for (Index k = in.start[j]; k < in.start[j + 1]; ++k) {
      const Index s = in.row[k];
      const double scale = forms_[f].factor * rows.weight[s] * rows.coefficient[in.place[k]];
      for (Index p = rows.start[s]; p < rows.start[s + 1]; ++p)
        if (rows.node[p] >= j) column.add(rows.node[p], scale * rows.coefficient[p]);
    }
  }
}

SymmetricMatrix assemble_rows(const std::vector<double>& diagonal, const std::vector<ScaledRows>& forms) {
  const RowColumns rows(forms, diagonal.size());
  return assemble_columns(diagonal.size(), [&](Index j, ColumnContributions& column) {
    column.add(j, diagonal[j]);
    rows.add_to(j, column);
  });
}

SymmetricMatrix assemble_sheet(const SurfaceMesh& mesh, const SheetMaterial& material, double h) {
  const SquaredRows membrane = membrane_rows(mesh);
  SquaredRows bending;
  if (material.bending == BendingModel::isometric) bending = isometric_bending_rows(mesh);
  if (material.bending == BendingModel::laplace_beltrami) bending = laplace_beltrami_rows(mesh);
  return assemble_rows(
      sheet_node_mass(mesh, material.area_density),
      {{&membrane, h * h * material.membrane_weight}, {&bending, h * h * material.bending_stiffness}});
}

}  // namespace sinew
