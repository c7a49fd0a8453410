// Texts of the solver's choices, in the order of their enumerations: for scenes, reports and benchmarks.
#pragma once

#include <string>
#include <vector>

#include <sinew/base/solver_settings.hpp>

namespace sinew {

const std::vector<std::string>& backend_names();
const std::vector<std::string>& elastic_scheme_names();
const std::vector<std::string>& global_solver_names();
const std::vector<std::string>& factor_library_names();
const std::vector<std::string>& precision_names();
const std::vector<std::string>& preconditioner_names();
const std::vector<std::string>& delassus_way_names();
const std::vector<std::string>& broad_phase_names();
const std::vector<std::string>& contact_solver_names();
const std::vector<std::string>& newton_form_names();
const std::vector<std::string>& row_scaling_names();

inline const std::string& to_string(Backend v) {
  return backend_names()[static_cast<int>(v)];
}
inline const std::string& to_string(ElasticScheme v) {
  return elastic_scheme_names()[static_cast<int>(v)];
}
inline const std::string& to_string(GlobalSolver v) {
  return global_solver_names()[static_cast<int>(v)];
}
inline const std::string& to_string(FactorLibrary v) {
  return factor_library_names()[static_cast<int>(v)];
}
inline const std::string& to_string(SolverPrecision v) {
  return precision_names()[static_cast<int>(v)];
}
inline const std::string& to_string(Preconditioner v) {
  return preconditioner_names()[static_cast<int>(v)];
}
inline const std::string& to_string(DelassusWay v) {
  return delassus_way_names()[static_cast<int>(v)];
}
inline const std::string& to_string(ContactSolver v) {
  return contact_solver_names()[static_cast<int>(v)];
}

}  // namespace sinew
