#include "engine/common/same_file.hpp"

#include <filesystem>
#include <system_error>

namespace sinew {

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code code;
  return std::filesystem::path(a).lexically_normal() == std::filesystem::path(b).lexically_normal() ||
         std::filesystem::equivalent(a, b, code);
}

}  // namespace sinew
