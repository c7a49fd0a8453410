// Small mesh files as text, and binary ones made by a writer that shares no code with the readers.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <sinew/mesh_io.hpp>

namespace sinew::test {

/// Bytes in either order.
class Bytes {
 public:
  explicit Bytes(bool big_endian) : big_endian_(big_endian) {}
  template <class T>
  Bytes& put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    const bool turn = big_endian_ != (std::endian::native == std::endian::big);
    for (std::size_t i = 0; i < sizeof(T); ++i) data_ += raw[turn ? sizeof(T) - 1 - i : i];
    return *this;
  }
  Bytes& text(const std::string& text) {
    data_ += text;
    return *this;
  }
  const std::string& str() const { return data_; }

 private:
  bool big_endian_;
  std::string data_;
};

std::string base64(const std::string& bytes);

/// A folder that is removed with all its files at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string folder_;
};

/// Two tetrahedra on five nodes: the unit corner (volume 1/6) and one on its slanted face with apex (1, 1, 1)
/// (volume 1/3); total 1/2.
const std::vector<Vec3d>& two_tet_nodes();
const std::vector<Tet>& two_tets();

/// Every format's version of the two tetrahedra (or of the surface of a unit corner): file name and content.
/// Companions (the .node of an .ele) come right before the file that is read.
struct Sample {
  std::string name, content;
  std::string companion_name, companion;
};
std::vector<Sample> samples();

std::string gmsh41_binary(bool big_endian);
std::string gmsh22_binary(bool big_endian);
std::string gmsh41_text();
std::string vtk_binary(bool new_layout);
std::string vtu(const std::string& encoding, bool big_endian, bool header64, bool compressed);
std::string ply_binary(bool big_endian);
std::string stl_binary();

}  // namespace sinew::test
