// ParaView collection (.pvd): which file belongs to which time.
#pragma once

#include <string>
#include <vector>

namespace sinew {

/// One .pvd with its entries; rewritten whole after every entry, so that a killed run stays readable.
class SeriesIndex {
 public:
  /// Files are named prefix_NNNNNN.vtu in the folder, the index prefix.pvd.
  SeriesIndex(std::string folder, std::string prefix);

  /// Takes over the entries of an existing index up to this frame whose file is still there. A file that
  /// is no such index is ignored.
  void continue_until(long frame);
  bool has(long frame) const;
  /// @throws IoError.
  void add(long frame, double time);

  std::string data_path(long frame) const;  ///< with folder
  std::string path() const;

 private:
  struct Entry {
    long frame = 0;
    double time = 0.0;  // [s]
  };
  std::string file_name(long frame) const;

  std::string folder_, prefix_;
  std::vector<Entry> entries_;
};

}  // namespace sinew
