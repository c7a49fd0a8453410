// Products of dense panels with n x 3 blocks: the inner loops of the staged inverse. One source,
// staged_kernels.inc, is compiled for the baseline of the processor family and for AVX2 with fused
// multiply-add; the better one that the processor has is taken at run time.
//
// A row of a vector is V groups of four numbers: block c of 3 columns stands at lanes 3c, 3c+1, 3c+2. Every
// entry of a panel then meets a whole group in one instruction, and V = 3 serves four blocks for one read.
#pragma once

#include "host/staged_structure.hpp"

namespace sinew {

inline constexpr int kLanes = 4;       // numbers of a group
inline constexpr int kMostGroups = 3;  // groups of a row
/// Groups that `count` blocks of three columns need.
inline constexpr int groups_of(int count) {
  return (3 * count + kLanes - 1) / kLanes;
}
inline constexpr int kMostBlocks = kMostGroups * kLanes / 3;

/// Panels [begin, end) of one piece and what their products read.
template <class T>
struct StagedProduct {
  const StagedPanel* begin;
  const StagedPanel* end;
  Index first;        ///< first column of the component
  const Index* rows;  ///< StagedStructure::rows
  const T* values;    ///< all values
};

/// Vectors hold rows of V groups: right and solution start at the component's first column, outside at the
/// piece's first outside row.
template <class T>
struct StagedKernels {
  /// solution += L_ss^-1 right: in columns of the panels only.
  using Forward = void (*)(const StagedProduct<T>&, const T* right, T* solution);
  /// outside += L_ts solution.
  using ForwardOutside = void (*)(const StagedProduct<T>&, const T* solution, T* outside);
  /// Both, panel by panel.
  using ForwardBoth = void (*)(const StagedProduct<T>&, const T* right, T* solution, T* outside);
  /// right := solution - L_ts^T outside, for the columns of the panels.
  using BackwardOutside = void (*)(const StagedProduct<T>&, const T* outside, const T* solution, T* right);
  /// solution := L_ss^-T right, for the columns of the panels.
  using Backward = void (*)(const StagedProduct<T>&, const T* right, T* solution);
  /// Both, panel by panel from the last to the first.
  using BackwardBoth = void (*)(const StagedProduct<T>&, const T* outside, T* right, T* solution);

  /// sum {12, 12} += a^T b, a and b {rows, 12}: rows of the widest vector.
  using Products = void (*)(const T* a, const T* b, Index rows, T* sum);

  Forward forward[kMostGroups];  ///< [V - 1]
  ForwardOutside forward_outside[kMostGroups];
  ForwardBoth forward_both[kMostGroups];
  BackwardOutside backward_outside[kMostGroups];
  Backward backward[kMostGroups];
  BackwardBoth backward_both[kMostGroups];
  Products products;
};

template <class T>
const StagedKernels<T>& staged_kernels_baseline();
#if defined(SINEW_STAGED_AVX2)
template <class T>
const StagedKernels<T>& staged_kernels_avx2();
#endif

/// The best that this processor has; the same answer always.
template <class T>
const StagedKernels<T>& staged_kernels();
/// "AVX2, FMA" or "baseline".
const char* staged_kernels_name();

}  // namespace sinew
