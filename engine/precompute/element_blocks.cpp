#include "engine/precompute/element_blocks.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

/// Elements by their lowest node, then by the others: the internal order comes from nested dissection, so
/// nodes with near numbers are neighbours, and separators come after what they separate.
std::vector<Index> order_of(const ElementSource& s) {
  std::vector<std::array<Index, 5>> key(s.count);
  for (std::size_t e = 0; e < s.count; ++e) {
    key[e].fill(0);
    for (int c = 0; c < s.corners; ++c) key[e][c] = s.nodes[s.corners * e + c];
    std::sort(key[e].begin(), key[e].begin() + s.corners);
    key[e][4] = static_cast<Index>(e);
  }
  std::sort(key.begin(), key.end());
  std::vector<Index> order(s.count);
  for (std::size_t e = 0; e < s.count; ++e) order[e] = key[e][4];
  return order;
}

/// Builds one block after another.
template <class T>
class Builder {
 public:
  Builder(const ElementSource& source, Index node_count, ElementBlocks<T>& out)
      : source_(source), out_(out), local_(node_count, -1) {
    out_.corners = source.corners;
    out_.rest_values = source.rest_values;
  }

  void add(Index element) {
    Index fresh = 0;
    for (int c = 0; c < source_.corners; ++c) fresh += local_[node_of(element, c)] < 0;
    if (static_cast<Index>(members_.size()) == kBlockElements || nodes_ + fresh > kBlockNodes) close();
    members_.push_back(element);
    for (int c = 0; c < source_.corners; ++c) {
      const Index node = node_of(element, c);
      if (local_[node] >= 0) continue;
      local_[node] = nodes_++;
      out_.node.push_back(node);
    }
  }

  void close() {
    if (members_.empty()) return;
    constexpr std::size_t kLanes = kStoredLanes<T>;
    ElementBlock block;
    block.first_slot = static_cast<Index>(out_.node.size()) - nodes_;
    block.node_count = nodes_;
    block.first_pack = static_cast<Index>(out_.packs());
    for (std::size_t first = 0; first < members_.size(); first += kLanes) write_pack(first);
    block.end_pack = static_cast<Index>(out_.packs());
    out_.blocks.push_back(block);
    for (Index k = 0; k < nodes_; ++k) local_[out_.node[block.first_slot + k]] = -1;
    members_.clear();
    nodes_ = 0;
  }

 private:
  Index node_of(Index element, int corner) const { return source_.nodes[source_.corners * element + corner]; }

  void write_pack(std::size_t first) {
    constexpr std::size_t kLanes = kStoredLanes<T>;
    std::array<Index, kLanes> e;
    for (std::size_t l = 0; l < kLanes; ++l) e[l] = members_[std::min(first + l, members_.size() - 1)];
    for (int c = 0; c < source_.corners; ++c)
      for (const Index element : e)
        out_.corner.push_back(static_cast<std::uint16_t>(local_[node_of(element, c)]));
    for (int k = 0; k < source_.rest_values; ++k)
      for (const Index element : e)
        out_.rest.push_back(static_cast<T>(source_.rest[source_.rest_values * element + k]));
    for (std::size_t l = 0; l < kLanes; ++l)
      out_.volume.push_back(first + l < members_.size() ? static_cast<T>(source_.volume[e[l]]) : T(0));
    out_.element.insert(out_.element.end(), e.begin(), e.end());
  }

  const ElementSource& source_;
  ElementBlocks<T>& out_;
  std::vector<Index> local_;    // {node_count} local number in the open block or -1
  std::vector<Index> members_;  // of the open block
  Index nodes_ = 0;
};

}  // namespace

template <class T>
std::size_t ElementBlocks<T>::bytes() const {
  return blocks.size() * sizeof(ElementBlock) + corner.size() * sizeof(std::uint16_t) +
         (rest.size() + volume.size()) * sizeof(T) +
         (element.size() + node.size() + slot_start.size() + slot.size()) * sizeof(Index);
}

template <class T>
ElementBlocks<T> make_element_blocks(const ElementSource& source, Index node_count) {
  ElementBlocks<T> out;
  Builder<T> builder(source, node_count, out);
  for (const Index element : order_of(source)) builder.add(element);
  builder.close();

  out.slot_start.assign(node_count + 1, 0);
  for (const Index node : out.node) ++out.slot_start[node + 1];
  std::partial_sum(out.slot_start.begin(), out.slot_start.end(), out.slot_start.begin());
  out.slot.resize(out.node.size());
  std::vector<Index> cursor(out.slot_start.begin(), out.slot_start.end() - 1);
  for (std::size_t k = 0; k < out.node.size(); ++k) out.slot[cursor[out.node[k]]++] = static_cast<Index>(k);
  return out;
}

template struct ElementBlocks<double>;
template struct ElementBlocks<float>;
template ElementBlocks<double> make_element_blocks<double>(const ElementSource&, Index);
template ElementBlocks<float> make_element_blocks<float>(const ElementSource&, Index);

}  // namespace sinew
