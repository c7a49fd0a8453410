#!/usr/bin/env python3
"""Writes the rocks of gingerbread.json: closed, irregular, small; the same bytes each time.

usage: make_rocks.py [FOLDER]   (default: the folder of this script)
"""
import math
import os
import sys


def icosphere(levels):
    """Unit sphere of triangles, outwards."""
    t = (1.0 + math.sqrt(5.0)) / 2.0
    points = [(-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t), (0, -1, -t), (0, 1, -t),
              (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1)]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2),
                 (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5),
                 (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]

    def unit(p):
        length = math.sqrt(sum(c * c for c in p))
        return tuple(c / length for c in p)

    points = [unit(p) for p in points]
    for _ in range(levels):
        middle = {}

        def between(a, b):
            key = (min(a, b), max(a, b))
            if key not in middle:
                points.append(unit([0.5 * (points[a][k] + points[b][k]) for k in range(3)]))
                middle[key] = len(points) - 1
            return middle[key]

        finer = []
        for a, b, c in triangles:
            ab, bc, ca = between(a, b), between(b, c), between(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = finer
    return points, triangles


def rock(seed, radii, bumps):
    """Sphere with bumps from a few waves, then scaled by radii [m]."""
    points, triangles = icosphere(2)
    waves = [(math.sin(1.7 * seed + 2.1 * k), math.cos(2.3 * seed + 1.3 * k), math.sin(3.1 * seed + 0.7 * k), 1.9 * k)
             for k in range(5)]
    moved = []
    for p in points:
        r = 1.0
        for k, (a, b, c, phase) in enumerate(waves):
            r += bumps / (1 + k) * math.sin((1.5 + k) * (a * p[0] + b * p[1] + c * p[2]) + phase)
        moved.append(tuple(r * p[k] * radii[k] for k in range(3)))
    return moved, triangles


def write(path, note, points, triangles):
    with open(path, "w", encoding="ascii") as out:
        out.write("# %s; written by make_rocks.py\n" % note)
        for p in points:
            out.write("v %.5f %.5f %.5f\n" % p)
        for t in triangles:
            out.write("f %d %d %d\n" % tuple(i + 1 for i in t))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    write(os.path.join(folder, "rock_round.obj"), "a round rock", *rock(1, (0.055, 0.05, 0.08), 0.12))
    write(os.path.join(folder, "rock_long.obj"), "a long rock", *rock(4, (0.045, 0.085, 0.07), 0.15))


if __name__ == "__main__":
    main()
