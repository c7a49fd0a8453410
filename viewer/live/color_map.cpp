// Lightness grows linearly in Oklab (Ottosson 2020) while the hue turns from violet to yellow; chroma is what
// the screen can show there, up to a bound.
#include "viewer/live/color_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::viewer {
namespace {

Vec3d from_oklab(double lightness, double a, double b) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool can_be_shown(const Vec3d& c) {
  return std::min({c.x, c.y, c.z}) >= 0.0 && std::max({c.x, c.y, c.z}) <= 1.0;
}

Vec3d color_at(double t) {
  constexpr double kDarkest = 0.30, kLightest = 0.92;    // Oklab lightness
  constexpr double kFirstHue = 305.0, kLastHue = 103.0;  // [degree]
  constexpr double kChroma = 0.19, kGamutShare = 0.92;
  const double lightness = kDarkest + (kLightest - kDarkest) * t;
  const double hue = (kFirstHue + (kLastHue - kFirstHue) * t) * std::numbers::pi / 180.0;
  const auto color = [&](double chroma) {
    return from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
  };
  double low = 0.0, high = 0.4;  // the most colourful that can be shown
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (can_be_shown(color(middle)) ? low : high) = middle;
  }
  return color(std::min(kChroma, kGamutShare * low));
}

}  // namespace

const std::array<std::array<float, 3>, kColorMapSize>& color_table() {
  static const auto table = [] {
    std::array<std::array<float, 3>, kColorMapSize> made{};
    for (int i = 0; i < kColorMapSize; ++i) {
      const Vec3d c = color_at((i + 0.5) / kColorMapSize);
      made[std::size_t(i)] = {float(c.x), float(c.y), float(c.z)};
    }
    return made;
  }();
  return table;
}

Vec3d color_of(double t) {
  if (!std::isfinite(t)) return {0.3, 0.3, 0.3};
  const auto& table = color_table();
  const double x = std::clamp(t * kColorMapSize - 0.5, 0.0, kColorMapSize - 1.0);
  const auto i = std::min(std::size_t(x), std::size_t(kColorMapSize - 2));
  const double s = x - double(i);
  Vec3d c;
  for (int k = 0; k < 3; ++k)
    c[k] = (1.0 - s) * double(table[i][std::size_t(k)]) + s * double(table[i + 1][std::size_t(k)]);
  return c;
}

Vec3d display_color(const Vec3d& linear) {
  Vec3d shown;
  for (int k = 0; k < 3; ++k) {
    const double c = std::clamp(linear[k], 0.0, 1.0);
    shown[k] = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
  }
  return shown;
}

}  // namespace sinew::viewer
