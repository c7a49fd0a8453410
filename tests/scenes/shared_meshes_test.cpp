// Meshes of other people, dropped on a floor: read, judged, and either simulated or refused with a reason.
// The folder comes from the environment variable SINEW_SHARED_DATA; without it there is nothing to do.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <sinew/sinew.hpp>

#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

const std::set<std::string> kMustRun = {"finger.vtk",       "springy.vtu", "tentacle.vtk", "sphere1K.msh",
                                        "Armadillo13K.msh", "bar-651.msh", "torus.msh",    "spot.obj",
                                        "bunny.obj",        "cow.obj"};

/// Largest extent [unit] of the nodes.
double extent(const std::vector<Vec3d>& points) {
  Vec3d low = points.at(0), high = low;
  for (const Vec3d& p : points) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

/// The mesh ready to simulate, or "" and the reason in refusal.
TetMesh prepare(const std::string& path, std::string& refusal) {
  try {
    MeshFile file = read_mesh(path);
    if (!file.is_volume()) {
      TetrahedralizeSettings settings;
      settings.vertices = 2000;
      return tetrahedralize(file.surface, settings);
    }
    repair_mesh(file, RepairLevel::harmless);
    const MeshReport report = inspect_mesh(file);
    if (!report.simulable()) {
      for (const MeshFault& fault : report.faults)
        if (fault.severity == MeshFault::Severity::error) refusal += fault.kind + ": " + fault.what + "; ";
      return {};
    }
    return file.mesh;
  } catch (const Error& error) {
    refusal = error.what();
    return {};
  }
}

/// Dropped from half its height, 5 s, default material and damping.
void drop(const TetMesh& mesh) {
  BodySpec body;
  body.name = "body";
  body.mesh = mesh;
  const double size = 0.5;
  const double scale = size / extent(mesh.nodes);
  body.transform.scale = {scale, scale, scale};
  Vec3d low{1e300, 1e300, 1e300}, high = -low;
  const std::vector<Vec3d> skin = mesh.surface.empty() ? mesh.nodes : embedded_points(mesh, mesh.nodes);
  for (const Vec3d& p : skin) {
    low = component_min(low, scale * p);
    high = component_max(high, scale * p);
  }
  const double height = 0.5 * (high.z - low.z);
  body.transform.translation = {0, 0, height - low.z};
  ObstacleSpec floor;
  floor.name = "floor";
  floor.shape = HalfSpaceShape{};
  ModelBuilder builder;
  SimulationSettings simulation_settings;
  simulation_settings.iterations = 20;
  simulation_settings.tolerance = 1e-3;
  Simulation simulation(builder.add(body).add(floor).build(), simulation_settings);

  const double drop_energy = simulation.model().body_mass(0) * 9.81 * height;
  const double start = simulation.statistics().energy.total();  // from the floor, z = 0
  double lowest = start, worst_rise = 0.0, worst_penetration = 0.0;
  for (int n = 0; n < 500; ++n) {
    const StepStatistics& s = simulation.step();
    REQUIRE(std::isfinite(s.energy.total()));
    worst_rise = std::max(worst_rise, (s.energy.total() - lowest) / start);
    lowest = std::min(lowest, s.energy.total());
    worst_penetration = std::max(worst_penetration, s.max_penetration_m);
  }
  UNSCOPED_INFO("rise " << worst_rise << " of the start, penetration " << worst_penetration
                        << " m, kinetic at the end " << simulation.statistics().energy.kinetic / drop_energy
                        << " of the drop");
  CHECK(worst_rise < 1e-3);
  CHECK(worst_penetration < 1e-4 * size);
  CHECK(simulation.statistics().energy.kinetic < 0.01 * drop_energy);
}

}  // namespace

TEST_CASE("meshes from elsewhere: dropped for 5 s, or refused with the fault", "[slow]") {
  const char* folder = std::getenv("SINEW_SHARED_DATA");
  if (!folder) {
    WARN("SINEW_SHARED_DATA is not set: skipped");
    return;
  }
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() != ".md")
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  CHECK(!names.empty());
  for (const std::string& name : names) {
    DYNAMIC_SECTION(name) {
      std::string refusal;
      const TetMesh mesh = prepare(std::string(folder) + "/" + name, refusal);
      INFO(refusal);
      if (mesh.tets.empty()) {
        CHECK(kMustRun.count(name) == 0);
        CHECK(refusal.size() > 10);
        WARN(name << " refused: " << refusal);
      } else {
        drop(mesh);
      }
    }
  }
}
