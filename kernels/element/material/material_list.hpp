// The lists of materials: the one registration line per material.
#pragma once

#include <sinew/base/material_kind.hpp>

#include "kernels/element/material/arap.hpp"
#include "kernels/element/material/corotated.hpp"
#include "kernels/element/material/fixed_corotated.hpp"
#include "kernels/element/material/membrane/arap.hpp"
#include "kernels/element/material/membrane/corotated.hpp"
#include "kernels/element/material/membrane/neo_hookean.hpp"
#include "kernels/element/material/membrane/st_venant_kirchhoff.hpp"
#include "kernels/element/material/mooney_rivlin.hpp"
#include "kernels/element/material/neo_hookean.hpp"
#include "kernels/element/material/st_venant_kirchhoff.hpp"
#include "kernels/element/material/stable_neo_hookean.hpp"

namespace sinew {

template <class... M>
struct TypeList {};

/// In the order of MaterialKind.
using TetMaterials =
    TypeList<Arap, StableNeoHookean, Corotated, FixedCorotated, NeoHookean, StVenantKirchhoff, MooneyRivlin>;

/// Calls f(M{}) with the material's type: one branch per loop over elements, none per element.
template <class F>
auto with_tet_material(MaterialKind kind, F&& f) {
  switch (kind) {
    case MaterialKind::arap:
      return f(Arap{});
    case MaterialKind::corotated:
      return f(Corotated{});
    case MaterialKind::fixed_corotated:
      return f(FixedCorotated{});
    case MaterialKind::neo_hookean:
      return f(NeoHookean{});
    case MaterialKind::st_venant_kirchhoff:
      return f(StVenantKirchhoff{});
    case MaterialKind::mooney_rivlin:
      return f(MooneyRivlin{});
    case MaterialKind::stable_neo_hookean:
      break;
  }
  return f(StableNeoHookean{});
}

/// In the order of kTriangleMaterialKinds.
using TriangleMaterials =
    TypeList<MembraneArap, MembraneCorotated, MembraneNeoHookean, MembraneStVenantKirchhoff>;

/// The same for sheets; kind: one of kTriangleMaterialKinds (others count as st_venant_kirchhoff).
template <class F>
auto with_triangle_material(MaterialKind kind, F&& f) {
  switch (kind) {
    case MaterialKind::arap:
      return f(MembraneArap{});
    case MaterialKind::corotated:
      return f(MembraneCorotated{});
    case MaterialKind::neo_hookean:
      return f(MembraneNeoHookean{});
    default:
      return f(MembraneStVenantKirchhoff{});
  }
}

}  // namespace sinew
