#include "benchmarks/global.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <json/json.h>

#include <sinew/errors.hpp>
#include <sinew/mesh_io.hpp>

#include "benchmarks/global_problems.hpp"
#include "benchmarks/global_report.hpp"
#include "benchmarks/loaded_libraries.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using namespace sinew::bench;

namespace {

/// Runs "global WORDS" as the program would. @returns what it throws, "" if nothing.
std::string run_command(std::vector<std::string> words) {
  CLI::App app;
  add_global_case(*app.add_subcommand("global"));
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  reversed.emplace_back("global");
  try {
    app.parse(reversed);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

Json::Value parse(const std::string& text) {
  Json::Value value;
  std::istringstream stream(text);
  stream >> value;
  return value;
}

GlobalResult study(const GlobalSelection& selection, const GlobalSettings& settings) {
  Executor executor(settings.threads);
  GlobalProblem problem;
  executor.run([&] { problem = select_problems(selection).at(0).make(); });
  return run_global_study(problem, settings, [](const std::string&) {});
}

GlobalResult small_bar(GlobalSettings settings) {
  GlobalSelection selection;
  selection.shapes = {"bar"};
  selection.vertices = {400};
  return study(selection, settings);
}

GlobalSettings all_solvers() {
  GlobalSettings settings;
  settings.solvers = solver_kinds();
  settings.threads = 2;
  settings.seconds = 0.2;
  return settings;
}

/// A result with invented figures.
GlobalResult invented(const std::string& shape, Index vertices, double staged_ms, double cholmod_ms) {
  GlobalResult r;
  r.name = shape + std::to_string(vertices);
  r.shape = shape;
  r.vertices = vertices;
  r.nnz_factor = 100;
  r.staged.stored_entries = 120;
  r.staged.bytes = 1000000;
  for (const SolverKind& kind : solver_kinds()) {
    SolverResult s;
    s.kind = kind;
    if (kind.name == "staged") s.timings = {{2, 1, {staged_ms, 99.0}}}, s.error = 1e-15;
    if (kind.name == "cholmod") s.timings = {{1, 1, {cholmod_ms}}};
    if (kind.name == "cholmod_supernodal") s.timings = {{1, 1, {cholmod_ms + 1.0}}};
    r.solvers.push_back(s);
  }
  return r;
}

const Goal& goal(const std::vector<Goal>& goals, const std::string& what) {
  for (const Goal& g : goals)
    if (g.what.find(what) != std::string::npos) return g;
  throw std::runtime_error("no goal " + what);
}

}  // namespace

TEST_CASE("global: every solver of a bar meets CHOLMOD, with times for each width and number of threads") {
  GlobalSettings settings = all_solvers();
  settings.cache = true;
  const GlobalResult r = small_bar(settings);
  CHECK(std::abs(r.vertices - 400) <= 60);
  CHECK(r.elements > static_cast<std::size_t>(r.vertices));
  REQUIRE(r.solvers.size() == solver_kinds().size());
  for (const SolverResult& s : r.solvers) {
    INFO(s.kind.name << " " << s.why_not);
    if (!has_cholmod() && s.kind.name.rfind("cholmod", 0) == 0) continue;
    if (!has_cholmod_supernodal() && s.kind.name == "cholmod_supernodal") continue;
    REQUIRE(s.built());
    if (s.kind.incomplete) {
      CHECK(s.error == -1.0);
    } else {
      CHECK(s.error >= 0.0);
      CHECK(s.error <= (s.iterations >= 0 ? 1e-6 : s.kind.single ? 2e-6 : 1e-12));
    }
    CHECK((s.kind.single ? s.error > 1e-9 : true));  // float has been at work
    CHECK(s.sizes.stored_entries > 0);
    REQUIRE(s.timing(1, 1));
    CHECK(!s.timing(1, 1)->ms.empty());
    CHECK((s.timing(2, 1) != nullptr) == s.kind.parallel);
    CHECK((s.timing(2, kInstances) != nullptr) == s.kind.wide);
    for (const Timing& t : s.timings) {
      CHECK(t.best() > 0.0);
      CHECK(t.best() <= t.median());
    }
  }
  for (int k = 1; k < SolverSettings::kMostStages; ++k) {
    CHECK(r.nnz_stages[k - 1] >= r.nnz_stages[k]);
    CHECK(r.solver("staged_k" + std::to_string(k))->sizes.stages <= k);
  }
  CHECK(r.nnz_stages.back() >= static_cast<double>(r.nnz_factor));
  CHECK(r.solver("staged")->sizes.bytes == r.staged.bytes);
  CHECK(r.solver("staged_float")->sizes.bytes == r.staged_float.bytes);
  CHECK(r.preparation.total_s >= r.preparation.inverse_s);
  CHECK(r.preparation.second_start_s > 0.0);
  CHECK(r.preparation.cache_bytes > static_cast<double>(r.staged.bytes) / 2);
}

TEST_CASE("global: what does not fit is listed with its size") {
  GlobalSettings settings = all_solvers();
  settings.seconds = 0.0;
  GlobalSelection selection;
  selection.shapes = {"bar"};
  selection.vertices = {2000};
  const GlobalResult free = study(selection, settings);
  settings.memory_limit = 0.99 * 8.0 * free.nnz_stages[0];  // just below what one stage needs
  const GlobalResult r = study(selection, settings);
  for (const char* name : {"staged_k1", "sparse_inverse"}) {
    const SolverResult* s = r.solver(name);
    REQUIRE(s);
    CHECK_FALSE(s->built());
    CHECK(s->why_not.rfind("not built: ", 0) == 0);
    CHECK(s->timings.empty());
  }
  CHECK(r.solver("staged")->built());
  const std::string table = solver_table(r, 2).text();
  CHECK(table.find("sparse_inverse") != std::string::npos);
  CHECK(table.find(r.solver("sparse_inverse")->why_not) != std::string::npos);
  const Json::Value json = parse(global_json({r}, judge({r}, 2), settings));
  CHECK(json["problems"][0]["solvers"][2]["built"].asBool() == false);
  CHECK(json["problems"][0]["solvers"][2]["why_not"].asString() == r.solver("staged_k1")->why_not);
}

TEST_CASE("global: the command writes JSON and Markdown with every part") {
  const test::TemporaryFolder folder;
  REQUIRE(run_command({"--shape", "sheet", "--vertices", "300", "--solvers", "staged,cholmod,eigen",
                       "--seconds", "0.05", "--threads", "1", "--json", folder / "a.json", "--markdown",
                       folder / "a.md"}) == "");
  std::ifstream file(folder / "a.json");
  const Json::Value json = parse({std::istreambuf_iterator<char>(file), {}});
  for (const char* key : {"study", "version", "machine", "threads", "libraries", "problems", "verdict"})
    CHECK(json.isMember(key));
  for (const char* key : {"factor", "blas", "metis", "staged_products"})
    CHECK(json["libraries"].isMember(key));
  REQUIRE(json["problems"].size() == 1);
  const Json::Value& problem = json["problems"][0];
  for (const char* key : {"name", "shape", "vertices", "elements", "nnz_A_lower", "nnz_L", "nnz_stages",
                          "staged", "published_form_bytes", "preparation", "reference", "solvers"})
    CHECK(problem.isMember(key));
  for (const char* key : {"order_s", "factor_s", "structure_s", "inverse_s", "total_s"})
    CHECK(problem["preparation"].isMember(key));
  CHECK(problem["nnz_stages"].size() == 6);
  REQUIRE(problem["solvers"].size() == 3);
  const Json::Value& staged = problem["solvers"][0];
  CHECK(staged["name"].asString() == "staged");
  CHECK(staged["relative_error"].asDouble() <= 1e-12);
  CHECK(staged["ratio_to_staged"].asDouble() == 1.0);
  CHECK(staged["timings"].size() == 2);  // one instance and four
  CHECK(json["verdict"].size() == 13);

  std::ifstream markdown_file(folder / "a.md");
  const std::string markdown{std::istreambuf_iterator<char>(markdown_file), {}};
  for (const char* part :
       {"## Time per global step", "## Nonzeros", "## Memory", "## Start", "## Verdict", "BLAS"})
    CHECK(markdown.find(part) != std::string::npos);
}

TEST_CASE("global: wrong words are one line that names the option") {
  CHECK(run_command({"--solvers", "stagged"}) == "--solvers stagged, did you mean 'staged'?");
  CHECK(run_command({"--shape", "cub"}) == "--shape cub, did you mean 'cube'?");
  CHECK(run_command({"--size", "huge"}).rfind("--size huge", 0) == 0);
  CHECK(run_command({"--vertices", "3"}) == "--vertices 3: give a number from 8 to 2000000");
  CHECK(run_command({"--seconds", "-1"}).rfind("--seconds -1", 0) == 0);
  CHECK(run_command({"--seconds", "nan"}).rfind("--seconds nan", 0) == 0);
  CHECK(run_command({"--memory-limit", "0"}).rfind("--memory-limit 0", 0) == 0);
  CHECK(run_command({"--threads", "-2"}).rfind("--threads -2", 0) == 0);
  CHECK(run_command({"--shape", "mesh"}) == "--shape mesh: no file is given; add --mesh FILE");
  CHECK(run_command({"--mesh", "/nowhere/a.msh"}).find("/nowhere/a.msh") != std::string::npos);
}

TEST_CASE("global: a mesh from a file, scaled so that its unit does not matter") {
  const test::TemporaryFolder folder;
  GlobalSelection selection;
  for (const double cell : {0.001, 4.0}) {
    selection.meshes.push_back(folder / (cell > 1.0 ? "large.vtu" : "small.vtu"));
    write_mesh(selection.meshes.back(), test::block(8, 5, 5, cell));
  }
  std::vector<ProblemSource> sources;
  std::vector<GlobalProblem> problems;
  Executor(2).run([&] {
    sources = select_problems(selection);
    for (const ProblemSource& source : sources) problems.push_back(source.make());
  });
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].name == "small.vtu");
  CHECK(problems[0].shape == "mesh");
  CHECK(problems[0].vertices == 9 * 6 * 6);
  const SymmetricMatrix &a = problems[0].matrix, &b = problems[1].matrix;
  REQUIRE(a.row == b.row);
  for (std::size_t k = 0; k < a.value.size(); ++k) CHECK(a.value[k] == Approx(b.value[k]).margin(1e-12));
}

TEST_CASE("global: goals compare the best times of the right solvers") {
  std::vector<GlobalResult> results = {invented("bar", 21000, 2.0, 4.0), invented("cube", 20000, 1.0, 50.0),
                                       invented("bar", 100000, 12.0, 30.0)};
  std::vector<Goal> goals = judge(results, 2);
  CHECK(goals.size() == 13);
  CHECK(goal(goals, "staged / faster CHOLMOD").measured == 0.5);
  CHECK(goal(goals, "staged / faster CHOLMOD").verdict == Goal::Verdict::pass);
  CHECK(goal(goals, "sparse inverse").verdict == Goal::Verdict::not_run);
  CHECK(goal(goals, "per stored entry").measured == 6.0);
  CHECK(goal(goals, "per stored entry").verdict == Goal::Verdict::miss);
  CHECK(goal(goals, "stored entries / nnz(L)").measured == 1.2);
  CHECK(goal(goals, "published S (1310").verdict == Goal::Verdict::not_run);
  CHECK(goal(goals, "cold start, simplicial").verdict == Goal::Verdict::not_run);
  CHECK(goal(goals, "error, staged in double").verdict == Goal::Verdict::pass);

  results[0].solvers[0].timings[0].ms = {2.1};
  results[0].solvers[0].error = std::nan("");
  results[0].published_MB = 1310.19;
  results[2].preparation.simplicial_total_s = 44.0;
  results[2].preparation.supernodal_total_s = 31.0;
  goals = judge(results, 2);
  CHECK(goal(goals, "staged / faster CHOLMOD").verdict == Goal::Verdict::miss);
  CHECK(goal(goals, "error, staged in double").verdict == Goal::Verdict::miss);
  CHECK(goal(goals, "published S (1310").measured == Approx(1.0 / 1310.19));
  CHECK(goal(goals, "cold start, simplicial").verdict == Goal::Verdict::pass);
  CHECK(goal(goals, "cold start, supernodal").verdict == Goal::Verdict::miss);
}

TEST_CASE("global: the median and the best of solves") {
  CHECK(Timing{1, 1, {3.0, 1.0, 2.0}}.median() == 2.0);
  CHECK(Timing{1, 1, {4.0, 1.0, 2.0, 9.0}}.median() == 3.0);
  CHECK(Timing{1, 1, {4.0, 1.0, 2.0}}.best() == 1.0);
  CHECK(std::isnan(Timing{}.best()));
}

TEST_CASE("loaded libraries are found by file name and told with their folder") {
  const std::string maps =
      "7f00-7f01 r-xp 00000000 08:01 11 /usr/lib/blas/libother.so.1\n"
      "7f02-7f03 r-xp 00000000 08:01 12 /usr/lib/openblas-pthread/libblas.so.3\n"
      "7f04-7f05 rw-p 00000000 00:00 0\n";
  CHECK(loaded_library(maps, "libblas") == "openblas-pthread/libblas.so.3");
  CHECK(loaded_library(maps, "libmetis").empty());
  CHECK(loaded_library("x /libblas.so", "libblas") == "libblas.so");
  CHECK(!blas_name().empty());
}
