// G = B A_s^-1 B^T on a device, where the contact solvers read it.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/delassus/device_compliance.hpp"
#include "engine/delassus/point_rows.hpp"

namespace sinew {

struct BodyPrecomputed;

/// Keeps what the last call made: lives as long as its island, from frame to frame. An entry depends on its
/// two rows, and on which of them comes first, to the bit: neither on other rows nor on what was there
/// before.
///
/// Of 3,300 points with three terms each the matrix is 87 MB; it and the mixed columns (as many) are written
/// once and read once, 0.4 GB with what does not come in whole lines: 0.1 ms by the datasheet of an H100.
class DeviceGram {
 public:
  /// As GramAssembler::assemble, by way of the cache. The same rows in the same order cost a comparison.
  /// Returns the columns of A_s^-1 that were computed; the matrix is there when the queue has come so far,
  /// its diagonal at once. @throws MemoryError with both numbers; the next call starts afresh then.
  std::size_t assemble(DeviceQueue& queue, const PointRows& rows,
                       const std::vector<const BodyPrecomputed*>& bodies, DeviceComplianceTables& tables);

  /// {c, c} on the device; for ContactProblem::device_gram.
  View<double> entries() { return gram_.view(); }
  /// {c} for ContactProblem::gram_diagonal.
  const std::vector<double>& diagonal() const { return diagonal_; }
  /// For solvers of the host. Waits.
  void download(DeviceQueue& queue, std::vector<double>& gram) const;

  void reset();
  std::size_t bytes() const { return gram_.bytes(); }

 private:
  std::size_t add_body(DeviceQueue& queue, const PointRows& rows, std::size_t body,
                       const BodyPrecomputed& prepared, DeviceComplianceTables& tables);

  PointRows last_;
  std::vector<const BodyPrecomputed*> last_bodies_;
  DeviceBuffer<double> gram_;
  std::vector<double> diagonal_;
};

}  // namespace sinew
