#!/usr/bin/python3
"""Draws the curves of `sinew bench twist --json T.json`: error of the incremental energy per iteration and per
millisecond, one row per material, one panel per stiffness, one curve per method.

    benchmarks/plot_twist.py T.json OUT_DIR      writes OUT_DIR/twist_iterations.svg and OUT_DIR/twist_time.svg
"""
import json
import os
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    sys.exit("plot_twist.py: error: matplotlib is missing; install it: apt-get install python3-matplotlib")

# Okabe and Ito's palette: told apart with every kind of colour vision; dashes help in grey.
STYLES = {
    "staged": ("#0072B2", "-"),
    "staged + L-BFGS": ("#000000", "-"),
    "pcg + L-BFGS": ("#E69F00", "--"),
    "jacobi": ("#D55E00", "-"),
    "chebyshev": ("#009E73", "-."),
}
MATERIALS = {"arap": "ARAP", "stable_neo_hookean": "stable Neo-Hookean"}
LEAST_ERROR = 1e-6


def exponent(value):
    mantissa, power = f"{value:.0e}".split("e")
    number = f"10^{{{int(power)}}}"
    return f"${number}$" if mantissa == "1" else f"${mantissa}\\cdot{number}$"


def draw(data, key, label, path):
    materials = list(dict.fromkeys(case["material"] for case in data["cases"]))
    stiffness = list(dict.fromkeys(case["young_Pa"] for case in data["cases"]))
    figure, axes = pyplot.subplots(
        len(materials), len(stiffness), sharex=True, sharey=True, squeeze=False,
        figsize=(2.3 * len(stiffness) + 0.8, 2.3 * len(materials) + 0.9))
    lines = {}
    for case in data["cases"]:
        row, column = materials.index(case["material"]), stiffness.index(case["young_Pa"])
        panel = axes[row][column]
        for method in case["methods"]:
            color, dash = STYLES[method["method"]]
            points = [(x, e) for x, e in zip(method[key], method["error"]) if x > 0 and e > 0]
            lines[method["method"]], = panel.plot(*zip(*points), color=color, linestyle=dash, linewidth=1.4)
        panel.axhline(data["converged"], color="0.6", linewidth=0.8, linestyle=":")
        if key == "ms":
            panel.axvline(data["frame_ms"], color="0.6", linewidth=0.8, linestyle=":")
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_ylim(LEAST_ERROR, 3.0)
        panel.minorticks_off()  # two thirds of the file
        panel.grid(True, color="0.92", linewidth=0.6)
        panel.tick_params(labelsize=8)
        if row == 0:
            panel.set_title(f"E = {exponent(case['young_Pa'])} Pa", fontsize=9)
        if row + 1 == len(materials):
            panel.set_xlabel(label, fontsize=9)
        if column == 0:
            panel.set_ylabel(f"{MATERIALS[case['material']]}\nrelative error of energy [1]", fontsize=9)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.legend(lines.values(), lines.keys(), loc="lower center", ncol=len(lines), fontsize=9, frameon=False)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    print(path)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            data = json.load(file)
        if data.get("study") != "twist":
            raise ValueError("not a result of 'sinew bench twist'")
        os.makedirs(sys.argv[2], exist_ok=True)
    except (OSError, ValueError) as error:
        sys.exit(f"plot_twist.py: error: {sys.argv[1]}: {error}")
    pyplot.rcParams["svg.hashsalt"] = "sinew"  # same input, same file
    draw(data, "iteration", "iterations [1]", os.path.join(sys.argv[2], "twist_iterations.svg"))
    draw(data, "ms", "time [ms]", os.path.join(sys.argv[2], "twist_time.svg"))


if __name__ == "__main__":
    main()
