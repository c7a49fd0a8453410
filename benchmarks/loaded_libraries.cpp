#include "benchmarks/loaded_libraries.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace sinew::bench {

namespace {

std::string own_maps() {
  std::ifstream file("/proc/self/maps");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string loaded_library(std::string_view maps, std::string_view word) {
  for (std::size_t begin = 0; begin < maps.size();) {
    const std::size_t end = std::min(maps.find('\n', begin), maps.size());
    const std::string_view line = maps.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t name = line.rfind('/');
    if (name == std::string_view::npos || line.substr(name).find(word) == std::string_view::npos) continue;
    const std::size_t folder = name == 0 ? name : line.rfind('/', name - 1);
    return std::string(line.substr(folder == std::string_view::npos ? name + 1 : folder + 1));
  }
  return {};
}

std::string blas_name() {
  const std::string maps = own_maps();
  std::string file;
  for (const char* word : {"libopenblas", "libmkl", "libblis", "libblas"})
    if (file.empty()) file = loaded_library(maps, word);
  if (file.empty()) return "unknown";
  struct Known {
    const char *word, *name;
  };
  // Systems that let several of them stand in for libblas.so.3 tell them apart by the folder.
  for (const Known& known : {Known{"openblas", "OpenBLAS"}, Known{"mkl", "MKL"}, Known{"blis", "BLIS"},
                             Known{"atlas", "ATLAS"}, Known{"blas/", "reference BLAS"}})
    if (file.find(known.word) != std::string::npos) return std::string(known.name) + " (" + file + ")";
  return "BLAS (" + file + ")";
}

std::string metis_name() {
  const std::string file = loaded_library(own_maps(), "libmetis");
  if (file.empty()) return "unknown";
  return file.substr(file.rfind('/') + 1);
}

}  // namespace sinew::bench
