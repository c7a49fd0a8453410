// From what the narrow phase found to one contact for each key.
#pragma once

#include <vector>

#include "engine/collision/narrow_phase.hpp"

namespace sinew {

/// Appends in the order of keys. Of equal keys the earliest hit stays, else the smallest gap; of one point's
/// planes that are the same plane, found on several triangles of one surface, the first hit.
void join_contacts(std::vector<FoundContact>& found, Equals equals, std::vector<Contact>& contacts);

/// Takes out those whose key has a contact already.
void drop_known(const std::vector<Contact>& contacts, std::vector<FoundContact>& found);

/// Takes out those whose plane a known contact of the same point holds already and is about to enforce: it is
/// violated at the given positions too.
void drop_covered(std::vector<FoundContact>& found, const std::vector<Contact>& known,
                  const std::vector<const Vec3d*>& position);

}  // namespace sinew
