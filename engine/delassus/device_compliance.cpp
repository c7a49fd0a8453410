#include "engine/delassus/device_compliance.hpp"

#include <algorithm>

#include <sinew/errors.hpp>

namespace sinew {

namespace {
constexpr const char* kWhat = "compliance of the contacts";
}

DeviceCompliance::DeviceCompliance(DeviceQueue& queue, const LinearSolver& solver)
    : inverse_(device_inverse_of(solver)),
      column_(static_cast<std::size_t>(solver.size()), nullptr),
      table_(to_device(queue, column_, kWhat)) {
  if (!inverse_.full && !inverse_.mixed)
    throw BackendError("compliance on " + queue.device().name() + ": the global step does not run there");
}

std::size_t DeviceCompliance::require(DeviceQueue& queue, const std::vector<Index>& nodes) {
  std::vector<Index> missing;
  for (const Index node : nodes)
    if (!column_[node]) missing.push_back(node);
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  for (std::size_t begin = 0; begin < missing.size(); begin += kWideColumns)
    make_columns(queue, missing.data() + begin, std::min(kWideColumns, missing.size() - begin));
  return missing.size();
}

void DeviceCompliance::make_columns(DeviceQueue& queue, const Index* node, std::size_t count) {
  const std::size_t n = column_.size();
  Device& device = queue.device();
  DeviceBuffer<double> block(device, count * n, kWhat);
  DeviceBuffer<Index> nodes(device, count, kWhat);
  if (inverse_.full && full_.block.size() == 0) full_ = inverse_.full->make_wide_workspace(device);
  if (inverse_.mixed && mixed_.block.size() == 0) mixed_ = inverse_.mixed->make_wide_workspace(device);
  queue.upload(nodes.view(), node);
  if (inverse_.full)
    inverse_.full->columns(queue, nodes.cview(), block.view(), full_);
  else
    inverse_.mixed->columns(queue, nodes.cview(), block.view(), mixed_);
  queue.synchronize();  // `nodes` goes
  for (std::size_t c = 0; c < count; ++c) column_[node[c]] = block.data() + c * n;
  block_.push_back(std::move(block));
  queue.upload(table_.view(), column_.data());
  queue.synchronize();
}

std::size_t DeviceCompliance::bytes() const {
  std::size_t bytes = table_.bytes() + full_.block.bytes() + full_.right.bytes() + full_.solution.bytes() +
                      mixed_.block.bytes() + mixed_.right.bytes() + mixed_.solution.bytes();
  for (const DeviceBuffer<double>& block : block_) bytes += block.bytes();
  return bytes;
}

std::size_t DeviceComplianceTables::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [solver, table] : table_) bytes += table->bytes();
  return bytes;
}

}  // namespace sinew
