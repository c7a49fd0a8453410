// Bending and springs on devices, and what nodes gather from them and from elements, against plain loops.
#include "tests/kernels/device/element_problem.hpp"

using namespace sinew;
using test::error_of;
using test::HostElements;

namespace {

using Vectors = std::vector<Vec3d>;

/// Rows of 2 to 4 nodes whose coefficients sum to zero; every third has no rest length.
struct HostRows {
  std::vector<Index> start{0}, node, incidence_start{0}, incidence, row_of_place;
  std::vector<double> coefficient, weight, length;

  HostRows(std::size_t rows, std::size_t nodes) {
    test::Random random(rows + 3);
    std::vector<std::vector<Index>> places(nodes);
    for (std::size_t s = 0; s < rows; ++s) {
      const std::size_t terms = 2 + s % 3;
      double sum = 0.0;
      for (std::size_t k = 0; k < terms; ++k) {
        places[(7 * s + k) % nodes].push_back(static_cast<Index>(node.size()));
        node.push_back(static_cast<Index>((7 * s + k) % nodes));
        coefficient.push_back(k + 1 < terms ? random.uniform(0.5, 1.0) : -sum);
        sum += coefficient.back();
        row_of_place.push_back(static_cast<Index>(s));
      }
      start.push_back(static_cast<Index>(node.size()));
      weight.push_back(random.uniform(0.5, 2.0));
      length.push_back(s % 3 == 0 ? 0.0 : random.uniform(0.5, 2.0));
    }
    for (const std::vector<Index>& list : places) {
      incidence.insert(incidence.end(), list.begin(), list.end());
      incidence_start.push_back(static_cast<Index>(incidence.size()));
    }
  }
};

void check_rows_of(DeviceQueue& queue, std::size_t n) {
  CAPTURE(n);
  const HostElements h(n, 4);
  const HostRows rows(n, h.nodes);
  const test::ElementsOnDevice elements(queue, h);
  const auto start = to_device(queue, rows.start, "test"), node = to_device(queue, rows.node, "test"),
             incidence_start = to_device(queue, rows.incidence_start, "test"),
             incidence = to_device(queue, rows.incidence, "test"),
             row_of_place = to_device(queue, rows.row_of_place, "test");
  const auto coefficient = to_device(queue, rows.coefficient, "test"),
             weight = to_device(queue, rows.weight, "test"), length = to_device(queue, rows.length, "test");
  const DeviceSquares squares{start.view(),     node.view(),        coefficient.view(),
                              weight.view(),    length.view(),      incidence_start.view(),
                              incidence.view(), row_of_place.view()};
  const Vectors x = test::random_vectors(h.nodes, 3);
  const std::vector<double> before = test::random_numbers(n, 4, 0.2, 2.0);
  const auto d_x = to_device(queue, x, "test");
  const auto d_before = to_device(queue, before, "test");
  DeviceBuffer<double> lengths(queue.device(), n, "test"), elastic(queue.device(), n, "test"),
      damping(queue.device(), n, "test");
  DeviceBuffer<Vec3d> force(queue.device(), n, "test");
  queue.row_lengths(squares, d_x.view(), lengths.view());
  const std::vector<double> got_length = test::download(queue, lengths);
  Vectors got_force;
  for (const bool damped : {true, false}) {
    queue.evaluate_squares(squares, 0.4, damped ? d_before.view() : View<const double>{}, d_x.view(),
                           force.view(), elastic.view(), damping.view());
    got_force = test::download(queue, force);
    const std::vector<double> got_elastic = test::download(queue, elastic),
                              got_damping = test::download(queue, damping);
    double worst = 0.0;
    for (std::size_t s = 0; s < n; ++s) {
      long double y[3] = {}, size = 0;
      for (int i = 0; i < 3; ++i) {
        for (Index k = rows.start[s]; k < rows.start[s + 1]; ++k)
          y[i] += static_cast<long double>(rows.coefficient[k]) * x[rows.node[k]][i];
        size += y[i] * y[i];
      }
      size = std::sqrt(size);
      const long double w = rows.weight[s], off = size - rows.length[s],
                        late = damped ? size - before[s] : 0.0L;
      worst = test::worse(worst, error_of(got_length[s], size));
      worst = test::worse(worst, error_of(got_elastic[s], 0.5L * w * off * off));
      worst = test::worse(worst, error_of(got_damping[s], 0.2L * w * late * late));
      for (int i = 0; i < 3; ++i)
        worst = test::worse(worst, error_of(got_force[s][i], w * (off + 0.4L * late) * y[i] / size));
    }
    CHECK(worst < 1e-12);
    queue.clear(force.view());
    queue.evaluate_squares(squares, 0.4, damped ? d_before.view() : View<const double>{}, d_x.view(),
                           force.view(), elastic.view(), damping.view());
    CHECK(test::same_bits(test::download(queue, force), got_force));
    CHECK(test::same_bits(test::download(queue, elastic), got_elastic));
  }

  const Vectors partial = test::random_vectors(h.node.size(), 5),
                predicted = test::random_vectors(h.nodes, 6), begin = test::random_vectors(h.nodes, 7);
  const std::vector<double> mass = test::random_numbers(h.nodes, 8, 0.5, 2.0);
  const auto d_partial = to_device(queue, partial, "test"), d_predicted = to_device(queue, predicted, "test"),
             d_begin = to_device(queue, begin, "test");
  const auto d_mass = to_device(queue, mass, "test");
  const DeviceInertia inertia{0.3, 0.05, d_mass.view(), d_predicted.view(), d_begin.view()};
  DeviceBuffer<Vec3d> gradient(queue.device(), h.nodes, "test");
  DeviceBuffer<double> energy(queue.device(), h.nodes, "test");
  for (const bool with_rows : {false, true}) {
    const DeviceSquares used = with_rows ? squares : DeviceSquares{};
    queue.gather_gradient(elements.view, d_partial.view(), used, force.cview(), inertia, d_x.view(),
                          gradient.view(), energy.view());
    const Vectors got = test::download(queue, gradient);
    const std::vector<double> got_energy = test::download(queue, energy);
    Vectors expected(h.nodes);
    std::vector<double> expected_energy(h.nodes);
    for (std::size_t k = 0; k < h.node.size(); ++k) expected[h.node[k]] += 0.09 * partial[k];
    for (std::size_t s = 0; s < n && with_rows; ++s)
      for (Index k = rows.start[s]; k < rows.start[s + 1]; ++k)
        expected[rows.node[k]] += (0.09 * rows.coefficient[k]) * got_force[s];
    for (std::size_t i = 0; i < h.nodes; ++i) {
      const Vec3d a = x[i] - predicted[i], b = x[i] - begin[i];
      expected[i] += mass[i] * (a + 0.05 * b);
      expected_energy[i] = 0.5 * mass[i] * (dot(a, a) + 0.05 * dot(b, b));
    }
    CHECK(test::worst_error(got, expected) < 1e-12);
    CHECK(test::worst_error(got_energy, expected_energy) < 1e-12);
    queue.clear(gradient.view());
    queue.gather_gradient(elements.view, d_partial.view(), used, force.cview(), inertia, d_x.view(),
                          gradient.view(), energy.view());
    CHECK(test::same_bits(test::download(queue, gradient), got));
    CHECK(test::same_bits(test::download(queue, energy), got_energy));
  }
  CHECK(test::same_bits(test::download(queue, d_x), x));
  CHECK(test::same_bits(test::download(queue, d_partial), partial));
  CHECK(test::same_bits(test::download(queue, force), got_force));
}

void check_rows(Device& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : test::sizes_for(device)) check_rows_of(*queue, n);
}

}  // namespace

SINEW_DEVICE_TEST("elements: squares, and what nodes gather", check_rows)
