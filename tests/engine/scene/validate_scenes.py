"""Checks scenes against assets/scene.schema.json: shipped ones must fit, broken ones must not.

Usage: validate_scenes.py ROOT. Exit status 77: skipped, the package jsonschema is not installed.
"""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

# A string, or a comment; strings come first so that // inside them stays.
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

# Wrong in a way that a schema cannot say: relations between values, names, text that is not JSON.
BEYOND_SCHEMA = {
    "all_false", "axis_zero", "box_inside_out", "cable_time_order", "camera_without_direction",
    "force_times_not_increasing", "handle_unknown_body", "infinity", "key_twice", "keyframes_not_increasing",
    "lame_alone", "lame_and_young", "lame_ratio", "name_twice", "not_a_number", "overflow", "rotation_axis_zero", "unknown_body_force", "unknown_body_pin",
}


def read(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(TOKEN.sub(lambda m: m.group(0) if m.group(0)[0] == '"' else " ", text))


def main(root):
    schema = json.loads((root / "assets/scene.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    good = sorted((root / "assets/scenes").glob("*.json")) + sorted((root / "tests/data/scenes").glob("*.json"))
    for path in good:
        for error in validator.iter_errors(read(path)):
            failures.append(f"{path.name}: {error.json_path}: {error.message}")
    refused = 0
    for path in sorted((root / "tests/data/scenes/broken").glob("*.json")):
        if path.stem in BEYOND_SCHEMA:
            continue
        try:
            scene = read(path)
        except json.JSONDecodeError:
            continue
        if validator.is_valid(scene):
            failures.append(f"broken/{path.name}: the schema lets it pass")
        refused += 1
    print(f"{len(good)} scenes fit, {refused} broken ones examined")
    print("\n".join(failures))
    return 1 if failures or len(good) < 6 or refused < 30 else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
