// Prepared data as a stream of bytes: scalars and arrays one after another, little-endian, every array led by
// its 64-bit count. Arrays pass straight between their memory and the sink or source: no second copy.
//
//     ByteWriter(sink).add(size).add(row).add(value); ByteReader(source).read(size).read(row).read(value);
//
// A reader trusts nothing: each count is checked against what is left before memory is taken.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/common/atomic_file.hpp"

namespace sinew {

static_assert(std::endian::native == std::endian::little, "streams are little-endian");

/// Numbers, enumerations, and plain structures of them; no pointers, no padding inside structures.
template <class T>
concept Streamable = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

/// Where bytes go.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// @throws IoError.
  virtual void write(const void* data, std::size_t size) = 0;
};

class MemorySink final : public ByteSink {
 public:
  void write(const void* data, std::size_t size) override;
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Does not commit the file.
class FileSink final : public ByteSink {
 public:
  explicit FileSink(AtomicFile& file) : file_(file) {}
  void write(const void* data, std::size_t size) override { file_.write(data, size); }

 private:
  AtomicFile& file_;
};

class ByteWriter {
 public:
  explicit ByteWriter(ByteSink& sink) : sink_(sink) {}

  template <Streamable T>
  ByteWriter& add(const T& value) {
    sink_.write(&value, sizeof value);
    return *this;
  }
  template <Streamable T, class Allocator>
  ByteWriter& add(const std::vector<T, Allocator>& array) {
    static_assert(!std::is_same_v<T, bool>, "vector<bool> has no array of bool; keep char");
    add(static_cast<std::uint64_t>(array.size()));
    if (!array.empty()) sink_.write(array.data(), array.size() * sizeof(T));
    return *this;
  }
  ByteWriter& add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    if (!text.empty()) sink_.write(text.data(), text.size());
    return *this;
  }

 private:
  ByteSink& sink_;
};

/// Where bytes come from.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Bytes that are still to come.
  virtual std::uint64_t left() const = 0;
  /// Fills data. Callers ask for no more than left(). @throws IoError.
  virtual void read(void* data, std::size_t size) = 0;
  /// For messages, e.g. the path.
  virtual const std::string& name() const = 0;
};

/// Borrows the memory.
class MemorySource final : public ByteSource {
 public:
  MemorySource(const void* data, std::size_t size, std::string name = "memory")
      : next_(static_cast<const std::byte*>(data)), left_(size), name_(std::move(name)) {}
  explicit MemorySource(const std::vector<std::byte>& bytes) : MemorySource(bytes.data(), bytes.size()) {}

  std::uint64_t left() const override { return left_; }
  void read(void* data, std::size_t size) override;
  const std::string& name() const override { return name_; }

 private:
  const std::byte* next_;
  std::size_t left_;
  std::string name_;
};

class FileSource final : public ByteSource {
 public:
  /// @throws IoError where the path is no readable file.
  explicit FileSource(std::string path);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::uint64_t left() const override { return left_; }
  void read(void* data, std::size_t size) override;
  const std::string& name() const override { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t left_ = 0;
};

/// Every fault, be it a short file or a senseless count, is an IoError "NAME: damaged: ...".
class ByteReader {
 public:
  explicit ByteReader(ByteSource& source) : source_(source) {}

  template <Streamable T>
  ByteReader& read(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      take(&byte, 1);
      if (byte > 1) damaged("a truth value is neither 0 nor 1");
      value = byte == 1;
    } else {
      take(&value, sizeof value);
    }
    return *this;
  }
  template <Streamable T, class Allocator>
  ByteReader& read(std::vector<T, Allocator>& array) {
    static_assert(!std::is_same_v<T, bool>, "vector<bool> has no array of bool; keep char");
    array.resize(read_count(sizeof(T)));
    if (!array.empty()) take(array.data(), array.size() * sizeof(T));
    return *this;
  }
  ByteReader& read(std::string& text) {
    text.resize(read_count(1));
    if (!text.empty()) take(text.data(), text.size());
    return *this;
  }
  template <Streamable T>
  T get() {
    T value{};
    read(value);
    return value;
  }

  std::uint64_t left() const { return source_.left(); }
  /// @throws IoError where bytes are left over.
  void expect_end() const;
  /// For callers whose own checks fail. @throws IoError always.
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  void take(void* data, std::size_t size);
  /// Count of an array, checked against what is left.
  std::size_t read_count(std::size_t element_size);

  ByteSource& source_;
};

}  // namespace sinew
