// Statics as one long frame: a short bar held at one end under a load along, across and down, h = 10 s, from
// rest, so that inertia is 1e-4 of stiffness or less; with the minimum by Newton's method, and the plain
// projection iteration, which ends elsewhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <sinew/simulation.hpp>

#include "engine/precompute/body_precompute.hpp"
#include "kernels/element/material/material_list.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/reference/newton.hpp"
#include "tests/support/shapes.hpp"

namespace sinew::test {

struct StaticSettings {
  MaterialKind kind = MaterialKind::stable_neo_hookean;
  double poisson_ratio = 0.3;
  double load = 2.0;  ///< [1] 2: 10 to 20 % strain at the clamp
};

class StaticBar {
 public:
  static constexpr double kStep = 10.0;  // [s]

  explicit StaticBar(const StaticSettings& s) : gravity_(s.load * Vec3d{3.0, 2.0, -4.0}) {
    BodySpec body;
    body.name = "bar";
    body.mesh = block(4, 2, 2, 0.1);
    body.material = {s.kind, 1e5, s.poisson_ratio, 0.0, 0.0};
    rest_ = body.mesh.nodes;
    PinSpec pin;
    pin.name = "wall";
    pin.body = "bar";
    pin.region.shape = Region::HalfSpace{{1e-6, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    model_ = std::make_unique<Model>(ModelBuilder().gravity(gravity_).add(body).add(pin).build());
    std::vector<char> pinned;
    for (const Vec3d& x : rest_) pinned.push_back(x.x < 1e-6);
    Executor(1).run(
        [&] { body_ = precompute_body(model_->data().bodies[0], pinned, kStep, settings().solver, 0.0); });
  }

  const std::vector<Vec3d>& rest() const { return rest_; }
  const BodyPrecomputed& body() const { return *body_; }

  /// What a frame of the simulation gives after so many iterations; user order.
  std::vector<Vec3d> frame(int iterations) const {
    SimulationSettings s = settings();
    s.iterations = iterations;
    Simulation simulation(*model_, s);
    simulation.step();
    return simulation.positions(0);
  }

  /// The minimum of the same incremental potential. residual: |gradient| over that of the rest shape.
  std::vector<Vec3d> newton(double* residual = nullptr) const {
    std::vector<Vec3d> result;
    Executor(1).run([&] {
      const std::vector<Vec3d> start = internal(rest_);
      const std::vector<Vec3d> q = predicted(start);
      const ElasticInput input{kStep, q.data(), start.data()};
      const reference::NewtonResult found = reference::minimise(*body_, input, start, {200, 1e-13, 0.0});
      if (residual) *residual = found.relative_gradient;
      result = user(found.position);
    });
    return result;
  }

  /// Local-global with p = argmin w/2 |p - F|^2 + psi(p), then A q = M q~ + h^2 sum w V G^T p (here in
  /// increments of q, which keeps the pins out of it), until steps are below least_step [m].
  std::vector<Vec3d> plain_projection(double least_step, int* iterations = nullptr) const {
    std::vector<Vec3d> q = internal(rest_);
    const std::vector<Vec3d> free = predicted(q);
    const BodyPrecomputed& b = *body_;
    const ElasticParameters<double> parameters{b.shear_modulus, b.first_lame, b.mooney_ratio};
    Executor(1).run([&] {
      const auto workspace = b.solver->make_workspace();
      double step = 1.0;
      for (int n = 1; step > least_step && n <= 10000; ++n) {
        std::vector<Vec3d> r(q.size());
        for (std::size_t i = 0; i < q.size(); ++i) r[i] = b.mass[i] * (free[i] - q[i]);
        for (std::size_t t = 0; t < b.tets.size(); ++t) {
          const Tet& v = b.tets[t];
          const Mat3d f = tet_deformation_gradient(q[v[0]], q[v[1]], q[v[2]], q[v[3]], b.rest_inverse[t]);
          const double w = b.element_weight;
          const Mat3d p =
              with_tet_material(b.kind, [&](auto m) { return decltype(m)::projection(parameters, f, w); });
          const Mat3d g = tet_corner_gradients(w * (p - f), b.rest_inverse[t], kStep * kStep * b.volume[t]);
          for (int c = 0; c < 3; ++c) {
            r[v[c + 1]] += g.column(c);
            r[v[0]] -= g.column(c);
          }
        }
        r.resize(b.free_count);
        Vec3d* block = r.data();
        b.solver->solve(&block, 1, *workspace);
        step = 0.0;
        for (Index i = 0; i < b.free_count; ++i) {
          q[i] += r[i];
          step = std::max(step, norm(r[i]));
        }
        if (iterations) *iterations = n;
      }
    });
    return user(q);
  }

  /// |a - b| over |b - rest|, all nodes together.
  double distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) const {
    double change = 0.0, size = 0.0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      change += squared_norm(a[i] - b[i]);
      size += squared_norm(b[i] - rest_[i]);
    }
    return std::sqrt(change / size);
  }

  /// Largest displacement of a node [m].
  double sinks(const std::vector<Vec3d>& x) const {
    double most = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, norm(x[i] - rest_[i]));
    return most;
  }

  /// Largest |F^T F - I| / 2 of all elements.
  double largest_strain(const std::vector<Vec3d>& x) const {
    const std::vector<Vec3d> q = internal(x);
    double most = 0.0;
    for (std::size_t t = 0; t < body_->tets.size(); ++t) {
      const Tet& v = body_->tets[t];
      const Mat3d f = tet_deformation_gradient(q[v[0]], q[v[1]], q[v[2]], q[v[3]], body_->rest_inverse[t]);
      const Mat3d e = 0.5 * (transpose(f) * f - Mat3d::identity());
      most = std::max(most, std::sqrt(double_dot(e, e)));
    }
    return most;
  }

 private:
  static SimulationSettings settings() {
    SimulationSettings s;
    s.time_step = kStep;
    s.threads = 1;
    s.solver.cache = false;
    return s;
  }
  std::vector<Vec3d> predicted(const std::vector<Vec3d>& start) const {
    std::vector<Vec3d> q = start;
    for (Vec3d& x : q) x += (kStep * kStep) * gravity_;
    return q;
  }
  std::vector<Vec3d> internal(const std::vector<Vec3d>& x) const {
    std::vector<Vec3d> result;
    for (const Index i : body_->to_user) result.push_back(x[i]);
    return result;
  }
  std::vector<Vec3d> user(const std::vector<Vec3d>& x) const {
    std::vector<Vec3d> result;
    for (const Index i : body_->to_internal) result.push_back(x[i]);
    return result;
  }

  Vec3d gravity_;
  std::vector<Vec3d> rest_;
  std::unique_ptr<Model> model_;
  std::shared_ptr<BodyPrecomputed> body_;
};

/// Fewest iterations after which the frame is within tolerance of the minimum, to 3 %; 0: not by most.
inline int iterations_to(const StaticBar& bar, const std::vector<Vec3d>& minimum, double tolerance,
                         int most) {
  for (int k = 1; k <= most; k += 1 + k / 33)
    if (bar.distance(bar.frame(k), minimum) < tolerance) return k;
  return 0;
}

}  // namespace sinew::test
