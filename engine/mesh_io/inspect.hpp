// What inspecting and repairing share: the state of each element and the topology of surfaces.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <sinew/mesh_io.hpp>

namespace sinew::mesh_io {

enum class ElementState : unsigned char {
  good,
  not_finite,
  out_of_range,
  repeated_node,
  duplicate,
  degenerate
};

/// State of each element; the first of several equal ones is good. A tetrahedron is degenerate where six
/// times its volume is below 1e-10 of its longest edge cubed, a triangle where twice its area is below 1e-10
/// of that edge squared.
std::vector<ElementState> tet_states(const std::vector<Vec3d>& nodes, const std::vector<Tet>& tets);
std::vector<ElementState> triangle_states(const std::vector<Vec3d>& points,
                                          const std::vector<Triangle>& triangles);

/// For each node the smallest node at the same place (within tolerance), among those in use.
std::vector<Index> coincident_representatives(const std::vector<Vec3d>& nodes, const std::vector<char>& used,
                                              double tolerance);

/// Largest distance at which two nodes count as one: 1e-9 of the bounding box's diagonal.
double coincidence_tolerance(const std::vector<Vec3d>& nodes);

/// Nodes that some element names.
template <class Cell>
std::vector<char> used_nodes(std::size_t node_count, const std::vector<Cell>& cells) {
  std::vector<char> used(node_count, 0);
  for (const Cell& cell : cells)
    for (const Index node : cell)
      if (node >= 0 && static_cast<std::size_t>(node) < node_count) used[static_cast<std::size_t>(node)] = 1;
  return used;
}

/// Disjoint sets over 0..size-1; the representative is the smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size);
  Index find(Index i);
  void join(Index a, Index b);

 private:
  std::vector<Index> parent_;
};

/// What the faces shared by two tetrahedra say.
struct VolumeTopology {
  std::vector<char> inverted;     ///< {tet_count} negative volume, mended by swapping two nodes
  std::vector<char> overlapping;  ///< {tet_count} on the same side of a shared face as its neighbour
  std::vector<char> crowded;      ///< {tet_count} at a face of more than two tetrahedra
  std::vector<Triangle> boundary;
  std::size_t good = 0, negative = 0;  ///< elements of state good; those with negative volume
};
VolumeTopology volume_topology(const std::vector<Vec3d>& nodes, const std::vector<Tet>& tets,
                               const std::vector<ElementState>& states);

/// A surface's edges, consistently oriented parts and border loops. Elements that are neither good nor
/// degenerate are left out.
struct SurfaceTopology {
  struct Loop {
    std::vector<std::array<Index, 2>> edges;  ///< directed as in their triangles
    int part = 0;
  };
  std::vector<int> part;  ///< {triangle_count} connected by edges of two triangles; -1: left out
  int parts = 0;
  std::vector<char> flipped;                            ///< {triangle_count} against the majority of its part
  std::vector<char> not_orientable, inside_out, sheet;  ///< {parts}
  std::vector<double> part_volume;                  ///< {parts} after orientation; only closed parts count
  std::vector<std::array<Index, 2>> crowded_edges;  ///< of more than two triangles
  std::vector<Loop> loops;
};
SurfaceTopology surface_topology(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
                                 const std::vector<ElementState>& states);

void inspect_volume(const MeshFile& file, MeshReport& report);
void inspect_surface(const MeshFile& file, MeshReport& report);

/// Sorted, each number once.
std::vector<long> unique_numbers(std::vector<long> numbers);

/// Adds faults; numbers are turned into the file's own.
class FaultWriter {
 public:
  FaultWriter(const MeshFile& file, MeshReport& report) : file_(file), report_(report) {}
  long node(Index i) const { return numbered(file_.node_tag, i); }
  long element(std::size_t i) const {
    return numbered(report_.volume ? file_.tet_tag : file_.triangle_tag, static_cast<Index>(i));
  }
  void elements(const char* kind, MeshFault::Severity severity, const std::vector<std::size_t>& which,
                std::string what);
  void nodes(const char* kind, MeshFault::Severity severity, const std::vector<Index>& which,
             std::string what);
  /// The faults that states tell.
  void states(const std::vector<ElementState>& states);
  /// Not finite, unreferenced and coincident nodes.
  void judge_nodes(const std::vector<Vec3d>& nodes, const std::vector<char>& used);

 private:
  static long numbered(const std::vector<long>& tags, Index i) {
    return i >= 0 && static_cast<std::size_t>(i) < tags.size() ? tags[static_cast<std::size_t>(i)] : i;
  }
  const MeshFile& file_;
  MeshReport& report_;
};

}  // namespace sinew::mesh_io
