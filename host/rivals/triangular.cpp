#include "host/rivals/triangular.hpp"

#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

class OwnTriangular : public LinearSolver {
 public:
  explicit OwnTriangular(CholeskyFactor factor) : factor_(std::move(factor)) {}

  const std::vector<Index>& order() const override { return factor_.order; }
  Sizes sizes() const override {
    Sizes sizes;
    sizes.nnz_factor = sizes.stored_entries = factor_.nonzeros();
    sizes.bytes =
        factor_.column_start.size() * sizeof(Index) + factor_.nonzeros() * (sizeof(Index) + sizeof(double));
    return sizes;
  }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Workspace>(); }
  void solve(Vec3d* const* block, std::size_t count, Workspace&) const override {
    for_each(count, 1, [&](std::size_t c) { factor_.solve(block[c]); });
  }
  void inverse_columns(const Index* node, std::size_t count, double* const* column,
                       Workspace&) const override {
    for_each(count, 1, [&](std::size_t c) { factor_.inverse_column(node[c], column[c]); });
  }

 private:
  CholeskyFactor factor_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_triangular(const SymmetricMatrix& matrix, FactorLibrary library,
                                              double memory_limit) {
  if (library == FactorLibrary::automatic)
    library = has_cholmod() ? FactorLibrary::cholmod : FactorLibrary::eigen;
  library = resolve(library);
  if (library == FactorLibrary::eigen || library == FactorLibrary::native || matrix.size == 0)
    return std::make_unique<OwnTriangular>(factor(matrix, library, memory_limit));
  return make_triangular_cholmod(matrix, library, memory_limit);
}

}  // namespace sinew
