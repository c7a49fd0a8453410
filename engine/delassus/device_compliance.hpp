// Columns of A_s^-1 on a device, for the nodes that contacts have touched so far (fact 3).
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "host/device_solver.hpp"
#include "kernels/device/queue.hpp"

namespace sinew {

/// Of one prepared body; shared by its instances. A newly touched node costs a 32nd of a wide solve, once;
/// its column stays, whole: 8 bytes for each free node (3,300 touched of 21,000: 554 MB).
class DeviceCompliance {
 public:
  /// solver: one that solves on the queue's device. @throws BackendError where it does not; MemoryError
  DeviceCompliance(DeviceQueue& queue, const LinearSolver& solver);

  /// Makes the columns of these nodes that are not there yet; returns how many that were. Waits where there
  /// are any. Where memory ends, columns made together of which none is asked for now are dropped first.
  /// @throws MemoryError with both numbers; what is still there stays good.
  std::size_t require(DeviceQueue& queue, const std::vector<Index>& nodes);
  ComplianceColumns columns() const { return {table_.view()}; }
  std::size_t bytes() const;

 private:
  /// Columns made together.
  struct Block {
    std::vector<Index> node;
    DeviceBuffer<double> column;  ///< {nodes, n}
  };
  void make_columns(DeviceQueue& queue, const Index* node, std::size_t count);
  bool drop_blocks(const std::vector<Index>& keep);

  DeviceInverseOf inverse_;
  std::vector<const double*> column_;  ///< {n} on the device; null: not there
  DeviceBuffer<const double*> table_;  ///< the same
  std::vector<Block> block_;
  DeviceInverse<double>::WideWorkspace full_;
  DeviceInverse<float>::WideWorkspace mixed_;
};

/// Those of all bodies of a simulation, by the solver that they belong to.
class DeviceComplianceTables {
 public:
  DeviceCompliance& of(DeviceQueue& queue, const LinearSolver& solver) {
    std::unique_ptr<DeviceCompliance>& table = table_[&solver];
    if (!table) table = std::make_unique<DeviceCompliance>(queue, solver);
    return *table;
  }
  std::size_t bytes() const;

 private:
  std::map<const LinearSolver*, std::unique_ptr<DeviceCompliance>> table_;
};

}  // namespace sinew
