// Handles as bytes, for snapshots and hashes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/handles/handle.hpp"

namespace sinew {

std::vector<std::uint8_t> handle_bytes(const std::vector<HandleSlot>& handles);
/// node_count: {bodies}. @throws ModelError for bytes that are no handles of these bodies.
std::vector<HandleSlot> read_handle_bytes(const std::vector<std::uint8_t>& bytes,
                                          const std::vector<Index>& node_count);

}  // namespace sinew
