// Data arrays of XML VTK files: text, base64 or raw, inline or appended, plain or zlib blocks, either byte
// order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "engine/mesh_io/format.hpp"

namespace sinew::mesh_io {

/// An XML VTK file cut into its XML part and its appended data.
class VtkXmlFile {
 public:
  /// @throws MeshError for XML that cannot be read (with its line).
  explicit VtkXmlFile(const MeshSource& source);

  pugi::xml_node root() const { return root_; }

  /// Values of a DataArray or Array. @throws MeshError naming the array.
  std::vector<double> doubles(const pugi::xml_node& array) const;
  std::vector<long> integers(const pugi::xml_node& array) const;

  /// @throws MeshError "path:line: what", the line being where the node starts.
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& what) const;
  std::string_view content() const { return content_; }

 private:
  template <class T>
  std::vector<T> values(const pugi::xml_node& array) const;
  std::string binary_block(const pugi::xml_node& array) const;
  std::string decoded(const pugi::xml_node& array, std::string_view data, bool base64) const;
  std::size_t header_value(std::string_view bytes, std::size_t index) const;

  const std::string& content_;
  std::string path_;
  pugi::xml_document document_;
  pugi::xml_node root_;
  std::string_view appended_;  // what follows the underscore
  bool appended_base64_ = false, has_appended_ = false;
  bool swap_bytes_ = false, compressed_ = false;
  std::size_t header_size_ = 4;
};

}  // namespace sinew::mesh_io
