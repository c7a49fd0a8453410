#include "viewer/session/file_watch.hpp"

#include <system_error>
#include <utility>

namespace sinew::viewer {

FileWatch::FileWatch(std::vector<std::string> files) : files_(std::move(files)), stamps_(now()) {}

bool FileWatch::changed() {
  std::vector<Stamp> stamps = now();
  if (stamps == stamps_) return false;
  stamps_ = std::move(stamps);
  return true;
}

FileWatch::Stamp FileWatch::stamp_of(const std::string& file) {
  Stamp stamp;
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code)) return stamp;
  stamp.size = std::filesystem::file_size(file, code);
  if (code) return {};
  stamp.time = std::filesystem::last_write_time(file, code);
  if (code) return {};
  stamp.there = true;
  return stamp;
}

std::vector<FileWatch::Stamp> FileWatch::now() const {
  std::vector<Stamp> stamps;
  for (const std::string& file : files_) stamps.push_back(stamp_of(file));
  return stamps;
}

}  // namespace sinew::viewer
