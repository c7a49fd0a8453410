// Lower envelope of the casters' cones, by chamfer sweeps (Borgefors 1986).
#include "viewer/shadow_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::viewer {

std::vector<float> shadow_start(const TriangleBatch& batch, std::size_t index_end,
                                const std::array<float, 9>& frame, const std::array<float, 3>& shift,
                                float spread) {
  constexpr int n = kShadowStartSide;
  constexpr float kCell = 2.0f / n;
  std::vector<float> start(std::size_t(n) * n, std::numeric_limits<float>::max());
  const auto at = [&](int x, int y) -> float& { return start[std::size_t(y) * n + std::size_t(x)]; };

  // Nearest depth to the light of the boxes about the triangles, cell by cell.
  std::vector<std::array<float, 3>> q(batch.vertices.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const float* p = batch.vertices[i].position;
    for (std::size_t k = 0; k < 3; ++k)
      q[i][k] = frame[3 * k] * p[0] + frame[3 * k + 1] * p[1] + frame[3 * k + 2] * p[2] - shift[k];
  }
  const auto cell = [](float x) { return int(std::floor((std::clamp(x, -2.0f, 2.0f) + 1.0f) / kCell)); };
  for (std::size_t t = 0; t + 2 < index_end; t += 3) {
    const auto &a = q[batch.indices[t]], &b = q[batch.indices[t + 1]], &c = q[batch.indices[t + 2]];
    const auto low = [&](std::size_t k) { return std::min({a[k], b[k], c[k]}); };
    const auto high = [&](std::size_t k) { return std::max({a[k], b[k], c[k]}); };
    const int right = std::min(cell(high(0)), n - 1), top = std::min(cell(high(1)), n - 1);
    for (int y = std::max(cell(low(1)), 0); y <= top; ++y)
      for (int x = std::max(cell(low(0)), 0); x <= right; ++x) at(x, y) = std::min(at(x, y), low(2));
  }

  // Two sweeps over neighbours add distance / spread. The chamfer distance is at most 1.0824 times the true
  // one.
  const float straight = kCell / (1.0824f * spread), diagonal = std::sqrt(2.0f) * straight;
  const auto sweep = [&](int first, int step) {
    const auto take = [&](float& value, int x, int y, float extra) {
      if (x >= 0 && y >= 0 && x < n && y < n) value = std::min(value, at(x, y) + extra);
    };
    for (int j = first; j >= 0 && j < n; j += step)
      for (int i = first; i >= 0 && i < n; i += step) {
        float& value = at(i, j);
        take(value, i - step, j, straight);
        take(value, i, j - step, straight);
        take(value, i - step, j - step, diagonal);
        take(value, i + step, j - step, diagonal);
      }
  };
  sweep(0, 1);
  sweep(n - 1, -1);
  // Distances were between cell centres: both points may lie half a diagonal nearer; one more texel of
  // filtering.
  const float rounding = (std::sqrt(2.0f) * kCell + 0.01f) / spread;
  for (float& value : start) value -= rounding;
  return start;
}

}  // namespace sinew::viewer
