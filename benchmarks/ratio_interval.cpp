#include "benchmarks/ratio_interval.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace sinew::bench {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Logarithms {
  double count = 0.0, mean = 0.0, variance = 0.0;
  double share() const { return variance / count; }  ///< of se^2
};

Logarithms logarithms(const std::vector<double>& values) {
  Logarithms l;
  std::vector<double> logs;
  for (const double v : values)
    if (std::isfinite(v) && v > 0.0) logs.push_back(std::log(v));
  l.count = static_cast<double>(logs.size());
  for (const double x : logs) l.mean += x / l.count;
  for (const double x : logs) l.variance += (x - l.mean) * (x - l.mean);
  if (logs.size() > 1) l.variance /= l.count - 1.0;
  return l;
}

/// P(|T| <= t): with t = sqrt(nu) tan(angle) it is the integral of cos^(nu - 1) from 0 to the angle, over the
/// same to pi / 2, which is B(1/2, nu/2) / 2. Simpson's rule: the integrand is smooth, and of width
/// 1/sqrt(nu) just as the angle.
double student_probability(double t, double nu) {
  constexpr int kIntervals = 200;
  const double angle = std::atan(t / std::sqrt(nu)), step = angle / kIntervals;
  double sum = 0.0;
  for (int k = 0; k <= kIntervals; ++k) {
    const double weight = k == 0 || k == kIntervals ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0);
    sum += weight * std::pow(std::cos(step * k), nu - 1.0);
  }
  const double log_beta =
      0.5 * std::log(std::numbers::pi) + std::lgamma(0.5 * nu) - std::lgamma(0.5 * nu + 0.5);
  return 2.0 * sum * step / 3.0 / std::exp(log_beta);
}

}  // namespace

double student_t_95(double nu) {
  double low = 1.9, high = 12.8;  // infinitely many degrees of freedom, and one
  while (high - low > 1e-7 * low) {
    const double middle = 0.5 * (low + high);
    (student_probability(middle, nu) < 0.95 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

RatioInterval ratio_interval(const std::vector<double>& a, const std::vector<double>& b) {
  const Logarithms of_a = logarithms(a), of_b = logarithms(b);
  RatioInterval result{kUnknown, kUnknown, kUnknown, kUnknown};
  if (of_a.count < 1.0 || of_b.count < 1.0) return result;
  result.ratio = std::exp(of_b.mean - of_a.mean);
  if (of_a.count < 2.0 || of_b.count < 2.0) return result;
  const double squared_error = of_a.share() + of_b.share();
  result.low = result.high = result.ratio;
  if (!(squared_error > 0.0)) return result;
  result.degrees_of_freedom =
      squared_error * squared_error /
      (of_a.share() * of_a.share() / (of_a.count - 1.0) + of_b.share() * of_b.share() / (of_b.count - 1.0));
  const double width = student_t_95(result.degrees_of_freedom) * std::sqrt(squared_error);
  result.low = result.ratio * std::exp(-width);
  result.high = result.ratio * std::exp(width);
  return result;
}

}  // namespace sinew::bench
