#include <sinew/model.hpp>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "engine/model/model_data.hpp"
#include "kernels/element/material/material_list.hpp"

namespace sinew {

std::string_view to_string(MaterialKind kind) {
  return with_tet_material(kind, []<class M>(M) { return std::string_view(M::kName); });
}

std::string_view to_string(BendingModel model) {
  switch (model) {
    case BendingModel::none:
      return "none";
    case BendingModel::isometric:
      return "isometric";
    case BendingModel::laplace_beltrami:
      return "laplace_beltrami";
  }
  return "unknown";
}

std::string_view to_string(const ObstacleShape& shape) {
  static constexpr std::string_view kNames[] = {"half_space", "sphere", "box", "capsule", "cylinder", "mesh"};
  return kNames[shape.index()];
}

namespace {

template <class Parts, class NameOf>
std::size_t find_by_name(const Parts& parts, std::string_view name, const char* kind, NameOf name_of) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (name_of(parts[i]) == name) return i;
    names.push_back(name_of(parts[i]));
  }
  throw ModelError("no " + std::string(kind) + " is named '" + std::string(name) + "'" +
                   suggestion(name, names));
}

}  // namespace

std::size_t Model::body_count() const {
  return data_->bodies.size();
}
std::size_t Model::obstacle_count() const {
  return data_->obstacles.size();
}
std::size_t Model::pin_count() const {
  return data_->pins.size();
}
std::size_t Model::handle_count() const {
  return data_->handles.size();
}
const BodySpec& Model::body(std::size_t i) const {
  return data_->bodies.at(i).spec;
}
const ObstacleSpec& Model::obstacle(std::size_t i) const {
  return data_->obstacles.at(i);
}
const PinSpec& Model::pin(std::size_t i) const {
  return data_->pins.at(i).spec;
}
const HandleSpec& Model::handle(std::size_t i) const {
  return data_->handles.at(i).spec;
}
Vec3d Model::gravity() const {
  return data_->gravity;
}
std::size_t Model::body_index(std::string_view name) const {
  return find_by_name(data_->bodies, name, "body", [](const BodyData& b) { return b.spec.name; });
}
std::size_t Model::obstacle_index(std::string_view name) const {
  return find_by_name(data_->obstacles, name, "obstacle", [](const ObstacleSpec& o) { return o.name; });
}
std::size_t Model::pin_index(std::string_view name) const {
  return find_by_name(data_->pins, name, "pin", [](const PinData& p) { return p.spec.name; });
}
const std::vector<Triangle>& Model::surface_triangles(std::size_t body) const {
  return data_->bodies.at(body).surface_triangles;
}
double Model::body_mass(std::size_t body) const {
  return data_->bodies.at(body).mass;
}
double Model::body_rest_volume(std::size_t body) const {
  return data_->bodies.at(body).rest_volume;
}
double Model::body_rest_area(std::size_t body) const {
  return data_->bodies.at(body).rest_area;
}
const std::vector<std::string>& Model::warnings() const {
  return data_->warnings;
}

}  // namespace sinew
