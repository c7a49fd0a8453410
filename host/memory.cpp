#include "host/memory.hpp"

#include <cstdio>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"

namespace sinew {

double available_memory_bytes() {
  std::FILE* file = std::fopen("/proc/meminfo", "r");
  if (!file) return 0.0;
  char line[128];
  double kilobytes = 0.0;
  while (std::fgets(line, sizeof line, file))
    if (std::sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1) break;
  std::fclose(file);
  return kilobytes * 1024.0;
}

void require_memory(const std::string& what, double bytes, double limit) {
  if (limit > 0.0 && bytes > limit)
    throw MemoryError(what + ": needs " + human_bytes(bytes) + ", allowed or free are " + human_bytes(limit) +
                      "; use a coarser mesh or raise the memory limit");
}

}  // namespace sinew
