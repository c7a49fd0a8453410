// Packs: every lane as the plain number, and the functions of their own to about a unit in the last place.
#include "kernels/element/simd/pack.hpp"

#include <cmath>
#include <limits>

#include "kernels/element/material/material_list.hpp"
#include "kernels/element/simd/rows.hpp"
#include "kernels/element/small_matrix/polar.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using sinew::test::frobenius;

namespace {

/// |got - expected| in units in the last place of T at expected.
template <class T>
double ulps(T got, long double expected) {
  const T near = std::abs(static_cast<T>(expected));
  const T unit = std::nextafter(near, std::numeric_limits<T>::infinity()) - near;
  return static_cast<double>(std::abs(got - expected) / unit);
}

template <class T, int N>
void check_functions() {
  using P = Pack<T, N>;
  test::Random random(11);
  const double range = sizeof(T) == 8 ? 700.0 : 80.0;
  double worst_log = 0.0, worst_log1p = 0.0, worst_cbrt = 0.0, worst_sqrt = 0.0;
  for (int i = 0; i < 3000; ++i) {
    P x, a;
    for (int lane = 0; lane < N; ++lane) {
      const double e = random.uniform() * (i % 3 == 0 ? 0.01 : i % 3 == 1 ? 1.0 : range);
      x.set(lane, static_cast<T>(std::exp(e)));
      a.set(lane, static_cast<T>(i % 2 ? std::expm1(e)
                                       : e * std::pow(10.0, -10.0 * random.uniform(0.0, 1.0)) /
                                             (1.0 + 1.1 * std::abs(e))));
    }
    const P l = log(x), l1 = log1p(a), c = cbrt(x), s = sqrt(x);
    for (int lane = 0; lane < N; ++lane) {
      const long double at = x[lane];
      worst_log = std::max(worst_log, ulps<T>(l[lane], std::log(at)));
      worst_log1p = std::max(worst_log1p, ulps<T>(l1[lane], std::log1p(static_cast<long double>(a[lane]))));
      worst_cbrt = std::max(worst_cbrt, ulps<T>(c[lane], std::cbrt(at)));
      worst_sqrt = std::max(worst_sqrt, ulps<T>(s[lane], std::sqrt(at)));
    }
  }
  CHECK(worst_log < 1.0);
  CHECK(worst_log1p < 1.0);
  CHECK(worst_cbrt < 1.5);
  CHECK(worst_sqrt <= 0.5001);
}

/// Matrices near rest, stretched, inverted, flat and rank one, one after the other.
Mat3d any_gradient(test::Random& random, int i) {
  Mat3d f = random.rotation() * (Mat3d::identity() + random.matrix(0.15));
  if (i % 6 == 1) f = random.matrix(1.5);
  if (i % 6 == 2) f = random.rotation() * Mat3d::diagonal(1.3, 0.8, -0.7) * random.rotation();
  if (i % 6 == 3) f = random.rotation() * Mat3d::diagonal(1.1, 0.9, 1e-9) * random.rotation();
  if (i % 6 == 4) f = random.rotation() * Mat3d::diagonal(1.0, 0.6, 0.3) * random.rotation();
  if (i % 6 == 5) f = random.rotation();
  return f;
}

template <class P>
Mat3<P> pack_of(const Mat3d* f) {
  Mat3<P> r;
  for (int lane = 0; lane < P::kLanes; ++lane)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r(i, j).set(lane, static_cast<typename P::Scalar>(f[lane](i, j)));
  return r;
}

template <class P>
Mat3d lane_of(const Mat3<P>& f, int lane) {
  Mat3d r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = f(i, j)[lane];
  return r;
}

template <class M>
void check_material(M) {
  using P = Pack<double, 8>;
  INFO(M::kName);
  const ElasticParameters<double> params{3.0, 5.0, 0.2};
  test::Random random(5);
  for (int n = 0; n < 200; ++n) {
    Mat3d f[8];
    for (int lane = 0; lane < 8; ++lane) f[lane] = any_gradient(random, n + lane);
    Mat3<P> stress;
    const P energy = M::energy_and_stress(params, pack_of<P>(f), stress);
    for (int lane = 0; lane < 8; ++lane) {
      INFO(n << ' ' << lane);
      Mat3d expected;
      const double e = M::energy_and_stress(params, f[lane], expected);
      const double scale = 1.0 + frobenius(expected);
      CHECK(std::abs(energy[lane] - e) < 1e-12 * scale);
      CHECK(frobenius(lane_of(stress, lane) - expected) < 1e-12 * scale);
    }
  }
}

template <class... M>
void check_materials(TypeList<M...>) {
  (check_material(M{}), ...);
}

}  // namespace

TEST_CASE("packs: log, log1p, cbrt and sqrt to a unit in the last place") {
  check_functions<double, 2>();
  check_functions<double, 4>();
  check_functions<double, 8>();
  check_functions<float, 4>();
  check_functions<float, 16>();
}

TEST_CASE("packs: logarithm at the ends of its range") {
  using P = Pack<double, 8>;
  const double infinity = std::numeric_limits<double>::infinity();
  P x(1.0);
  x.set(0, 0.0);
  x.set(1, -1.0);
  x.set(2, infinity);
  x.set(3, std::nan(""));
  x.set(4, 1e-310);
  x.set(5, std::numeric_limits<double>::max());
  const P l = log(x), l1 = log1p(x - 1.0);
  CHECK(l[0] == -infinity);
  CHECK(std::isnan(l[1]));
  CHECK(l[2] == infinity);
  CHECK(std::isnan(l[3]));
  CHECK(l[4] == Approx(std::log(1e-310)).epsilon(1e-14));
  CHECK(l[5] == Approx(std::log(std::numeric_limits<double>::max())).epsilon(1e-15));
  CHECK(l[6] == 0.0);
  CHECK(l1[0] == -infinity);
  CHECK(std::isnan(l1[1]));
  CHECK(l1[6] == 0.0);
}

TEST_CASE("packs: comparisons, choice and sums by lane") {
  using P = Pack<float, 8>;
  P a, b(2.5f);
  for (int lane = 0; lane < 8; ++lane) a.set(lane, static_cast<float>(lane));
  const auto mask = a < b;
  CHECK(lanes_of(mask) == 0b111u);
  CHECK(lanes_of(!mask) == 0b11111000u);
  CHECK(any(mask));
  CHECK_FALSE(all(mask));
  CHECK(all(mask | (a >= b)));
  CHECK_FALSE(any(mask & (a > b)));
  CHECK(sum_lanes(select(mask, a, P(0.0f))) == 3.0f);
  CHECK(sum_lanes(min(a, b)) == 0 + 1 + 2 + 5 * 2.5f);
  CHECK(sum_lanes(max(a, b)) == 3 * 2.5f + 3 + 4 + 5 + 6 + 7);
  CHECK(sum_lanes(abs(-a)) == 28.0f);
}

TEST_CASE("packs: rows to lanes and back") {
  double rows[4 * 20];
  for (int k = 0; k < 80; ++k) rows[k] = k;
  const std::uint16_t index[8] = {3, 19, 0, 7, 7, 12, 1, 3};
  const Vec3<Pack<double, 8>> x = load_rows<double, 8>(rows, index);
  const Vec3<Pack<double, 4>> low = load_rows<double, 4>(rows, index);
  const Vec3<Pack<double, 2>> two = load_rows<double, 2>(rows, index);
  for (int lane = 0; lane < 8; ++lane)
    for (int i = 0; i < 3; ++i) {
      CHECK(x[i][lane] == 4 * index[lane] + i);
      if (lane < 4) CHECK(low[i][lane] == x[i][lane]);
      if (lane < 2) CHECK(two[i][lane] == x[i][lane]);
    }
  double sum[4 * 20] = {}, sum4[4 * 20] = {}, sum2[4 * 20] = {}, expected[4 * 20] = {};
  add_to_rows<double, 8>(sum, index, x);
  for (int lane = 0; lane < 8; ++lane)
    for (int i = 0; i < 3; ++i) expected[4 * index[lane] + i] += 4 * index[lane] + i;
  add_to_rows<double, 4>(sum4, index, low);
  add_to_rows<double, 4>(sum4, index + 4, load_rows<double, 4>(rows, index + 4));
  for (int k = 0; k < 8; k += 2)
    add_to_rows<double, 2>(sum2, index + k, load_rows<double, 2>(rows, index + k));
  for (int k = 0; k < 80; ++k) {
    CHECK(sum[k] == expected[k]);
    CHECK(sum4[k] == expected[k]);
    CHECK(sum2[k] == expected[k]);
  }
  float narrow[4 * 20], narrow_sum[4 * 20] = {};
  for (int k = 0; k < 80; ++k) narrow[k] = static_cast<float>(k);
  std::uint16_t many[16];
  for (int lane = 0; lane < 16; ++lane) many[lane] = static_cast<std::uint16_t>((7 * lane) % 20);
  const Vec3<Pack<float, 16>> y = load_rows<float, 16>(narrow, many);
  add_to_rows<float, 16>(narrow_sum, many, y);
  for (int lane = 0; lane < 16; ++lane)
    for (int i = 0; i < 3; ++i) {
      CHECK(y[i][lane] == 4 * many[lane] + i);
      CHECK(narrow_sum[4 * many[lane] + i] == y[i][lane]);
    }
}

TEST_CASE("packs: rotation against the singular vectors in long double, and lane = number") {
  using P = Pack<double, 8>;
  test::Random random(8);
  for (int n = 0; n < 300; ++n) {
    Mat3d f[8];
    for (int lane = 0; lane < 8; ++lane) f[lane] = any_gradient(random, n + lane);
    const Mat3<P> r = polar_rotation(pack_of<P>(f));
    for (int lane = 0; lane < 8; ++lane) {
      Mat3<long double> exact;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) exact(i, j) = f[lane](i, j);
      const Svd3<long double> d = svd3(exact);
      const double gap = static_cast<double>((d.s.y + d.s.z) / d.s.x);
      if (gap < 1e-6) continue;
      const Mat3<long double> rotation = d.u * transpose(d.v);
      Mat3d expected;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) expected(i, j) = static_cast<double>(rotation(i, j));
      const Mat3d got = lane_of(r, lane);
      const double tolerance = gap > 0.5 ? 1e-14 : 1e-13 + 1e-14 / gap;
      INFO(gap);
      CHECK(frobenius(got - expected) < tolerance);
      CHECK(frobenius(got - polar_rotation(f[lane])) < tolerance);
      CHECK(determinant(got) == Approx(1.0).epsilon(1e-13));
    }
  }
}

TEST_CASE("packs: rotation of nothing is the identity, and no lane disturbs another") {
  using P = Pack<double, 8>;
  test::Random random(9);
  Mat3d f[8];
  for (int lane = 0; lane < 8; ++lane) f[lane] = random.rotation();
  f[2] = Mat3d{};
  f[3] = Mat3d::diagonal(-1, -1, -1);
  f[5](1, 1) = std::nan("");
  f[6] = 1e-200 * f[6];
  f[7] = 1e100 * f[7];
  const Mat3<P> r = polar_rotation(pack_of<P>(f));
  CHECK(frobenius(lane_of(r, 2) - Mat3d::identity()) == 0.0);
  CHECK(frobenius(polar_rotation(Mat3d{}) - Mat3d::identity()) == 0.0);
  CHECK(determinant(lane_of(r, 3)) == Approx(1.0));
  CHECK_FALSE(std::isfinite(frobenius(lane_of(r, 5))));
  CHECK(frobenius(lane_of(r, 7) - 1e-100 * f[7]) < 1e-14);
  for (const int lane : {0, 1, 4}) CHECK(frobenius(lane_of(r, lane) - f[lane]) < 1e-14);
}

TEST_CASE("packs: rotation and singular values in float") {
  using P = Pack<float, 16>;
  test::Random random(10);
  for (int n = 0; n < 100; ++n) {
    Mat3d f[16];
    for (Mat3d& m : f) m = random.rotation() * (Mat3d::identity() + random.matrix(0.3));
    const Mat3<P> r = polar_rotation(pack_of<P>(f));
    const Svd3<P> d = svd3(pack_of<P>(f));
    for (int lane = 0; lane < 16; ++lane) {
      CHECK(frobenius(lane_of(r, lane) - polar_rotation(f[lane])) < 2e-6);
      const Mat3d u = lane_of(d.u, lane), v = lane_of(d.v, lane);
      const Mat3d rebuilt = u * Mat3d::diagonal(d.s.x[lane], d.s.y[lane], d.s.z[lane]) * transpose(v);
      CHECK(frobenius(rebuilt - f[lane]) < 4e-6);
      CHECK(frobenius(transpose(u) * u - Mat3d::identity()) < 2e-6);
    }
  }
}

TEST_CASE("packs: singular values as for numbers, degenerate ones too") {
  using P = Pack<double, 4>;
  test::Random random(12);
  for (int n = 0; n < 100; ++n) {
    Mat3d f[4] = {any_gradient(random, n), Mat3d{}, random.matrix(), Mat3d::identity()};
    for (int j = 0; j < 3; ++j) f[2](1, j) = 2.0 * f[2](0, j), f[2](2, j) = -f[2](0, j);  // rank 1
    const Svd3<P> d = svd3(pack_of<P>(f));
    for (int lane = 0; lane < 4; ++lane) {
      const Svd3<double> one = svd3(f[lane]);
      CHECK(d.s.x[lane] == Approx(one.s.x).margin(1e-15));
      CHECK(std::abs(d.s.y[lane] - one.s.y) < 1e-14);
      CHECK(std::abs(d.s.z[lane] - one.s.z) < 1e-14);
      const Mat3d u = lane_of(d.u, lane), v = lane_of(d.v, lane);
      const Mat3d rebuilt = u * Mat3d::diagonal(d.s.x[lane], d.s.y[lane], d.s.z[lane]) * transpose(v);
      CHECK(frobenius(rebuilt - f[lane]) < 1e-14 * (1.0 + frobenius(f[lane])));
      CHECK(determinant(u) == Approx(1.0).epsilon(1e-14));
      CHECK(determinant(v) == Approx(1.0).epsilon(1e-14));
    }
  }
}

TEST_CASE("packs: every material gives the energy and stress of the plain numbers") {
  check_materials(TetMaterials{});
}
