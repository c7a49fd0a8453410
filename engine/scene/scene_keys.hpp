// The one table of scene keys. It drives the check of scenes, the JSON Schema and the documents.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

struct ObjectType;

/// One shape that a value may have.
struct ValueForm {
  enum class Kind {
    boolean,
    integer,
    number,
    text,
    vector3,
    integer_pair,
    index_list,
    vector3_list,
    integer_pair_list,
    integer_triple_list,
    object,
    object_list
  };
  Kind kind = Kind::number;
  const ObjectType* object = nullptr;  ///< of object and object_list
};

/// Length of each row where a value is a list of lists, else 0.
std::size_t row_length(ValueForm::Kind kind);

/// Range of every number in a value.
struct ValueBounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_open = false;  ///< min itself is not allowed
};

/// One key of an object. The setters let a row of the table read like a sentence.
struct Key {
  std::string name;
  std::vector<ValueForm> forms;
  std::string text;  ///< one or two sentences for schema and documents
  std::string unit_name;
  std::string default_value;  ///< JSON; "": nothing is assumed
  ValueBounds bounds;
  bool required = false;
  std::vector<std::string> choices;  ///< allowed texts; empty: any

  Key unit(std::string name_of_unit) && {
    unit_name = std::move(name_of_unit);
    return std::move(*this);
  }
  Key above(double value) && {
    bounds.min = value;
    bounds.min_open = true;
    return std::move(*this);
  }
  Key at_least(double value) && {
    bounds.min = value;
    return std::move(*this);
  }
  Key at_most(double value) && {
    bounds.max = value;
    return std::move(*this);
  }
  Key by_default(double value) &&;
  Key by_default_json(std::string json) && {
    default_value = std::move(json);
    return std::move(*this);
  }
  Key one_of(std::vector<std::string> texts) && {
    choices = std::move(texts);
    return std::move(*this);
  }
  Key must() && {
    required = true;
    return std::move(*this);
  }
};

/// Keys of which an object has exactly one, or at most one.
struct KeyChoice {
  std::vector<std::string> keys;
  bool needs_one = true;
};

/// One kind of object.
struct ObjectType {
  std::string name;   ///< in schema and documents, e.g. "body"
  std::string title;  ///< heading, e.g. "Bodies"
  std::string text;
  std::vector<Key> keys;
  std::vector<KeyChoice> choices;
  /// The mesh of a body: where "generate" is present, the parameters of mesh_generators() are keys too.
  bool has_generator_parameters = false;
  bool needs_entries = false;  ///< a list of these must not be empty
  bool of_sheets = false;      ///< has_generator_parameters: the shapes made of triangles
  bool of_surfaces = false;    ///< has_generator_parameters: all shapes, of tetrahedra the boundary
  std::vector<std::string> beside_generate = {};  ///< keys that go together with generate and its parameters

  const Key* find(const std::string& key) const;
  std::string anchor() const;  ///< of the title in the documents
};

/// The scene itself; all other types hang on it.
const ObjectType& scene_type();

/// Every type once, the scene first, in the order of the documents.
const std::vector<const ObjectType*>& all_object_types();

/// False for the keys of meshes that need another source: scale without file; triangles, edges and points
/// without positions.
bool goes_with(const std::string& key, const std::string& mesh_source);

/// Parameters of one shape; none: no such shape.
std::vector<Key> generator_parameters(const std::string& shape);
/// Keys of a generated mesh: "generate", those beside it, and the shape's parameters; none: no such shape.
/// A shape that the type does not take has keys too: whoever makes it says what is wrong.
std::vector<Key> generator_keys(const std::string& shape, const ObjectType& type);
std::string generator_text(const std::string& shape);
/// Of shapes that have tetrahedra, or of those that are sheets of triangles.
std::vector<std::string> generator_names(bool of_sheets);
/// Those that a type of mesh may name.
std::vector<std::string> generator_names(const ObjectType& type);

/// "above 0 and at most 1 s", "at least 0", "" for no bounds.
std::string bounds_text(const Key& key);
/// "a number [s]", "a list of 3 numbers [x, y, z] [m]": what a value of the key looks like.
std::string form_text(const Key& key);

}  // namespace sinew
