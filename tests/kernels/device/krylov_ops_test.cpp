// Conjugate residual on devices, one operation at a time: what each leaves follows by plain loops from what
// stood on the device before it.
#include "tests/kernels/device/newton_problem.hpp"

using namespace sinew;
using test::DeviceContacts;
using test::DeviceNewton;
using test::HostContacts;
using test::HostNewton;

namespace {

using Vectors = std::vector<Vec3d>;

long double plain_dot(const Vectors& a, const Vectors& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) sum += static_cast<long double>(a[i][k]) * b[i][k];
  return sum;
}

/// Parts of r . r, as the operation before leaves them.
void leave_parts(HostNewton& n) {
  std::fill(n.part.begin(), n.part.end(), 0.0);
  for (std::size_t i = 0; i < n.r.size(); ++i) n.part[i / kNewtonItems] += dot(n.r[i], n.r[i]);
}

Vec3d times(const Vec3d& a, const Vec3d& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// Some operator in the place of h^2 W, positive unless `factor` is negative.
Vectors moved(const Vectors& push, double factor) {
  Vectors move = push;
  for (std::size_t c = 0; c < push.size(); ++c)
    move[c] = factor * (2.0 * push[c] + 0.4 * push[(c + 1) % push.size()] +
                        0.4 * push[(c + push.size() - 1) % push.size()]);
  return move;
}

void check_forces(const HostContacts& p, const HostNewton& before, const HostNewton& after) {
  Vectors f(p.unknowns());
  for (std::size_t i = 0; i < f.size(); ++i) {
    f[i] = times(before.share[i], times(before.scale[i], before.r[i]));
    if (i < p.points) f[i] = p.world(i, f[i]);
  }
  CHECK(test::worst_error(after.push, p.forces(f)) < 1e-12);
  test::check_others_unchanged(before, after, {&HostNewton::push});
}

void check_product(const HostContacts& p, const HostNewton& before, const HostNewton& after) {
  Vectors ar(p.unknowns());
  for (std::size_t i = 0; i < ar.size(); ++i) {
    const Vec3d u =
        i < p.points ? p.local(i, before.move[i]) : Vec3d{p.value(i - p.points, before.move), 0.0, 0.0};
    const Vec3d own = times(before.e[i], times(before.scale[i], before.r[i]));
    ar[i] = times(before.scale[i], times(before.share[i], u) + own);
  }
  CHECK(test::worst_error(after.ar, ar) < 1e-12);
  test::check_others_unchanged(before, after, {&HostNewton::ar});
}

void check_step(const HostNewton& before, const HostNewton& after, int k, double rar_before) {
  const long double rar = plain_dot(before.r, before.ar);
  const double beta = k > 0 ? static_cast<double>(rar) / rar_before : 0.0;
  Vectors p = before.r, ap = before.ar, x = before.x, r = before.r;
  for (std::size_t i = 0; i < p.size() && k > 0; ++i) {
    p[i] += beta * before.p[i];
    ap[i] += beta * before.ap[i];
  }
  const auto alpha = static_cast<double>(rar / plain_dot(ap, ap));
  for (std::size_t i = 0; i < p.size(); ++i) {
    x[i] += alpha * p[i];
    r[i] -= alpha * ap[i];
  }
  const KrylovState& state = after.krylov[static_cast<std::size_t>(k) % 2];
  CHECK(std::abs(state.rar - rar) <= 1e-12L * plain_dot(before.ar, before.ar));
  CHECK(state.broken == 0);
  CHECK(state.steps == k + 1);
  CHECK(test::worst_error(after.p, p) < 1e-12);
  CHECK(test::worst_error(after.ap, ap) < 1e-12);
  CHECK(test::worst_error(after.x, x) < 1e-12);
  CHECK(test::worst_error(after.r, r) < 1e-12);
  test::check_others_unchanged(before, after,
                               {&HostNewton::p, &HostNewton::ap, &HostNewton::x, &HostNewton::r});
}

int iterations_of(const HostContacts& p) {
  return p.unknowns() > 10000 ? 2 : 3;
}

/// Iterations one operation at a time; what is left at the end.
HostNewton iterate(DeviceQueue& queue, const HostContacts& p, const HostNewton& start) {
  DeviceContacts contacts(queue, p);
  DeviceNewton newton(queue, contacts, start);
  HostNewton before = start, after = start;
  double rar = 0.0;
  for (int k = 0; k < iterations_of(p); ++k) {
    CAPTURE(k);
    queue.krylov_forces(newton.view(), k);
    after = newton.now();
    const KrylovState& state = after.krylov[static_cast<std::size_t>(k) % 2];
    if (p.unknowns() > 0) {
      CHECK(state.done == 0);
      CHECK(state.started == 1);
      check_forces(p, before, after);
    }
    before = after;
    before.move = moved(after.push, 1.0);
    newton.set(&HostNewton::move, before.move);
    queue.krylov_product(newton.view(), k);
    after = newton.now();
    check_product(p, before, after);
    before = after;
    queue.krylov_step(newton.view(), k);
    after = newton.now();
    if (p.unknowns() > 0) check_step(before, after, k, rar);
    rar = after.krylov[static_cast<std::size_t>(k) % 2].rar;
    before = after;
  }
  contacts.check_unchanged(queue);
  return after;
}

/// The same again, without a look between.
HostNewton iterate_again(DeviceQueue& queue, const HostContacts& p, const HostNewton& start) {
  DeviceContacts contacts(queue, p);
  DeviceNewton newton(queue, contacts, start);
  for (int k = 0; k < iterations_of(p); ++k) {
    queue.krylov_forces(newton.view(), k);
    newton.set(&HostNewton::move, moved(newton.get(&HostNewton::push), 1.0));
    queue.krylov_product(newton.view(), k);
    queue.krylov_step(newton.view(), k);
  }
  return newton.now();
}

void check_iterations(Device& device) {
  const auto queue = device.make_queue();
  std::vector<test::ContactSize> sizes;
  for (const std::size_t n : test::kSizes)
    for (const std::size_t scalars : {std::size_t(0), std::size_t(5), n / 2})
      sizes.push_back({n, scalars, 0, false});
  const std::size_t half = test::large_size(device) / 2;
  sizes.push_back({half, half, 0, false});
  for (const test::ContactSize& size : sizes) {
    CAPTURE(size.points, size.scalars);
    const HostContacts p(size);
    HostNewton start(p);
    std::fill(start.x.begin(), start.x.end(), Vec3d{});
    leave_parts(start);
    const HostNewton end = iterate(*queue, p, start);
    const HostNewton again = iterate_again(*queue, p, start);
    test::check_same_bits(end, again);
    // Of a residual its parts are left, for the next iteration.
    long double parts = 0;
    for (std::size_t b = 0; b < block_count(p.unknowns(), kNewtonItems); ++b) parts += end.part[b];
    const long double rr = plain_dot(end.r, end.r);
    CHECK(std::abs(parts - rr) <= 1e-12L * rr);
    if (p.unknowns() > 0) CHECK(rr < plain_dot(start.r, start.r));
  }
}

void check_ends(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : {std::size_t(1), std::size_t(33), std::size_t(1000)}) {
    const HostContacts p({n, 5, 0, false});
    DeviceContacts contacts(*queue, p);
    const auto iteration = [&](DeviceNewton& newton, int k, double factor) {
      queue->krylov_forces(newton.view(), k);
      newton.set(&HostNewton::move, moved(newton.get(&HostNewton::push), factor));
      queue->krylov_product(newton.view(), k);
      queue->krylov_step(newton.view(), k);
    };
    {
      // Near enough before iteration 1: it does nothing, nor does the next one.
      HostNewton start(p);
      start.relative = 0.9999;
      leave_parts(start);
      DeviceNewton newton(*queue, contacts, start);
      iteration(newton, 0, 1.0);
      const HostNewton before = newton.now();
      REQUIRE(plain_dot(before.r, before.r) < 0.9998L * plain_dot(start.r, start.r));
      for (int k = 1; k < 3; ++k) {
        iteration(newton, k, 1.0);
        const HostNewton after = newton.now();
        CHECK(after.krylov[static_cast<std::size_t>(k) % 2].done == 1);
        CHECK(after.krylov[static_cast<std::size_t>(k) % 2].steps == 1);
        test::check_others_unchanged(before, after, {&HostNewton::move});
      }
    }
    {
      // An operator that is not positive: no step, and none after it.
      HostNewton start(p);
      leave_parts(start);
      DeviceNewton newton(*queue, contacts, start);
      iteration(newton, 0, -100.0);
      HostNewton after = newton.now();
      CHECK(after.krylov[0].broken == 1);
      CHECK(after.krylov[0].steps == 0);
      CHECK(test::same_bits(after.x, start.x));
      CHECK(test::same_bits(after.r, start.r));
      iteration(newton, 1, 1.0);
      after = newton.now();
      CHECK(after.krylov[1].done == 1);
      CHECK(after.krylov[1].started == 1);
      CHECK(test::same_bits(after.x, start.x));
    }
    {
      // No residual: it does not begin.
      HostNewton start(p);
      std::fill(start.r.begin(), start.r.end(), Vec3d{});
      leave_parts(start);
      DeviceNewton newton(*queue, contacts, start);
      queue->krylov_forces(newton.view(), 0);
      queue->krylov_product(newton.view(), 0);
      queue->krylov_step(newton.view(), 0);
      const HostNewton after = newton.now();
      CHECK(after.krylov[0].done == 1);
      CHECK(after.krylov[0].started == 0);
      CHECK(after.krylov[0].steps == 0);
      test::check_others_unchanged(start, after, {});
    }
  }
}

}  // namespace

SINEW_DEVICE_TEST("conjugate residual: forces, product, step", check_iterations)
SINEW_DEVICE_TEST("conjugate residual: where it ends", check_ends)
