#include "benchmarks/peer_problems.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/errors.hpp>

#include "benchmarks/bench_command.hpp"
#include "benchmarks/peer_models.hpp"
#include "benchmarks/peer_study.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

namespace {

const PeerCase& case_of(const std::string& id) {
  for (const PeerCase& c : peer_cases())
    if (c.id() == id) return c;
  throw Error("no case " + id);
}

SuiteRow measured(const PeerCase& c) {
  PeerSettings once;
  once.repeats = 1;
  return measure_problems({c}, once, [](const std::string&) {}).front();
}

double volume_of(const TetMesh& mesh) {
  double sum = 0.0;
  for (const Tet& t : mesh.tets) {
    const double volume = tet_volume(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]);
    CHECK(volume > 0.0);
    sum += volume;
  }
  return sum;
}

}  // namespace

TEST_CASE("a block of five tetrahedra a cell fills its box and its faces match") {
  const TetMesh mesh = make_five_tet_block({4, 3, 2}, 0.05);
  CHECK(mesh.nodes.size() == 5 * 4 * 3);
  CHECK(mesh.tets.size() == 5 * 4 * 3 * 2);
  CHECK(volume_of(mesh) == Approx(0.2 * 0.15 * 0.1));
  // A face that had no partner would count as surface.
  BodySpec body;
  body.name = "block";
  body.mesh = mesh;
  ModelBuilder builder;
  const Model model = builder.add(body).build();
  CHECK(model.surface_triangles(0).size() == 2 * 2 * (4 * 3 + 4 * 2 + 3 * 2));
}

TEST_CASE("the peers' problems have the published sizes") {
  const auto tets = [](const Model& model) { return model.body(0).mesh.tets.size(); };
  const Model a5 = pinned_bar(40, MaterialKind::neo_hookean), a11 = pinned_bar(90, MaterialKind::corotated);
  CHECK(a5.body(0).nodes().size() == 4961);
  CHECK(tets(a5) == 24000);
  CHECK(a5.body_mass(0) == Approx(0.8 * 0.2 * 0.2 * 1000.0));
  CHECK(a11.body(0).nodes().size() == 11011);
  CHECK(tets(a11) == 54000);
  CHECK(a11.body(0).material.kind == MaterialKind::corotated);
  CHECK(std::get<Region::Nodes>(a5.pin(0).region.shape).indices.size() == 121);

  const Model cloth = pinned_cloth(100);
  CHECK(cloth.body(0).nodes().size() == 10000);
  CHECK(cloth.body_mass(0) == Approx(0.2));
  CHECK(cloth.body(0).material.young_modulus * cloth.body(0).sheet->thickness == Approx(100.0));
  CHECK(std::get<Region::Nodes>(cloth.pin(0).region.shape).indices.size() == 2);

  const Model block = block_on_slope(0.176, 1e6);
  CHECK(block.body(0).nodes().size() == 125);
  CHECK(tets(block) == 320);

  const Model ball = ball_on_rollers(7057);
  CHECK(std::abs(static_cast<double>(ball.body(0).nodes().size()) / 7057.0 - 1.0) < 0.03);
  CHECK(std::abs(static_cast<double>(tets(ball)) / 36414.0 - 1.0) < 0.03);
  for (const Model* model : {&a5, &a11, &cloth, &block, &ball})
    CHECK(model->body(0).material.rayleigh_beta == 0.0);
}

TEST_CASE("the rollers touch the ball and turn inwards") {
  const Model model = ball_on_rollers(2000);
  const Vec3d centre = model.body(0).transform.translation;
  for (const std::size_t side : {0, 1}) {
    const ObstacleSpec& roller = model.obstacle(side);
    const Vec3d place = roller.pose.translation;
    CHECK(norm(centre - place) == Approx(0.5));
    CHECK(std::abs(place.x) == Approx(0.33));
    const Vec3d axis = roller.pose.rotation * Vec3d{0.0, 0.0, 1.0};
    CHECK(std::abs(axis.y) == Approx(1.0));
    const Vec3d top = cross(roller.motion.spin, Vec3d{0.0, 0.0, 0.25});  // velocity there
    CHECK(top.x * place.x < 0.0);
    CHECK(std::abs(top.x) == Approx(0.25));
  }
}

TEST_CASE("errors of curves and fitted accelerations have known values") {
  const CurveError error = curve_error({1.0, 2.0, 3.0, 4.0}, {1.0, 2.0, 0.0, 8.0});
  CHECK(error.most == Approx(4.0));
  CHECK(error.rms == Approx(2.5));
  CHECK(std::isnan(curve_error({1.0, RecordedPeer::kNone, 3.0, 4.0}, {1.0, 2.0, 3.0, 4.0}).most));
  std::vector<double> way;
  for (int n = 0; n < 40; ++n) way.push_back(3.0 - 0.2 * n + 0.5 * 1.7 * (0.01 * n) * (0.01 * n));
  CHECK(fitted_acceleration(way, 0.01) == Approx(1.7));
  CHECK(0.5 * 9.0 * slope_pull(0.176) == Approx(0.0142153).epsilon(1e-4));
  CHECK(slope_pull(0.177) == 0.0);
  for (const RecordedPeer& peer : recorded_peers())
    if (peer.name == "admm_elastic_neo_hookean") {
      CHECK(peer.ms("A11") == 360);
      CHECK(curve_error(peer.lowest, kIpcCurve).most == Approx(0.1192));
    }
}

TEST_CASE("a settled block slides below the angle of friction and stays above it") {
  const SuiteRow slides = measured(case_of("C/0.176/settled")), stays = measured(case_of("C/0.177/settled"));
  REQUIRE(slides.valid);
  REQUIRE(stays.valid);
  CHECK(slides.value("error_m") < 0.01 * slides.value("exact_slide_m"));
  CHECK(slides.value("late_pull_m_s2") == Approx(slides.value("exact_pull_m_s2")).epsilon(1e-3));
  CHECK(std::abs(stays.value("slide_m")) < 1e-8);
  CHECK(slides.value("recorded_ipc_slide_m") == Approx(0.0347));
  CHECK(stays.value("recorded_ipc_slide_m") == Approx(0.0085));
}

TEST_CASE("what a block slides too far is its quivering, not the friction") {
  // A stiff block does not quiver. A soft one gains speed in the first second: while its sole springs back,
  // friction points downhill. Then it slides as a rigid one does, and more iterations change nothing.
  const SuiteRow soft = measured(case_of("C/0.176")), stiff = measured(case_of("C/0.176/stiff"));
  CHECK(stiff.value("error_m") < 0.01 * stiff.value("exact_slide_m"));
  CHECK(soft.value("slide_m") > 1.5 * soft.value("exact_slide_m"));
  CHECK(soft.value("late_pull_m_s2") == Approx(soft.value("exact_pull_m_s2")).epsilon(1e-3));
  PeerCase exact = case_of("C/0.176");
  exact.settings.iterations = 60;
  CHECK(measured(exact).value("slide_m") == Approx(soft.value("slide_m")).epsilon(0.02));
}

TEST_CASE("problems are compared with their converged run and repeat to the bit") {
  const auto bar = [] { return pinned_bar(6, MaterialKind::neo_hookean); };
  PeerCase reference{"A11", "converged", "", bar, {}};
  reference.settings.iterations = 300;
  reference.settings.tolerance = 1e-7;
  reference.is_reference = true;
  const PeerCase five{"A11", "defaults", "", bar, {}};
  PeerCase more = five;
  more.setting = "more";
  more.settings.iterations = 30;
  PeerSettings settings;
  settings.repeats = 2;
  settings.seconds = 1000;
  std::string last;
  const std::vector<SuiteRow> rows =
      measure_problems({reference, five, more}, settings, [&](const std::string& line) { last = line; });
  REQUIRE(rows.size() == 3);
  CHECK(last == "A11/more: repeat 2");
  CHECK(rows[0].id == "A11/converged");
  CHECK(rows[0].sample("median_ms")->size() == 1);
  CHECK(std::isnan(rows[0].value("error_m")));
  for (const std::size_t i : {1, 2}) {
    CHECK(rows[i].valid);
    CHECK(rows[i].sample("median_ms")->size() == 2);
    CHECK(rows[i].value("error_m") ==
          Approx(std::max({std::abs(rows[i].value("lowest_25_m") - rows[0].value("lowest_25_m")),
                           std::abs(rows[i].value("lowest_50_m") - rows[0].value("lowest_50_m")),
                           std::abs(rows[i].value("lowest_75_m") - rows[0].value("lowest_75_m")),
                           std::abs(rows[i].value("lowest_100_m") - rows[0].value("lowest_100_m"))})));
  }
  CHECK(rows[1].value("distance_m") > 0.0);
  CHECK(rows[2].value("distance_m") < 0.2 * rows[1].value("distance_m"));

  SuiteResult result = begin_suite("problems", 1);
  result.rows = rows;
  CHECK(problems_text(result).find("no claim about speed today") != std::string::npos);
  CHECK(problems_markdown(result).find("| A11/defaults |") != std::string::npos);
}

TEST_CASE("the command names the problem that it does not know") {
  CLI::App app;
  add_bench_command(app);
  CHECK_THROWS_WITH(app.parse("bench problems --only A6"),
                    Catch::Matchers::Contains("--only") && Catch::Matchers::Contains("A6"));
}
