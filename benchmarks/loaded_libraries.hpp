// Which numerical libraries this process runs with: their files decide what is compared.
#pragma once

#include <string>
#include <string_view>

namespace sinew::bench {

/// File of the loaded library whose name holds one of the words, with its folder: "blas/libblas.so.3.11.0".
/// maps: lines as in Linux's list of mappings. Empty where none is found.
std::string loaded_library(std::string_view maps, std::string_view word);

/// "reference BLAS (blas/libblas.so.3.11.0)", "OpenBLAS (...)", "unknown".
std::string blas_name();
/// "libmetis.so.5.1.0", "unknown".
std::string metis_name();

}  // namespace sinew::bench
