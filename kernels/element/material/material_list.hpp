// The list of tetrahedral materials: the one registration line per material.
#pragma once

#include "kernels/element/material/arap.hpp"
#include "kernels/element/material/stable_neo_hookean.hpp"

namespace sinew {

template <class... M>
struct TypeList {};

/// In the order of MaterialKind.
using TetMaterials = TypeList<Arap, StableNeoHookean>;

}  // namespace sinew
