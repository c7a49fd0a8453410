// Checks of what sheets and springs need: triangles with area, edges that can bend, values within bounds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

#include <sinew/errors.hpp>

#include "engine/model/model_checks.hpp"

namespace sinew {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Materials with a form for triangles, by name: kernels/element/material/membrane.
constexpr std::string_view kSheetMaterials[] = {"arap", "corotated", "neo_hookean", "st_venant_kirchhoff"};

void check_material(const std::string& what, MaterialKind kind) {
  std::string names;
  for (const std::string_view name : kSheetMaterials) {
    if (name == to_string(kind)) return;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw ModelError(what + ": material '" + std::string(to_string(kind)) +
                   "' has no form for sheets; choose one of " + names);
}

void check_triangles(const std::string& what, const SurfaceMesh& mesh, const Vec3d& scale) {
  const Index nodes = static_cast<Index>(mesh.points.size());
  if (mesh.triangles.empty())
    throw MeshError(what + ": the sheet has no triangles; give a mesh that has some");
  for (Index i = 0; i < nodes; ++i)
    if (!is_finite(mesh.points[i])) throw MeshError(what + ": node " + std::to_string(i) + " is not finite");
  const bool alike = scale.x == scale.y && scale.y == scale.z;
  const std::string cure = alike ? "mend it with 'sinew mesh repair'"
                                 : "scale the axes alike, or mend it with 'sinew mesh repair'";
  std::vector<char> used(mesh.points.size(), 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    for (const Index node : v) {
      if (node < 0 || node >= nodes)
        throw MeshError(what + ": triangle " + std::to_string(t) + " names node " + std::to_string(node) +
                        ", there are " + std::to_string(nodes) + "; mend it with 'sinew mesh repair'");
      used[node] = 1;
    }
    const auto scaled = [&](int corner) {
      const Vec3d& x = mesh.points[v[corner]];
      return Vec3d{scale.x * x.x, scale.y * x.y, scale.z * x.z};
    };
    const Vec3d a = scaled(1) - scaled(0), b = scaled(2) - scaled(0), c = b - a;
    const double edge2 = std::max({squared_norm(a), squared_norm(b), squared_norm(c)});
    // Height over the longest edge against that edge; thinner triangles have no usable rest shape.
    if (!(norm(cross(a, b)) > 1e-8 * edge2)) {
      char area[32];
      std::snprintf(area, sizeof area, "%g", 0.5 * norm(cross(a, b)));
      throw MeshError(what + ": triangle " + std::to_string(t) + " is flattened to a line (area " + area +
                      " m^2); " + cure);
    }
  }
  for (Index i = 0; i < nodes; ++i)
    if (!used[i])
      throw MeshError(what + ": node " + std::to_string(i) +
                      " belongs to no triangle; mend it with 'sinew mesh repair'");
}

/// Bending acts between two triangles of an edge; a third one leaves no rule for who bends against whom.
void check_edges(const std::string& what, const SurfaceMesh& mesh) {
  std::vector<std::array<Index, 2>> edges;
  for (const Triangle& v : mesh.triangles)
    for (int c = 0; c < 3; ++c) {
      const auto [low, high] = std::minmax(v[c], v[(c + 1) % 3]);
      edges.push_back({low, high});
    }
  std::sort(edges.begin(), edges.end());
  for (std::size_t k = 2; k < edges.size(); ++k)
    if (edges[k] == edges[k - 2])
      throw MeshError(what + ": edge " + std::to_string(edges[k][0]) + "-" + std::to_string(edges[k][1]) +
                      " is in more than two triangles; split the sheet there, or set bending to none");
}

}  // namespace

void check_sheet(const std::string& what, const BodySpec& body) {
  const Sheet& sheet = *body.sheet;
  if (!body.mesh.tets.empty() || !body.mesh.nodes.empty())
    throw ModelError(what + ": has both tetrahedra and a sheet; make two bodies of them");
  check_material(what, body.material.kind);
  check_range(what, "thickness", sheet.thickness, 0.0, kInfinity, "m", true);
  if (sheet.area_density)
    check_range(what, "area_density", *sheet.area_density, 0.0, kInfinity, "kg/m^2", true);
  if (sheet.bending.stiffness)
    check_range(what, "bending.stiffness", *sheet.bending.stiffness, 0.0, kInfinity, "J");
  if (sheet.strain_limit) check_range(what, "strain_limit", *sheet.strain_limit, 0.0, kInfinity, "");
  check_triangles(what, sheet.mesh, body.transform.scale);
  if (sheet.bending.model != BendingModel::none) check_edges(what, sheet.mesh);
}

void check_springs(const std::string& what, const BodySpec& body) {
  const Index nodes = static_cast<Index>(body.nodes().size());
  for (std::size_t s = 0; s < body.springs.size(); ++s) {
    const Spring& spring = body.springs[s];
    const std::string name = what + ": spring " + std::to_string(s);
    for (const Index node : spring.nodes)
      if (node < 0 || node >= nodes)
        throw ModelError(name + " names node " + std::to_string(node) + "; its nodes are 0 to " +
                         std::to_string(nodes - 1));
    if (spring.nodes[0] == spring.nodes[1])
      throw ModelError(name + " has node " + std::to_string(spring.nodes[0]) +
                       " at both ends; give two different nodes");
    check_range(name, "stiffness", spring.stiffness, 0.0, kInfinity, "N/m");
    if (spring.rest_length) check_range(name, "rest_length", *spring.rest_length, 0.0, kInfinity, "m");
  }
}

}  // namespace sinew
