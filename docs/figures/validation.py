#!/usr/bin/env python3
"""Draws the pictures of docs/validation.md from the lines that validation_studies prints, and lists their figures.

    build/release/bin/validation_studies bar cantilever strip energy recovery static > validation.csv
    docs/figures/validation.py validation.csv [OUT_DIR]       default: docs/images; validation_*.svg
"""
import collections
import csv
import math
import os
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    sys.exit("validation.py: error: matplotlib is missing; install it: apt-get install python3-matplotlib")

# Okabe and Ito's palette: told apart with every kind of colour vision; dashes help in grey.
BLACK, BLUE, SKY, GREEN, ORANGE, RED, PINK = (
    "#000000", "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#CC79A7")
IPC = {25: -0.2262, 50: -0.0847, 75: -0.1282, 100: -0.1722}  # lowest vertex [m], from its own run


def read(path):
    data = collections.defaultdict(lambda: collections.defaultdict(list))
    with open(path, newline="") as file:
        for study, series, x, y in csv.reader(file):
            data[study][series].append((float(x), float(y)))
    return data


def axes(width, height, columns=1):
    figure, panels = pyplot.subplots(1, columns, figsize=(width, height), squeeze=False)
    for panel in panels[0]:
        panel.grid(True, color="0.92", linewidth=0.6)
        panel.tick_params(labelsize=8)
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
    return figure, panels[0]


def save(figure, folder, name):
    figure.tight_layout()
    figure.savefig(os.path.join(folder, f"validation_{name}.svg"), metadata={"Date": None})


def table(*cells):
    print("| " + " | ".join(cells) + " |")


def bar(series, folder):
    figure, (panel,) = axes(6.4, 3.2)
    styles = {"5 iterations": (ORANGE, "-."), "10 iterations": (SKY, "--"), "20 iterations": (PINK, "-"),
              "converged": (BLACK, "-")}
    for name, (color, dash) in styles.items():
        x, y = zip(*[(0, 0)] + series[name])
        panel.plot([0.01 * v for v in x], [100 * v for v in y], dash, color=color, label=name,
                   linewidth=3.5 if name == "20 iterations" else 1.3)
    panel.plot([0.01 * f for f in IPC], [100 * y for y in IPC.values()], "o", color=RED, markersize=6,
               markerfacecolor="none", markeredgewidth=1.5, label="IPC, converged")
    panel.set_xlabel("time [s]", fontsize=9)
    panel.set_ylabel("lowest vertex [cm]", fontsize=9)
    panel.legend(fontsize=8, frameon=False, ncol=5, loc="lower center", bbox_to_anchor=(0.48, 1.0))
    save(figure, folder, "bar")
    exact = dict(series["converged"])
    for name in series:
        at = dict(series[name])
        if name.endswith("moved"):
            pairs = zip(series[name], series[name.replace("moved", "iterations")])
            print(f"{name} by 7 m: differs by {max(abs(a[1] - b[1]) for a, b in pairs):.1e} m at most")
            continue
        worst = max(abs(y - exact[f]) for f, y in series[name])
        table(name, *[f"{at[f]:.4f} ({1000 * (at[f] - y):+.1f} mm)" for f, y in IPC.items()],
              f"{1000 * worst:.0f} mm" if worst > 0 else "")


def richardson(coarse, middle, fine, factor=2.0):
    quotient = (middle - coarse) / (fine - middle)
    return math.log(quotient) / math.log(factor), fine + (fine - middle) / (quotient - 1)


def cantilever(series, folder):
    figure, panels = axes(7.2, 3.0, 2)
    for name, color, marker in (("nu 0.3", BLUE, "o"), ("nu 0.49", RED, "s")):
        cells, ratio = zip(*series[name])
        order, limit = richardson(*ratio[-3:])
        table(name, *[f"{r:.3f}" for r in ratio], f"{order:.2f}", f"{limit:.3f}")
        print(f"{name}: short of its limit by", *[f"{100 * (1 - r / limit):.1f} %" for r in ratio],
              "; change in the last frame at most", max(y for _, y in series[name + " change"]))
        label = name.replace("nu", "Poisson's ratio")
        panels[0].plot(cells, ratio, marker + "-", color=color, markersize=5, linewidth=1.3, label=label)
        panels[0].axhline(limit, color=color, linewidth=0.9, linestyle=":")
        panels[1].loglog(cells, [limit - r for r in ratio], marker + "-", color=color, markersize=5,
                         linewidth=1.3)
    panels[0].axhline(1.0, color=BLACK, linewidth=0.9)
    panels[0].text(2, 1.01, "Timoshenko", fontsize=8)
    panels[0].set_ylim(0.5, 1.07)
    panels[0].set_ylabel("tip deflection / Timoshenko's", fontsize=9)
    panels[0].legend(fontsize=8, frameon=False, loc="lower right")
    panels[1].plot([4, 16], [0.2, 0.2 / 16], color="0.6", linewidth=0.9, linestyle="--")
    panels[1].text(9, 0.055, "order 2", fontsize=8, color="0.4")
    panels[1].set_yticks([0.01, 0.03, 0.1, 0.3], ["0.01", "0.03", "0.1", "0.3"])
    panels[1].set_ylabel("distance to Richardson's limit", fontsize=9)
    for panel in panels:
        panel.set_xscale("log")
        panel.tick_params(which="minor", left=False, bottom=False, labelleft=False, labelbottom=False)
        panel.set_xticks([2, 4, 8, 16], ["2", "4", "8", "16"])
        panel.set_xlabel("cells across the section", fontsize=9)
    save(figure, folder, "cantilever")


def strip(series, folder):
    along, down = series["elastica along"][0][1], series["elastica down"][0][1]
    print(f"elastica: {along:.4f} along, {down:.4f} down")
    figure, (panel,) = axes(5.2, 3.0)
    styles = {"isometric E 1e+08": (BLUE, "o-", "isometric, E t = 1e5 N/m"),
              "isometric E 1e+06": (SKY, "o--", "isometric, E t = 1e3 N/m"),
              "laplace_beltrami E 1e+08": (RED, "s-", "Laplace-Beltrami, E t = 1e5 N/m"),
              "laplace_beltrami E 1e+06": (ORANGE, "s--", "Laplace-Beltrami, E t = 1e3 N/m")}
    for name, (color, form, label) in styles.items():
        cells, y = zip(*series[name + " down"])
        panel.plot(cells, y, form, color=color, label=label, markersize=4.5, linewidth=1.3)
        table(label, *[f"{v:.3f}" for v in y])
    print("Laplace-Beltrami, E t = 1e3 N/m, 16 cells wide:", series["laplace_beltrami wide down"])
    print("strip gentle, share of D:", *[f"{c:g}: {v:.3f}" for c, v in series["isometric small stiffness"]])
    panel.axhline(down, color=BLACK, linewidth=0.9)
    panel.text(14, down - 0.013, "elastica", fontsize=8)
    panel.set_xticks([5, 10, 20])
    panel.set_ylim(0.66, 0.90)
    panel.set_xlabel("cells along the strip", fontsize=9)
    panel.set_ylabel("tip below the clamp / length", fontsize=9)
    panel.legend(fontsize=7.5, frameon=False, loc="upper left", ncol=2)
    save(figure, folder, "strip")


def energy(series, folder):
    figure, (panel,) = axes(6.4, 3.0)
    names = {"arap": ("ARAP", BLACK, "-"), "corotated": ("corotated", BLUE, "-"),
             "fixed_corotated": ("fixed corotated", SKY, "--"), "neo_hookean": ("Neo-Hookean", RED, "-"),
             "stable_neo_hookean": ("stable Neo-Hookean", ORANGE, "--"),
             "st_venant_kirchhoff": ("St. Venant-Kirchhoff", GREEN, "-"),
             "mooney_rivlin": ("Mooney-Rivlin", PINK, "-.")}
    for name, (label, color, dash) in names.items():
        x, y = zip(*[(0, 1)] + series[name])
        panel.semilogy([0.002 * v for v in x], y, dash, color=color, label=label, linewidth=1.2)
    x, y = zip(*series["neo_hookean elastic"])
    panel.semilogy([0.002 * v for v in x], y, ":", color=RED, linewidth=0.9, label="Neo-Hookean, elastic part")
    panel.minorticks_off()
    panel.set_ylim(1e-5, 1.5)
    panel.set_xlabel("time [s]", fontsize=9)
    panel.set_ylabel("energy / energy at the start", fontsize=9)
    panel.legend(fontsize=7.5, frameon=False, ncol=2)
    save(figure, folder, "energy")
    print("energy: frames with a rise:", len(series["rise"]), "largest:",
          max([y for _, y in series["rise"]], default=0.0))


def recovery(series, _):
    for name, values in series.items():
        table(f"`{name}`", *["yes" if y < 1e-8 else "no" for _, y in values])


def static(series, _):
    for name, values in series.items():
        if name.endswith((" strain", " projection")):
            continue
        softer = dict(series[name + " projection"])
        table(f"`{name}`", *[f"{k:.0f} ({softer[nu]:.2f})" for nu, k in values])
    strains = [y for name in series if name.endswith(" strain") for _, y in series[name]]
    print(f"static: strains {min(strains):.2f} to {max(strains):.2f}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    pyplot.rcParams["svg.fonttype"] = "none"
    pyplot.rcParams["svg.hashsalt"] = "validation"
    folder = sys.argv[2] if len(sys.argv) == 3 else os.path.join(os.path.dirname(__file__), "..", "images")
    studies = read(sys.argv[1])
    for name, draw in (("bar", bar), ("cantilever", cantilever), ("strip", strip), ("energy", energy),
                       ("recovery", recovery), ("static", static)):
        if name in studies:
            draw(studies[name], folder)
