// benchmarks/table3.csv: which of our scenes stands beside which published frame.
#include <cmath>
#include <fstream>
#include <sstream>

#include <sinew/scene.hpp>

#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

struct Row {
  std::string example, scene;
  double vertices_k = 0.0, elements_k = 0.0, frame_max_ms = 0.0;
  std::vector<std::string> settings;

  std::string file() const {
    const std::string root = SINEW_SOURCE_DIR;
    return scene.rfind("bench/", 0) == 0 ? root + "/benchmarks/scenes/" + scene.substr(6) + ".json"
                                         : root + "/assets/" + scene + ".json";
  }
};

std::vector<Row> rows() {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/benchmarks/table3.csv");
  std::vector<Row> all;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line.rfind("example,", 0) == 0) continue;
    std::istringstream cells(line);
    std::string vertices, ms, frames, settings, elements;
    Row row;
    std::getline(cells, row.example, ',');
    std::getline(cells, vertices, ',');
    std::getline(cells, ms, ',');
    std::getline(cells, row.scene, ',');
    std::getline(cells, frames, ',');
    std::getline(cells, settings, ',');
    std::getline(cells, elements, ',');
    row.vertices_k = std::stod(vertices);
    row.elements_k = std::stod(elements);
    row.frame_max_ms = std::stod(ms);
    CHECK(std::stoi(frames) > 0);
    std::istringstream words(settings);
    for (std::string word; words >> word;) row.settings.push_back(word);
    all.push_back(row);
  }
  return all;
}

}  // namespace

TEST_CASE("published table: all rows are there") {
  const std::vector<Row> all = rows();
  REQUIRE(all.size() == 23);
  CHECK(all[2].example == "Twisting Bar");
  CHECK(all[2].frame_max_ms == 28.55);
  double sum = 0.0;
  for (const Row& row : all) sum += row.frame_max_ms;
  CHECK(sum == Approx(914.28));
}

TEST_CASE("published table: every row is a scene of ours with as many vertices and elements", "[slow]") {
  for (const Row& row : rows()) {
    INFO(row.example << " " << row.vertices_k);
    const Scene scene = load_scene(row.file(), row.settings);
    CHECK(scene.settings.iterations == 5);
    REQUIRE(scene.model.body_count() > 0);
    std::size_t vertices = 0, elements = 0;
    for (std::size_t b = 0; b < scene.model.body_count(); ++b) {
      const BodySpec body = scene.model.body(b);
      vertices += body.sheet ? body.sheet->mesh.points.size() : body.mesh.nodes.size();
      elements += body.sheet ? body.sheet->mesh.triangles.size() : body.mesh.tets.size();
    }
    INFO(vertices << " vertices, " << elements << " elements");
    CHECK(std::abs(static_cast<double>(vertices) / (1000.0 * row.vertices_k) - 1.0) < 0.03);
    CHECK(std::abs(static_cast<double>(elements) / (1000.0 * row.elements_k) - 1.0) < 0.15);
  }
}
