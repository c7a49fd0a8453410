// Scenes as trees and back to text; meshes that are kept between loads.
#include "engine/scene/scene_text.hpp"

#include <filesystem>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>
#include <sinew/mesh_io.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/model/model_data.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
namespace fs = std::filesystem;

namespace {

bool equal(const JsonNode& a, const JsonNode& b) {
  if (a.kind != b.kind || a.boolean != b.boolean || a.number != b.number || a.text != b.text ||
      a.items.size() != b.items.size() || a.members.size() != b.members.size())
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!equal(a.items[i], b.items[i])) return false;
  for (std::size_t i = 0; i < a.members.size(); ++i)
    if (a.members[i].key != b.members[i].key || !equal(a.members[i].value, b.members[i].value)) return false;
  return true;
}

void check_round_trip(const JsonNode& tree) {
  const std::string text = write_scene_text(tree);
  INFO(text);
  const JsonNode again = parse_json(text, {"written.json", {}});
  CHECK(equal(tree, again));
  CHECK(write_scene_text(again) == text);
}

JsonNode parsed(const std::string& text) {
  return parse_json(text, {"t.json", {}});
}

}  // namespace

TEST_CASE("scene text: all scenes read back equal", "[scene_file]") {
  for (const char* folder : {"/assets/scenes", "/tests/data/scenes"})
    for (const auto& entry : fs::directory_iterator(std::string(SINEW_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".json") continue;
      INFO(entry.path());
      JsonNode tree;
      try {
        tree = read_scene_tree(read_scene_text(entry.path().string()));
      } catch (const SceneError&) {
        CHECK(std::string(folder) == "/tests/data/scenes");  // broken on purpose
        continue;
      }
      check_round_trip(tree);
    }
}

TEST_CASE("scene text: values keep their bits, texts their characters", "[scene_file]") {
  check_round_trip(parsed(R"({"a": [0.1, 1e300, 5e-324, -7, 123456789012, 0.30000000000000004, 1e22],
                              "b": {"c": true, "d": null, "e": {}, "f": []},
                              "g": "a \"b\" \\ \n \u0001 ä", "": [[1, 2], {"x": [{}]}]})"));
  std::string deep = "1";
  for (int i = 0; i < 40; ++i) deep = "[" + deep + "]";
  check_round_trip(parsed("{\"long\": \"" + std::string(300, 'x') + "\", \"deep\": " + deep + "}"));
}

TEST_CASE("scene text: short values stand on one line, long ones are broken", "[scene_file]") {
  CHECK(write_scene_text(parsed(R"({"name":"a","gravity":[0,0,-9.81]})")) ==
        "{\n  \"name\": \"a\",\n  \"gravity\": [0, 0, -9.81]\n}\n");
  const std::string text = write_scene_text(parsed("{\"a\": [" + std::string(60, ' ') + "{\"name\": \"" +
                                                   std::string(80, 'x') + "\", \"value\": 1}]}"));
  CHECK(text == "{\n  \"a\": [\n    {\n      \"name\": \"" + std::string(80, 'x') +
                    "\",\n      \"value\": 1\n    }\n  ]\n}\n");
}

TEST_CASE("scene text: overrides are in the tree", "[scene_file]") {
  const SceneText scene = read_scene_text(std::string(SINEW_SOURCE_DIR) + "/assets/scenes/drop.json");
  const std::vector<std::string> overrides = {"simulation.iterations=7", "bodies.0.friction=0.125"};
  const JsonNode tree = read_scene_tree(scene, overrides);
  CHECK(tree.find("simulation")->find("iterations")->number == 7);
  CHECK(tree.find("bodies")->items[0].find("friction")->number == 0.125);
  CHECK_THROWS_AS(read_scene_tree(scene, {"simulation.iterations=0"}), SceneError);
  // What is written is the same scene.
  const Scene written = load_scene_text(write_scene_text(tree), scene.base_folder, scene.label);
  CHECK(written.settings.iterations == 7);
  CHECK(written.model.data().hash == load_scene_text(scene, overrides, nullptr).model.data().hash);
}

TEST_CASE("scene text: mesh files are found from another folder", "[scene_file]") {
  JsonNode tree = parsed(R"({"bodies": [{"mesh": {"file": "meshes/a.vtu"}}, {"mesh": {"file": "/abs/b.vtu"}},
                             {"sheet": {"mesh": {"file": "../c.ply"}}}], "obstacles": [{"mesh": {"file": "d.ply"}}]})");
  CHECK(mesh_files(tree) == std::vector<std::string>{"meshes/a.vtu", "/abs/b.vtu", "../c.ply", "d.ply"});
  move_mesh_files(tree, "/somewhere/scenes", "/somewhere/other");
  CHECK(mesh_files(tree) ==
        std::vector<std::string>{"../scenes/meshes/a.vtu", "/abs/b.vtu", "../c.ply", "../scenes/d.ply"});
  move_mesh_files(tree, "/somewhere/other", "/somewhere/scenes");
  CHECK(mesh_files(tree) == std::vector<std::string>{"meshes/a.vtu", "/abs/b.vtu", "../c.ply", "d.ply"});
}

TEST_CASE("mesh cache: a file is read again only when it changed", "[scene_file]") {
  const sinew::test::TemporaryFolder folder;
  const std::string path = folder / "block.vtu";
  write_mesh(path, generate_mesh("block", {{"cells_x", 2}, {"cells_y", 2}, {"cells_z", 2}}).mesh);
  const SceneText scene{R"({"bodies": [{"name": "b", "mesh": {"file": "block.vtu", "scale": 1}}]})",
                        folder.path(), "t.json"};
  MeshCache cache;
  const Scene first = load_scene_text(scene, {}, &cache);
  CHECK(cache.size() == 1);

  // Same size, same time, other content: who reads it fails.
  const auto time = fs::last_write_time(path);
  const std::string good = read_file(path);
  write_file_atomically(path, std::string(good.size(), 'x'));
  fs::last_write_time(path, time);
  const Scene second = load_scene_text(scene, {"bodies.0.friction=0.1"}, &cache);
  CHECK(second.model.body(0).friction == 0.1);
  CHECK(second.model.body(0).mesh.nodes == first.model.body(0).mesh.nodes);
  CHECK(second.warnings == first.warnings);
  fs::last_write_time(path, time + std::chrono::seconds(1));
  CHECK_THROWS_AS(load_scene_text(scene, {}, &cache), SceneError);
  write_file_atomically(path, good);
  fs::last_write_time(path, time + std::chrono::seconds(2));
  CHECK(load_scene_text(scene, {}, &cache).model.data().hash == first.model.data().hash);
}

TEST_CASE("mesh cache: meshes that are not used any more are forgotten", "[scene_file]") {
  const SceneText scene{
      R"({"bodies": [{"name": "b", "mesh": {"generate": "block", "cells_x": 1, "cells_y": 1, "cells_z": 1}}]})",
      ".", "t.json"};
  MeshCache cache;
  load_scene_text(scene, {}, &cache);
  for (int n = 2; n < 12; ++n) {
    load_scene_text(scene, {"bodies.b.mesh.cells_x=" + std::to_string(n)}, &cache);
    CHECK(cache.size() == std::min<std::size_t>(n, MeshCache::kLoads + 1));
  }
}
