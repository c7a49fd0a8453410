#include "engine/elastic/quasi_newton.hpp"

#include <cmath>

#include "engine/elastic/column_kernels.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

constexpr std::size_t kNodes = 7;
using Block = std::vector<Vec3d>;

/// A diagonal metric with A = I and a diagonal Hessian: everything can be written down.
struct Problem {
  Block hessian;
  explicit Problem(test::Random& random) : hessian(kNodes) {
    for (Vec3d& h : hessian) h = {random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)};
  }
  Block apply(const Block& s) const {
    Block y(kNodes);
    for (std::size_t i = 0; i < kNodes; ++i)
      y[i] = {hessian[i].x * s[i].x, hessian[i].y * s[i].y, hessian[i].z * s[i].z};
    return y;
  }
};

Block random_block(test::Random& random) {
  Block block(kNodes);
  for (Vec3d& v : block) v = random.vector();
  return block;
}

Block inverse_times(const QuasiNewton& metric, const Block& r) {
  std::vector<double> sums;
  Mirrored<Vec3d> out = r;  // A = I
  metric.add_low_rank(r, 1.0, out, sums);
  return out.host();
}

double distance(const Block& a, const Block& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < kNodes; ++i) sum += squared_norm(a[i] - b[i]);
  return std::sqrt(sum);
}

void push(QuasiNewton& metric, const Problem& problem, const Block& s, double rounding = 0.0) {
  std::vector<double> sums;
  const Block y = problem.apply(s);
  metric.push(s, y, y, sums, rounding);
}

}  // namespace

TEST_CASE("L-BFGS: products of columns and their sums, for every instruction set", "[unit]") {
  test::Random random(11);
  constexpr std::size_t n = 107, begin = 3, end = 104, count = 7;  // ends fill no register
  std::vector<std::vector<double>> number(count + 3, std::vector<double>(n));
  for (std::vector<double>& column : number)
    for (double& x : column) x = random.uniform(-1, 1);
  std::vector<const double*> column;
  for (std::size_t k = 0; k < count; ++k) column.push_back(number[k].data());
  const std::vector<double>&x = number[count], &y = number[count + 1], &weight = number[count + 2];
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (!available(set)) continue;
    const ColumnKernels& kernels = column_kernels(set);
    std::vector<double> one(count), two(2 * count), to = x;
    kernels.dot(column.data(), count, x.data(), begin, end, one.data());
    kernels.dot_two(column.data(), count, x.data(), y.data(), begin, end, two.data());
    kernels.add(column.data(), count, weight.data(), begin, end, to.data());
    for (std::size_t k = 0; k < count; ++k) {
      double with_x = 0.0, with_y = 0.0;
      for (std::size_t i = begin; i < end; ++i) {
        with_x += number[k][i] * x[i];
        with_y += number[k][i] * y[i];
      }
      CHECK(one[k] == Approx(with_x).margin(1e-14));
      CHECK(two[2 * k] == one[k]);
      CHECK(two[2 * k + 1] == Approx(with_y).margin(1e-14));
    }
    for (std::size_t i = 0; i < n; ++i) {
      double sum = x[i];
      if (i >= begin && i < end)
        for (std::size_t k = 0; k < count; ++k) sum += weight[k] * number[k][i];
      CHECK(to[i] == Approx(sum).margin(1e-14));
    }
  }
}

TEST_CASE("L-BFGS: products that push() made beforehand serve as well as new ones", "[unit]") {
  test::Random random(12);
  const Problem problem(random);
  QuasiNewton metric;
  metric.begin(3, kNodes);
  const Mirrored<Vec3d> r = random_block(random);
  std::vector<double> sums, products;
  for (int pairs = 0; pairs < 5; ++pairs) {
    const Block s = random_block(random), y = problem.apply(s);
    metric.push(s, y, y, sums, 0.0, &r, &products);
    CHECK(products.size() == metric.rank());
    Mirrored<Vec3d> known = r, unknown = r;
    metric.add_low_rank(r, 1.0, known, sums, &products);
    metric.add_low_rank(r, 1.0, unknown, sums);
    CHECK(distance(known.host(), unknown.host()) == 0.0);
  }
}

TEST_CASE("L-BFGS: the last pair is met exactly, and the compact form is the recursion", "[unit]") {
  test::Random random(3);
  const Problem problem(random);
  QuasiNewton metric;
  metric.begin(4, kNodes);
  std::vector<std::pair<Block, Block>> pairs;
  for (int k = 0; k < 6; ++k) {
    const Block s = random_block(random);
    push(metric, problem, s);
    pairs.emplace_back(s, problem.apply(s));
    if (pairs.size() > 4) pairs.erase(pairs.begin());
    CHECK(distance(inverse_times(metric, problem.apply(s)), s) < 1e-12);
    // Two-loop recursion (Nocedal 1980) with H_0 = I.
    const Block r = random_block(random);
    const auto inner = [](const Block& a, const Block& b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < kNodes; ++i) sum += dot(a[i], b[i]);
      return sum;
    };
    Block q = r;
    std::vector<double> alpha(pairs.size());
    for (std::size_t i = pairs.size(); i-- > 0;) {
      alpha[i] = inner(pairs[i].first, q) / inner(pairs[i].first, pairs[i].second);
      for (std::size_t n = 0; n < kNodes; ++n) q[n] -= alpha[i] * pairs[i].second[n];
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double beta = inner(pairs[i].second, q) / inner(pairs[i].first, pairs[i].second);
      for (std::size_t n = 0; n < kNodes; ++n) q[n] += (alpha[i] - beta) * pairs[i].first[n];
    }
    CHECK(distance(inverse_times(metric, r), q) < 1e-12);
  }
}

TEST_CASE("L-BFGS: a new frame keeps the pairs that rounding has not touched", "[unit]") {
  test::Random random(4);
  const Problem problem(random);
  QuasiNewton metric, expected;
  metric.begin(5, kNodes);
  expected.begin(5, kNodes);
  for (int k = 0; k < 4; ++k) {
    const Block s = random_block(random);
    const bool fine = k != 1 && k != 2;
    push(metric, problem, s, fine ? 1e-9 : 1e-3);
    if (fine) push(expected, problem, s);
  }
  metric.begin_frame(5, kNodes, 1e6);
  REQUIRE(metric.pairs() == 2);
  const Block r = random_block(random);
  CHECK(distance(inverse_times(metric, r), inverse_times(expected, r)) < 1e-13);
  push(metric, problem, r);
  push(expected, problem, r);
  const Block other = random_block(random);
  CHECK(distance(inverse_times(metric, other), inverse_times(expected, other)) < 1e-13);
  metric.begin_frame(4, kNodes, 0.0);  // another capacity: nothing stays
  CHECK(metric.pairs() == 0);
}

TEST_CASE("L-BFGS: a restored memory goes on with the same bits", "[unit]") {
  test::Random random(5);
  const Problem problem(random);
  QuasiNewton metric, copy;
  metric.begin(3, kNodes);
  for (int k = 0; k < 5; ++k) push(metric, problem, random_block(random), 1e-8);
  copy.restore(metric.memory());
  const Block s = random_block(random), r = random_block(random);
  CHECK(distance(inverse_times(metric, r), inverse_times(copy, r)) == 0.0);
  push(metric, problem, s);
  push(copy, problem, s);
  CHECK(distance(inverse_times(metric, r), inverse_times(copy, r)) == 0.0);
}

TEST_CASE("L-BFGS: fixed pairs are met exactly, whatever is pushed before or after", "[unit]") {
  test::Random random(6);
  const Problem problem(random);
  QuasiNewton metric;
  std::vector<double> sums;
  metric.begin(3, kNodes);
  for (int k = 0; k < 2; ++k) push(metric, problem, random_block(random));
  // Steps of single nodes: s_i . y_j = 0.
  std::vector<Block> s(2, Block(kNodes)), y(2, Block(kNodes));
  for (std::size_t i = 0; i < 2; ++i) {
    s[i][i] = {1.0, 2.0 + static_cast<double>(i), -1.0};
    y[i] = problem.apply(s[i]);
    metric.fix(s[i], y[i], y[i], sums);  // A = I
  }
  CHECK(metric.pairs() == 2);
  CHECK(metric.rank() == 8);
  const auto check = [&] {
    for (std::size_t i = 0; i < 2; ++i) CHECK(distance(inverse_times(metric, y[i]), s[i]) < 1e-12);
    for (int k = 0; k < 20; ++k) {  // positive, or a contact problem with it has no answer
      const Block r = random_block(random), b = inverse_times(metric, r);
      double work = 0.0;
      for (std::size_t n = 0; n < kNodes; ++n) work += dot(r[n], b[n]);
      CHECK(work > 0.0);
    }
  };
  check();
  for (int k = 0; k < 4; ++k) {  // the first pairs are dropped on the way
    push(metric, problem, random_block(random));
    check();
  }
  metric.clear_kept(sums);
  CHECK(metric.pairs() == 0);
  check();
  metric.begin_frame(3, kNodes, 0.0);
  CHECK(metric.rank() == 0);
}

TEST_CASE("L-BFGS: pairs turn with their body", "[unit]") {
  test::Random random(7);
  const Problem problem(random);
  QuasiNewton metric;
  std::vector<double> sums;
  metric.begin(3, kNodes);
  for (int k = 0; k < 3; ++k) push(metric, problem, random_block(random));
  Block s(kNodes);
  s[2] = {0.5, 0.1, 0.7};
  metric.fix(s, s, s, sums);
  const Mat3d turn = rotation_from_vector(Vec3d{0.3, -0.8, 0.5});
  const auto turned = [&](Block block) {
    for (Vec3d& v : block) v = turn * v;
    return block;
  };
  const Block r = random_block(random), before = inverse_times(metric, r);
  metric.turn(turn);
  CHECK(distance(inverse_times(metric, turned(r)), turned(before)) < 1e-12);
}

namespace {

/// Pairs pushed, refused, dropped, kept over frames, turned and fixed: products, metric and low rank rows as
/// on the host.
void check_on_device(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  test::Random random(11);
  const Problem problem(random);
  QuasiNewton host, there;
  host.begin_frame(4, kNodes, 0.0);
  there.begin_frame(4, kNodes, 0.0, queue.get());
  std::vector<double> sums;
  const auto bound = [&](const Block& block) {
    Mirrored<Vec3d> result(block);
    result.bind(queue.get());
    return result;
  };
  const auto compare = [&] {
    REQUIRE(there.pairs() == host.pairs());
    REQUIRE(there.rank() == host.rank());
    const Block r = random_block(random);
    const Mirrored<Vec3d> d_r = bound(r);
    Mirrored<Vec3d> out = bound(r);
    there.add_low_rank(d_r, -2.0, out, sums);
    Mirrored<Vec3d> expected = r;
    host.add_low_rank(r, -2.0, expected, sums);
    CHECK(distance(out.host(), expected.host()) < 1e-12 * (1.0 + distance(expected.host(), r)));
    for (std::size_t k = 0; k < host.middle().size(); ++k)
      CHECK(there.middle()[k] == Approx(host.middle()[k]).epsilon(1e-11).margin(1e-13));
    if (host.rank() == 0) return;
    const std::vector<std::size_t> start = {0, 2, 3};
    const std::vector<Index> node = {0, 6, 3};
    const std::vector<double> weight = {0.25, 0.75, -1.0};
    const auto d_start = to_device(*queue, start, "test");
    const auto d_node = to_device(*queue, node, "test");
    const auto d_weight = to_device(*queue, weight, "test");
    const Block rows = there.at_points({d_start.view(), d_node.view(), d_weight.view()});
    REQUIRE(rows.size() == 2 * host.rank());
    for (std::size_t z = 0; z < host.rank(); ++z) {
      const Block& column = host.column(z).host();
      CHECK(norm(rows[z] - (0.25 * column[0] + 0.75 * column[6])) < 1e-13);
      CHECK(norm(rows[host.rank() + z] + column[3]) < 1e-13);
    }
  };
  compare();
  for (int k = 0; k < 7; ++k) {
    const Block s = random_block(random), y = problem.apply(s);
    host.push(s, y, y, sums, 1e-9);
    there.push(bound(s), bound(y), bound(y), sums, 1e-9);
    compare();
  }
  Block against = random_block(random), negative = problem.apply(against);
  for (Vec3d& x : negative) x = -1.0 * x;
  host.push(against, negative, negative, sums);
  there.push(bound(against), bound(negative), bound(negative), sums);
  CHECK(there.pairs() == 4);
  compare();
  const Mat3d turn = rotation_from_vector(Vec3d{0.1, -0.4, 0.2});
  host.turn(turn);
  there.turn(turn);
  compare();
  const Block s = random_block(random), y = problem.apply(s);
  host.fix(s, y, y, sums);
  there.fix(s, y, y, sums);
  compare();
  const Block more = random_block(random), change = problem.apply(more);
  host.push(more, change, change, sums, 1.0);
  there.push(bound(more), bound(change), bound(change), sums, 1.0);
  compare();
  host.clear_kept(sums);
  there.clear_kept(sums);
  compare();
  host.push(more, change, change, sums, 1e-9);
  there.push(bound(more), bound(change), bound(change), sums, 1e-9);
  host.begin_frame(4, kNodes, 1e3);
  there.begin_frame(4, kNodes, 1e3, queue.get());
  CHECK(there.pairs() == 1);
  compare();
  QuasiNewton copy;  // a snapshot knows no device
  copy.restore(there.memory());
  copy.begin_frame(4, kNodes, 0.0, queue.get());
  std::swap(copy, there);
  compare();
  there.begin_frame(4, kNodes, 0.0);  // back to the host
  const Block r = random_block(random);
  CHECK(distance(inverse_times(there, r), inverse_times(host, r)) < 1e-12);
}

}  // namespace

SINEW_DEVICE_TEST("L-BFGS: pairs on a device are those of the host", check_on_device)
