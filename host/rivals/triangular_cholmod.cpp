// Substitution by CHOLMOD with its own factor, simplicial or supernodal.
#include <algorithm>

#include <sinew/errors.hpp>

#include "host/rivals/triangular.hpp"

#if SINEW_HAVE_CHOLMOD

#include "host/cholesky_libraries.hpp"
#include "host/cholmod_library.hpp"

namespace sinew {

namespace {

/// What cholmod_solve2 keeps from call to call: it allocates anew whenever a shape differs from the last.
struct SolveArrays {
  cholmod_dense *x = nullptr, *y = nullptr, *e = nullptr;
};

/// The library's settings are not made for two threads, so each workspace has its own.
struct CholmodWorkspace : LinearSolver::Workspace {
  CholmodCommon common;
  std::vector<double> right_side;  ///< {n, 3}, column-major
  SolveArrays block, column;       ///< for three columns and for one

  CholmodWorkspace() { common.get()->print = 0; }
  ~CholmodWorkspace() override {
    for (SolveArrays* arrays : {&block, &column})
      for (cholmod_dense** dense : {&arrays->x, &arrays->y, &arrays->e})
        cholmod_free_dense(dense, common.get());
  }
};

class CholmodTriangular : public LinearSolver {
 public:
  CholmodTriangular(CholmodFactor factor, Index n) : factor_(std::move(factor)) {
    const auto* order = static_cast<const Index*>(factor_.factor->Perm);
    order_.assign(order, order + n);
  }

  const std::vector<Index>& order() const override { return order_; }
  Sizes sizes() const override;
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<CholmodWorkspace>(); }
  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const override;
  void inverse_columns(const Index* node, std::size_t count, double* const* column,
                       Workspace& workspace) const override;

 private:
  /// L L^T x = right_side, columns {n} each; no permutation: blocks stand in elimination order. Returns x.
  const double* substitute(CholmodWorkspace& w, std::size_t columns) const;

  CholmodFactor factor_;
  std::vector<Index> order_;
};

LinearSolver::Sizes CholmodTriangular::sizes() const {
  const cholmod_factor& l = *factor_.factor;
  Sizes sizes;
  sizes.nnz_factor = static_cast<std::size_t>(factor_.common->get()->lnz);
  if (l.is_super) {
    sizes.stored_entries = l.xsize;
    sizes.bytes = l.xsize * sizeof(double) + (l.ssize + 3 * (l.nsuper + 1)) * sizeof(Index);
  } else {
    sizes.stored_entries = sizes.nnz_factor;
    sizes.bytes = sizes.nnz_factor * (sizeof(double) + sizeof(Index)) + 2 * (l.n + 1) * sizeof(Index);
  }
  return sizes;
}

const double* CholmodTriangular::substitute(CholmodWorkspace& w, std::size_t columns) const {
  cholmod_dense b{};
  b.nrow = b.d = order_.size();
  b.ncol = columns;
  b.nzmax = order_.size() * columns;
  b.x = w.right_side.data();
  b.xtype = CHOLMOD_REAL;
  b.dtype = CHOLMOD_DOUBLE;
  SolveArrays& arrays = columns == 1 ? w.column : w.block;
  cholmod_solve2(CHOLMOD_LDLt, factor_.factor, &b, nullptr, &arrays.x, nullptr, &arrays.y, &arrays.e,
                 w.common.get());
  w.common.check("cholmod_solve2");
  if (!factor_.factor
           ->is_super) {  // y comes back narrower than it was asked for: the next call would replace it
    arrays.y->nrow = arrays.y->d = arrays.y->nzmax / arrays.y->ncol;
  }
  return static_cast<const double*>(arrays.x->x);
}

/// One block after the other: the library's loops are written for 1, 2, 3 and 4 columns and sum in different
/// orders, and the bits of a block must not depend on what is solved beside it.
void CholmodTriangular::solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const {
  auto& w = static_cast<CholmodWorkspace&>(workspace);
  const std::size_t n = order_.size();
  w.right_side.resize(3 * n);
  for (std::size_t c = 0; c < count; ++c) {
    double* b = w.right_side.data();
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = block[c][i].x;
      b[n + i] = block[c][i].y;
      b[2 * n + i] = block[c][i].z;
    }
    const double* x = substitute(w, 3);
    for (std::size_t i = 0; i < n; ++i) block[c][i] = {x[i], x[n + i], x[2 * n + i]};
  }
}

void CholmodTriangular::inverse_columns(const Index* node, std::size_t count, double* const* column,
                                        Workspace& workspace) const {
  auto& w = static_cast<CholmodWorkspace&>(workspace);
  const std::size_t n = order_.size();
  w.right_side.resize(3 * n);
  for (std::size_t c = 0; c < count; ++c) {
    std::fill_n(w.right_side.begin(), n, 0.0);
    w.right_side[node[c]] = 1.0;
    std::copy_n(substitute(w, 1), n, column[c]);
  }
}

}  // namespace

std::unique_ptr<LinearSolver> make_triangular_cholmod(const SymmetricMatrix& matrix, FactorLibrary library,
                                                      double memory_limit) {
  const bool supernodal = library == FactorLibrary::cholmod_supernodal;
  CholmodFactor factor = cholmod_order(matrix, supernodal);
  check_factor_memory(cholmod_stored_entries(factor) * (supernodal ? sizeof(double) : kFactorEntryBytes),
                      memory_limit);
  cholmod_fill(factor, matrix);
  return std::make_unique<CholmodTriangular>(std::move(factor), matrix.size);
}

}  // namespace sinew

#else

namespace sinew {

std::unique_ptr<LinearSolver> make_triangular_cholmod(const SymmetricMatrix&, FactorLibrary, double) {
  throw BackendError("CHOLMOD is not built in; use the factor 'eigen'");
}

}  // namespace sinew

#endif
