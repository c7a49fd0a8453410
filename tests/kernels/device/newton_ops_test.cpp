// Steps of the Newton solver of contact on devices, one operation at a time, against plain loops over the
// functions of one point.
#include "tests/kernels/device/newton_problem.hpp"

using namespace sinew;
using test::DeviceContacts;
using test::DeviceNewton;
using test::HostContacts;
using test::HostNewton;

namespace {

using Vectors = std::vector<Vec3d>;
constexpr Complementarity kFunctions[] = {Complementarity::fischer_burmeister, Complementarity::minimum_map};

/// Of these a part of the cases will do.
bool large(const test::ContactSize& size) {
  return size.points + size.scalars > 10000;
}

/// Runs `work` on `before` twice: what it leaves, the same bits both times.
HostNewton run_twice(DeviceQueue& queue, const HostContacts& contacts, const HostNewton& before,
                     const std::function<void(const NewtonView&)>& work) {
  DeviceContacts on_device(queue, contacts);
  DeviceNewton first(queue, on_device, before), second(queue, on_device, before);
  work(first.view());
  work(second.view());
  const HostNewton after = first.now();
  test::check_same_bits(after, second.now());
  on_device.check_unchanged(queue);
  return after;
}

void each_form(const test::ContactSize& size,
               const std::function<void(const HostContacts&, HostNewton&)>& check) {
  CAPTURE(size.points, size.scalars);
  const HostContacts contacts(size);
  for (const int published : {0, 1})
    for (const Complementarity function : kFunctions) {
      if (large(size) && function != kFunctions[0]) continue;
      CAPTURE(published, static_cast<int>(function));
      HostNewton before(contacts);
      before.published = published;
      before.function = function;
      check(contacts, before);
    }
}

double value_of(const HostContacts& p, const HostNewton& n, std::size_t s, double force) {
  return p.scalar[s].offset + p.value(s, n.displacement) + p.scalar[s].compliance * force;
}

void check_unknowns(Device& device) {
  const auto queue = device.make_queue();
  const auto check = [&](const HostContacts& p, HostNewton& before) {
    const HostNewton after =
        run_twice(*queue, p, before, [&](const NewtonView& v) { queue->newton_unknowns(v); });
    const bool turned = before.published && before.function == Complementarity::fischer_burmeister;
    Vectors expected = before.force;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      double gap = 0.0, r = 0.0;
      if (i < p.points) {
        expected[i] = p.local(i, expected[i]);
        gap = p.local(i, before.displacement[i]).x;
        if (p.law[i] == PointLaw::contact) r = before.scaling[i];
      } else {
        const std::size_t s = i - p.points;
        gap = value_of(p, before, s, 0.0);
        if (p.scalar[s].one_sided && p.scalar[s].compliance == 0.0) r = p.own[s];
      }
      if (turned && r > 0.0) expected[i].x = nonsmooth_unweighted(gap, expected[i].x, r);
    }
    CHECK(test::worst_error(after.lambda, expected) < 1e-12);
    test::check_others_unchanged(before, after, {&HostNewton::lambda});
  };
  for (const test::ContactSize& size : test::newton_sizes(device)) each_form(size, check);
  each_form({test::large_size(device), 5, 0, false}, check);
}

NonsmoothPoint<double> rows_of(const HostContacts& p, const HostNewton& n, std::size_t i, double& own) {
  const Vec3d l = n.lambda[i];
  if (i >= p.points) {
    const std::size_t s = i - p.points;
    own = p.own[s];
    const double compliance = p.scalar[s].compliance;
    const NonsmoothRow<double> row = nonsmooth_scalar(value_of(p, n, s, l.x), l.x, own + compliance,
                                                      compliance, p.scalar[s].one_sided != 0, n.function);
    return {{row.phi, 0.0, 0.0}, {row.omega, 0.0, 0.0}, {row.e, 1.0, 1.0}};
  }
  own = p.compliance(i);
  const Vec3d u = p.local(i, n.displacement[i]);
  if (p.law[i] == PointLaw::held) return nonsmooth_held(u, l, p.held_compliance[i]);
  if (p.law[i] == PointLaw::none || n.scaling[i] == 0.0 || own == 0.0) return nonsmooth_left<double>();
  return nonsmooth_contact(u, l, n.scaling[i], p.friction[i], n.function);
}

void check_system(Device& device) {
  const auto queue = device.make_queue();
  for (const test::ContactSize& size : test::newton_sizes(device))
    each_form(size, [&](const HostContacts& p, HostNewton& before) {
      const HostNewton after =
          run_twice(*queue, p, before, [&](const NewtonView& v) { queue->newton_system(v); });
      double worst = 0.0;
      long double rr = 0, parts = 0;
      for (std::size_t i = 0; i < p.unknowns(); ++i) {
        double own = 0.0;
        const NonsmoothPoint<double> rows = rows_of(p, before, i, own);
        for (int k = 0; k < 3; ++k) {
          const double omega = rows.omega[k];
          const double share = before.published ? omega : std::sqrt(omega);
          const double diagonal = share * share * own + rows.e[k];
          const double scale = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 0.0;
          // D^-1/2 Omega^-1/2 phi: the rounding of phi is divided as well.
          const bool divided = !before.published && omega > 0.0 && omega < 1.0;
          const double right = before.published ? rows.phi[k] : (omega > 0.0 ? rows.phi[k] / share : 0.0);
          const double r = -scale * right;
          worst = test::worse(worst, std::abs(after.share[i][k] - share));
          worst = test::worse(worst, std::abs(after.e[i][k] - rows.e[k]) / (1.0 + rows.e[k]));
          worst = test::worse(worst, std::abs(after.scale[i][k] - scale) / (1.0 + scale));
          worst =
              test::worse(worst, std::abs(after.r[i][k] - r) / (1.0 + std::abs(r)) * (divided ? share : 1));
          rr += static_cast<long double>(after.r[i][k]) * after.r[i][k];
        }
      }
      CHECK(worst < 1e-12);
      for (std::size_t b = 0; b < block_count(p.unknowns(), kNewtonItems); ++b) parts += after.part[b];
      CHECK(std::abs(parts - rr) <= 1e-12L * rr);
      CHECK(test::same_bits(after.x, Vectors(p.unknowns())));
      test::check_others_unchanged(
          before, after,
          {&HostNewton::share, &HostNewton::e, &HostNewton::scale, &HostNewton::r, &HostNewton::x});
    });
}

void check_take(Device& device) {
  const auto queue = device.make_queue();
  const auto check = [&](const HostContacts& p, HostNewton& before) {
    before.krylov[0].started = before.published;  // of iteration 2
    before.krylov[0].steps = 3;
    before.outcome[0].products = 10;
    const HostNewton after =
        run_twice(*queue, p, before, [&](const NewtonView& v) { queue->newton_take(v, 3); });
    Vectors step(p.unknowns()), lambda = before.lambda;
    for (std::size_t i = 0; i < step.size(); ++i) {
      Vec3d f{};
      for (int k = 0; k < 3; ++k) {
        const double change = before.scale[i][k] * before.x[i][k], l = before.lambda[i][k];
        f[k] = before.published ? before.share[i][k] * (l + change) : l + before.share[i][k] * change;
        if (before.published) lambda[i][k] += change;
      }
      if (i >= p.points) {
        const double least = p.scalar[i - p.points].one_sided ? 0.0 : -HUGE_VAL;
        step[i] = {std::max(least, f.x) - before.force[i].x, 0.0, 0.0};
      } else if (p.law[i] != PointLaw::none) {
        if (p.law[i] == PointLaw::contact) f = normal_then_cone(f, p.friction[i]);
        step[i] = p.world(i, f) - before.force[i];
      }
    }
    CHECK(test::worst_error(after.step, step) < 1e-12);
    CHECK(test::worst_error(after.lambda, lambda) < 1e-12);
    CHECK(test::worst_error(after.push, p.forces(step)) < 1e-12);
    if (p.unknowns() > 0) CHECK(after.outcome[0].products == (before.published ? 15 : 11));
    test::check_others_unchanged(before, after, {&HostNewton::step, &HostNewton::lambda, &HostNewton::push});
  };
  for (const test::ContactSize& size : test::newton_sizes(device)) each_form(size, check);
  each_form({test::large_size(device), 5, 0, false}, check);
}

/// Error of the law of unknown i [m], with the compliances `own` of the scalar rows.
double law_error(const HostContacts& p, const std::vector<double>& own, const Vectors& u, const Vectors& f,
                 std::size_t i) {
  if (i >= p.points) {
    const std::size_t s = i - p.points;
    const double c = p.scalar[s].compliance, value = p.scalar[s].offset + p.value(s, u) + c * f[i].x;
    return std::abs(p.scalar[s].one_sided ? std::min(value, (own[s] + c) * f[i].x) : value);
  }
  if (p.law[i] == PointLaw::none) return 0.0;
  if (p.law[i] == PointLaw::held) return norm(u[i] + p.held_compliance[i] * f[i]);
  return natural_map_residual(p.local(i, u[i]), p.local(i, f[i]), p.compliance(i), p.friction[i]);
}

Vectors sum(const Vectors& a, double factor, const Vectors& b) {
  Vectors c = a;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * b[i];
  return c;
}

/// The first of 1, 1/2, ... 1/64 that lowers the sum of squares; 1 where none does.
double expected_length(const HostContacts& p, const HostNewton& n) {
  const auto merit = [&](double length) {
    const Vectors u = sum(n.displacement, length, n.move), f = sum(n.force, length, n.step);
    long double squares = 0;
    for (std::size_t i = 0; i < p.unknowns(); ++i) {
      const double error = law_error(p, p.own, u, f, i);
      squares += static_cast<long double>(error) * error;
    }
    return squares;
  };
  const long double before = merit(0.0);
  for (double length = 1.0; length >= 1.0 / 64; length *= 0.5)
    if (merit(length) < before) return length;
  return 1.0;
}

void check_advance(Device& device) {
  const auto queue = device.make_queue();
  std::vector<double> lengths;
  for (const test::ContactSize& size : test::newton_sizes(device)) {
    CAPTURE(size.points, size.scalars);
    const HostContacts p(size);
    for (const int search : {0, 1})
      for (const double factor : {-0.9, -5.0, -40.0, 1.0}) {
        if (large(size) && factor != -5.0) continue;
        HostNewton before(p);
        before.search = search;
        before.move = sum(sum(before.move, -0.98, before.move), factor, before.displacement);
        before.step = sum(sum(before.step, -0.98, before.step), factor, before.force);
        const HostNewton after =
            run_twice(*queue, p, before, [&](const NewtonView& v) { queue->newton_advance(v); });
        const double length = search ? expected_length(p, before) : 1.0;
        if (search) {
          CHECK(after.outcome[0].length == length);
          lengths.push_back(length);
        }
        const Vectors force = sum(before.force, length, before.step);
        Vectors lambda = before.lambda;
        for (std::size_t i = 0; i < p.unknowns() && search; ++i)
          lambda[i] = i < p.points ? p.local(i, force[i]) : force[i];
        CHECK(test::worst_error(after.force, force) < 1e-12);
        CHECK(test::worst_error(after.displacement, sum(before.displacement, length, before.move)) < 1e-12);
        CHECK(test::worst_error(after.lambda, lambda) < 1e-12);
        test::check_others_unchanged(before, after,
                                     {&HostNewton::force, &HostNewton::displacement, &HostNewton::lambda});
      }
  }
  for (const double length : {1.0, 0.25, 1.0 / 32})
    CHECK(std::count(lengths.begin(), lengths.end(), length) > 0);
}

void check_measure(Device& device) {
  const auto queue = device.make_queue();
  for (const test::ContactSize& size : test::newton_sizes(device)) {
    CAPTURE(size.points, size.scalars);
    const HostContacts p(size);
    for (const bool first : {true, false})
      for (const double best : {0.0, 1e3}) {
        if (large(size) && best == 0.0) continue;
        HostNewton before(p);
        before.outcome[0] = {0.0, 17.0, best, 1.0, 0, 9};
        double worst = 0.0;
        for (std::size_t i = 0; i < p.unknowns(); ++i)
          worst = test::worse(worst, law_error(p, p.own_gram, before.displacement, before.force, i));
        const HostNewton after =
            run_twice(*queue, p, before, [&](const NewtonView& v) { queue->newton_measure(v, first); });
        const NewtonOutcome& o = after.outcome[0];
        const bool kept = first || worst < best;
        CHECK(std::abs(o.residual - worst) <= 1e-12 * (1.0 + worst));
        CHECK(o.start == (first ? o.residual : 17.0));
        CHECK(o.products == (first ? 0 : 9));
        CHECK(o.kept == kept);
        CHECK(o.best == (kept ? o.residual : best));
        CHECK(test::same_bits(after.kept_force, kept ? before.force : before.kept_force));
        CHECK(
            test::same_bits(after.kept_displacement, kept ? before.displacement : before.kept_displacement));
        test::check_others_unchanged(before, after,
                                     {&HostNewton::kept_force, &HostNewton::kept_displacement});
      }
    if (p.unknowns() == 0) continue;
    HostNewton bad(p);  // NaN is told, and not kept
    bad.force[0].x = std::numeric_limits<double>::quiet_NaN();
    bad.outcome[0].best = 1e3;
    const HostNewton after =
        run_twice(*queue, p, bad, [&](const NewtonView& v) { queue->newton_measure(v, false); });
    CHECK(std::isnan(after.outcome[0].residual));
    CHECK(after.outcome[0].kept == 0);
    CHECK(after.outcome[0].best == 1e3);
  }
}

}  // namespace

SINEW_DEVICE_TEST("newton: unknowns from forces", check_unknowns)
SINEW_DEVICE_TEST("newton: rows of the system and its start", check_system)
SINEW_DEVICE_TEST("newton: forces from a solution", check_take)
SINEW_DEVICE_TEST("newton: lengths of steps", check_advance)
SINEW_DEVICE_TEST("newton: residuals and what is kept", check_measure)
