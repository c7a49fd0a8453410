// The table of keys against the files made from it, and against the scene that uses every key.
#include <set>

#include <sinew/scene.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/scene/json_node.hpp"
#include "engine/scene/scene_keys.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

/// All keys below a node, as "type.key", following the forms of the table.
void collect(const JsonNode& node, const ObjectType& type, std::set<std::string>& used) {
  for (const JsonNode::Member& member : node.members) {
    const Key* key = type.find(member.key);
    if (!key) continue;  // a parameter of a generator
    used.insert(type.name + "." + key->name);
    for (const ValueForm& form : key->forms) {
      if (form.kind == ValueForm::Kind::object && member.value.kind == JsonNode::Kind::object)
        collect(member.value, *form.object, used);
      if (form.kind == ValueForm::Kind::object_list && member.value.kind == JsonNode::Kind::list)
        for (const JsonNode& item : member.value.items) collect(item, *form.object, used);
    }
  }
}

}  // namespace

TEST_CASE("docs/scene.md and assets/scene.schema.json are up to date", "[scene_file]") {
  INFO("build and run: sinew_scene_docs SOURCE_FOLDER");
  CHECK((read_file(std::string(SINEW_SOURCE_DIR) + "/docs/scene.md") == scene_documentation()));
  CHECK((read_file(std::string(SINEW_SOURCE_DIR) + "/assets/scene.schema.json") == scene_json_schema()));
}

TEST_CASE("all_keys.json uses every key of the table", "[scene_file]") {
  const std::string text = read_file(std::string(SINEW_TEST_DATA) + "/scenes/all_keys.json");
  std::set<std::string> used;
  collect(parse_json(text, {"all_keys.json", {}}), scene_type(), used);
  for (const ObjectType* type : all_object_types()) {
    for (const Key& key : type->keys) {
      INFO(type->name << "." << key.name);
      // The camera's direction excludes its eye; it has a test of its own.
      if (type->name == "camera" && key.name == "direction") continue;
      CHECK(used.count(type->name + "." + key.name) == 1);
    }
  }
}

TEST_CASE("rows of the table are complete", "[scene_file]") {
  std::set<std::string> names;
  for (const ObjectType* type : all_object_types()) {
    INFO(type->name);
    CHECK(names.insert(type->name).second);
    CHECK_FALSE(type->title.empty());
    CHECK_FALSE(type->text.empty());
    std::set<std::string> keys;
    for (const Key& key : type->keys) {
      INFO(key.name);
      CHECK(keys.insert(key.name).second);
      CHECK_FALSE(key.text.empty());
      CHECK(key.text.back() == '.');
      CHECK_FALSE(key.forms.empty());
      CHECK_FALSE((key.required && !key.default_value.empty()));
      for (const ValueForm& form : key.forms) {
        const bool holds_numbers = form.kind == ValueForm::Kind::number ||
                                   form.kind == ValueForm::Kind::integer ||
                                   form.kind == ValueForm::Kind::vector3;
        if (holds_numbers) CHECK_FALSE(key.unit_name.empty());
        if (holds_numbers) CHECK(key.bounds.min < key.bounds.max);
      }
    }
    for (const KeyChoice& choice : type->choices)
      for (const std::string& key : choice.keys) CHECK(type->find(key) != nullptr);
  }
  CHECK(names.count("body") == 1);
}

TEST_CASE("the schema tells units, bounds and defaults", "[scene_file]") {
  const JsonNode schema = parse_json(scene_json_schema(), {"schema", {}});
  const JsonNode& definitions = *schema.find("$defs");
  const JsonNode& step = *definitions.find("simulation")->find("properties")->find("time_step");
  CHECK(step.find("x-unit")->text == "s");
  CHECK(step.find("minimum")->number == 1e-6);
  CHECK(step.find("maximum")->number == 10);
  CHECK(step.find("default")->number == 0.01);
  CHECK(definitions.find("body")->find("required")->items.size() == 1);
  CHECK(definitions.find("body")->find("additionalProperties")->boolean == false);
  const JsonNode& ball = *definitions.find("mesh_ball");
  CHECK(ball.find("properties")->find("generate")->find("const")->text == "ball");
  CHECK(ball.find("properties")->find("radius")->find("x-unit")->text == "m");
  CHECK(definitions.find("mesh_cloth") == nullptr);
  CHECK(definitions.find("sheet_mesh_cloth") != nullptr);
  CHECK(definitions.find("sheet_mesh_ball") == nullptr);
  // Obstacles take every shape, with their own key beside its parameters.
  CHECK(definitions.find("obstacle_mesh_cloth") != nullptr);
  const JsonNode& obstacle_ball = *definitions.find("obstacle_mesh_ball")->find("properties");
  CHECK(obstacle_ball.find("radius") != nullptr);
  CHECK(obstacle_ball.find("contact_thickness") != nullptr);
  const JsonNode& file = *definitions.find("obstacle_mesh_file")->find("properties");
  CHECK(file.find("scale") != nullptr);
  CHECK(file.find("edges") == nullptr);
  const JsonNode& listed = *definitions.find("obstacle_mesh_positions")->find("properties");
  CHECK(listed.find("scale") == nullptr);
  CHECK(listed.find("edges")->find("items")->find("maxItems")->number == 2);
  CHECK(listed.find("triangles")->find("items")->find("items")->find("type")->text == "integer");
}

TEST_CASE("the documents name every key", "[scene_file]") {
  const std::string text = scene_documentation();
  for (const ObjectType* type : all_object_types()) {
    CHECK(text.find("\n## " + type->title + "\n") != std::string::npos);
    for (const Key& key : type->keys) CHECK(text.find("| `" + key.name + "` |") != std::string::npos);
  }
  CHECK(text.find("| `time_step` | number | s | `0.01` | at least 1e-6 and at most 10 |") !=
        std::string::npos);
}
