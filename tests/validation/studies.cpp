// Numbers of docs/validation.md, as lines study,series,x,y on standard output.
//
//   validation_studies bar|cantilever|strip|energy|recovery|static ...
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "tests/validation/bar.hpp"
#include "tests/validation/bodies.hpp"
#include "tests/validation/cantilever.hpp"
#include "tests/validation/recovery.hpp"
#include "tests/validation/static.hpp"
#include "tests/validation/strip.hpp"

using namespace sinew;

namespace {

void row(const char* study, const std::string& series, double x, double y) {
  std::printf("%s,%s,%.10g,%.10g\n", study, series.c_str(), x, y);
  std::fflush(stdout);
}

void bar() {
  const auto run = [](const std::string& series, const BodySpec& body, int iterations, double tolerance) {
    SimulationSettings settings;
    settings.iterations = iterations;
    settings.tolerance = tolerance;
    Simulation simulation = test::soft_bar_simulation(body, settings);
    const std::vector<double> track = test::lowest_vertex(simulation, 100);
    for (std::size_t n = 0; n < track.size(); ++n) row("bar", series, n + 1.0, track[n]);
  };
  const BodySpec body = test::soft_bar(MaterialKind::neo_hookean);
  const BodySpec moved = test::soft_bar(MaterialKind::neo_hookean, false, 7.0);
  run("converged", body, 1000, 1e-5);
  for (const int iterations : {5, 10, 20}) {
    run(std::to_string(iterations) + " iterations", body, iterations, 0.0);
    run(std::to_string(iterations) + " moved", moved, iterations, 0.0);
  }
  run("mirrored cells", test::soft_bar(MaterialKind::neo_hookean, true), 1000, 1e-4);
  run("stable Neo-Hookean", test::soft_bar(MaterialKind::stable_neo_hookean), 1000, 1e-4);
}

void cantilever() {
  for (const Index cells : {2, 4, 8, 16})
    for (const double nu : {0.3, 0.49}) {
      const test::CantileverResult result = test::static_deflection({nu, cells});
      char series[32];
      std::snprintf(series, sizeof series, "nu %g", nu);
      row("cantilever", series, cells, result.ratio);
      row("cantilever", std::string(series) + " change", cells, result.change);
    }
}

void strip() {
  const std::array<double, 2> exact = test::elastica_tip(test::Strip::kLoad);
  row("strip", "elastica along", 0, exact[0]);
  row("strip", "elastica down", 0, exact[1]);
  for (const BendingModel model : {BendingModel::isometric, BendingModel::laplace_beltrami})
    for (const double young : {1e6, 1e8})
      for (const Index cells : {5, 10, 20}) {
        char series[64];
        std::snprintf(series, sizeof series, "%s E %g", std::string(to_string(model)).c_str(), young);
        const test::StripResult far = test::bent_strip(cells, 4, model, 60, young);
        row("strip", std::string(series) + " along", cells, far.along);
        row("strip", std::string(series) + " down", cells, far.down);
      }
  const test::StripResult wide = test::bent_strip(10, 16, BendingModel::laplace_beltrami, 60, 1e6);
  row("strip", "laplace_beltrami wide along", 10, wide.along);
  row("strip", "laplace_beltrami wide down", 10, wide.down);
  // Small deflections: load / 8 for the exact beam.
  constexpr double kSmall = 0.03;
  for (const Index cells : {5, 10, 20}) {
    const double gravity = test::Strip::kGravity * kSmall / test::Strip::kLoad;
    const test::StripResult near = test::bent_strip(cells, 4, BendingModel::isometric, 60, 1e6, gravity);
    row("strip", "isometric small stiffness", cells, kSmall / 8.0 / near.down);
  }
}

void energy() {
  for (const MaterialKind kind : kTetMaterialKinds) {
    BodySpec body = test::block_body(kind);
    ModelBuilder builder;
    SimulationSettings settings = test::converged();
    settings.time_step = 0.002;
    Simulation simulation(builder.gravity({}).add(body).build(), settings);
    std::vector<Vec3d> x = simulation.positions(0);
    for (Vec3d& p : x) p = test::deformed(p, 0.25);
    simulation.set_state(0, x, std::vector<Vec3d>(x.size()));
    const double start = simulation.statistics().energy.total();
    double before = 1.0;
    for (int n = 1; n <= 300; ++n) {
      const StepStatistics& s = simulation.step();
      row("energy", std::string(to_string(kind)), n, s.energy.total() / start);
      row("energy", std::string(to_string(kind)) + " elastic", n, s.energy.elastic / start);
      if (s.energy.total() / start > before) row("energy", "rise", n, s.energy.total() / start - before);
      before = s.energy.total() / start;
    }
  }
}

void recovery() {
  for (const MaterialKind kind : kTetMaterialKinds)
    for (const test::Start start : test::kStarts) {
      const test::Recovery found = test::recover(kind, start);
      // A mirror image has all distances right.
      row("recovery", std::string(to_string(kind)), static_cast<double>(start),
          found.volume > 0.0 ? found.deviation : std::max(1.0, found.deviation));
    }
}

/// x: Poisson's ratio.
void static_shapes() {
  for (const MaterialKind kind : kTetMaterialKinds)
    for (const double nu : {0.3, 0.45, 0.49}) {
      const test::StaticBar bar({kind, nu});
      const std::vector<Vec3d> minimum = bar.newton();
      const std::string name(to_string(kind));
      row("static", name, nu, test::iterations_to(bar, minimum, 1e-6, 2000));
      row("static", name + " strain", nu, bar.largest_strain(minimum));
      row("static", name + " projection", nu, bar.sinks(bar.plain_projection(1e-10)) / bar.sinks(minimum));
    }
}

}  // namespace

int main(int argc, char** argv) {
  const std::pair<const char*, void (*)()> studies[] = {{"bar", bar},           {"cantilever", cantilever},
                                                        {"strip", strip},       {"energy", energy},
                                                        {"recovery", recovery}, {"static", static_shapes}};
  bool known = argc > 1;
  for (int k = 1; k < argc && known; ++k) {
    known = false;
    for (const auto& [name, run] : studies) {
      if (std::strcmp(argv[k], name) != 0) continue;
      known = true;
      run();
    }
  }
  if (!known)
    std::fputs("usage: validation_studies bar|cantilever|strip|energy|recovery|static ...\n", stderr);
  return known ? 0 : 2;
}
