// Energies and gradients of elements on devices against plain loops in long double, for St. Venant and
// Kirchhoff's material, which is a polynomial (all materials: tests/engine/core/device_elastic_test.cpp).
#include <array>

#include "tests/kernels/device/element_problem.hpp"

using namespace sinew;
using test::error_of;
using test::HostElements;

namespace {

using Vectors = std::vector<Vec3d>;
constexpr std::size_t kLanes = test::kElementLanes;

/// F {3, dim} and Green strain of one element.
struct PlainElement {
  std::size_t dim;
  long double rest[3][3] = {}, f[3][3] = {}, strain[3][3] = {};

  PlainElement(const HostElements& h, const Vectors& x, std::size_t e) : dim(h.dim) {
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j)
        rest[i][j] = h.rest[(h.pack_of(e) * dim * dim + dim * i + j) * kLanes + e % kLanes];
    const Vec3d origin = x[h.node[h.slot_of(e, 0)]];
    for (int i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < dim; ++j)
        for (std::size_t k = 0; k < dim; ++k)
          f[i][j] += (static_cast<long double>(x[h.node[h.slot_of(e, k + 1)]][i]) - origin[i]) * rest[k][j];
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) {
        for (int k = 0; k < 3; ++k) strain[i][j] += 0.5L * f[k][i] * f[k][j];
        if (i == j) strain[i][j] -= 0.5L;
      }
  }
  /// Number k of the strain as it is stored.
  long double stored(std::size_t k) const {
    static constexpr std::size_t kTet[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    static constexpr std::size_t kTriangle[3][2] = {{0, 0}, {0, 1}, {1, 1}};
    const auto& place = dim == 3 ? kTet[k] : kTriangle[k];
    return strain[place[0]][place[1]];
  }
  /// mu |E - E_0|^2 + lambda/2 tr(E - E_0)^2; twice mu (E - E_0) + lambda tr I is added to second.
  long double energy(const PlainElement* start, long double mu, long double lambda,
                     long double (&second)[3][3]) const {
    long double trace = 0, squares = 0;
    const auto change = [&](std::size_t i, std::size_t j) {
      return strain[i][j] - (start ? start->strain[i][j] : 0.0L);
    };
    for (std::size_t i = 0; i < dim; ++i) trace += change(i, i);
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) {
        squares += change(i, j) * change(i, j);
        second[i][j] += 2 * mu * change(i, j) + (i == j ? lambda * trace : 0.0L);
      }
    return mu * squares + 0.5L * lambda * trace * trace;
  }
};

void check_elements_of(DeviceQueue& queue, std::size_t n, int corners) {
  CAPTURE(n, corners);
  const HostElements h(n, corners);
  const test::ElementsOnDevice elements(queue, h);
  const Vectors start = test::random_vectors(h.nodes, 1), x = test::random_vectors(h.nodes, 2);
  const auto d_start = to_device(queue, start, "test"), d_x = to_device(queue, x, "test");
  DeviceBuffer<double> strain(queue.device(), h.volume.size() * h.strains, "test");
  queue.strains(elements.view, d_start.view(), strain.view());
  const std::vector<double> got_strain = test::download(queue, strain);
  double worst = 0.0;
  for (std::size_t e = 0; e < n; ++e) {
    const PlainElement plain(h, start, e);
    for (std::size_t k = 0; k < h.strains; ++k)
      worst = test::worse(
          worst, error_of(got_strain[(h.pack_of(e) * h.strains + k) * kLanes + e % kLanes], plain.stored(k)));
  }
  CHECK(worst < 1e-12);

  DeviceMaterial material;
  material.kind = MaterialKind::st_venant_kirchhoff;
  material.shear_modulus = 0.8, material.first_lame = 1.3;
  material.damping_mu = 0.2, material.damping_lambda = 0.3;
  const long double mu = 0.8L,
                    lambda = corners == 4 ? 1.3L : 2 * 1.3L * mu / (1.3L + 2 * mu);  // plane stress
  DeviceBuffer<Vec3d> partial(queue.device(), h.node.size(), "test");
  DeviceBuffer<double> elastic(queue.device(), h.block.size(), "test"),
      damping(queue.device(), h.block.size(), "test");
  for (const bool damped : {false, true}) {
    const View<const double> before = damped ? strain.cview() : View<const double>{};
    queue.evaluate_blocks(elements.view, material, d_x.view(), before, partial.view(), elastic.view(),
                          damping.view());
    const Vectors got = test::download(queue, partial);
    const std::vector<double> got_elastic = test::download(queue, elastic),
                              got_damping = test::download(queue, damping);
    std::vector<long double> sum(3 * h.node.size(), 0), size(sum);
    std::vector<std::array<long double, 2>> energy(h.block.size());
    for (std::size_t e = 0; e < n; ++e) {
      const PlainElement now(h, x, e), then(h, start, e);
      const long double volume = h.volume[h.pack_of(e) * kLanes + e % kLanes];
      long double second[3][3] = {};
      energy[e / kDeviceBlockElements][0] += volume * now.energy(nullptr, mu, lambda, second);
      if (damped) energy[e / kDeviceBlockElements][1] += volume * now.energy(&then, 0.2L, 0.3L, second);
      for (std::size_t c = 0; c < h.dim; ++c)
        for (std::size_t i = 0; i < 3; ++i) {
          long double g = 0;  // (V F S D_m^-T)_ic
          for (std::size_t j = 0; j < h.dim; ++j)
            for (std::size_t k = 0; k < h.dim; ++k) g += volume * now.f[i][j] * second[j][k] * now.rest[c][k];
          const std::size_t at = 3 * h.slot_of(e, c + 1) + i, zero = 3 * h.slot_of(e, 0) + i;
          sum[at] += g, size[at] += std::abs(g);
          sum[zero] -= g, size[zero] += std::abs(g);
        }
    }
    double wrong = 0.0;
    for (std::size_t k = 0; k < sum.size(); ++k)
      wrong = test::worse(
          wrong, static_cast<double>(std::abs(got[k / 3][static_cast<int>(k % 3)] - sum[k]) / (1 + size[k])));
    for (std::size_t b = 0; b < h.block.size(); ++b) {
      wrong = test::worse(wrong, error_of(got_elastic[b], energy[b][0]));
      wrong = test::worse(wrong, error_of(got_damping[b], energy[b][1]));
    }
    CHECK(wrong < 1e-12);
    queue.clear(partial.view());
    queue.evaluate_blocks(elements.view, material, d_x.view(), before, partial.view(), elastic.view(),
                          damping.view());
    CHECK(test::same_bits(test::download(queue, partial), got));
    CHECK(test::same_bits(test::download(queue, elastic), got_elastic));
    CHECK(test::same_bits(test::download(queue, damping), got_damping));
  }
  CHECK(test::same_bits(test::download(queue, strain), got_strain));
  queue.strains(elements.view, d_start.view(), strain.view());
  CHECK(test::same_bits(test::download(queue, strain), got_strain));
  CHECK(test::same_bits(test::download(queue, d_x), x));
  CHECK(test::same_bits(test::download(queue, elements.rest), h.rest));
  CHECK(test::same_bits(test::download(queue, elements.corner), h.corner));
}

void check_elements(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : test::sizes_for(device))
    for (const int corners : {3, 4}) check_elements_of(*queue, n, corners);
}

}  // namespace

SINEW_DEVICE_TEST("elements: strains, energies, sums of gradients", check_elements)
