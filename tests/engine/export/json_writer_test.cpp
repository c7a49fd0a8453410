#include "engine/export/json_writer.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include <json/json.h>

#include "tests/support/catch.hpp"

using sinew::JsonWriter;

namespace {
Json::Value parse(const std::string& text) {
  Json::Value root;
  std::string errors;
  std::istringstream stream(text);
  Json::CharReaderBuilder builder;
  Json::CharReaderBuilder::strictMode(&builder.settings_);
  REQUIRE(Json::parseFromStream(builder, stream, &root, &errors));
  return root;
}
}  // namespace

TEST_CASE("numbers come back bit for bit and keys keep their order") {
  JsonWriter json;
  json.begin_object();
  json.number("z", 0.1);
  json.number("a", 1.0 / 3.0);
  json.number("tiny", std::numeric_limits<double>::denorm_min());
  json.number("large", -std::numeric_limits<double>::max());
  json.integer("count", 9007199254740993);
  json.vector("v", {1.5, -0.1, 2e-9});
  json.begin_array("empty");
  json.end_array();
  json.end_object();
  const Json::Value root = parse(json.str());
  CHECK(root["z"].asDouble() == 0.1);
  CHECK(root["a"].asDouble() == 1.0 / 3.0);
  CHECK(root["tiny"].asDouble() == std::numeric_limits<double>::denorm_min());
  CHECK(root["large"].asDouble() == -std::numeric_limits<double>::max());
  CHECK(root["count"].asInt64() == 9007199254740993);
  CHECK(root["v"][1].asDouble() == -0.1);
  CHECK(root["v"].size() == 3);
  CHECK(root["empty"].isArray());
  CHECK(json.str().find("\"z\"") < json.str().find("\"a\""));
  CHECK(json.not_finite().empty());
}

TEST_CASE("values that are not finite become null and are named with their parents") {
  JsonWriter json;
  json.begin_object();
  json.begin_object("energy_J");
  json.number("elastic", std::nan(""));
  json.vector("v", {0.0, std::numeric_limits<double>::infinity(), 0.0});
  json.end_object();
  json.end_object();
  const Json::Value root = parse(json.str());
  CHECK(root["energy_J"]["elastic"].isNull());
  CHECK(root["energy_J"]["v"][1].isNull());
  CHECK(root["energy_J"]["v"][2].asDouble() == 0.0);
  CHECK(json.not_finite() == std::vector<std::string>{"energy_J.elastic", "energy_J.v"});
}

TEST_CASE("any bytes become valid text") {
  JsonWriter json;
  json.begin_array();
  json.text({}, "a \"quoted\" \\ back\n\tslash");
  json.text({}, "K\xC3\xB6rper \xE2\x82\xAC");
  json.text({}, "bad \xFF\xC0\xAF end \xE2\x82");
  json.end_array();
  const Json::Value root = parse(json.str());
  CHECK(root[0].asString() == "a \"quoted\" \\ back\n\tslash");
  CHECK(root[1].asString() == "K\xC3\xB6rper \xE2\x82\xAC");
  const std::string replaced = "\xEF\xBF\xBD";
  CHECK(root[2].asString() == "bad " + replaced + replaced + replaced + " end " + replaced + replaced);
}
