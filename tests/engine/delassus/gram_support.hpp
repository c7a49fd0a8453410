// Rows of all kinds, and matrices against an oracle.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/engine/delassus/delassus_support.hpp"
#include "tests/support/catch.hpp"

namespace sinew::test {

/// One node, several of one body, two bodies, self rows, embedded on embedded, many terms of a handle; twice
/// the same row, twice the same node, and rows without a free node.
inline PointRows mixed_rows(const std::vector<DenseBody>& bodies, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  PointRows rows;
  for (std::size_t c = 0; c < count; ++c) {
    const Index a = static_cast<Index>(c % bodies.size()), b = static_cast<Index>((c + 1) % bodies.size());
    switch (c % 7) {
      case 0:
        add_random_row(random, bodies, a, -1, 1, rows);
        break;
      case 1:
        add_random_row(random, bodies, a, -1, 4, rows);
        break;
      case 2:
        add_random_row(random, bodies, a, b, 4, rows);
        break;
      case 3:
        add_random_row(random, bodies, a, a, 4, rows);
        break;
      case 4:
        add_random_row(random, bodies, a, b, 16, rows);
        break;
      case 5:
        add_random_row(random, bodies, a, -1, 40, rows);
        break;
      default:
        add_random_row(random, bodies, a, -1, 1, rows);
        break;
    }
  }
  const std::vector<ContactTerm> again(rows.row(1), rows.row(1) + rows.count(1));
  rows.add(again.data(), again.size());
  const Index pinned = bodies[1].prepared->free_count;
  const ContactTerm held{1, pinned, 1.0}, twice[] = {{0, 3, 0.25}, {0, 3, 0.75}};
  rows.add(&held, 1);
  rows.add(twice, 2);
  return rows;
}

inline void check_matrix(const std::vector<double>& gram, const std::vector<double>& oracle,
                         double tolerance) {
  const std::size_t count = static_cast<std::size_t>(std::lround(std::sqrt(double(oracle.size()))));
  const double scale = *std::max_element(oracle.begin(), oracle.end());
  REQUIRE(gram.size() == oracle.size());
  double worst = 0.0;
  bool symmetric = true;
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t d = 0; d < count; ++d) {
      worst = std::max(worst, std::abs(gram[c * count + d] - oracle[c * count + d]));
      symmetric = symmetric && gram[c * count + d] == gram[d * count + c];
    }
  CHECK(worst < tolerance * scale);
  CHECK(symmetric);
}

}  // namespace sinew::test
