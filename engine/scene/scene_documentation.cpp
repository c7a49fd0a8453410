// docs/scene.md: an introduction by hand, then every key from the table.
#include <sinew/mesh_generation.hpp>
#include <sinew/scene.hpp>

#include "engine/scene/json_node.hpp"
#include "engine/scene/scene_keys.hpp"

namespace sinew {

namespace {

constexpr const char* kIntroduction = R"(# Scene files

<!-- Written by the program sinew_scene_docs from engine/scene/; edit the table of keys there. -->

A scene is one JSON file: what is simulated, how, and what a run writes. `//` and `/* */` comments are
allowed.

```json
{
  // A ball falls on the floor and comes to rest.
  "name": "first",
  "simulation": {"time_step": 0.01, "frames": 200},
  "bodies": [
    {
      "name": "ball",
      "mesh": {"generate": "ball", "radius": 0.1, "vertices": 1000},
      "transform": {"translate": [0, 0, 0.5]},
      "material": {"young_modulus": 2e5, "poisson_ratio": 0.45},
      "density": 1000,
      "friction": 0.5
    }
  ],
  "obstacles": [{"name": "floor", "shape": {"half_space": {}}, "friction": 0.5}]
}
```

Run it with `sinew run first.json`; `--png DIR` writes pictures, `--export DIR` meshes. Larger examples with
comments are in `assets/scenes`.

## Rules

- **Units** are SI: metres, kilograms, seconds, newtons, pascals. Angles are in degrees where the key ends in
  `_deg`; turning speeds (`spin`, `angular_velocity`) are in rad/s.
- **Axes**: +z is up. Vectors are `[x, y, z]` in world axes.
- **Paths** are relative to the folder of the scene file.
- **Names** are unique among the bodies, among the obstacles, among the pins and among the forces.
- **Unknown keys are errors**, so that a slip of the pen does not become a silent default. Trailing commas,
  keys given twice, NaN and Infinity are errors too. Each error is one line with file, line, key and what to
  do:

      falling.json:9: bodies.0.fricton: unknown key 'fricton', did you mean 'friction'?

- **Overrides**: `--set path=value` changes one value without editing the file. List entries go by name or by
  index from 0 (by index where a name holds a dot); keys that the file leaves out are added; the value is JSON
  or a bare text:

      sinew run first.json --set simulation.time_step=0.005 --set bodies.ball.friction=0.2 \
                           --set "bodies.0.transform.translate=[0, 0, 1]" --set solver.precision=mixed

- **Meshes are examined at load.** Harmless faults (orientation, unused nodes) are mended with a warning; a
  mesh that cannot be simulated is refused with the fault and the `sinew mesh repair` command. A surface file
  needs `tetrahedralize`. Where the size of a file looks like another unit, a warning asks for `scale`.
- **Editors**: `assets/scene.schema.json` is a JSON Schema of this format; `"$schema": "../scene.schema.json"`
  in a scene gives completion and hints.

"Range" below is checked at load. A default of "-" means that the key may be left out and nothing is assumed.
)";

/// Vertical bars end a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out.empty() ? "-" : out;
}

std::string type_cell(const Key& key) {
  using Kind = ValueForm::Kind;
  std::string text;
  for (const ValueForm& form : key.forms) {
    if (!text.empty()) text += " or ";
    const std::string link = form.object ? "[" + form.object->name + "](#" + form.object->anchor() + ")" : "";
    switch (form.kind) {
      case Kind::boolean:
        text += "true/false";
        break;
      case Kind::integer:
        text += "integer";
        break;
      case Kind::number:
        text += "number";
        break;
      case Kind::text:
        text += "text";
        break;
      case Kind::vector3:
        text += "[x, y, z]";
        break;
      case Kind::integer_pair:
        text += "[integer, integer]";
        break;
      case Kind::index_list:
        text += "[integer, ...]";
        break;
      case Kind::vector3_list:
        text += "[[x, y, z], ...]";
        break;
      case Kind::integer_pair_list:
        text += "[[integer, integer], ...]";
        break;
      case Kind::integer_triple_list:
        text += "[[integer, integer, integer], ...]";
        break;
      case Kind::object:
        text += link;
        break;
      case Kind::object_list:
        text += "list of " + link;
        break;
    }
  }
  if (!key.choices.empty()) {
    text.clear();
    for (const std::string& choice : key.choices) text += (text.empty() ? "`" : ", `") + choice + "`";
  }
  return text;
}

std::string range_cell(const Key& key) {
  Key plain = key;
  plain.unit_name.clear();  // the unit has a column of its own
  return bounds_text(plain);
}

void write_rows(std::string& out, const std::vector<Key>& keys) {
  out += "| Key | Type | Unit | Default | Range | Meaning |\n|---|---|---|---|---|---|\n";
  for (const Key& key : keys) {
    const std::string by_default = key.required                ? "**required**"
                                   : key.default_value.empty() ? "-"
                                                               : "`" + key.default_value + "`";
    out += "| `" + key.name + "` | " + cell(type_cell(key)) + " | " + cell(key.unit_name) + " | " +
           by_default + " | " + cell(range_cell(key)) + " | " + cell(key.text) + " |\n";
  }
}

void write_choices(std::string& out, const std::vector<KeyChoice>& choices) {
  for (const KeyChoice& choice : choices) {
    out += choice.needs_one ? "\nExactly one of " : "\nAt most one of ";
    for (std::size_t i = 0; i < choice.keys.size(); ++i)
      out += (i == 0 ? "`" : i + 1 == choice.keys.size() ? " and `" : ", `") + choice.keys[i] + "`";
    out += " is given.\n";
  }
}

}  // namespace

std::string scene_documentation() {
  std::string out = kIntroduction;
  for (const ObjectType* type : all_object_types()) {
    out += "\n## " + type->title + "\n\n" + type->text + "\n";
    if (!type->keys.empty()) {
      out += "\n";
      write_rows(out, type->keys);
    }
    write_choices(out, type->choices);
  }
  out +=
      "\n## Generated shapes\n\n`\"mesh\": {\"generate\": NAME, ...}` with the parameters of the shape; all "
      "of them may be "
      "left out. `vertices` is a target met within 3 % and wins over `cell`, the edge of the lattice. "
      "Meshes of obstacles take every shape, of tetrahedra the boundary (`block` is a box, `cloth` an open "
      "grid).\n";
  for (const bool of_sheets : {false, true})
    for (const std::string& shape : generator_names(of_sheets)) {
      out += "\n### " + shape + "\n\n" + generator_text(shape) + (of_sheets ? "; for `sheet.mesh`" : "") +
             "\n\n";
      write_rows(out, generator_parameters(shape));
    }
  return out;
}

}  // namespace sinew
