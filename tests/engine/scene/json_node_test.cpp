#include <random>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/scene/json_node.hpp"
#include "engine/scene/scene_description.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

JsonNode parse(const std::string& text) {
  return parse_json(text, {"t.json", {}});
}

int error_line(const std::string& text) {
  try {
    parse(text);
  } catch (const SceneError& error) {
    return error.line();
  }
  return -1;
}

/// Reads any bytes: true for a scene, false for a SceneError. Anything else fails the test.
bool reads(const std::string& text) {
  try {
    read_scene_description(text, {"bytes", {}});
    return true;
  } catch (const SceneError& error) {
    const std::string what = error.what();
    REQUIRE(what.find('\n') == std::string::npos);
    REQUIRE(what.size() < 700);
    return false;
  }
}

std::string small_scene() {
  return read_file(std::string(SINEW_TEST_DATA) + "/scenes/small.json");
}

}  // namespace

TEST_CASE("values know their lines and keep the order of the file", "[scene_file]") {
  const JsonNode root =
      parse("// head\n{\n  \"z\": 1,\n  \"a\"\n  : [\n    true,\n    \"x\"\n  ] /* tail */\n}\n");
  REQUIRE(root.members.size() == 2);
  CHECK(root.line == 2);
  CHECK(root.members[0].key == "z");
  CHECK(root.members[0].value.line == 3);
  CHECK(root.members[1].key == "a");
  CHECK(root.members[1].key_line == 4);
  CHECK(root.members[1].value.line == 5);
  CHECK(root.members[1].value.items[0].line == 6);
  CHECK(root.members[1].value.items[1].line == 7);
  CHECK(root.members[1].value.items[1].text == "x");
}

TEST_CASE("comments and a byte order mark are allowed", "[scene_file]") {
  CHECK(parse("\xEF\xBB\xBF{\n/* // \" { */ \"a\": 1 // \"b\": 2\n}").members.size() == 1);
  CHECK(parse("{\"url\": \"http://x/*y*/\"}").members[0].value.text == "http://x/*y*/");
  CHECK(error_line("\xEF\xBB\xBF{\n\n\"a\": }") == 3);
}

TEST_CASE("lines of syntax errors", "[scene_file]") {
  CHECK(error_line("{\n\"a\": 1\n\"b\": 2\n}") == 3);
  CHECK(error_line("{\n\"a\": [1,\n2,\n]}") == 4);
  CHECK(error_line("{\n\"a\": 1,\n\n\"a\": 2}") == 4);
  CHECK(error_line("{}\n{}") == 2);
  CHECK(error_line("{\n\"a\": 1e999}") == 2);
  CHECK(error_line("{\r\n\"a\": x}") == 2);
}

TEST_CASE("numbers in messages read back to the same value", "[scene_file]") {
  for (const double value : {0.1, 1e-9, 9.81, 1.0 / 3.0, 1e300, 2.3e-308, -2.5e7, 1e100, 12345678901.0})
    CHECK(std::stod(number_text(value)) == value);
  CHECK(number_text(0.01) == "0.01");
  CHECK(number_text(-0.0) == "0");
  CHECK(number_text(3.0) == "3");
  CHECK(number_text(1e9) == "1e9");
  CHECK(number_text(-2.5e7) == "-25e6");
  CHECK(number_text(1e-9) == "1e-9");
  CHECK(number_text(1e300) == "1e300");
}

TEST_CASE("text in messages is one short line of whole characters", "[scene_file]") {
  CHECK(shown("a\nb\x01") == "a?b?");
  CHECK(shown(std::string(100, 'x')) == std::string(60, 'x') + "...");
  // 59 letters and a character of two bytes: it is cut off whole.
  CHECK(shown(std::string(59, 'x') + "\xC3\xA4" + "yyy") == std::string(59, 'x') + "...");
  CHECK(quoted("a\"\\\n") == "\"a\\\"\\\\\\u000a\"");
}

TEST_CASE("every prefix of a scene is refused, none crashes", "[scene_file]") {
  const std::string scene = small_scene();
  REQUIRE(reads(scene));
  const std::size_t end = scene.rfind('}');
  for (std::size_t length = 0; length <= end; ++length) {
    INFO(length);
    REQUIRE_FALSE(reads(scene.substr(0, length)));
  }
}

TEST_CASE("damaged bytes give a scene or an error, never a crash", "[scene_file]") {
  const std::string scene = small_scene();
  std::mt19937 random(7);
  const std::string spice = "{}[]\",:/*\\0-e.\n\xff";
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = scene;
    for (unsigned i = 0; i <= random() % 3; ++i) {
      const std::size_t at = random() % damaged.size();
      if (random() % 3 == 0)
        damaged.erase(at, 1 + random() % 20);
      else
        damaged[at] = spice[random() % spice.size()];
      if (damaged.empty()) damaged = " ";
    }
    refused += !reads(damaged);
  }
  CHECK(refused > 1500);
}

TEST_CASE("garbage, deep nesting and huge values are refused", "[scene_file]") {
  std::mt19937 random(3);
  std::string noise(5000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  CHECK_FALSE(reads(noise));
  CHECK_FALSE(reads(std::string("{\0}", 3)));
  CHECK_FALSE(reads(std::string(1000000, '[')));
  CHECK_FALSE(reads("{\"bodies\": " + std::string(100000, '[') + std::string(100000, ']') + "}"));
  std::string nested;
  for (int i = 0; i < 100000; ++i) nested += "{\"a\":";
  CHECK_FALSE(reads(nested));
  CHECK_FALSE(reads("\"" + std::string(1 << 22, 'x')));
  CHECK_FALSE(reads("{\"" + std::string(1 << 20, 'k') + "\": 1}"));
  CHECK_FALSE(reads("{\"simulation\": {\"frames\": 99999999999999999999999999}}"));
  CHECK_FALSE(reads("{\"simulation\": {\"frames\": " + std::string(5000, '9') + "}}"));
  CHECK_FALSE(reads("/"));
  CHECK_FALSE(reads("/*"));
  CHECK_FALSE(reads("\\u"));
  CHECK_FALSE(reads("{\"\\uD800\": 1}"));
}
