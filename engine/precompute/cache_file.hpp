// One file of the disk cache: a stream of bytes that is checked block by block before a reader sees it.
//
//     header   magic, format version, key (128 bits), hash of these
//     blocks   kBlock bytes (the last one fewer), each followed by its hash, seeded with key and place
//     trailer  size of the content, hash of it seeded with the key
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/common/atomic_file.hpp"
#include "host/byte_stream.hpp"

namespace sinew {

using CacheHash = std::array<std::uint64_t, 2>;

/// Streams into an AtomicFile; finish() ends the content, the caller commits the file.
class CacheFileSink final : public ByteSink {
 public:
  /// most_bytes: of the whole file; a longer one is refused with IoError while it is written.
  CacheFileSink(AtomicFile& file, const CacheHash& key, std::uint64_t most_bytes);
  void write(const void* data, std::size_t size) override;
  void finish();
  std::uint64_t file_bytes() const { return file_bytes_; }
  bool refused() const { return refused_; }

 private:
  void put(const void* data, std::size_t size);
  void put_block(const void* data, std::size_t size);

  AtomicFile& file_;
  CacheHash key_;
  std::uint64_t most_bytes_;
  std::vector<std::byte> block_;  // filled from the front, up to waiting_
  std::size_t waiting_ = 0;
  std::uint64_t size_ = 0, blocks_ = 0, file_bytes_ = 0;
  bool refused_ = false;
};

/// Hands out checked bytes only. Every fault is an IoError "PATH: damaged: ...".
class CacheFileSource final : public ByteSource {
 public:
  /// @throws IoError where there is no such file, or one that was written under another key or version.
  CacheFileSource(std::string path, const CacheHash& key);
  ~CacheFileSource() override;
  CacheFileSource(const CacheFileSource&) = delete;
  CacheFileSource& operator=(const CacheFileSource&) = delete;

  std::uint64_t left() const override { return left_; }
  void read(void* data, std::size_t size) override;
  const std::string& name() const override { return path_; }
  /// Time of last use := now; failure does not matter.
  void touch() const;

 private:
  void open();
  [[noreturn]] void damaged(const char* what) const;
  void take(void* data, std::size_t size);
  void take_block(void* data, std::size_t size);

  std::string path_;
  CacheHash key_;
  int descriptor_ = -1;
  std::vector<std::byte> block_;
  std::size_t block_size_ = 0, used_ = 0;  // of block_
  std::uint64_t left_ = 0, blocks_ = 0;
};

}  // namespace sinew
