// Where loops run. The CPU form: oneTBB inside an arena of a given width. Loops and sums give the same
// bits for any number of threads: items are independent, sums go over fixed chunks in a fixed order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace sinew {

class Executor {
 public:
  /// threads: 0 takes all cores.
  explicit Executor(int threads = 0) : arena_(threads > 0 ? threads : tbb::info::default_concurrency()) {
    // More threads than cores are granted too, so that results can be compared on any machine.
    if (threads > tbb::info::default_concurrency())
      allowance_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  }

  int threads() { return arena_.max_concurrency(); }

  /// Runs f() inside the arena, so that loops in it use its threads.
  template <class F>
  void run(F&& f) {
    arena_.execute(f);
  }

 private:
  std::optional<tbb::global_control> allowance_;
  tbb::task_arena arena_;
};

/// body(i) for i in [0, n), in chunks of at least grain; call inside Executor::run. Items must be
/// independent.
template <class F>
void for_each(std::size_t n, std::size_t grain, F&& body) {
  if (n <= grain) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
                    });
}

inline constexpr std::size_t kSumChunk = 512;

/// Sum of term(i) over [0, n): chunks of kSumChunk in order, then the chunk sums in order. scratch is kept by
/// the caller so that nothing is allocated once it has grown.
template <class T, class F>
T ordered_sum(std::size_t n, std::vector<T>& scratch, F&& term) {
  const std::size_t chunks = (n + kSumChunk - 1) / kSumChunk;
  scratch.resize(chunks);
  for_each(chunks, 4, [&](std::size_t chunk) {
    T sum{};
    const std::size_t end = std::min(n, (chunk + 1) * kSumChunk);
    for (std::size_t i = chunk * kSumChunk; i < end; ++i) sum += term(i);
    scratch[chunk] = sum;
  });
  T total{};
  for (const T& sum : scratch) total += sum;
  return total;
}

}  // namespace sinew
