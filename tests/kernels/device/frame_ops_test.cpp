// Operations of a frame on devices against plain loops in long double; same bits on repeat, inputs unchanged.
#include <cmath>
#include <limits>

#include "tests/kernels/device/random_arrays.hpp"
#include "tests/support/devices.hpp"

using namespace sinew;

namespace {

using Vectors = std::vector<Vec3d>;

using test::sizes_for;
constexpr auto vectors = test::random_vectors;

std::vector<double> masses(std::size_t n) {
  test::Random random(99);
  std::vector<double> mass(n);
  for (double& m : mass) m = 0.5 + std::abs(random.vector().x);
  return mass;
}

/// A body of n nodes on the host and on the device, with all that operations read.
struct Nodes {
  double h = 0.01, alpha = 0.7;
  Vec3d gravity{0.3, -0.2, -9.81};
  std::vector<double> mass;
  Vectors start, velocity, force, position, predicted, gradient, contact, direction;
  DeviceBuffer<double> d_mass;
  DeviceBuffer<Vec3d> d_start, d_velocity, d_force, d_position, d_predicted, d_gradient, d_contact,
      d_direction;
  DeviceBuffer<double> sums, scratch;

  Nodes(DeviceQueue& queue, std::size_t n)
      : mass(masses(n)),
        start(vectors(n, 1)),
        velocity(vectors(n, 2)),
        force(vectors(n, 3)),
        position(vectors(n, 4)),
        predicted(vectors(n, 5)),
        gradient(vectors(n, 6)),
        contact(vectors(n, 7)),
        direction(vectors(n, 8)),
        d_mass(to_device(queue, mass, "test")),
        d_start(to_device(queue, start, "test")),
        d_velocity(to_device(queue, velocity, "test")),
        d_force(to_device(queue, force, "test")),
        d_position(to_device(queue, position, "test")),
        d_predicted(to_device(queue, predicted, "test")),
        d_gradient(to_device(queue, gradient, "test")),
        d_contact(to_device(queue, contact, "test")),
        d_direction(to_device(queue, direction, "test")),
        sums(queue.device(), FrameOps::kMostSums, "test"),
        scratch(queue.device(), FrameOps::sums_scratch(n), "test") {}

  FrameNodes nodes(bool with_force) const {
    return {h,
            alpha,
            gravity,
            d_mass.view(),
            d_start.view(),
            d_velocity.view(),
            with_force ? d_force.view() : View<const Vec3d>{}};
  }
  Vec3d outside(std::size_t i, bool with_force) const {
    return mass[i] * gravity + (with_force ? force[i] : Vec3d{});
  }
  void check_unchanged(DeviceQueue& queue) const {
    CHECK(test::same_bits(test::download(queue, d_mass), mass));
    CHECK(test::same_bits(test::download(queue, d_start), start));
    CHECK(test::same_bits(test::download(queue, d_velocity), velocity));
    CHECK(test::same_bits(test::download(queue, d_force), force));
    CHECK(test::same_bits(test::download(queue, d_position), position));
    CHECK(test::same_bits(test::download(queue, d_predicted), predicted));
    CHECK(test::same_bits(test::download(queue, d_gradient), gradient));
    CHECK(test::same_bits(test::download(queue, d_contact), contact));
    CHECK(test::same_bits(test::download(queue, d_direction), direction));
  }
};

/// Relative to the sum of the sizes of the terms, as rounding goes: compilers of devices may fuse a product
/// and a sum, which those of the host here do not.
void check_close(double got, long double expected, long double size) {
  CHECK(std::abs(static_cast<long double>(got) - expected) <= 1e-12L * size);
}

double largest_difference(const Vectors& a, const Vectors& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = test::worse(worst, norm(a[i] - b[i]));
  return worst;
}

void check_predict(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : sizes_for(device))
    for (const bool with_force : {false, true}) {
      const Nodes b(*queue, n);
      DeviceBuffer<Vec3d> predicted(device, n, "test");
      queue->predict(b.nodes(with_force), predicted.view());
      Vectors expected(n);
      for (std::size_t i = 0; i < n; ++i)
        expected[i] = b.start[i] + b.h * b.velocity[i] + (b.h * b.h / b.mass[i]) * b.outside(i, with_force);
      const Vectors got = test::download(*queue, predicted);
      CHECK(largest_difference(got, expected) < 1e-13);
      queue->clear(predicted.view());
      queue->predict(b.nodes(with_force), predicted.view());
      CHECK(test::same_bits(test::download(*queue, predicted), got));
      b.check_unchanged(*queue);
    }
}

void check_moves(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : sizes_for(device)) {
    const Nodes b(*queue, n);
    DeviceBuffer<Vec3d> to(device, n, "test");
    const std::size_t moving = n - n / 3;
    queue->move(to.view(), b.d_position.view(), b.d_direction.view().part(0, moving), 0.25);
    Vectors expected = b.position;
    for (std::size_t i = 0; i < moving; ++i) expected[i] += 0.25 * b.direction[i];
    CHECK(test::same_bits(test::download(*queue, to), expected));
    queue->combine(to.view(), 2.0, b.d_position.view(), -3.0, b.d_direction.view());
    for (std::size_t i = 0; i < n; ++i) expected[i] = 2.0 * b.position[i] + -3.0 * b.direction[i];
    CHECK(test::worst_error(test::download(*queue, to), expected) < 1e-12);
    queue->combine(to.view(), -1.0, b.d_position.view(), 0.0, {});
    for (std::size_t i = 0; i < n; ++i) expected[i] = -1.0 * b.position[i];
    CHECK(test::same_bits(test::download(*queue, to), expected));
    // Every third node is put, the last one first.
    std::vector<Index> node;
    Vectors value;
    for (std::size_t i = n; i-- > 0;)
      if (i % 3 == 0) {
        node.push_back(static_cast<Index>(i));
        value.push_back(b.force[i]);
        expected[i] = b.force[i];
      }
    const auto d_node = to_device(*queue, node, "test");
    const auto d_value = to_device(*queue, value, "test");
    queue->put(to.view(), d_node.view(), d_value.view());
    CHECK(test::same_bits(test::download(*queue, to), expected));
    std::vector<float> floats(3 * n, -1.0f);
    auto d_floats = to_device(*queue, floats, "test");
    queue->put_floats(d_floats.view(), d_node.view(), d_value.view());
    for (std::size_t i = 0; i < n; i += 3)
      for (std::size_t k = 0; k < 3; ++k)
        floats[3 * i + k] = static_cast<float>(b.force[i][static_cast<int>(k)]);
    CHECK(test::same_bits(test::download(*queue, d_floats), floats));
    b.check_unchanged(*queue);
  }
}

void check_residual(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : sizes_for(device))
    for (const bool with_force : {false, true}) {
      Nodes b(*queue, n);
      const std::size_t free = n - n / 4;
      DeviceBuffer<Vec3d> residual(device, free, "test");
      std::vector<double> first;
      for (int repeat = 0; repeat < 2; ++repeat) {
        queue->residual(b.nodes(with_force), b.d_position.view(), b.d_predicted.view(), b.d_gradient.view(),
                        b.d_contact.view(), residual.view(), b.sums.view(), b.scratch.view());
        std::vector<double> got = test::download(*queue, b.sums);
        got.resize(ResidualSums::count);
        if (repeat == 0) first = got;
        CHECK(test::same_bits(first, got));
      }
      Vectors expected(free);
      long double r2 = 0, scale2 = 0, farthest2 = 0;
      for (std::size_t i = 0; i < free; ++i) {
        expected[i] = b.gradient[i] - b.h * b.h * b.contact[i];
        const Vec3d inertia = b.mass[i] * (b.position[i] - b.predicted[i]);
        r2 += squared_norm(expected[i]);
        scale2 += squared_norm(inertia) + squared_norm(b.gradient[i] - inertia) +
                  squared_norm(b.h * b.h * b.outside(i, with_force)) +
                  squared_norm(1e-6 * b.h * b.mass[i] * b.velocity[i]);
        farthest2 = std::max<long double>(farthest2, squared_norm(b.position[i]));
      }
      check_close(first[ResidualSums::residual2], r2, r2);
      check_close(first[ResidualSums::scale2], scale2, scale2);
      check_close(first[ResidualSums::farthest2], farthest2, farthest2);
      CHECK(largest_difference(test::download(*queue, residual), expected) < 1e-15);
      b.check_unchanged(*queue);
    }
}

void check_sums(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : sizes_for(device)) {
    Nodes b(*queue, n);
    const auto plain = [&](auto&& term) {
      long double sum = 0, size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += term(i);
        size += std::abs(static_cast<long double>(term(i)));
      }
      return std::pair(sum, size);
    };
    const auto check = [&](int place, auto&& term) {
      const auto [sum, size] = plain(term);
      check_close(test::download(*queue, b.sums)[static_cast<std::size_t>(place)], sum, size);
    };
    /// Twice: the same bits.
    const auto run = [&](std::size_t count, auto&& work) {
      work();
      std::vector<double> got = test::download(*queue, b.sums), again;
      queue->clear(b.sums.view());
      work();
      again = test::download(*queue, b.sums);
      got.resize(count);
      again.resize(count);
      CHECK(test::same_bits(again, got));
    };
    run(SlopeSums::count, [&] {
      queue->slopes(b.d_gradient.view(), b.d_contact.view(), b.d_direction.view(), b.sums.view(),
                    b.scratch.view());
    });
    check(SlopeSums::gradient, [&](std::size_t i) { return dot(b.gradient[i], b.direction[i]); });
    check(SlopeSums::contact, [&](std::size_t i) { return dot(b.contact[i], b.direction[i]); });
    run(PairSums::count, [&] {
      queue->pair_sums(b.d_direction.view(), b.d_gradient.view(), b.sums.view(), b.scratch.view());
    });
    check(PairSums::curvature, [&](std::size_t i) { return dot(b.direction[i], b.gradient[i]); });
    check(PairSums::change2, [&](std::size_t i) { return squared_norm(b.gradient[i]); });
    check(PairSums::step2, [&](std::size_t i) { return squared_norm(b.direction[i]); });
    run(3, [&] { queue->momentum(b.d_mass.view(), b.d_velocity.view(), b.sums.view(), b.scratch.view()); });
    for (int k = 0; k < 3; ++k) check(k, [&](std::size_t i) { return b.mass[i] * b.velocity[i][k]; });
    run(MomentumSums::count, [&] {
      queue->lost_momentum(b.nodes(false), b.d_position.view(), b.d_predicted.view(), b.d_contact.view(),
                           b.sums.view(), b.scratch.view());
    });
    for (int k = 0; k < 3; ++k)
      check(k, [&](std::size_t i) {
        return b.h * b.h * b.contact[i][k] - b.mass[i] * (b.position[i][k] - b.predicted[i][k] +
                                                          b.h * b.alpha * (b.position[i][k] - b.start[i][k]));
      });
    check(MomentumSums::size, [&](std::size_t i) {
      return b.mass[i] * (norm(b.position[i] - b.start[i]) + b.h * norm(b.velocity[i]));
    });
    run(1, [&] { queue->largest(b.d_velocity.view(), b.sums.view(), b.scratch.view()); });
    double largest = 0.0;
    for (const Vec3d& x : b.velocity) largest = std::max(largest, squared_norm(x));
    check_close(test::download(*queue, b.sums)[0], largest, largest);
    if (n > 0) {
      Vectors bad = b.velocity;
      bad[n / 2].y = std::numeric_limits<double>::quiet_NaN();
      const auto d_bad = to_device(*queue, bad, "test");
      queue->largest(d_bad.view(), b.sums.view(), b.scratch.view());
      CHECK(test::download(*queue, b.sums)[0] == std::numeric_limits<double>::infinity());
    }
    b.check_unchanged(*queue);
  }
}

void check_finish(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : sizes_for(device))
    for (const bool with_force : {false, true}) {
      Nodes b(*queue, n);
      const std::size_t free = n - n / 4;
      DeviceBuffer<Vec3d> velocity(device, n, "test"), correction(device, free, "test");
      queue->finish(b.nodes(with_force), b.d_position.view(), b.d_predicted.view(), velocity.view(),
                    correction.view(), b.sums.view(), b.scratch.view());
      const std::vector<double> got = test::download(*queue, b.sums);
      queue->clear(b.sums.view());
      queue->finish(b.nodes(with_force), b.d_position.view(), b.d_predicted.view(), velocity.view(),
                    correction.view(), b.sums.view(), b.scratch.view());
      CHECK(test::same_bits(test::download(*queue, b.sums), got));
      Vectors v(n), moved(free);
      long double sum[6] = {}, size[6] = {};
      double predicted2 = 0, moved2 = 0;
      for (std::size_t i = 0; i < n; ++i) {
        v[i] = (b.position[i] - b.start[i]) / b.h;
        if (i < free) moved[i] = b.position[i] - b.predicted[i];
        const Vec3d defect = b.mass[i] * (v[i] - b.velocity[i]) -
                             b.h * (b.outside(i, with_force) - b.mass[i] * b.alpha * v[i]);
        const double term[6] = {defect.x,
                                defect.y,
                                defect.z,
                                b.mass[i] * (norm(v[i]) + norm(b.velocity[i]) + b.h * norm(b.gravity)),
                                0.5 * b.mass[i] * squared_norm(v[i]),
                                -b.mass[i] * dot(b.gravity, b.position[i])};
        for (int k = 0; k < 6; ++k) {
          sum[k] += term[k];
          size[k] += std::abs(static_cast<long double>(term[k])) + b.mass[i];
        }
        predicted2 = std::max(predicted2, squared_norm(b.predicted[i] - b.start[i]));
        if (i >= free) predicted2 = std::max(predicted2, squared_norm(b.position[i] - b.start[i]));
        moved2 = std::max(moved2, squared_norm(b.position[i] - b.start[i]));
      }
      for (int k = 0; k < 6; ++k) check_close(got[static_cast<std::size_t>(k)], sum[k], size[k]);
      check_close(got[FinishSums::predicted2], predicted2, predicted2);
      check_close(got[FinishSums::moved2], moved2, moved2);
      CHECK(test::same_bits(test::download(*queue, velocity), v));
      CHECK(test::same_bits(test::download(*queue, correction), moved));
      b.check_unchanged(*queue);
    }
}

void check_shifts(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : sizes_for(device)) {
    Nodes b(*queue, n);
    // A shift by the momentum: what is left has none.
    DeviceBuffer<Vec3d> step = to_device(*queue, b.direction, "test");
    DeviceBuffer<Vec3d> inverse = to_device(*queue, b.position, "test");
    DeviceBuffer<Vec3d> change = to_device(*queue, b.gradient, "test");
    double total = 0.0;
    Vec3d momentum{};
    for (std::size_t i = 0; i < n; ++i) {
      total += b.mass[i];
      momentum += b.mass[i] * b.direction[i];
    }
    const double inverse_mass = n > 0 ? 1.0 / total : 0.0;
    queue->momentum(b.d_mass.view(), step.cview(), b.sums.view(), b.scratch.view());
    queue->remove_shift(b.d_mass.view(), b.sums.cview(), inverse_mass, 1.5, step.view(), inverse.view(),
                        change.view());
    const Vec3d shift = inverse_mass * momentum;
    Vectors s = b.direction, i_s = b.position, c = b.gradient;
    for (std::size_t i = 0; i < n; ++i) {
      s[i] -= shift;
      i_s[i] -= shift;
      c[i] -= (1.5 * b.mass[i]) * shift;
    }
    CHECK(largest_difference(test::download(*queue, step), s) < 1e-13);
    CHECK(largest_difference(test::download(*queue, inverse), i_s) < 1e-13);
    CHECK(largest_difference(test::download(*queue, change), c) < 1e-13);
    b.check_unchanged(*queue);
  }
}

}  // namespace

SINEW_DEVICE_TEST("frame: predict", check_predict)
SINEW_DEVICE_TEST("frame: move, combine, put", check_moves)
SINEW_DEVICE_TEST("frame: residual and its sums", check_residual)
SINEW_DEVICE_TEST("frame: slopes, pairs, momentum, largest", check_sums)
SINEW_DEVICE_TEST("frame: velocities, corrections and balances at the end", check_finish)
SINEW_DEVICE_TEST("frame: shifts", check_shifts)
