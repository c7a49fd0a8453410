#include "engine/scene/scene_description.hpp"

#include <algorithm>

#include "engine/common/solver_names.hpp"
#include "engine/common/text.hpp"
#include "engine/scene/overrides.hpp"
#include "engine/scene/scene_check.hpp"
#include "engine/scene/scene_reader.hpp"

namespace sinew {

namespace {

/// The value that stands at the name's place in the list.
template <class Enum>
void read_choice(const JsonNode& node, const char* key, const std::vector<std::string>& names, Enum& out) {
  const JsonNode* value = node.find(key);
  if (!value) return;
  const auto place = std::find(names.begin(), names.end(), value->text);
  if (place != names.end()) out = static_cast<Enum>(place - names.begin());
}

/// Calls visit(entry, path) for each entry of a list that may be left out.
template <class Visit>
void for_each_entry(const JsonNode& root, const char* key, Visit visit) {
  const JsonNode* list = root.find(key);
  if (!list) return;
  for (std::size_t i = 0; i < list->items.size(); ++i)
    visit(list->items[i], std::string(key) + "." + std::to_string(i));
}

/// Of sheets that name no material.
constexpr MaterialKind kSheetMaterial = MaterialKind::neo_hookean;

class SceneReader {
 public:
  SceneReader(const JsonNode& root, const SceneSource& source) : root_(root), source_(source) {}

  SceneDescription read_all() {
    read(root_, "name", scene_.name);
    read(root_, "description", scene_.description);
    simulation();
    solver();
    output();
    for_each_entry(root_, "bodies", [this](const JsonNode& n, const std::string& p) { body(n, p); });
    for_each_entry(root_, "obstacles", [this](const JsonNode& n, const std::string& p) { obstacle(n, p); });
    for_each_entry(root_, "pins", [this](const JsonNode& n, const std::string& p) { pin(n, p); });
    for_each_entry(root_, "forces", [this](const JsonNode& n, const std::string& p) { force(n, p); });
    for_each_entry(root_, "handles", [this](const JsonNode& n, const std::string& p) { handle(n, p); });
    for_each_entry(root_, "friction_pairs",
                   [this](const JsonNode& n, const std::string& p) { friction_pair(n, p); });
    return std::move(scene_);
  }

 private:
  void simulation() {
    const JsonNode* node = root_.find("simulation");
    if (!node) return;
    SimulationSettings& s = scene_.settings;
    read(*node, "time_step", s.time_step);
    read(*node, "frames", scene_.output.frames);
    read(*node, "iterations", s.iterations);
    read(*node, "tolerance", s.tolerance);
    read(*node, "budget_ms", s.budget_ms);
    read(*node, "history", s.history);
    read(*node, "gravity", scene_.gravity);
    read(*node, "threads", s.threads);
    read(*node, "memory_limit_bytes", s.memory_limit_bytes);
    if (const JsonNode* contact = node->find("contact")) {
      read(*contact, "enabled", s.contact.enabled);
      read_choice(*contact, "solver", contact_solver_names(), s.contact.solver);
      read(*contact, "max_sweeps", s.contact.max_sweeps);
      read(*contact, "tolerance", s.contact.tolerance);
      read(*contact, "margin", s.contact.margin);
      read(*contact, "max_depenetration_speed", s.contact.max_depenetration_speed);
      read_choice(*contact, "delassus", delassus_way_names(), s.contact.delassus);
      read_choice(*contact, "broad_phase", broad_phase_names(), s.contact.broad_phase);
      if (const JsonNode* nsn = contact->find("nsn")) {
        read_choice(*nsn, "form", newton_form_names(), s.contact.nsn.form);
        read_choice(*nsn, "scaling", row_scaling_names(), s.contact.nsn.scaling);
        read(*nsn, "steps", s.contact.nsn.steps);
        read(*nsn, "krylov_iterations", s.contact.nsn.krylov_iterations);
      }
    }
  }

  void solver() {
    const JsonNode* node = root_.find("solver");
    if (!node) return;
    SolverSettings& s = scene_.settings.solver;
    read_choice(*node, "scheme", elastic_scheme_names(), s.scheme);
    read_choice(*node, "global", global_solver_names(), s.global);
    read(*node, "stages", s.stages);
    read_choice(*node, "precision", precision_names(), s.precision);
    read(*node, "refinement_steps", s.refinement_steps);
    read_choice(*node, "factor", factor_library_names(), s.factor);
    read_choice(*node, "preconditioner", preconditioner_names(), s.preconditioner);
    read(*node, "pcg_tolerance", s.pcg_tolerance);
    read(*node, "pcg_max_iterations", s.pcg_max_iterations);
    read(*node, "cache", s.cache);
    read(*node, "cache_folder", s.cache_folder);
  }

  void output() {
    const JsonNode* node = root_.find("output");
    if (!node) return;
    read(*node, "export_every", scene_.output.export_every);
    if (const JsonNode* size = node->find("size")) {
      scene_.output.width = static_cast<int>(size->items[0].number);
      scene_.output.height = static_cast<int>(size->items[1].number);
    }
    if (const JsonNode* camera = node->find("camera")) {
      CameraSpec& spec = scene_.output.camera;
      read(*camera, "eye", spec.eye);
      read(*camera, "target", spec.target);
      read(*camera, "vertical_fov_deg", spec.vertical_fov_deg);
      if (camera->find("direction"))
        spec.direction = read_direction(*camera, "direction", "output.camera", source_);
      if (spec.eye && spec.target && *spec.eye == *spec.target)
        source_.fail(place_of(*camera->find("target"), "output.camera.target"),
                     "is the same point as eye, so the view has no direction; move one of them");
    }
  }

  void body(const JsonNode& node, const std::string& path) {
    BodyDescription body;
    body.place = place_of(node, path);
    BodySpec& spec = body.spec;
    spec.name = unique_name(node, path, "body", scene_.bodies);
    if (const JsonNode* sheet = node.find("sheet"))
      read_sheet(*sheet, join_path(path, "sheet"), body);
    else
      body.mesh = mesh(*node.find("mesh"), join_path(path, "mesh"));
    if (const JsonNode* transform = node.find("transform"))
      spec.transform = read_transform(*transform, join_path(path, "transform"), source_);
    if (const JsonNode* node_of = node.find("material"))
      material(*node_of, join_path(path, "material"), spec.material);
    read(node, "density", spec.density);
    read(node, "friction", spec.friction);
    read(node, "velocity", spec.velocity);
    read(node, "angular_velocity", spec.angular_velocity);
    read(node, "color", spec.color);
    springs(node, spec);
    read(node, "contact_thickness", spec.contact_thickness);
    if (const JsonNode* self = node.find("self_contact")) spec.self_contact = self->boolean;
    scene_.bodies.push_back(std::move(body));
  }

  void read_sheet(const JsonNode& node, const std::string& path, BodyDescription& body) {
    Sheet& sheet = body.spec.sheet.emplace();
    body.mesh = mesh(*node.find("mesh"), join_path(path, "mesh"));
    body.spec.material.kind = kSheetMaterial;
    read(node, "thickness", sheet.thickness);
    read(node, "area_density", sheet.area_density);
    read(node, "strain_limit", sheet.strain_limit);
    const JsonNode* bending = node.find("bending");
    if (!bending) return;
    read_choice(*bending, "model", {"none", "isometric", "laplace_beltrami"}, sheet.bending.model);
    read(*bending, "stiffness", sheet.bending.stiffness);
    if (const JsonNode* rest = bending->find("rest")) sheet.bending.flat_rest = rest->text == "flat";
  }

  void springs(const JsonNode& node, BodySpec& spec) {
    const JsonNode* list = node.find("springs");
    if (!list) return;
    for (const JsonNode& item : list->items) {
      Spring spring;
      const JsonNode& nodes = *item.find("nodes");
      for (int k = 0; k < 2; ++k) spring.nodes[k] = static_cast<Index>(nodes.items[k].number);
      read(item, "stiffness", spring.stiffness);
      read(item, "rest_length", spring.rest_length);
      spec.springs.push_back(spring);
    }
  }

  void material(const JsonNode& node, const std::string& path, Material& material) const {
    if (const JsonNode* kind = node.find("kind"))
      for (const MaterialKind candidate : kTetMaterialKinds)
        if (kind->text == to_string(candidate)) material.kind = candidate;
    read(node, "young_modulus", material.young_modulus);
    read(node, "poisson_ratio", material.poisson_ratio);
    read(node, "rayleigh_alpha", material.rayleigh_alpha);
    read(node, "rayleigh_beta", material.rayleigh_beta);
    read(node, "mooney_ratio", material.mooney_ratio);
    lame(node, path, material);
  }

  /// shear_modulus and first_lame: both or none, and in place of young_modulus and poisson_ratio.
  void lame(const JsonNode& node, const std::string& path, Material& material) const {
    const char* const keys[] = {"shear_modulus", "first_lame"};
    const char* const others[] = {"young_modulus", "poisson_ratio"};
    for (int i = 0; i < 2; ++i) {
      const JsonNode* value = node.find(keys[i]);
      if (!value) continue;
      const Place place = place_of(*value, join_path(path, keys[i]));
      for (const char* other : others)
        if (node.find(other))
          source_.fail(place,
                       std::string("does not go together with '") + other +
                           "'; give either shear_modulus and first_lame or young_modulus and poisson_ratio");
      if (!node.find(keys[1 - i]))
        source_.fail(place, std::string("stands alone; give '") + keys[1 - i] + "' too");
    }
    if (!node.find(keys[0])) return;
    material.lame.emplace();
    read(node, keys[0], material.lame->shear_modulus);
    read(node, keys[1], material.lame->first_lame);
    const double mu = material.lame->shear_modulus, lambda = material.lame->first_lame;
    if (lambda > kMostLameRatio * mu)
      source_.fail(place_of(*node.find(keys[1]), join_path(path, keys[1])),
                   "is more than 499 times shear_modulus, a Poisson's ratio above 0.499; lower it");
  }

  MeshSource mesh(const JsonNode& node, const std::string& path) {
    MeshSource mesh;
    if (const JsonNode* generate = node.find("generate")) {
      mesh.place = place_of(*generate, join_path(path, "generate"));
      mesh.shape = generate->text;
      for (const JsonNode::Member& member : node.members)
        if (member.key != "generate" && member.key != "contact_thickness")
          mesh.parameters[member.key] = member.value.number;
      return mesh;
    }
    const JsonNode& file = *node.find("file");
    mesh.place = place_of(file, join_path(path, "file"));
    mesh.file = file.text;
    if (mesh.file.empty()) source_.fail(mesh.place, "is empty; give the path of a mesh file");
    mesh.scale_given = node.find("scale") != nullptr;
    read(node, "scale", mesh.scale);
    if (const JsonNode* settings = node.find("tetrahedralize")) {
      mesh.tetrahedralize.emplace();
      read(*settings, "vertices", mesh.tetrahedralize->vertices);
      read(*settings, "cell", mesh.tetrahedralize->cell);
      read(*settings, "embed", mesh.tetrahedralize->embed);
      read(*settings, "winding_threshold", mesh.tetrahedralize->winding_threshold);
    }
    return mesh;
  }

  void obstacle(const JsonNode& node, const std::string& path) {
    ObstacleDescription obstacle;
    obstacle.place = place_of(node, path);
    obstacle.spec.name = unique_name(node, path, "obstacle", scene_.obstacles);
    const JsonNode& shape = *node.find("shape");
    const std::string shape_path = join_path(path, "shape");
    obstacle.spec.shape = read_shape(shape, shape_path, source_);
    obstacle.mesh_place = place_of(shape, shape_path);
    if (const JsonNode* source = shape.find("mesh"); source && !source->find("positions")) {
      obstacle.mesh = mesh(*source, join_path(shape_path, "mesh"));
      obstacle.mesh_place = obstacle.mesh->place;
    }
    obstacle.spec.pose = read_obstacle_pose(node, path, source_);
    if (const JsonNode* motion = node.find("motion"))
      obstacle.spec.motion = read_motion(*motion, join_path(path, "motion"), source_);
    read(node, "friction", obstacle.spec.friction);
    read(node, "color", obstacle.spec.color);
    read(node, "movable", obstacle.spec.movable);
    scene_.obstacles.push_back(std::move(obstacle));
  }

  /// Names may stand for bodies and obstacles; the model looks them up.
  void friction_pair(const JsonNode& node, const std::string& path) {
    FrictionPairDescription pair;
    pair.place = place_of(node, path);
    read(node, "a", pair.pair.a);
    read(node, "b", pair.pair.b);
    read(node, "friction", pair.pair.friction);
    scene_.friction_pairs.push_back(std::move(pair));
  }

  void pin(const JsonNode& node, const std::string& path) {
    PinDescription pin;
    pin.place = place_of(node, path);
    pin.spec.name = unique_name(node, path, "pin", scene_.pins);
    pin.spec.body = known_body(node, path);
    region(node, path, pin.spec.region, pin.region_place);
    if (const JsonNode* motion = node.find("motion"))
      pin.spec.motion = read_motion(*motion, join_path(path, "motion"), source_);
    read(node, "origin", pin.spec.origin);
    scene_.pins.push_back(std::move(pin));
  }

  void force(const JsonNode& node, const std::string& path) {
    ForceDescription force;
    force.place = place_of(node, path);
    force.spec.name = unique_name(node, path, "force", scene_.forces);
    force.spec.body = known_body(node, path);
    region(node, path, force.spec.region, force.region_place);
    force.spec.force = read_force(*node.find("force"), join_path(path, "force"), source_);
    scene_.forces.push_back(std::move(force));
  }

  void handle(const JsonNode& node, const std::string& path) {
    const JsonNode& name = *node.find("name");
    for (const HandleDescription& other : scene_.handles)
      if (name_of(other.spec) == name.text)
        source_.fail(place_of(name, join_path(path, "name")),
                     "'" + shown(name.text) + "' is the name of another handle; choose a different one");
    scene_.handles.push_back(read_handle(
        node, path, source_,
        [this](const JsonNode& n, const char* key, const std::string& p) { return known_body(n, p, key); }));
  }

  void region(const JsonNode& node, const std::string& path, Region& region, Place& place) const {
    const JsonNode& value = *node.find("region");
    place = place_of(value, join_path(path, "region"));
    region = read_region(value, place.path, source_);
  }

  template <class Descriptions>
  std::string unique_name(const JsonNode& node, const std::string& path, const char* kind,
                          const Descriptions& before) const {
    const JsonNode& name = *node.find("name");
    for (const auto& other : before)
      if (other.spec.name == name.text)
        source_.fail(place_of(name, join_path(path, "name")),
                     "'" + shown(name.text) + "' is the name of another " + kind +
                         (other.place.line > 0 ? " (line " + std::to_string(other.place.line) + ")" : "") +
                         "; choose a different one");
    return name.text;
  }

  std::string known_body(const JsonNode& node, const std::string& path, const char* key = "body") const {
    const JsonNode& body = *node.find(key);
    std::vector<std::string> names;
    for (const BodyDescription& known : scene_.bodies) {
      if (known.spec.name == body.text) return body.text;
      names.push_back(shown(known.spec.name));
    }
    source_.fail(place_of(body, join_path(path, key)),
                 "there is no body '" + shown(body.text) + "'" + suggestion(body.text, names));
  }

  const JsonNode& root_;
  const SceneSource& source_;
  SceneDescription scene_;
};

}  // namespace

SceneDescription read_scene_description(const std::string& text, const SceneSource& source) {
  JsonNode root = parse_json(text, source);
  apply_overrides(root, source);
  check_scene(root, source);
  return SceneReader(root, source).read_all();
}

}  // namespace sinew
