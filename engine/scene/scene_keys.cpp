// Rows are in the order of the documents. Defaults come from the structs that they fill, so they exist once.
#include "engine/scene/scene_keys.hpp"

#include <sinew/mesh_generation.hpp>
#include <sinew/scene.hpp>

#include "engine/common/solver_names.hpp"
#include "engine/scene/json_node.hpp"

namespace sinew {

namespace {

using Kind = ValueForm::Kind;

// Bounds that only catch slips of the pen and keep sums finite.
constexpr double kFar = 1e6;       // [m], coordinates
constexpr double kFast = 1e6;      // [m/s], [rad/s]
constexpr double kLate = 1e6;      // [s]
constexpr double kStrong = 1e12;   // [N]
constexpr double kMaxCount = 2e9;  // fits an Index

Key make(const char* name, Kind kind, const char* text) {
  return Key{name, {{kind, nullptr}}, text, "", "", {}, false, {}};
}
Key boolean(const char* name, bool by_default, const char* text) {
  return make(name, Kind::boolean, text).by_default_json(by_default ? "true" : "false");
}
Key integer(const char* name, const char* text) {
  return make(name, Kind::integer, text);
}
Key number(const char* name, const char* text) {
  return make(name, Kind::number, text);
}
Key text(const char* name, const char* what) {
  return make(name, Kind::text, what);
}
Key vector3(const char* name, const char* text) {
  return make(name, Kind::vector3, text);
}
Key position(const char* name, const char* text) {
  return vector3(name, text).unit("m").at_least(-kFar).at_most(kFar);
}
Key direction(const char* name, const char* text) {
  return vector3(name, text).unit("1").at_least(-kFar).at_most(kFar);
}
Key object(const char* name, const ObjectType& type, const char* text) {
  return Key{name, {{Kind::object, &type}}, text, "", "", {}, false, {}};
}
Key list(const char* name, const ObjectType& type, const char* text) {
  return Key{name, {{Kind::object_list, &type}}, text, "", "", {}, false, {}};
}
Key rotate(const ObjectType& rotation, const char* text) {
  return Key{"rotate", {{Kind::object, &rotation}, {Kind::object_list, &rotation}}, text, "", "", {}, false,
             {}};
}
Key color() {
  return vector3("color", "Colour in pictures, linear RGB; left out, the renderer chooses.")
      .unit("1")
      .at_least(0)
      .at_most(1);
}
Key friction(double by_default) {
  return number("friction",
                "Coefficient of friction mu; a pair in contact takes the geometric mean of its two, or "
                "friction_pairs.")
      .unit("1")
      .at_least(0)
      .at_most(100)
      .by_default(by_default);
}

// One row per key, its properties on the line below.
// clang-format off

const ObjectType& nsn_type() {
  static const NonsmoothSettings d;
  static const ObjectType type{"nsn", "Settings of nsn",
      "How the contact solvers \"nsn\" and \"nsn_gs\" work, for comparison with published ways.", {
    text("form", "\"exact\": the true derivative, made symmetric; \"published\": forces are taken as Omega times the unknown.")
        .one_of(newton_form_names()).by_default_json("\"exact\""),
    text("scaling", "The length that a force stands for: \"system\" is what its contact gives way under it in the "
         "time step, \"mass\" the same of a body without stiffness (inverse masses alone).")
        .one_of(row_scaling_names()).by_default_json("\"system\""),
    integer("steps", "Newton steps per contact solve, no more and no fewer (fixed work); 0: until the tolerance is met.")
        .unit("1").at_least(0).at_most(1e6).by_default(d.steps),
    integer("krylov_iterations", "Iterations of conjugate residual per step; with fixed steps always so many.")
        .unit("1").at_least(1).at_most(1e6).by_default(d.krylov_iterations),
  }, {}, false};
  return type;
}

const ObjectType& contact_type() {
  static const ContactSettings d;
  static const ObjectType type{"contact", "Contact settings",
      "How contact and friction are solved.", {
    boolean("enabled", d.enabled, "false: bodies pass through everything."),
    text("solver",
         "How the forces of contacts and handles are found: \"newton\" is Newton on the active set "
         "with a dense factor, \"gs\" block Gauss-Seidel, \"nsn\" non-smooth Newton with conjugate "
         "residual (the published way; friction creeps), \"nsn_gs\" the same with Gauss-Seidel to "
         "finish, \"interior_point\" slow and sure for up to 600 points; \"automatic\" is \"newton\", "
         "which turns to \"interior_point\" where it stalls.")
        .one_of(contact_solver_names()).by_default_json("\"automatic\""),
    integer("max_sweeps", "Gauss-Seidel sweeps per contact solve, at most.")
        .unit("1").at_least(1).at_most(1e6).by_default(d.max_sweeps),
    number("tolerance", "Residual (natural map of the contact law) at which solvers stop; 0: 1e-8 m/s times the time step.")
        .unit("m").at_least(0).at_most(1).by_default(d.tolerance),
    number(
        "margin",
        "Extra distance at which contacts are looked for; motion within the frame is always covered.")
        .unit("m").at_least(0).at_most(10).by_default(d.margin),
    number("max_depenetration_speed",
           "Overlaps that exist at the start are pushed out no faster than this.")
        .unit("m/s").above(0).at_most(1e3).by_default(d.max_depenetration_speed),
    text("delassus", "How the compliance of the contact points comes about: \"cache\" keeps columns of the inverse "
         "system from frame to frame, \"gram\" multiplies sparse columns anew (the published way); \"automatic\" is "
         "\"cache\" where its table fits the memory, else \"gram\". \"matrix_free\" forms no matrix, a product costs "
         "one global solve; \"automatic\" takes it where the matrix passes half of the memory limit. Of the "
         "solvers \"newton\" works with it, the others give way to \"nsn\".")
        .one_of(delassus_way_names()).by_default_json("\"automatic\""),
    text("broad_phase", "Where pairs of surfaces that may touch are looked for; contacts of both are the same to the bit. "
         "\"device\" needs --backend cuda (or emulated); \"automatic\" is the host, with the first found of "
         "contacts that differ in the last digits at most.")
        .one_of(broad_phase_names()).by_default_json("\"automatic\""),
    object("nsn", nsn_type(), "Of the solvers nsn and nsn_gs."),
  }, {}, false};
  return type;
}

const ObjectType& simulation_type() {
  static const SimulationSettings d;
  static const ObjectType type{"simulation", "Simulation",
      "Time stepping, contact and gravity.", {
    number("time_step", "Length h of one frame.").unit("s").at_least(1e-6).at_most(10).by_default(d.time_step),
    integer("frames", "Frames that a run takes.")
        .unit("1").at_least(0).at_most(1e9).by_default(static_cast<double>(OutputSpec{}.frames)),
    integer("iterations", "Local-global iterations per frame, at most.")
        .unit("1").at_least(1).at_most(1e5).by_default(d.iterations),
    number("tolerance",
           "Residual force, relative to the forces of the frame, at which the iterations stop early; "
           "0: always all iterations.")
        .unit("1").at_least(0).at_most(1).by_default(d.tolerance),
    number("budget_ms", "Time that a frame may take: once it has passed, no further iteration begins (at least one is "
           "done). Results then depend on the clock; 0: no limit.")
        .unit("ms").at_least(0).at_most(1e9).by_default(d.budget_ms),
    integer("history", "Pairs that the quasi-Newton (L-BFGS) method remembers, from frame to frame: 48 bytes per node "
            "each, in checkpoints too; 0: none.")
        .unit("1").at_least(0).at_most(100).by_default(d.history),
    vector3("gravity", "Acceleration of every body.")
        .unit("m/s^2").at_least(-1e4).at_most(1e4).by_default_json("[0, 0, -9.81]"),
    integer("threads", "CPU threads; 0: all cores. The result does not depend on it.")
        .unit("1").at_least(0).at_most(4096).by_default(d.threads),
    number("memory_limit_bytes", "Memory that the preparation may take; 0: what the machine has free.")
        .unit("byte").at_least(0).at_most(1e15).by_default(d.memory_limit_bytes),
    object("contact", contact_type(), "Contact and friction."),
  }, {}, false};
  return type;
}

const ObjectType& solver_type() {
  static const SolverSettings d;
  static const ObjectType type{"solver", "Solver",
      "How the constant system is prepared and solved (the global step). Every `global` but jacobi and "
      "chebyshev gives the same answer; they differ in time and memory.", {
    text("scheme",
         "How the materials are solved for; both ways end in the same solution. automatic: quasi_newton. "
         "admm: a projection per element and iteration, falls back on quasi_newton where it stalls.")
        .one_of(elastic_scheme_names()).by_default_json("\"automatic\""),
    text("global",
         "staged: inverse of the factor in stages of the elimination tree. sparse_inverse: the whole "
         "inverse of the factor, as published. triangular: substitution by the library. pcg: conjugate "
         "gradients. jacobi, chebyshev: one sweep per iteration, an incomplete solution. automatic: staged.")
        .one_of(global_solver_names()).by_default_json("\"automatic\""),
    integer("stages", "Stages of staged; 0: the cheapest.")
        .unit("1").at_least(0).at_most(SolverSettings::kMostStages).by_default(d.stages),
    text("precision", "Arithmetic of the prepared inverse: double, or mixed (float; all else stays double).")
        .one_of(precision_names()).by_default_json("\"double\""),
    integer("refinement_steps", "Corrections x += A^-1 (b - A x) in double after each solve.")
        .unit("1").at_least(0).at_most(5).by_default(d.refinement_steps),
    text("factor", "What orders and factors; native is Sinew's own, in parallel; automatic: native, but for triangular "
         "CHOLMOD where built in, else Eigen.")
        .one_of(factor_library_names()).by_default_json("\"automatic\""),
    text("preconditioner", "Of pcg.")
        .one_of(preconditioner_names()).by_default_json("\"incomplete_cholesky\""),
    number("pcg_tolerance", "Residual of pcg relative to the right-hand side.")
        .unit("1").above(0).at_most(0.1).by_default(d.pcg_tolerance),
    integer("pcg_max_iterations", "Iterations of pcg at most.")
        .unit("1").at_least(1).at_most(1e6).by_default(d.pcg_max_iterations),
    boolean("cache", d.cache, "Keep what was prepared on disk, for the next start with the same bodies."),
    text("cache_folder", "Folder of the cache; default: the platform's folder for caches."),
  }, {}, false};
  return type;
}

const ObjectType& rotation_type() {
  static const ObjectType type{"rotation", "Rotations",
      "Turn about an axis by the right-hand rule. A list of rotations is applied from the first to the "
      "last.", {
    direction("axis", "Axis; its length does not matter but must not be 0.").must(),
    number("angle_deg", "Angle.").unit("deg").at_least(-36000).at_most(36000).must(),
  }, {}, false};
  return type;
}

const ObjectType& tetrahedralize_type() {
  static const TetrahedralizeSettings d;
  static const ObjectType type{"tetrahedralize", "Tetrahedra for a surface file",
      "Fills a closed or nearly closed surface with tetrahedra at load. `{}` takes the defaults.", {
    integer("vertices", "Number of nodes aimed at.")
        .unit("1").at_least(d.kLeastVertices).at_most(d.kMostVertices).by_default(d.vertices),
    number("cell", "Edge of the lattice cells after scaling; wins over vertices.")
        .unit("m").above(0).at_most(kFar),
    boolean("embed", d.embed,
            "true: whole lattice cells that carry the surface; false: the cells end at the surface."),
    number("winding_threshold", "A point is inside where the generalised winding number is above this.")
        .unit("1").above(0).at_most(1).by_default(d.winding_threshold),
  }, {{{"vertices", "cell"}, false}}, false};
  return type;
}

const ObjectType& mesh_type() {
  static const ObjectType type{"mesh", "Meshes",
      "Either a file, or a shape that is generated at load. A shape has its parameters beside `generate`: "
      "see [Generated shapes](#generated-shapes).", {
    text("file",
         "Mesh file, relative to the scene's folder; a volume, or a surface together with "
         "tetrahedralize."),
    number("scale", "Metres per unit of the file, e.g. 0.001 for millimetres.")
        .unit("m").above(0).at_most(kFar).by_default(1),
    object("tetrahedralize", tetrahedralize_type(), "Makes tetrahedra of a surface file."),
    text("generate", "Name of the shape to generate."),
  }, {{{"file", "generate"}, true}}, true};
  return type;
}

const ObjectType& sheet_mesh_type() {
  static const ObjectType type{"sheet_mesh", "Meshes of sheets",
      "Either a file of triangles, or a sheet that is generated at load: `cloth`, with its parameters beside "
      "`generate`; see [Generated shapes](#generated-shapes).", {
    text("file", "Mesh file of triangles, relative to the scene's folder; open or closed."),
    number("scale", "Metres per unit of the file, e.g. 0.001 for millimetres.")
        .unit("m").above(0).at_most(kFar).by_default(1),
    text("generate", "Name of the sheet to generate."),
  }, {{{"file", "generate"}, true}}, true, false, true};
  return type;
}

const ObjectType& obstacle_mesh_type() {
  static const ObjectType type{"obstacle_mesh", "Meshes of obstacles",
      "A rigid surface from a file, of a generated shape (its parameters beside `generate`; see [Generated "
      "shapes](#generated-shapes)), or of listed positions. Closed surfaces are solid; of open ones both sides push. See "
      "[contact.md](contact.md).", {
    text("file", "Mesh file, relative to the scene's folder: a surface, or tetrahedra, whose boundary is taken."),
    number("scale", "Metres per unit of the file, e.g. 0.001 for millimetres.")
        .unit("m").above(0).at_most(kFar).by_default(1),
    text("generate", "Name of the shape to generate; any of them."),
    make("positions", Kind::vector3_list, "Vertices in local coordinates, for triangles, edges and points.")
        .unit("m").at_least(-kFar).at_most(kFar),
    make("triangles", Kind::integer_triple_list, "Corners, numbers of positions from 0, counter-clockwise seen from outside.")
        .unit("1").at_least(0).at_most(kMaxCount),
    make("edges", Kind::integer_pair_list, "Wires and blades: both ends, numbers of positions from 0.")
        .unit("1").at_least(0).at_most(kMaxCount),
    make("points", Kind::index_list, "Positions that are obstacles by themselves.")
        .unit("1").at_least(0).at_most(kMaxCount),
    number("contact_thickness", "Offset all around, half the thickness of a plate; left out or 0: 1e-3 of the diagonal "
           "of its box, but none where it is closed.")
        .unit("m").at_least(0).at_most(1e3),
  }, {{{"file", "generate", "positions"}, true}}, true, false, false, true, {"contact_thickness"}};
  return type;
}

const ObjectType& bending_type() {
  static const ObjectType type{"bending", "Bending",
      "How a sheet resists bending; formulas in [cloth.md](cloth.md).", {
    text("model", "isometric: one hinge per inner edge (Bergou et al. 2006); laplace_beltrami: one square of the mean "
         "curvature per inner node; none: the sheet folds freely.")
        .one_of({"none", "isometric", "laplace_beltrami"}).by_default_json("\"isometric\""),
    number("stiffness", "Bending stiffness D; left out, that of a plate: E t^3 / (12 (1 - nu^2)).")
        .unit("J").at_least(0).at_most(1e9),
    text("rest", "mesh: the curvature of the mesh is at rest, whatever its sign; flat: the flat sheet is.")
        .one_of({"mesh", "flat"}).by_default_json("\"mesh\""),
  }, {}, false};
  return type;
}

const ObjectType& sheet_type() {
  static const Sheet d;
  static const ObjectType type{"sheet", "Sheets",
      "A body made of triangles: cloth, foil, a thin shell. Its material is one of arap, corotated, neo_hookean and "
      "st_venant_kirchhoff in plane stress (default here: neo_hookean). See [cloth.md](cloth.md).", {
    object("mesh", sheet_mesh_type(), "Where its triangles come from.").must(),
    number("thickness", "Thickness; a transform's scale leaves it alone.")
        .unit("m").above(0).at_most(1e3).by_default(d.thickness),
    number("area_density", "Mass per rest area; left out, density times thickness.")
        .unit("kg/m^2").above(0).at_most(1e6),
    object("bending", bending_type(), "Resistance to bending."),
    number("strain_limit", "Beyond this strain (largest principal stretch less 1) the sheet is ten times as stiff; left "
           "out, no limit.")
        .unit("1").at_least(0).at_most(1e3),
  }, {}, false};
  return type;
}

const ObjectType& spring_type() {
  static const ObjectType type{"spring", "Springs",
      "Pulls two nodes of a body to a distance: force = stiffness times (distance - rest_length).", {
    make("nodes", Kind::integer_pair, "The two nodes, counted from 0 in the order of the mesh.")
        .unit("1").at_least(0).at_most(kMaxCount).must(),
    number("stiffness", "Force per length.").unit("N/m").at_least(0).at_most(1e12).must(),
    number("rest_length", "Length without force; left out, the distance at rest.").unit("m").at_least(0).at_most(kFar),
  }, {}, false};
  return type;
}

const ObjectType& transform_type() {
  static const ObjectType type{"transform", "Transforms",
      "Brings a mesh into the world: first scale, then rotate, then translate.", {
    Key{"scale", {{Kind::number, nullptr}, {Kind::vector3, nullptr}},
        "Factor, the same for all axes or one per axis.", "1", "1", {0, 1e6, true}, false, {}},
    rotate(rotation_type(), "One rotation or a list."),
    position("translate", "Shift.").by_default_json("[0, 0, 0]"),
  }, {}, false};
  return type;
}

std::vector<std::string> material_names() {
  std::vector<std::string> names;
  for (const MaterialKind kind : kTetMaterialKinds) names.emplace_back(to_string(kind));
  return names;
}

const ObjectType& material_type() {
  static const Material d;
  static const ObjectType type{"material", "Materials",
      "Isotropic elastic material with Rayleigh damping. Its stiffness is given by young_modulus and "
      "poisson_ratio or by shear_modulus and first_lame.", {
    text("kind",
         "stable_neo_hookean: for large strains (Smith, de Goes, Kim 2018); neo_hookean: the same with a barrier "
         "against inversion; mooney_rivlin: rubber; fixed_corotated: keeps volume, cheap; corotated, "
         "st_venant_kirchhoff: for small strains; arap: as rigid as possible, keeps shape and ignores the volume.")
        .one_of(material_names()).by_default_json("\"stable_neo_hookean\""),
    number("young_modulus", "Stiffness E; soft tissue 1e3 to 1e5, rubber 1e6.")
        .unit("Pa").above(0).at_most(1e13).by_default(d.young_modulus),
    number("poisson_ratio", "Poisson's ratio nu; near 0.5 the volume is kept.")
        .unit("1").at_least(0).at_most(0.499).by_default(d.poisson_ratio),
    number("shear_modulus", "Lame's mu, together with first_lame; takes the place of the two above.")
        .unit("Pa").above(0).at_most(1e13),
    number("first_lame", "Lame's lambda, together with shear_modulus; at most 499 times as large.")
        .unit("Pa").at_least(0).at_most(1e16),
    number("mooney_ratio",
           "mooney_rivlin only: share of the second invariant, C01 / (C10 + C01); 0 is Neo-Hookean.")
        .unit("1").at_least(0).at_most(1).by_default(d.mooney_ratio),
    number("rayleigh_alpha", "Damping in proportion to mass; slows rigid motion too.")
        .unit("1/s").at_least(0).at_most(1e6).by_default(d.rayleigh_alpha),
    number("rayleigh_beta", "Damping in proportion to stiffness; leaves rigid motion alone.")
        .unit("s").at_least(0).at_most(1e3).by_default(d.rayleigh_beta),
  }, {}, false};
  return type;
}

const ObjectType& body_type() {
  static const BodySpec d;
  static const ObjectType type{"body", "Bodies",
      "A deformable body.", {
    text("name", "Name for pins, forces, reports and --set; no two bodies may share it.").must(),
    object("mesh", mesh_type(), "Where its tetrahedra come from."),
    object("sheet", sheet_type(), "In place of mesh: a body of triangles."),
    object("transform", transform_type(), "Where it stands at time 0."),
    object("material", material_type(), "What it is made of."),
    number("density", "Mass per rest volume; water has 1000.")
        .unit("kg/m^3").above(0).at_most(1e6).by_default(d.density),
    friction(d.friction),
    vector3("velocity", "Velocity at time 0.")
        .unit("m/s").at_least(-kFast).at_most(kFast).by_default_json("[0, 0, 0]"),
    vector3("angular_velocity", "Turning at time 0 about the centre of mass: axis times speed.")
        .unit("rad/s").at_least(-kFast).at_most(kFast).by_default_json("[0, 0, 0]"),
    color(),
    list("springs", spring_type(), "Springs between nodes of the body."),
    number("contact_thickness", "Offset of its surface in contact: two surfaces stay the sum of their offsets apart. Left "
           "out, half a sheet's thickness; for solids 5e-4 of the diagonal of their box against bodies and meshes, 0 "
           "against other obstacles.")
        .unit("m").at_least(0).at_most(1e3),
    boolean("self_contact", true, "true: its surface does not pass through itself; left out, true for sheets only.")
        .by_default_json(""),
  }, {{{"mesh", "sheet"}, true}}, false, true};
  return type;
}

const ObjectType& half_space_shape_type() {
  static const ObjectType type{"half_space_shape", "Half-space",
      "All points with local z <= 0 are solid.", {}, {}, false};
  return type;
}
const ObjectType& sphere_type() {
  static const ObjectType type{"sphere", "Sphere",
      "A sphere about the obstacle's position.", {
    number("radius", "Radius.").unit("m").above(0).at_most(kFar).must(),
  }, {}, false};
  return type;
}
const ObjectType& box_shape_type() {
  static const ObjectType type{"box_shape", "Box",
      "A box about the obstacle's position.", {
    vector3("size", "Full edge lengths along local x, y, z.").unit("m").above(0).at_most(kFar).must(),
  }, {}, false};
  return type;
}
const ObjectType& capsule_type() {
  static const ObjectType type{"capsule", "Capsule",
      "A rod along local z with round ends.", {
    number("radius", "Radius.").unit("m").above(0).at_most(kFar).must(),
    number("length", "Length between the centres of the two round ends.")
        .unit("m").above(0).at_most(kFar).must(),
  }, {}, false};
  return type;
}
const ObjectType& cylinder_type() {
  static const ObjectType type{"cylinder", "Cylinder",
      "A cylinder along local z with flat ends.", {
    number("radius", "Radius.").unit("m").above(0).at_most(kFar).must(),
    number("length", "Length between the flat ends.").unit("m").above(0).at_most(kFar).must(),
  }, {}, false};
  return type;
}
const ObjectType& shape_type() {
  static const ObjectType type{"shape", "Obstacle shapes",
      "Exactly one of these.", {
    object("half_space", half_space_shape_type(),
           "Solid below local z = 0, without end: a floor is `{}`."),
    object("sphere", sphere_type(), "A ball."),
    object("box", box_shape_type(), "A box with edges along the local axes."),
    object("capsule", capsule_type(), "A rod with round ends along local z."),
    object("cylinder", cylinder_type(), "A roller: flat ends, along local z."),
    object("mesh", obstacle_mesh_type(), "Triangles, edges and points in local coordinates."),
  }, {{{"half_space", "sphere", "box", "capsule", "cylinder", "mesh"}, true}}, false};
  return type;
}

const ObjectType& keyframe_type() {
  static const ObjectType type{"keyframe", "Keyframes",
      "A displacement at one time.", {
    number("time", "Time; larger than that of the keyframe before.")
        .unit("s").at_least(0).at_most(kLate).must(),
    position("translate", "Shift at that time.").by_default_json("[0, 0, 0]"),
    object("rotate", rotation_type(),
           "Turn at that time about the origin of the motion; angles above 360 are full turns."),
  }, {}, false, true};
  return type;
}
const ObjectType& motion_type() {
  static const ObjectType type{"motion", "Motions",
      "Moves an obstacle about its position, or pinned nodes about their origin. Between keyframes values "
      "change linearly, before the first and after the last they are held; velocity and spin add to them "
      "from time 0 on.", {
    list("keyframes", keyframe_type(), "Displacements in the order of time."),
    vector3("velocity", "Constant velocity.")
        .unit("m/s").at_least(-kFast).at_most(kFast).by_default_json("[0, 0, 0]"),
    vector3("spin", "Constant turning in world axes: axis times speed.")
        .unit("rad/s").at_least(-kFast).at_most(kFast).by_default_json("[0, 0, 0]"),
  }, {}, false};
  return type;
}

const ObjectType& obstacle_type() {
  static const ObstacleSpec d;
  static const ObjectType type{"obstacle", "Obstacles",
      "A rigid obstacle that stands still or moves on its own path.", {
    text("name", "Name for reports and --set; no two obstacles may share it.").must(),
    object("shape", shape_type(), "Its form in local coordinates.").must(),
    position("position", "Where its local origin is at time 0; torques refer to it.")
        .by_default_json("[0, 0, 0]"),
    rotate(rotation_type(), "Turns the local axes: one rotation or a list."),
    direction(
        "axis",
        "Instead of rotate: direction that local z points to, e.g. [0, 1, 0] for a roller along y."),
    friction(d.friction),
    color(),
    object("motion", motion_type(), "How it moves."),
    boolean("movable", d.movable, "true: it can be dragged and turned in the viewer; from then on its motion counts no more."),
  }, {{{"rotate", "axis"}, false}}, false};
  return type;
}

const ObjectType& box_region_type() {
  static const ObjectType type{"box_region", "Box region",
      "Nodes inside the box, edges included.", {
    position("min", "Least corner.").must(),
    position("max", "Greatest corner.").must(),
  }, {}, false};
  return type;
}
const ObjectType& ball_region_type() {
  static const ObjectType type{"ball_region", "Ball region",
      "Nodes inside the ball, rim included.", {
    position("center", "Centre.").must(),
    number("radius", "Radius.").unit("m").above(0).at_most(kFar).must(),
  }, {}, false};
  return type;
}
const ObjectType& half_space_region_type() {
  static const ObjectType type{"half_space_region", "Half-space region",
      "Nodes x with (x - point) . normal <= 0.", {
    position("point", "A point of the border plane.").must(),
    direction("normal", "Points out of the region; must not be 0.").must(),
  }, {}, false};
  return type;
}
const ObjectType& region_type() {
  static const ObjectType type{"region", "Regions",
      "Which nodes of a body are meant, by their position in the world at time 0. Exactly one of the first "
      "five keys.", {
    boolean("all", true, "true: every node of the body.").by_default_json(""),
    object("box", box_region_type(), "Nodes in a box along the world axes."),
    object("ball", ball_region_type(), "Nodes in a ball."),
    object("half_space", half_space_region_type(), "Nodes on one side of a plane."),
    make("nodes", Kind::index_list, "Node numbers of the mesh, counted from 0.")
        .unit("1").at_least(0).at_most(kMaxCount),
    boolean("surface_only", false, "true: of these only nodes on the boundary of the mesh."),
  }, {{{"all", "box", "ball", "half_space", "nodes"}, true}}, false};
  return type;
}

const ObjectType& pin_type() {
  static const ObjectType type{"pin", "Pins",
      "Holds nodes of a body, or moves them on a path. The reaction is an output.", {
    text("name", "Name for reports and --set; no two pins may share it.").must(),
    text("body", "Name of the body.").must(),
    object("region", region_type(), "Which nodes.").must(),
    object("motion", motion_type(), "How they move; left out, they are held."),
    position(
        "origin",
        "Point about which the motion turns and the reaction torque is taken; left out, the centroid "
        "of the nodes."),
  }, {}, false};
  return type;
}

const ObjectType& force_key_type() {
  static const ObjectType type{"force_key", "Force keyframes",
      "The force at one time.", {
    number("time", "Time; larger than that of the keyframe before.")
        .unit("s").at_least(0).at_most(kLate).must(),
    vector3("value", "Force, total over the region.")
        .unit("N").at_least(-kStrong).at_most(kStrong).must(),
  }, {}, false, true};
  return type;
}
const ObjectType& force_path_type() {
  static const ObjectType type{"force_path", "Forces over time",
      "Linear between keyframes, held before the first and after the last.", {
    list("keyframes", force_key_type(), "Values in the order of time.").must(),
  }, {}, false};
  return type;
}
const ObjectType& force_type() {
  static const ObjectType type{"force", "Forces",
      "A force on a region of a body, shared out in proportion to node mass.", {
    text("name", "Name for --set; no two forces may share it.").must(),
    text("body", "Name of the body.").must(),
    object("region", region_type(), "Which nodes.").must(),
    Key{"force",
        {{Kind::vector3, nullptr}, {Kind::object, &force_path_type()}},
        "Total over the region: one constant vector, or an object with keyframes.",
        "N",
        "",
        {-kStrong, kStrong, false},
        true,
        {}},
  }, {}, false};
  return type;
}

const ObjectType& friction_pair_type() {
  static const ObjectType type{"friction_pair", "Friction pairs",
      "Friction between two bodies, or a body and an obstacle, in place of the geometric mean of theirs.", {
    text("a", "Name of a body or an obstacle.").must(),
    text("b", "Name of the other one; one of the two is a body.").must(),
    number("friction", "Coefficient of friction mu of this pair.").unit("1").at_least(0).at_most(100).must(),
  }, {}, false};
  return type;
}

const ObjectType& number_key_type() {
  static const ObjectType type{"number_key", "Keyframes of numbers",
      "The value at one time.", {
    number("time", "Time; larger than that of the keyframe before.")
        .unit("s").at_least(0).at_most(kLate).must(),
    number("value", "Value at that time.").unit("m or N").at_least(0).at_most(kStrong).must(),
  }, {}, false, true};
  return type;
}
const ObjectType& number_path_type() {
  static const ObjectType type{"number_path", "Numbers over time",
      "Linear between keyframes, held before the first and after the last.", {
    list("keyframes", number_key_type(), "Values in the order of time.").must(),
  }, {}, false};
  return type;
}
Key number_or_path(const char* name, const char* unit, const char* text) {
  return Key{name, {{Kind::number, nullptr}, {Kind::object, &number_path_type()}}, text, unit, "", {0.0, kStrong, false},
             false, {}};
}
const ObjectType& place_key_type() {
  static const ObjectType type{"place_key", "Keyframes of places",
      "The place at one time.", {
    number("time", "Time; larger than that of the keyframe before.")
        .unit("s").at_least(0).at_most(kLate).must(),
    position("value", "Place at that time.").must(),
  }, {}, false, true};
  return type;
}
const ObjectType& place_path_type() {
  static const ObjectType type{"place_path", "Places over time",
      "Linear between keyframes, held before the first and after the last.", {
    list("keyframes", place_key_type(), "Values in the order of time.").must(),
  }, {}, false};
  return type;
}
Key handle_compliance() {
  return number("compliance", "How far the whole handle gives way per newton; 0: hard.")
      .unit("m/N").at_least(0).at_most(1e6).by_default(0);
}
std::vector<Key> body_point_keys() {
  return {
    integer("surface_point", "Its number among the points of the surface, counted from 0.")
        .unit("1").at_least(0).at_most(kMaxCount),
    integer("triangle", "A triangle of the surface, counted from 0; its place there is barycentric.")
        .unit("1").at_least(0).at_most(kMaxCount),
    vector3("barycentric", "Weights of the triangle's corners; sum to 1.")
        .unit("1").at_least(-10).at_most(10).by_default_json("[1, 0, 0]"),
    position("nearest_to", "The place on the surface nearest to this point at time 0."),
  };
}
const ObjectType& body_point_type() {
  static const ObjectType type = [] {
    ObjectType t{"body_point", "Points of bodies", "A place on the surface of a body.", body_point_keys(),
        {{{"surface_point", "triangle", "nearest_to"}, true}}, false};
    t.keys.insert(t.keys.begin(), text("body", "Name of the body.").must());
    return t;
  }();
  return type;
}
const ObjectType& cable_point_type() {
  static const ObjectType type = [] {
    ObjectType t{"cable_point", "Points of cables", "A place on the surface of a body, or a fixed point.", body_point_keys(),
        {{{"fixed", "surface_point", "triangle", "nearest_to"}, true}}, false, true};
    t.keys.insert(t.keys.begin(), text("body", "Name of the body; not with fixed."));
    t.keys.push_back(position("fixed", "A fixed point of the world."));
    return t;
  }();
  return type;
}
const ObjectType& grab_type() {
  static const ObjectType type{"grab", "Grabs",
      "Pulls a point of a body's surface to a target.", {
    object("point", body_point_type(), "Which point.").must(),
    Key{"target",
        {{Kind::vector3, nullptr}, {Kind::object, &place_path_type()}},
        "Where to: a point, or an object with keyframes; left out, where it is at time 0.",
        "m",
        "",
        {-kFar, kFar, false},
        false,
        {}},
    handle_compliance(),
  }, {}, false};
  return type;
}
const ObjectType& hold_type() {
  static const ObjectType type{"hold", "Holds",
      "Holds nodes where they are at time 0, or moves them from there. Other than pins it can be soft, and be removed "
      "at run time.", {
    text("body", "Name of the body.").must(),
    object("region", region_type(), "Which nodes.").must(),
    object("motion", motion_type(), "How they move, counted from the pose at time 0; left out, they are held."),
    position("origin", "Point about which the motion turns and the torque is taken; left out, the centroid of the nodes."),
    handle_compliance(),
  }, {}, false};
  return type;
}
const ObjectType& weld_type() {
  static const ObjectType type{"weld", "Welds",
      "Ties nodes of one body to the places of another one where they are at time 0.", {
    text("body_a", "Name of the body whose nodes are tied.").must(),
    object("region", region_type(), "Which nodes of body_a.").must(),
    text("body_b", "Name of the body that they are tied to.").must(),
    handle_compliance(),
  }, {}, false};
  return type;
}
const ObjectType& attachment_type() {
  static const ObjectType type{"attachment", "Attachments",
      "Ties nodes to a rigid frame that a motion, or a program, moves; force and torque about its origin are outputs.", {
    text("body", "Name of the body.").must(),
    object("region", region_type(), "Which nodes.").must(),
    position("position", "Origin of the frame at time 0.").by_default_json("[0, 0, 0]"),
    rotate(rotation_type(), "Turns the axes of the frame: one rotation or a list."),
    object("motion", motion_type(), "How the frame moves about its origin."),
    handle_compliance(),
  }, {}, false};
  return type;
}
const ObjectType& cable_type() {
  static const ObjectType type{"cable", "Cables",
      "Runs without friction through points of bodies and fixed points, in their order. It pulls, by its length or by a "
      "given tension; left out, its length is that at time 0.", {
    list("points", cable_point_type(), "At least two, at least one of a body.").must(),
    number_or_path("length", "m", "Length of the cable: a number, or an object with keyframes."),
    number_or_path("tension", "N", "Pull, in place of the length: a number, or an object with keyframes."),
    boolean("two_sided", false, "true: it pushes too; false: it can go slack."),
    handle_compliance(),
  }, {{{"length", "tension"}, false}}, false};
  return type;
}
const ObjectType& handle_type() {
  static const ObjectType type{"handle", "Handles",
      "Points of bodies that are held, moved, tied to each other or pulled by cables; programs can make and remove "
      "more at run time. Their forces are outputs; see [handles.md](handles.md). Exactly one kind each.", {
    text("name", "Name for reports and programs; no two handles may share it.").must(),
    object("grab", grab_type(), "A point pulled to a target."),
    object("hold", hold_type(), "Nodes held or moved."),
    object("weld", weld_type(), "Two bodies tied to each other."),
    object("attachment", attachment_type(), "Nodes on a rigid frame."),
    object("cable", cable_type(), "A cable through points."),
  }, {{{"grab", "hold", "weld", "attachment", "cable"}, true}}, false};
  return type;
}

const ObjectType& camera_type() {
  static const CameraSpec d;
  static const ObjectType type{"camera", "Camera",
      "Where pictures are taken from; left out, the scene is framed.", {
    position("eye", "Position of the camera."),
    position("target", "Point it looks at."),
    direction("direction",
              "Instead of eye: viewing direction, the distance is chosen to fit the scene."),
    number("vertical_fov_deg", "Vertical opening angle.")
        .unit("deg").at_least(1).at_most(170).by_default(d.vertical_fov_deg),
  }, {{{"eye", "direction"}, false}}, false};
  return type;
}
const ObjectType& output_type() {
  static const OutputSpec d;
  static const ObjectType type{"output", "Output",
      "What a run writes by default; the command line overrides.", {
    integer("export_every", "Frames between exported meshes and pictures.")
        .unit("1").at_least(1).at_most(1e9).by_default(d.export_every),
    make("size", Kind::integer_pair, "Width and height of pictures.")
        .unit("pixel").at_least(16).at_most(16384)
        .by_default_json("[" + std::to_string(d.width) + ", " + std::to_string(d.height) + "]"),
    object("camera", camera_type(), "The view."),
  }, {}, false};
  return type;
}

// clang-format on

void collect(const ObjectType& type, std::vector<const ObjectType*>& all) {
  for (const ObjectType* known : all)
    if (known == &type) return;
  all.push_back(&type);
  for (const Key& key : type.keys)
    for (const ValueForm& form : key.forms)
      if (form.object) collect(*form.object, all);
}

}  // namespace

// clang-format off
const ObjectType& scene_type() {
  static const ObjectType type{"scene", "The scene", "The whole file is one object.", {
    text("$schema", "Address of the JSON Schema, for editors; Sinew ignores it."),
    text("name", "Short name for reports; left out, the file's name."),
    text("description", "What the scene shows, for people."),
    object("simulation", simulation_type(), "Time stepping, contact and gravity."),
    object("solver", solver_type(), "How the global step is made."),
    list("bodies", body_type(), "Deformable bodies, at least one.").must(),
    list("obstacles", obstacle_type(), "Rigid obstacles."),
    list("pins", pin_type(), "Nodes that are held or moved."),
    list("forces", force_type(), "Forces from outside."),
    list("handles", handle_type(), "Held, moved, tied and pulled points."),
    list("friction_pairs", friction_pair_type(), "Friction of pairs that differs from the mean of the two."),
    object("output", output_type(), "What a run writes by default."),
  }, {}, false};
  return type;
}
// clang-format on

const std::vector<const ObjectType*>& all_object_types() {
  static const std::vector<const ObjectType*> all = [] {
    std::vector<const ObjectType*> types;
    collect(scene_type(), types);
    return types;
  }();
  return all;
}

}  // namespace sinew
