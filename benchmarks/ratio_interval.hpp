// Ratio of two measurements from a few repeats each, with its 95 % confidence interval.
//
// Times are positive, scatter by factors rather than by amounts, and the two runs scatter differently; so the
// logarithms are compared, by Welch's t: B. L. Welch, "The generalization of Student's problem when several
// different population variances are involved", Biometrika 34 (1947); degrees of freedom by F. E.
// Satterthwaite, Biometrics Bulletin 2 (1946). With l = log x, m and s^2 mean and variance (n - 1) of l,
//
//   ratio = exp(m_b - m_a)     interval = ratio exp(+- t se)     se^2 = s_a^2 / n_a + s_b^2 / n_b
//   nu = se^4 / (s_a^4 / (n_a^2 (n_a - 1)) + s_b^4 / (n_b^2 (n_b - 1)))     t: 97.5 % quantile, nu degrees
//
// This assumes that repeats are independent and their logarithms roughly normal. What drifts along with the
// repeats of one run (clock rates, other programs) shifts all of them: no interval can see that.
#pragma once

#include <vector>

namespace sinew::bench {

struct RatioInterval {
  double ratio = 0.0;               ///< b / a of the geometric means; NaN where it cannot be told
  double low = 0.0, high = 0.0;     ///< NaN where either side has less than two repeats
  double degrees_of_freedom = 0.0;  ///< NaN where there is no interval, or no scatter

  bool known() const { return low <= high; }  ///< there is an interval
  bool excludes_one() const { return known() && (low > 1.0 || high < 1.0); }
};

/// Repeats that are not positive and finite are left out.
RatioInterval ratio_interval(const std::vector<double>& a, const std::vector<double>& b);

/// |t| that Student's t with nu >= 1 degrees of freedom passes with a probability of 5 %; to 1e-6 of itself.
double student_t_95(double nu);

}  // namespace sinew::bench
