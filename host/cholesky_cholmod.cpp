// The only file that knows CHOLMOD.
#include <sinew/errors.hpp>

#include "host/cholesky_libraries.hpp"

#if SINEW_HAVE_CHOLMOD

#include <memory>
#include <mutex>

#include <cholmod.h>

namespace sinew {

namespace {

/// Owns the library's workspace.
class Common {
 public:
  Common() {
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SIMPLICIAL;
    common_.final_ll = 1;
    common_.final_super = 0;
    common_.final_pack = 1;
    common_.final_monotonic = 1;
    common_.print = 0;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_METIS;
    common_.postorder = 1;
  }
  ~Common() { cholmod_finish(&common_); }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;
  cholmod_common* get() { return &common_; }

  void check(const char* call) const {
    if (common_.status >= 0 && common_.status != CHOLMOD_NOT_POSDEF) return;
    const char* reason = "unknown error";
    switch (common_.status) {
      case CHOLMOD_NOT_POSDEF:
        reason = "CHOLMOD_NOT_POSDEF: the system is not positive definite";
        break;
      case CHOLMOD_OUT_OF_MEMORY:
        reason = "CHOLMOD_OUT_OF_MEMORY";
        break;
      case CHOLMOD_TOO_LARGE:
        reason = "CHOLMOD_TOO_LARGE: over 2^31 nonzeros";
        break;
      case CHOLMOD_INVALID:
        reason = "CHOLMOD_INVALID";
        break;
      case CHOLMOD_NOT_INSTALLED:
        reason = "CHOLMOD_NOT_INSTALLED";
        break;
      default:
        break;
    }
    throw BackendError(std::string(call) + ": " + reason);
  }

 private:
  cholmod_common common_{};
};

}  // namespace

bool has_cholmod() {
  return true;
}

CholeskyFactor factor_cholmod(const SymmetricMatrix& matrix, double memory_limit) {
  Common common;
  cholmod_sparse a{};
  a.nrow = a.ncol = static_cast<std::size_t>(matrix.size);
  a.nzmax = matrix.row.size();
  a.p = const_cast<Index*>(matrix.column_start.data());
  a.i = const_cast<Index*>(matrix.row.data());
  a.x = const_cast<double*>(matrix.value.data());
  a.stype = -1;
  a.itype = CHOLMOD_INT;
  a.xtype = CHOLMOD_REAL;
  a.dtype = CHOLMOD_DOUBLE;
  a.sorted = 1;
  a.packed = 1;

  struct FactorDeleter {
    cholmod_common* common;
    void operator()(cholmod_factor* f) const { cholmod_free_factor(&f, common); }
  };
  std::unique_ptr<cholmod_factor, FactorDeleter> l(nullptr, {common.get()});
  {
    const std::lock_guard lock(metis_mutex());
    l.reset(cholmod_analyze(&a, common.get()));
  }
  common.check("cholmod_analyze");
  check_factor_memory(common.get()->lnz, memory_limit);
  cholmod_factorize(&a, l.get(), common.get());
  common.check("cholmod_factorize");
  if (l->minor < l->n) throw BackendError("cholmod_factorize: the system is not positive definite");

  const Index n = matrix.size;
  CholeskyFactor result;
  const auto* order = static_cast<const Index*>(l->Perm);
  const auto* start = static_cast<const Index*>(l->p);
  const auto* count = static_cast<const Index*>(l->nz);
  const auto* row = static_cast<const Index*>(l->i);
  const auto* value = static_cast<const double*>(l->x);
  result.order.assign(order, order + n);
  result.column_start.reserve(n + 1);
  result.column_start.push_back(0);
  for (Index j = 0; j < n; ++j) result.column_start.push_back(result.column_start.back() + count[j]);
  result.row.reserve(result.column_start.back());
  result.value.reserve(result.column_start.back());
  for (Index j = 0; j < n; ++j) {
    result.row.insert(result.row.end(), row + start[j], row + start[j] + count[j]);
    result.value.insert(result.value.end(), value + start[j], value + start[j] + count[j]);
  }
  return result;
}

}  // namespace sinew

#else

namespace sinew {

bool has_cholmod() {
  return false;
}

CholeskyFactor factor_cholmod(const SymmetricMatrix&, double) {
  throw BackendError("CHOLMOD is not built in; use the global solver 'eigen'");
}

}  // namespace sinew

#endif
