// Rows of B are made of these.
#pragma once

#include <sinew/mesh.hpp>

namespace sinew {

/// Share of one node in a contact point.
struct ContactTerm {
  Index body = 0;
  Index node = 0;  ///< of the body, internal order
  double weight = 0.0;
  friend bool operator==(const ContactTerm&, const ContactTerm&) = default;
};

}  // namespace sinew
