"""Tables of docs/peers.md out of a result of benchmarks/peers/run (the content of its file)."""

import csv
import math
from dataclasses import dataclass

from figures import median, number, with_spread

# Figures beside time and errors, where a row has them: name, header, factor to the unit shown.
EXTRA = [
    ("slide_m", "slide in 3 s [mm]", 1e3),
    ("exact_slide_m", "rigid block [mm]", 1e3),
    ("late_slide_m", "way from 1 s to 3 s [mm]", 1e3),
    ("lowest_25_m", "lowest, frame 25 [m]", 1),
    ("lowest_50_m", "frame 50 [m]", 1),
    ("drift_m", "drift [mm]", 1e3),
    ("top_sinks_m", "top sinks [mm]", 1e3),
    ("sinks_m", "sinks [mm]", 1e3),
    ("penetration_m", "penetration [mm]", 1e3),
    ("end_speed_m_s", "speed at the end [mm/s]", 1e3),
]


def ms(row):
    """Median over repeats of the median frame; None where none ended."""
    return median(row, "frame_median_ms")


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def _keys(row):
    """Measures of a row: labels "error_m" or "..._error_m", "name: text"."""
    return [k for k in row["labels"] if k.endswith("error_m")]


def _name(row, key):
    return row["labels"][key].split(":")[0]


def _error(row, key):
    return row["values"].get(key) if row["valid"] else None


def _scenes(result):
    return list(dict.fromkeys(row["id"].split("/")[0] for row in result["rows"]))


def _rows(result, scene):
    return [r for r in result["rows"] if r["id"].startswith(scene + "/")]


def _recommended(row):
    return row["labels"]["column"] == "recommended"


@dataclass
class Pair:
    """Sinew and a peer at one measure of a scene; rows are those of the result."""

    scene: str
    measure: str
    key: str
    theirs: dict  # with the recommended settings, or else the cheapest that has a result
    ours: dict | None  # Sinew's cheapest that is at least as exact as `theirs`
    default: dict  # Sinew's
    as_exact: dict | None  # the peer's cheapest that is at least as exact as `default`
    floor_m: float  # differences up to this one count for nothing

    @property
    def peer(self):
        return self.theirs["labels"]["peer"]

    @property
    def ratio(self):
        """Time of the peer over Sinew's at the error of the peer."""
        return ms(self.theirs) / ms(self.ours) if self.ours else None


def _cheapest(rows, key, limit):
    fit = [r for r in rows if _error(r, key) is not None and ms(r) is not None and _error(r, key) <= limit]
    return min(fit, key=ms) if fit else None


def pairs(result):
    """Only measures that have a floor in the result are ranked; what lies within the floor counts as equal."""
    found = []
    for scene in _scenes(result):
        rows = _rows(result, scene)
        ours = [r for r in rows if r["labels"]["peer"] == "sinew"]
        default = next((r for r in ours if _recommended(r)), None)
        for key in _keys(rows[0]):
            floor = next((r["values"][f] for r in rows for f in [key.replace("error", "floor")] if f in r["values"]), None)
            if floor is None or default is None or _error(default, key) is None:
                continue
            for peer in dict.fromkeys(r["labels"]["peer"] for r in rows if r["labels"]["peer"] != "sinew"):
                theirs = [r for r in rows if r["labels"]["peer"] == peer]
                base = next((r for r in theirs if _recommended(r) and _error(r, key) is not None), None)
                base = base or _cheapest(theirs, key, math.inf)
                if base:
                    reached = _cheapest(ours, key, _error(base, key) + floor)
                    found.append(
                        Pair(scene, _name(rows[0], key), key, base, reached, default, _cheapest(theirs, key, _error(default, key) + floor), floor)
                    )
    return found


def _most_exact(result, pair, peer):
    rows = [r for r in _rows(result, pair.scene) if r["labels"]["peer"] == peer and _error(r, pair.key) is not None]
    return min(rows, key=lambda r: _error(r, pair.key))


def _best(result, pair, peer):
    best = _most_exact(result, pair, peer)
    return f"not reached: {number(1e3 * _error(best, pair.key))} mm in {number(ms(best))} ms"


def _in_short(row):
    return f"{number(ms(row))} ms ({row['id'].split('/', 2)[2]})"


def equal_error(result):
    header = ["scene: measure", "peer", "its error [mm]", "its time", "Sinew, as exact", "its time / Sinew's",
              "Sinew's defaults: error [mm]", "time", "peer, as exact"]  # fmt: skip
    lines = [_line(header), "|---|---|---:|---:|---|---:|---:|---:|---|"]
    for p in pairs(result):
        name = p.peer if _recommended(p.theirs) else f"{p.peer}, {p.theirs['labels']['column']}"
        cells = [f"{p.scene}: {p.measure}", name, number(1e3 * _error(p.theirs, p.key)), f"{number(ms(p.theirs))} ms"]
        cells += [_in_short(p.ours) if p.ours else _best(result, p, "sinew"), number(p.ratio, 2) if p.ratio else "-"]
        cells += [number(1e3 * _error(p.default, p.key)), f"{number(ms(p.default))} ms"]
        cells.append(_in_short(p.as_exact) if p.as_exact else _best(result, p, p.peer))
        lines.append(_line(cells))
    return "\n".join(lines)


def better_peers(result):
    """One line for each measure of a scene and peer where Sinew loses."""
    lines = []
    for p in pairs(result):
        where = f"- **{p.scene}, {p.measure}: {p.peer}**"
        if p.as_exact and ms(p.as_exact) < ms(p.default):
            lines.append(f"{where} is as exact as Sinew's defaults in {_in_short(p.as_exact)}; they take {number(ms(p.default))} ms.")
        theirs, ours = _most_exact(result, p, p.peer), _most_exact(result, p, "sinew")
        if _error(theirs, p.key) + p.floor_m < _error(ours, p.key):
            found = [f"{number(1e3 * _error(r, p.key))} mm in {_in_short(r)}" for r in (theirs, ours)]
            lines.append(f"{where} is more exact than any setting of Sinew that was run: {found[0]}, Sinew {found[1]}.")
        if p.ratio and p.ratio < 1:
            lines.append(f"{where} is faster than Sinew at its error: {_in_short(p.theirs)}, Sinew {_in_short(p.ours)}.")
    return "\n".join(lines) or "None in this run."


def _scene_table(rows):
    extra = [e for e in EXTRA if any(e[0] in r["values"] for r in rows)]
    first, keys = rows[0]["labels"], _keys(rows[0])
    lines = [f"### {first['scene']}", "", *(f"- *{_name(rows[0], k)}*:{first[k].split(':', 1)[1]}." for k in keys)]
    floors = {k: next((r["values"][f] for r in rows for f in [k.replace("error", "floor")] if f in r["values"]), None) for k in keys}
    if all(f is None for f in floors.values()):
        lines.append("- No ranking: a range, not a solution.")
    lines += [f"- Differences of {number(1e3 * f)} mm in *{_name(rows[0], k)}* count for nothing." for k, f in floors.items() if f]
    header = ["program", "settings", "threads", "ms per frame", *(f"{_name(rows[0], k)} [mm]" for k in keys), *(e[1] for e in extra), "remarks"]
    lines += ["", _line(header), "|" + "---|" * 2 + "---:|" * (len(header) - 3) + "---|"]
    for row in rows:
        values, labels = row["values"], row["labels"]
        cells = [f"**{labels['peer']}**" if _recommended(row) else labels["peer"], labels["settings"]]
        cells += [f"{values['threads']:.0f}" if "threads" in values else "-", with_spread(row, "frame_median_ms")]
        cells += [number(1e3 * _error(row, k)) if _error(row, k) is not None else "-" for k in keys]
        cells += [number(values[e[0]] * e[2]) if e[0] in values and row["valid"] else "-" for e in extra]
        laws = {v for k, v in labels.items() if k.startswith("law of the reference")}
        cells.append("; ".join([*row["warnings"], *(f"law: {law.replace('_', ' ')}" for law in sorted(laws))]))
        lines.append(_line(cells))
    return "\n".join(lines)


def scene_tables(result):
    parts = [_scene_table(_rows(result, scene)) for scene in _scenes(result)]
    if result["failures"]:
        parts.append("Not run:\n\n" + "\n".join(f"- {f}" for f in result["failures"]))
    return "\n\n".join(parts)


def head(result):
    """Machine, date, versions, command and what other programs did meanwhile."""
    machine = result["machine"]
    versions = {r["labels"]["peer"]: r["labels"]["version"] for r in result["rows"] if r["labels"].get("version")}
    lines = [
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_bytes'] / 2**30:.0f} GiB, {machine['system']}; "
        f"{result['date']}. " + "; ".join(f"{p} {v}" for p, v in versions.items()) + ".",
        f"    {result['command']}",
    ]
    share = result["load"]["others_share"]
    if share is not None:
        lines.append(f"Other programs took {100 * share:.0f} % of all cores meanwhile.")
    if result["load"]["warning"]:
        lines.append(f"**{result['load']['warning'][0].upper()}{result['load']['warning'][1:]}.**")
    return "\n\n".join(lines)


def recorded(result, file):
    """Figures of `file` (CSV) beside the rows of the same problems in this result with recommended settings."""
    header = ["program", "threads", "A5 [ms]", "A5, lowest at 25 / 50 [m]", "B [ms]", "C: slide in 3 s at mu = 0.176 / 0.177 [mm]"]
    lines = [_line(header), "|---|---:|---:|---:|---:|---:|"]
    both = lambda a, b: f"{a or '-'} / {b or '-'}" if a or b else "-"  # noqa: E731
    with open(file, encoding="utf-8", newline="") as rows:
        for r in csv.DictReader(rows):
            cells = [r["program"], r["threads"], r["a5_ms"] or "-", both(r["a5_lowest_25_m"], r["a5_lowest_50_m"]), r["b_ms"] or "-"]
            lines.append(_line([*cells, both(r["slope_slip_mm"], r["slope_stick_mm"])]))
    by_id = {}
    for row in result["rows"]:
        if _recommended(row):
            by_id[row["id"].split("/")[0], row["labels"]["peer"]] = row

    def value(scene, peer, key, factor=1.0):
        row = by_id.get((scene, peer))
        return number(row["values"][key] * factor) if row and row["valid"] and key in row["values"] else ""

    def time(scene, peer):
        row = by_id.get((scene, peer))
        return number(ms(row)) if row else "-"

    for peer in dict.fromkeys(p for _, p in by_id):
        threads = max(r["values"].get("threads", 0) for (_, p), r in by_id.items() if p == peer)
        cells = [f"{peer}, this run", f"{threads:.0f}", time("a5", peer)]
        cells += [both(value("a5", peer, "lowest_25_m"), value("a5", peer, "lowest_50_m")), time("b", peer)]
        lines.append(_line([*cells, both(value("slope_slip", peer, "slide_m", 1e3), value("slope_stick", peer, "slide_m", 1e3))]))
    return "\n".join(lines)
