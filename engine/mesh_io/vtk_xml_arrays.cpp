#include "engine/mesh_io/vtk_xml_arrays.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include <zlib.h>

#include <sinew/errors.hpp>

#include "engine/mesh_io/cursor.hpp"

namespace sinew::mesh_io {

namespace {

constexpr std::array<signed char, 256> base64_table() {
  std::array<signed char, 256> table{};
  for (auto& entry : table) entry = -1;
  const char* alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < 64; ++i) table[static_cast<unsigned char>(alphabet[i])] = static_cast<signed char>(i);
  return table;
}

// Decodes group by group until enough bytes are there, the text ends or a strange character comes. Header and
// data may each be padded with '=' on their own, so padding does not end the text.
std::string decode_base64(std::string_view text, std::size_t wanted) {
  static constexpr auto kTable = base64_table();
  std::string out;
  out.reserve(std::min(wanted + 3, text.size() / 4 * 3 + 3));
  int group[4], in_group = 0, padding = 0;
  for (const char c : text) {
    if (out.size() >= wanted) break;
    if (is_space(c)) continue;
    if (c == '=') {
      ++padding;
      group[in_group++] = 0;
    } else {
      const int value = kTable[static_cast<unsigned char>(c)];
      if (value < 0 || padding > 0) break;
      group[in_group++] = value;
    }
    if (in_group < 4) continue;
    const int bits = group[0] << 18 | group[1] << 12 | group[2] << 6 | group[3];
    for (int k = 0; k < 3 - padding; ++k) out += static_cast<char>(bits >> (16 - 8 * k) & 0xff);
    in_group = padding = 0;
  }
  return out;
}

template <class S, class T>
void convert(std::string_view bytes, bool swap, std::vector<T>& out) {
  out.resize(bytes.size() / sizeof(S));
  for (std::size_t i = 0; i < out.size(); ++i) {
    S value;
    std::memcpy(&value, bytes.data() + i * sizeof(S), sizeof(S));
    if (swap) value = reversed_bytes(value);
    if constexpr (std::is_floating_point_v<S> && std::is_integral_v<T>) {
      // Indices stored as floating point: out of range becomes an index that cannot exist.
      out[i] = value >= S(-9e15) && value <= S(9e15) ? static_cast<T>(value) : T(-1);
    } else {
      out[i] = static_cast<T>(value);
    }
  }
}

}  // namespace

VtkXmlFile::VtkXmlFile(const MeshSource& source) : content_(source.content), path_(source.path) {
  // Raw appended data is no XML: cut it out before parsing.
  std::string xml = content_;
  const std::size_t tag = content_.find("<AppendedData");
  if (tag != std::string::npos) {
    const std::size_t close = content_.find('>', tag);
    const std::size_t underscore = close == std::string::npos ? close : content_.find('_', close);
    if (underscore == std::string::npos)
      throw MeshError(path_ +
                      ": the appended data is missing: the file is truncated; export or copy it again");
    appended_ = std::string_view(content_).substr(underscore + 1);
    appended_base64_ =
        std::string_view(content_).substr(tag, close - tag).find("base64") != std::string_view::npos;
    has_appended_ = true;
    xml = content_.substr(0, tag) + "</VTKFile>";
  }
  const pugi::xml_parse_result result = document_.load_buffer(xml.data(), xml.size());
  if (!result) {
    const long line =
        1 + std::count(xml.begin(),
                       xml.begin() + std::min<long>(result.offset, static_cast<long>(xml.size())), '\n');
    throw MeshError(path_ + ":" + std::to_string(line) + ": not well-formed XML (" + result.description() +
                    "): the file is truncated or damaged; export it again");
  }
  root_ = document_.child("VTKFile");
  if (!root_)
    throw MeshError(path_ + ": no element VTKFile: not a VTK file; choose an unstructured grid (.vtu)");
  const std::string order = root_.attribute("byte_order").as_string("LittleEndian");
  swap_bytes_ = (order == "BigEndian") != (std::endian::native == std::endian::big);
  const std::string header = root_.attribute("header_type").as_string("UInt32");
  if (header != "UInt32" && header != "UInt64")
    fail(root_, "header_type '" + shown(header) + "' is not known; use UInt32 or UInt64");
  header_size_ = header == "UInt64" ? 8 : 4;
  const std::string compressor = root_.attribute("compressor").as_string();
  if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
    fail(root_, "compressor '" + shown(compressor) + "' is not read; save with ZLib or without compression");
  compressed_ = !compressor.empty();
}

void VtkXmlFile::fail(const pugi::xml_node& node, const std::string& what) const {
  const long end = std::min<long>(node.offset_debug(), static_cast<long>(content_.size()));
  const long line = 1 + (end > 0 ? std::count(content_.begin(), content_.begin() + end, '\n') : 0);
  throw MeshError(path_ + ":" + std::to_string(line) + ": " + what);
}

std::size_t VtkXmlFile::header_value(std::string_view bytes, std::size_t index) const {
  const char* at = bytes.data() + index * header_size_;
  if (header_size_ == 8) {
    std::uint64_t value;
    std::memcpy(&value, at, 8);
    return swap_bytes_ ? reversed_bytes(value) : value;
  }
  std::uint32_t value;
  std::memcpy(&value, at, 4);
  return swap_bytes_ ? reversed_bytes(value) : value;
}

std::string VtkXmlFile::decoded(const pugi::xml_node& array, std::string_view data, bool base64) const {
  const std::string name = "data array '" + shown(array.attribute("Name").as_string("points")) + "'";
  const auto first_bytes = [&](std::size_t wanted) {
    std::string bytes = base64 ? decode_base64(data, wanted) : std::string(data.substr(0, wanted));
    if (bytes.size() < wanted)
      fail(array, name + " is shorter than its header says: the file is truncated; export it again");
    bytes.resize(wanted);
    return bytes;
  };
  const auto bounded = [&](std::size_t size) {
    // No block can expand by more than a factor of 1100 (zlib); anything beyond is a damaged header.
    if (size / 1100 > data.size() + 64) fail(array, name + " has a damaged header; export the file again");
    return size;
  };
  const std::size_t h = header_size_;
  if (!compressed_) {
    const std::size_t size = bounded(header_value(first_bytes(h), 0));
    return first_bytes(h + size).substr(h);
  }
  // Header: number of blocks, size of a block, size of the last block (0: full), compressed sizes.
  const std::size_t blocks = bounded(header_value(first_bytes(h), 0));
  if (blocks == 0) return {};
  if (blocks > data.size()) fail(array, name + " has a damaged header; export the file again");
  const std::string header = first_bytes((3 + blocks) * h);
  const std::size_t block_size = bounded(header_value(header, 1)), last_size = header_value(header, 2);
  if (last_size > block_size) fail(array, name + " has a damaged header; export the file again");
  std::size_t packed = 0;
  for (std::size_t b = 0; b < blocks; ++b) packed = bounded(packed + bounded(header_value(header, 3 + b)));
  const std::string all = first_bytes(header.size() + packed);
  std::string out;
  std::size_t at = header.size();
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t packed_size = header_value(header, 3 + b);
    const std::size_t size = b + 1 == blocks && last_size != 0 ? last_size : block_size;
    const std::size_t begin = out.size();
    if (size / 1100 > packed_size + 64) fail(array, name + " has a damaged header; export the file again");
    out.resize(begin + size);
    uLongf written = size;
    const int status = uncompress(reinterpret_cast<Bytef*>(out.data() + begin), &written,
                                  reinterpret_cast<const Bytef*>(all.data() + at), packed_size);
    if (status != Z_OK || written != size)
      fail(array, name + ": block " + std::to_string(b) +
                      " cannot be decompressed: the file is damaged; export it again");
    at += packed_size;
  }
  return out;
}

std::string VtkXmlFile::binary_block(const pugi::xml_node& array) const {
  if (std::string_view(array.attribute("format").as_string()) != "appended")
    return decoded(array, array.child_value(), true);
  if (!has_appended_)
    fail(array, "the appended data is missing: the file is truncated; export or copy it again");
  const unsigned long long offset =
      array.attribute("offset").as_ullong(std::numeric_limits<unsigned long long>::max());
  if (offset >= appended_.size())
    fail(array, "offset lies beyond the end of the file: it is truncated; export it again");
  return decoded(array, appended_.substr(offset), appended_base64_);
}

template <class T>
std::vector<T> VtkXmlFile::values(const pugi::xml_node& array) const {
  std::vector<T> out;
  const std::string_view format = array.attribute("format").as_string("ascii");
  if (format == "ascii") {
    const std::string_view text = array.child_value();
    Cursor cursor(text, path_);
    try {
      while (!cursor.at_end())
        out.push_back(static_cast<T>(std::is_integral_v<T> ? T(cursor.integer("integer"))
                                                           : T(cursor.number("number"))));
    } catch (const MeshError&) {
      // The cursor counts lines from the start of the array: say the line of the file.
      const long line = std::count(text.begin(), text.begin() + static_cast<long>(cursor.position()), '\n');
      const long start =
          std::count(content_.begin(),
                     content_.begin() + std::min<long>(std::max<long>(array.first_child().offset_debug(), 0),
                                                       static_cast<long>(content_.size())),
                     '\n');
      throw MeshError(path_ + ":" + std::to_string(1 + start + line) + ": expected a number but found '" +
                      shown(cursor.peek()) + "'; mend it or export the file again");
    }
    return out;
  }
  if (format != "binary" && format != "appended")
    fail(array, "format '" + shown(format) + "' of a data array is not known; use ascii, binary or appended");
  const std::string type = array.attribute("type").as_string();
  const std::string bytes = binary_block(array);
  if (type == "Int8")
    convert<std::int8_t>(bytes, swap_bytes_, out);
  else if (type == "UInt8")
    convert<std::uint8_t>(bytes, swap_bytes_, out);
  else if (type == "Int16")
    convert<std::int16_t>(bytes, swap_bytes_, out);
  else if (type == "UInt16")
    convert<std::uint16_t>(bytes, swap_bytes_, out);
  else if (type == "Int32")
    convert<std::int32_t>(bytes, swap_bytes_, out);
  else if (type == "UInt32")
    convert<std::uint32_t>(bytes, swap_bytes_, out);
  else if (type == "Int64")
    convert<std::int64_t>(bytes, swap_bytes_, out);
  else if (type == "UInt64")
    convert<std::uint64_t>(bytes, swap_bytes_, out);
  else if (type == "Float32")
    convert<float>(bytes, swap_bytes_, out);
  else if (type == "Float64")
    convert<double>(bytes, swap_bytes_, out);
  else
    fail(array, "data type '" + shown(type) + "' is not known; use Float64 or Int64");
  return out;
}

std::vector<double> VtkXmlFile::doubles(const pugi::xml_node& array) const {
  return values<double>(array);
}
std::vector<long> VtkXmlFile::integers(const pugi::xml_node& array) const {
  return values<long>(array);
}

}  // namespace sinew::mesh_io
