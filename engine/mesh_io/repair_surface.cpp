// Mending triangle surfaces: doubled points, bad triangles, orientation, small holes, idle points.
#include <algorithm>

#include "engine/mesh_io/repair.hpp"

namespace sinew::mesh_io {

namespace {

constexpr std::size_t kLargestHole = 64;  // edges; larger openings are taken as meant

void remove_bad_triangles(MeshFile& file, std::vector<std::string>& done) {
  std::vector<Triangle>& triangles = file.surface.triangles;
  const std::vector<ElementState> states = triangle_states(file.surface.points, triangles);
  if (!report_removed(states, "triangle", "triangles", done)) return;
  const bool tagged = file.triangle_tag.size() == triangles.size();
  std::size_t kept = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (states[t] != ElementState::good) continue;
    if (tagged) file.triangle_tag[kept] = file.triangle_tag[t];
    triangles[kept++] = triangles[t];
  }
  triangles.resize(kept);
  if (tagged) file.triangle_tag.resize(kept);
}

SurfaceTopology topology_of(const SurfaceMesh& surface) {
  return surface_topology(surface.points, surface.triangles,
                          triangle_states(surface.points, surface.triangles));
}

void turn_triangles(MeshFile& file, std::vector<std::string>& done) {
  const SurfaceTopology topology = topology_of(file.surface);
  std::size_t turned = 0, outward = 0;
  for (std::size_t t = 0; t < file.surface.triangles.size(); ++t) {
    if (topology.part[t] < 0) continue;
    const bool inside_out = topology.inside_out[static_cast<std::size_t>(topology.part[t])] != 0;
    if ((topology.flipped[t] != 0) != inside_out)
      std::swap(file.surface.triangles[t][1], file.surface.triangles[t][2]);
    turned += topology.flipped[t] ? 1 : 0;
  }
  for (const char inside_out : topology.inside_out) outward += inside_out ? 1 : 0;
  if (turned > 0)
    done.push_back("turned " + std::to_string(turned) +
                   " triangles that faced the other way than their neighbours");
  if (outward > 0) done.push_back("turned " + std::to_string(outward) + " closed parts outwards");
}

// Ring of a loop in the order that closes it (against the border's triangles); empty where it is not one
// simple ring.
std::vector<Index> ring_of(const SurfaceTopology::Loop& loop) {
  std::vector<std::array<Index, 2>> edges = loop.edges;
  std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (edges[i][1] == edges[i - 1][1]) return {};
  std::vector<Index> ring{edges.front()[1]};
  while (ring.size() < edges.size() + 1) {
    const auto next = std::lower_bound(edges.begin(), edges.end(), ring.back(),
                                       [](const auto& edge, Index node) { return edge[1] < node; });
    if (next == edges.end() || (*next)[1] != ring.back()) return {};
    ring.push_back((*next)[0]);
    if (ring.back() == ring.front()) break;
  }
  if (ring.size() != edges.size() + 1 || ring.back() != ring.front()) return {};
  ring.pop_back();
  return ring;
}

// Largest number; unsigned, because one more than the largest of a damaged file may not fit a long.
unsigned long largest(const std::vector<long>& numbers) {
  return numbers.empty() ? 0 : static_cast<unsigned long>(*std::max_element(numbers.begin(), numbers.end()));
}

void fill_holes(MeshFile& file, std::vector<std::string>& done) {
  SurfaceMesh& surface = file.surface;
  const SurfaceTopology topology = topology_of(surface);
  std::size_t filled = 0, left = 0;
  unsigned long last_tag = largest(file.node_tag), last_triangle = largest(file.triangle_tag);
  std::vector<Triangle> added;
  for (const SurfaceTopology::Loop& loop : topology.loops) {
    const std::size_t part = static_cast<std::size_t>(loop.part);
    if (topology.sheet[part]) continue;  // an open sheet is meant to be open
    const std::vector<Index> ring = loop.edges.size() <= kLargestHole ? ring_of(loop) : std::vector<Index>{};
    if (ring.size() < 3 || topology.not_orientable[part]) {
      ++left;
      continue;
    }
    ++filled;
    if (ring.size() == 3) {
      added.push_back({ring[0], ring[1], ring[2]});
      continue;
    }
    Vec3d center;
    for (const Index node : ring) center += surface.points[static_cast<std::size_t>(node)];
    const Index middle = static_cast<Index>(surface.points.size());
    surface.points.push_back(center / static_cast<double>(ring.size()));
    if (!file.node_tag.empty()) file.node_tag.push_back(static_cast<long>(++last_tag));
    for (std::size_t k = 0; k < ring.size(); ++k)
      added.push_back({ring[k], ring[(k + 1) % ring.size()], middle});
  }
  if (!file.triangle_tag.empty())
    for (std::size_t k = 0; k < added.size(); ++k)
      file.triangle_tag.push_back(static_cast<long>(++last_triangle));
  surface.triangles.insert(surface.triangles.end(), added.begin(), added.end());
  if (filled > 0)
    done.push_back("filled " + std::to_string(filled) + (filled == 1 ? " hole" : " holes") + " with " +
                   std::to_string(added.size()) + " triangles");
  if (left > 0)
    done.push_back("left " + std::to_string(left) + (left == 1 ? " hole" : " holes") +
                   " open: large or with branching border");
}

// merged: points that merging took out of use; they have been told of.
void drop_idle_points(MeshFile& file, std::size_t merged, std::vector<std::string>& done) {
  SurfaceMesh& surface = file.surface;
  const std::vector<char> used = used_nodes(surface.points.size(), surface.triangles);
  std::vector<Index> number;
  const std::size_t dropped = renumber_used(used, number);
  if (dropped == 0) return;
  for (Triangle& triangle : surface.triangles) renumber_cell(triangle, number);
  drop_points(surface.points, file.node_tag, used);
  if (dropped > merged)
    done.push_back("left out " + std::to_string(dropped - merged) +
                   (dropped - merged == 1 ? " point" : " points") + " without triangle");
}

}  // namespace

void repair_surface(MeshFile& file, RepairLevel level, std::vector<std::string>& done) {
  std::size_t merged = 0;
  if (level != RepairLevel::harmless) {
    merged = merge_coincident(file.surface.points, file.surface.triangles);
    if (merged > 0)
      done.push_back("merged " + std::to_string(merged) + " points with another at the same place");
    remove_bad_triangles(file, done);
    turn_triangles(file, done);
    if (level == RepairLevel::all) {
      fill_holes(file, done);
      turn_triangles(file, done);  // a part that just closed may face inwards
    }
  }
  drop_idle_points(file, merged, done);
}

}  // namespace sinew::mesh_io
