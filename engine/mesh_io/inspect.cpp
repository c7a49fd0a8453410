#include "engine/mesh_io/inspect.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <unordered_map>

namespace sinew::mesh_io {

namespace {

constexpr double kFlat =
    1e-10;  // share of the cubed (squared) longest edge below which there is no volume (area)

template <class Cell>
ElementState topology_state(const std::vector<Vec3d>& nodes, const Cell& cell) {
  for (const Index node : cell)
    if (node < 0 || static_cast<std::size_t>(node) >= nodes.size()) return ElementState::out_of_range;
  for (std::size_t i = 0; i < cell.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (cell[i] == cell[j]) return ElementState::repeated_node;
  for (const Index node : cell)
    if (!is_finite(nodes[static_cast<std::size_t>(node)])) return ElementState::not_finite;
  return ElementState::good;
}

template <class Cell>
double longest_edge(const std::vector<Vec3d>& nodes, const Cell& cell) {
  double longest = 0.0;
  for (std::size_t i = 0; i < cell.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      longest = std::max(longest, squared_norm(nodes[static_cast<std::size_t>(cell[i])] -
                                               nodes[static_cast<std::size_t>(cell[j])]));
  return std::sqrt(longest);
}

template <class Cell>
void mark_duplicates(const std::vector<Cell>& cells, std::vector<ElementState>& states) {
  std::vector<std::pair<Cell, std::size_t>> sorted;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (states[c] != ElementState::good && states[c] != ElementState::degenerate) continue;
    Cell key = cells[c];
    std::sort(key.begin(), key.end());
    sorted.emplace_back(key, c);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].first == sorted[i - 1].first) states[sorted[i].second] = ElementState::duplicate;
}

}  // namespace

std::vector<ElementState> tet_states(const std::vector<Vec3d>& nodes, const std::vector<Tet>& tets) {
  std::vector<ElementState> states(tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    states[t] = topology_state(nodes, tets[t]);
    if (states[t] != ElementState::good) continue;
    const double edge = longest_edge(nodes, tets[t]);
    const Vec3d* p = nodes.data();
    const double six_volumes = 6 * tet_volume(p[tets[t][0]], p[tets[t][1]], p[tets[t][2]], p[tets[t][3]]);
    if (!(std::fabs(six_volumes) > kFlat * edge * edge * edge)) states[t] = ElementState::degenerate;
  }
  mark_duplicates(tets, states);
  return states;
}

std::vector<ElementState> triangle_states(const std::vector<Vec3d>& points,
                                          const std::vector<Triangle>& triangles) {
  std::vector<ElementState> states(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    states[t] = topology_state(points, triangles[t]);
    if (states[t] != ElementState::good) continue;
    const double edge = longest_edge(points, triangles[t]);
    const Vec3d& a = points[triangles[t][0]];
    if (!(norm(cross(points[triangles[t][1]] - a, points[triangles[t][2]] - a)) > kFlat * edge * edge))
      states[t] = ElementState::degenerate;
  }
  mark_duplicates(triangles, states);
  return states;
}

double coincidence_tolerance(const std::vector<Vec3d>& nodes) {
  Vec3d low, high;
  bool any = false;
  for (const Vec3d& p : nodes) {
    if (!is_finite(p)) continue;
    low = any ? component_min(low, p) : p;
    high = any ? component_max(high, p) : p;
    any = true;
  }
  return 1e-9 * norm(high - low);
}

std::vector<Index> coincident_representatives(const std::vector<Vec3d>& nodes, const std::vector<char>& used,
                                              double tolerance) {
  std::vector<Index> representative(nodes.size());
  std::iota(representative.begin(), representative.end(), 0);
  if (!(tolerance > 0) || !std::isfinite(tolerance)) return representative;
  // Hash grid of cells twice the tolerance wide: equal points lie in one of the eight cells around.
  struct Key {
    std::int64_t x, y, z;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::uint64_t h = static_cast<std::uint64_t>(k.x) * 0x9e3779b97f4a7c15ull;
      h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(k.y)) * 0xbf58476d1ce4e5b9ull;
      h = (h ^ (h >> 32) ^ static_cast<std::uint64_t>(k.z)) * 0x94d049bb133111ebull;
      return h ^ (h >> 31);
    }
  };
  // Distances from the box's corner are at most 1e9 tolerances, so that the cells fit 64 bits.
  Vec3d origin;
  bool any = false;
  for (const Vec3d& p : nodes) {
    if (!is_finite(p)) continue;
    origin = any ? component_min(origin, p) : p;
    any = true;
  }
  std::unordered_map<Key, std::vector<Index>, Hash> grid;
  const auto cell = [&](double x) { return static_cast<std::int64_t>(std::floor(x / (2 * tolerance))); };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!used[i] || !is_finite(nodes[i])) continue;
    const Vec3d p = nodes[i] - origin;
    const Index self = static_cast<Index>(i);
    Index found = self;
    for (int corner = 0; corner < 8; ++corner) {
      const auto side = [&](int bit, double x) {
        return cell(corner >> bit & 1 ? x + tolerance : x - tolerance);
      };
      const auto entry = grid.find({side(0, p.x), side(1, p.y), side(2, p.z)});
      if (entry == grid.end()) continue;
      for (const Index other : entry->second)
        if (norm(nodes[static_cast<std::size_t>(other)] - nodes[i]) <= tolerance)
          found = std::min(found, other);
    }
    representative[i] = found;
    if (found == self) grid[{cell(p.x), cell(p.y), cell(p.z)}].push_back(self);
  }
  return representative;
}

DisjointSets::DisjointSets(std::size_t size) : parent_(size) {
  std::iota(parent_.begin(), parent_.end(), 0);
}

Index DisjointSets::find(Index i) {
  while (parent_[static_cast<std::size_t>(i)] != i) {
    Index& up = parent_[static_cast<std::size_t>(i)];
    up = parent_[static_cast<std::size_t>(up)];
    i = up;
  }
  return i;
}

void DisjointSets::join(Index a, Index b) {
  a = find(a);
  b = find(b);
  parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

std::vector<long> unique_numbers(std::vector<long> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void FaultWriter::elements(const char* kind, MeshFault::Severity severity,
                           const std::vector<std::size_t>& which, std::string what) {
  if (which.empty()) return;
  std::vector<long> numbers;
  for (const std::size_t i : which) numbers.push_back(element(i));
  report_.faults.push_back({kind, severity, unique_numbers(std::move(numbers)), std::move(what)});
}

void FaultWriter::nodes(const char* kind, MeshFault::Severity severity, const std::vector<Index>& which,
                        std::string what) {
  if (which.empty()) return;
  std::vector<long> numbers;
  for (const Index i : which) numbers.push_back(node(i));
  report_.faults.push_back({kind, severity, unique_numbers(std::move(numbers)), std::move(what)});
}

void FaultWriter::states(const std::vector<ElementState>& states) {
  const auto report = [&](ElementState state, const char* kind, const char* what) {
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < states.size(); ++i)
      if (states[i] == state) which.push_back(i);
    elements(kind, MeshFault::Severity::error, which, what);
  };
  report(ElementState::out_of_range, "out_of_range", "elements refer to nodes that the file does not hold");
  report(ElementState::repeated_node, "repeated_node", "elements name the same node twice");
  report(ElementState::degenerate, "degenerate",
         report_.volume ? "elements without volume: their four nodes lie in a plane"
                        : "triangles without area: their corners lie on a line");
  report(ElementState::duplicate, "duplicate", "elements repeat the nodes of an earlier one");
}

void FaultWriter::judge_nodes(const std::vector<Vec3d>& nodes, const std::vector<char>& used) {
  std::vector<Index> infinite, idle, twins;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!is_finite(nodes[i]) && used[i]) infinite.push_back(static_cast<Index>(i));
    if (!used[i]) idle.push_back(static_cast<Index>(i));
  }
  const std::vector<Index> same = coincident_representatives(nodes, used, coincidence_tolerance(nodes));
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (same[i] != static_cast<Index>(i)) twins.push_back(static_cast<Index>(i));
  this->nodes("not_finite", MeshFault::Severity::error, infinite,
              "nodes have a coordinate that is no finite number");
  this->nodes("coincident_nodes", report_.volume ? MeshFault::Severity::error : MeshFault::Severity::harmless,
              twins,
              report_.volume ? "nodes lie where another one lies: the mesh is torn or doubled there"
                             : "points lie where another one lies: the surface is cut open there");
  this->nodes("unreferenced_node", MeshFault::Severity::harmless, idle,
              "nodes belong to no element; left out at load");
}

}  // namespace sinew::mesh_io

namespace sinew {

namespace {
constexpr double kSurelyMetres = 5.0, kSurelyNotCentimetres = 50.0;  // [unit] largest side
}  // namespace

bool MeshReport::sound() const {
  return std::all_of(faults.begin(), faults.end(),
                     [](const MeshFault& f) { return f.severity == MeshFault::Severity::note; });
}

bool prevents_filling(const MeshFault& fault) {
  // Winding numbers bridge holes and joints; tetrahedralize() itself leaves out repeated and flat triangles,
  // and turns a surface that is inside out as a whole.
  static constexpr const char* kMended[] = {"duplicate", "repeated_node", "degenerate", "inside_out"};
  return fault.severity == MeshFault::Severity::error &&
         std::none_of(std::begin(kMended), std::end(kMended),
                      [&](const char* kind) { return fault.kind == kind; });
}

bool MeshReport::simulable() const {
  return std::none_of(faults.begin(), faults.end(),
                      [](const MeshFault& f) { return f.severity == MeshFault::Severity::error; });
}

MeshReport inspect_mesh(const MeshFile& file) {
  MeshReport report;
  report.format = file.format;
  report.volume = file.is_volume();
  if (!report.volume && file.surface.triangles.empty()) {
    report.faults.push_back({"empty", MeshFault::Severity::error, {}, "the mesh has no elements"});
    return report;
  }
  const std::vector<Vec3d>& nodes = report.volume ? file.mesh.nodes : file.surface.points;
  bool any = false;
  for (const Vec3d& p : nodes) {
    if (!is_finite(p)) continue;
    report.box_min = any ? component_min(report.box_min, p) : p;
    report.box_max = any ? component_max(report.box_max, p) : p;
    any = true;
  }
  report.nodes = nodes.size();
  report.quality_histogram.assign(10, 0);
  if (report.volume)
    mesh_io::inspect_volume(file, report);
  else
    mesh_io::inspect_surface(file, report);
  const Vec3d size = report.box_max - report.box_min;
  const double largest = std::max({size.x, size.y, size.z});
  if (largest > kSurelyNotCentimetres && std::isfinite(largest)) {
    report.unit_guess = "looks like millimetres: scale by 0.001 (a guess from the largest side)";
  } else if (largest >= kSurelyMetres) {
    char text[128];
    std::snprintf(text, sizeof text,
                  "extent %.3g: not metres? millimetres (scale by 0.001) or centimetres (0.01)", largest);
    report.unit_guess = text;
  }
  return report;
}

}  // namespace sinew
