#include "host/byte_stream.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sinew/errors.hpp>

namespace sinew {

void MemorySink::write(const void* data, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + size);
}

void MemorySource::read(void* data, std::size_t size) {
  if (size > left_) throw IoError(name_ + ": damaged: it ends too early");
  if (size != 0) std::memcpy(data, next_, size);
  next_ += size;
  left_ -= size;
}

FileSource::FileSource(std::string path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw IoError(path_ + ": cannot read: " + std::strerror(errno));
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor_);
    throw IoError(path_ + ": cannot read: not a file");
  }
  left_ = static_cast<std::uint64_t>(info.st_size);
}

FileSource::~FileSource() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileSource::read(void* data, std::size_t size) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // Linux reads at most 2 GB per call
  if (size > left_) throw IoError(path_ + ": damaged: it ends too early");
  auto* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(descriptor_, next, std::min(size, kMostAtOnce));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(path_ + ": cannot read: " + std::strerror(errno));
    if (got == 0) throw IoError(path_ + ": damaged: it became shorter while it was read");
    next += got;
    size -= static_cast<std::size_t>(got);
    left_ -= static_cast<std::uint64_t>(got);
  }
}

void ByteReader::expect_end() const {
  if (left() != 0) damaged("bytes are left over at its end");
}

void ByteReader::damaged(const std::string& what) const {
  throw IoError(source_.name() + ": damaged: " + what);
}

void ByteReader::take(void* data, std::size_t size) {
  if (size > left()) damaged("it ends too early");
  source_.read(data, size);
}

std::size_t ByteReader::read_count(std::size_t element_size) {
  const auto count = get<std::uint64_t>();
  if (count > left() / element_size) damaged("an array is longer than what is left");
  return static_cast<std::size_t>(count);
}

}  // namespace sinew
