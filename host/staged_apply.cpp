// The global step by stages. All parallel loops run over tasks that the structure fixes, and every sum has a
// fixed order, so that the bits depend on no number of threads.
#include <algorithm>

#include "host/staged_inverse.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

/// One solve of up to kMostBlocks blocks.
template <class T>
class StagedPass {
 public:
  StagedPass(const StagedInverse<T>& inverse, Vec3d* const* block, int count,
             typename StagedInverse<T>::Workspace& workspace, bool sparse)
      : s_(inverse.structure_),
        values_(inverse.values_.data()),
        block_(block),
        count_(count),
        groups_(groups_of(count)),
        row_(groups_ * kLanes),
        sparse_(sparse),
        kernels_(staged_kernels<T>()) {
    right_ = sized(workspace.right, s_.order.size());
    solution_ = sized(workspace.solution, s_.order.size());
    outside_ = sized(workspace.outside, s_.outside_rows.size());
    partial_ = sized(workspace.partial, static_cast<std::size_t>(s_.partial_rows));
  }

  void run() {
    for (std::size_t s = 0; s < s_.stages.size(); ++s) forward(s_.stages[s]);
    for (std::size_t s = s_.stages.size(); s-- > 0;) backward(s_.stages[s]);
  }

 private:
  T* sized(AlignedVector<T>& vector, std::size_t rows) const {
    if (vector.size() < rows * row_) vector.resize(rows * row_);
    return vector.data();
  }
  T* at(T* vector, std::int64_t row) const { return vector + row * static_cast<std::int64_t>(row_); }

  StagedProduct<T> product(const StagedPiece& piece) const {
    return {s_.panels.data() + piece.panel_begin, s_.panels.data() + piece.panel_end,
            s_.components[piece.component].first, s_.rows.data(), values_};
  }
  template <class F>
  void each_divided(const StagedStage& stage, F&& f) const {
    for_each(static_cast<std::size_t>(stage.divided_end - stage.divided_begin), 1,
             [&](std::size_t k) { f(s_.pieces[s_.divided_pieces[stage.divided_begin + k]]); });
  }
  template <class F>
  void each_chunk(const StagedStage& stage, F&& f) const {
    for_each(static_cast<std::size_t>(stage.chunk_end - stage.chunk_begin), 1,
             [&](std::size_t k) { f(s_.chunks[stage.chunk_begin + k]); });
  }

  /// r = b - what earlier stages send, in the fixed order of the gather list.
  void load_rows(Index first, Index last) const {
    for (Index i = first; i < last; ++i) {
      T* r = at(right_, i);
      for (int c = 0; c < count_; ++c) {
        const Vec3d& b = block_[c][i];
        r[3 * c] = static_cast<T>(b.x);
        r[3 * c + 1] = static_cast<T>(b.y);
        r[3 * c + 2] = static_cast<T>(b.z);
      }
      for (std::size_t lane = 3 * static_cast<std::size_t>(count_); lane < row_; ++lane) r[lane] = T(0);
      for (std::int64_t g = s_.gather_start[i]; g < s_.gather_start[i + 1]; ++g) {
        const T* sent = at(outside_, s_.gather[g]);
        for (std::size_t lane = 0; lane < row_; ++lane) r[lane] -= sent[lane];
      }
    }
  }
  void store_rows(Index first, Index last) const {
    for (Index i = first; i < last; ++i) {
      const T* x = at(solution_, i);
      for (int c = 0; c < count_; ++c) block_[c][i] = {x[3 * c], x[3 * c + 1], x[3 * c + 2]};
    }
  }
  bool all_zero(Index first, Index last) const {
    return std::all_of(at(right_, first), at(right_, last), [](T x) { return x == T(0); });
  }
  void clear(T* vector, std::int64_t first, std::int64_t last) const {
    std::fill(at(vector, first), at(vector, last), T(0));
  }
  void fetch_outside(const StagedPiece& piece) const {
    for (std::int64_t k = piece.outside_begin; k < piece.outside_end; ++k)
      std::copy_n(at(solution_, s_.outside_rows[k]), row_, at(outside_, k));
  }

  void forward(const StagedStage& stage) {
    each_chunk(stage, [&](const StagedChunk& chunk) { load_rows(chunk.first, chunk.last); });
    const std::size_t tasks = static_cast<std::size_t>(stage.task_end - stage.task_begin);
    for_each(tasks + static_cast<std::size_t>(stage.divided_end - stage.divided_begin), 1,
             [&](std::size_t k) {
               if (k < tasks)
                 forward_task(s_.tasks[stage.task_begin + k]);
               else
                 forward_piece(s_.pieces[s_.divided_pieces[stage.divided_begin + (k - tasks)]]);
             });
    each_chunk(stage, [&](const StagedChunk& chunk) { add_partial(chunk); });
    each_divided(stage, [&](const StagedPiece& piece) {
      clear(outside_, piece.outside_begin, piece.outside_end);
      kernels_.forward_outside[groups_ - 1](product(piece),
                                            at(solution_, s_.components[piece.component].first),
                                            at(outside_, piece.outside_begin));
    });
  }
  void forward_task(const StagedTask& task) const {
    for (Index c = task.component_begin; c < task.component_end; ++c) {
      const StagedComponent& component = s_.components[c];
      const StagedPiece& piece = s_.pieces[component.piece_begin];
      load_rows(component.first, component.first + component.size);
      clear(solution_, component.first, component.first + component.size);
      clear(outside_, piece.outside_begin, piece.outside_end);
      if (sparse_ && all_zero(component.first, component.first + component.size)) continue;
      kernels_.forward_both[groups_ - 1](product(piece), at(right_, component.first),
                                         at(solution_, component.first), at(outside_, piece.outside_begin));
    }
  }
  void forward_piece(const StagedPiece& piece) const {
    const StagedComponent& component = s_.components[piece.component];
    clear(partial_, piece.partial + piece.first - component.first, piece.partial + component.size);
    kernels_.forward[groups_ - 1](product(piece), at(right_, component.first), at(partial_, piece.partial));
  }
  void add_partial(const StagedChunk& chunk) const {
    const StagedComponent& component = s_.components[chunk.component];
    clear(solution_, chunk.first, chunk.last);
    for (Index p = component.piece_begin; p < component.piece_end; ++p) {
      const StagedPiece& piece = s_.pieces[p];
      const Index first = std::max(chunk.first, piece.first);  // rows before are not reached
      if (first >= chunk.last) break;
      T* sum = at(solution_, first);
      const T* part = at(partial_, piece.partial + first - component.first);
      const std::size_t lanes = static_cast<std::size_t>(chunk.last - first) * row_;
      for (std::size_t k = 0; k < lanes; ++k) sum[k] += part[k];
    }
  }

  /// From the last task to the first: what was read last on the way up is still in the cache.
  void backward(const StagedStage& stage) {
    const std::size_t tasks = static_cast<std::size_t>(stage.task_end - stage.task_begin);
    const std::size_t all = tasks + static_cast<std::size_t>(stage.divided_end - stage.divided_begin);
    for_each(all, 1, [&](std::size_t reversed) {
      const std::size_t k = all - 1 - reversed;
      if (k < tasks)
        backward_task(s_.tasks[stage.task_begin + k]);
      else
        backward_piece(s_.pieces[s_.divided_pieces[stage.divided_begin + (k - tasks)]]);
    });
    each_divided(stage, [&](const StagedPiece& piece) {
      const StagedComponent& component = s_.components[piece.component];
      kernels_.backward[groups_ - 1](product(piece), at(right_, component.first),
                                     at(solution_, component.first));
      const StagedPanel& last = s_.panels[piece.panel_end - 1];
      store_rows(piece.first, last.first + last.width);
    });
  }
  void backward_task(const StagedTask& task) const {
    for (Index c = task.component_begin; c < task.component_end; ++c) {
      const StagedComponent& component = s_.components[c];
      const StagedPiece& piece = s_.pieces[component.piece_begin];
      fetch_outside(piece);
      kernels_.backward_both[groups_ - 1](product(piece), at(outside_, piece.outside_begin),
                                          at(right_, component.first), at(solution_, component.first));
      store_rows(component.first, component.first + component.size);
    }
  }
  void backward_piece(const StagedPiece& piece) const {
    const StagedComponent& component = s_.components[piece.component];
    fetch_outside(piece);
    kernels_.backward_outside[groups_ - 1](product(piece), at(outside_, piece.outside_begin),
                                           at(solution_, component.first), at(right_, component.first));
  }

  const StagedStructure& s_;
  const T* values_;
  Vec3d* const* block_;
  int count_;
  int groups_;
  std::size_t row_;  // numbers of a row
  bool sparse_;
  const StagedKernels<T>& kernels_;
  T *right_ = nullptr, *solution_ = nullptr, *outside_ = nullptr, *partial_ = nullptr;
};

template <class T>
void StagedInverse<T>::solve(Vec3d* const* block, std::size_t count, Workspace& workspace,
                             bool sparse) const {
  for (std::size_t c = 0; c < count; c += kMostBlocks)
    StagedPass<T>(*this, block + c, static_cast<int>(std::min<std::size_t>(kMostBlocks, count - c)),
                  workspace, sparse)
        .run();
}

template void StagedInverse<float>::solve(Vec3d* const*, std::size_t, Workspace&, bool) const;
template void StagedInverse<double>::solve(Vec3d* const*, std::size_t, Workspace&, bool) const;

}  // namespace sinew
