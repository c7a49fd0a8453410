"""Numbers, times with their spread, and Markdown tables for pages that are made from results."""

import math
import statistics


def number(value, digits=3):
    """With so many significant digits; whole numbers below 1e5 are not cut. "-": not known."""
    if value is None or not math.isfinite(value):
        return "-"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if size >= 5:
        return f"{value:.1e}"
    return f"{value:.{max(0, digits - 1 - size)}f}" if size > -4 else f"{value:.1e}"


def count(value):
    """A whole number in full, e.g. of vertices. "-": not known."""
    return "-" if value is None or not math.isfinite(value) else f"{value:.0f}"


def megabytes(value):
    """Bytes as MB of 1e6 bytes, without a unit."""
    return "-" if value is None else number(value / 1e6)


def samples(row, name):
    """The repeats of a sample that are known."""
    return [v for v in row.get("samples", {}).get(name, []) if v is not None and math.isfinite(v)]


def median(row, name):
    """Of a sample's repeats; of the value of that name where it has none; None where neither is known."""
    repeats = samples(row, name)
    return statistics.median(repeats) if repeats else row.get("values", {}).get(name)


def with_spread(row, name):
    """Median and half the range of the repeats, relative to it: "12.3 ± 4 %"."""
    repeats = samples(row, name)
    if len(repeats) < 2:
        return number(median(row, name))
    middle = statistics.median(repeats)
    return f"{number(middle)} ± {50 * (max(repeats) - min(repeats)) / middle:.0f} %"


def table(header, rows, left=1):
    """Markdown; the first `left` columns are aligned left, the others right."""
    def line(cells):
        return "| " + " | ".join(cells) + " |"

    rule = "|" + "---|" * left + "---:|" * (len(header) - left)
    return "\n".join([line(header), rule, *map(line, rows)])
