// Ordering and factor by CHOLMOD, copied into plain arrays.
#include <sinew/errors.hpp>

#include "host/cholesky_libraries.hpp"
#include "host/elimination_tree.hpp"

#if SINEW_HAVE_CHOLMOD

#include <mutex>

#include "host/cholmod_library.hpp"

namespace sinew {

void CholmodCommon::check(const char* call) const {
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

namespace {

/// The library's view of a matrix; it only reads.
cholmod_sparse borrow(const SymmetricMatrix& matrix) {
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
  return a;
}

/// Columns as CHOLMOD's simplicial factor holds them: packed, rows ascending.
void copy_simplicial(const cholmod_factor& l, CholeskyFactor& result) {
  const Index n = static_cast<Index>(l.n);
  const auto* start = static_cast<const Index*>(l.p);
  const auto* count = static_cast<const Index*>(l.nz);
  const auto* row = static_cast<const Index*>(l.i);
  const auto* value = static_cast<const double*>(l.x);
  result.column_start.reserve(n + 1);
  result.column_start.push_back(0);
  for (Index j = 0; j < n; ++j) result.column_start.push_back(result.column_start.back() + count[j]);
  result.row.reserve(result.column_start.back());
  result.value.reserve(result.column_start.back());
  for (Index j = 0; j < n; ++j) {
    result.row.insert(result.row.end(), row + start[j], row + start[j] + count[j]);
    result.value.insert(result.value.end(), value + start[j], value + start[j] + count[j]);
  }
}

#if SINEW_HAVE_CHOLMOD_SUPERNODAL

/// Columns of dense supernodes without the zeros that relaxing added: what belongs to L follows from the
/// elimination tree, so that rows, tree and order of entries equal the simplicial factor's. (Straight from
/// the supernodes: cholmod_change_factor would keep those zeros and a second copy.)
void copy_supernodal(const cholmod_factor& l, const SymmetricMatrix& matrix, CholeskyFactor& result) {
  const LowerPattern pattern = lower_pattern(matrix, result.order);
  factor_structure(pattern, elimination_tree(pattern), result.column_start, result.row);
  result.value.resize(result.row.size());
  const auto* super = static_cast<const Index*>(l.super);
  const auto* row_begin = static_cast<const Index*>(l.pi);
  const auto* value_begin = static_cast<const Index*>(l.px);
  const auto* super_row = static_cast<const Index*>(l.s);
  const auto* value = static_cast<const double*>(l.x);
  for (std::size_t s = 0; s < l.nsuper; ++s) {
    const Index height = row_begin[s + 1] - row_begin[s];
    const Index* rows = super_row + row_begin[s];
    for (Index j = super[s]; j < super[s + 1]; ++j) {
      const double* column = value + value_begin[s] + static_cast<std::size_t>(j - super[s]) * height;
      Index at = j - super[s];
      for (Index p = result.column_start[j]; p < result.column_start[j + 1]; ++p) {
        while (at < height && rows[at] < result.row[p]) ++at;
        if (at == height || rows[at] != result.row[p])
          throw BackendError("cholmod_factorize: a supernode lacks row " + std::to_string(result.row[p]) +
                             "; use the factor 'cholmod'");
        result.value[p] = column[at];
      }
    }
  }
}

#endif

}  // namespace

bool has_cholmod() {
  return true;
}

bool has_cholmod_supernodal() {
  return SINEW_HAVE_CHOLMOD_SUPERNODAL != 0;
}

CholmodFactor cholmod_order(const SymmetricMatrix& matrix, bool supernodal) {
  if (supernodal) resolve(FactorLibrary::cholmod_supernodal);
  CholmodFactor result;
  cholmod_common& common = *result.common->get();
  common.supernodal = supernodal ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
  common.final_ll = 1;
  common.final_super = supernodal ? 1 : 0;
  common.final_pack = 1;
  common.final_monotonic = 1;
  common.grow2 = 0;  // no room for later changes: L never changes
  common.print = 0;
  common.nmethods = 2;
  common.method[0].ordering = CHOLMOD_METIS;
  common.method[1].ordering = CHOLMOD_NESDIS;
  common.postorder = 1;
  cholmod_sparse a = borrow(matrix);
  {
    const std::lock_guard lock(metis_mutex());
    result.factor = cholmod_analyze(&a, &common);
  }
  result.common->check("cholmod_analyze");
  return result;
}

void cholmod_fill(CholmodFactor& symbolic, const SymmetricMatrix& matrix) {
  cholmod_sparse a = borrow(matrix);
  cholmod_factorize(&a, symbolic.factor, symbolic.common->get());
  symbolic.common->check("cholmod_factorize");
  if (symbolic.factor->minor < symbolic.factor->n)
    throw BackendError("cholmod_factorize: the system is not positive definite");
}

double cholmod_stored_entries(const CholmodFactor& symbolic) {
  return symbolic.factor->is_super ? static_cast<double>(symbolic.factor->xsize)
                                   : symbolic.common->get()->lnz;
}

CholeskyFactor factor_cholmod(const SymmetricMatrix& matrix, bool supernodal, double memory_limit) {
  CholmodFactor l = cholmod_order(matrix, supernodal);
  const double own = l.common->get()->lnz * kFactorEntryBytes;
  check_factor_memory(own + cholmod_stored_entries(l) * (supernodal ? sizeof(double) : kFactorEntryBytes),
                      memory_limit);
  cholmod_fill(l, matrix);
  CholeskyFactor result;
  const auto* order = static_cast<const Index*>(l.factor->Perm);
  result.order.assign(order, order + matrix.size);
#if SINEW_HAVE_CHOLMOD_SUPERNODAL
  if (supernodal) {
    copy_supernodal(*l.factor, matrix, result);
    return result;
  }
#endif
  copy_simplicial(*l.factor, result);
  return result;
}

std::vector<Index> order_cholmod(const SymmetricMatrix& matrix) {
  const CholmodFactor l = cholmod_order(matrix, false);
  const auto* order = static_cast<const Index*>(l.factor->Perm);
  return {order, order + matrix.size};
}

}  // namespace sinew

#else

namespace sinew {

bool has_cholmod() {
  return false;
}

bool has_cholmod_supernodal() {
  return false;
}

CholeskyFactor factor_cholmod(const SymmetricMatrix&, bool, double) {
  throw BackendError("CHOLMOD is not built in; use the factor 'eigen'");
}

std::vector<Index> order_cholmod(const SymmetricMatrix&) {
  throw BackendError("CHOLMOD is not built in; use the factor 'eigen'");
}

}  // namespace sinew

#endif
