#include "kernels/device/device.hpp"

#include <algorithm>
#include <string>

#include <sinew/errors.hpp>

namespace sinew {

namespace {
constexpr std::size_t kLeastBlock = 256;  // what drivers align to

std::string number(std::size_t bytes) {
  return std::to_string(bytes);
}
}  // namespace

std::size_t Device::block_size(std::size_t bytes) {
  std::size_t size = kLeastBlock;
  while (size < bytes) size *= 2;
  const std::size_t less = size / 4 * 3;
  return less >= bytes && less >= kLeastBlock ? less : size;
}

void* Device::allocate(std::size_t bytes, const char* what) {
  if (bytes == 0) return nullptr;
  const std::size_t size = block_size(bytes);
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& k) { return k.first == size; });
  void* data = nullptr;
  if (found != kept_.end()) {
    data = found->second;
    *found = kept_.back();
    kept_.pop_back();
    pooled_ -= size;
  } else {
    data = allocate_block(size);
    if (!data) {  // what is kept in other sizes may be enough
      for (const auto& [kept_size, block] : kept_) release_block(block, kept_size);
      kept_.clear();
      pooled_ = 0;
      data = allocate_block(size);
    }
    if (!data) {
      std::size_t total = 0, free = 0;
      measure(total, free);
      throw MemoryError(std::string(what) + ": " + number(size) + " bytes needed on " + name() + ", " +
                        number(free) + " of " + number(total) +
                        " are free; use a smaller mesh, or --backend cpu");
    }
  }
  used_ += size;
  return data;
}

void Device::release(void* data, std::size_t bytes) noexcept {
  if (!data) return;
  const std::size_t size = block_size(bytes);
  const std::lock_guard lock(mutex_);
  used_ -= size;
  try {
    kept_.emplace_back(size, data);
    pooled_ += size;
  } catch (...) {  // no room for the note
    release_block(data, size);
  }
}

void Device::trim() noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& [size, block] : kept_) release_block(block, size);
  kept_.clear();
  pooled_ = 0;
}

DeviceMemory Device::memory() const {
  DeviceMemory m;
  measure(m.total, m.free);
  const std::lock_guard lock(mutex_);
  m.used = used_;
  m.pooled = pooled_;
  return m;
}

}  // namespace sinew
