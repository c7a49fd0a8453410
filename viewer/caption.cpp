// Glyphs and text layout.
#include "viewer/caption.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace sinew::viewer {
namespace {

constexpr int kGlyphWidth = 5, kGlyphHeight = 8, kAdvance = 6, kLineHeight = 10;

// One byte per row from the top, the five low bits from left to right; ASCII 32 to 126.
constexpr std::array<std::uint64_t, 95> kGlyphs{
    // clang-format off
    0x0000000000000000, 0x0404040404000400, 0x0a0a0a0000000000, 0x0a0a1f0a1f0a0a00, 0x040f140e051e0400,  // ! " # $
    0x1819020408130300, 0x0814140815120d00, 0x0404080000000000, 0x0204080808040200, 0x0804020202040800,  // % & ' ( )
    0x0004150e15040000, 0x0004041f04040000, 0x00000000000c0408, 0x0000001f00000000, 0x00000000000c0c00,  // * + , - .
    0x0001020408100000, 0x0e11131519110e00, 0x040c040404040e00, 0x0e11010204081f00, 0x1f02040201110e00,  // / 0 1 2 3
    0x02060a121f020200, 0x1f101e0101110e00, 0x0608101e11110e00, 0x1f01020408080800, 0x0e11110e11110e00,  // 4 5 6 7 8
    0x0e11110f01020c00, 0x000c0c000c0c0000, 0x000c0c000c040800, 0x0204081008040200, 0x00001f001f000000,  // 9 : ; < =
    0x0804020102040800, 0x0e11010204000400, 0x0e11171517100e00, 0x0e11111f11111100, 0x1e11111e11111e00,  // > ? @ A B
    0x0e11101010110e00, 0x1c12111111121c00, 0x1f10101e10101f00, 0x1f10101e10101000, 0x0e11101711110f00,  // C D E F G
    0x1111111f11111100, 0x0e04040404040e00, 0x0702020202120c00, 0x1112141814121100, 0x1010101010101f00,  // H I J K L
    0x111b151511111100, 0x1111191513111100, 0x0e11111111110e00, 0x1e11111e10101000, 0x0e11111115120d00,  // M N O P Q
    0x1e11111e14121100, 0x0f10100e01011e00, 0x1f04040404040400, 0x1111111111110e00, 0x11111111110a0400,  // R S T U V
    0x1111111515150a00, 0x11110a040a111100, 0x11110a0404040400, 0x1f01020408101f00, 0x0e08080808080e00,  // W X Y Z [
    0x0010080402010000, 0x0e02020202020e00, 0x040a110000000000, 0x0000000000001f00, 0x0804020000000000,  // backslash ] ^ _ `
    0x00000e010f110f00, 0x1010161911111e00, 0x00000e1010110e00, 0x01010d1311110f00, 0x00000e111f100e00,  // a b c d e
    0x0609081c08080800, 0x00000f11110f010e, 0x1010161911111100, 0x04000c0404040e00, 0x020006020202120c,  // f g h i j
    0x1010121418141200, 0x0c04040404040e00, 0x00001a1515111100, 0x0000161911111100, 0x00000e1111110e00,  // k l m n o
    0x00001e11111e1010, 0x00000f11110f0101, 0x0000161910101000, 0x00000e100e011e00, 0x08081c0808090600,  // p q r s t
    0x0000111111130d00, 0x00001111110a0400, 0x0000111115150a00, 0x0000110a040a1100, 0x00001111110f010e,  // u v w x y
    0x00001f0204081f00, 0x0204040804040200, 0x0404040404040400, 0x0804040204040800, 0x0000081502000000,  // z { | } ~
    // clang-format on
};

bool glyph_pixel(char c, int x, int y) {
  const std::uint64_t rows = kGlyphs[std::size_t(c - 32)];
  return (rows >> (8 * (kGlyphHeight - 1 - y)) >> (kGlyphWidth - 1 - x) & 1) != 0;
}

/// Lines longer than the picture are shortened with "...", before what follows the last double space where
/// that leaves something of the beginning. What is not ASCII becomes '?'.
std::vector<std::string> lines_of(const std::string& caption, std::size_t columns, std::size_t most_lines) {
  std::vector<std::string> lines(1);
  for (const char raw : caption) {
    const auto byte = static_cast<unsigned char>(raw);
    if ((byte & 0xC0) == 0x80) continue;  // the rest of a UTF-8 sequence
    if (byte == '\n') {
      if (lines.size() == most_lines) break;
      lines.emplace_back();
    } else {
      lines.back() += byte == '\t' ? ' ' : (byte >= 32 && byte < 127 ? raw : '?');
    }
  }
  for (std::string& line : lines) {
    if (line.size() <= columns) continue;
    const std::size_t gap = line.rfind("  ");
    std::string tail = gap == std::string::npos ? std::string() : line.substr(gap);
    if (tail.size() + 6 > columns) tail.clear();
    const std::size_t dots = std::min<std::size_t>(3, columns);
    line = line.substr(0, columns - dots - tail.size()) + std::string(dots, '.') + tail;
  }
  return lines;
}

}  // namespace

void draw_caption(Image& image, const std::string& caption) {
  if (caption.empty() || image.width < 1 || image.height < 1) return;
  const int scale = std::max(1, (image.height + 135) / 270);
  const int margin = 5 * scale;
  const int columns = (image.width - 2 * margin) / (kAdvance * scale);
  const int rows = (image.height - 2 * margin) / (kLineHeight * scale);
  if (columns < 1 || rows < 1) return;
  const auto lines = lines_of(caption, std::size_t(columns), std::size_t(rows));

  // Dark ink where the ground is bright, light ink where it is dark: mixed pixel by pixel.
  const auto ink = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    std::uint8_t* rgb = &image.rgb[(std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 3];
    const bool bright = 3 * rgb[0] + 6 * rgb[1] + rgb[2] > 10 * 110;
    for (int c = 0; c < 3; ++c) rgb[c] = std::uint8_t((rgb[c] + 3 * (bright ? 30 : 245)) / 4);
  };
  int top = image.height - margin - int(lines.size()) * kLineHeight * scale;
  for (const std::string& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      for (int y = 0; y < kGlyphHeight * scale; ++y)
        for (int x = 0; x < kGlyphWidth * scale; ++x)
          if (glyph_pixel(line[i], x / scale, y / scale))
            ink(margin + int(i) * kAdvance * scale + x, top + y);
    top += kLineHeight * scale;
  }
}

}  // namespace sinew::viewer
