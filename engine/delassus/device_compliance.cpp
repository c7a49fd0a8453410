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
  for (std::size_t begin = 0; begin < missing.size();) {
    const std::size_t count = std::min(kWideColumns, missing.size() - begin);
    try {
      make_columns(queue, missing.data() + begin, count);
      begin += count;
    } catch (const MemoryError&) {  // once more, as long as there are blocks to drop
      if (!drop_blocks(nodes)) throw;
    }
  }
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
  block_.push_back({{node, node + count}, std::move(block)});
  queue.upload(table_.view(), column_.data());
  queue.synchronize();
}

bool DeviceCompliance::drop_blocks(const std::vector<Index>& keep) {
  std::vector<char> wanted(column_.size(), 0);
  for (const Index node : keep) wanted[node] = 1;
  const auto unused = [&](const Block& block) {
    return std::none_of(block.node.begin(), block.node.end(), [&](Index node) { return wanted[node]; });
  };
  const std::size_t before = block_.size();
  for (const Block& block : block_)
    if (unused(block))
      for (const Index node : block.node) column_[node] = nullptr;
  block_.erase(std::remove_if(block_.begin(), block_.end(), unused), block_.end());
  return block_.size() < before;
}

std::size_t DeviceCompliance::bytes() const {
  std::size_t bytes = table_.bytes() + full_.block.bytes() + full_.right.bytes() + full_.solution.bytes() +
                      mixed_.block.bytes() + mixed_.right.bytes() + mixed_.solution.bytes();
  for (const Block& block : block_) bytes += block.column.bytes();
  return bytes;
}

std::size_t DeviceComplianceTables::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [solver, table] : table_) bytes += table->bytes();
  return bytes;
}

}  // namespace sinew
