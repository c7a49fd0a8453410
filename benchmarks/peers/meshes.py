"""Meshes of the compared scenes: the same nodes and elements for every program.

Points are (n, 3) in metres; tetrahedra (m, 4) with positive volume; triangles (m, 3).
"""

import itertools

import numpy as np


def _node(counts, i, j, k):
    return (i * (counts[1] + 1) + j) * (counts[2] + 1) + k


def _lattice(origin, size, counts):
    axes = [np.linspace(origin[a], origin[a] + size[a], counts[a] + 1) for a in range(3)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def _upright(points, tets):
    """Swaps two corners wherever the volume is negative."""
    a, b, c, d = (points[tets[:, i]] for i in range(4))
    volume = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)
    tets = tets.copy()
    wrong = volume < 0
    tets[wrong, 2], tets[wrong, 3] = tets[wrong, 3].copy(), tets[wrong, 2].copy()
    return tets


def block_kuhn(origin, size, counts):
    """Six tetrahedra per cell, all around the same diagonal (Kuhn): neighbours match without mirroring."""
    points = _lattice(origin, size, counts)
    tets = []
    for i, j, k in itertools.product(*(range(c) for c in counts)):
        for order in itertools.permutations(range(3)):
            corner = [i, j, k]
            path = [_node(counts, *corner)]
            for axis in order:
                corner[axis] += 1
                path.append(_node(counts, *corner))
            tets.append(path)
    return points, _upright(points, np.array(tets))


def block_five(origin, size, counts):
    """Five tetrahedra per cell, mirrored from cell to cell so that diagonals of shared faces agree."""
    points = _lattice(origin, size, counts)
    tets = []
    for i, j, k in itertools.product(*(range(c) for c in counts)):
        odd = (i + j + k) % 2

        def n(x, y, z):
            return _node(counts, i + (x ^ odd), j + y, k + z)

        middle = [n(0, 0, 0), n(1, 1, 0), n(1, 0, 1), n(0, 1, 1)]
        tets.append(middle)
        for outer in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)):
            near = [c for c in ((0, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)) if sum(a != b for a, b in zip(c, outer)) == 1]
            tets.append([n(*outer)] + [n(*c) for c in near])
    return points, _upright(points, np.array(tets))


def sheet(size, cells, height):
    """Square sheet in the plane z = height about the origin, diagonals alternating."""
    line = np.linspace(-size / 2, size / 2, cells + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    points = np.stack([x.ravel(), y.ravel(), np.full(x.size, height)], axis=-1)
    triangles = []
    for i, j in itertools.product(range(cells), range(cells)):
        a, b = i * (cells + 1) + j, (i + 1) * (cells + 1) + j
        c, d = b + 1, a + 1
        triangles += [[a, b, c], [a, c, d]] if (i + j) % 2 == 0 else [[a, b, d], [b, c, d]]
    return points, np.array(triangles)


def volumes(points, tets):
    a, b, c, d = (points[tets[:, i]] for i in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6


def areas(points, triangles):
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)


def node_masses(points, cells, density):
    """Lumped: each element's mass in equal parts to its corners. density per volume, or per area of triangles [kg]."""
    corners = cells.shape[1]
    mass = density * (volumes(points, cells) if corners == 4 else areas(points, cells)) / corners
    return np.bincount(cells.ravel(), np.repeat(mass, corners), len(points))


def boundary(tets):
    """Triangles of the surface, seen from outside counter-clockwise."""
    faces = np.concatenate([tets[:, [1, 2, 3]], tets[:, [0, 3, 2]], tets[:, [0, 1, 3]], tets[:, [0, 2, 1]]])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[np.sort(first[count == 1])]


def write_medit(path, points, tets):
    with open(path, "w", encoding="ascii") as out:
        out.write(f"MeshVersionFormatted 2\nDimension 3\nVertices\n{len(points)}\n")
        out.writelines(f"{x:.17g} {y:.17g} {z:.17g} 0\n" for x, y, z in points)
        out.write(f"Tetrahedra\n{len(tets)}\n")
        out.writelines(f"{a + 1} {b + 1} {c + 1} {d + 1} 0\n" for a, b, c, d in tets)
        out.write("End\n")


def write_obj(path, points, triangles):
    with open(path, "w", encoding="ascii") as out:
        out.writelines(f"v {x:.17g} {y:.17g} {z:.17g}\n" for x, y, z in points)
        out.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)


def write_vtk(path, points, tets):
    """Legacy VTK as text: the only tetrahedra that Bullet reads."""
    with open(path, "w", encoding="ascii") as out:
        out.write("# vtk DataFile Version 2.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        out.write(f"POINTS {len(points)} double\n")
        out.writelines(f"{x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points)
        out.write(f"CELLS {len(tets)} {5 * len(tets)}\n")
        out.writelines(f"4 {a} {b} {c} {d}\n" for a, b, c, d in tets)
        out.write(f"CELL_TYPES {len(tets)}\n" + "10\n" * len(tets))
