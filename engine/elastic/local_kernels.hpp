// Energy and gradient of one block of elements. One source, local_kernels.inc, is compiled for the baseline
// of the processor family (SSE2: two numbers of double at a time), for AVX2 with fused multiply-add (four)
// and for AVX-512 (eight); the best that the processor has is taken at run time. The number of threads plays
// no part.
#pragma once

#include <sinew/base/material_kind.hpp>

#include "engine/precompute/element_blocks.hpp"

namespace sinew {

/// One block, what it reads and where it writes.
template <class T>
struct BlockInput {
  const ElementBlock* block;
  const ElementBlocks<T>* elements;
  const Vec3d* position;  ///< {node_count} internal order [m]
  const T* start_strain;  ///< {packs, 6 or 3, lanes} Green strain at the frame's start; null: no damping
  T* partial;             ///< {slots, 4} [N]: the block's rows are overwritten
};

/// Lame's parameters [Pa], and those times beta/h for the damping (of triangles: lambda of plane stress).
template <class T>
struct BlockMaterial {
  T shear_modulus = 0, first_lame = 0, mooney_ratio = 0;
  T damping_mu = 0, damping_lambda = 0;
  T largest_stretch = 0, limit_stiffness = 0;  ///< [1], [Pa] strain limit of triangles; 0: none
};

struct BlockEnergy {
  double elastic = 0.0, damping = 0.0;  ///< [J]
};

inline constexpr int kMostMaterials = 16;

template <class T>
struct LocalKernels {
  const char* name;  ///< "AVX2, FMA"
  int lanes;         ///< elements at a time
  /// Energies, and sum of the gradients V P D_m^-T of the block's elements in its rows of `partial`.
  using Evaluate = BlockEnergy (*)(const BlockInput<T>&, const BlockMaterial<T>&);
  /// Elastic energy only [J].
  using Energy = double (*)(const BlockInput<T>&, const BlockMaterial<T>&);
  /// Green strain of the block's elements: xx, yy, zz, xy, xz, yz of tetrahedra, xx, xy, yy of triangles.
  using Strain = void (*)(const BlockInput<T>&, T* strain);

  /// The loops of one shape; materials in the order of its list (material_number()).
  struct Shape {
    Evaluate evaluate[kMostMaterials];
    Energy energy[kMostMaterials];
    Strain strain;
  };
  Shape tets, triangles;
  const Shape& of(const ElementBlocks<T>& elements) const { return elements.corners == 3 ? triangles : tets; }
};

/// Place in TetMaterials (corners 4) or TriangleMaterials (3).
int material_number(MaterialKind kind, int corners);

enum class InstructionSet { baseline, avx2, avx512 };

/// True where it is compiled in and this processor has it.
bool available(InstructionSet set);
/// Of an available set.
template <class T>
const LocalKernels<T>& local_kernels(InstructionSet set);
/// The best available; the same answer always.
template <class T>
const LocalKernels<T>& local_kernels();

}  // namespace sinew
