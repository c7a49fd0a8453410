// Sheets and springs as elements: energy against gradient, rigid motion, momentum, stiffness, bad input.
#include <cmath>

#include <sinew/errors.hpp>

#include "engine/elastic/local_step.hpp"
#include "engine/precompute/assemble.hpp"
#include "engine/precompute/elastic_rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;

namespace {

constexpr MaterialKind kKinds[] = {MaterialKind::arap, MaterialKind::corotated, MaterialKind::neo_hookean,
                                   MaterialKind::st_venant_kirchhoff};

/// A curved sheet with springs and damping: every term of the energy.
BodySpec full_body(MaterialKind kind, BendingModel model, bool flat_rest) {
  BodySpec body = test::sheet_body("sheet", test::sheet(4, 3, 0.1), kind);
  test::Random random(3);
  for (Vec3d& x : body.sheet->mesh.points)
    x += Vec3d{random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), 0.4 * x.x * x.x - 0.3 * x.x * x.y};
  body.material = {kind, 1e4, 0.3, 2.0, 0.02};
  body.sheet->thickness = 2e-3;
  body.sheet->bending = {model, 0.01, flat_rest};
  body.springs = {{{0, 7}, 30.0, {}}, {{3, 16}, 20.0, 0.1}};
  return body;
}

BodyData data_of(BodySpec spec) {
  ModelBuilder builder;
  builder.add(std::move(spec));
  return builder.build().data().bodies[0];
}

std::shared_ptr<BodyPrecomputed> prepared(const BodyData& data) {
  return precompute_body(data, std::vector<char>(data.start_position.size(), 0), 0.01, SolverSettings{}, 0.0);
}

std::vector<Vec3d> in_internal_order(const BodyPrecomputed& p, const std::vector<Vec3d>& user) {
  std::vector<Vec3d> x;
  for (const Index u : p.to_user) x.push_back(user[u]);
  return x;
}

/// Gradient of elasticity and damping alone [N s^2]: no inertia, because q~ = q and alpha is left out.
std::vector<Vec3d> elastic_gradient(const BodyPrecomputed& p, const std::vector<Vec3d>& start,
                                    const std::vector<Vec3d>& q) {
  ElasticWorkspace workspace;
  begin_elastic_frame(p, start.data(), workspace);
  std::vector<Vec3d> gradient(q.size());
  evaluate_elastic(p, {0.01, q.data(), start.data()}, q.data(), workspace, gradient.data());
  return gradient;
}

double row_energy_of(const BodySpec& spec, const std::vector<Vec3d>& positions) {
  const BodyData data = data_of(spec);
  const auto p = prepared(data);
  std::vector<double> sums;
  return row_energy(*p, in_internal_order(*p, positions).data(), sums);
}

template <class Error, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("sheets: gradient of the whole potential by finite differences") {
  for (const MaterialKind kind : kKinds)
    for (const BendingModel model : {BendingModel::isometric, BendingModel::laplace_beltrami})
      for (const bool flat_rest : {true, false}) {
        const BodyData data = data_of(full_body(kind, model, flat_rest));
        const auto p = prepared(data);
        test::Random random(1);
        const std::vector<Vec3d> start = in_internal_order(*p, data.start_position);
        std::vector<Vec3d> predicted = start, q = start;
        for (auto& x : predicted) x += random.vector(0.01);
        for (auto& x : q) x += random.vector(0.02);
        ElasticWorkspace workspace;
        begin_elastic_frame(*p, start.data(), workspace);
        const ElasticInput input{0.01, predicted.data(), start.data()};
        std::vector<Vec3d> gradient(q.size()), unused(q.size());
        const ElasticEnergy energy = evaluate_elastic(*p, input, q.data(), workspace, gradient.data());
        std::vector<double> sums;
        CHECK(elastic_energy(*p, q.data(), sums) == Approx(energy.elastic).epsilon(1e-12));
        CHECK(row_energy(*p, q.data(), sums) > 0.01 * energy.elastic);  // both kinds count
        CHECK(energy.elastic - row_energy(*p, q.data(), sums) > 0.01 * energy.elastic);
        for (std::size_t i = 0; i < q.size(); ++i)
          for (int axis = 0; axis < 3; ++axis) {
            const auto at = [&](double t) {
              std::vector<Vec3d> moved = q;
              moved[i][axis] += t;
              return evaluate_elastic(*p, input, moved.data(), workspace, unused.data()).merit;
            };
            const double step = 1e-5;
            const double expected =
                (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
            CHECK(gradient[i][axis] == Approx(expected).margin(1e-7 * norm(gradient[i]) + 1e-10));
          }
      }
}

TEST_CASE("sheets: the gradient beyond the strain limit by finite differences") {
  for (const MaterialKind kind : kKinds) {
    BodySpec spec = full_body(kind, BendingModel::isometric, true);
    std::vector<double> sums;
    const BodyData unlimited = data_of(spec);
    spec.sheet->strain_limit = 0.1;
    const BodyData data = data_of(spec);
    const auto p = prepared(data), plain = prepared(unlimited);
    test::Random random(4);
    const std::vector<Vec3d> start = in_internal_order(*p, data.start_position);
    std::vector<Vec3d> q = start;
    for (auto& x : q) x = Vec3d{1.05 * x.x, 1.2 * x.y, x.z} + random.vector(0.015);
    CHECK(elastic_energy(*p, start.data(), sums) == elastic_energy(*plain, start.data(), sums));
    CHECK(elastic_energy(*p, q.data(), sums) > 1.1 * elastic_energy(*plain, q.data(), sums));
    const std::vector<Vec3d> gradient = elastic_gradient(*p, q, q);
    for (std::size_t i = 0; i < q.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const auto at = [&](double t) {
          std::vector<Vec3d> moved = q;
          moved[i][axis] += t;
          return 1e-4 * elastic_energy(*p, moved.data(), sums);
        };
        const double step = 1e-6;
        CHECK(gradient[i][axis] ==
              Approx((at(step) - at(-step)) / (2 * step)).margin(1e-6 * norm(gradient[i]) + 1e-9));
      }
  }
}

TEST_CASE("sheets: rigid motion gives no force; any motion keeps both momenta") {
  for (const MaterialKind kind : kKinds)
    for (const BendingModel model : {BendingModel::isometric, BendingModel::laplace_beltrami}) {
      BodySpec spec = full_body(kind, model, false);
      spec.springs[1].rest_length.reset();
      const BodyData data = data_of(spec);
      const auto p = prepared(data);
      test::Random random(7);
      const std::vector<Vec3d> start = in_internal_order(*p, data.start_position);
      const Mat3d turn = random.rotation();
      std::vector<Vec3d> q = start;
      for (Vec3d& x : q) x = turn * x + Vec3d{3.0, -2.0, 1.0};
      BodyPrecomputed& body = *p;
      body.alpha = 0.0;
      for (const Vec3d& g : elastic_gradient(body, start, q)) CHECK(norm(g) < 1e-13);

      for (Vec3d& x : q) x += random.vector(0.02);
      Vec3d force{}, torque{};
      double size = 0.0;
      const std::vector<Vec3d> gradient = elastic_gradient(body, start, q);
      for (std::size_t i = 0; i < q.size(); ++i) {
        force += gradient[i];
        torque += cross(q[i], gradient[i]);
        size += norm(gradient[i]) * (1.0 + norm(q[i]));
      }
      CHECK(size > 1e-6);
      CHECK(norm(force) < 1e-14 * size);
      CHECK(norm(torque) < 1e-14 * size);
    }
}

TEST_CASE("sheets: a flat sheet rests, crumpled sheets give finite numbers") {
  for (const MaterialKind kind : kKinds) {
    const BodyData data = data_of(test::sheet_body("flat", test::sheet(4, 4, 0.1), kind));
    const auto p = prepared(data);
    const std::vector<Vec3d> start = in_internal_order(*p, data.start_position);
    for (const Vec3d& g : elastic_gradient(*p, start, start)) CHECK(norm(g) < 1e-14);
    std::vector<double> sums;
    CHECK(elastic_energy(*p, start.data(), sums) < 1e-12);
    std::vector<Vec3d> line = start, point = start;
    for (Vec3d& x : line) x = {x.x, 0.0, 0.0};
    for (Vec3d& x : point) x = {0.1, 0.2, 0.3};
    for (const std::vector<Vec3d>* q : {&line, &point}) {
      CHECK(std::isfinite(elastic_energy(*p, q->data(), sums)));
      CHECK(elastic_energy(*p, q->data(), sums) > 0.0);
      for (const std::vector<Vec3d>& from : {start, *q})
        for (const Vec3d& g : elastic_gradient(*p, from, *q)) CHECK(is_finite(g));
    }
  }
}

TEST_CASE("sheets: a cylinder costs D/2 times its squared curvature per area") {
  const double radius = 0.5, cell = 0.02;
  const int nx = 50, ny = 10;
  BodySpec spec = test::sheet_body("strip", test::sheet(nx, ny, cell));
  spec.material.young_modulus = 2e5;
  spec.material.poisson_ratio = 0.3;
  spec.sheet->thickness = 0.01;
  CHECK(bending_stiffness(spec) == Approx(2e5 * 1e-6 / 12.0 / 0.91));
  std::vector<Vec3d> bent;
  for (const Vec3d& x : spec.sheet->mesh.points)
    bent.push_back({radius * std::sin(x.x / radius), x.y, radius * (1.0 - std::cos(x.x / radius))});
  const double per_area = 0.5 * bending_stiffness(spec) / (radius * radius);
  // The two outer half columns of cells have no hinge.
  spec.sheet->bending.model = BendingModel::isometric;
  CHECK(row_energy_of(spec, bent) == Approx(per_area * (nx - 1) * ny * cell * cell).epsilon(2e-3));
  // Nodes of the rim have no row.
  spec.sheet->bending.model = BendingModel::laplace_beltrami;
  CHECK(row_energy_of(spec, bent) == Approx(per_area * (nx - 1) * (ny - 1) * cell * cell).epsilon(2e-3));
  spec.sheet->bending.model = BendingModel::none;
  CHECK(row_energy_of(spec, bent) == 0.0);
}

TEST_CASE("sheets: the curvature of the mesh is at rest, or flat is") {
  BodySpec spec = full_body(MaterialKind::arap, BendingModel::isometric, false);
  spec.springs.clear();
  const std::vector<Vec3d> rest = spec.sheet->mesh.points;
  CHECK(row_energy_of(spec, rest) < 1e-20);
  std::vector<Vec3d> other_side = rest;
  for (Vec3d& x : other_side) x.z = -x.z;  // the sign of the curvature is not known
  CHECK(row_energy_of(spec, other_side) < 1e-20);
  spec.sheet->bending.flat_rest = true;
  CHECK(row_energy_of(spec, rest) > 1e-6);
}

TEST_CASE("springs: force by Hooke's law, on tetrahedra too") {
  BodySpec spec;
  spec.name = "block";
  spec.mesh = test::block(1, 1, 1, 0.1);
  spec.material = {MaterialKind::arap, 1e4, 0.3, 0.0, 0.0};
  spec.springs = {{{0, 7}, 40.0, 0.05}};
  const BodyData data = data_of(spec);
  const auto p = prepared(data);
  const std::vector<Vec3d> x = in_internal_order(*p, data.start_position);
  const std::vector<Vec3d> gradient = elastic_gradient(*p, x, x);
  const Vec3d across = data.start_position[7] - data.start_position[0];
  const double pull = 1e-4 * 40.0 * (norm(across) - 0.05);
  CHECK(norm(gradient[p->to_internal[7]] - pull * normalized(across)) < 1e-15);
  CHECK(norm(gradient[p->to_internal[0]] + pull * normalized(across)) < 1e-15);
  CHECK(norm(gradient[p->to_internal[1]]) < 1e-15);
}

TEST_CASE("sheets: A is the Hessian's bound: inertia, membrane, bending and springs") {
  // For a stretch without rotation ARAP's gradient changes by A x exactly, flat bending and slack-free
  // springs along one axis too.
  BodySpec spec = test::sheet_body("sheet", test::sheet(4, 3, 0.1));
  spec.material = {MaterialKind::arap, 1e4, 0.3, 0.0, 0.0};
  spec.springs = {{{0, 14}, 30.0, 0.0}};
  const BodyData data = data_of(spec);
  const auto p = prepared(data);
  const std::vector<Vec3d> start = in_internal_order(*p, data.start_position);
  std::vector<Vec3d> q = start;
  const double s = 1e-7;
  for (Vec3d& x : q) x += s * Vec3d{x.x, -0.5 * x.y, 0.0};
  ElasticWorkspace workspace;
  begin_elastic_frame(*p, start.data(), workspace);
  std::vector<Vec3d> gradient(q.size()), before(q.size());
  evaluate_elastic(*p, {0.01, start.data(), start.data()}, start.data(), workspace, before.data());
  evaluate_elastic(*p, {0.01, start.data(), start.data()}, q.data(), workspace, gradient.data());
  for (std::size_t i = 0; i < q.size(); ++i) gradient[i] -= before[i];
  Vec3d* block = gradient.data();
  p->solver->solve(&block, 1, *p->solver->make_workspace());
  for (std::size_t i = 0; i < q.size(); ++i) CHECK(norm(gradient[i] - (q[i] - start[i])) < 1e-5 * s);
}

TEST_CASE("sheets: mass, area and volume") {
  BodySpec spec = test::sheet_body("sheet", test::sheet(5, 4, 0.1));
  spec.transform.scale = {2.0, 1.0, 1.0};
  spec.sheet->thickness = 0.002;
  spec.density = 500.0;
  ModelBuilder builder;
  builder.add(spec);
  spec.name = "heavy";
  spec.sheet->area_density = 3.0;
  builder.add(spec);
  const Model model = builder.build();
  CHECK(model.body_rest_area(0) == Approx(0.4));
  CHECK(model.body_rest_volume(0) == Approx(0.0008));
  CHECK(model.body_mass(0) == Approx(0.4));
  CHECK(model.body_mass(1) == Approx(1.2));
  CHECK(model.surface_triangles(0) == spec.sheet->mesh.triangles);
}

TEST_CASE("sheets: what cannot be simulated is refused with one line") {
  const auto has = [](const std::string& text, const char* part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const auto refuse = [](auto&& spoil) {
    BodySpec spec = test::sheet_body("cloth", test::sheet(2, 2, 0.1));
    spoil(spec);
    const std::string text = message_of<Error>([&] { ModelBuilder().add(spec); });
    CHECK(text.find('\n') == std::string::npos);
    return text;
  };
  has(refuse([](BodySpec& b) { b.material.kind = MaterialKind::stable_neo_hookean; }),
      "'stable_neo_hookean' has no form for sheets");
  has(refuse([](BodySpec& b) { b.sheet->thickness = 0.0; }), "thickness is 0, must be > 0 m");
  has(refuse([](BodySpec& b) { b.sheet->area_density = -1.0; }), "area_density is -1");
  has(refuse([](BodySpec& b) { b.sheet->strain_limit = -0.1; }), "strain_limit is -0.1, must be >= 0");
  has(refuse([](BodySpec& b) { b.sheet->bending.stiffness = -1.0; }), "bending.stiffness");
  has(refuse([](BodySpec& b) { b.sheet->mesh.triangles.clear(); }), "has no triangles");
  has(refuse([](BodySpec& b) { b.sheet->mesh.triangles[1] = {0, 1, 99}; }), "names node 99");
  has(refuse([](BodySpec& b) {
        b.sheet->mesh.triangles[1] = {0, 1, 2};
      }),
      "triangle 1 is flattened to a line");
  has(refuse([](BodySpec& b) {
        b.sheet->mesh.points.push_back({1, 1, 1});
      }),
      "node 9 belongs to no triangle");
  has(refuse([](BodySpec& b) {
        b.sheet->mesh.points.push_back({0.05, 0.05, 0.1});
        b.sheet->mesh.triangles.push_back({0, 4, 9});
      }),
      "edge 0-4 is in more than two triangles");
  has(refuse([](BodySpec& b) { b.springs = {{{0, 9}, 1.0, {}}}; }), "spring 0 names node 9");
  has(refuse([](BodySpec& b) { b.springs = {{{3, 3}, 1.0, {}}}; }), "at both ends");
  has(refuse([](BodySpec& b) { b.springs = {{{3, 4}, -1.0, {}}}; }), "stiffness is -1");
  has(refuse([](BodySpec& b) { b.mesh = test::block(1, 1, 1, 0.1); }), "both tetrahedra");
}
