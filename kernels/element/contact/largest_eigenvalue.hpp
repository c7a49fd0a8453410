// Largest eigenvalue of a symmetric 3 x 3 matrix.
#pragma once

#include <cmath>

#include <sinew/base/config.hpp>

namespace sinew {

/// Closed form (Smith 1961); at least zero.
SINEW_HD inline double largest_eigenvalue(const double (&m)[3][3]) {
  using std::acos;
  using std::cos;
  using std::sqrt;
  const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3.0;
  const double off = m[0][1] * m[0][1] + m[0][2] * m[0][2] + m[1][2] * m[1][2];
  const double a = m[0][0] - mean, b = m[1][1] - mean, d = m[2][2] - mean;
  const double spread = sqrt((a * a + b * b + d * d + 2.0 * off) / 6.0);
  if (!(spread > 0.0)) return mean > 0.0 ? mean : 0.0;
  const double det = a * (b * d - m[1][2] * m[1][2]) - m[0][1] * (m[0][1] * d - m[1][2] * m[0][2]) +
                     m[0][2] * (m[0][1] * m[1][2] - b * m[0][2]);
  double r = det / (2.0 * spread * spread * spread);
  r = r < -1.0 ? -1.0 : (r > 1.0 ? 1.0 : r);
  const double largest = mean + 2.0 * spread * cos(acos(r) / 3.0);
  return largest > 0.0 ? largest : 0.0;
}

}  // namespace sinew
