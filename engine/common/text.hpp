// Small helpers for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Levenshtein distance, case-insensitive.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to word, or "" if none is near (distance above half the word's length).
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

/// ", did you mean 'x'?" or "; known are a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// "1.5 GB", "12 MB", "3 kB".
std::string human_bytes(double bytes);

}  // namespace sinew
