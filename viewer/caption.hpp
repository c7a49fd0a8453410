// Small text in the picture, drawn on the CPU with a built-in bitmap font.
#pragma once

#include <string>

#include "viewer/renderer.hpp"

namespace sinew::viewer {

/// Writes the caption into the lower left corner; lines break at '\n' and at the picture's width. Characters
/// outside ASCII 32..126 become '?', one each in UTF-8.
void draw_caption(Image& image, const std::string& caption);

}  // namespace sinew::viewer
