"""Tables of results in the format "sinew-bench-1", as Markdown: one function per suite."""

from figures import count, median, megabytes, number, table, with_spread

PUBLISHED_HARDWARE = "RTX 4090, local step on 24 cores of an i9-13900KF"
COLUMNS = [("published", "published algorithms"), ("method", "our method"), ("defaults", "defaults")]
STAGES = ["detect", "delassus", "local", "global", "contact_solve", "correct", "finish"]
ACCURACIES = ("max_creep_m_s", "max_complementarity_m", "energy_error", "frame_error_m")
PER_ITERATION = {"local", "global", "contact_solve", "correct"}


def _value(row, name):
    return row.get("values", {}).get(name)


def _label(row, name):
    return row.get("labels", {}).get(name, "")


def _groups(rows, key):
    """Rows by key, in the order in which keys first appear."""
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _remarks(row):
    words = [] if row.get("valid", True) else ["invalid"]
    return "; ".join(words + row.get("warnings", []))


def _lines(title, texts):
    return [title + "\n\n" + "\n".join(f"- {text}" for text in texts)] if texts else []


def _ratio(row):
    """Our longest frame and, in brackets, how many times as long as the published one."""
    ratio = _value(row, "ratio")
    text = number(_value(row, "worst_ms"))
    text += f" ({number(ratio, 2)})" if ratio is not None else ""
    return text if row.get("valid", True) else text + " *invalid*"


def _table3_frames(rows):
    present = [(c, name) for c, name in COLUMNS if any(_label(r, "column") == c for r in rows)]
    header = ["scene", "vertices", "published", "elements", "published", "contacts", "published", "published [ms]"]
    lines = []
    for (example, size), group in _groups(rows, lambda r: (_label(r, "example"), _label(r, "vertices_k"))).items():
        by_column = {_label(r, "column"): r for r in group}
        first = by_column.get("defaults", group[0])
        cells = [f"{example}, {size}k", count(_value(first, "vertices")), count(_value(first, "published_vertices"))]
        cells += [count(_value(first, "elements")), count(_value(first, "published_elements"))]
        cells += [count(_value(first, "constraints")), count(_value(first, "published_constraints"))]
        cells += [number(_value(first, "published_worst_ms"))]
        lines.append(cells + [_ratio(by_column[c]) if c in by_column else "-" for c, _ in present])
    return table(header + [f"ours, {name} [ms] (ratio)" for _, name in present], lines)


def _published_stage(row, stage):
    """As our stages are cut: assembly of the rows belongs to the contact solve."""
    theirs = _value(row, f"published_{stage}_ms")
    if stage == "contact_solve" and theirs is not None:
        theirs += _value(row, "published_assemble_ms") or 0.0
    return theirs


def _table3_stages(rows):
    """The frame of most contacts: ours / published, once per frame or, where the published table has it so, once
    per iteration."""
    lines = []
    for row in rows:
        if _label(row, "column") != "defaults":
            continue
        cells = [f"{_label(row, 'example')}, {_label(row, 'vertices_k')}k"]
        for stage in STAGES:
            ours, theirs = _value(row, f"{stage}_at_most_ms"), _published_stage(row, stage)
            if stage in PER_ITERATION and ours is not None:
                ours /= max(1.0, _value(row, "iterations") or 1.0)
            cells.append(number(ours) if theirs is None else f"{number(ours)} / {number(theirs)}")
        lines.append([*cells, number(_value(row, "frame_at_most_ms"))])
    header = [s.replace("_", " ") + (" (iteration)" if s in PER_ITERATION else "") for s in STAGES]
    text = "The frame of most contacts, once per frame or once per iteration as published:"
    return [text, table(["our defaults / published [ms]", *header, "our frame"], lines)] if lines else []


def _table3_accuracy(rows):
    header = ["scene", "column", "median [ms]", "p99 [ms]", "penetration / size", "creep [m/s]", "complementarity [m]"]
    header += ["energy error", "frame error [m]", "frames not converged", "prepared [ms]", "prepared [MB]", "published [MB]", "remarks"]
    lines = []
    for row in rows:
        depth, size = _value(row, "max_penetration_m"), _value(row, "size_m")
        cells = [f"{_label(row, 'example')}, {_label(row, 'vertices_k')}k", _label(row, "column")]
        cells += [with_spread(row, "median_ms"), with_spread(row, "p99_ms")]
        cells += [number(depth / size, 2) if depth is not None and size else "-"]
        cells += [number(_value(row, n), 2) for n in ACCURACIES]
        cells += [count(_value(row, "unconverged_frames")), number(_value(row, "precompute_ms"))]
        cells += [megabytes(_value(row, n)) for n in ("precompute_bytes", "published_bytes")]
        lines.append([*cells, _remarks(row)])
    return table(header, lines, left=2)


def table3(result):
    """Frames beside the published ones, stages, and what the frames are worth."""
    rows = result["rows"]
    return "\n\n".join(
        [
            f"Published: {PUBLISHED_HARDWARE}. Ours: the machine above. **A ratio compares different hardware, not only "
            "programs**; below 1 ours is faster. The longest frame, detection left out as published:",
            _table3_frames(rows),
            *_table3_stages(rows),
            "How exact the frames are. *Energy error*: of the incremental energy, relative to that at the start of the frame; "
            "*frame error*: the largest distance from a frame solved to the end.",
            _table3_accuracy(rows),
            *_lines("Advice of the program:", result.get("advice", [])),
        ]
    )


def memory(result):
    """Bytes beside the published ones; MB of 1e6 bytes."""
    header = ["published mesh", "our vertices", "staged [MB]", "in float [MB]", "S of 3n by count [MB]", "in float [MB]"]
    header += ["dense [MB]", "published S [MB]", "published dense [MB]", "published S / staged"]
    lines = []
    for row in result["rows"]:
        cells = [f"{_label(row, 'example')}, {_label(row, 'vertices_k')}k", count(_value(row, "vertices"))]
        names = ("staged_bytes", "staged_float_bytes", "S_bytes", "S_float_bytes", "dense_bytes")
        cells += [megabytes(_value(row, n)) for n in names]
        cells += [number(_value(row, n)) for n in ("published_S_MB", "published_dense_MB")]
        lines.append([*cells, number(_value(row, "published_ratio"), 2)])
    return "\n\n".join([table(header, lines), *_lines("In short:", result.get("advice", []))])


def scaling(result):
    """One table per family of the ids "scaling/<family>/<size>", then the exponents."""
    parts = []
    for family, rows in _groups(result["rows"], lambda r: r["id"].split("/")[1]).items():
        shown = [s for s in STAGES if any(median(r, f"{s}_ms") for r in rows)]
        header = [family, "vertices", "elements", "contacts", "frame [ms]", *(s.replace("_", " ") for s in shown)]
        lines = []
        for row in rows:
            cells = [row["id"].split("/")[2], *(count(_value(row, n)) for n in ("vertices", "elements", "constraints"))]
            cells += [with_spread(row, "median_ms"), *(number(median(row, f"{s}_ms")) for s in shown)]
            lines.append([*cells, number(_value(row, "precompute_ms")), megabytes(_value(row, "precompute_bytes"))])
        parts.append(table([*header, "prepared [ms]", "prepared [MB]"], lines))
    return "\n\n".join([*parts, *_lines("Growth:", result.get("advice", []))])


RECORDED = "recorded_"  # values of other programs, measured on another day
RECORDED_HEADS = {"ms": "[ms]", "error_m": "A5, error [mm]", "slide_m": "slide [mm]"}


def _frames_of_problems(rows):
    stages = ["detect", "local", "global", "contact_solve", "correct"]
    lines = []
    for row in rows:
        cells = [row["id"], _label(row, "what"), *(count(_value(row, n)) for n in ("vertices", "elements", "constraints"))]
        cells += [with_spread(row, "median_ms"), number(_value(row, "p99_ms"))]
        lines.append([*cells, *(number(median(row, f"{s}_ms")) for s in stages), _remarks(row)])
    header = ["row", "", "vertices", "elements", "contacts", "median [ms]", "p99"]
    return table([*header, *(s.replace("_", " ") for s in stages), "remarks"], lines, left=2)


def _millimetres(row, name, digits=3):
    value = _value(row, name)
    return "-" if value is None else f"{1e3 * value:.{digits}f}"


def _curves(rows):
    names = ["error_m", "rms_error_m", "distance_m"]
    lines = [
        [r["id"], *(number(_value(r, f"lowest_{f}_m"), 4) for f in (25, 50, 75, 100)), *(_millimetres(r, n, 2) for n in names)]
        for r in rows
    ]
    return table(["row", "25 [m]", "50", "75", "100", "largest error [mm]", "RMS", "all nodes from converged [mm]"], lines)


def _slides(rows):
    names = ["slide_m", "exact_slide_m", "error_m", "late_pull_m_s2", "exact_pull_m_s2"]
    lines = [[r["id"], *(_millimetres(r, n) for n in names), number(_value(r, "max_creep_m_s"), 2)] for r in rows]
    header = ["row", "slide in 3 s [mm]", "rigid block", "error", "acceleration after 2 s [mm/s²]", "rigid block"]
    return table([*header, "creep [m/s]"], lines)


def _recorded(rows):
    """What other programs took, per problem; rows of one problem repeat it."""
    problems = list(dict.fromkeys(f"{_label(r, 'problem')} {_value(r, 'friction') or ''}".strip() for r in rows))
    known = {}  # (program, problem, figure) -> value
    for row in rows:
        problem = f"{_label(row, 'problem')} {_value(row, 'friction') or ''}".strip()
        for name, value in row.get("values", {}).items():
            if not name.startswith(RECORDED) or value is None:
                continue
            figure = next(f for f in RECORDED_HEADS if name.endswith("_" + f))
            known[name[len(RECORDED) : -len(figure) - 1], problem, figure] = value
    columns = [(p, f) for p in problems for f in RECORDED_HEADS if any(k[1:] == (p, f) for k in known)]
    lines = []
    for program in dict.fromkeys(k[0] for k in known):
        values = [known.get((program, *c)) for c in columns]
        cells = [number(v if v is None or c[1] == "ms" else 1e3 * v) for v, c in zip(values, columns)]
        lines.append([program.replace("_", " "), *cells])
    heads = [RECORDED_HEADS[f] if f == "error_m" else f"{p} {RECORDED_HEADS[f]}" for p, f in columns]
    return table(["program", *heads], lines) if lines else ""


def problems(result):
    rows = result["rows"]
    having = lambda name: [r for r in rows if _value(r, name) is not None]  # noqa: E731
    parts = [_frames_of_problems(rows)]
    if curves := having("lowest_25_m"):
        parts += ["Lowest vertex after so many frames:", _curves(curves)]
    if slides := having("slide_m"):
        parts += ["C, block on a slope:", _slides(slides)]
    if recorded := _recorded(rows):
        parts += ["Other programs as recorded on another day: no claim about speed.", recorded]
    return "\n\n".join([*parts, *_lines("Advice of the program:", result.get("advice", []))])
