// What a kernel is: a plain struct of pointers and numbers with a body that the host can run as well.
//
//   struct AddKernel {                            // one item, started by for_each(n, AddKernel{...})
//     SINEW_HD void operator()(std::size_t i) const { to[i] += from[i]; }
//   };
//
//   struct SumKernel {                            // one block of threads, started by launch(blocks,
//   SumKernel{...})
//     static constexpr int kThreads = 128;
//     struct Shared { double part[kThreads]; };   // of the block; contents are not set
//     template <class Block>
//     SINEW_HD void operator()(Block& block) const {
//       block.threads([&](int t) { block.shared().part[t] = ...; });   // every thread, then a barrier
//       block.threads([&](int t) { if (t == 0) ...; });
//     }
//   };
//
// Between two calls of threads() only `Shared` and memory keep values: on a device each call ends in a
// barrier, on the host it is a loop. A thread must not read what another one writes in the same call; the
// emulated device runs threads and blocks in either direction, which tests use to see that nothing depends on
// it.
#pragma once

#include <cstddef>

#include <sinew/base/config.hpp>

namespace sinew {

inline constexpr int kItemThreads = 256;  ///< of a block of for_each()

/// Blocks of `per_block` items for n of them.
inline constexpr std::size_t block_count(std::size_t n, std::size_t per_block) {
  return (n + per_block - 1) / per_block;
}

/// Largest grid of a launch in x: beyond it a kernel needs another shape.
inline constexpr std::size_t kMostBlocksOfGrid = 2147483647;

}  // namespace sinew
