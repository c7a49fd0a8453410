// Judging triangle surfaces.
#include <algorithm>
#include <cmath>

#include "engine/mesh_io/inspect.hpp"

namespace sinew::mesh_io {

namespace {

// A part is called a sheet where its area vector is a good share of its area (0 for closed, 1 for flat): an
// open border is then meant, and no hole.
constexpr double kSheetShare = 0.3;

struct HalfEdge {
  Index low, high;
  std::size_t triangle;
  bool forward;  // runs from low to high
};

std::vector<HalfEdge> sorted_half_edges(const std::vector<Triangle>& triangles,
                                        const std::vector<ElementState>& states) {
  std::vector<HalfEdge> edges;
  edges.reserve(triangles.size() * 3);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (states[t] != ElementState::good && states[t] != ElementState::degenerate) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
  });
  return edges;
}

struct Neighbour {
  std::size_t triangle;
  bool turned;  // the two triangles run along the shared edge in the same direction
};

// Walks over each part, marks the triangles that are turned against the first one, then against the majority.
void orient(const std::vector<std::vector<Neighbour>>& neighbours, SurfaceTopology& out) {
  for (std::size_t seed = 0; seed < out.part.size(); ++seed) {
    if (out.part[seed] != -2) continue;
    const int part = out.parts++;
    bool consistent = true;
    std::vector<std::size_t> members{seed};
    out.part[seed] = part;
    std::size_t turned = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t t = members[i];
      turned += out.flipped[t] ? 1 : 0;
      for (const Neighbour& n : neighbours[t]) {
        const char flip = static_cast<char>((out.flipped[t] != 0) != n.turned);
        if (out.part[n.triangle] == -2) {
          out.part[n.triangle] = part;
          out.flipped[n.triangle] = flip;
          members.push_back(n.triangle);
        } else if (out.flipped[n.triangle] != flip) {
          consistent = false;
        }
      }
    }
    if (!consistent)
      for (const std::size_t t : members) out.flipped[t] = 0;
    else if (2 * turned > members.size())
      for (const std::size_t t : members) out.flipped[t] = !out.flipped[t];
    out.not_orientable.push_back(!consistent);
  }
}

void collect_loops(const std::vector<std::array<Index, 2>>& border, const std::vector<int>& border_part,
                   std::size_t point_count, SurfaceTopology& out) {
  DisjointSets sets(point_count);
  for (const auto& edge : border) sets.join(edge[0], edge[1]);
  std::vector<int> loop_of(point_count, -1);
  for (std::size_t i = 0; i < border.size(); ++i) {
    int& loop = loop_of[static_cast<std::size_t>(sets.find(border[i][0]))];
    if (loop < 0) {
      loop = static_cast<int>(out.loops.size());
      out.loops.push_back({{}, border_part[i]});
    }
    out.loops[static_cast<std::size_t>(loop)].edges.push_back(border[i]);
  }
}

// Area vectors, volumes and the parts that are turned inside out. An inward part within the box of another
// one is a cavity.
void measure_parts(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                   SurfaceTopology& out) {
  const std::size_t parts = static_cast<std::size_t>(out.parts);
  std::vector<double> area(parts, 0.0), volume(parts, 0.0);
  std::vector<Vec3d> vector_area(parts), low(parts), high(parts), origin(parts);
  std::vector<char> begun(parts, 0), open(parts, 0);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (out.part[t] < 0) continue;
    const std::size_t part = static_cast<std::size_t>(out.part[t]);
    Vec3d p[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = points[static_cast<std::size_t>(triangles[t][k])];
    if (!begun[part]) low[part] = high[part] = origin[part] = p[0];
    begun[part] = 1;
    if (out.flipped[t]) std::swap(p[0], p[1]);
    for (const Vec3d& corner : p) {
      low[part] = component_min(low[part], corner);
      high[part] = component_max(high[part], corner);
    }
    const Vec3d normal = cross(p[1] - p[0], p[2] - p[0]) / 2.0;
    area[part] += norm(normal);
    vector_area[part] += normal;
    volume[part] += dot(p[0] - origin[part], cross(p[1] - origin[part], p[2] - origin[part])) / 6.0;
  }
  for (const SurfaceTopology::Loop& loop : out.loops) open[static_cast<std::size_t>(loop.part)] = 1;
  out.sheet.assign(parts, 0);
  out.inside_out.assign(parts, 0);
  out.part_volume.assign(parts, 0.0);
  for (std::size_t part = 0; part < parts; ++part) {
    out.sheet[part] = open[part] && norm(vector_area[part]) >= kSheetShare * area[part];
    if (out.sheet[part] || out.not_orientable[part]) continue;
    out.part_volume[part] = volume[part];
    if (!(volume[part] < 0)) continue;
    bool cavity = false;
    for (std::size_t other = 0; other < parts && !cavity; ++other) {
      cavity = other != part && volume[other] > 0;
      for (int k = 0; k < 3; ++k)
        cavity = cavity && low[other][k] < low[part][k] && high[part][k] < high[other][k];
    }
    out.inside_out[part] = !cavity;
  }
}

double triangle_quality(const std::vector<Vec3d>& points, const Triangle& t) {
  const Vec3d a = points[static_cast<std::size_t>(t[0])], b = points[static_cast<std::size_t>(t[1])],
              c = points[static_cast<std::size_t>(t[2])];
  const double edges = squared_norm(b - a) + squared_norm(c - b) + squared_norm(a - c);
  return edges > 0 ? 2.0 * std::sqrt(3.0) * norm(cross(b - a, c - a)) / edges : 0.0;
}

}  // namespace

SurfaceTopology surface_topology(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                                 const std::vector<ElementState>& states) {
  SurfaceTopology out;
  out.part.assign(triangles.size(), -1);
  out.flipped.assign(triangles.size(), 0);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (states[t] == ElementState::good || states[t] == ElementState::degenerate) out.part[t] = -2;
  const std::vector<HalfEdge> edges = sorted_half_edges(triangles, states);
  std::vector<std::vector<Neighbour>> neighbours(triangles.size());
  std::vector<HalfEdge> border;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t j = i + 1;
    while (j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high) ++j;
    if (j - i == 1) border.push_back(edges[i]);
    if (j - i > 2) out.crowded_edges.push_back({edges[i].low, edges[i].high});
    if (j - i == 2) {
      const bool turned = edges[i].forward == edges[i + 1].forward;
      neighbours[edges[i].triangle].push_back({edges[i + 1].triangle, turned});
      neighbours[edges[i + 1].triangle].push_back({edges[i].triangle, turned});
    }
    i = j;
  }
  orient(neighbours, out);
  std::vector<std::array<Index, 2>> directed;
  std::vector<int> border_part;
  for (const HalfEdge& e : border) {
    const bool forward = e.forward != (out.flipped[e.triangle] != 0);
    directed.push_back(forward ? std::array<Index, 2>{e.low, e.high} : std::array<Index, 2>{e.high, e.low});
    border_part.push_back(out.part[e.triangle]);
  }
  collect_loops(directed, border_part, points.size(), out);
  measure_parts(points, triangles, out);
  return out;
}

void inspect_surface(const MeshFile& file, MeshReport& report) {
  const std::vector<Vec3d>& points = file.surface.points;
  const std::vector<Triangle>& triangles = file.surface.triangles;
  report.elements = report.triangles = triangles.size();
  FaultWriter faults(file, report);
  const std::vector<ElementState> states = triangle_states(points, triangles);
  const SurfaceTopology topology = surface_topology(points, triangles, states);

  std::vector<std::size_t> flipped, inside_out, not_orientable, first_of_component;
  std::vector<char> part_seen(static_cast<std::size_t>(topology.parts), 0), seen(points.size(), 0);
  DisjointSets sets(points.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (topology.part[t] >= 0)
      for (std::size_t k = 1; k < 3; ++k) sets.join(triangles[t][0], triangles[t][k]);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (topology.part[t] < 0) {
      report.quality_histogram[0] += 1;
      continue;
    }
    const std::size_t part = static_cast<std::size_t>(topology.part[t]);
    if (topology.flipped[t]) flipped.push_back(t);
    if (!part_seen[part] && topology.inside_out[part]) inside_out.push_back(t);
    if (!part_seen[part] && topology.not_orientable[part]) not_orientable.push_back(t);
    part_seen[part] = 1;
    char& mark = seen[static_cast<std::size_t>(sets.find(triangles[t][0]))];
    if (!mark) first_of_component.push_back(t);
    mark = 1;
    const double quality = triangle_quality(points, triangles[t]);
    report.quality_histogram[static_cast<std::size_t>(std::clamp(quality * 10.0, 0.0, 9.0))] += 1;
  }
  report.components = first_of_component.size();
  for (const double volume : topology.part_volume) report.total_volume += volume;
  report.closed = topology.loops.empty() && topology.crowded_edges.empty() && topology.parts > 0;
  std::vector<Index> holes, borders, crowded;
  for (const SurfaceTopology::Loop& loop : topology.loops) {
    Index first = loop.edges.front()[0];
    for (const auto& edge : loop.edges) first = std::min({first, edge[0], edge[1]});
    (topology.sheet[static_cast<std::size_t>(loop.part)] ? borders : holes).push_back(first);
  }
  for (const auto& edge : topology.crowded_edges) crowded.push_back(edge[0]);
  report.holes = holes.size();

  using Severity = MeshFault::Severity;
  faults.states(states);
  faults.elements("flipped_triangle", Severity::error, flipped,
                  "triangles face the other way than their neighbours");
  faults.elements("inside_out", Severity::error, inside_out,
                  "closed parts (given by their first triangle) face inwards");
  faults.elements("not_orientable", Severity::harmless, not_orientable,
                  "parts (given by their first triangle) have no inside and outside, like a Moebius strip");
  faults.judge_nodes(points, used_nodes(points.size(), triangles));
  faults.nodes("non_manifold_edge", Severity::harmless, crowded,
               "edges (given by their first point) belong to more than two triangles");
  faults.nodes("hole", Severity::harmless, holes,
               std::to_string(holes.size()) + (holes.size() == 1 ? " hole" : " holes") +
                   " (given by their first point); bridged when filled with tetrahedra");
  faults.nodes("open_border", Severity::note, borders,
               "open sheet (borders given by their first point): no solid; for sheets and obstacles");
  if (report.components > 1)
    faults.elements("component", Severity::note, first_of_component,
                    std::to_string(report.components) + " separate parts (given by their first triangle)");
}

}  // namespace sinew::mesh_io
