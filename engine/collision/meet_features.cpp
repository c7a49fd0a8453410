#include "engine/collision/meet_features.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Neighbouring candidates mostly are of the same two surfaces.
class MeetingFinder {
 public:
  explicit MeetingFinder(const std::vector<Meeting>& meetings) : meetings_(meetings) {}
  /// Null: their boxes do not overlap.
  const NarrowPhase* find(std::size_t a, std::size_t b) {
    const std::array<std::size_t, 2> wanted{a, b};
    if (last_ < meetings_.size() && meetings_[last_].surface == wanted) return &meetings_[last_].narrow;
    const auto place =
        std::lower_bound(meetings_.begin(), meetings_.end(), wanted,
                         [](const Meeting& m, const auto& surface) { return m.surface < surface; });
    if (place == meetings_.end() || place->surface != wanted) return nullptr;
    last_ = static_cast<std::size_t>(place - meetings_.begin());
    return &place->narrow;
  }

 private:
  const std::vector<Meeting>& meetings_;
  std::size_t last_ = 0;
};

}  // namespace

void meet_features(const DeviceBroadPhase& phase, std::span<const FeaturePair> candidates,
                   const std::vector<Meeting>& meetings, std::vector<std::vector<FoundContact>>& lists,
                   std::vector<FoundContact>& found) {
  constexpr std::size_t kChunk = 256;
  const std::size_t chunks = (candidates.size() + kChunk - 1) / kChunk;
  if (lists.size() < chunks) lists.resize(chunks);
  for_each(chunks, 1, [&](std::size_t chunk) {
    MeetingFinder finder(meetings);
    const std::size_t end = std::min(candidates.size(), (chunk + 1) * kChunk);
    for (std::size_t k = chunk * kChunk; k < end; ++k) {
      const FeaturePair& c = candidates[k];
      if (c.first < 0) {
        const DeviceBroadPhase::Place a = phase.edge(-1 - c.first), b = phase.edge(c.second);
        if (const NarrowPhase* narrow = finder.find(a.surface, b.surface))
          narrow->edge_edge(a.number, b.number, lists[chunk]);
      } else {
        const DeviceBroadPhase::Place p = phase.point(c.first), f = phase.triangle(c.second);
        const bool swapped = f.surface < p.surface;
        if (const NarrowPhase* narrow =
                finder.find(std::min(p.surface, f.surface), std::max(p.surface, f.surface)))
          narrow->point_face(p.number, f.number, swapped, lists[chunk]);
      }
    }
  });
  for (std::size_t k = 0; k < chunks; ++k) {
    found.insert(found.end(), lists[k].begin(), lists[k].end());
    lists[k].clear();
  }
}

}  // namespace sinew
