#!/usr/bin/env python3
"""Draws results of suites (`sinew bench table3|memory|scaling --json R.json`), one SVG each:

    benchmarks/plot_suite.py R.json [R.json ...] OUT_DIR

OUT_DIR/table3.svg: our longest frame over the published one, a bar per row and column; OUT_DIR/memory.svg: bytes of
the prepared inverse, ours and published; OUT_DIR/scaling.svg: frames and their stages against size, both axes
logarithmic. Files of one suite (table3-small.json, table3-medium.json) become one picture. Same input, same file.
"""
import json
import os
import statistics
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.ticker
    from matplotlib import pyplot
except ImportError:
    sys.exit("plot_suite.py: error: matplotlib is missing; install it: apt-get install python3-matplotlib")

# Okabe and Ito's palette: told apart with every kind of colour vision.
COLUMNS = {"published": ("#999999", "published algorithms"), "method": ("#56B4E9", "our method"),
           "defaults": ("#0072B2", "defaults")}
MEMORY = {"published_S_MB": ("#D55E00", "published S"), "S_bytes": ("#E69F00", "S of 3n by count, double"),
          "staged_bytes": ("#0072B2", "staged, double"), "staged_float_bytes": ("#56B4E9", "staged, float")}
STAGES = {"median_ms": ("#000000", "-", "frame"), "local_ms": ("#009E73", "-", "local"),
          "global_ms": ("#0072B2", "-", "global"), "detect_ms": ("#999999", "--", "detect"),
          "delassus_ms": ("#E69F00", "-", "delassus"), "contact_solve_ms": ("#D55E00", "-", "contact solve"),
          "correct_ms": ("#CC79A7", "--", "correct"), "precompute_ms": ("#56B4E9", ":", "preparation, once")}
FAMILIES = {"elastic": ("vertices", "Bar without contact"), "contact": ("constraints", "Slab on a slope")}


def figure_of(row, name):
    """Median of the repeats, else the value; None where neither is known or it is not positive."""
    repeats = [v for v in row["samples"].get(name, []) if v is not None]
    value = statistics.median(repeats) if repeats else row["values"].get(name)
    return value if value is not None and value > 0 else None


def title_of(result, what):
    machine = result["machine"]
    return f"{what}\n{machine['cpu']}, {result['threads']} threads, {result['date']}"


def short(value, _=None):
    """Three digits, in full."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def plain_logarithms(axes):
    """Marks at 1, 2, 5, 10 and so on, written in full."""
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(short))
    axes.xaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())


def draw_bars(groups, series, value, axis_label, title, path, start=None):
    """Horizontal bars, a group per row of the result, from top to bottom. value: of a group and a series; start: where
    bars begin, None: at the left."""
    figure, axes = pyplot.subplots(figsize=(8, 0.9 + 0.17 * len(groups) * len(series) + 0.12 * len(groups)))
    width = 0.8 / len(series)
    for k, (name, (color, label)) in enumerate(series.items()):
        points = [(g + (k + 0.5) * width - 0.4, value(group, name)) for g, group in enumerate(groups.values())]
        points = [(y, v) for y, v in points if v is not None]
        axes.barh([y for y, _ in points], [v - (start or 0) for _, v in points], 0.9 * width, left=start, color=color,
                  label=label)
        for y, v in points:
            leftwards = start is not None and v < start
            axes.text(v, y, f"{short(v)} " if leftwards else f" {short(v)}", va="center", fontsize=6,
                      ha="right" if leftwards else "left")
    plain_logarithms(axes)
    if start is not None:
        axes.axvline(start, color="0.3", linewidth=0.8)
    axes.set_yticks(range(len(groups)), list(groups), fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.12, y=0.01)
    axes.grid(True, axis="x", color="0.92", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(axis_label, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.set_title(title, fontsize=9)
    axes.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.5 / figure.get_figheight()),
                ncol=len(series))
    save(figure, path)


def save(figure, path):
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)
    print(path)


def draw_table3(result, path):
    groups = {}
    for row in result["rows"]:
        labels = row["labels"]
        groups.setdefault(f"{labels['example']}, {labels['vertices_k']}k", {})[labels["column"]] = row
    present = {c: s for c, s in COLUMNS.items() if any(c in g for g in groups.values())}
    draw_bars(groups, present, lambda g, c: figure_of(g[c], "ratio") if c in g else None,
              "our longest frame / published one [1]; left of the line ours is shorter",
              title_of(result, "Published: RTX 4090, local step on 24 cores of an i9-13900KF: other hardware"), path,
              start=1.0)


def draw_memory(result, path):
    groups = {f"{r['labels']['example']}, {r['labels']['vertices_k']}k": r for r in result["rows"]}

    def megabytes(row, name):
        value = figure_of(row, name)
        return value if value is None or name.endswith("_MB") else value / 1e6

    draw_bars(groups, MEMORY, megabytes, "prepared inverse [MB]", "Memory of the prepared inverse", path)


def draw_scaling(result, path):
    families = [f for f in FAMILIES if any(r["id"].split("/")[1] == f for r in result["rows"])]
    figure, axes = pyplot.subplots(1, len(families), squeeze=False, figsize=(4.4 * len(families), 4.2))
    for panel, family in zip(axes[0], families):
        size, what = FAMILIES[family]
        rows = [r for r in result["rows"] if r["id"].split("/")[1] == family and figure_of(r, size)]
        for name, (color, dash, label) in STAGES.items():
            points = [(figure_of(r, size), figure_of(r, name)) for r in rows if figure_of(r, name)]
            # A stage that takes next to nothing says nothing.
            if points and max(y for _, y in points) > 0.01 * max(figure_of(r, "median_ms") or 0 for r in rows):
                panel.plot(*zip(*points), color=color, linestyle=dash, marker=".", linewidth=1.4, label=label)
        plain_logarithms(panel)
        panel.set_yscale("log")
        panel.grid(True, color="0.92", linewidth=0.6)
        panel.tick_params(labelsize=8)
        panel.set_xlabel("contacts [1]" if family == "contact" else "vertices [1]", fontsize=9)
        panel.set_ylabel("time [ms]", fontsize=9)
        panel.set_title(what, fontsize=9)
        panel.legend(fontsize=7, frameon=False)
    figure.suptitle(title_of(result, "Scaling"), fontsize=9)
    figure.tight_layout()
    save(figure, path)


SUITES = {"table3": draw_table3, "memory": draw_memory, "scaling": draw_scaling}


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        if not isinstance(result, dict) or result.get("format") != "sinew-bench-1":
            raise ValueError("is no result of a suite; write one by: sinew bench table3 --json R.json")
        if result["suite"] not in SUITES:
            raise ValueError(f"holds the suite '{result['suite']}'; pictures are drawn of {', '.join(SUITES)}")
        if not result["rows"]:
            raise ValueError("has no rows")
        return result
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"plot_suite.py: error: {path}: {error}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    results = {}
    for path in sys.argv[1:-1]:
        result = read(path)
        known = results.setdefault(result["suite"], result)
        if known is result:
            continue
        if known["machine"] != result["machine"] or known["threads"] != result["threads"]:
            sys.exit(f"plot_suite.py: error: {path}: another machine or number of threads than the '{result['suite']}' before; "
                     "draw them apart")
        known["rows"] += result["rows"]
    try:
        os.makedirs(sys.argv[-1], exist_ok=True)
    except OSError as error:
        sys.exit(f"plot_suite.py: error: {sys.argv[-1]}: {error}")
    pyplot.rcParams["svg.hashsalt"] = "sinew"
    for suite, result in results.items():
        try:
            SUITES[suite](result, os.path.join(sys.argv[-1], f"{suite}.svg"))
        except KeyError as error:
            sys.exit(f"plot_suite.py: error: the result of '{suite}' lacks {error}; measure again")


if __name__ == "__main__":
    main()
