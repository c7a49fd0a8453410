// Elements in the order and layout in which the local step reads them: blocks of neighbours, packs of one
// cache line inside.
//
// A block has a list of its nodes; its elements name them by 16-bit local numbers. Positions of a block fit
// into the first-level cache, and so does the sum of its gradients: elements add to it in their order, and
// the nodes add the sums of their blocks in the order of the blocks. No atomics, the same bits for any number
// of threads. A tetrahedron takes 88 bytes: rest inverse 72, volume 8, corners 8.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <sinew/base/mat3.hpp>

#include "host/aligned_vector.hpp"

namespace sinew {

/// Lanes of a stored pack: one cache line of numbers.
template <class T>
inline constexpr int kStoredLanes = 64 / static_cast<int>(sizeof(T));

inline constexpr Index kBlockElements = 256;  ///< most elements of a block
inline constexpr Index kBlockNodes = 512;     ///< most nodes of a block

struct ElementBlock {
  Index first_pack = 0, end_pack = 0;
  Index first_slot = 0, node_count = 0;  ///< its nodes: ElementBlocks::node from first_slot on
};

/// Elements with `corners` nodes and `rest_values` numbers of the inverse rest edges (row-major).
template <class T>
struct ElementBlocks {
  int corners = 4;      ///< 4: tetrahedra, 3: triangles
  int rest_values = 9;  ///< 9: 3 x 3, 4: 2 x 2
  std::vector<ElementBlock> blocks;
  AlignedVector<std::uint16_t> corner;  ///< {packs, corners, lanes} local numbers
  AlignedVector<T> rest;                ///< {packs, rest_values, lanes} [1/m]
  AlignedVector<T> volume;              ///< {packs, lanes} [m^3]; 0 in lanes that only fill the last pack
  std::vector<Index> element;           ///< {packs, lanes} number of the element; fillers repeat one
  std::vector<Index> node;              ///< {slots} internal number of each block's nodes
  std::vector<Index> slot_start;        ///< {node_count + 1}
  std::vector<Index> slot;              ///< slots of each node, ascending
  int strain_values() const { return corners == 3 ? 3 : 6; }  ///< numbers of a symmetric strain
  std::size_t packs() const { return volume.size() / kStoredLanes<T>; }
  std::size_t bytes() const;
};

/// nodes: {count, corners} internal numbers; rest: {count, rest_values}; volume: {count}.
struct ElementSource {
  int corners = 4, rest_values = 9;
  std::size_t count = 0;
  const Index* nodes = nullptr;
  const double* rest = nullptr;
  const double* volume = nullptr;
};

template <class T>
ElementBlocks<T> make_element_blocks(const ElementSource& source, Index node_count);

}  // namespace sinew
