// From the text to the model: meshes, repairs, warnings, regions.
#include <cmath>
#include <filesystem>

#include <sinew/errors.hpp>
#include <sinew/scene.hpp>

#include "engine/common/atomic_file.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

const std::string kScenes = std::string(SINEW_TEST_DATA) + "/scenes";

/// A scene with one body; extra goes behind the list of bodies.
std::string with_mesh(const std::string& mesh, const std::string& extra = "") {
  return "{\n\"bodies\": [\n{\"name\": \"b\",\n\"mesh\": " + mesh + "}]" + extra + "}";
}

Scene load(const std::string& text) {
  return load_scene_text(text, kScenes, "t.json");
}

std::string refusal(const std::string& text) {
  try {
    load(text);
  } catch (const SceneError& error) {
    const std::string what = error.what();
    CHECK(what.find('\n') == std::string::npos);
    return what;
  }
  return "accepted";
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

bool any_has(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& text : texts)
    if (text.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a scene becomes a model", "[scene_file]") {
  const Scene scene = load_scene(kScenes + "/small.json");
  CHECK(scene.path == kScenes + "/small.json");
  CHECK(scene.name == "small");  // from the file's name
  CHECK(scene.output.frames == 2);
  REQUIRE(scene.model.body_count() == 1);
  CHECK(scene.model.obstacle_count() == 1);
  CHECK(scene.model.body(0).transform.translation == Vec3d{0, 0, 0.2});
  CHECK(std::abs(static_cast<double>(scene.model.body(0).mesh.nodes.size()) / 500.0 - 1.0) < 0.03);
  // 4/3 pi r^3 of water, less what the facets cut off.
  CHECK(scene.model.body_mass(0) == Approx(4.18879).epsilon(0.05));
  CHECK(scene.model.gravity() == Vec3d{0, 0, -9.81});
}

TEST_CASE("every key together loads", "[scene_file]") {
  const Scene scene = load_scene(kScenes + "/all_keys.json", {"solver.global=automatic"});
  CHECK(scene.name == "all");
  CHECK(scene.model.body_count() == 6);
  CHECK(scene.model.pin_count() == 3);
  CHECK(scene.model.handle_count() == 8);
  CHECK(name_of(scene.model.handle(3)) == "weld");
  REQUIRE(scene.model.obstacle_count() == 8);
  const auto mesh = [&](std::size_t i) { return std::get<MeshShape>(scene.model.obstacle(i).shape); };
  CHECK(enclosed_volume(mesh(5).mesh.points, mesh(5).mesh.triangles) == Approx(0.125));  // half the unit cube
  CHECK(is_closed(mesh(6).mesh.triangles));
  CHECK(mesh(6).mesh.points.size() < 500);  // the boundary alone
  CHECK(mesh(7).edges.size() == 2);
  CHECK(mesh(7).thickness == Approx(MeshShape::kOpenThickness * std::sqrt(14.0)));
  CHECK(scene.model.gravity() == Vec3d{1, 2, -3});
  // The file's tetrahedron of 10 cm legs; transform.scale 2 makes it eight times as large.
  CHECK(scene.model.body_rest_volume(1) == Approx(8.0 * 1e-3 / 6.0).epsilon(1e-12));
  // The filled unit cube: to 1 %.
  CHECK(scene.model.body_rest_volume(2) == Approx(1.0).epsilon(0.01));
  CHECK(scene.model.body_rest_volume(3) == Approx(1.0).epsilon(0.01));
  CHECK(scene.model.body_rest_area(4) == Approx(2.0));
  CHECK(scene.model.body_mass(4) == Approx(1.4));
  CHECK(scene.model.body_rest_area(5) == Approx(6.0 * 0.25));  // half the unit cube's surface, as a shell
  CHECK(scene.model.body_rest_volume(5) == Approx(6.0 * 0.25 * 1e-3));
}

TEST_CASE("paths are relative to the scene, wherever the program runs", "[scene_file]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_scene_paths";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "deep");
  std::filesystem::copy_file(kScenes + "/meshes/tet.vtk", folder / "tet.vtk");
  write_file_atomically((folder / "deep" / "a.json").string(),
                        with_mesh("{\"file\": \"../tet.vtk\", \"scale\": 0.01}"));
  CHECK(load_scene((folder / "deep" / "a.json").string()).model.body(0).mesh.nodes.size() == 4);
  write_file_atomically((folder / "b.json").string(), with_mesh("{\"file\": \"tet.vtk\", \"scale\": 0.01}"));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  CHECK(load_scene("b.json").model.body(0).mesh.nodes[1] == Vec3d{0.1, 0, 0});
  std::filesystem::current_path(before);
  const std::string absolute = (folder / "tet.vtk").string();
  CHECK(load(with_mesh("{\"file\": \"" + absolute + "\", \"scale\": 0.01}")).model.body_count() == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("harmless faults of a mesh are mended with a warning", "[scene_file]") {
  const Scene scene = load(with_mesh("{\"file\": \"meshes/turned.vtk\", \"scale\": 1}"));
  CHECK(scene.model.body(0).mesh.nodes.size() == 5);  // the node that nothing used is gone
  CHECK(scene.model.body_rest_volume(0) == Approx(1.0 / 6.0 + 2.0 / 6.0));
  CHECK(any_has(scene.warnings, "t.json:4: meshes/turned.vtk: "));
  CHECK(scene.warnings.size() >= 2);
}

TEST_CASE("a mesh that cannot be simulated is refused with the command that mends it", "[scene_file]") {
  const std::string flat = refusal(with_mesh("{\"file\": \"meshes/flat.vtk\", \"scale\": 1}"));
  has(flat, "t.json:4: bodies.0.mesh.file: meshes/flat.vtk cannot be simulated: degenerate (1)");
  has(flat, "mend it with: sinew mesh repair " + kScenes + "/meshes/flat.vtk " + kScenes +
                "/meshes/flat_repaired.vtu");

  const std::string surface = refusal(with_mesh("{\"file\": \"meshes/cube.obj\"}"));
  has(surface, "t.json:4: bodies.0.mesh.file: meshes/cube.obj is a surface");
  has(surface, "add \"tetrahedralize\": {}");
  has(surface, "sinew mesh tetrahedralize " + kScenes + "/meshes/cube.obj OUT.vtu");

  has(refusal(with_mesh("{\"file\": \"meshes/tet.vtk\", \"tetrahedralize\": {}}")),
      "already holds tetrahedra; remove the key 'tetrahedralize'");
  has(refusal(with_mesh("{\"file\": \"meshes/none.vtk\"}")),
      "t.json:4: bodies.0.mesh.file: " + kScenes + "/meshes/none.vtk");
  has(refusal(with_mesh("{\"file\": \"meshes\"}")), "t.json:4: bodies.0.mesh.file: ");
  has(refusal(with_mesh("{\"file\": \"small.json\"}")),
      "t.json:4: bodies.0.mesh.file: the mesh cannot be read: ");
  has(refusal(with_mesh("{\"generate\": \"cloth\"}")), "'cloth' is a surface without tetrahedra");
  has(refusal(with_mesh("{\"generate\": \"hollow_ball\", \"radius\": 0.1, \"wall\": 0.3}")),
      "t.json:4: bodies.0.mesh.generate: hollow_ball: wall");
}

TEST_CASE("sheets: what is not a sheet is refused with the cure", "[scene_file]") {
  const auto with_sheet = [](const std::string& mesh) {
    return "{\n\"bodies\": [\n{\"name\": \"b\",\n\"sheet\": {\"mesh\": " + mesh + "}}]}";
  };
  has(refusal(with_sheet("{\"generate\": \"ball\"}")),
      "t.json:4: bodies.0.sheet.mesh.generate: 'ball' has tetrahedra; give it as \"mesh\"");
  // Not "give the number of cells", which is what a bar lacks otherwise.
  has(refusal(with_sheet("{\"generate\": \"bar\", \"cells_x\": 4, \"cells_y\": 4}")),
      "t.json:4: bodies.0.sheet.mesh.generate: 'bar' has tetrahedra; give it as \"mesh\"");
  has(refusal(with_sheet("{\"generate\": \"cloth\", \"cells_x\": 2, \"cells_y\": 2}}, "
                         "\"transform\": {\"scale\": [1, 1e-9, 1]")),
      "flattened to a line (area 1.25e-10 m^2); scale the axes alike, or mend it");
  has(refusal(with_sheet("{\"file\": \"meshes/tet.vtk\"}")),
      "t.json:4: bodies.0.sheet.mesh.file: meshes/tet.vtk holds tetrahedra");
  CHECK(load(with_sheet("{\"generate\": \"cloth\", \"vertices\": 400}")).model.body_rest_area(0) ==
        Approx(1.0));
}

TEST_CASE("mesh obstacles explain themselves", "[scene_file]") {
  const auto with_obstacle = [](const std::string& mesh, const std::string& pairs = "") {
    return "{\n\"bodies\": [{\"name\": \"b\", \"mesh\": {\"generate\": \"block\", \"cells_x\": 1, "
           "\"cells_y\": 1, "
           "\"cells_z\": 1}}],\n\"obstacles\": [{\"name\": \"o\", \"position\": [0, 0, -9],\n\"shape\": "
           "{\"mesh\": " +
           mesh + "}}]" + pairs + "}";
  };
  const auto shape_of = [](const Scene& scene) { return std::get<MeshShape>(scene.model.obstacle(0).shape); };
  // A cube with a doubled, a flattened and a turned triangle comes out closed, each repair with a line.
  const Scene mended = load(with_obstacle("{\"file\": \"meshes/damaged_cube.obj\", \"scale\": 1}"));
  CHECK(is_closed(shape_of(mended).mesh.triangles));
  CHECK(shape_of(mended).mesh.triangles.size() == 12);
  CHECK(any_has(mended.warnings, "t.json:4: meshes/damaged_cube.obj: "));
  CHECK(mended.warnings.size() >= 3);
  // A cup stays open and says what that means.
  const Scene cup = load(with_obstacle("{\"file\": \"meshes/cup.obj\", \"scale\": 1}"));
  CHECK(shape_of(cup).mesh.triangles.size() == 10);
  CHECK(any_has(cup.warnings, "not closed, so both sides of its triangles push"));
  // Tetrahedra lend their boundary.
  const Scene tet = load(with_obstacle("{\"file\": \"meshes/tet.vtk\", \"scale\": 1}"));
  CHECK(shape_of(tet).mesh.triangles.size() == 4);
  CHECK(shape_of(load(with_obstacle("{\"generate\": \"cloth\", \"cells_x\": 2, \"cells_y\": 3}")))
            .mesh.triangles.size() == 12);

  has(refusal(with_obstacle("{\"file\": \"meshes/none.obj\"}")), "t.json:4: obstacles.0.shape.mesh.file: ");
  has(refusal(with_obstacle("{\"positions\": [[0, 0, 0], [1, 0, 0]], \"edges\": [[0, 2]]}")),
      "t.json:4: obstacles.0.shape: obstacle 'o': edge 0 names point 2, there are 2");
  has(refusal(with_obstacle("{\"positions\": [[0, 0, 0], [1, 0, 0]]}")), "its mesh is empty");
  has(refusal(with_obstacle("{\"generate\": \"torus\", \"tube_radius\": 0.3, \"radius\": 0.3}")),
      "t.json:4: obstacles.0.shape.mesh.generate: torus: tube_radius");
  has(refusal(with_obstacle("{\"generate\": \"block\", \"cells_x\": 1, \"cells_y\": 1, \"cells_z\": 1}",
                            ",\n\"friction_pairs\": [{\"a\": \"b\", \"b\": \"p\", \"friction\": 1}]")),
      "t.json:5: friction_pairs.0: friction pair 0 ('b', 'p'): no body or obstacle is named 'p'");
}

TEST_CASE("regions without nodes are refused where they stand", "[scene_file]") {
  const std::string pin = ",\n\"pins\": [{\"name\": \"p\", \"body\": \"b\",\n\"region\": ";
  const std::string ball = "{\"generate\": \"ball\", \"radius\": 0.1, \"vertices\": 500}";
  const std::string far =
      refusal(with_mesh(ball, pin + "{\"ball\": {\"center\": [0, 0, 5], \"radius\": 1}}}]"));
  has(far, "t.json:6: pins.0.region: holds no node of body 'b', which at time 0 fills the box from [-0.");
  const std::string tet = "{\"file\": \"meshes/tet.vtk\", \"scale\": 0.01}";
  has(refusal(with_mesh(tet, pin + "{\"nodes\": [0, 4]}}]")),
      "t.json:6: pins.0.region: node 4 does not exist; the mesh of body 'b' has 4 nodes, counted from 0");
  const std::string force =
      ",\n\"forces\": [{\"name\": \"f\", \"body\": \"b\", \"force\": [0, 0, 1],\n\"region\": ";
  has(refusal(with_mesh(ball, force + "{\"box\": {\"min\": [1, 1, 1], \"max\": [2, 2, 2]}}}]")),
      "t.json:6: forces.0.region");
  // The centre of the ball is inside, but not on the surface.
  has(refusal(with_mesh(
          ball, pin + "{\"ball\": {\"center\": [0, 0, 0], \"radius\": 0.06}, \"surface_only\": true}}]")),
      "holds no node");
  CHECK(load(with_mesh(ball, pin + "{\"ball\": {\"center\": [0, 0, 0], \"radius\": 0.06}}}]"))
            .model.pin_count() == 1);
}

TEST_CASE("what the model objects to as a whole has the line of the part", "[scene_file]") {
  const std::string pins =
      ",\n\"pins\": [{\"name\": \"p\", \"body\": \"b\", \"region\": {\"all\": true}},\n"
      "{\"name\": \"q\", \"body\": \"b\", \"region\": {\"nodes\": [1]}}]";
  has(refusal(with_mesh("{\"file\": \"meshes/tet.vtk\", \"scale\": 0.01}", pins)),
      "t.json:6: pins.1: pin 'q': ");
}

TEST_CASE("a size that looks like millimetres is asked about, unless a scale is given", "[scene_file]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_scene_units";
  std::filesystem::create_directories(folder);
  std::string big = read_file(kScenes + "/meshes/tet.vtk");
  for (std::size_t at = 0; (at = big.find("10 ", at)) != std::string::npos; at += 4)
    big.replace(at, 3, "100 ");
  for (const char* line : {"0 10\n", "0 0 10\n"}) {
    const std::size_t at = big.find(line);
    if (at != std::string::npos)
      big.replace(at, std::string(line).size(), std::string(line).insert(std::string(line).size() - 1, "0"));
  }
  write_file_atomically((folder / "mm.vtk").string(), big);
  const Scene guessed = load_scene_text(with_mesh("{\"file\": \"mm.vtk\"}"), folder.string(), "t.json");
  CHECK(any_has(guessed.warnings, "scale"));
  const Scene given =
      load_scene_text(with_mesh("{\"file\": \"mm.vtk\", \"scale\": 0.001}"), folder.string(), "t.json");
  CHECK_FALSE(any_has(given.warnings, "mesh.scale"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("a surface to be filled: repeated triangles are dropped, turned ones refused", "[scene_file]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "sinew_scene_fill";
  std::filesystem::create_directories(folder);
  const std::string closed = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
  write_file_atomically((folder / "doubled.obj").string(), closed + "f 2 3 4\nf 3 4 2\n");
  write_file_atomically((folder / "turned.obj").string(), closed + "f 2 4 3\n");
  const auto scene = [](const char* file) {
    return with_mesh(std::string("{\"file\": \"") + file + "\", \"tetrahedralize\": {\"vertices\": 100}}");
  };
  const Scene filled = load_scene_text(scene("doubled.obj"), folder.string(), "t.json");
  CHECK(any_has(filled.warnings, "1 triangle that repeated another one dropped"));
  try {
    load_scene_text(scene("turned.obj"), folder.string(), "t.json");
    FAIL("no error");
  } catch (const Error& error) {
    has(error.what(), "flipped_triangle");
    has(error.what(), "sinew mesh repair");
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("scene files that are none", "[scene_file]") {
  CHECK_THROWS_AS(load_scene(kScenes + "/none.json"), IoError);
  CHECK_THROWS_AS(load_scene(kScenes), IoError);
  CHECK_THROWS_AS(load_scene("/dev/zero"), IoError);
  CHECK_THROWS_AS(load_scene("/dev/null"), IoError);
  CHECK_THROWS_AS(load_scene(kScenes + "/meshes/tet.vtk"), SceneError);
}

TEST_CASE("the shipped scenes load", "[scene_file][slow]") {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SINEW_SOURCE_DIR) + "/assets/scenes")) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path().string());
    const Scene scene = load_scene(entry.path().string());
    CHECK(scene.name == entry.path().stem().string());
    CHECK(scene.model.body_count() >= 1);
    for (const std::string& warning : scene.warnings) WARN(warning);
    CHECK(scene.warnings.empty());
    ++count;
  }
  CHECK(count >= 6);
}
