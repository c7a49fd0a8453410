// `sinew bench scaling`: how frames grow with the vertices of a body and with the number of contacts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <sinew/model.hpp>

#include "benchmarks/output.hpp"
#include "benchmarks/suite_result.hpp"

namespace sinew::bench {

/// A slab, 1 m x 1 m x 0.1 m, with n x n x 3 nodes, n^2 about `contacts`: all nodes of its lower face stand
/// on solid ground under a gravity that is tilted by 20 degrees; E = 0.1 MPa, mu = 0.5, so that it ends at
/// rest.
Model slab_on_slope(Index contacts);

struct ScalingSettings {
  std::vector<Index> elastic;  ///< vertices of twisting bars
  std::vector<Index> contact;  ///< nodes of the lower face of slabs
  long frames = 20;
  int repeats = 3;
  int threads = 1;
};

/// small: bars to 20k vertices and slabs to 1k contacts; medium: to 50k and 3k; large: to 100k and 10k.
ScalingSettings scaling_settings(const std::string& size);

/// Rows "scaling/elastic/5000" and "scaling/contact/1000" with the values and samples of FrameSeries; what
/// the memory does not hold stands in failures. Advice: the exponents.
void run_scaling(const ScalingSettings& settings, SuiteResult& result,
                 const std::function<void(const std::string&)>& progress);

/// p of the power law y = c x^p: least squares in the logarithms; pairs that are not positive and finite are
/// left out. NaN where less than two different x are left.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

/// "elastic: frame ~ vertices^1.05, ..." for every family of rows.
std::vector<std::string> growth_lines(const SuiteResult& result);

Table scaling_table(const SuiteResult& result);

void add_scaling_case(CLI::App& command);

}  // namespace sinew::bench
