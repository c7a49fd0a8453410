#include "engine/precompute/cache_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sinew/errors.hpp>

#include "engine/common/content_hash.hpp"
#include "engine/common/text.hpp"

namespace sinew {

namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;  // its hash is taken while it is in the core's cache

struct Header {
  char magic[8] = {'S', 'I', 'N', 'E', 'W', 'P', 'R', 'E'};
  std::uint64_t format = 1;
  CacheHash key{};
  std::uint64_t hash = 0;

  explicit Header(const CacheHash& k) : key(k) {
    hash = StreamHash().add(magic, sizeof magic).add(&format, sizeof format).add(&key, sizeof key).value();
  }
};
static_assert(sizeof(Header) == 40);

struct Trailer {
  std::uint64_t size = 0, hash = 0;

  Trailer() = default;
  Trailer(const CacheHash& key, std::uint64_t s) : size(s) {
    hash = StreamHash(key[1]).add(&size, sizeof size).value();
  }
};
static_assert(sizeof(Trailer) == 16);

/// place: number of the block; a block in another place, or of another file, does not pass.
std::uint64_t block_hash(const CacheHash& key, std::uint64_t place, const void* data, std::size_t size) {
  return StreamHash(key[0] + place).add(data, size).value();
}

/// Of a file with so much content; 0 where that is beyond all bounds.
std::uint64_t bytes_of_file(std::uint64_t content) {
  if (content > (std::uint64_t{1} << 62)) return 0;
  const std::uint64_t blocks = (content + kBlock - 1) / kBlock;
  return sizeof(Header) + content + blocks * sizeof(std::uint64_t) + sizeof(Trailer);
}

}  // namespace

CacheFileSink::CacheFileSink(AtomicFile& file, const CacheHash& key, std::uint64_t most_bytes)
    : file_(file), key_(key), most_bytes_(most_bytes), block_(kBlock) {
  const Header header(key);
  put(&header, sizeof header);
}

void CacheFileSink::put(const void* data, std::size_t size) {
  if (file_bytes_ + size > most_bytes_) {
    refused_ = true;
    throw IoError(file_.path() + ": prepared data of more than " +
                  human_bytes(static_cast<double>(most_bytes_)) + " are not kept");
  }
  file_.write(data, size);
  file_bytes_ += size;
}

void CacheFileSink::put_block(const void* data, std::size_t size) {
  const std::uint64_t hash = block_hash(key_, blocks_++, data, size);
  put(data, size);
  put(&hash, sizeof hash);
  size_ += size;
}

void CacheFileSink::write(const void* data, std::size_t size) {
  const auto* next = static_cast<const std::byte*>(data);
  while (size > 0) {
    if (waiting_ == 0 && size >= kBlock) {
      put_block(next, kBlock);
      next += kBlock;
      size -= kBlock;
      continue;
    }
    const std::size_t taken = std::min(size, kBlock - waiting_);
    std::memcpy(block_.data() + waiting_, next, taken);
    waiting_ += taken;
    next += taken;
    size -= taken;
    if (waiting_ == kBlock) {
      put_block(block_.data(), kBlock);
      waiting_ = 0;
    }
  }
}

void CacheFileSink::finish() {
  if (waiting_ > 0) put_block(block_.data(), waiting_);
  waiting_ = 0;
  const Trailer trailer(key_, size_);
  put(&trailer, sizeof trailer);
}

CacheFileSource::CacheFileSource(std::string path, const CacheHash& key) : path_(std::move(path)), key_(key) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw IoError(path_ + ": cannot read: " + std::strerror(errno));
  try {
    open();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

CacheFileSource::~CacheFileSource() {
  ::close(descriptor_);
}

void CacheFileSource::open() {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) damaged("not a file");
  const auto file_bytes = static_cast<std::uint64_t>(info.st_size);
  if (file_bytes < bytes_of_file(0)) damaged("too short");
  const Header expected(key_);
  char header[sizeof(Header)];
  take(header, sizeof header);
  if (std::memcmp(header, &expected, sizeof header) != 0)
    damaged("made by another version or for other data");
  Trailer trailer;
  const auto place = static_cast<off_t>(file_bytes - sizeof trailer);
  if (::pread(descriptor_, &trailer, sizeof trailer, place) != static_cast<ssize_t>(sizeof trailer))
    damaged("its end cannot be read");
  if (trailer.hash != Trailer(key_, trailer.size).hash || bytes_of_file(trailer.size) != file_bytes)
    damaged("its size is wrong");
  left_ = trailer.size;
  block_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, left_)));
}

void CacheFileSource::damaged(const char* what) const {
  throw IoError(path_ + ": damaged: " + what);
}

void CacheFileSource::touch() const {
  ::futimens(descriptor_, nullptr);
}

void CacheFileSource::take(void* data, std::size_t size) {
  auto* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(descriptor_, next, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) damaged(got == 0 ? "it ends too early" : std::strerror(errno));
    next += got;
    size -= static_cast<std::size_t>(got);
  }
}

void CacheFileSource::take_block(void* data, std::size_t size) {
  std::uint64_t hash = 0;
  take(data, size);
  take(&hash, sizeof hash);
  if (hash != block_hash(key_, blocks_++, data, size)) damaged("its checksum is wrong");
}

void CacheFileSource::read(void* data, std::size_t size) {
  if (size > left_) damaged("it ends too early");
  auto* next = static_cast<std::byte*>(data);
  while (size > 0) {
    if (used_ == block_size_ && size >= kBlock) {  // a whole block goes straight to its destination
      take_block(next, kBlock);
      next += kBlock;
      size -= kBlock;
      left_ -= kBlock;
      continue;
    }
    if (used_ == block_size_) {
      block_size_ = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, left_));
      used_ = 0;
      take_block(block_.data(), block_size_);
    }
    const std::size_t taken = std::min(size, block_size_ - used_);
    std::memcpy(next, block_.data() + used_, taken);
    used_ += taken;
    next += taken;
    size -= taken;
    left_ -= taken;
  }
}

}  // namespace sinew
