#include "apps/sinew/checkpoint.hpp"

#include <sinew/errors.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/small_model.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;

TEST_CASE("a checkpoint brings back the same bits", "[scene]") {
  const test::TemporaryFolder folder;
  Simulation first(test::small_model());
  for (int i = 0; i < 5; ++i) first.step();
  app::write_checkpoint(folder / "c", first);
  Simulation second(test::small_model());
  app::resume_from(folder / "c", second);
  CHECK(second.frame() == 5);
  CHECK(second.state_hash() == first.state_hash());
  for (int i = 0; i < 5; ++i) {
    first.step();
    second.step();
  }
  CHECK(second.state_hash() == first.state_hash());

  SimulationSettings other;
  other.time_step = 0.005;
  Simulation third(test::small_model(), other);
  CHECK_THROWS_AS(app::resume_from(folder / "c", third), ModelError);
  CHECK(third.frame() == 0);
  CHECK_THROWS_AS(app::resume_from(folder / "none", third), IoError);
}
