#include "engine/contact/recorded_problem.hpp"

#include <cstdint>
#include <cstring>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/contact/contact_solver.hpp"
#include "engine/contact/residuals.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

RecordedProblem example() {
  RecordedProblem r;
  r.problem = body_on_plane(5, 1.0, 0.3, 1);
  add_rank(r.problem, 2, 3);
  r.problem.law = {PointLaw::contact, PointLaw::held, PointLaw::none, PointLaw::contact, PointLaw::contact};
  r.problem.held_compliance = {0, 1e-3, 0, 0, 0};
  r.problem.force[3] = Vec3d{1, 2, 3};
  ScalarRow row;
  row.entry = {{2, Vec3d{0, 1, 0}}, {4, Vec3d{1, 0, 0}}};
  row.offset = 0.5;
  row.compliance = 1e-4;
  row.one_sided = true;
  row.force = 7.0;
  r.problem.scalar = {row};
  r.tolerance = 1e-8;
  r.relative = 0.01;
  return r;
}

std::string message_of(const std::string& path) {
  try {
    load_problem(path);
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a recorded problem comes back as it was") {
  const TemporaryFolder folder;
  const RecordedProblem a = example();
  save_problem(a, folder / "a.contact");
  const RecordedProblem b = load_problem(folder / "a.contact");
  CHECK(b.tolerance == a.tolerance);
  CHECK(b.relative == a.relative);
  CHECK(b.problem.squared_step == a.problem.squared_step);
  CHECK(b.problem.law == a.problem.law);
  CHECK(b.problem.gram == a.problem.gram);
  CHECK(b.problem.friction == a.problem.friction);
  CHECK(b.problem.held_compliance == a.problem.held_compliance);
  CHECK(b.problem.metric == a.problem.metric);
  CHECK(b.problem.displacement == a.problem.displacement);
  CHECK(b.problem.force == a.problem.force);
  REQUIRE(b.problem.scalar.size() == 1);
  CHECK(b.problem.scalar[0].entry[1].point == 4);
  CHECK(b.problem.scalar[0].entry[1].direction == Vec3d{1, 0, 0});
  CHECK(b.problem.scalar[0].one_sided);
  CHECK(b.problem.scalar[0].force == 7.0);
  for (std::size_t c = 0; c < 5; ++c) CHECK(b.problem.frame[c].t2 == a.problem.frame[c].t2);
}

TEST_CASE("files that are no sound problem are refused in one line") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.contact";
  save_problem(example(), path);
  const std::string good = read_file(path);
  write_file_atomically(path, "nothing of the kind");
  CHECK(message_of(path).find("not a recorded contact problem") != std::string::npos);
  std::string bad = good;
  bad[8] = 9;
  write_file_atomically(path, bad);
  CHECK(message_of(path).find("version 9") != std::string::npos);
  for (const std::size_t place : {std::size_t{16}, std::size_t{30}, good.size() / 2, good.size() - 1}) {
    bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 0x10);
    write_file_atomically(path, bad);
    CHECK(message_of(path).find("checksum") != std::string::npos);
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{20}, good.size() / 2, good.size() - 1}) {
    write_file_atomically(path, good.substr(0, size));
    CHECK(!message_of(path).empty());
  }
  RecordedProblem wrong = example();
  wrong.problem.scalar[0].entry[0].point = 5;
  save_problem(wrong, path);
  CHECK(message_of(path).find("does not exist") != std::string::npos);
  wrong = example();
  wrong.problem.friction.pop_back();
  save_problem(wrong, path);
  CHECK(message_of(path).find("sizes") != std::string::npos);
  wrong = example();
  wrong.problem.gram[0] = std::nan("");
  save_problem(wrong, path);
  CHECK(message_of(path).find("out of range") != std::string::npos);
}

TEST_CASE("what solvers get is recorded, frame by frame, while a recorder lives") {
  const TemporaryFolder folder;
  {
    ContactRecorder recorder(folder.path());
    CHECK_THROWS_AS(ContactRecorder(folder.path()), ModelError);
    ContactProblem p = body_on_plane(3, 1.0, 0.3, 4);
    recorder.begin_frame(7, true);
    solve_contacts(p, {});
    solve_contacts(p, {});
    recorder.begin_frame(8, false);
    solve_contacts(p, {});
    CHECK(recorder.written() == 2);
  }
  CHECK(load_problem(folder / "frame_000007_001.contact").problem.size() == 3);
  CHECK(ContactRecorder::current() == nullptr);
}

TEST_CASE("solvers agree on problems recorded from frames") {
  for (const char* name : {"obstacles", "rollers"}) {
    const RecordedProblem recorded =
        load_problem(std::string(SINEW_TEST_DATA) + "/contact/" + name + ".contact");
    ContactProblem answer = recorded.problem;
    CHECK(solve_contacts(answer, {5000, 1e-12, 0.0, ContactSolver::gs}).converged);
    double least_newton = 0.0;
    for (const ContactSolverEntry& entry : contact_solvers()) {
      INFO(name << ", " << entry.name);
      ContactProblem p = recorded.problem;
      const ContactReport report = solve_contacts(p, {1000, 1e-10, 0.0, entry.id});
      const bool exact = entry.id != ContactSolver::nsn;
      if (exact) CHECK(report.converged);
      CHECK(measure(p).worst() < (exact ? 1e-9 : 1e-5));
      for (std::size_t c = 0; c < p.size(); ++c)
        CHECK(norm(p.displacement[c] - answer.displacement[c]) < (exact ? 1e-8 : 1e-4));
      CHECK(displacement_error(recorded.problem, p) < 1e-12);
      if (entry.id == ContactSolver::newton) least_newton = report.products;
    }
    CHECK(least_newton < 100);  // products with G; Gauss-Seidel alone needs more at this tolerance
  }
}

TEST_CASE(
    "two points at almost one place, their normals a little apart: Newton finds which of them presses") {
  // 41 points of a gripper; sweeps end at 2e-7 m however many they are.
  const RecordedProblem recorded =
      load_problem(std::string(SINEW_TEST_DATA) + "/contact/near_points.contact");
  ContactProblem p = recorded.problem;
  const ContactReport report = solve_contacts(p, {200, 1e-10, 0.0, ContactSolver::newton});
  CHECK(report.converged);
  CHECK(measure(p).worst() < 1e-10);
  CHECK(displacement_error(recorded.problem, p) < 1e-12);
  CHECK(report.newton_steps < 30);
}
