#!/usr/bin/env python3
"""Draws the two pictures of docs/staged-inverse.md from a small triangulated grid; standard library only.

    docs/figures/staged_inverse.py [OUT_DIR]    default: docs/images; staged_tree.svg and staged_entries.svg

Everything is computed here: geometric nested dissection, symbolic factor, elimination tree, the cut into
stages with the least entries, and the structures of L, of S = L^-1 and of the staged form.
"""
import itertools
import os
import sys

SIDE = 15  # nodes per side, 2^k - 1: every dissection is even
STAGES = 3
# By stage; from Okabe and Ito's palette, told apart by lightness, too.
FILL = ["#56B4E9", "#E69F00", "#3B1F8C"]
EXTRA, KEPT, LINE, TEXT = "#E08DB8", "#555555", "#B8B8B8", "#1A1A1A"
FONT = 'font-family="Helvetica, Arial, DejaVu Sans, sans-serif"'


# ---------------------------------------------------------------- order, factor, tree, stages

def dissect(x0, x1, y0, y1, order):
    """Nodes of [x0, x1) x [y0, y1), separators last: across the longer side, in the middle."""
    width, height = x1 - x0, y1 - y0
    if width <= 0 or height <= 0:
        return
    if width >= height:
        middle = (x0 + x1) // 2
        dissect(x0, middle, y0, y1, order)
        dissect(middle + 1, x1, y0, y1, order)
        order += [(middle, y) for y in range(y0, y1)]
    else:
        middle = (y0 + y1) // 2
        dissect(x0, x1, y0, middle, order)
        dissect(x0, x1, middle + 1, y1, order)
        order += [(x, middle) for x in range(x0, x1)]


def mesh_edges():
    """Triangulated grid: sides of the cells and one diagonal."""
    for x, y in itertools.product(range(SIDE), repeat=2):
        for dx, dy in ((1, 0), (0, 1), (1, 1)):
            if x + dx < SIDE and y + dy < SIDE:
                yield (x, y), (x + dx, y + dy)


def factor_rows(order):
    """Rows below the diagonal of every column of L (George and Liu 1981), and the parents in the tree."""
    place = {node: k for k, node in enumerate(order)}
    rows = [set() for _ in order]
    for a, b in mesh_edges():
        i, j = sorted((place[a], place[b]))
        rows[i].add(j)
    parent = [-1] * len(order)
    for j in range(len(order)):
        if rows[j]:
            parent[j] = min(rows[j])
            rows[parent[j]] |= rows[j] - {parent[j]}
    return rows, parent


def subtree_sizes(rows, parent):
    """By column: columns of the subtree that hangs on its supernode, its own included."""
    n = len(parent)
    size = [1] * n
    for j in range(n):
        if parent[j] >= 0:
            size[parent[j]] += size[j]
    for j in range(n - 1, 0, -1):  # consecutive columns with the same rows below
        if parent[j - 1] == j and len(rows[j - 1]) == len(rows[j]) + 1:
            size[j - 1] = size[j]
    return size


def ancestors(parent, j):
    while parent[j] >= 0:
        j = parent[j]
        yield j


def stages_of(size, limits):
    return [next(s for s, limit in enumerate(limits) if v <= limit) for v in size]


def staged_rows(rows, parent, stage):
    """Inside: ancestors of the same stage, all of them; outside: the rows of L."""
    inside = [{i for i in ancestors(parent, j) if stage[i] == stage[j]} for j in range(len(parent))]
    outside = [{i for i in rows[j] if stage[i] != stage[j]} for j in range(len(parent))]
    return inside, outside


def count(lists):
    return sum(len(x) for x in lists)


def best_limits(rows, parent, size):
    """All thresholds tried, least entries. The engine's dynamic program does this for large trees."""
    n = len(parent)
    choices = sorted(set(size) - {n})

    def cost(limits):
        inside, outside = staged_rows(rows, parent, stages_of(size, limits))
        return n + count(inside) + count(outside)

    return min((list(cut) + [n] for cut in itertools.combinations(choices, STAGES - 1)), key=cost)


def check_facts(rows, parent, stage):
    """Gilbert 1994: L^-1 e_j reaches the ancestors of j. Liu 1990: rows outside a piece of the tree are among
    those of its root."""
    _, outside = staged_rows(rows, parent, stage)
    for j in range(len(parent)):
        assert rows[j] <= set(ancestors(parent, j))
        root = j
        while parent[root] >= 0 and stage[parent[root]] == stage[j]:
            root = parent[root]
        assert outside[j] <= outside[root]


# ---------------------------------------------------------------- drawing

class Svg:
    def __init__(self, width, height, title):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img"><title>{title}</title>',
            f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>']

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, words, size=15, anchor="start", weight="normal", color=TEXT):
        self.add(f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" '
                 f'font-weight="{weight}" fill="{color}" {FONT}>{words}</text>')

    def path(self, data, **style):
        attributes = " ".join(f'{k.replace("_", "-")}="{v}"' for k, v in style.items())
        self.add(f'<path d="{data}" {attributes}/>')

    def save(self, path):
        text = "\n".join(self.parts) + "\n</svg>\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        print(f"{path}: {len(text.encode()) / 1000:.0f} kB")


def mark(stage, x, y, r):
    """Circle, square, diamond: told apart without colour."""
    if stage == 0:
        return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0z"
    if stage == 1:
        a = 0.9 * r
        return f"M{x - a:g} {y - a:g}h{2 * a:g}v{2 * a:g}h{-2 * a:g}z"
    a = 1.25 * r
    return f"M{x:g} {y - a:g}l{a:g} {a:g}l{-a:g} {a:g}l{-a:g} {-a:g}z"


def draw_marks(svg, stage, points, r):
    for s, fill in enumerate(FILL):
        data = "".join(mark(s, x, y, r) for (x, y), t in zip(points, stage) if t == s)
        svg.path(data, fill=fill, stroke="#FFFFFF", stroke_width=0.6)


def tree_points(parent, left, top, width, height):
    """x: middle of the leaves below; y: columns on the way from the root."""
    n = len(parent)
    children = [[] for _ in range(n)]
    for j, p in enumerate(parent):
        if p >= 0:
            children[p].append(j)
    depth = [0] * n
    for j in range(n - 1, -1, -1):
        if parent[j] >= 0:
            depth[j] = depth[parent[j]] + 1
    leaves = [j for j in range(n) if not children[j]]
    at = {j: left + width * k / (len(leaves) - 1) for k, j in enumerate(leaves)}
    for j in range(n):
        if children[j]:
            at[j] = sum(at[c] for c in children[j]) / len(children[j])
    step = height / max(depth)
    return [(round(at[j], 1), round(top + step * depth[j], 1)) for j in range(n)]


def draw_tree(order, parent, stage, components, path):
    svg = Svg(1060, 560, "A grid under nested dissection beside its elimination tree, both coloured by stage")
    svg.text(30, 34, f"Grid of {SIDE} x {SIDE} nodes", 18, weight="bold")
    svg.text(30, 56, "nested dissection: separators are eliminated last", 14)
    svg.text(500, 34, "Elimination tree", 18, weight="bold")
    svg.text(500, 56, "one mark per column of L; the root, eliminated last, is on top", 14)

    pitch, left, top = 27, 36, 88
    spot = [(left + pitch * x, top + pitch * y) for x, y in order]
    at = dict(zip(order, spot))
    svg.path("".join(f"M{at[a][0]} {at[a][1]}L{at[b][0]} {at[b][1]}" for a, b in mesh_edges()),
             stroke=LINE, stroke_width=1, fill="none")
    draw_marks(svg, stage, spot, 7)

    points = tree_points(parent, 500, 84, 535, 388)
    inside, between = [[] for _ in FILL], []
    for j, p in enumerate(parent):
        if p >= 0:
            edge = f"M{points[j][0]:g} {points[j][1]:g}L{points[p][0]:g} {points[p][1]:g}"
            (inside[stage[j]] if stage[j] == stage[p] else between).append(edge)
    svg.path("".join(between), stroke="#8A8A8A", stroke_width=1.1, stroke_dasharray="3 2.5", fill="none")
    for edges, fill in zip(inside, FILL):
        svg.path("".join(edges), stroke=fill, stroke_width=1.6, fill="none")
    draw_marks(svg, stage, points, 3.6)

    for s in range(STAGES):
        x = 30 + 320 * s
        svg.path(mark(s, x + 7, 515, 7), fill=FILL[s])
        pieces = f"{components[s]} piece" + ("s" if components[s] > 1 else "")
        svg.text(x + 22, 520, f"stage {s + 1}: {stage.count(s)} columns in {pieces}", 15)
    svg.path("M30 542h26", stroke="#8A8A8A", stroke_width=1.4, stroke_dasharray="3 2.5", fill="none")
    svg.text(64, 547, "cut: here the tree goes on in a later stage", 15)
    svg.save(path)


def runs(columns):
    """Entries (row, column) as vertical runs, one small rectangle each."""
    data = []
    for j, rows in enumerate(columns):
        for _, group in itertools.groupby(enumerate(sorted(rows)), key=lambda p: p[1] - p[0]):
            members = [row for _, row in group]
            data.append(f"M{j} {members[0]}h1v{len(members)}h-1z")
    return "".join(data)


def draw_entries(rows, parent, stage, path):
    n, scale, top = len(rows), 2, 92
    svg = Svg(1480, 640, "Entries of L, of its inverse S, and of the staged form with three stages")
    # The solver's order: stage after stage, the order of elimination inside.
    solver_order = sorted(range(n), key=lambda j: (stage[j], j))
    place = [0] * n
    for k, j in enumerate(solver_order):
        place[j] = k

    def moved(lists):
        result = [set() for _ in range(n)]
        for j, members in enumerate(lists):
            result[place[j]] = {place[i] for i in members}
        return result

    factor = moved([rows[j] | {j} for j in range(n)])
    inverse = moved([set(ancestors(parent, j)) | {j} for j in range(n)])
    inside, outside = staged_rows(rows, parent, stage)
    inside = moved([inside[j] | {j} for j in range(n)])
    outside = moved(outside)
    extra = [a - b for a, b in zip(inverse, factor)]

    def panel(k, title, words, layers):
        x = 25 + 490 * k
        svg.text(x, 40, title, 23, weight="bold")
        svg.text(x, 70, words, 20)
        svg.add(f'<g transform="translate({x} {top}) scale({scale})">')
        svg.add(f'<rect width="{n}" height="{n}" fill="#FAFAFA" stroke="{LINE}" stroke-width="0.7"/>')
        ends = [sum(stage.count(t) for t in range(s + 1)) for s in range(STAGES - 1)]
        svg.path("".join(f"M{e} 0v{n}M0 {e}h{n}" for e in ends), stroke=LINE, stroke_width=0.6, fill="none")
        for lists, color in layers:
            svg.path(runs(lists), fill=color)
        svg.add("</g>")

    panel(0, "L", f"{count(factor):,} entries", [(factor, KEPT)])
    panel(1, "S = L⁻¹ (K = 1)", f"{count(inverse):,} entries",
          [(factor, KEPT), (extra, EXTRA)])
    colored = [([c if stage[solver_order[k]] == s else set() for k, c in enumerate(inside)], FILL[s])
               for s in range(STAGES)]
    staged = count(inside) + count(outside)
    panel(2, f"staged, K = {STAGES}", f"{staged:,} entries", [(outside, KEPT)] + colored)

    def key(x, y, color, words):
        svg.add(f'<rect x="{x}" y="{y - 15}" width="17" height="17" fill="{color}"/>')
        svg.text(x + 26, y, words, 20)

    key(25, 584, KEPT, "place of an entry of L")
    key(515, 584, EXTRA, "entries that only the inverse has")
    svg.text(1005, 584, "inverse of the diagonal block of", 20)
    for s in range(STAGES):
        key(1005 + 130 * s, 616, FILL[s], f"stage {s + 1}")
    svg.text(25, 616, "Rows and columns: stage after stage; lines between the stages.", 20)
    svg.save(path)
    return count(factor), count(inverse), staged


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) == 2 else os.path.normpath(os.path.join(here, "..", "images"))
    order = []
    dissect(0, SIDE, 0, SIDE, order)
    rows, parent = factor_rows(order)
    size = subtree_sizes(rows, parent)
    limits = best_limits(rows, parent, size)
    stage = stages_of(size, limits)
    check_facts(rows, parent, stage)
    components = [sum(1 for j, p in enumerate(parent) if stage[j] == s and (p < 0 or stage[p] != s))
                  for s in range(STAGES)]
    try:
        os.makedirs(folder, exist_ok=True)
        draw_tree(order, parent, stage, components, os.path.join(folder, "staged_tree.svg"))
        entries = draw_entries(rows, parent, stage, os.path.join(folder, "staged_entries.svg"))
    except OSError as error:
        sys.exit(f"staged_inverse.py: error: {error}")
    print(f"subtrees up to {limits} columns; entries of L, S, staged: {entries}")


if __name__ == "__main__":
    main()
