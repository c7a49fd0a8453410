// Arrays for SIMD products: aligned to cache lines; large ones to huge pages, which the system is asked for.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sinew {

/// @throws std::bad_alloc.
void* allocate_aligned(std::size_t bytes);
void free_aligned(void* memory, std::size_t bytes);

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_aligned(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { free_aligned(p, n * sizeof(T)); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace sinew
