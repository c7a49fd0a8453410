// Words about rows of the table, and the rows that come from the generators.
#include <cctype>
#include <cmath>

#include <sinew/mesh_generation.hpp>

#include "engine/scene/json_node.hpp"
#include "engine/scene/scene_keys.hpp"

namespace sinew {

namespace {

using Kind = ValueForm::Kind;

const char* kind_text(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "a whole number";
    case Kind::number:
      return "a number";
    case Kind::text:
      return "a text";
    case Kind::vector3:
      return "a list of 3 numbers";
    case Kind::integer_pair:
      return "a list of 2 whole numbers";
    case Kind::index_list:
      return "a list of whole numbers";
    case Kind::vector3_list:
      return "a list of lists of 3 numbers";
    case Kind::integer_pair_list:
      return "a list of lists of 2 whole numbers";
    case Kind::integer_triple_list:
      return "a list of lists of 3 whole numbers";
    case Kind::object:
      return "an object { ... }";
    case Kind::object_list:
      return "a list of objects [ { ... }, ... ]";
  }
  return "";
}

}  // namespace

std::size_t row_length(Kind kind) {
  switch (kind) {
    case Kind::integer_pair_list:
      return 2;
    case Kind::vector3_list:
    case Kind::integer_triple_list:
      return 3;
    default:
      return 0;
  }
}

Key Key::by_default(double value) && {
  default_value = number_text(value);
  return std::move(*this);
}

const Key* ObjectType::find(const std::string& key) const {
  for (const Key& candidate : keys)
    if (candidate.name == key) return &candidate;
  return nullptr;
}

std::string ObjectType::anchor() const {
  std::string text;
  for (const char c : title)
    text += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool goes_with(const std::string& key, const std::string& mesh_source) {
  if (key == "scale" || key == "tetrahedralize") return mesh_source == "file";
  if (key == "triangles" || key == "edges" || key == "points") return mesh_source == "positions";
  return true;
}

std::vector<Key> generator_keys(const std::string& shape, const ObjectType& type) {
  std::vector<Key> keys = generator_parameters(shape);
  if (keys.empty()) return {};
  for (auto name = type.beside_generate.rbegin(); name != type.beside_generate.rend(); ++name)
    keys.insert(keys.begin(), *type.find(*name));
  keys.insert(keys.begin(), *type.find("generate"));
  return keys;
}

std::vector<Key> generator_parameters(const std::string& shape) {
  std::vector<Key> keys;
  for (const GeneratorInfo& info : mesh_generators()) {
    if (info.name != shape) continue;
    for (const GeneratorParameter& p : info.parameters) {
      const bool count = p.unit == "1";  // the generators take whole numbers there
      Key key{p.name, {{count ? Kind::integer : Kind::number, nullptr}}, p.what, "", "", {}, false, {}};
      key =
          std::move(key).unit(p.unit).at_least(p.min_value).at_most(p.max_value).by_default(p.default_value);
      keys.push_back(std::move(key));
    }
  }
  return keys;
}

std::string generator_text(const std::string& shape) {
  for (const GeneratorInfo& info : mesh_generators())
    if (info.name == shape) return info.what;
  return "";
}

std::vector<std::string> generator_names(bool of_sheets) {
  std::vector<std::string> names;
  for (const GeneratorInfo& info : mesh_generators())
    if (info.surface_only == of_sheets) names.push_back(info.name);
  return names;
}

std::vector<std::string> generator_names(const ObjectType& type) {
  std::vector<std::string> names = generator_names(type.of_sheets);
  if (type.of_surfaces)
    for (std::string& name : generator_names(!type.of_sheets)) names.push_back(std::move(name));
  return names;
}

std::string bounds_text(const Key& key) {
  const ValueBounds& b = key.bounds;
  std::string text;
  if (std::isfinite(b.min)) text = (b.min_open ? "above " : "at least ") + number_text(b.min);
  if (std::isfinite(b.max)) text += (text.empty() ? "at most " : " and at most ") + number_text(b.max);
  if (!text.empty() && !key.unit_name.empty() && key.unit_name != "1") text += " " + key.unit_name;
  return text;
}

std::string form_text(const Key& key) {
  std::string text;
  for (const ValueForm& form : key.forms)
    text += (text.empty() ? "" : " or ") + std::string(kind_text(form.kind));
  if (!key.choices.empty()) {
    text = "one of";
    for (std::size_t i = 0; i < key.choices.size(); ++i)
      text += (i ? ", " : " ") + ("\"" + key.choices[i] + "\"");
  }
  if (!key.unit_name.empty() && key.unit_name != "1") text += " in " + key.unit_name;
  return text;
}

}  // namespace sinew
