// PNG files are read back with libpng; contact sheets are measured.
#include <png.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include <sinew/errors.hpp>

#include "tests/support/catch.hpp"
#include "viewer/renderer.hpp"

namespace sinew::viewer {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("sinew_viewer_test." + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

Image read_png(const fs::path& path) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&header, path.c_str()) != 0);
  CHECK((header.format & PNG_FORMAT_FLAG_COLORMAP) == 0);
  CHECK((header.format & PNG_FORMAT_FLAG_ALPHA) == 0);
  header.format = PNG_FORMAT_RGB;
  Image image{int(header.width), int(header.height), std::vector<std::uint8_t>(PNG_IMAGE_SIZE(header))};
  REQUIRE(png_image_finish_read(&header, nullptr, image.rgb.data(), 0, nullptr) != 0);
  return image;
}

void append(Image& image, int red, int green, int blue) {
  for (const int c : {red, green, blue}) image.rgb.push_back(std::uint8_t(c));
}

Image plain(int width, int height, std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  Image image{width, height, {}};
  for (int i = 0; i < width * height; ++i) append(image, red, green, blue);
  return image;
}

std::uint8_t at(const Image& image, int x, int y, int channel) {
  return image.rgb[std::size_t((y * image.width + x) * 3 + channel)];
}

}  // namespace

TEST_CASE("PNG files hold every byte of the picture", "[viewer]") {
  const Folder folder;
  Image image{37, 23, {}};
  std::uint32_t noise = 1;
  for (int i = 0; i < 37 * 23 * 3; ++i)
    image.rgb.push_back(std::uint8_t((noise = noise * 1664525u + 1013904223u) >> 24));
  const fs::path path = folder.path / "a.png";
  write_png(path.string(), image);
  const Image back = read_png(path);
  CHECK(back.width == 37);
  CHECK(back.height == 23);
  CHECK(back.rgb == image.rgb);
  write_png(path.string(), plain(1, 1, 9, 8, 7));  // replaces
  CHECK(read_png(path).rgb == std::vector<std::uint8_t>{9, 8, 7});
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);  // no temporary file stays
}

TEST_CASE("A smooth picture becomes a small PNG file", "[viewer]") {
  const Folder folder;
  Image image{640, 360, {}};
  for (int y = 0; y < 360; ++y)
    for (int x = 0; x < 640; ++x) append(image, y / 2, x / 4, (x + y) / 5);
  write_png((folder.path / "b.png").string(), image);
  CHECK(fs::file_size(folder.path / "b.png") < 20000);
}

TEST_CASE("Pictures that cannot be written are refused in one line", "[viewer]") {
  const Folder folder;
  Image broken = plain(4, 4, 1, 2, 3);
  broken.rgb.pop_back();
  for (const Image& image : {broken, Image{}, Image{-1, 4, {}}}) {
    const std::string path = (folder.path / "c.png").string();
    CHECK_THROWS_AS(write_png(path, image), IoError);
    CHECK(!fs::exists(path));
  }
  CHECK_THROWS_AS(write_png((folder.path / "none" / "c.png").string(), plain(1, 1, 0, 0, 0)), IoError);
}

TEST_CASE("A contact sheet keeps order, aspect and colours", "[viewer]") {
  const std::vector<Image> images{plain(100, 50, 255, 0, 0), plain(100, 50, 0, 255, 0),
                                  plain(100, 50, 0, 0, 255)};
  const Image sheet = contact_sheet(images, 2, 40);
  const int border = at(sheet, 0, 0, 0) == at(sheet, 3, 3, 0) ? 4 : 0;
  REQUIRE(border == 4);
  CHECK(sheet.width == 2 * 40 + 3 * border);
  CHECK(sheet.height == 2 * 20 + 3 * border);
  CHECK(sheet.rgb.size() == std::size_t(sheet.width * sheet.height * 3));
  CHECK(at(sheet, border, border, 0) == 255);
  CHECK(at(sheet, border, border, 1) == 0);
  CHECK(at(sheet, border + 39, border + 19, 0) == 255);
  CHECK(at(sheet, border + 40, border, 1) == at(sheet, 0, 0, 1));  // border between
  CHECK(at(sheet, 2 * border + 40, border, 1) == 255);
  CHECK(at(sheet, border, 2 * border + 20, 2) == 255);
  CHECK(at(sheet, 2 * border + 60, 2 * border + 30, 0) == at(sheet, 0, 0, 0));  // no fourth picture
}

TEST_CASE("Scaling down averages areas in linear light", "[viewer]") {
  Image stripes{30, 10, {}};
  for (int i = 0; i < 300; ++i) {
    const int c = i % 2 ? 255 : 0;
    append(stripes, c, c, c);
  }
  const Image sheet = contact_sheet({stripes}, 5, 15);
  CHECK(sheet.width == 15 + 8);
  // Half the light of white is 188 in sRGB.
  for (int x = 4; x < 19; ++x) CHECK(int(at(sheet, x, 6, 0)) == 188);
  // A width that does not divide: the mean stays, 0.5 in linear light within one third of a stripe.
  const Image uneven = contact_sheet({stripes}, 1, 7);
  for (int x = 4; x < 11; ++x) CHECK(std::abs(int(at(uneven, x, 5, 0)) - 188) < 30);
}

TEST_CASE("Contact sheets take anything", "[viewer]") {
  CHECK(contact_sheet({}, 3, 100).rgb.empty());
  const Image small = contact_sheet({plain(4, 2, 10, 20, 30)}, -7, 100);  // never enlarged
  CHECK(small.width == 108);
  CHECK(small.height == 10);
  CHECK(at(small, 52, 4, 2) == 30);
  Image broken = plain(4, 4, 0, 0, 0);
  broken.rgb.resize(3);
  const Image sheet = contact_sheet({broken, Image{}, plain(9, 9, 1, 1, 1)}, 1000000, 3);
  CHECK(sheet.rgb.size() == std::size_t(sheet.width * sheet.height * 3));
  CHECK(at(sheet, 4, 4, 0) == at(sheet, 0, 0, 0));
  CHECK(at(sheet, 4 + 14, 4, 0) == 1);
  CHECK(contact_sheet({plain(3, 3, 0, 0, 0)}, 1, 0).width == 9);
}

}  // namespace sinew::viewer
