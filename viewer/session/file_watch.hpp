// Tells when one of a few files has changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew::viewer {

/// Compares time of change and size: cheap, and works on every file system. A file that is missing is a state
/// like any other: editors that write to a new name and rename are seen once or twice.
class FileWatch {
 public:
  FileWatch() = default;
  explicit FileWatch(std::vector<std::string> files);  ///< as they are now
  /// Whether one has changed since the constructor, or the last call that said so.
  bool changed();
  const std::vector<std::string>& files() const { return files_; }

 private:
  struct Stamp {
    bool there = false;
    std::uintmax_t size = 0;
    std::filesystem::file_time_type time{};
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  static Stamp stamp_of(const std::string& file);
  std::vector<Stamp> now() const;

  std::vector<std::string> files_;
  std::vector<Stamp> stamps_;
};

}  // namespace sinew::viewer
