// Time to make the Delassus operator of bodies that lie on the floor, in every way, beside the published form
// on three rows per contact.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/output.hpp"

namespace sinew::bench {

/// One way at one size.
struct AssemblyTiming {
  std::string way;
  double ms = 0.0;  ///< median over rounds
  int rounds = 0;
  std::size_t columns = 0;  ///< of A_s^-1 computed in a round
  double error = -1.0;  ///< [1] largest difference from the cache way over the largest entry; -1: no matrix
};

struct AssemblyCase {
  std::string body;
  std::size_t vertices = 0, points = 0;  ///< three constraints per point
  std::vector<AssemblyTiming> timings;
  const AssemblyTiming& of(const std::string& way) const;
};

inline constexpr const char* kSameSet = "cache: same points";
inline constexpr const char* kNewPoints = "cache: 5 % other points";
inline constexpr const char* kFullTable = "cache: all points new, table full";
inline constexpr const char* kCold = "cache: cold";
inline constexpr const char* kGramWay = "gram";
inline constexpr const char* kMatrixFreeSetUp = "matrix-free: set up";
inline constexpr const char* kMatrixFreeProduct = "matrix-free: one product";
inline constexpr const char* kDenseProduct = "product with G at hand";
inline constexpr const char* kPlain = "plain 3c x 3c";

/// "sheet": a square of 120 x 120 nodes; "slab": four layers of tetrahedra, 59 x 59 nodes each layer.
const std::vector<std::string>& assembly_bodies();

/// constraints: three per point, the points nearest to the middle of the underside. plain_limit: constraints
/// up to which the plain form is measured. seconds: measured per way. Call inside Executor::run.
std::vector<AssemblyCase> run_assembly_study(const std::string& body,
                                             const std::vector<std::size_t>& constraints,
                                             std::size_t plain_limit, double seconds,
                                             const std::function<void(const std::string&)>& progress);

Table assembly_table(const std::vector<AssemblyCase>& cases);
void write_assembly(JsonWriter& json, const std::vector<AssemblyCase>& cases);

}  // namespace sinew::bench
