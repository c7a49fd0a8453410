// What holds at a contact point.
#pragma once

#include <cstdint>

namespace sinew {

enum class PointLaw : std::uint8_t {
  contact,  ///< Signorini and Coulomb in the point's frame
  held,     ///< U + held_compliance f = 0 in all three directions
  none,     ///< nothing by itself: only scalar rows act on it
};

}  // namespace sinew
