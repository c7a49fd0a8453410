// PNG files and contact sheets.
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <string>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "viewer/renderer.hpp"

namespace sinew::viewer {
namespace {

bool is_sound(const Image& image) {
  return image.width > 0 && image.height > 0 &&
         image.rgb.size() == std::size_t(image.width) * std::size_t(image.height) * 3;
}

struct Sink {
  std::string bytes;
  bool out_of_memory = false;
};

void append_bytes(png_structp png, png_bytep data, png_size_t size) {
  auto* sink = static_cast<Sink*>(png_get_io_ptr(png));
  try {
    sink->bytes.append(reinterpret_cast<const char*>(data), size);
  } catch (const std::bad_alloc&) {
    sink->out_of_memory = true;  // no exception may cross libpng
  }
}
void ignore_flush(png_structp) {}
void ignore_warning(png_structp, png_const_charp) {}
[[noreturn]] void leave(png_structp png, png_const_charp) {
  png_longjmp(png, 1);
}

/// False where libpng gives up. Only plain data lives across its longjmp.
bool encode(const Image& image, Sink& sink) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, ignore_warning);
  if (!png) return false;
  png_infop info = png_create_info_struct(png);
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &sink, append_bytes, ignore_flush);
  png_set_IHDR(png, info, png_uint_32(image.width), png_uint_32(image.height), 8, PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, 6);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y)
    png_write_row(png, image.rgb.data() + std::size_t(y) * std::size_t(image.width) * 3);
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return !sink.out_of_memory;
}

double to_linear(int value) {
  const double c = value / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
std::uint8_t to_srgb(double c) {
  const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
  return std::uint8_t(std::clamp(std::lround(255.0 * s), 0L, 255L));
}

/// Share of each source pixel in one target pixel, along one axis.
struct Span {
  int first = 0;
  std::vector<double> weights;  ///< sum to 1
};
std::vector<Span> spans(int source, int target) {
  std::vector<Span> all(static_cast<std::size_t>(target));
  const double ratio = double(source) / target;
  for (int i = 0; i < target; ++i) {
    Span& span = all[std::size_t(i)];
    const double begin = i * ratio, end = std::min<double>((i + 1) * ratio, source);
    span.first = std::min(int(begin), source - 1);
    for (int s = span.first; s < source && (s < end || s == span.first); ++s)
      span.weights.push_back(std::max(0.0, std::min<double>(s + 1, end) - std::max<double>(s, begin)) /
                             (end - begin));
  }
  return all;
}

/// Area average in linear light, so that thin bright lines keep their brightness.
Image shrink(const Image& image, int width, int height) {
  static const std::array<double, 256> linear = [] {
    std::array<double, 256> table{};
    for (int i = 0; i < 256; ++i) table[std::size_t(i)] = to_linear(i);
    return table;
  }();
  const std::vector<Span> columns = spans(image.width, width), rows = spans(image.height, height);
  Image small{width, height, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height) * 3)};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Span &row = rows[std::size_t(y)], &column = columns[std::size_t(x)];
      double sum[3] = {0, 0, 0};
      for (std::size_t j = 0; j < row.weights.size(); ++j)
        for (std::size_t i = 0; i < column.weights.size(); ++i) {
          const std::uint8_t* rgb = &image.rgb[((std::size_t(row.first) + j) * std::size_t(image.width) +
                                                std::size_t(column.first) + i) *
                                               3];
          for (int c = 0; c < 3; ++c) sum[c] += row.weights[j] * column.weights[i] * linear[rgb[c]];
        }
      for (int c = 0; c < 3; ++c)
        small.rgb[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * 3 + std::size_t(c)] =
            to_srgb(sum[c]);
    }
  return small;
}

}  // namespace

void write_png(const std::string& path, const Image& image) {
  if (!is_sound(image))
    throw IoError(path + ": cannot write a picture of " + std::to_string(image.width) + " x " +
                  std::to_string(image.height) + " pixels with " + std::to_string(image.rgb.size()) +
                  " bytes; width * height * 3 bytes are needed");
  Sink sink;
  if (!encode(image, sink))
    throw IoError(path + ": libpng cannot encode the picture; is there enough memory?");
  write_file_atomically(path, sink.bytes);
}

Image contact_sheet(const std::vector<Image>& images, int columns, int cell_width) {
  constexpr int kBorder = 4;  // [pixel] around and between cells
  constexpr std::uint8_t kBorderGrey = 236;
  constexpr int kMostColumns = 1000, kWidestCell = 8192;
  if (images.empty()) return {};
  cell_width = std::clamp(cell_width, 1, kWidestCell);
  columns = std::clamp(columns, 1, std::min(kMostColumns, int(images.size())));
  std::vector<Image> cells;
  int cell_height = 1;
  for (const Image& image : images) {
    if (!is_sound(image)) {
      cells.emplace_back();  // an empty cell keeps the order readable
      continue;
    }
    const int width = std::min(cell_width, image.width);
    const int height = std::max(1, int(std::lround(double(image.height) * width / image.width)));
    cells.push_back(shrink(image, width, height));
    cell_height = std::max(cell_height, height);
  }
  const int rows = (int(cells.size()) + columns - 1) / columns;
  Image sheet;
  sheet.width = columns * (cell_width + kBorder) + kBorder;
  sheet.height = rows * (cell_height + kBorder) + kBorder;
  sheet.rgb.assign(std::size_t(sheet.width) * std::size_t(sheet.height) * 3, kBorderGrey);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Image& cell = cells[k];
    const int left = kBorder + int(k) % columns * (cell_width + kBorder) + (cell_width - cell.width) / 2;
    const int top = kBorder + int(k) / columns * (cell_height + kBorder) + (cell_height - cell.height) / 2;
    for (int y = 0; y < cell.height; ++y)
      std::copy_n(cell.rgb.begin() + std::ptrdiff_t(y) * cell.width * 3, cell.width * 3,
                  sheet.rgb.begin() + (std::ptrdiff_t(top + y) * sheet.width + left) * 3);
  }
  return sheet;
}

}  // namespace sinew::viewer
