// Operations of contact problems on devices against plain loops: forces, compliances, sweeps of Gauss-Seidel.
#include "kernels/device/kernel.hpp"
#include "kernels/element/contact/largest_eigenvalue.hpp"
#include "tests/kernels/device/contact_problem.hpp"

using namespace sinew;
using test::ContactSize;
using test::DeviceContacts;
using test::HostContacts;

namespace {

using Vectors = std::vector<Vec3d>;

/// Points with G, with and without scalar rows and a term of low rank; and many scalar rows.
std::vector<ContactSize> dense_sizes(const Device& device) {
  std::vector<ContactSize> sizes;
  for (const std::size_t n : test::kSizes) {
    sizes.push_back({n, 0, 0});
    sizes.push_back({n, 5, 0});
    sizes.push_back({n, 3, n == 129 ? 40u : 3u});
  }
  sizes.push_back({1000, test::large_size(device), 0});
  return sizes;
}

void check_forces(Device& device) {
  const auto queue = device.make_queue();
  std::vector<ContactSize> sizes;
  for (const std::size_t n : test::sizes_for(device))
    for (const std::size_t scalars : {std::size_t(0), std::size_t(5), n})
      if (n <= 2000 || scalars == n) sizes.push_back({n, scalars, 0, false});
  for (const ContactSize& size : sizes) {
    CAPTURE(size.points, size.scalars);
    const HostContacts host(size);
    DeviceContacts contacts(*queue, host);
    const Vectors x = test::random_vectors(host.unknowns(), 3);
    const auto d_x = to_device(*queue, x, "test");
    DeviceBuffer<Vec3d> to(device, host.points, "test");
    queue->gather_forces(contacts.view(), d_x.view(), to.view());
    const Vectors got = test::download(*queue, to);
    CHECK(test::worst_error(got, host.forces(x)) < 1e-12);
    queue->clear(to.view());
    queue->gather_forces(contacts.view(), d_x.view(), to.view());
    CHECK(test::same_bits(test::download(*queue, to), got));
    CHECK(test::same_bits(test::download(*queue, d_x), x));
    contacts.check_unchanged(*queue);
  }
}

void check_compliances(Device& device) {
  const auto queue = device.make_queue();
  for (const ContactSize& size : dense_sizes(device)) {
    CAPTURE(size.points, size.scalars, size.rank);
    const HostContacts host(size);
    DeviceContacts contacts(*queue, host);
    DeviceBuffer<double> own_gram(device, host.scalar.size(), "test"),
        own(device, host.scalar.size(), "test");
    ContactView view = contacts.view();
    view.own_gram = own_gram.view();
    view.own = own.view();
    queue->scalar_compliances(view);
    const std::vector<double> got_gram = test::download(*queue, own_gram), got = test::download(*queue, own);
    CHECK(test::worst_error(got_gram, host.own_gram) < 1e-12);
    CHECK(test::worst_error(got, host.own) < 1e-12);
    queue->clear(own.view());
    queue->scalar_compliances(view);
    CHECK(test::same_bits(test::download(*queue, own), got));
    CHECK(test::same_bits(test::download(*queue, own_gram), got_gram));
    contacts.check_unchanged(*queue);
  }
}

std::vector<double> plain_weights(const HostContacts& host) {
  std::vector<double> weight;
  for (std::size_t c = 0; c < host.points; ++c) {
    const Mat3d m = host.low_rank_between(c, c);
    double low_rank[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) low_rank[i][j] = m(i, j);
    const double largest = host.column.empty() ? 0.0 : largest_eigenvalue(low_rank);
    weight.push_back(host.law[c] == PointLaw::none ? 0.0 : host.compliance(c) + largest);
  }
  for (const double own : host.own) weight.push_back(own > 0.0 ? own : 0.0);
  return weight;
}

void check_weights(Device& device) {
  const auto queue = device.make_queue();
  for (const ContactSize& size : dense_sizes(device)) {
    CAPTURE(size.points, size.scalars, size.rank);
    const HostContacts host(size);
    DeviceContacts contacts(*queue, host);
    DeviceBuffer<double> weight(device, host.unknowns(), "test");
    queue->sweep_weights(contacts.view(), weight.view());
    const std::vector<double> got = test::download(*queue, weight);
    CHECK(test::worst_error(got, plain_weights(host)) < 1e-12);
    queue->clear(weight.view());
    queue->sweep_weights(contacts.view(), weight.view());
    CHECK(test::same_bits(test::download(*queue, weight), got));
    contacts.check_unchanged(*queue);
  }
}

/// What a sweep changes; one unknown after another, all points moved at once.
struct HostSweep {
  const HostContacts& p;
  std::vector<double> weight;
  Vectors u, unknown, change;
  std::vector<double> z, largest;

  explicit HostSweep(const HostContacts& problem)
      : p(problem),
        weight(plain_weights(p)),
        u(test::random_vectors(p.points, 11)),
        unknown(test::random_vectors(p.unknowns(), 12)),
        change(p.unknowns()),
        z(test::random_numbers(p.column.size(), 13)),
        largest(block_count(p.points, kSweepGroup) + p.scalar.size(), 0.0) {
    for (std::size_t s = p.points; s < p.unknowns(); ++s) unknown[s].y = unknown[s].z = 0.0;
  }

  void push(std::size_t c, const Vec3d& force) {
    for (std::size_t d = 0; d < p.points; ++d) u[d] += (p.squared_step * p.gram[c * p.points + d]) * force;
    p.add_to_sums(c, force, z);
  }
  void visit_point(std::size_t c) {
    if (p.law[c] == PointLaw::none) return;
    const double r = weight[c];
    const Vec3d without = u[c] + p.low_rank_at(c, z) - r * unknown[c];
    Vec3d force{};
    if (p.law[c] == PointLaw::contact)
      force = p.world(c, solve_coulomb_point(p.local(c, without), r, p.friction[c]));
    else if (r + p.held_compliance[c] > 0.0)
      force = (-1.0 / (r + p.held_compliance[c])) * without;
    const Vec3d difference = force - unknown[c];
    unknown[c] = force;
    change[c] = p.squared_step * difference;
    double& most = largest[c / kSweepGroup];
    most = std::max(most, r * norm(difference));
    push(c, difference);
  }
  void visit_scalar(std::size_t s) {
    const DeviceScalarRow& row = p.scalar[s];
    Vectors all(u);
    for (std::size_t c = 0; c < p.points; ++c) all[c] += p.low_rank_at(c, z);
    const std::size_t i = p.points + s;
    const double own = weight[i], before = unknown[i].x;
    double force = before;
    if (own + row.compliance > 0.0) {
      force = (own * before - row.offset - p.value(s, all)) / (own + row.compliance);
      if (row.one_sided && force < 0.0) force = 0.0;
    }
    unknown[i].x = force;
    change[i] = {p.squared_step * (force - before), 0.0, 0.0};
    largest[block_count(p.points, kSweepGroup) + s] = own * std::abs(force - before);
    for (std::size_t k = row.first; k < row.end; ++k)
      push(p.entry[k].point, (force - before) * p.entry[k].direction);
  }
};

/// The same by the device's operations.
HostSweep sweep_on(DeviceQueue& queue, const HostContacts& host, const HostSweep& begin) {
  DeviceContacts contacts(queue, host);
  auto u = to_device(queue, begin.u, "test"), unknown = to_device(queue, begin.unknown, "test");
  auto z = to_device(queue, begin.z, "test");
  auto weight = to_device(queue, begin.weight, "test");
  DeviceBuffer<Vec3d> change(queue.device(), host.unknowns(), "test");
  DeviceBuffer<double> largest(queue.device(), begin.largest.size(), "test");
  const SweepView view{contacts.view(), u.view(),      z.view(),      weight.cview(),
                       unknown.view(),  change.view(), largest.view()};
  const std::size_t groups = block_count(host.points, kSweepGroup);
  for (std::size_t g = 0; g < groups; ++g) queue.sweep_group(view, g, g > 0 ? g - 1 : kNoSweepGroup);
  if (groups > 0) queue.sweep_group(view, kNoSweepGroup, groups - 1);
  for (std::size_t s = 0; s < host.scalar.size(); ++s) queue.sweep_scalar(view, s);
  HostSweep end = begin;
  end.u = test::download(queue, u);
  end.unknown = test::download(queue, unknown);
  end.change = test::download(queue, change);
  end.z = test::download(queue, z);
  end.largest = test::download(queue, largest);
  CHECK(test::same_bits(test::download(queue, weight), begin.weight));
  contacts.check_unchanged(queue);
  return end;
}

void check_sweep(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : test::kSizes)
    for (const ContactSize& size : {ContactSize{n, 0, 0}, ContactSize{n, 7, 0}, ContactSize{n, 7, 3},
                                    ContactSize{n, 2, n < 200 ? 40u : 1u}}) {
      CAPTURE(size.points, size.scalars, size.rank);
      const HostContacts host(size);
      const HostSweep begin(host);
      HostSweep expected = begin;
      for (std::size_t c = 0; c < n; ++c) expected.visit_point(c);
      for (std::size_t s = 0; s < host.scalar.size(); ++s) expected.visit_scalar(s);
      const HostSweep got = sweep_on(*queue, host, begin);
      CHECK(test::worst_error(got.u, expected.u) < 1e-12);
      CHECK(test::worst_error(got.unknown, expected.unknown) < 1e-12);
      CHECK(test::worst_error(got.change, expected.change) < 1e-12);
      CHECK(test::worst_error(got.z, expected.z) < 1e-12);
      CHECK(test::worst_error(got.largest, expected.largest) < 1e-12);
      const HostSweep again = sweep_on(*queue, host, begin);
      CHECK(test::same_bits(again.u, got.u));
      CHECK(test::same_bits(again.unknown, got.unknown));
      CHECK(test::same_bits(again.z, got.z));
      CHECK(test::same_bits(again.largest, got.largest));
    }
}

}  // namespace

SINEW_DEVICE_TEST("contact: forces of points and scalar rows", check_forces)
SINEW_DEVICE_TEST("contact: compliances of scalar rows", check_compliances)
SINEW_DEVICE_TEST("contact: weights of sweeps", check_weights)
SINEW_DEVICE_TEST("contact: a sweep of Gauss-Seidel", check_sweep)
