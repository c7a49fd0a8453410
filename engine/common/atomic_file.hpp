// A file that appears under its final name only when it is complete.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace sinew {

/// Writes to a temporary name in the same folder; commit() flushes to disk and renames.
/// Without commit() (error, exception) the temporary file is removed.
class AtomicFile {
 public:
  /// @throws IoError if the folder cannot be written.
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// @throws IoError (disk full, ...).
  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// to_disk: waits until the disk has it; false where a loss of power may cost the file.
  /// @throws IoError; the final name is then untouched.
  void commit(bool to_disk = true);

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

/// Whole content at once. @throws IoError.
void write_file_atomically(const std::string& path, std::string_view content);

/// Whole content of a file. @throws IoError with the system's reason ("no such file", "is a folder", ...).
std::string read_file(const std::string& path);

/// Makes a folder and its parents. @throws IoError.
void make_folder(const std::string& path);

}  // namespace sinew
