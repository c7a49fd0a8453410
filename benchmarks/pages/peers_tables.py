#!/usr/bin/env python3
"""Tables of docs/peers.md out of a result of benchmarks/peers/run. As a program: prints them for one file."""

import json
import math
import statistics
import sys

# Figures beside time and error, where a row has them: name, header, factor to the unit shown.
EXTRA = [
    ("pull_m_s2", "acceleration [mm/s²]", 1e3),
    ("exact_pull_m_s2", "exact", 1e3),
    ("late_slide_m", "way from 1 s to 3 s [mm]", 1e3),
    ("lowest_25_m", "lowest, frame 25 [m]", 1),
    ("lowest_50_m", "frame 50 [m]", 1),
    ("drift_m", "drift [mm]", 1e3),
    ("top_sinks_m", "top sinks [mm]", 1e3),
    ("slip_m", "slip [mm]", 1e3),
    ("penetration_m", "penetration [mm]", 1e3),
    ("end_speed_m_s", "speed at the end [mm/s]", 1e3),
]


def _number(value, digits=3):
    if value is None or not math.isfinite(value):
        return "-"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if size >= 5:
        return f"{value:.1e}"
    return f"{value:.{max(0, digits - 1 - size)}f}" if size > -4 else f"{value:.1e}"


def _ms(row):
    times = [t for t in row["samples"].get("frame_median_ms", []) if t is not None]
    return statistics.median(times) if times else None


def _spread(row):
    times = [t for t in row["samples"].get("frame_median_ms", []) if t is not None]
    if len(times) < 2:
        return ""
    return f" ± {50 * (max(times) - min(times)) / statistics.median(times):.0f} %"


def _error(row):
    return row["values"].get("error_m") if row["valid"] else None


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def _scenes(result):
    names = []
    for row in result["rows"]:
        name = row["id"].split("/")[0]
        if name not in names:
            names.append(name)
    return names


def _rows(result, scene):
    return [r for r in result["rows"] if r["id"].startswith(scene + "/")]


def _scene_table(rows):
    extra = [e for e in EXTRA if any(e[0] in r["values"] for r in rows)]
    first = rows[0]["labels"]
    lines = [f"### {first['scene']}", "", f"Error: {first['error']}.", ""]
    header = ["program", "settings", "threads", "ms per frame", "error [mm]", *(e[1] for e in extra), "remarks"]
    lines += [_line(header), "|" + "---|" * 2 + "---:|" * (len(header) - 3) + "---|"]
    for row in rows:
        values, labels = row["values"], row["labels"]
        program = f"**{labels['peer']}**" if labels["column"] == "recommended" else labels["peer"]
        error = values.get("error_m")
        # What has not been computed at all has no time; what diverged has no error worth a number.
        shown = _number(1e3 * error) if error is not None and error <= 1 else "-"
        cells = [program, labels["settings"], f"{values['threads']:.0f}" if "threads" in values else "-"]
        cells += [_number(_ms(row)) + _spread(row), shown]
        cells += [_number(values[e[0]] * e[2]) if e[0] in values and row["valid"] else "-" for e in extra]
        lines.append(_line([*cells, "; ".join(row["warnings"])]))
    return "\n".join(lines)


def _cheapest(rows, limit):
    fit = [r for r in rows if _error(r) is not None and _error(r) <= limit * 1.001 and _ms(r) is not None]
    return min(fit, key=_ms) if fit else None


def _against(limit_row, rows, name):
    """The cheapest of `rows` that is at least as exact, and how many times as long it takes."""
    found = _cheapest(rows, _error(limit_row))
    if found:
        return f"{_number(_ms(found))} ms ({found['labels']['settings'].split(',')[0]})", found
    best = [r for r in rows if _error(r) is not None]
    if not best:
        return f"{name} has no result", None
    best = min(best, key=_error)
    return f"not reached: {_number(1e3 * _error(best))} mm in {_number(_ms(best))} ms", None


def _equal_error(result):
    lines = [
        "### At equal error",
        "",
        "Of the settings that were run, the cheapest that is at least as exact: of Sinew, as each program is with its",
        "recommended settings; of each program, as Sinew is with its defaults. Threads as in the tables above.",
        "",
        _line(["scene", "program", "its error [mm]", "its time", "Sinew, as exact", "its time / Sinew's", "Sinew's defaults: error [mm]", "time", "program, as exact"]),
        "|---|---|---:|---:|---|---:|---:|---:|---|",
    ]
    for scene in _scenes(result):
        rows = _rows(result, scene)
        ours = [r for r in rows if r["labels"]["peer"] == "sinew"]
        default = next((r for r in ours if r["labels"]["column"] == "recommended"), None)
        if not default or _error(default) is None:
            continue
        for peer in dict.fromkeys(r["labels"]["peer"] for r in rows if r["labels"]["peer"] != "sinew"):
            theirs = [r for r in rows if r["labels"]["peer"] == peer]
            base = next((r for r in theirs if r["labels"]["column"] == "recommended" and _error(r) is not None), None)
            if not base:
                base = _cheapest(theirs, math.inf)
            if not base:
                continue
            text, found = _against(base, ours, "Sinew")
            ratio = _number(_ms(base) / _ms(found), 2) if found else "-"
            name = peer if base["labels"]["column"] == "recommended" else f"{peer}, {base['labels']['column']}"
            cells = [scene, name, _number(1e3 * _error(base)), f"{_number(_ms(base))} ms", text, ratio]
            cells += [_number(1e3 * _error(default)), f"{_number(_ms(default))} ms", _against(default, theirs, peer)[0]]
            lines.append(_line(cells))
    return "\n".join(lines)


def table(result):
    """Markdown of a result (the content of its file)."""
    machine = result["machine"]
    versions = {}
    for row in result["rows"]:
        if row["labels"].get("version"):
            versions[row["labels"]["peer"]] = row["labels"]["version"]
    head = [
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_bytes'] / 2**30:.0f} GiB, {machine['system']}; "
        f"{result['date']}. " + "; ".join(f"{p} {v}" for p, v in versions.items()) + ".",
        f"`{result['command']}`",
    ]
    if result["load"]["warning"]:
        head.append(f"*{result['load']['warning'][0].upper()}{result['load']['warning'][1:]}.*")
    parts = ["\n\n".join(head), _equal_error(result)]
    parts += [_scene_table(_rows(result, scene)) for scene in _scenes(result)]
    if result["failures"]:
        parts.append("Not run:\n\n" + "\n".join(f"- {f}" for f in result["failures"]))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: peers_tables.py RESULT.json")
    with open(sys.argv[1], encoding="utf-8") as file:
        print(table(json.load(file)), end="")
