// The elastic energies by name. Part of the public API.
#pragma once

namespace sinew {

/// Energy density of a solid (tetrahedra) or a sheet (triangles; those marked). docs/method.md section 3 has
/// the formulas.
enum class MaterialKind {
  arap,                 ///< as rigid as possible: mu |F - R|^2; knows no Poisson ratio beyond mu (sheets too)
  stable_neo_hookean,   ///< Smith, de Goes, Kim 2018, Eq. 14
  corotated,            ///< mu |F - R|^2 + lambda/2 tr(R^T F - I)^2 (sheets too)
  fixed_corotated,      ///< mu |F - R|^2 + lambda/2 (J - 1)^2; Stomakhin et al. 2012
  neo_hookean,          ///< mu/2 (I1 - 3 - 2 ln J) + lambda/2 (ln J)^2 (sheets too)
  st_venant_kirchhoff,  ///< mu |E|^2 + lambda/2 (tr E)^2, E the Green strain (sheets too)
  mooney_rivlin         ///< isochoric in I1 and I2, plus a bulk term
};

/// All materials of solids.
inline constexpr MaterialKind kTetMaterialKinds[] = {
    MaterialKind::arap,         MaterialKind::stable_neo_hookean,
    MaterialKind::corotated,    MaterialKind::fixed_corotated,
    MaterialKind::neo_hookean,  MaterialKind::st_venant_kirchhoff,
    MaterialKind::mooney_rivlin};
/// All materials of sheets.
inline constexpr MaterialKind kTriangleMaterialKinds[] = {MaterialKind::arap, MaterialKind::corotated,
                                                          MaterialKind::neo_hookean,
                                                          MaterialKind::st_venant_kirchhoff};

}  // namespace sinew
