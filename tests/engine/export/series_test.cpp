#include "engine/export/series.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <sinew/errors.hpp>
#include <sinew/mesh_io.hpp>
#include <sinew/report.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/export/vtu_writer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sheets.hpp"
#include "tests/support/small_model.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;

namespace {
std::set<std::string> names(const std::string& folder) {
  std::set<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    result.insert(entry.path().filename());
  return result;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}
}  // namespace

TEST_CASE("a .vtu comes back as it was written") {
  const test::TemporaryFolder folder;
  const TetMesh mesh = test::cube_mesh();
  VtuGrid grid;
  grid.points = mesh.nodes;
  grid.points[3] = {0.1, 1.0 / 3.0, -1e-17};  // needs all bits
  for (const Tet& tet : mesh.tets) grid.connectivity.insert(grid.connectivity.end(), tet.begin(), tet.end());
  grid.cell_fields = {{"body", 1, true, {}, {0, 0, 0, 0, 1}}};
  write_vtu(folder / "cube.vtu", grid);
  const MeshFile back = read_mesh(folder / "cube.vtu");
  REQUIRE(back.mesh.nodes.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) CHECK(back.mesh.nodes[i] == grid.points[i]);
  CHECK(back.mesh.tets == mesh.tets);
}

TEST_CASE("a series index lists what is there, and goes on after a resume") {
  const test::TemporaryFolder folder;
  SeriesIndex index(folder.path(), "bodies");
  for (const long frame : {0L, 4L, 8L}) {
    write_file_atomically(index.data_path(frame), "x");
    index.add(frame, 0.01 * static_cast<double>(frame));
  }
  CHECK(count(read_file(index.path()), "<DataSet") == 3);
  CHECK(read_file(index.path())
            .find("timestep=\"0.080000000000000002\" part=\"0\" file=\"bodies_000008.vtu\"") !=
        std::string::npos);

  SeriesIndex resumed(folder.path(), "bodies");
  resumed.continue_until(5);
  CHECK(resumed.has(0));
  CHECK(resumed.has(4));
  CHECK_FALSE(resumed.has(8));
  std::filesystem::remove(index.data_path(0));
  SeriesIndex gap(folder.path(), "bodies");
  gap.continue_until(8);
  CHECK_FALSE(gap.has(0));  // no index names a file that is not there
  CHECK(gap.has(8));

  write_file_atomically(index.path(), "no xml <<<");
  SeriesIndex damaged(folder.path(), "bodies");
  damaged.continue_until(8);
  CHECK_FALSE(damaged.has(4));
}

TEST_CASE("the vtu series holds bodies, obstacles and contacts", "[scene]") {
  const test::TemporaryFolder folder;
  Simulation simulation(test::small_model());
  SeriesExporter exporter(simulation.model(), {folder / "out", SeriesFormat::vtu, -1});
  exporter.write(simulation);
  simulation.step();
  simulation.step();
  exporter.write(simulation);

  CHECK(names(folder / "out") == std::set<std::string>{"bodies.pvd", "bodies_000000.vtu", "bodies_000002.vtu",
                                                       "contacts.pvd", "contacts_000000.vtu",
                                                       "contacts_000002.vtu", "obstacles.pvd",
                                                       "obstacles_000000.vtu", "obstacles_000002.vtu"});
  const MeshFile bodies = read_mesh(folder / "out/bodies_000002.vtu");
  REQUIRE(bodies.mesh.nodes.size() == 16);
  CHECK(bodies.mesh.tets.size() == 10);
  CHECK(bodies.mesh.nodes[8] == simulation.positions(1)[0]);
  CHECK(bodies.mesh.tets[5][0] >= 8);
  const std::string text = read_file(folder / "out/bodies_000002.vtu");
  for (const char* field : {"velocity", "displacement", "material", "volume_ratio", "TimeValue"})
    CHECK(text.find("Name=\"" + std::string(field) + "\"") != std::string::npos);

  // The roller turns by 0.06 rad in two frames; its points turn with it, its height stays.
  const SurfaceMesh before = read_mesh(folder / "out/obstacles_000000.vtu").surface;
  const SurfaceMesh after = read_mesh(folder / "out/obstacles_000002.vtu").surface;
  REQUIRE(before.points.size() == after.points.size());
  double moved = 0.0;
  for (std::size_t i = 0; i < before.points.size(); ++i) {
    moved = std::max(moved, norm(after.points[i] - before.points[i]));
    CHECK(after.points[i].z == Approx(before.points[i].z));
  }
  CHECK(moved == Approx(2.0 * 0.05 * std::sin(0.03)).epsilon(1e-6));
  CHECK(count(read_file(folder / "out/obstacles.pvd"), "<DataSet") == 2);
  CHECK(exporter.entry_points().size() == 3);
}

TEST_CASE("a series goes on with another model, under numbers and times of its own", "[scene]") {
  const test::TemporaryFolder folder;
  const Simulation first(test::small_model());
  ModelBuilder builder;
  builder.add(test::cube("only", {0.0, 0.0, 0.0}));
  const Simulation second(builder.build());
  SeriesExporter exporter(first.model(), {folder / "out", SeriesFormat::vtu, -1});
  exporter.write(first, 0, 0.0);
  exporter.write(second, 1, 0.25);  // of its own it would be frame 0, time 0
  exporter.write(first, 2, 0.5);
  CHECK(read_mesh(folder / "out/bodies_000000.vtu").mesh.nodes.size() == 16);
  CHECK(read_mesh(folder / "out/bodies_000001.vtu").mesh.nodes.size() == 8);
  CHECK(read_mesh(folder / "out/bodies_000002.vtu").mesh.nodes.size() == 16);
  CHECK(
      read_file(folder / "out/bodies.pvd").find("timestep=\"0.25\" part=\"0\" file=\"bodies_000001.vtu\"") !=
      std::string::npos);
  CHECK(exporter.steps() == 3);

  // Parts that the first model lacked begin where they are there.
  SeriesExporter grows(second.model(), {folder / "grows", SeriesFormat::vtu, -1});
  grows.write(second, 0, 0.0);
  grows.write(first, 1, 0.1);
  CHECK(names(folder / "grows").count("obstacles_000000.vtu") == 0);
  CHECK(names(folder / "grows").count("obstacles_000001.vtu") == 1);
  CHECK(count(read_file(folder / "grows/obstacles.pvd"), "<DataSet") == 1);
}

TEST_CASE("mesh obstacles are exported as they are, edges as lines and points as vertices", "[scene]") {
  const test::TemporaryFolder folder;
  ObstacleSpec obstacle{"net", {}, {}, {}, 0.5, {}};
  obstacle.shape =
      MeshShape{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}}}, {{0, 3}, {1, 3}}, {2}, 0.01};
  obstacle.pose.translation = {0, 0, -3};
  obstacle.motion.velocity = {2, 0, 0};
  Simulation simulation(ModelBuilder().add(test::cube("soft", {0, 0, 0})).add(obstacle).build());
  SeriesExporter exporter(simulation.model(), {folder / "out", SeriesFormat::vtu, -1});
  simulation.step();
  exporter.write(simulation);
  const std::string text = read_file(folder / "out/obstacles_000001.vtu");
  CHECK(text.find("NumberOfPoints=\"4\" NumberOfCells=\"4\"") != std::string::npos);
  const MeshFile back = read_mesh(folder / "out/obstacles_000001.vtu");
  CHECK(back.surface.triangles == std::vector<Triangle>{{0, 1, 2}});
  REQUIRE(back.surface.points.size() == 4);
  CHECK(norm(back.surface.points[3] - Vec3d{0.02, 0, -2}) < 1e-12);
}

TEST_CASE("surface series hold the outer surface in the current pose", "[scene]") {
  const test::TemporaryFolder folder;
  Simulation simulation(test::small_model());
  simulation.step();
  for (const SeriesFormat format : {SeriesFormat::ply, SeriesFormat::obj}) {
    const std::string extension = format == SeriesFormat::ply ? "ply" : "obj";
    SeriesExporter exporter(simulation.model(), {folder / extension, format, -1});
    exporter.write(simulation);
    CHECK(names(folder / extension) ==
          std::set<std::string>{"bodies_000001." + extension, "obstacles_000001." + extension});
    const SurfaceMesh back = read_mesh(folder / (extension + "/bodies_000001." + extension)).surface;
    CHECK(back.triangles.size() == 24);
    CHECK(back.points.size() == 16);
    CHECK(enclosed_volume(back.points, back.triangles) ==
          Approx(simulation.volume(0) + simulation.volume(1)).epsilon(1e-5));
  }
}

TEST_CASE("sheets are triangles in every format, beside tetrahedra too", "[scene]") {
  const test::TemporaryFolder folder;
  const BodySpec sheet = test::sheet_body("sheet", test::sheet(2, 2, 0.1));
  for (const bool beside : {false, true}) {
    ModelBuilder builder;
    builder.gravity({}).add(sheet);
    if (beside) builder.add(test::cube("cube", {1, 0, 0}));
    const Model model = builder.build();
    Simulation simulation(model);
    std::vector<Vec3d> x = simulation.positions(0);
    for (Vec3d& p : x) p.x *= 2.0;
    simulation.set_state(0, x, std::vector<Vec3d>(x.size()));
    for (const auto& [format, extension] :
         {std::pair{SeriesFormat::vtu, "vtu"}, {SeriesFormat::ply, "ply"}, {SeriesFormat::obj, "obj"}}) {
      const std::string out = folder / (std::string(extension) + (beside ? "2" : "1"));
      SeriesExporter(model, {out, format, -1}).write(simulation);
      const MeshFile back = read_mesh(out + "/bodies_000000." + extension);
      if (!beside) {
        CHECK(back.surface.triangles.size() == 8);
        CHECK(back.surface.points.size() == 9);
        CHECK(back.mesh.tets.empty());
      } else if (format == SeriesFormat::vtu) {
        CHECK(back.mesh.tets.size() == 5);
        CHECK(back.mesh.nodes.size() == 9 + 8);
      } else {
        CHECK(back.surface.triangles.size() == 8 + 12);
      }
    }
    CHECK(simulation.area(0) == Approx(0.08));
    CHECK(simulation.volume(0) == Approx(0.08e-3));
    const RunReport report(simulation, {});
    const std::string json = report.to_json(simulation);
    CHECK(count(json, "\"area_m2\": 0.08") == 1);
    CHECK(count(json, "\"rest_area_m2\"") == 1);
  }
}

TEST_CASE("a folder that cannot be made is refused at once", "[scene]") {
  const test::TemporaryFolder folder;
  write_file_atomically(folder / "file.txt", "x");
  const Model model = test::small_model();
  CHECK_THROWS_AS(SeriesExporter(model, {folder / "file.txt/out", SeriesFormat::vtu, -1}), IoError);
  CHECK_THROWS_AS(SeriesExporter(model, {folder / "file.txt", SeriesFormat::vtu, -1}), IoError);
}
