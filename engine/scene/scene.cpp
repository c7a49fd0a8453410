// scene text -> SceneDescription -> meshes -> Model.
#include <sinew/scene.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/handles/resolve_handle.hpp"
#include "engine/scene/mesh_source.hpp"
#include "engine/scene/region_check.hpp"
#include "engine/scene/scene_description.hpp"
#include "engine/scene/scene_text.hpp"

namespace sinew {

namespace {

constexpr std::uintmax_t kLargestScene = 64u << 20;  // [byte]; meshes live in files of their own

/// Adds one part; an objection of the model gets the line of the part, or of its mesh.
template <class Part>
void add_part(ModelBuilder& builder, Part part, const Place& place, const Place& mesh_place,
              const SceneSource& source) {
  try {
    builder.add(std::move(part));
  } catch (const ModelError& error) {
    source.fail(place, error.what());
  } catch (const MeshError& error) {
    source.fail(mesh_place, error.what());
  }
}

const BodySpec& body_named(const std::vector<BodySpec>& bodies, const std::string& name) {
  return *std::find_if(bodies.begin(), bodies.end(), [&](const BodySpec& body) { return body.name == name; });
}

ObstacleSpec obstacle_of(const ObstacleDescription& description, MeshLoader& loader,
                         std::vector<std::string>& warnings) {
  ObstacleSpec spec = description.spec;
  if (description.mesh)
    std::get<MeshShape>(spec.shape).mesh = loader.load_obstacle(*description.mesh, warnings);
  return spec;
}

/// Place of the part that a message of the model begins with, e.g. "pin 'top': ...".
Place blamed(const SceneDescription& description, const std::string& message) {
  Place place;
  const auto look = [&](const char* kind, const auto& parts) {
    for (const auto& part : parts)
      if (message.rfind(kind + (" '" + part.spec.name + "'"), 0) == 0) place = part.place;
  };
  look("body", description.bodies);
  look("obstacle", description.obstacles);
  look("pin", description.pins);
  look("force", description.forces);
  for (const HandleDescription& part : description.handles)
    if (message.rfind(describe(part.spec), 0) == 0) place = part.place;
  for (std::size_t i = 0; i < description.friction_pairs.size(); ++i)
    if (message.rfind("friction pair " + std::to_string(i) + " ", 0) == 0)
      place = description.friction_pairs[i].place;
  return place;
}

}  // namespace

Scene load_scene_text(const SceneText& given, const std::vector<std::string>& overrides, MeshCache* cache) {
  const SceneSource source{given.label, overrides};
  const SceneDescription description = read_scene_description(given.text, source);

  Scene scene;
  scene.path = given.label;
  scene.name =
      description.name.empty() ? std::filesystem::path(given.label).stem().string() : description.name;
  scene.settings = description.settings;
  scene.output = description.output;
  try {
    scene.settings.validate();
  } catch (const ModelError& error) {
    source.fail({0, -1, "simulation"}, error.what());
  }

  if (cache) cache->begin_load();
  MeshLoader loader(given.base_folder, source, cache);
  std::vector<BodySpec> bodies;
  for (const BodyDescription& body : description.bodies) {
    bodies.push_back(body.spec);
    if (body.spec.sheet)
      bodies.back().sheet->mesh = loader.load_sheet(body.mesh, scene.warnings);
    else
      bodies.back().mesh = loader.load(body.mesh, scene.warnings);
  }
  for (const PinDescription& pin : description.pins)
    check_region(pin.spec.region, body_named(bodies, pin.spec.body), pin.region_place, source);
  for (const ForceDescription& force : description.forces)
    check_region(force.spec.region, body_named(bodies, force.spec.body), force.region_place, source);
  for (const HandleDescription& handle : description.handles)
    if (!handle.region_body.empty())
      std::visit(
          [&](const auto& spec) {
            if constexpr (requires { spec.region; })
              check_region(spec.region, body_named(bodies, handle.region_body), handle.region_place, source);
          },
          handle.spec);

  ModelBuilder builder;
  builder.gravity(description.gravity);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    add_part(builder, std::move(bodies[i]), description.bodies[i].place, description.bodies[i].mesh.place,
             source);
  for (const ObstacleDescription& part : description.obstacles)
    add_part(builder, obstacle_of(part, loader, scene.warnings), part.place, part.mesh_place, source);
  for (const PinDescription& part : description.pins)
    add_part(builder, part.spec, part.place, part.place, source);
  for (const ForceDescription& part : description.forces)
    add_part(builder, part.spec, part.place, part.place, source);
  for (const HandleDescription& part : description.handles)
    add_part(builder, part.spec, part.place, part.place, source);
  for (const FrictionPairDescription& part : description.friction_pairs) builder.add(part.pair);
  try {
    scene.model = builder.build();
  } catch (const ModelError& error) {
    source.fail(blamed(description, error.what()), error.what());
  }
  const std::vector<std::string>& remarks = scene.model.warnings();
  scene.warnings.insert(scene.warnings.end(), remarks.begin(), remarks.end());
  return scene;
}

Scene load_scene_text(const std::string& text, const std::string& base_folder, const std::string& label,
                      const std::vector<std::string>& overrides) {
  return load_scene_text({text, base_folder, label}, overrides, nullptr);
}

SceneText read_scene_text(const std::string& path) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status))
    throw IoError(path + ": cannot read: is a device; give a scene file");
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, code) > kLargestScene)
    throw SceneError(path, 0, "",
                     "is larger than 64 MB; a scene is a short text, meshes belong in files of their own");
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return {read_file(path), folder.empty() ? "." : folder, path};
}

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return load_scene_text(read_scene_text(path), overrides, nullptr);
}

}  // namespace sinew
