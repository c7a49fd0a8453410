// The compliance of all contact points as an operator, for problems whose matrix would not fit.
#pragma once

#include <cstddef>
#include <vector>

#include <sinew/base/vec3.hpp>

namespace sinew {

class PointOperator {
 public:
  virtual ~PointOperator() = default;
  virtual std::size_t size() const = 0;
  /// out_p = sum_q G_pq v_q; G [1/kg]. Same bits for any number of threads. One caller at a time,
  /// inside Executor::run.
  virtual void apply(const std::vector<Vec3d>& v, std::vector<Vec3d>& out) const = 0;
  /// {size} G_pp [1/kg].
  virtual const std::vector<double>& diagonal() const = 0;
};

}  // namespace sinew
