#!/usr/bin/env python3
"""Writes card_house.json, arch.json (with meshes/arch_stone.mesh) and stack.json below this folder.

    ./make_structures.py      # from anywhere; the files are committed
"""
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent / "scenes"
HEAD = '{\n  "$schema": "../scene.schema.json",\n'
FLOOR = '{"name": "floor", "shape": {"half_space": {}}, "friction": %g, "color": [0.6, 0.6, 0.6]}'


def number(x):
    return f"{x:.9g}" if abs(x) > 1e-12 else "0"


def vector(v):
    return "[" + ", ".join(number(x) for x in v) + "]"


def scene(name, comment, description, simulation, bodies, camera, friction=0.5):
    text = "".join(f"// {line}\n" for line in comment)
    text += HEAD + f'  "name": "{name}",\n  "description": "{description}",\n\n'
    text += f'  "simulation": {simulation},\n\n  "bodies": [\n    '
    text += ",\n    ".join(bodies) + "\n  ],\n\n"
    text += f'  "obstacles": [{FLOOR % friction}],\n\n  "output": {{"camera": {camera}}}\n}}\n'
    (HERE / f"{name}.json").write_text(text)


def stack():
    offset = 5e-5  # surfaces stay the sum of their offsets apart, and start so
    bodies = [
        f'{{"name": "box {b}", "mesh": {{"generate": "block", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "cells_x": 2, '
        f'"cells_y": 2, "cells_z": 2}},\n     "transform": {{"translate": [0, 0, {number(0.05 + offset + b * (0.1 + 2 * offset))}]}}, '
        f'"material": {{"young_modulus": 2e7, "poisson_ratio": 0.3}}, "contact_thickness": {offset}, "friction": 0.5,\n'
        f'     "color": {vector([0.3 + 0.06 * b, 0.5, 0.8 - 0.06 * b])}}}'
        for b in range(10)
    ]
    scene("stack", ["Ten boxes of 0.1 m, one on the other, stay where they are."], "A stack of ten boxes stands.",
          '{"time_step": 0.01, "frames": 300, "iterations": 5}', bodies,
          '{"eye": [1.6, -2.2, 0.9], "target": [0, 0, 0.5]}')


def arch(stones=25, inner=0.9, outer=1.1, depth=0.3, offset=5e-5):
    step = math.pi / stones
    nodes = []
    for half in (-1, 1):
        for y in (-0.5, 0.5):
            for radius in (inner, outer):  # a wedge about the z axis; both joints are planes through the y axis
                a = half * step / 2
                nodes.append((radius * math.sin(a) - half * offset * math.cos(a), depth * y,
                              radius * math.cos(a) + half * offset * math.sin(a)))
    at = lambda i, j, k: 4 * k + 2 * j + i
    tets = []
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        p = [0, 0, 0]
        tet = [at(*p)]
        for axis in order:
            p[axis] = 1
            tet.append(at(*p))
        a, b, c, d = (nodes[n] for n in tet)
        u, v, w = ([q[i] - a[i] for i in range(3)] for q in (b, c, d))
        volume = (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]))
        tets.append(tet if volume > 0 else [tet[0], tet[1], tet[3], tet[2]])
    mesh = "MeshVersionFormatted 2\nDimension 3\nVertices\n8\n"
    mesh += "".join(" ".join(f"{x:.12g}" for x in n) + " 0\n" for n in nodes)
    mesh += "Tetrahedra\n6\n" + "".join(" ".join(str(n + 1) for n in t) + " 0\n" for t in tets) + "End\n"
    (HERE.parent / "meshes" / "arch_stone.mesh").write_text(mesh)
    bodies = []
    for n in range(stones):
        angle = -90 + (n + 0.5) * 180 / stones  # from the crown, about y
        shade = 0.55 + 0.1 * (n % 2)
        bodies.append(
            f'{{"name": "stone {n}", "mesh": {{"file": "../meshes/arch_stone.mesh"}}, "transform": {{"rotate": '
            f'{{"axis": [0, 1, 0], "angle_deg": {number(angle)}}}}},\n     "material": {{"young_modulus": 1e8, "poisson_ratio": 0.2}}, '
            f'"density": 2000, "contact_thickness": {offset}, "friction": 0.5, "color": {vector([shade, shade, 0.9 * shade])}}}')
    scene("arch", ["A half circle of 25 stones without mortar, a fifth of its radius thick. It stands with a friction of 0.5 and",
                   "falls with 0.1: set it for all stones and the floor."],
          "A masonry arch stands by friction and weight.",
          '{"time_step": 0.01, "frames": 300, "iterations": 5, "history": 0}', bodies,
          '{"eye": [1.2, -3.6, 1.3], "target": [0, 0, 0.5]}')


def card_house(lean_deg=28.0, length=0.1, thickness=1e-3):
    lean = math.radians(lean_deg)
    sine, cosine = math.sin(lean), math.cos(lean)
    bodies = []

    def card(x, z, turn_deg, size, cells):
        bodies.append(
            f'{{"name": "card {len(bodies)}", "sheet": {{"mesh": {{"generate": "cloth", "size_x": {number(size)}, "size_y": 0.06, '
            f'"cells_x": {cells}, "cells_y": 2}}, "thickness": {thickness}, "area_density": 0.5}},\n     "transform": {{"rotate": '
            f'{{"axis": [0, 1, 0], "angle_deg": {number(turn_deg)}}}, "translate": {vector([x, 0, z])}}},\n     "material": '
            f'{{"kind": "arap", "young_modulus": 1e9, "poisson_ratio": 0, "rayleigh_beta": 0.002}}, "friction": 0.5, '
            f'"color": [0.9, 0.88, 0.8]}}')

    def tent(x, floor):
        for side in (-1, 1):  # the sheet lies along x; turned about y it leans to the middle
            card(x + side * (thickness / 2 + length * sine / 2), floor + thickness / 2 + length * cosine / 2,
                 side * (90 - lean_deg), length, 4)

    tent(0.0, 0.0)
    scene("card_house", ["Two cards lean on each other, 28 degrees from the vertical. Their feet need a friction of tan 28 / 2 = 0.27."],
          "Two cards stand by friction.", '{"time_step": 0.01, "frames": 300, "iterations": 10}', bodies,
          '{"eye": [0.15, -0.4, 0.18], "target": [0, 0, 0.05]}')


stack()
arch()
card_house()
