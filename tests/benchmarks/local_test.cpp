#include "benchmarks/local_study.hpp"

#include <cmath>

#include "benchmarks/local_eigen.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

namespace {
constexpr MaterialKind kAll[] = {MaterialKind::arap,         MaterialKind::stable_neo_hookean,
                                 MaterialKind::corotated,    MaterialKind::fixed_corotated,
                                 MaterialKind::neo_hookean,  MaterialKind::st_venant_kirchhoff,
                                 MaterialKind::mooney_rivlin};
}  // namespace

TEST_CASE("bench local: the Eigen version computes what the local step computes") {
  for (const MaterialKind kind : kAll) {
    INFO(to_string(kind));
    const LocalProblem p = make_local_problem(600, kind);
    const ElasticInput input{0.01, p.start.data(), p.start.data()};
    std::vector<Vec3d> expected(p.start.size()), got(p.start.size());
    EigenWorkspace eigen = make_eigen_workspace(*p.body);
    const ElasticEnergy slow = evaluate_eigen(*p.body, input, p.position.data(), eigen, expected.data());
    ElasticWorkspace workspace;
    begin_elastic_frame(*p.body, p.start.data(), workspace);
    const ElasticEnergy fast = evaluate_elastic(*p.body, input, p.position.data(), workspace, got.data());
    CHECK(slow.elastic > 0.0);
    CHECK(fast.elastic == Approx(slow.elastic).epsilon(1e-10));
    CHECK(fast.merit == Approx(slow.merit).epsilon(1e-10));
    double size = 0.0, error = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      size = std::max(size, norm(expected[i]));
      error = std::max(error, norm(got[i] - expected[i]));
    }
    CHECK(error < 1e-10 * size);
  }
}

TEST_CASE("bench local: every form of every material is measured, counts are those of the body") {
  Executor executor(1);
  LocalStudy study;
  int lines = 0;
  executor.run([&] {
    study = run_local_study(4, 300, {MaterialKind::arap, MaterialKind::neo_hookean}, 1e-3,
                            [&](const std::string&) { ++lines; });
  });
  CHECK(lines == 3);
  CHECK(std::abs(static_cast<double>(study.elements) - 300.0) < 30.0);
  CHECK(study.slots >= study.vertices);
  CHECK(study.bytes > 88.0 * static_cast<double>(study.elements));
  CHECK(study.floor_ms() > 0.0);
  REQUIRE(study.cases.size() == 2);
  std::size_t sets = 0;
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    sets += available(set);
  for (const LocalCase& c : study.cases) {
    CHECK(c.timings.size() == 2 + 2 * sets);
    REQUIRE(c.find(kEigenName));
    REQUIRE(c.find(kPlainName));
    CHECK(c.best().is_double);
    for (const LocalTiming& t : c.timings) {
      CHECK(t.ms.size() >= 3);
      CHECK(t.quantile(0.0) > 0.0);
      CHECK(t.quantile(0.5) >= t.quantile(0.25));
      CHECK(t.quantile(1.0) >= t.quantile(0.5));
    }
  }
}

TEST_CASE("bench local: the Eigen version of sheets computes what the local step computes") {
  for (const MaterialKind kind : kTriangleMaterialKinds) {
    INFO(to_string(kind));
    const LocalProblem p = make_local_sheet(800, kind);
    CHECK(p.body->triangles.size() == 800);
    const ElasticInput input{0.01, p.start.data(), p.start.data()};
    std::vector<Vec3d> expected(p.start.size()), got(p.start.size());
    EigenSheetWorkspace eigen = make_eigen_sheet_workspace(*p.body);
    const ElasticEnergy slow = evaluate_eigen(*p.body, input, p.position.data(), eigen, expected.data());
    ElasticWorkspace workspace;
    begin_elastic_frame(*p.body, p.start.data(), workspace);
    const ElasticEnergy fast = evaluate_elastic(*p.body, input, p.position.data(), workspace, got.data());
    CHECK(slow.elastic > 0.0);
    CHECK(fast.elastic == Approx(slow.elastic).epsilon(1e-10));
    CHECK(fast.merit == Approx(slow.merit).epsilon(1e-10));
    double size = 0.0, error = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      size = std::max(size, norm(expected[i]));
      error = std::max(error, norm(got[i] - expected[i]));
    }
    CHECK(error < 1e-10 * size);
  }
}

TEST_CASE("bench local: sheets are measured in the same forms") {
  Executor executor(1);
  LocalStudy study;
  executor.run(
      [&] { study = run_local_study(3, 300, {MaterialKind::corotated}, 1e-3, [](const std::string&) {}); });
  CHECK(study.corners == 3);
  CHECK(study.elements == 288);
  REQUIRE(study.cases.size() == 1);
  CHECK(study.cases[0].find(kEigenName));
  CHECK(study.cases[0].find(kPlainName));
  CHECK(study.cases[0].best().is_double);
}

TEST_CASE("bench local: quantiles of a known list") {
  const LocalTiming t{"", true, {4.0, 1.0, 3.0, 2.0, 5.0}};
  CHECK(t.quantile(0.0) == 1.0);
  CHECK(t.quantile(0.5) == 3.0);
  CHECK(t.quantile(1.0) == 5.0);
  CHECK(t.quantile(0.375) == 2.5);
}
