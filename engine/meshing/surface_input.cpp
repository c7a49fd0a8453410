#include "engine/meshing/surface_input.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <sinew/errors.hpp>

#include "engine/meshing/disjoint_sets.hpp"

namespace sinew {

namespace {

std::string plural(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void check(const SurfaceMesh& surface) {
  if (surface.triangles.empty())
    throw MeshError("surface has no triangles; give a closed or nearly closed triangle surface");
  const std::size_t count = surface.points.size();
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (const Index p : surface.triangles[t])
      if (p < 0 || static_cast<std::size_t>(p) >= count)
        throw MeshError("surface triangle " + std::to_string(t) + ": point " + std::to_string(p) +
                        " does not exist; valid are 0 to " + std::to_string(static_cast<long>(count) - 1));
  for (std::size_t p = 0; p < count; ++p)
    if (!is_finite(surface.points[p]))
      throw MeshError("surface point " + std::to_string(p) + ": coordinate is not finite; mend the file");
}

std::vector<Index> numbers_below(std::size_t count) {
  std::vector<Index> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// One number per place: points at the same place count as one where the surface is judged (seams, STL files).
std::vector<Index> weld(const std::vector<Vec3d>& points) {
  std::vector<Index> order = numbers_below(points.size()), place(points.size());
  const auto key = [&](Index i) { return std::make_tuple(points[i].x, points[i].y, points[i].z); };
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
  for (std::size_t i = 0; i < order.size(); ++i)
    place[order[i]] = i > 0 && key(order[i]) == key(order[i - 1]) ? place[order[i - 1]] : order[i];
  return place;
}

// Marks triangles whose corners lie at the places of an earlier one's: counted twice, they would spoil the
// winding number. The first stays, as in repair_mesh().
std::vector<char> repeated_triangles(const SurfaceMesh& surface, const std::vector<Index>& place) {
  std::vector<std::pair<Triangle, std::size_t>> sorted;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    Triangle key;
    for (std::size_t k = 0; k < 3; ++k) key[k] = place[surface.triangles[t][k]];
    std::sort(key.begin(), key.end());
    sorted.emplace_back(key, t);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> repeated(surface.triangles.size(), 0);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    repeated[sorted[i].second] = sorted[i].first == sorted[i - 1].first;
  return repeated;
}

// Triangles without repeated corners and each only once, points without unused ones.
SurfaceMesh compacted(const SurfaceMesh& surface, std::vector<std::string>& notes) {
  SurfaceMesh result;
  std::vector<Index> renamed(surface.points.size(), -1);
  const std::vector<char> repeated = repeated_triangles(surface, weld(surface.points));
  std::size_t collapsed = 0, copies = 0;
  for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
    const Triangle& t = surface.triangles[i];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      ++collapsed;
      continue;
    }
    if (repeated[i]) {
      ++copies;
      continue;
    }
    result.triangles.push_back(t);
    for (const Index p : t) renamed[p] = 0;
  }
  for (std::size_t p = 0; p < renamed.size(); ++p) {
    if (renamed[p] < 0) continue;
    renamed[p] = static_cast<Index>(result.points.size());
    result.points.push_back(surface.points[p]);
  }
  for (Triangle& t : result.triangles)
    for (Index& p : t) p = renamed[p];
  const std::size_t unused = surface.points.size() - result.points.size();
  if (collapsed > 0)
    notes.push_back(plural(collapsed, "triangle", "triangles") + " with repeated corners dropped");
  if (copies > 0)
    notes.push_back(plural(copies, "triangle", "triangles") + " that repeated another one dropped");
  if (unused > 0) notes.push_back(plural(unused, "point", "points") + " used by no triangle dropped");
  if (result.triangles.empty())
    throw MeshError("surface: every triangle has a repeated corner; mend the file");
  return result;
}

Index count_roots(std::vector<Index>& parent, const std::vector<char>& present) {
  Index count = 0;
  for (std::size_t i = 0; i < parent.size(); ++i)
    count += present[i] && parent[i] == static_cast<Index>(i) ? 1 : 0;
  return count;
}

void judge(SurfaceInput& input, std::vector<std::string>& notes) {
  const std::vector<Index> place = weld(input.surface.points);
  const std::size_t count = input.surface.points.size();
  struct Edge {
    Index low, high;
    int direction;
  };
  std::vector<Edge> edges;
  std::vector<Index> parent = numbers_below(count);
  std::vector<char> present(count, 0);
  for (const Triangle& t : input.surface.triangles)
    for (int k = 0; k < 3; ++k) {
      const Index a = place[t[k]], b = place[t[(k + 1) % 3]];
      present[a] = 1;
      join(parent, a, b);
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  input.components = count_roots(parent, present);
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.low, a.high, a.direction) < std::tie(b.low, b.high, b.direction);
  });
  // An edge whose triangles pass it equally often both ways bounds nothing; the others form the rims of
  // holes.
  std::vector<Index> rim = numbers_below(count);
  std::vector<char> on_rim(count, 0);
  std::size_t turned = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t j = i;
    int sum = 0;
    for (; j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high; ++j)
      sum += edges[j].direction;
    if (sum != 0 && (j - i) % 2 == 0) {
      ++turned;
    } else if (sum != 0) {
      on_rim[edges[i].low] = on_rim[edges[i].high] = 1;
      join(rim, edges[i].low, edges[i].high);
    }
    i = j;
  }
  input.holes = count_roots(rim, on_rim);
  if (input.holes > 0)
    notes.push_back(plural(input.holes, "hole", "holes") + " in the surface bridged by the winding number");
  if (turned > 0)
    notes.push_back(plural(turned, "edge", "edges") +
                    " between triangles of opposite orientation: parts may be missing");
}

}  // namespace

SurfaceInput prepare_surface(const SurfaceMesh& surface, std::vector<std::string>& notes) {
  check(surface);
  SurfaceInput input;
  input.surface = compacted(surface, notes);
  input.low = input.high = input.surface.points[0];
  for (const Vec3d& p : input.surface.points) {
    input.low = component_min(input.low, p);
    input.high = component_max(input.high, p);
  }
  const Vec3d extent = input.high - input.low;
  const double size = norm(extent);
  if (!(std::isfinite(size) && size > 0.0))
    throw MeshError("surface: all points lie at one place or beyond the range of numbers; mend the file");
  if (std::min({extent.x, extent.y, extent.z}) < 1e-6 * size)
    throw MeshError(
        "surface is flat and encloses no volume; give a closed surface, since this version simulates volumes "
        "only");
  judge(input, notes);
  input.volume = enclosed_volume(input.surface.points, input.surface.triangles);
  if (input.volume < 0.0) {
    for (Triangle& t : input.surface.triangles) std::swap(t[1], t[2]);
    input.volume = -input.volume;
    notes.push_back("surface was inside out (negative volume); turned");
  }
  return input;
}

}  // namespace sinew
