// The inverse after a term of low rank was added.
#include "engine/contact/low_rank_update.hpp"

#include "tests/support/catch.hpp"

using namespace sinew;

TEST_CASE("a term of low rank is inverted exactly, and one that takes the stiffness away left out") {
  // A = diag(1, 2, 4) on points, for all three components; Q has two columns that mix points and components.
  const double diagonal[3] = {1.0, 2.0, 4.0};
  const auto solve = [&](SplitVectors& x) {
    for (std::size_t i = 0; i < 3; ++i) x.set(i, (1.0 / diagonal[i]) * x.at(i));
  };
  const std::vector<Vec3d> q = {{1, 0, 0}, {0, 2, 0}, {0, 1, 0}, {1, 0, 1}, {0, 0, 1}, {0, 1, 0}};
  const auto product = [&](const SplitVectors& x, const std::vector<double>& m, SplitVectors& out) {
    double z[2] = {0, 0};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t l = 0; l < 2; ++l) z[l] += dot(q[i * 2 + l], x.at(i));
    const double w[2] = {m[0] * z[0] + m[1] * z[1], m[2] * z[0] + m[3] * z[1]};
    out.assign(3, 0.0);
    for (std::size_t i = 0; i < 3; ++i)
      out.set(i, diagonal[i] * x.at(i) + w[0] * q[i * 2] + w[1] * q[i * 2 + 1]);
  };
  LowRankUpdate update;
  for (const std::vector<double>& m : {std::vector<double>{0.5, 0.1, 0.1, -0.2}, {0.0, 0.0, 0.0, 3.0}}) {
    update.set(q, 2, m, solve);
    SplitVectors b, x, back;
    b.assign(3, 0.0);
    for (std::size_t i = 0; i < 3; ++i) b.set(i, {1.0 + static_cast<double>(i), -2.0, 0.5});
    x = b;
    const std::vector<double> z = update.project(x);
    solve(x);
    update.subtract(z, x);
    product(x, m, back);
    for (std::size_t i = 0; i < 3; ++i) CHECK(norm(back.at(i) - b.at(i)) < 1e-13);
  }
  // q_0 has q^T A^-1 q = 1 + 1/2 + 1/4: middle -4/7 makes the sum singular.
  update.set({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1, {-4.0 / 7.0}, solve);
  SplitVectors x;
  x.assign(3, 1.0);
  update.subtract(update.project(x), x);
  CHECK(x.at(0) == Vec3d{1, 1, 1});
}
