// Friction coefficients of a frame: geometric means, unless a pair says otherwise.
#pragma once

#include <cmath>
#include <vector>

#include <sinew/mesh.hpp>

namespace sinew {

struct FrictionTable {
  /// Coefficient of one pair: two bodies (other_body >= 0), or a body and an obstacle.
  struct Pair {
    Index body = 0, other_body = -1, obstacle = -1;
    double friction = 0.0;
  };
  std::vector<double> body, obstacle;
  std::vector<Pair> pairs;

  double between(Index a, Index other_body, Index o) const {
    for (const Pair& p : pairs)
      if (p.obstacle == o && ((p.body == a && p.other_body == other_body) ||
                              (other_body >= 0 && p.body == other_body && p.other_body == a)))
        return p.friction;
    return std::sqrt(body[a] * (other_body >= 0 ? body[other_body] : obstacle[o]));
  }
};

}  // namespace sinew
