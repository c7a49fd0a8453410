#include "engine/common/atomic_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sinew/errors.hpp>

namespace sinew {

namespace {
[[noreturn]] void fail(const std::string& path, const char* doing, int error) {
  const char* mend = "";
  if (error == ENOSPC || error == EDQUOT) mend = "; free some space or choose another folder";
  if (error == EACCES || error == EROFS || error == EPERM) mend = "; choose a folder that you may write to";
  if (error == ENOENT) mend = "; check the name, and whether its folder exists";
  throw IoError(path + ": cannot " + doing + ": " + std::strerror(error) + mend);
}

/// A new file beside path, named by process and number; O_EXCL settles all that is left (threads, containers
/// that share a folder, remains of a killed process). The kernel applies the umask: mkstemp would leave 0600,
/// and asking for the umask changes it for a moment, which other threads see.
int open_temporary(const std::string& path, std::string& name) {
  static std::atomic<unsigned> number{0};
  constexpr int kAttempts = 10000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    name = path + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(number++);
    const int descriptor = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) break;
  }
  const int error = errno;
  name.clear();
  fail(path, "write", error);
}
}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (std::error_code code; std::filesystem::is_directory(path_, code)) fail(path_, "write", EISDIR);
  if (std::error_code code; std::filesystem::is_other(path_, code)) {
    // A device or pipe (/dev/stdout): a rename would replace it by a file.
    file_ = std::fopen(path_.c_str(), "wb");
    if (!file_) fail(path_, "write", errno);
    return;
  }
  const int descriptor = open_temporary(path_, temporary_);
  file_ = ::fdopen(descriptor, "wb");
  if (!file_) {
    const int error = errno;
    ::close(descriptor);
    ::unlink(temporary_.c_str());
    fail(path_, "write", error);
  }
}

AtomicFile::~AtomicFile() {
  if (file_) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t size) {
  if (size != 0 && std::fwrite(data, 1, size, file_) != size) fail(path_, "write", errno);
}

void AtomicFile::commit(bool to_disk) {
  if (std::fflush(file_) != 0) fail(path_, "write", errno);
  if (to_disk && !temporary_.empty() && ::fsync(::fileno(file_)) != 0) fail(path_, "write", errno);
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail(path_, "write", errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "write", errno);
  temporary_.clear();
}

void write_file_atomically(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

std::string read_file(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) fail(path, "read", errno);
  if (S_ISDIR(info.st_mode)) fail(path, "read", EISDIR);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) fail(path, "read", errno);
  std::string content;
  char buffer[1 << 16];
  std::size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0) content.append(buffer, got);
  const bool bad = std::ferror(file) != 0;
  const int error = errno;
  std::fclose(file);
  if (bad) fail(path, "read", error);
  return content;
}

void make_folder(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) fail(path, "make the folder", code.value());
}

}  // namespace sinew
