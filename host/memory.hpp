// Memory of this machine.
#pragma once

#include <string>

namespace sinew {

/// Bytes that can be allocated without swapping; 0 where the system does not say.
double available_memory_bytes();

/// @throws MemoryError "what: needs ..., allowed or free are ..." if bytes pass the limit (0: none).
void require_memory(const std::string& what, double bytes, double limit);

}  // namespace sinew
