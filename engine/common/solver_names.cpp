#include "engine/common/solver_names.hpp"

namespace sinew {

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names = {"auto", "cpu", "cuda", "emulated"};
  return names;
}

const std::vector<std::string>& elastic_scheme_names() {
  static const std::vector<std::string> names{"automatic", "quasi_newton", "admm"};
  return names;
}

const std::vector<std::string>& global_solver_names() {
  static const std::vector<std::string> names = {"automatic", "staged", "sparse_inverse", "triangular",
                                                 "pcg",       "jacobi", "chebyshev"};
  return names;
}

const std::vector<std::string>& factor_library_names() {
  static const std::vector<std::string> names = {"automatic", "cholmod", "cholmod_supernodal", "eigen",
                                                 "native"};
  return names;
}

const std::vector<std::string>& precision_names() {
  static const std::vector<std::string> names = {"double", "mixed"};
  return names;
}

const std::vector<std::string>& contact_solver_names() {
  static const std::vector<std::string> names = {"automatic", "gs", "nsn", "nsn_gs", "newton", "interior_point"};
  return names;
}

const std::vector<std::string>& newton_form_names() {
  static const std::vector<std::string> names = {"exact", "published"};
  return names;
}

const std::vector<std::string>& row_scaling_names() {
  static const std::vector<std::string> names = {"system", "mass"};
  return names;
}

const std::vector<std::string>& delassus_way_names() {
  static const std::vector<std::string> names = {"automatic", "cache", "gram", "matrix_free"};
  return names;
}

const std::vector<std::string>& broad_phase_names() {
  static const std::vector<std::string> names = {"automatic", "host", "device"};
  return names;
}

const std::vector<std::string>& preconditioner_names() {
  static const std::vector<std::string> names = {"block_jacobi", "incomplete_cholesky"};
  return names;
}

}  // namespace sinew
