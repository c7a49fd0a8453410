#include "host/memory.hpp"

#include <cstdio>

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

}  // namespace sinew
