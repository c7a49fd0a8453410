// `sinew bench table3`: rows, repeats and their figures, and the exactness of single frames.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/frame_error.hpp"
#include "benchmarks/frame_series.hpp"
#include "benchmarks/table3.hpp"
#include "benchmarks/table3_rows.hpp"
#include "benchmarks/table3_study.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using namespace sinew::bench;

namespace {

StepStatistics frame_of(double detect, double local, double frame, std::size_t contacts) {
  StepStatistics s;
  s.ms.detect = detect;
  s.ms.local = local;
  s.ms.frame = frame;
  s.contacts = contacts;
  s.iterations = 5;
  return s;
}

FrameRun run_of(std::vector<StepStatistics> frames, const std::string& hash) {
  FrameRun run;
  for (const StepStatistics& s : frames) run.ms.push_back(published_stages(s.ms));
  run.frames = std::move(frames);
  run.hash = hash;
  return run;
}

Table3Row small_row(const std::string& scene, std::vector<std::string> settings, long frames) {
  Table3Row row;
  row.example = "Small Row";
  row.scene = scene;
  row.settings = std::move(settings);
  row.frames = frames;
  row.vertices_k = 0.3;
  row.elements_k = 1.0;
  row.published = {{"frame_max_ms", 2.0}, {"S_MB", 0.5}, {"local", 0.25}};
  return row;
}

Table3Settings quick() {
  Table3Settings settings;
  settings.source = SINEW_SOURCE_DIR;
  settings.columns = table3_columns();
  settings.repeats = 2;
  settings.threads = 1;
  return settings;
}

std::string error_of(const std::string& table) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() + "/table.csv";
  std::ofstream(file) << table;
  try {
    read_table3(file);
  } catch (const Error& error) {
    return std::string(error.what()).substr(folder.path().size() + 1);
  }
  return {};
}

}  // namespace

TEST_CASE("table3: rows are those of the table, with names of their own") {
  const std::vector<Table3Row> rows = read_table3(std::string(SINEW_SOURCE_DIR) + "/benchmarks/table3.csv");
  REQUIRE(rows.size() == 23);
  std::set<std::string> ids;
  int small = 0;
  for (const Table3Row& row : rows) {
    ids.insert(row.id());
    small += row.size == 0;
    CHECK(std::filesystem::exists(row.file(SINEW_SOURCE_DIR)));
    CHECK(row.frames >= 100);
  }
  CHECK(ids.size() == 23);
  CHECK(small == 10);
  CHECK(rows[2].id() == "twisting_bar/20.8");
  CHECK(rows[2].size == 2);
  CHECK(rows[3].id() == "cloth_extension_arap/10.2");
  CHECK(rows[12].published_value("delassus") == 41.45);
  CHECK(rows[12].published_value("frame_max_ms") == 70.77);
  CHECK(std::isnan(rows[0].published_value("delassus")));
}

TEST_CASE("table3: a damaged table is told with its line") {
  const std::string header = "example,vertices_k,elements_k,scene,frames,settings,local\n";
  CHECK(error_of("# nothing\n") == "table.csv: holds no rows");
  CHECK(error_of("example,scene\n") == "table.csv:1: the header lacks 'vertices_k'");
  CHECK(error_of(header + "Bar,5,26,scenes/twist,100\n") == "table.csv:2: 5 cells, the header has 7");
  CHECK(error_of(header + "Bar,5,26,scenes/twist,many,,\n") ==
        "table.csv:2: frames is 'many'; a number above 0 is needed");
  CHECK(error_of(header + "Bar,5,26,scenes/twist,100,,\n").empty());
}

TEST_CASE("table3: the times of repeats are the least of each frame, detection apart") {
  FrameSeries series(run_of({frame_of(1, 2, 9, 0), frame_of(1, 2, 9, 4), frame_of(1, 2, 9, 4)}, "a"));
  series.add(run_of({frame_of(1, 2, 4, 0), frame_of(2, 5, 8, 4), frame_of(1, 2, 5, 4)}, "a"));
  series.add(run_of({frame_of(3, 3, 7, 0), frame_of(1, 3, 5, 4), frame_of(1, 5, 9, 4)}, "a"));
  SuiteRow row;
  series.fill(row);
  CHECK(row.valid);
  CHECK(row.hash == "a");
  // Least of each: frames 4, 5, 5 with detection 1, 1, 1.
  CHECK(row.value("worst_ms") == 4.0);
  CHECK(row.value("median_ms") == 5.0);
  CHECK(row.value("frames") == 3.0);
  CHECK(row.value("repeats") == 2.0);
  // (1 + 2 + 2 + 5 + 1 + 2 + 3 + 3 + 1 + 3 + 1 + 5) / (4 + 8 + 5 + 7 + 5 + 9)
  CHECK(row.value("stages_share") == Approx(29.0 / 38.0));
  REQUIRE(row.sample("worst_ms"));
  CHECK(*row.sample("worst_ms") == std::vector<double>{6.0, 8.0});
  CHECK(row.sample("local_ms")->at(0) == Approx(3.0));
  CHECK(row.sample("local_ms")->at(1) == Approx(11.0 / 3.0));
  CHECK(row.value("constraints") == 4.0);
  CHECK(row.value("local_at_most_ms") == 3.0);  // of the second: as many contacts and as long as the third
}

TEST_CASE("table3: repeats fit into their seconds, and a long first run is the only one") {
  const FrameRun run = run_of({frame_of(0, 1, 1500, 0), frame_of(0, 1, 500, 0)}, "a");
  FrameSeries series(run);
  CHECK(series.first_seconds() == Approx(2.0));
  CHECK(series.seconds_left_of(5.0) == Approx(3.0));
  series.count_first();
  CHECK(series.repeats() == 1);
  CHECK(series.seconds_left_of(5.0) == Approx(1.0));
  series.add(run);
  CHECK(series.seconds_left_of(5.0) == Approx(-1.0));
}

TEST_CASE("table3: repeats that differ, stop early or do not converge are said") {
  FrameSeries differing(run_of({frame_of(1, 2, 9, 0)}, "a"));
  differing.add(run_of({frame_of(1, 2, 9, 0)}, "b"));
  SuiteRow row;
  differing.fill(row);
  CHECK_FALSE(row.valid);
  CHECK(row.warnings == std::vector<std::string>{"repeats ended in different states"});

  FrameRun stopped = run_of({frame_of(1, 2, 9, 0)}, "a");
  stopped.failure = "frame 2: no number";
  FrameSeries early(stopped);
  early.add(stopped);
  SuiteRow early_row;
  early.fill(early_row);
  CHECK_FALSE(early_row.valid);
  CHECK(early_row.warnings == std::vector<std::string>{"ended after 1 frames: frame 2: no number"});

  StepStatistics rough = frame_of(1, 2, 9, 3);
  rough.contact_converged = false;
  rough.complementarity_residual_m = 2e-5;
  StepStatistics fine = rough;
  fine.complementarity_residual_m = 1e-7;
  FrameSeries unconverged(run_of({rough, fine}, "a"));
  unconverged.add(run_of({rough, fine}, "a"));
  SuiteRow rough_row;
  unconverged.fill(rough_row);
  CHECK(rough_row.valid);
  CHECK(rough_row.value("unconverged_frames") == 2.0);
  CHECK(rough_row.warnings ==
        std::vector<std::string>{
            "2 of 2 frames stopped before their contacts had converged, the worst at 2.0e-05 m"});
  FrameSeries fixed(run_of({rough, fine}, "a"), true);
  fixed.add(run_of({rough, fine}, "a"));
  SuiteRow fixed_row;
  fixed.fill(fixed_row);
  CHECK(fixed_row.value("unconverged_frames") == 2.0);
  CHECK(fixed_row.warnings.empty());
  FrameSeries good(run_of({fine}, "a"));
  good.add(run_of({fine}, "a"));
  SuiteRow good_row;
  good.fill(good_row);
  CHECK(good_row.warnings.empty());

  StepStatistics bad = fine;
  bad.max_creep_m_s = std::numeric_limits<double>::quiet_NaN();
  FrameSeries broken(run_of({bad}, "a"));
  broken.add(run_of({bad}, "a"));
  SuiteRow broken_row;
  broken.fill(broken_row);
  CHECK_FALSE(broken_row.valid);
}

TEST_CASE("table3: a slowed stage is charged with its wait") {
  const SlowedStage slowed = parse_slowed_stage("delassus=3");
  const Model model = twisting_bar(100, {MaterialKind::arap, 1e6, 0.4, 0.0, 0.0}, 1.0);
  SimulationSettings settings;
  settings.threads = 1;
  const FrameRun plain = run_frames(model, settings, 4, {}), slow = run_frames(model, settings, 4, slowed);
  CHECK(plain.hash == slow.hash);
  for (const PublishedStages& ms : slow.ms) {
    CHECK(ms.delassus >= 3.0);
    CHECK(ms.frame >= 3.0);
    CHECK(ms.sum() <= ms.frame * (1.0 + 1e-9));
  }
  CHECK_THROWS_WITH(parse_slowed_stage("dellassus=3"),
                    Catch::Contains("--slow-stage") && Catch::Contains("delassus"));
  CHECK_THROWS_WITH(parse_slowed_stage("local"), Catch::Contains("give STAGE=MS"));
  CHECK_THROWS_WITH(parse_slowed_stage("local=-1"), Catch::Contains("give STAGE=MS"));
  CHECK_THROWS_WITH(parse_slowed_stage("local=1ms"), Catch::Contains("give STAGE=MS"));
}

TEST_CASE("table3: columns are settings of one method each") {
  SimulationSettings published, method, defaults;
  REQUIRE(table3_columns().size() == 3);
  table3_columns()[0].apply(published);
  table3_columns()[1].apply(method);
  table3_columns()[2].apply(defaults);
  CHECK(published.history == 0);
  CHECK(published.solver.global == GlobalSolver::sparse_inverse);
  CHECK(published.contact.delassus == DelassusWay::gram);
  CHECK(published.contact.nsn.form == NewtonForm::published);
  CHECK(published.contact.nsn.steps == 1);
  CHECK(published.contact.nsn.krylov_iterations == 10);
  CHECK(method.contact.solver == ContactSolver::nsn);
  CHECK(method.contact.nsn.krylov_iterations == 10);
  CHECK(method.contact.nsn.steps == 1);
  CHECK(method.contact.nsn.form == NewtonForm::exact);
  CHECK(defaults.contact.solver == ContactSolver::automatic);
  for (const SimulationSettings* s : {&published, &method, &defaults}) s->validate();
}

TEST_CASE("table3: the error of a frame is that of Newton's solution") {
  const Model model = twisting_bar(150, {MaterialKind::stable_neo_hookean, 1e6, 0.4, 0.0, 0.0}, 3.0);
  constexpr long kFrames = 20;
  double before = 1.0;
  for (const int iterations : {2, 5, 40}) {
    SimulationSettings settings;
    settings.threads = 1;
    settings.iterations = iterations;
    FrameCheck check(model, settings, kFrames);
    FrameError newton(model, settings.time_step);
    double expected = 0.0;
    std::vector<Vec3d> start, velocity;
    Executor executor(1);
    const auto judge = [&](Simulation& simulation, long frame) {
      check.before(simulation, frame);
      for (const long looked : {5L, 10L, 15L}) {
        if (frame == looked) {
          start = simulation.positions(0);
          velocity = simulation.velocities(0);
        }
        if (frame == looked + 1)
          executor.run([&] {
            newton.set_frame(start, velocity, simulation.positions(0));
            expected = std::max(expected, newton.error(simulation.positions(0)));
          });
      }
    };
    run_frames(model, settings, kFrames, {}, judge);
    INFO(iterations << " iterations");
    CHECK(check.energy_error() == Approx(expected).epsilon(0.01).margin(1e-9));
    CHECK(check.energy_error() < before);
    CHECK(check.frame_error_m() > 0.0);
    before = check.energy_error();
  }
  CHECK(before < 1e-6);
}

TEST_CASE("table3: a row without contact in all columns") {
  const std::vector<SuiteRow> rows = measure_row(
      small_row("scenes/twist", {"bodies.bar.mesh.vertices=200"}, 12), quick(), [](const auto&) {});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].id == "small_row/0.3/published");
  CHECK(rows[2].id == "small_row/0.3/defaults");
  for (const SuiteRow& row : rows) {
    INFO(row.id);
    CHECK(row.valid);
    CHECK(row.value("iterations") == 5.0);
    CHECK(row.value("frames") == 12.0);
    CHECK(row.value("max_penetration_m") == 0.0);
    CHECK(row.value("ratio") == Approx(row.value("worst_ms") / 2.0));
    CHECK(row.value("published_bytes") == 0.5e6);
    CHECK(row.value("size_m") == Approx(1.0).epsilon(1e-6));
    CHECK(row.sample("median_ms")->size() == 2);
  }
  // History makes the same iterations more exact; without contact the contact solver changes nothing.
  CHECK(rows[0].value("energy_error") > rows[2].value("energy_error"));
  CHECK(rows[1].hash == rows[2].hash);
  CHECK(rows[1].value("energy_error") == rows[2].value("energy_error"));
}

TEST_CASE("table3: a row with contact, and its text") {
  Table3Settings settings = quick();
  settings.columns = {table3_columns()[2]};
  settings.most_frames = 30;
  SuiteResult result = begin_suite("table3", 1);
  result.rows = measure_row(small_row("scenes/squeeze", {"bodies.ball.mesh.vertices=300"}, 50), settings,
                            [](const auto&) {});
  const SuiteRow& row = result.rows.at(0);
  CHECK(row.valid);
  CHECK(row.warnings.empty());
  CHECK(row.value("frames") == 30.0);
  CHECK(row.value("constraints") > 0.0);
  CHECK(row.value("max_penetration_m") < 1e-6);
  CHECK(std::isnan(row.value("energy_error")));
  CHECK(row.value("frame_error_m") < 1e-3);
  const std::string text = table3_text(result);
  for (const char* part : {"small_row/0.3/defaults", "longest frame [ms]", "0.250", "RTX 4090"})
    CHECK(text.find(part) != std::string::npos);
  CHECK(text.find(row.hash) != std::string::npos);
  CHECK(table3_markdown(result).find("| row |") != std::string::npos);
}

TEST_CASE("table3: advice names the longest stage") {
  SuiteRow row;
  row.id = "ball/1.0/defaults";
  CHECK(advice_for(row).empty());
  for (const StageName& stage : stage_names())
    row.samples.emplace_back(fmt::format("{}_ms", stage.name), std::vector<double>{1.0});
  for (auto& [name, values] : row.samples)
    if (name == "delassus_ms") values = {4.0, 3.0, 5.0};
  const std::string advice = advice_for(row);
  CHECK(advice.find("ball/1.0/defaults: 40 % of the frames' time is delassus; ") == 0);
  CHECK(advice.find("simulation.contact.delassus") != std::string::npos);
}
