#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

std::vector<double> random_numbers(std::size_t n, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<double> v(n);
  for (double& x : v) x = random.uniform();
  return v;
}

void check_quotient(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::vector<double> numbers = {3.0, -4.0, 0.0};
  const auto n = to_device(*queue, numbers, "test");
  DeviceBuffer<double> to(device, 2, "test");
  queue->quotient(n.view(), n.view().part(1, 1), to.view());
  CHECK(test::download(*queue, to) == std::vector<double>{-0.75, 0.75});
  queue->quotient(n.view(), n.view().part(2, 1), to.view());  // of nothing: no step, and no NaN
  CHECK(test::download(*queue, to) == std::vector<double>{0.0, 0.0});
}

void check_scale_symmetric(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t n : {0u, 1u, 31u, 32u, 33u, 300u, 1000u}) {
    const std::vector<double> w = random_numbers(n * n, 1), s = random_numbers(n, 2),
                              e = random_numbers(n, 3);
    const auto dw = to_device(*queue, w, "test"), ds = to_device(*queue, s, "test"),
               de = to_device(*queue, e, "test");
    DeviceBuffer<double> to(device, n * n, "test");
    queue->scale_symmetric(dw.view(), ds.view(), de.view(), to.view());
    const std::vector<double> got = test::download(*queue, to);
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        worst = test::worse(worst,
                            std::abs(got[i * n + j] - (s[i] * w[i * n + j] * s[j] + (i == j ? e[i] : 0.0))));
    CHECK(worst < 1e-15);
    CHECK(test::same_bits(test::download(*queue, dw), w));
    CHECK(test::same_bits(test::download(*queue, ds), s));
    queue->copy(to.view(), dw.cview());
    queue->scale_symmetric(to.cview(), ds.view(), de.view(), to.view());  // in place
    CHECK(test::same_bits(test::download(*queue, to), got));
  }
}

}  // namespace

SINEW_DEVICE_TEST("quotients of scalars", check_quotient)
SINEW_DEVICE_TEST("symmetric scaling of dense matrices", check_scale_symmetric)
