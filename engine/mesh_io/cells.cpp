#include "engine/mesh_io/cells.hpp"

#include <algorithm>

namespace sinew::mesh_io {

std::size_t corner_count(CellKind kind) {
  switch (kind) {
    case CellKind::tet:
      return 4;
    case CellKind::hex:
      return 8;
    case CellKind::prism:
      return 6;
    case CellKind::pyramid:
      return 5;
    default:
      return 0;
  }
}

long NumberMap::build(const std::vector<long>& numbers) {
  dense_.clear();
  sparse_.clear();
  if (numbers.empty()) return -1;
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  first_ = *low;
  // Unsigned difference: the numbers of a damaged file may span the whole range.
  const unsigned long span = static_cast<unsigned long>(*high) - static_cast<unsigned long>(*low);
  const bool dense = span < 4 * numbers.size() + 1000;
  if (dense) dense_.assign(span + 1, kNoNode);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Index index = static_cast<Index>(i);
    if (dense) {
      Index& slot = dense_[static_cast<unsigned long>(numbers[i]) - static_cast<unsigned long>(first_)];
      if (slot != kNoNode) return static_cast<long>(i);
      slot = index;
    } else if (!sparse_.emplace(numbers[i], index).second) {
      return static_cast<long>(i);
    }
  }
  return -1;
}

void CellSoup::add(CellKind kind, std::span<const Index> cell_nodes, long tag, std::size_t polygon_corners) {
  if (kind == CellKind::ignored) {
    ++ignored_;
    return;
  }
  const std::size_t corners = kind != CellKind::polygon ? corner_count(kind)
                              : polygon_corners > 0     ? polygon_corners
                                                        : cell_nodes.size();
  kinds_.push_back(kind);
  corners_.insert(corners_.end(), cell_nodes.begin(), cell_nodes.begin() + static_cast<long>(corners));
  begin_.push_back(corners_.size());
  tags_.push_back(tag);
  if (cell_nodes.size() > corners) {
    ++second_order_;
    for (const Index node : cell_nodes.subspan(corners))
      if (node >= 0) midside_.push_back(node);
  }
}

void CellSoup::note_missing_node(long cell_tag, long number) {
  if (missing_count_++ == 0)
    missing_ = "element " + std::to_string(cell_tag) + " refers to node " + std::to_string(number) +
               ", which the file does not hold";
}

void CellSoup::renumber_repeated_tags() {
  std::vector<long> sorted = tags_;
  std::sort(sorted.begin(), sorted.end());
  const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
  if (repeated == sorted.end()) return;
  notes.push_back("element number " + std::to_string(*repeated) +
                  " is used more than once: elements are counted from 1 in the order of the file");
  for (std::size_t c = 0; c < tags_.size(); ++c) tags_[c] = static_cast<long>(c) + 1;
}

MeshFile CellSoup::finish(const char* format, bool tagged_cells, std::vector<std::size_t>* tet_cell) {
  MeshFile file;
  file.format = format;
  if (tagged_cells) renumber_repeated_tags();
  const bool volume =
      std::any_of(kinds_.begin(), kinds_.end(), [](CellKind kind) { return kind != CellKind::polygon; });
  std::size_t split_cells = 0, centers = 0, polygons = 0;
  const bool tagged_nodes = !node_tag.empty();
  unsigned long last_tag =
      tagged_nodes ? static_cast<unsigned long>(*std::max_element(node_tag.begin(), node_tag.end())) : 0;
  for (std::size_t c = 0; c < kinds_.size(); ++c) {
    const std::span<const Index> corner(corners_.data() + begin_[c], begin_[c + 1] - begin_[c]);
    if (kinds_[c] == CellKind::polygon) {
      // Beside tetrahedra the diagonals must be those of the split cells: fan from the smallest index.
      const std::size_t first =
          volume ? static_cast<std::size_t>(std::min_element(corner.begin(), corner.end()) - corner.begin())
                 : 0;
      if (corner.size() > 3) ++polygons;
      for (std::size_t k = 1; k + 1 < corner.size(); ++k) {
        file.surface.triangles.push_back(
            {corner[first], corner[(first + k) % corner.size()], corner[(first + k + 1) % corner.size()]});
        if (tagged_cells) file.triangle_tag.push_back(tags_[c]);
      }
      continue;
    }
    CellSplit split;
    if (kinds_[c] == CellKind::tet) {
      split.tets.push_back({corner[0], corner[1], corner[2], corner[3]});
    } else {
      ++split_cells;
      split = split_cell(kinds_[c], corner, nodes);
    }
    if (split.center) {
      ++centers;
      Vec3d center;
      for (const Index node : corner) center += nodes[node];
      if (tagged_nodes) node_tag.push_back(static_cast<long>(++last_tag));
      nodes.push_back(center / static_cast<double>(corner.size()));
    }
    for (Tet tet : split.tets) {
      for (Index& node : tet)
        if (node == kCenterNode) node = static_cast<Index>(nodes.size() - 1);
      file.mesh.tets.push_back(tet);
      if (tagged_cells) file.tet_tag.push_back(tags_[c]);
      if (tet_cell) tet_cell->push_back(c);
    }
  }
  if (split_cells > 0)
    notes.push_back(std::to_string(split_cells) +
                    " hexahedra, prisms or pyramids were split into tetrahedra");
  if (centers > 0)
    notes.push_back(std::to_string(centers) + " strongly warped cells got a node at their centre");
  if (polygons > 0) notes.push_back(std::to_string(polygons) + " polygons were split into triangles");
  if (ignored_ > 0) notes.push_back(std::to_string(ignored_) + " points or lines were left out");
  if (missing_count_ > 0) notes.push_back(missing_);
  drop_midside_nodes(file);
  if (volume) {
    if (!file.surface.triangles.empty()) file.surface.points = nodes;
    file.mesh.nodes = std::move(nodes);
  } else {
    file.surface.points = std::move(nodes);
  }
  file.node_tag = std::move(node_tag);
  file.notes = std::move(notes);
  return file;
}

void CellSoup::drop_midside_nodes(MeshFile& file) {
  if (second_order_ == 0) return;
  std::vector<char> corner(nodes.size(), 0), midside(nodes.size(), 0);
  for (const Tet& tet : file.mesh.tets)
    for (const Index node : tet)
      if (node >= 0 && static_cast<std::size_t>(node) < nodes.size()) corner[node] = 1;
  for (const Triangle& triangle : file.surface.triangles)
    for (const Index node : triangle)
      if (node >= 0 && static_cast<std::size_t>(node) < nodes.size()) corner[node] = 1;
  for (const Index node : midside_)
    if (static_cast<std::size_t>(node) < nodes.size() && !corner[node]) midside[node] = 1;
  if (node_tag.empty())
    for (std::size_t i = 0; i < nodes.size(); ++i) node_tag.push_back(static_cast<long>(i));
  std::vector<Index> renumbered(nodes.size(), kNoNode);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (midside[i]) continue;
    renumbered[i] = static_cast<Index>(kept);
    nodes[kept] = nodes[i];
    node_tag[kept++] = node_tag[i];
  }
  const std::size_t dropped = nodes.size() - kept;
  nodes.resize(kept);
  node_tag.resize(kept);
  const auto renumber = [&](Index& node) {
    node = node >= 0 && static_cast<std::size_t>(node) < renumbered.size() ? renumbered[node] : kNoNode;
  };
  for (Tet& tet : file.mesh.tets)
    for (Index& node : tet) renumber(node);
  for (Triangle& triangle : file.surface.triangles)
    for (Index& node : triangle) renumber(node);
  notes.push_back(std::to_string(second_order_) + " second-order elements were read by their corner nodes; " +
                  std::to_string(dropped) + " mid-side nodes were left out");
}

}  // namespace sinew::mesh_io
