// Memory of this machine.
#pragma once

namespace sinew {

/// Bytes that can be allocated without swapping; 0 where the system does not say.
double available_memory_bytes();

}  // namespace sinew
