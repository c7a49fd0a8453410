#include "host/aligned_vector.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sinew {

namespace {
constexpr std::size_t kLine = 64, kHugePage = std::size_t{2} << 20;
std::align_val_t alignment(std::size_t bytes) {
  return static_cast<std::align_val_t>(bytes >= kHugePage ? kHugePage : kLine);
}
}  // namespace

void* allocate_aligned(std::size_t bytes) {
  void* memory = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
  if (bytes >= kHugePage) ::madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; without it only slower
#endif
  return memory;
}

void free_aligned(void* memory, std::size_t bytes) {
  ::operator delete(memory, alignment(bytes));
}

}  // namespace sinew
