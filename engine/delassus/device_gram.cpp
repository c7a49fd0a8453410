#include "engine/delassus/device_gram.hpp"

#include <algorithm>

#include "engine/precompute/body_precompute.hpp"
#include "kernels/device/upload_batch.hpp"

namespace sinew {

namespace {

constexpr const char* kWhat = "matrix of the contacts";

/// Rows of B of one body, their nodes named by places in a list of all that they touch.
struct Part {
  BodyRows rows;
  std::vector<Index> node;   ///< ascending, each once
  std::vector<Index> place;  ///< {terms} in node
};

Part part_of(const PointRows& rows, std::size_t body, Index free_count) {
  Part part{rows_of_body(rows, body, free_count), {}, {}};
  part.node = part.rows.node;
  std::sort(part.node.begin(), part.node.end());
  part.node.erase(std::unique(part.node.begin(), part.node.end()), part.node.end());
  for (const Index node : part.rows.node)
    part.place.push_back(
        static_cast<Index>(std::lower_bound(part.node.begin(), part.node.end(), node) - part.node.begin()));
  return part;
}

}  // namespace

std::size_t DeviceGram::assemble(DeviceQueue& queue, const PointRows& rows,
                                 const std::vector<const BodyPrecomputed*>& bodies,
                                 DeviceComplianceTables& tables) {
  const std::size_t count = rows.size();
  if (count == diagonal_.size() && rows == last_ && bodies == last_bodies_) return 0;
  const QueueStage stage(queue, "Delassus");
  reset();
  if (gram_.size() != count * count) {
    gram_ = {};  // goes back to the pool first
    gram_ = DeviceBuffer<double>(queue.device(), count * count, kWhat);
  }
  queue.clear(gram_.view());
  std::size_t columns = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b]) columns += add_body(queue, rows, b, *bodies[b], tables);
  std::vector<double> diagonal(count);
  DeviceBuffer<double> on_device(queue.device(), count, kWhat);
  queue.take_diagonal(gram_.cview(), on_device.view());
  queue.download(diagonal.data(), on_device.cview());
  queue.synchronize();
  diagonal_ = std::move(diagonal);
  last_ = rows;
  last_bodies_ = bodies;
  return columns;
}

std::size_t DeviceGram::add_body(DeviceQueue& queue, const PointRows& rows, std::size_t body,
                                 const BodyPrecomputed& prepared, DeviceComplianceTables& tables) {
  const Part part = part_of(rows, body, prepared.free_count);
  if (part.rows.row.empty()) return 0;
  DeviceCompliance& table = tables.of(queue, *prepared.solver);
  const std::size_t columns = table.require(queue, part.node);
  Device& device = queue.device();
  DeviceBuffer<double> z(device, part.rows.row.size() * part.node.size(), kWhat);
  UploadBatch batch(queue);
  const auto row = batch.borrow(part.rows.row, kWhat);
  const auto start = batch.borrow(part.rows.start, kWhat);
  const auto place = batch.borrow(part.place, kWhat);
  const auto weight = batch.borrow(part.rows.weight, kWhat);
  const auto node = batch.borrow(part.node, kWhat);
  const GramPart view{row.view(), start.view(), place.view(), weight.view(), node.view()};
  queue.mix_columns(view, table.columns(), z.view());
  queue.add_entries(view, z.cview(), rows.size(), gram_.view());
  batch.finish();  // buffers go
  return columns;
}

void DeviceGram::download(DeviceQueue& queue, std::vector<double>& gram) const {
  const std::size_t count = diagonal_.size();
  gram.resize(gram_.size());
  queue.download(gram.data(), gram_.cview());
  queue.synchronize();
  for (std::size_t c = 0; c < count; ++c) gram[c * count + c] = diagonal_[c];  // solvers may have changed it
}

void DeviceGram::reset() {
  last_.clear();
  last_bodies_.clear();
  diagonal_.clear();
}

}  // namespace sinew
