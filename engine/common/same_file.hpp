// Whether two names mean one file.
#pragma once

#include <string>

namespace sinew {

/// By their spelling, or because both exist and are the same. An empty name is no file.
bool same_file(const std::string& a, const std::string& b);

}  // namespace sinew
