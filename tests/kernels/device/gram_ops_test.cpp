// Products with the compliance of contact points against plain loops; same bits on repeat.
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

std::vector<Vec3d> random_vectors(std::size_t n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Vec3d> v(n);
  for (Vec3d& x : v) x = random.vector();
  return v;
}

std::vector<double> random_symmetric(std::size_t n) {
  test::Random random(n + 7);
  std::vector<double> g(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) g[i * n + j] = g[j * n + i] = random.uniform();
  return g;
}

double worst_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double worst = a.size() == b.size() ? 0.0 : 1e300;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) worst = test::worse(worst, norm(a[i] - b[i]));
  return worst;
}

void check_product(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : test::kSizes) {
    const std::vector<double> g = random_symmetric(n);
    const std::vector<Vec3d> f = random_vectors(n, 1), base = random_vectors(n, 2);
    const auto gram = to_device(*queue, g, "test");
    const auto df = to_device(*queue, f, "test"), dbase = to_device(*queue, base, "test");
    auto to = to_device(*queue, base, "test");
    auto plain = to_device(*queue, base, "test");
    std::vector<Vec3d> expected = base, bare(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        expected[i] += (0.25 * g[i * n + j]) * f[j];
        bare[i] += (0.25 * g[i * n + j]) * f[j];
      }
    const GramView view{n, gram.view()};
    queue->multiply_gram(view, 0.25, df.view(), to.cview(), to.view(), nullptr);  // in place
    queue->multiply_gram(view, 0.25, df.view(), {}, plain.view(), nullptr);
    const std::vector<Vec3d> got = test::download(*queue, to);
    CHECK(worst_difference(got, expected) <= 1e-15 * (10.0 + static_cast<double>(n)));
    CHECK(worst_difference(test::download(*queue, plain), bare) <= 1e-15 * (10.0 + static_cast<double>(n)));
    queue->multiply_gram(view, 0.25, df.view(), dbase.view(), to.view(), nullptr);
    CHECK(test::same_bits(test::download(*queue, to), got));
    for (const int skip : {1, 0}) {
      const auto flag = to_device(*queue, std::vector<int>{skip}, "test");
      queue->clear(to.view());
      queue->multiply_gram(view, 0.25, df.view(), dbase.view(), to.view(), flag.data());
      CHECK(test::same_bits(test::download(*queue, to), skip ? std::vector<Vec3d>(n) : got));
    }
    CHECK(test::same_bits(test::download(*queue, gram), g));
    CHECK(test::same_bits(test::download(*queue, df), f));
  }
}

void check_diagonal(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : test::kSizes) {
    std::vector<double> g = random_symmetric(n), diagonal(n);
    for (std::size_t i = 0; i < n; ++i) diagonal[i] = 5.0 + static_cast<double>(i);
    auto gram = to_device(*queue, g, "test");
    const auto d = to_device(*queue, diagonal, "test");
    queue->set_diagonal(gram.view(), d.view());
    for (std::size_t i = 0; i < n; ++i) g[i * n + i] = diagonal[i];
    CHECK(test::same_bits(test::download(*queue, gram), g));
  }
}

/// Two blocks of M, of widths a and b: the first at every point, the second at every third.
void check_low_rank_of(DeviceQueue& queue, std::size_t n, std::size_t a, std::size_t b) {
  test::Random random(n + 100 * a + b);
  std::vector<std::size_t> row{0};
  std::vector<LowRankSegment> segment;
  std::vector<LowRankUse> use, second;
  std::size_t vectors = 0;
  for (std::size_t c = 0; c < n; ++c) {
    segment.push_back({0, vectors, a, 0});
    use.push_back({c, vectors});
    vectors += a;
    if (c % 3 == 1) {
      segment.push_back({a, vectors, b, a * a});
      second.push_back({c, vectors});
      vectors += b;
    }
    row.push_back(segment.size());
  }
  use.insert(use.end(), second.begin(), second.end());
  std::vector<LowRankColumn> column;
  for (std::size_t k = 0; k < a; ++k) column.push_back({0, n, k});
  for (std::size_t k = 0; k < b; ++k) column.push_back({n, use.size(), k});
  std::vector<double> middle(a * a + b * b);
  for (double& m : middle) m = random.uniform();
  const std::vector<Vec3d> q = random_vectors(vectors, 4), f = random_vectors(n, 5),
                           start = random_vectors(n, 6);
  std::vector<double> z0(a + b);
  for (double& z : z0) z = random.uniform();

  const auto d_row = to_device(queue, row, "test");
  const auto d_segment = to_device(queue, segment, "test");
  const auto d_use = to_device(queue, use, "test");
  const auto d_column = to_device(queue, column, "test");
  const auto d_q = to_device(queue, q, "test"), d_f = to_device(queue, f, "test");
  const auto d_middle = to_device(queue, middle, "test"), d_z0 = to_device(queue, z0, "test");
  DeviceBuffer<Vec3d> projected(queue.device(), vectors, "test");
  DeviceBuffer<double> z(queue.device(), a + b, "test");
  auto to = to_device(queue, start, "test");
  const LowRankView term{d_row.view(), d_segment.view(), d_use.view(),     d_column.view(),
                         d_q.view(),   d_middle.view(),  projected.cview()};
  queue.project_low_rank(term, 0.5, projected.view());
  queue.low_rank_sums(term, d_f.view(), d_z0.view(), z.view(), nullptr);
  queue.add_low_rank(term, z.cview(), to.view(), nullptr);
  const std::vector<Vec3d> got_projected = test::download(queue, projected), got = test::download(queue, to);
  const std::vector<double> got_z = test::download(queue, z);

  std::vector<double> sum = z0;
  double worst = 0.0;
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t s = row[c]; s < row[c + 1]; ++s)
      for (std::size_t k = 0; k < segment[s].width; ++k) {
        sum[segment[s].z + k] += dot(q[segment[s].vector + k], f[c]);
        Vec3d p{};
        for (std::size_t l = 0; l < segment[s].width; ++l)
          p += (0.5 * middle[segment[s].middle + l * segment[s].width + k]) * q[segment[s].vector + l];
        worst = test::worse(worst, norm(p - got_projected[segment[s].vector + k]));
      }
  CHECK(worst < 1e-14);
  for (std::size_t k = 0; k < a + b; ++k)
    CHECK(std::abs(sum[k] - got_z[k]) <= 1e-15 * (10.0 + static_cast<double>(n)));
  std::vector<Vec3d> expected = start;
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t s = row[c]; s < row[c + 1]; ++s)
      for (std::size_t k = 0; k < segment[s].width; ++k)
        expected[c] += got_z[segment[s].z + k] * got_projected[segment[s].vector + k];
  CHECK(worst_difference(got, expected) <= 1e-12 * (1.0 + static_cast<double>(n)));
  queue.low_rank_sums(term, d_f.view(), {}, z.view(), nullptr);
  const std::vector<double> without = test::download(queue, z);
  for (std::size_t k = 0; k < a + b; ++k)
    CHECK(std::abs(without[k] - (sum[k] - z0[k])) <= 1e-15 * (10.0 + static_cast<double>(n)));
  queue.low_rank_sums(term, d_f.view(), d_z0.view(), z.view(), nullptr);
  CHECK(test::same_bits(test::download(queue, z), got_z));
  queue.clear(projected.view());
  queue.project_low_rank(term, 0.5, projected.view());
  CHECK(test::same_bits(test::download(queue, projected), got_projected));
  queue.upload(to.view(), start.data());
  queue.add_low_rank(term, z.cview(), to.view(), nullptr);
  CHECK(test::same_bits(test::download(queue, to), got));
  for (const int skip : {1, 0}) {
    const auto flag = to_device(queue, std::vector<int>{skip}, "test");
    queue.upload(to.view(), start.data());
    queue.clear(z.view());
    queue.low_rank_sums(term, d_f.view(), d_z0.view(), z.view(), flag.data());
    queue.add_low_rank(term, z.cview(), to.view(), flag.data());
    CHECK(test::same_bits(test::download(queue, z), skip ? std::vector<double>(a + b) : got_z));
    CHECK(test::same_bits(test::download(queue, to), skip ? start : got));
  }
  CHECK(test::same_bits(test::download(queue, d_q), q));
  CHECK(test::same_bits(test::download(queue, d_f), f));
  CHECK(test::same_bits(test::download(queue, d_middle), middle));
  CHECK(test::same_bits(test::download(queue, d_z0), z0));
}

void check_low_rank(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : test::kSizes) {
    check_low_rank_of(*queue, n, 1, 33);
    check_low_rank_of(*queue, n, 20, 7);
  }
  check_low_rank_of(*queue, test::large_size(device), 1, 2);
}

}  // namespace

SINEW_DEVICE_TEST("products with the matrix of contacts", check_product)
SINEW_DEVICE_TEST("the diagonal of the matrix of contacts", check_diagonal)
SINEW_DEVICE_TEST("products with the term of low rank", check_low_rank)
