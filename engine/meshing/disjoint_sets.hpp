// Disjoint sets over 0..n-1 as a vector of parents, each its own parent at first; the smallest member is the
// root.
#pragma once

#include <algorithm>
#include <vector>

#include <sinew/base/config.hpp>

namespace sinew {

inline Index root_of(std::vector<Index>& parent, Index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

inline void join(std::vector<Index>& parent, Index a, Index b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  parent[std::max(a, b)] = std::min(a, b);
}

}  // namespace sinew
