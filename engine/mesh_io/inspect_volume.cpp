// Judging tetrahedral meshes.
#include <algorithm>
#include <cmath>

#include "engine/mesh_io/inspect.hpp"

namespace sinew::mesh_io {

namespace {

constexpr int kFace[4][3] = {
    {1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // outward; face f is opposite to corner f
constexpr double kPi = 3.14159265358979323846;
constexpr double kSmallAngleDeg = 5.0, kLargeAngleDeg = 175.0;

struct Shape {
  double volume, quality, min_angle, max_angle;  // angles in degrees
};

// Mean-ratio quality 12 (3 V)^(2/3) / sum of squared edges: 1 for the regular tetrahedron
// (A. Liu, B. Joe: On the shape of tetrahedra from bisection, 1994).
Shape shape_of(const std::vector<Vec3d>& nodes, const Tet& tet) {
  static constexpr int kEdge[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                      {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  Vec3d p[4];
  for (std::size_t k = 0; k < 4; ++k) p[k] = nodes[static_cast<std::size_t>(tet[k])];
  Shape shape{tet_volume(p[0], p[1], p[2], p[3]), 0.0, 180.0, 0.0};
  double edges = 0.0;
  for (const auto& edge : kEdge) {
    const Vec3d e = p[edge[1]] - p[edge[0]];
    edges += squared_norm(e);
    // The parts of the two other corners that are orthogonal to the edge, turned by 90 degrees.
    const Vec3d a = cross(e, p[edge[2]] - p[edge[0]]), b = cross(e, p[edge[3]] - p[edge[0]]);
    const double angle = std::atan2(norm(cross(a, b)), dot(a, b)) * 180.0 / kPi;
    shape.min_angle = std::min(shape.min_angle, angle);
    shape.max_angle = std::max(shape.max_angle, angle);
  }
  const double ratio = 12.0 * std::cbrt(9.0 * shape.volume * shape.volume) / edges;
  shape.quality = edges > 0 ? ratio : 0.0;
  return shape;
}

void inspect_boundary(const std::vector<Triangle>& boundary, MeshReport& report, FaultWriter& faults) {
  std::vector<std::array<Index, 2>> edges;
  for (const Triangle& t : boundary)
    for (std::size_t k = 0; k < 3; ++k)
      edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  std::sort(edges.begin(), edges.end());
  std::vector<Index> pinched;
  report.closed = true;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t j = i + 1;
    while (j < edges.size() && edges[j] == edges[i]) ++j;
    if (j - i > 2) pinched.push_back(edges[i][0]);
    if ((j - i) % 2 != 0) report.closed = false;
    i = j;
  }
  faults.nodes("non_manifold_edge", MeshFault::Severity::note, pinched,
               "edges (given by their first node) join parts of the boundary like a hinge");
}

}  // namespace

VolumeTopology volume_topology(const std::vector<Vec3d>& nodes, const std::vector<Tet>& tets,
                               const std::vector<ElementState>& states) {
  VolumeTopology out;
  out.inverted.assign(tets.size(), 0);
  out.overlapping.assign(tets.size(), 0);
  out.crowded.assign(tets.size(), 0);
  struct Face {
    Triangle sorted;
    std::size_t origin;  // tetrahedron * 4 + face
  };
  std::vector<Face> faces;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    if (states[t] != ElementState::good) continue;
    const Tet& tet = tets[t];
    const Vec3d* p = nodes.data();
    out.inverted[t] = tet_volume(p[tet[0]], p[tet[1]], p[tet[2]], p[tet[3]]) < 0;
    ++out.good;
    out.negative += out.inverted[t] ? 1 : 0;
    for (std::size_t f = 0; f < 4; ++f) {
      Triangle key{tet[kFace[f][0]], tet[kFace[f][1]], tet[kFace[f][2]]};
      std::sort(key.begin(), key.end());
      faces.push_back({key, t * 4 + f});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.origin < b.origin;
  });
  const char rare =
      out.negative > out.good - out.negative ? 0 : 1;  // the orientation that fewer elements have
  std::vector<std::size_t> single;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t j = i + 1;
    while (j < faces.size() && faces[j].sorted == faces[i].sorted) ++j;
    if (j - i == 1) single.push_back(faces[i].origin);
    if (j - i > 2)
      for (std::size_t k = i; k < j; ++k) out.crowded[faces[k].origin / 4] = 1;
    if (j - i == 2) {
      // Seen from the shared face the two apexes must lie on different sides, whatever the order of the
      // nodes.
      const Triangle& f = faces[i].sorted;
      bool positive[2];
      std::size_t tet[2];
      for (std::size_t k = 0; k < 2; ++k) {
        tet[k] = faces[i + k].origin / 4;
        const Index apex = tets[tet[k]][faces[i + k].origin % 4];
        positive[k] =
            tet_volume(nodes[f[0]], nodes[f[1]], nodes[f[2]], nodes[static_cast<std::size_t>(apex)]) > 0;
      }
      if (positive[0] == positive[1]) {
        const bool one_rare = (out.inverted[tet[0]] == rare) != (out.inverted[tet[1]] == rare);
        for (const std::size_t t : tet)
          if (!one_rare || out.inverted[t] == rare) out.overlapping[t] = 1;
      }
    }
    i = j;
  }
  std::sort(single.begin(), single.end());
  for (const std::size_t origin : single) {
    const Tet& tet = tets[origin / 4];
    const int* corner = kFace[origin % 4];
    Triangle triangle{tet[corner[0]], tet[corner[1]], tet[corner[2]]};
    if (out.inverted[origin / 4]) std::swap(triangle[0], triangle[1]);
    out.boundary.push_back(triangle);
  }
  for (std::size_t t = 0; t < tets.size(); ++t)
    if (out.overlapping[t]) out.inverted[t] = 0;  // no swap of nodes mends it
  return out;
}

void inspect_volume(const MeshFile& file, MeshReport& report) {
  const std::vector<Vec3d>& nodes = file.mesh.nodes;
  const std::vector<Tet>& tets = file.mesh.tets;
  report.elements = tets.size();
  FaultWriter faults(file, report);
  const std::vector<ElementState> states = tet_states(nodes, tets);
  const VolumeTopology topology = volume_topology(nodes, tets, states);
  report.triangles = topology.boundary.size();

  const bool fractions = file.mesh.inside_fraction.size() == tets.size();
  report.min_dihedral_deg = 180.0;
  std::vector<std::size_t> poor, bad_fraction, inverted, overlapping, crowded;
  DisjointSets sets(nodes.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    if (fractions && !(file.mesh.inside_fraction[t] > 0 && file.mesh.inside_fraction[t] <= 1))
      bad_fraction.push_back(t);
    if (topology.inverted[t]) inverted.push_back(t);
    if (topology.overlapping[t]) overlapping.push_back(t);
    if (topology.crowded[t]) crowded.push_back(t);
    if (states[t] != ElementState::good) {
      report.quality_histogram[0] += 1;
      continue;
    }
    for (std::size_t k = 1; k < 4; ++k) sets.join(tets[t][0], tets[t][k]);
    const Shape shape = shape_of(nodes, tets[t]);
    report.total_volume += std::fabs(shape.volume) * (fractions ? file.mesh.inside_fraction[t] : 1.0);
    report.min_dihedral_deg = std::min(report.min_dihedral_deg, shape.min_angle);
    report.max_dihedral_deg = std::max(report.max_dihedral_deg, shape.max_angle);
    report.quality_histogram[static_cast<std::size_t>(std::clamp(shape.quality * 10.0, 0.0, 9.0))] += 1;
    if (shape.min_angle < kSmallAngleDeg || shape.max_angle > kLargeAngleDeg) poor.push_back(t);
  }
  if (topology.good == 0) report.min_dihedral_deg = 0.0;
  std::vector<std::size_t> first_of_component;
  std::vector<char> seen(nodes.size(), 0);
  for (std::size_t t = 0; t < tets.size(); ++t) {
    if (states[t] != ElementState::good) continue;
    char& mark = seen[static_cast<std::size_t>(sets.find(tets[t][0]))];
    if (!mark) first_of_component.push_back(t);
    mark = 1;
  }
  report.components = first_of_component.size();

  using Severity = MeshFault::Severity;
  faults.states(states);
  if (!inverted.empty() && topology.negative == topology.good && overlapping.empty())
    faults.elements("inverted", Severity::harmless, inverted,
                    "all elements are left-handed: a convention of the whole mesh; two nodes of each are "
                    "swapped at load");
  else
    faults.elements("inverted", Severity::harmless, inverted,
                    "elements are left-handed (negative volume); two nodes of each are swapped at load");
  faults.elements("overlapping", Severity::error, overlapping,
                  "elements lie on the same side of a face as their neighbour: the mesh is folded over "
                  "there; move a node "
                  "or mesh it anew");
  faults.elements("non_conforming_face", Severity::error, crowded,
                  "elements share a face with two or more others");
  faults.elements("inside_fraction", Severity::error, bad_fraction,
                  "elements have an inside fraction that is not in (0, 1]");
  faults.judge_nodes(nodes, used_nodes(nodes.size(), tets));
  inspect_boundary(topology.boundary, report, faults);
  faults.elements("poor_quality", Severity::note, poor,
                  "elements have a dihedral angle below 5 or above 175 degrees: expect slow convergence");
  if (report.components > 1)
    faults.elements("component", Severity::note, first_of_component,
                    std::to_string(report.components) + " separate parts (given by their first element)");
}

}  // namespace sinew::mesh_io
