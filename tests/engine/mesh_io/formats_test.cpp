// Every format, from a file of a few nodes.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <sinew/errors.hpp>

#include "tests/engine/mesh_io/sample_files.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

TEST_CASE("each sample file reads as the same two tetrahedra or the same surface") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    INFO(sample.name);
    if (!sample.companion_name.empty()) folder.write(sample.companion_name, sample.companion);
    const MeshFile file = read_mesh(folder.write(sample.name, sample.content));
    if (file.is_volume()) {
      REQUIRE(file.mesh.nodes == two_tet_nodes());
      CHECK(file.mesh.tets == two_tets());
    } else {
      REQUIRE(file.surface.points.size() == 4);
      REQUIRE(file.surface.triangles.size() == 4);
      CHECK(enclosed_volume(file.surface.points, file.surface.triangles) == Approx(1.0 / 6.0).epsilon(1e-14));
    }
    CHECK(inspect_mesh(file).sound());
  }
}

TEST_CASE("the content decides the format, not the name") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    if (!sample.companion_name.empty()) continue;  // TetGen is known by its name alone
    INFO(sample.name);
    const MeshFile by_name = read_mesh(folder.write(sample.name, sample.content));
    const MeshFile by_content = read_mesh(folder.write("strange_" + sample.name + ".xyz", sample.content));
    CHECK(by_content.format == by_name.format);
    CHECK(by_content.mesh.tets == by_name.mesh.tets);
    CHECK(by_content.surface.triangles == by_name.surface.triangles);
  }
}

TEST_CASE("a headerless OFF file is known by its name") {
  const TemporaryFolder folder;
  const MeshFile file =
      read_mesh(folder.write("plain.off", "4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n"));
  CHECK(file.format == "off");
  CHECK(file.surface.triangles.size() == 2);
}

TEST_CASE("an OBJ file keeps its numbering; polygons become fans") {
  const TemporaryFolder folder;
  const MeshFile file = read_mesh(folder.write(
      "pentagon.obj", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1.5 1 0\nv 0.1 2 0\nv -0.5 1 0\nf 2 3 4 5 6\nf 2 3 4\n"));
  CHECK(file.node_tag == std::vector<long>{1, 2, 3, 4, 5, 6});
  CHECK(file.surface.triangles == std::vector<Triangle>{{1, 2, 3}, {1, 3, 4}, {1, 4, 5}, {1, 2, 3}});
  CHECK(file.triangle_tag == std::vector<long>{1, 1, 1, 2});
  CHECK(file.surface.points[4].x == 0.1);  // exactly the nearest double
}

TEST_CASE("an OBJ polygon may have more than 255 corners") {
  const TemporaryFolder folder;
  std::string text, face = "f";
  for (int i = 0; i < 400; ++i) {
    const double angle = 2 * 3.14159265358979 * i / 400;
    text += "v " + std::to_string(std::cos(angle)) + " " + std::to_string(std::sin(angle)) + " 0\n";
    face += " " + std::to_string(i + 1);
  }
  const MeshFile file = read_mesh(folder.write("disk.obj", text + face + "\n"));
  CHECK(file.surface.triangles.size() == 398);
}

TEST_CASE("STL corners with equal coordinates become one point, minus zero included") {
  const TemporaryFolder folder;
  const MeshFile file = read_mesh(folder.write("b.stl", stl_binary()));
  CHECK(file.surface.points.size() == 4);
  CHECK(inspect_mesh(file).closed);
}

TEST_CASE("numbers with a plus sign, beyond double's range or not finite are understood") {
  const TemporaryFolder folder;
  const MeshFile file = read_mesh(folder.write("n.obj", "v +1 1e-400 1e999\nv nan 0 0\nv 0 1 0\nf 1 2 3\n"));
  CHECK(file.surface.points[0].x == 1.0);
  CHECK(file.surface.points[0].y == 0.0);
  CHECK(std::isinf(file.surface.points[0].z));
  const MeshReport report = inspect_mesh(file);
  REQUIRE(!report.faults.empty());
  CHECK(std::any_of(report.faults.begin(), report.faults.end(), [](const MeshFault& f) {
    return f.kind == "not_finite" && f.numbers == std::vector<long>{1, 2};
  }));
}

TEST_CASE("the table names each format with its extensions") {
  const std::string table = mesh_format_table();
  for (const char* name : {"vtu", "gmsh", "vtk", "medit", "tetgen", "ply", "off", "stl", "obj"})
    CHECK(table.find(name) != std::string::npos);
  CHECK(std::count(table.begin(), table.end(), '\n') == 9);
}

TEST_CASE("strangers are refused with a hint") {
  const TemporaryFolder folder;
  const auto message = [&](const char* name, const std::string& content) -> std::string {
    try {
      read_mesh(folder.write(name, content));
    } catch (const MeshError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message("a.vtk", "").find("empty") != std::string::npos);
  CHECK(message("a.vtk", "version https://git-lfs.github.com/spec/v1\n").find("git lfs pull") !=
        std::string::npos);
  CHECK(message("a.msh", "\x1f\x8b\x08rubbish").find("gunzip") != std::string::npos);
  CHECK(message("a.msh", "hello world").find("known are") != std::string::npos);
  CHECK_THROWS_AS(read_mesh(folder.path("missing.msh")), IoError);
}

// Reads every mesh of a folder of real files, if the environment names one.
TEST_CASE("real files read", "[slow]") {
  const char* data = std::getenv("SINEW_SHARED_DATA");
  if (!data) return;
  const auto report_of = [&](const char* name) {
    return inspect_mesh(read_mesh(std::string(data) + "/" + name));
  };
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    if (entry.path().extension() == ".md" || !entry.is_regular_file()) continue;
    INFO(entry.path());
    MeshFile file;
    REQUIRE_NOTHROW(file = read_mesh(entry.path().string()));
    const MeshReport report = inspect_mesh(file);
    CHECK(report.elements > 0);
    CHECK(!to_text(report).empty());
  }
  for (const char* name : {"finger.vtk", "springy.vtu", "tentacle.vtk", "sphere1K.msh", "Armadillo13K.msh",
                           "bar-651.msh", "torus.msh", "spot.obj", "bunny.obj", "cow.obj"}) {
    INFO(name);
    CHECK(report_of(name).simulable());
  }
  CHECK(report_of("finger.vtk").unit_guess.find("0.001") != std::string::npos);
  CHECK(report_of("bar-651.msh").total_volume == Approx(5.0));
  CHECK(report_of("bunny.obj").holes == 5);
  const MeshFile bad = read_mesh(std::string(data) + "/six_bad_tets.msh");
  CHECK(bad.tet_tag == std::vector<long>{1, 2, 3, 4, 5, 6});
}
