// Loops over the blocks of a body, and what their nodes are left with: the element half of the local step,
// for numbers of either length and for any instruction set.
#pragma once

#include <vector>

#include "engine/elastic/local_kernels.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

/// Green strains for the damping of a frame; strain: {packs, strain_values(), lanes}.
template <class T>
void block_strains(const ElementBlocks<T>& elements, const LocalKernels<T>& kernels, const Vec3d* position,
                   T* strain) {
  for_each(elements.blocks.size(), 1, [&](std::size_t b) {
    kernels.of(elements).strain({&elements.blocks[b], &elements, position, nullptr, nullptr}, strain);
  });
}

/// Energies, summed in the order of the blocks; partial: {slots, 4}, energy: {blocks}, both written.
template <class T>
BlockEnergy evaluate_blocks(const ElementBlocks<T>& elements, typename LocalKernels<T>::Evaluate evaluate,
                            const BlockMaterial<T>& material, const Vec3d* position, const T* start_strain,
                            T* partial, BlockEnergy* energy) {
  for_each(elements.blocks.size(), 1, [&](std::size_t b) {
    energy[b] = evaluate({&elements.blocks[b], &elements, position, start_strain, partial}, material);
  });
  BlockEnergy sum;
  for (std::size_t b = 0; b < elements.blocks.size(); ++b) {
    sum.elastic += energy[b].elastic;
    sum.damping += energy[b].damping;
  }
  return sum;
}

/// Gradient of the energy at node i [N]: the sums of its blocks, in their order.
template <class T>
Vec3d gather_node(const ElementBlocks<T>& elements, const T* partial, std::size_t i) {
  Vec3d force{};
  for (Index k = elements.slot_start[i]; k < elements.slot_start[i + 1]; ++k) {
    const T* row = partial + 4l * elements.slot[k];
    force += Vec3d{row[0], row[1], row[2]};
  }
  return force;
}

}  // namespace sinew
