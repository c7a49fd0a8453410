// CHOLMOD behind owning types; included by the sources that call it, where it is built in.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <cholmod.h>

#include "host/cholesky.hpp"

namespace sinew {

/// The library's settings and workspace: one per thread at work.
class CholmodCommon {
 public:
  CholmodCommon() { cholmod_start(&common_); }
  ~CholmodCommon() { cholmod_finish(&common_); }
  CholmodCommon(const CholmodCommon&) = delete;
  CholmodCommon& operator=(const CholmodCommon&) = delete;
  cholmod_common* get() { return &common_; }

  /// @throws BackendError that names the call and the library's code, if the last call failed.
  void check(const char* call) const;

 private:
  cholmod_common common_{};
};

/// A factor and the workspace that made it.
struct CholmodFactor {
  std::unique_ptr<CholmodCommon> common = std::make_unique<CholmodCommon>();
  cholmod_factor* factor = nullptr;

  CholmodFactor() = default;
  CholmodFactor(CholmodFactor&& other) noexcept
      : common(std::move(other.common)), factor(std::exchange(other.factor, nullptr)) {}
  CholmodFactor& operator=(CholmodFactor&&) = delete;
  ~CholmodFactor() {
    if (factor != nullptr) cholmod_free_factor(&factor, common->get());
  }
};

/// Symbolic factor: METIS and CHOLMOD's own nested dissection are both tried, the one with fewer nonzeros is
/// kept (each takes about as long as the other and far less than the numbers); columns in postorder.
/// @throws BackendError where supernodal is asked for and not built in.
CholmodFactor cholmod_order(const SymmetricMatrix& matrix, bool supernodal);

/// Numbers of a symbolic factor, L L^T, simplicial or supernodal as it was ordered.
void cholmod_fill(CholmodFactor& symbolic, const SymmetricMatrix& matrix);

/// Nonzeros that the library will store, zeros of relaxed supernodes included.
double cholmod_stored_entries(const CholmodFactor& symbolic);

}  // namespace sinew
