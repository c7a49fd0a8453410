#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/scene/scene_description.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

SceneDescription with(const std::vector<std::string>& overrides) {
  return read_scene_description(read_file(std::string(SINEW_TEST_DATA) + "/scenes/small.json"),
                                {"small.json", overrides});
}

std::string refusal(const std::string& override) {
  try {
    with({override});
  } catch (const SceneError& error) {
    CHECK(error.line() == 0);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("overrides go by key, index and name", "[scene_file]") {
  CHECK(with({"simulation.time_step=0.005"}).settings.time_step == 0.005);
  CHECK(with({"bodies.0.friction=0.2"}).bodies[0].spec.friction == 0.2);
  CHECK(with({"bodies.ball.friction=0.25"}).bodies[0].spec.friction == 0.25);
  CHECK(with({"obstacles.floor.friction=0.75"}).obstacles[0].spec.friction == 0.75);
  CHECK(with({"bodies.ball.transform.translate=[1, 2, 3]"}).bodies[0].spec.transform.translation ==
        Vec3d{1, 2, 3});
  CHECK(with({"bodies.ball.transform.translate.2=7"}).bodies[0].spec.transform.translation == Vec3d{0, 0, 7});
  CHECK(with({"bodies.ball.mesh.vertices=321"}).bodies[0].mesh.parameters.at("vertices") == 321);
}

TEST_CASE("overrides may add what the file leaves out, and take bare texts", "[scene_file]") {
  CHECK(with({"simulation.contact.enabled=false"}).settings.contact.enabled == false);
  CHECK(with({"solver.factor=eigen"}).settings.solver.factor == FactorLibrary::eigen);
  CHECK(with({"solver.global=\"pcg\""}).settings.solver.global == GlobalSolver::pcg);
  CHECK(with({"output.camera.eye=[1, 1, 1]"}).output.camera.eye == Vec3d{1, 1, 1});
  CHECK(with({"description=a = b"}).description == "a = b");
  CHECK(with({"description="}).description.empty());
  CHECK(with({"description=] ["}).description == "] [");
}

TEST_CASE("the last override wins, and later ones see earlier ones", "[scene_file]") {
  CHECK(with({"bodies.0.friction=0.2", "bodies.0.friction=0.3"}).bodies[0].spec.friction == 0.3);
  const SceneDescription scene =
      with({"pins=[{\"name\": \"p\", \"body\": \"ball\", \"region\": {\"all\": true}}]",
            "pins.p.region.surface_only=true"});
  REQUIRE(scene.pins.size() == 1);
  CHECK(scene.pins[0].spec.region.surface_only);
}

TEST_CASE("wrong overrides say which one and how to mend it", "[scene_file]") {
  CHECK(refusal("simulation.time_stp=1") ==
        "small.json: simulation.time_stp: unknown key 'time_stp', did you mean 'time_step'? "
        "(given by --set simulation.time_stp=1)");
  CHECK(refusal("bodies.bal.friction=1") ==
        "small.json: bodies.bal: there is no entry named 'bal', did you mean 'ball'? "
        "(given by --set bodies.bal.friction=1)");
  CHECK(refusal("bodies.3.friction=1") ==
        "small.json: bodies.3: there is no entry '3'; the list has 1 entry, index 0 "
        "(given by --set bodies.3.friction=1)");
  CHECK(refusal("bodies.-1.friction=1").find("there is no entry named '-1'") != std::string::npos);
  CHECK(refusal("bodies.0.friction=NaN").find("expected a number, found the text 'NaN'") !=
        std::string::npos);
  CHECK(refusal("bodies.0.friction=1e999").find("found the text '1e999'") != std::string::npos);
  CHECK(refusal("bodies.0.friction=1,2").find("found the text '1,2'") != std::string::npos);
  CHECK(refusal("bodies.0.friction=-2").find("is -2; must be at least 0") != std::string::npos);
  CHECK(refusal("bodies.0.friction.x=1").find("goes through the number 0.5, which has no parts") !=
        std::string::npos);
  CHECK(refusal("time_step").find("an override is written key.path=value") != std::string::npos);
  CHECK(refusal("=1").find("an override is written key.path=value") != std::string::npos);
  CHECK(refusal("simulation..x=1").find("has an empty part") != std::string::npos);
  CHECK(refusal("").find("an override is written") != std::string::npos);
  std::string deep = "simulation";
  for (int i = 0; i < 20000; ++i) deep += ".a";
  CHECK(refusal(deep + "=1").find("too many parts") != std::string::npos);
  CHECK(refusal("simulation.a.b.c.d.e.f=1").find("unknown key 'a'") != std::string::npos);
}
