#include "engine/export/series_index.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "engine/common/atomic_file.hpp"

namespace sinew {

SeriesIndex::SeriesIndex(std::string folder, std::string prefix)
    : folder_(std::move(folder)), prefix_(std::move(prefix)) {}

std::string SeriesIndex::file_name(long frame) const {
  return fmt::format("{}_{:06d}.vtu", prefix_, frame);
}
std::string SeriesIndex::data_path(long frame) const {
  return folder_ + "/" + file_name(frame);
}
std::string SeriesIndex::path() const {
  return folder_ + "/" + prefix_ + ".pvd";
}

void SeriesIndex::continue_until(long frame) {
  pugi::xml_document document;
  if (!document.load_file(path().c_str())) return;
  for (const pugi::xml_node node : document.child("VTKFile").child("Collection").children("DataSet")) {
    const std::string name = node.attribute("file").as_string();
    if (name.rfind(prefix_ + "_", 0) != 0) continue;
    const long number = std::strtol(name.c_str() + prefix_.size() + 1, nullptr, 10);
    if (number < 0 || number > frame || name != file_name(number) || has(number)) continue;
    std::error_code code;
    if (!std::filesystem::is_regular_file(data_path(number), code)) continue;
    entries_.push_back({number, node.attribute("timestep").as_double()});
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.frame < b.frame; });
}

bool SeriesIndex::has(long frame) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.frame == frame; });
}

void SeriesIndex::add(long frame, double time) {
  if (!has(frame)) entries_.push_back({frame, time});
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const Entry& entry : entries_) {
    text += fmt::format("<DataSet timestep=\"{:.17g}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                        file_name(entry.frame));
  }
  text += "</Collection>\n</VTKFile>\n";
  write_file_atomically(path(), text);
}

}  // namespace sinew
