// Collects parts, checks every value with its name and bounds, and derives what follows from the specs alone.
#include <sinew/errors.hpp>
#include <sinew/model.hpp>

#include "engine/common/hash.hpp"
#include "engine/common/text.hpp"
#include "engine/handles/handle_bytes.hpp"
#include "engine/handles/resolve_handle.hpp"
#include "engine/model/model_checks.hpp"
#include "engine/model/model_data.hpp"

namespace sinew {

struct ModelBuilder::Parts {
  Vec3d gravity{0.0, 0.0, -9.81};
  std::vector<BodySpec> bodies;
  std::vector<ObstacleSpec> obstacles;
  std::vector<PinSpec> pins;
  std::vector<ForceSpec> forces;
  std::vector<HandleSpec> handles;
  std::vector<FrictionPair> friction_pairs;
};

namespace {

template <class Part>
void check_new_name(const std::vector<Part>& parts, const std::string& name, const char* kind) {
  if (name.empty()) throw ModelError(std::string(kind) + " without a name: give it one");
  for (const Part& part : parts)
    if (part.name == name)
      throw ModelError(std::string(kind) + " '" + name + "': the name is used twice; names are unique");
}

template <class Part>
std::vector<std::string> names_of(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) names.push_back(part.name);
  return names;
}

std::size_t find_body(const std::vector<BodySpec>& bodies, const std::string& name, const std::string& what) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == name) return i;
  throw ModelError(what + ": no body is named '" + name + "'" + suggestion(name, names_of(bodies)));
}

/// Volumes and lumped masses of tetrahedra.
void add_tetrahedra(const BodySpec& spec, BodyData& body) {
  const TetMesh& mesh = spec.mesh;
  body.tet_volume.resize(mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& tet = mesh.tets[t];
    double volume = tet_volume(body.rest_position[tet[0]], body.rest_position[tet[1]],
                               body.rest_position[tet[2]], body.rest_position[tet[3]]);
    if (!mesh.inside_fraction.empty()) volume *= mesh.inside_fraction[t];
    body.tet_volume[t] = volume;
    body.rest_volume += volume;
    for (const Index node : tet) body.node_mass[node] += 0.25 * spec.density * volume;
  }
}

/// Areas and lumped masses of a sheet's triangles.
void add_triangles(const BodySpec& spec, BodyData& body) {
  const Sheet& sheet = *spec.sheet;
  const double area_density = sheet.area_density.value_or(spec.density * sheet.thickness);
  for (const Triangle& t : sheet.mesh.triangles) {
    const std::vector<Vec3d>& x = body.rest_position;
    const double area = 0.5 * norm(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]));
    body.triangle_area.push_back(area);
    body.rest_area += area;
    for (const Index node : t) body.node_mass[node] += area_density * area / 3.0;
  }
  body.rest_volume = body.rest_area * sheet.thickness;
}

/// Masses, volumes, start positions and velocities of one body.
BodyData derive(BodySpec spec) {
  BodyData body;
  const std::vector<Vec3d>& nodes = spec.nodes();
  const Vec3d s = spec.transform.scale;
  body.rest_position.reserve(nodes.size());
  body.start_position.reserve(nodes.size());
  for (const Vec3d& x : nodes) {
    body.rest_position.push_back({s.x * x.x, s.y * x.y, s.z * x.z});
    body.start_position.push_back(spec.transform.apply(x));
  }
  body.node_mass.assign(nodes.size(), 0.0);
  if (spec.sheet)
    add_triangles(spec, body);
  else
    add_tetrahedra(spec, body);
  Vec3d center{}, low = body.start_position[0], high = low;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    body.mass += body.node_mass[i];
    center += body.node_mass[i] * body.start_position[i];
    low = component_min(low, body.start_position[i]);
    high = component_max(high, body.start_position[i]);
  }
  center = center / body.mass;
  body.diagonal = norm(high - low);
  body.shape_thickness = spec.contact_thickness.value_or(spec.sheet ? 0.5 * spec.sheet->thickness : 0.0);
  body.contact_thickness = spec.contact_thickness.value_or(
      spec.sheet ? 0.5 * spec.sheet->thickness : BodySpec::kSolidThickness * body.diagonal);
  body.self_contact = spec.self_contact.value_or(spec.sheet.has_value());
  body.start_velocity.reserve(nodes.size());
  for (const Vec3d& x : body.start_position)
    body.start_velocity.push_back(spec.velocity + cross(spec.angular_velocity, x - center));
  if (spec.sheet)
    body.surface_triangles = spec.sheet->mesh.triangles;
  else
    body.surface_triangles =
        spec.mesh.surface.empty() ? boundary_triangles(spec.mesh) : spec.mesh.surface.triangles;
  body.spec = std::move(spec);
  return body;
}

void add_motion(Hash& hash, const Motion& motion) {
  for (const auto& key : motion.keyframes) hash.add(&key, sizeof key);
  hash.add(&motion.velocity, sizeof(Vec3d)).add(&motion.spin, sizeof(Vec3d));
}

std::uint64_t hash_model(const ModelData& data) {
  Hash hash;
  hash.add(&data.gravity, sizeof(Vec3d));
  for (const BodyData& body : data.bodies) {
    const Material& m = body.spec.material;
    hash.add(body.spec.name).add(body.start_position).add(body.start_velocity).add(body.spec.mesh.tets);
    hash.add(body.spec.mesh.inside_fraction)
        .add(body.spec.mesh.surface.tet)
        .add(body.spec.mesh.surface.weights)
        .add(body.spec.mesh.surface.triangles);
    hash.add(body.contact_thickness).add(body.shape_thickness);
    hash.add(static_cast<std::int64_t>(body.self_contact));
    hash.add(body.spec.density).add(body.spec.friction).add(static_cast<std::int64_t>(m.kind));
    hash.add(m.shear_modulus()).add(m.first_lame()).add(m.mooney_ratio);
    hash.add(m.rayleigh_alpha).add(m.rayleigh_beta);
    if (body.spec.sheet) {
      const Sheet& sheet = *body.spec.sheet;
      hash.add(sheet.mesh.triangles).add(sheet.thickness).add(body.mass).add(body.rest_area);
      hash.add(static_cast<std::int64_t>(sheet.bending.model)).add(sheet.bending.stiffness.value_or(-1.0));
      hash.add(static_cast<std::int64_t>(sheet.bending.flat_rest)).add(sheet.strain_limit.value_or(-1.0));
    }
    for (const Spring& spring : body.spec.springs) {
      for (const Index node : spring.nodes) hash.add(static_cast<std::int64_t>(node));
      hash.add(spring.stiffness).add(spring.rest_length.value_or(-1.0));
    }
  }
  for (const ObstacleSpec& o : data.obstacles) {
    hash.add(o.name).add(static_cast<std::int64_t>(o.shape.index()));
    for (const double size : obstacle_dimensions(o.shape)) hash.add(size);
    if (const auto* s = std::get_if<MeshShape>(&o.shape))
      hash.add(s->mesh.points).add(s->mesh.triangles).add(s->edges).add(s->points);
    hash.add(&o.pose, sizeof o.pose).add(o.friction);
    add_motion(hash, o.motion);
  }
  for (const PinData& pin : data.pins) {
    hash.add(pin.spec.name).add(static_cast<std::int64_t>(pin.body)).add(pin.nodes);
    hash.add(&pin.origin, sizeof(Vec3d));
    add_motion(hash, pin.spec.motion);
  }
  for (const ForceData& force : data.forces)
    hash.add(static_cast<std::int64_t>(force.body))
        .add(force.nodes)
        .add(force.spec.force.times)
        .add(force.spec.force.values);
  for (const FrictionTable::Pair& pair : data.friction_pairs) {
    for (const Index part : {pair.body, pair.other_body, pair.obstacle})
      hash.add(static_cast<std::int64_t>(part));
    hash.add(pair.friction);
  }
  std::vector<HandleSlot> handles;
  for (const HandleData& handle : data.handles) handles.push_back({1, handle.handle});
  if (!handles.empty()) hash.add(handle_bytes(handles));
  return hash.value();
}

void resolve_handles(const std::vector<HandleSpec>& specs, ModelData& data) {
  std::vector<const std::vector<Vec3d>*> position;
  for (const BodyData& body : data.bodies) position.push_back(&body.start_position);
  for (const HandleSpec& spec : specs)
    data.handles.push_back({spec, resolve_handle(spec, {data.bodies, position, 0.0})});
}

}  // namespace

ModelBuilder::ModelBuilder() : parts_(std::make_unique<Parts>()) {}
ModelBuilder::~ModelBuilder() = default;
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;

ModelBuilder& ModelBuilder::gravity(const Vec3d& g) {
  if (!is_finite(g)) throw ModelError("gravity: not a finite vector");
  parts_->gravity = g;
  return *this;
}

ModelBuilder& ModelBuilder::add(BodySpec body) {
  check_new_name(parts_->bodies, body.name, "body");
  check_body(body);
  parts_->bodies.push_back(std::move(body));
  return *this;
}

ModelBuilder& ModelBuilder::add(ObstacleSpec obstacle) {
  check_new_name(parts_->obstacles, obstacle.name, "obstacle");
  check_obstacle(obstacle);
  parts_->obstacles.push_back(std::move(obstacle));
  return *this;
}

ModelBuilder& ModelBuilder::add(PinSpec pin) {
  check_new_name(parts_->pins, pin.name, "pin");
  check_motion(pin.motion, "pin '" + pin.name + "'");
  if (pin.origin && !is_finite(*pin.origin)) throw ModelError("pin '" + pin.name + "': origin is not finite");
  parts_->pins.push_back(std::move(pin));
  return *this;
}

ModelBuilder& ModelBuilder::add(ForceSpec force) {
  check_new_name(parts_->forces, force.name, "force");
  check_path(force.force, "force '" + force.name + "'");
  parts_->forces.push_back(std::move(force));
  return *this;
}

ModelBuilder& ModelBuilder::add(FrictionPair pair) {
  parts_->friction_pairs.push_back(std::move(pair));
  return *this;
}

ModelBuilder& ModelBuilder::add(HandleSpec handle) {
  const std::string& name = name_of(handle);
  if (name.empty()) throw ModelError("handle without a name: give it one");
  for (const HandleSpec& other : parts_->handles)
    if (name_of(other) == name)
      throw ModelError(describe(handle) + ": the name is used twice; names are unique");
  parts_->handles.push_back(std::move(handle));
  return *this;
}

Model ModelBuilder::build() {
  if (parts_->bodies.empty()) throw ModelError("model without a body: add at least one");
  auto data = std::make_shared<ModelData>();
  data->gravity = parts_->gravity;
  for (const BodySpec& body : parts_->bodies) data->bodies.push_back(derive(body));
  data->obstacles = parts_->obstacles;
  for (ObstacleSpec& obstacle : data->obstacles)
    if (auto* shape = std::get_if<MeshShape>(&obstacle.shape); shape && complete_mesh_shape(*shape))
      data->warnings.push_back("obstacle '" + obstacle.name +
                               "': its closed mesh faced inwards and was turned outwards");

  std::vector<std::vector<char>> taken;
  for (const BodyData& body : data->bodies) taken.emplace_back(body.start_position.size(), 0);
  for (const PinSpec& spec : parts_->pins) {
    PinData pin;
    const std::string what = "pin '" + spec.name + "'";
    pin.spec = spec;
    pin.body = find_body(parts_->bodies, spec.body, what);
    const BodyData& body = data->bodies[pin.body];
    const std::vector<Index> nodes = nodes_in_region(spec.region, body, what);
    if (nodes.empty())
      throw ModelError(what + ": its region holds no node of body '" + spec.body +
                       "'; make it larger or move it");
    for (const Index node : nodes) {
      if (taken[pin.body][node]) continue;
      taken[pin.body][node] = 1;
      pin.nodes.push_back(node);
    }
    if (pin.nodes.empty())
      throw ModelError(what + ": earlier pins hold all of its nodes; remove it or change its region");
    if (pin.nodes.size() < nodes.size())
      data->warnings.push_back(what + ": " + std::to_string(nodes.size() - pin.nodes.size()) +
                               " of its nodes are held by an earlier pin and stay there");
    for (const Index node : pin.nodes)
      pin.origin += body.start_position[node] / static_cast<double>(pin.nodes.size());
    if (spec.origin) pin.origin = *spec.origin;
    data->pins.push_back(std::move(pin));
  }
  for (const ForceSpec& spec : parts_->forces) {
    ForceData force;
    const std::string what = "force '" + spec.name + "'";
    force.spec = spec;
    force.body = find_body(parts_->bodies, spec.body, what);
    const BodyData& body = data->bodies[force.body];
    force.nodes = nodes_in_region(spec.region, body, what);
    if (force.nodes.empty())
      throw ModelError(what + ": its region holds no node of body '" + spec.body +
                       "'; make it larger or move it");
    double mass = 0.0;
    for (const Index node : force.nodes) mass += body.node_mass[node];
    for (const Index node : force.nodes) force.share.push_back(body.node_mass[node] / mass);
    data->forces.push_back(std::move(force));
  }
  for (std::size_t i = 0; i < parts_->friction_pairs.size(); ++i) {
    const FrictionPair& pair = parts_->friction_pairs[i];
    const std::string what = "friction pair " + std::to_string(i) + " ('" + pair.a + "', '" + pair.b + "')";
    data->friction_pairs.push_back(resolve_friction_pair(pair, *data, what));
  }
  resolve_handles(parts_->handles, *data);
  for (std::string& warning : overlap_warnings(*data)) data->warnings.push_back(std::move(warning));
  data->hash = hash_model(*data);
  Model model;
  model.data_ = std::move(data);
  return model;
}

}  // namespace sinew
