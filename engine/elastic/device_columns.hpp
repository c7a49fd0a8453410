// Z and M of the quasi-Newton method on a device: Z^T r and out += s Z M Z^T r for columns that stand there.
#pragma once

#include <functional>
#include <vector>

#include "kernels/device/mirrored.hpp"

namespace sinew {

class DeviceColumns {
 public:
  /// At most `most` columns of n numbers.
  DeviceColumns(DeviceQueue& queue, std::size_t most, std::size_t n);

  /// What stands for Z from now on; empty where M is not needed. Columns stay where they are.
  void set(const std::vector<const Mirrored<Vec3d>*>& columns, const std::vector<double>& middle);
  std::size_t rank() const { return table_.size(); }

  /// Z^T r; waits.
  std::vector<double> products(const Mirrored<Vec3d>& r);
  /// Z^T y, and PairSums of s and y behind; one wait.
  std::vector<double> products_and_sums(const Mirrored<Vec3d>& step, const Mirrored<Vec3d>& change);
  /// out += scale Z M Z^T r; nothing waits.
  void add_low_rank(const Mirrored<Vec3d>& r, double scale, Mirrored<Vec3d>& out);
  /// Row r of the points, of every column: {points, rank}; waits.
  std::vector<Vec3d> at_points(const DevicePoints& points);

 private:
  std::vector<double> down(std::size_t count);

  DeviceQueue& queue_;
  Mirrored<const Vec3d*> table_;
  Mirrored<double> middle_;
  DeviceBuffer<double> inner_, weight_, scratch_;
  PinnedBuffer<double> on_host_;
};

}  // namespace sinew
