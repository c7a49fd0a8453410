// Each key of the format arrives where it belongs (tests/data/scenes/all_keys.json).
#include <cmath>
#include <numbers>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/scene/scene_description.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

SceneDescription read_text(const std::string& text) {
  return read_scene_description(text, {"t.json", {}});
}

const SceneDescription& all_keys() {
  static const SceneDescription scene = read_scene_description(
      read_file(std::string(SINEW_TEST_DATA) + "/scenes/all_keys.json"), {"all_keys.json", {}});
  return scene;
}

double distance(const Vec3d& a, const Vec3d& b) {
  return norm(a - b);
}

std::string body_scene(const std::string& extra) {
  return "{\"bodies\": [{\"name\": \"b\", \"mesh\": {\"generate\": \"ball\"}" + extra + "}]}";
}

}  // namespace

TEST_CASE("simulation and output settings arrive", "[scene_file]") {
  const SceneDescription& s = all_keys();
  CHECK(s.name == "all");
  CHECK(s.description == "every key");
  CHECK(s.settings.time_step == 0.004);
  CHECK(s.settings.iterations == 9);
  CHECK(s.settings.tolerance == 1e-5);
  CHECK(s.settings.budget_ms == 12.5);
  CHECK(s.settings.history == 3);
  CHECK(s.gravity == Vec3d{1, 2, -3});
  CHECK(s.settings.threads == 2);
  CHECK(s.settings.solver.scheme == ElasticScheme::admm);
  CHECK(s.settings.solver.global == GlobalSolver::triangular);
  CHECK(s.settings.solver.stages == 4);
  CHECK(s.settings.solver.precision == SolverPrecision::mixed);
  CHECK(s.settings.solver.refinement_steps == 2);
  CHECK(s.settings.solver.factor == FactorLibrary::eigen);
  CHECK(s.settings.solver.preconditioner == Preconditioner::block_jacobi);
  CHECK(s.settings.solver.pcg_tolerance == 1e-6);
  CHECK(s.settings.solver.pcg_max_iterations == 77);
  CHECK_FALSE(s.settings.solver.cache);
  CHECK(s.settings.solver.cache_folder == "kept");
  CHECK(s.settings.memory_limit_bytes == 1e9);
  CHECK(s.settings.contact.enabled == false);
  CHECK(s.settings.contact.max_sweeps == 33);
  CHECK(s.settings.contact.tolerance == 1e-7);
  CHECK(s.settings.contact.margin == 0.002);
  CHECK(s.settings.contact.max_depenetration_speed == 0.5);
  CHECK(s.settings.contact.delassus == DelassusWay::gram);
  CHECK(s.settings.contact.broad_phase == BroadPhase::device);
  CHECK(s.settings.contact.nsn.form == NewtonForm::published);
  CHECK(s.settings.contact.nsn.scaling == RowScaling::mass);
  CHECK(s.settings.contact.nsn.steps == 2);
  CHECK(s.settings.contact.nsn.krylov_iterations == 11);
  CHECK(s.output.frames == 17);
  CHECK(s.output.export_every == 7);
  CHECK(s.output.width == 320);
  CHECK(s.output.height == 200);
  CHECK(s.output.camera.eye == Vec3d{3, 2, 1});
  CHECK(s.output.camera.target == Vec3d{0, 0.5, 0});
  CHECK(s.output.camera.vertical_fov_deg == 50);
  CHECK_FALSE(s.output.camera.direction);
  const SceneDescription looking =
      read_scene_description(body_scene(""), {"t.json", {"output.camera.direction=[0, 2, 0]"}});
  CHECK(looking.output.camera.direction == Vec3d{0, 1, 0});
}

TEST_CASE("body keys arrive", "[scene_file]") {
  REQUIRE(all_keys().bodies.size() == 6);
  const BodySpec& b = all_keys().bodies[0].spec;
  CHECK(b.name == "made");
  CHECK(b.material.kind == MaterialKind::arap);
  CHECK(b.material.young_modulus == 2e4);
  CHECK(b.material.poisson_ratio == 0.3);
  CHECK(b.material.rayleigh_alpha == 0.25);
  CHECK(b.material.rayleigh_beta == 0.03);
  CHECK(b.density == 800);
  CHECK(b.friction == 0.35);
  CHECK(b.velocity == Vec3d{0.1, 0.2, 0.3});
  CHECK(b.angular_velocity == Vec3d{1, 0, -1});
  CHECK(b.color == Vec3d{0.1, 0.5, 1});
  // First scale, then a quarter turn about z, then one about x, then the shift. Quarter turns are exact.
  CHECK(b.transform.apply({1, 0, 0}) == Vec3d{4, 5, 7});
  CHECK(b.transform.apply({0, 1, 0}) == Vec3d{2, 5, 6});
  CHECK(b.transform.apply({0, 0, 1}) == Vec3d{4, 2, 6});
  CHECK_FALSE(b.material.lame);
  const Material& rubber = all_keys().bodies[3].spec.material;
  CHECK(rubber.kind == MaterialKind::mooney_rivlin);
  CHECK(rubber.lame == LameParameters{3e3, 7e4});
  CHECK(rubber.shear_modulus() == 3e3);
  CHECK(rubber.first_lame() == 7e4);
  CHECK(rubber.mooney_ratio == 0.4);
  CHECK(all_keys().bodies[1].spec.material.kind == MaterialKind::stable_neo_hookean);
  CHECK_FALSE(all_keys().bodies[1].spec.color);
  const Vec3d turned = all_keys().bodies[1].spec.transform.apply({1, 0, 0});
  CHECK(distance(turned, {std::sqrt(3.0), 0, -1}) < 1e-15);
}

TEST_CASE("sheet and spring keys arrive", "[scene_file]") {
  const BodyDescription& cloth = all_keys().bodies[4];
  REQUIRE(cloth.spec.sheet);
  CHECK(cloth.mesh.shape == "cloth");
  CHECK(cloth.mesh.parameters ==
        std::map<std::string, double>{{"size_x", 2}, {"cells_x", 4}, {"cells_y", 3}});
  CHECK(cloth.spec.material.kind == MaterialKind::arap);
  const Sheet& sheet = *cloth.spec.sheet;
  CHECK(sheet.thickness == 0.002);
  CHECK(sheet.area_density == 0.7);
  CHECK(sheet.strain_limit == 0.15);
  CHECK(sheet.bending.model == BendingModel::laplace_beltrami);
  CHECK(sheet.bending.stiffness == 0.003);
  CHECK(sheet.bending.flat_rest);
  REQUIRE(cloth.spec.springs.size() == 2);
  CHECK(cloth.spec.springs[0].nodes == std::array<Index, 2>{0, 19});
  CHECK(cloth.spec.springs[0].stiffness == 12);
  CHECK(cloth.spec.springs[0].rest_length == 0.5);
  CHECK_FALSE(cloth.spec.springs[1].rest_length);

  const BodyDescription& file = all_keys().bodies[5];
  REQUIRE(file.spec.sheet);
  CHECK(file.mesh.file == "meshes/cube.obj");
  CHECK(file.mesh.scale == 0.5);
  CHECK(file.spec.sheet->bending.model == BendingModel::isometric);
  CHECK_FALSE(file.spec.sheet->bending.flat_rest);
  CHECK_FALSE(file.spec.sheet->area_density);
  CHECK_FALSE(all_keys().bodies[3].spec.sheet);
}

TEST_CASE("mesh keys arrive", "[scene_file]") {
  const MeshSource& made = all_keys().bodies[0].mesh;
  CHECK(made.shape == "block");
  CHECK(made.parameters ==
        std::map<std::string, double>{{"size_x", 0.5}, {"cells_x", 2}, {"cells_y", 3}, {"cells_z", 4}});
  const MeshSource& volume = all_keys().bodies[1].mesh;
  CHECK(volume.file == "meshes/tet.vtk");
  CHECK(volume.scale == 0.01);
  CHECK(volume.scale_given);
  CHECK_FALSE(volume.tetrahedralize);
  const MeshSource& surface = all_keys().bodies[2].mesh;
  REQUIRE(surface.tetrahedralize);
  CHECK(surface.tetrahedralize->vertices == 1000);
  CHECK(surface.tetrahedralize->embed == false);
  CHECK_FALSE(surface.scale_given);
  const MeshSource& cells = all_keys().bodies[3].mesh;
  REQUIRE(cells.tetrahedralize);
  CHECK(cells.tetrahedralize->cell == 0.25);
  CHECK(cells.tetrahedralize->winding_threshold == 0.4);
  CHECK(cells.tetrahedralize->embed);
}

TEST_CASE("obstacle keys arrive", "[scene_file]") {
  const auto& o = all_keys().obstacles;
  REQUIRE(o.size() == 8);
  CHECK(std::holds_alternative<HalfSpaceShape>(o[0].spec.shape));
  CHECK(o[0].spec.friction == 0.9);
  CHECK(o[0].spec.color == Vec3d{1, 0, 0.5});
  CHECK(o[0].spec.movable);
  CHECK_FALSE(o[1].spec.movable);
  CHECK(std::get<SphereShape>(o[1].spec.shape).radius == 0.7);
  CHECK(o[1].spec.pose.translation == Vec3d{7, 8, 9});
  CHECK(std::get<BoxShape>(o[2].spec.shape).half_extents == Vec3d{1, 2, 3});
  CHECK(o[2].spec.pose.apply({1, 0, 0}) == Vec3d{0, 1, 0});
  CHECK(std::get<CapsuleShape>(o[3].spec.shape).radius == 0.1);
  CHECK(std::get<CapsuleShape>(o[3].spec.shape).half_length == 1.5);
  CHECK(o[3].spec.pose.apply({0, 0, 1}) == Vec3d{0, 1, 0});
  CHECK(std::get<CylinderShape>(o[4].spec.shape).radius == 0.2);
  CHECK(std::get<CylinderShape>(o[4].spec.shape).half_length == 2.5);
  const Motion& motion = o[4].spec.motion;
  REQUIRE(motion.keyframes.size() == 2);
  CHECK(motion.keyframes[0].time == 0.5);
  CHECK(motion.keyframes[0].translation == Vec3d{1, 0, 0});
  CHECK(motion.keyframes[0].rotation == Vec3d{});
  CHECK(motion.keyframes[1].time == 2);
  // More than a full turn stays more than a full turn.
  CHECK(distance(motion.keyframes[1].rotation, {0, 0, -3 * std::numbers::pi}) < 1e-15);
  CHECK(motion.velocity == Vec3d{0, 0, 1});
  CHECK(motion.spin == Vec3d{0, 6, 0});
  CHECK(o[3].spec.motion.is_static());
}

TEST_CASE("mesh obstacles, contact thickness and friction pairs arrive", "[scene_file]") {
  const auto& o = all_keys().obstacles;
  REQUIRE(o[5].mesh);
  CHECK(o[5].mesh->file == "meshes/cube.obj");
  CHECK(o[5].mesh->scale == 0.5);
  CHECK(o[5].mesh_place.path == "obstacles.5.shape.mesh.file");
  CHECK(std::get<MeshShape>(o[5].spec.shape).thickness == 0.01);
  REQUIRE(o[6].mesh);
  CHECK(o[6].mesh->shape == "capsule");
  CHECK(o[6].mesh->parameters == std::map<std::string, double>{{"radius", 0.2}, {"vertices", 500}});
  CHECK(std::get<MeshShape>(o[6].spec.shape).thickness == 0.02);
  CHECK_FALSE(o[7].mesh);
  const MeshShape& listed = std::get<MeshShape>(o[7].spec.shape);
  CHECK(listed.mesh.points == std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}});
  CHECK(listed.mesh.triangles == std::vector<Triangle>{{0, 1, 2}});
  CHECK(listed.edges == std::vector<std::array<Index, 2>>{{2, 3}, {0, 3}});
  CHECK(listed.points == std::vector<Index>{3});
  CHECK(listed.thickness == 0.0);
  CHECK(all_keys().bodies[0].spec.contact_thickness == 0.003);
  CHECK(all_keys().bodies[0].spec.self_contact == true);
  CHECK_FALSE(all_keys().bodies[1].spec.contact_thickness);
  CHECK_FALSE(all_keys().bodies[1].spec.self_contact);
  const auto& pairs = all_keys().friction_pairs;
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].pair.a == "made");
  CHECK(pairs[0].pair.b == "mesh_file");
  CHECK(pairs[0].pair.friction == 0.15);
  CHECK(pairs[1].place.path == "friction_pairs.1");
}

TEST_CASE("pins and forces arrive", "[scene_file]") {
  const auto& pins = all_keys().pins;
  REQUIRE(pins.size() == 3);
  CHECK(std::holds_alternative<Region::All>(pins[0].spec.region.shape));
  CHECK_FALSE(pins[0].spec.region.surface_only);
  CHECK_FALSE(pins[0].spec.origin);
  CHECK(std::get<Region::Box>(pins[1].spec.region.shape).min == Vec3d{-9, -9, -9});
  CHECK(std::get<Region::Box>(pins[1].spec.region.shape).max == Vec3d{9, 9, 9.5});
  CHECK(pins[1].spec.region.surface_only);
  CHECK(pins[2].spec.body == "volume_file");
  CHECK(std::get<Region::Ball>(pins[2].spec.region.shape).center == Vec3d{1, 2, 3});
  CHECK(std::get<Region::Ball>(pins[2].spec.region.shape).radius == 8);
  CHECK(pins[2].spec.motion.velocity == Vec3d{1, 2, 3});
  CHECK(pins[2].spec.origin == Vec3d{0.5, 0.25, 0});
  CHECK(pins[2].region_place.path == "pins.2.region");
  const auto& forces = all_keys().forces;
  REQUIRE(forces.size() == 2);
  CHECK(forces[0].spec.name == "constant");
  CHECK(std::get<Region::HalfSpace>(forces[0].spec.region.shape).point == Vec3d{0, 1, 6});
  CHECK(std::get<Region::HalfSpace>(forces[0].spec.region.shape).normal == Vec3d{0, 0, 1});
  CHECK(forces[0].spec.force.values == std::vector<Vec3d>{{1, 2, 3}});
  CHECK(forces[1].spec.body == "volume_file");
  CHECK(std::get<Region::Nodes>(forces[1].spec.region.shape).indices == std::vector<Index>{3, 0});
  CHECK(forces[1].spec.force.times == std::vector<double>{1, 2.5});
  CHECK(forces[1].spec.force.values == std::vector<Vec3d>{{0, 0, 5}, {0, 0, -5}});
}

TEST_CASE("every key of handles arrives", "[scene_file]") {
  const auto& handles = all_keys().handles;
  REQUIRE(handles.size() == 8);
  const auto& grab = std::get<GrabSpec>(handles[0].spec);
  CHECK(grab.name == "grab");
  CHECK(grab.point.body == "made");
  CHECK(grab.point.nearest_to == Vec3d{0, 0, 5});
  CHECK(grab.target.times == std::vector<double>{0, 2});
  CHECK(grab.target.values == std::vector<Vec3d>{{1, 2, 3}, {1, 2, 4}});
  CHECK(grab.compliance == 0.001);
  CHECK(std::get<GrabSpec>(handles[1].spec).point.surface_point == 1);
  CHECK(std::get<GrabSpec>(handles[1].spec).target.values == std::vector<Vec3d>{{0, 0, 7}});
  const auto& hold = std::get<HoldSpec>(handles[2].spec);
  CHECK(hold.body == "volume_file");
  CHECK(std::holds_alternative<Region::All>(hold.region.shape));
  CHECK(hold.motion.velocity == Vec3d{0, 1, 0});
  CHECK(hold.origin == Vec3d{0, 0, 1});
  CHECK(hold.compliance == 1);
  CHECK(handles[2].region_place.path == "handles.2.hold.region");
  const auto& weld = std::get<WeldSpec>(handles[3].spec);
  CHECK(weld.body_a == "sheet_file");
  CHECK(weld.body_b == "surface_cells");
  CHECK(handles[3].region_body == "sheet_file");
  CHECK(weld.compliance == 0.5);
  const auto& attachment = std::get<AttachmentSpec>(handles[4].spec);
  CHECK(attachment.frame.apply({0, 0, 1}) == Vec3d{2, 0, 2});
  CHECK(attachment.motion.spin == Vec3d{0, 0, 1});
  CHECK(attachment.compliance == 0.25);
  const auto& cable = std::get<CableSpec>(handles[5].spec);
  REQUIRE(cable.points.size() == 3);
  CHECK(std::get<Vec3d>(cable.points[0]) == Vec3d{0, 0, 9});
  CHECK(std::get<BodyPoint>(cable.points[1]).triangle == 2);
  CHECK(std::get<BodyPoint>(cable.points[1]).barycentric == Vec3d{0.5, 0.25, 0.25});
  CHECK(std::get<BodyPoint>(cable.points[2]).surface_point == 3);
  CHECK(cable.length.values == std::vector<double>{12, 10});
  CHECK(cable.two_sided);
  CHECK(cable.compliance == 0.125);
  CHECK(std::get<CableSpec>(handles[6].spec).tension.values == std::vector<double>{3});
}

TEST_CASE("what a scene leaves out has the defaults of the structs", "[scene_file]") {
  const SceneDescription s = read_text(body_scene(""));
  CHECK(s.settings.time_step == SimulationSettings{}.time_step);
  CHECK(s.settings.iterations == SimulationSettings{}.iterations);
  CHECK(s.gravity == Vec3d{0, 0, -9.81});
  CHECK(s.output.frames == OutputSpec{}.frames);
  CHECK(s.bodies[0].spec.density == BodySpec{}.density);
  CHECK(s.bodies[0].spec.transform.apply({1, 2, 3}) == Vec3d{1, 2, 3});
  CHECK(s.bodies[0].place.line == 1);
  CHECK(s.obstacles.empty());
}

TEST_CASE("axis turns local z onto any direction by a proper rotation", "[scene_file]") {
  for (const Vec3d& axis : {Vec3d{0, 0, 1}, Vec3d{0, 0, -1}, Vec3d{1, 0, 0}, Vec3d{0, -2, 0}, Vec3d{1, 2, 3},
                            Vec3d{1e-7, 0, -1}, Vec3d{-3, 1e-9, 1}}) {
    const std::string list =
        "[" + number_text(axis.x) + ", " + number_text(axis.y) + ", " + number_text(axis.z) + "]";
    INFO(list);
    const SceneDescription s = read_text(
        "{\"bodies\": [{\"name\": \"b\", \"mesh\": {\"generate\": \"ball\"}}], \"obstacles\": "
        "[{\"name\": \"o\", \"shape\": {\"half_space\": {}}, \"axis\": " +
        list + "}]}");
    const Mat3d& r = s.obstacles[0].spec.pose.rotation;
    CHECK(distance(r.column(2), normalized(axis)) < 1e-15);
    CHECK(determinant(r) == Approx(1.0).margin(1e-14));
    const Mat3d e = transpose(r) * r - Mat3d::identity();
    CHECK(std::sqrt(double_dot(e, e)) < 1e-14);
  }
}
