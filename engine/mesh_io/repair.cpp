// Mending meshes. Elements leave first, then nodes, so that numbers in the lines are those of the file.
#include "engine/mesh_io/repair.hpp"

#include <algorithm>
#include <cmath>

#include "engine/mesh_io/inspect.hpp"

namespace sinew::mesh_io {

namespace {

template <class T>
void keep_only(std::vector<T>& values, const std::vector<char>& keep) {
  if (values.size() != keep.size()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (keep[i]) values[kept++] = values[i];
  values.resize(kept);
}

const char* plural(std::size_t n, const char* one, const char* many) {
  return n == 1 ? one : many;
}

// Tetrahedra that are left out take the embedded surface with them where it hangs on one of them.
void keep_tets(MeshFile& file, const std::vector<char>& keep, std::vector<std::string>& done) {
  TetMesh& mesh = file.mesh;
  if (!mesh.surface.tet.empty()) {
    std::vector<Index> number(keep.size(), -1);
    Index next = 0;
    for (std::size_t t = 0; t < keep.size(); ++t)
      if (keep[t]) number[t] = next++;
    bool intact = true;
    for (Index& tet : mesh.surface.tet) {
      tet = number[static_cast<std::size_t>(tet)];
      intact = intact && tet >= 0;
    }
    if (!intact) {
      mesh.surface = {};
      done.push_back("left out the embedded surface: it hung on elements that were removed");
    }
  }
  if (file.tet_tag.empty())
    for (std::size_t t = 0; t < keep.size(); ++t) file.tet_tag.push_back(static_cast<long>(t));
  keep_only(mesh.tets, keep);
  keep_only(file.tet_tag, keep);
  keep_only(mesh.inside_fraction, keep);
}

void remove_bad_tets(MeshFile& file, std::vector<std::string>& done) {
  const std::vector<ElementState> states = tet_states(file.mesh.nodes, file.mesh.tets);
  std::vector<char> keep(states.size());
  for (std::size_t t = 0; t < states.size(); ++t) keep[t] = states[t] == ElementState::good;
  if (report_removed(states, "element", "elements", done)) keep_tets(file, keep, done);
}

std::size_t merge_nodes(MeshFile& file, std::vector<std::string>& done) {
  const std::vector<Vec3d>& nodes = file.mesh.nodes;
  const std::size_t merged = merge_coincident(nodes, file.mesh.tets);
  if (merged == 0) return 0;
  done.push_back("merged " + std::to_string(merged) + plural(merged, " node", " nodes") +
                 " with another at the same place");
  const std::vector<Index> same =
      coincident_representatives(nodes, std::vector<char>(nodes.size(), 1), coincidence_tolerance(nodes));
  for (Triangle& t : file.surface.triangles)
    for (Index& node : t)
      if (node >= 0 && static_cast<std::size_t>(node) < same.size())
        node = same[static_cast<std::size_t>(node)];
  return merged;
}

void turn_tets(MeshFile& file, std::vector<std::string>& done) {
  TetMesh& mesh = file.mesh;
  const VolumeTopology topology = volume_topology(mesh.nodes, mesh.tets, tet_states(mesh.nodes, mesh.tets));
  std::size_t turned = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    if (!topology.inverted[t]) continue;
    std::swap(mesh.tets[t][2], mesh.tets[t][3]);
    ++turned;
  }
  if (turned == 0) return;
  for (std::size_t p = 0; p < mesh.surface.tet.size(); ++p)
    if (topology.inverted[static_cast<std::size_t>(mesh.surface.tet[p])])
      std::swap(mesh.surface.weights[p][2], mesh.surface.weights[p][3]);
  done.push_back("turned " + std::to_string(turned) + " left-handed " +
                 plural(turned, "element", "elements") + " by swapping two nodes of each");
}

// merged: nodes that merging took out of use; they have been told of.
void drop_idle_nodes(MeshFile& file, std::size_t merged, std::vector<std::string>& done) {
  TetMesh& mesh = file.mesh;
  const std::vector<char> used = used_nodes(mesh.nodes.size(), mesh.tets);
  std::vector<Index> number;
  const std::size_t dropped = renumber_used(used, number);
  if (dropped == 0) return;
  for (Tet& tet : mesh.tets) renumber_cell(tet, number);
  SurfaceMesh& surface = file.surface;
  std::vector<char> keep(surface.triangles.size(), 1);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    renumber_cell(surface.triangles[t], number);
    for (const Index node : surface.triangles[t]) keep[t] = keep[t] && node >= 0;
  }
  keep_only(file.triangle_tag, keep);
  keep_only(surface.triangles, keep);
  drop_points(mesh.nodes, file.node_tag, used);
  if (!surface.points.empty()) surface.points = mesh.nodes;
  if (dropped > merged)
    done.push_back("left out " + std::to_string(dropped - merged) +
                   plural(dropped - merged, " node", " nodes") + " without element");
}

}  // namespace

bool report_removed(const std::vector<ElementState>& states, const char* one, const char* many,
                    std::vector<std::string>& done) {
  static constexpr struct {
    ElementState state;
    const char* why;
  } kWhy[] = {{ElementState::out_of_range, "that named nodes which do not exist"},
              {ElementState::repeated_node, "that named a node twice"},
              {ElementState::not_finite, "at nodes without finite coordinates"},
              {ElementState::degenerate, "without extent"},
              {ElementState::duplicate, "that repeated another one"}};
  bool any = false;
  for (const auto& [state, why] : kWhy) {
    const std::size_t count = static_cast<std::size_t>(std::count(states.begin(), states.end(), state));
    if (count == 0) continue;
    any = true;
    done.push_back("removed " + std::to_string(count) + " " + plural(count, one, many) + " " + why);
  }
  return any;
}

std::size_t renumber_used(const std::vector<char>& used, std::vector<Index>& number) {
  number.assign(used.size(), -1);
  Index next = 0;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) number[i] = next++;
  return used.size() - static_cast<std::size_t>(next);
}

void drop_points(std::vector<Vec3d>& points, std::vector<long>& tags, const std::vector<char>& used) {
  if (tags.empty())  // later messages shall go on naming the nodes as the file does
    for (std::size_t i = 0; i < points.size(); ++i) tags.push_back(static_cast<long>(i));
  keep_only(tags, used);
  keep_only(points, used);
}

}  // namespace sinew::mesh_io

namespace sinew {

std::vector<std::string> repair_mesh(MeshFile& file, RepairLevel level) {
  using namespace mesh_io;
  std::vector<std::string> done;
  if (!file.is_volume()) {
    repair_surface(file, level, done);
    return done;
  }
  std::size_t merged = 0;
  if (level != RepairLevel::harmless) {
    merged = merge_nodes(file, done);
    remove_bad_tets(file, done);
  }
  turn_tets(file, done);
  drop_idle_nodes(file, merged, done);
  return done;
}

}  // namespace sinew
