// The table of keys as a JSON Schema, draft 2020-12. Units stand in "x-unit".
#include <algorithm>
#include <cmath>

#include <sinew/scene.hpp>

#include "engine/scene/json_node.hpp"
#include "engine/scene/scene_keys.hpp"

namespace sinew {

namespace {

using Kind = ValueForm::Kind;

/// Indented JSON, members in the order of the calls.
class SchemaWriter {
 public:
  void open(const std::string& key, char bracket) {
    start(key);
    text_ += bracket;
    closing_ += bracket == '{' ? '}' : ']';
    first_ = true;
  }
  void close() {
    const char bracket = closing_.back();
    closing_.pop_back();
    if (!first_) new_line();
    text_ += bracket;
    first_ = false;
  }
  void raw(const std::string& key, const std::string& json) {
    start(key);
    text_ += json;
  }
  void string(const std::string& key, const std::string& value) { raw(key, quoted(value)); }
  const std::string& text() const { return text_; }

 private:
  void start(const std::string& key) {
    if (!first_) text_ += ',';
    if (!text_.empty()) new_line();
    if (!key.empty()) text_ += quoted(key) + ": ";
    first_ = false;
  }
  void new_line() { text_ += "\n" + std::string(2 * closing_.size(), ' '); }

  std::string text_, closing_;
  bool first_ = true;
};

std::string reference(const std::string& type) {
  return "#/$defs/" + type;
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) json += (json.size() > 1 ? ", " : "") + quoted(text);
  return json + "]";
}

void write_bounds(SchemaWriter& out, const ValueBounds& bounds) {
  if (std::isfinite(bounds.min))
    out.raw(bounds.min_open ? "exclusiveMinimum" : "minimum", number_text(bounds.min));
  if (std::isfinite(bounds.max)) out.raw("maximum", number_text(bounds.max));
}

void write_list(SchemaWriter& out, const Key& key, const char* type, std::size_t least, std::size_t most) {
  out.string("type", "array");
  out.open("items", '{');
  out.string("type", type);
  write_bounds(out, key.bounds);
  out.close();
  out.raw("minItems", std::to_string(least));
  if (most > 0) out.raw("maxItems", std::to_string(most));
}

void write_form(SchemaWriter& out, const Key& key, const ValueForm& form) {
  switch (form.kind) {
    case Kind::boolean:
      out.string("type", "boolean");
      break;
    case Kind::integer:
    case Kind::number:
      out.string("type", form.kind == Kind::integer ? "integer" : "number");
      write_bounds(out, key.bounds);
      break;
    case Kind::text:
      out.string("type", "string");
      if (!key.choices.empty()) out.raw("enum", list_of(key.choices));
      if (key.required) out.raw("minLength", "1");
      break;
    case Kind::vector3:
      write_list(out, key, "number", 3, 3);
      break;
    case Kind::integer_pair:
      write_list(out, key, "integer", 2, 2);
      break;
    case Kind::index_list:
      write_list(out, key, "integer", 1, 0);
      break;
    case Kind::vector3_list:
    case Kind::integer_pair_list:
    case Kind::integer_triple_list:
      out.string("type", "array");
      out.open("items", '{');
      write_list(out, key, form.kind == Kind::vector3_list ? "number" : "integer", row_length(form.kind),
                 row_length(form.kind));
      out.close();
      out.raw("minItems", "1");
      break;
    case Kind::object:
      out.string("$ref", reference(form.object->name));
      break;
    case Kind::object_list:
      out.string("type", "array");
      out.open("items", '{');
      out.string("$ref", reference(form.object->name));
      out.close();
      if (form.object->needs_entries) out.raw("minItems", "1");
      break;
  }
}

void write_key(SchemaWriter& out, const Key& key) {
  out.open(key.name, '{');
  out.string("description", key.text);
  if (!key.unit_name.empty()) out.string("x-unit", key.unit_name);
  if (!key.default_value.empty()) out.raw("default", key.default_value);
  if (key.forms.size() == 1) {
    write_form(out, key, key.forms.front());
  } else {
    out.open("anyOf", '[');
    for (const ValueForm& form : key.forms) {
      out.open("", '{');
      write_form(out, key, form);
      out.close();
    }
    out.close();
  }
  out.close();
}

void write_choices(SchemaWriter& out, const std::vector<KeyChoice>& choices) {
  if (choices.empty()) return;
  out.open("allOf", '[');
  for (const KeyChoice& choice : choices) {
    out.open("", '{');
    if (choice.needs_one) {
      out.open("oneOf", '[');
      for (const std::string& key : choice.keys) out.raw("", "{\"required\": " + list_of({key}) + "}");
      out.close();
    } else {
      out.raw("not", "{\"required\": " + list_of(choice.keys) + "}");
    }
    out.close();
  }
  out.close();
}

/// An object with these keys and no others.
void write_object(SchemaWriter& out, const std::string& text, const std::vector<Key>& keys,
                  const std::vector<KeyChoice>& choices, const std::string& shape = "") {
  out.string("description", text);
  out.string("type", "object");
  out.open("properties", '{');
  std::vector<std::string> required;
  for (const Key& key : keys) {
    if (key.required) required.push_back(key.name);
    if (key.name == "generate" && !shape.empty())
      out.raw("generate", "{\"const\": " + quoted(shape) + "}");
    else
      write_key(out, key);
  }
  out.close();
  if (!shape.empty()) required.push_back("generate");
  if (!required.empty()) out.raw("required", list_of(required));
  out.raw("additionalProperties", "false");
  write_choices(out, choices);
}

/// A mesh: from a file, or one kind of object for each shape.
void write_mesh_types(SchemaWriter& out, const ObjectType& type) {
  out.open(type.name, '{');
  out.string("description", "A mesh file, or a shape generated at load.");
  out.open("oneOf", '[');
  for (const std::string& source : type.choices.front().keys)
    if (source != "generate") out.raw("", "{\"$ref\": " + quoted(reference(type.name + "_" + source)) + "}");
  for (const std::string& shape : generator_names(type))
    out.raw("", "{\"$ref\": " + quoted(reference(type.name + "_" + shape)) + "}");
  out.close();
  out.close();

  // Each source with the keys that go with it: those of the others are left out.
  std::vector<std::string> sources;
  for (const std::string& name : type.choices.front().keys)
    if (name != "generate") sources.push_back(name);
  for (const std::string& source : sources) {
    std::vector<Key> keys;
    for (const Key& key : type.keys) {
      const bool other = std::find(sources.begin(), sources.end(), key.name) != sources.end();
      if (key.name == "generate" || (other && key.name != source) || !goes_with(key.name, source)) continue;
      keys.push_back(key);
      keys.back().required = key.required || key.name == source;
    }
    out.open(type.name + "_" + source, '{');
    write_object(out, source == "file" ? "A mesh from a file." : "A mesh of listed positions.", keys, {});
    out.close();
  }
  for (const std::string& shape : generator_names(type)) {
    out.open(type.name + "_" + shape, '{');
    write_object(out, "A generated mesh: " + generator_text(shape), generator_keys(shape, type), {}, shape);
    out.close();
  }
}

}  // namespace

std::string scene_json_schema() {
  SchemaWriter out;
  out.open("", '{');
  out.string("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.string("title", "Sinew scene");
  out.string(
      "description",
      "A scene of the Sinew engine. Scene files may hold // and /* */ comments; strip them before using "
      "this schema. Units are in x-unit. Written from the table of keys in engine/scene/scene_keys.cpp.");
  out.string("$ref", reference(scene_type().name));
  out.open("$defs", '{');
  for (const ObjectType* type : all_object_types()) {
    if (type->has_generator_parameters) {
      write_mesh_types(out, *type);
      continue;
    }
    out.open(type->name, '{');
    write_object(out, type->text, type->keys, type->choices);
    out.close();
  }
  out.close();
  out.close();
  return out.text() + "\n";
}

}  // namespace sinew
