#!/usr/bin/env python3
"""The references and measures of benchmarks/peers against closed forms and finite differences. Usage: peers_test.py REPOSITORY"""

import sys
import unittest
from pathlib import Path

try:
    import numpy as np
    import scipy  # noqa: F401
except ImportError as error:
    print(f"skipped: {error.name} is not installed (benchmarks/peers/requirements.txt)")
    sys.exit(77)

sys.dont_write_bytecode = True
root = Path(sys.argv.pop(1) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
sys.path[:0] = [str(root / "benchmarks" / "peers"), str(root / "benchmarks" / "pages")]

import elastic_reference as reference
import measures
import meshes
import peers_tables
import references
import scenes


def solid_body(young=1e6, poisson=0.4, counts=(3, 2, 2), size=(0.3, 0.2, 0.2)):
    points, tets = meshes.block_kuhn((0.0, 0.0, 0.0), size, counts)
    return scenes.Body("body", points, tets, young, poisson, 1000)


def sheet_body(cells=4):
    points, triangles = meshes.sheet(1.0, cells, 0.0)
    return scenes.Body("sheet", points, triangles, 1e5, 0.3, 0.2, thickness=0.02)


def bodies_and_laws():
    for body, laws in ((solid_body(), references.SOLID_LAWS), (sheet_body(), references.SHEET_LAWS)):
        for law in laws:
            yield body, law


class Energies(unittest.TestCase):
    def test_derivatives_are_those_of_the_energy(self):
        for body, law in bodies_and_laws():
            with self.subTest(law=law, sheet=body.is_sheet):
                solid = reference.Solid(body, law)
                random = np.random.default_rng(1)
                x = 1.1 * body.points + 0.01 * random.standard_normal(body.points.shape)
                along = random.standard_normal(x.shape)
                h = 1e-6
                slope = (solid.energy(x + h * along) - solid.energy(x - h * along)) / (2 * h)
                self.assertLess(abs((solid.gradient(x) * along).sum() - slope), 1e-5 * abs(slope))
                change = (solid.gradient(x + h * along) - solid.gradient(x - h * along)) / (2 * h)
                product = (solid.hessian(x) @ along.ravel()).reshape(x.shape)
                self.assertLess(np.abs(product - change).max(), 1e-6 * np.abs(change).max())

    def test_small_strains_obey_hooke(self):
        for body, law in bodies_and_laws():
            with self.subTest(law=law, sheet=body.is_sheet):
                solid = reference.Solid(body, law)
                d = 2 if body.is_sheet else 3
                strain = np.zeros((3, 3))
                strain[:d, :d] = 1e-5 * np.array([[1.0, 0.4, -0.3], [0.4, -2.0, 0.2], [-0.3, 0.2, 0.7]])[:d, :d]
                mu, lam = body.lame
                hooke = mu * (strain**2).sum() + 0.5 * lam * np.trace(strain) ** 2
                x = body.points @ (np.eye(3) + strain)
                self.assertAlmostEqual(solid.energy(x) / (hooke * solid.volume.sum()), 1.0, delta=2e-4)

    def test_rest_and_rotations_cost_nothing(self):
        c, s = np.cos(0.7), np.sin(0.7)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        for body, law in bodies_and_laws():
            solid = reference.Solid(body, law)
            for x in (body.points, body.points @ turn.T + [1, 2, 3]):
                self.assertLess(np.abs(solid.gradient(x)).max(), 1e-9, (law, body.is_sheet))
                self.assertLess(abs(solid.energy(x)), 1e-9)

    def test_a_cylinder_costs_what_a_plate_does(self):
        body = sheet_body(40)
        rows, weights = reference.bending_rows(body.points, body.cells)
        radius = 5.0
        angle = body.points[:, 0] / radius
        x = np.column_stack([radius * np.sin(angle), body.points[:, 1], radius * np.cos(angle)])
        energy = 0.5 * body.bending * float(weights @ ((rows @ x) ** 2).sum(axis=1))
        # Hinges on the rim have half the area of others but no second triangle: a cell is missing along x.
        self.assertAlmostEqual(energy / (body.bending / (2 * radius**2)), 1.0, delta=0.03)

    def test_lost_volume_is_an_error(self):
        body = solid_body()
        with self.assertRaises(ArithmeticError):
            reference.Solid(body, "neo_hookean").energy(body.points * [1, 1, 0])


class Motions(unittest.TestCase):
    def scene(self):
        body = solid_body(young=2e4)
        pins = [scenes.Pin(0, np.flatnonzero(body.points[:, 0] < 1e-9), 2.0, 1.0)]
        return scenes.Scene("small", "small", [body], 8, [4, 8], "motion", pins)

    def distance(self, a, b):
        return max(np.abs(a[f] - b[f]).max() for f in a)

    def test_order_and_common_limit(self):
        scene = self.scene()
        x = {n: reference.central_differences(scene, "neo_hookean", n, [4, 8], 0.01) for n in (8, 16, 32, 128)}
        first, second = self.distance(x[8], x[128]), self.distance(x[16], x[128])
        self.assertAlmostEqual(np.log2(first / second), 2.0, delta=0.3)
        euler = {n: reference.implicit_euler(scene, "neo_hookean", 0.01 / n, [4, 8], 0.01) for n in (4, 8, 16)}
        errors = [self.distance(euler[n], x[128]) for n in (4, 8, 16)]
        self.assertAlmostEqual(np.log2(errors[1] / errors[2]), 1.0, delta=0.25)
        limit = {f: 2 * euler[16][f] - euler[8][f] for f in (4, 8)}
        self.assertLess(self.distance(limit, x[128]), 0.15 * errors[2])

    def test_a_step_of_implicit_euler_balances_forces(self):
        scene = self.scene()
        solid = reference.Solid(scene.bodies[0], "stable_neo_hookean")
        x = [scene.points, *(reference.implicit_euler(scene, "stable_neo_hookean", 0.01, [1, 2], 0.01)[k] for k in (1, 2))]
        inertia = solid.mass[:, None] * ((x[2] - 2 * x[1] + x[0]) / 0.01**2 + [0, 0, scenes.GRAVITY])
        free = reference.free_of(scene)
        self.assertLess(np.abs((inertia + solid.gradient(x[2]))[free]).max(), 1e-6 * np.abs(inertia).max())

    def test_a_column_stands_as_a_bar_under_its_weight(self):
        scene = scenes.SCENES["cube_stack"]()
        for body in scene.bodies:
            body.poisson = 0.0
        weight = 1000 * scenes.GRAVITY * 0.1
        for squeezed in references.squeezed(scene):
            for cube, lower in enumerate(squeezed):
                self.assertAlmostEqual(lower / (weight * (2.5 - cube) * 0.1 / 1e6), 1.0, delta=0.03)


class Measures(unittest.TestCase):
    def slide(self, scene, way):
        down = np.array([np.cos(np.radians(10)), 0, -np.sin(np.radians(10))])
        positions = {f: scene.points + way(0.01 * f) * down for f in [0, *scene.measured]}
        return measures.measure(scene, positions, references.References())[0]

    def test_a_rigid_block_has_no_error(self):
        slip, stick = scenes.SCENES["slope_slip"](), scenes.SCENES["slope_stick"]()
        values = self.slide(slip, lambda t: 0.5 * (9.81 * (np.sin(np.radians(10)) - 0.176 * np.cos(np.radians(10)))) * t**2)
        self.assertLess(max(values["error_m"], values["late_error_m"]), 1e-12)
        self.assertAlmostEqual(values["exact_slide_m"], 0.0142, delta=1e-4)
        values = self.slide(stick, lambda t: 0.0)
        self.assertEqual((values["error_m"], values["late_error_m"]), (0.0, 0.0))

    def test_a_start_of_its_own_shows_in_the_whole_slide_alone(self):
        stick = scenes.SCENES["slope_stick"]()
        values = self.slide(stick, lambda t: 0.003 * min(t, 0.5))
        self.assertAlmostEqual(values["error_m"], 0.0015)
        self.assertLess(values["late_error_m"], 1e-12)
        values = self.slide(stick, lambda t: 0.001 * t)
        self.assertAlmostEqual(values["error_m"], 0.003)
        self.assertAlmostEqual(values["late_error_m"], 0.002)

    def test_creep_and_squeeze(self):
        pinch = scenes.SCENES["pinch"]()
        positions = {f: pinch.points - [0, 0, 1e-5 * f] for f in [0, *pinch.measured]}
        values = measures.measure(pinch, positions, references.References())[0]
        self.assertAlmostEqual(values["error_m"], 1e-3)
        self.assertAlmostEqual(values["penetration_m"], 2e-3)
        stack = scenes.SCENES["cube_stack"]()
        lower = np.concatenate([b.points * [1, 1, 0.99] for b in stack.bodies])
        positions = {f: lower for f in stack.measured} | {0: stack.points}
        ranges = references.References(squeezed_m=((5e-4,) * 3, (8e-4,) * 3))
        values = measures.measure(stack, positions, ranges)[0]
        self.assertAlmostEqual(values["error_m"], 2e-4)

    def test_the_own_law_counts_or_the_nearest(self):
        scene = scenes.SCENES["hanging_cloth"]()
        motion = {law: {f: scene.points + [0, 0, away] for f in scene.measured} for law, away in (("a", 0.5), ("b", -0.25))}
        positions = {f: scene.points for f in scene.measured}
        values, labels = measures.measure(scene, positions, references.References(motion=motion))
        self.assertAlmostEqual(values["error_m"], 0.25)
        self.assertEqual(labels["law of the reference"], "b")
        self.assertAlmostEqual(measures.measure(scene, positions, references.References(motion=motion), "a")[0]["error_m"], 0.5)


class Ranking(unittest.TestCase):
    def row(self, peer, name, error, ms, recommended=False):
        return {
            "id": f"s/{peer}/{name}",
            "labels": {"scene": "S", "peer": peer, "settings": name, "column": "recommended" if recommended else name, "error_m": "motion: m"},
            "values": {"error_m": error, "floor_m": 1e-6},
            "samples": {"frame_median_ms": [ms]},
            "valid": True,
            "warnings": [],
        }

    def test_the_cheapest_that_is_as_exact(self):
        rows = [
            self.row("sinew", "fine", 1e-4, 8.0), self.row("sinew", "defaults", 1e-3, 2.0, True), self.row("sinew", "rough", 1e-2, 1.0),
            self.row("other", "usual", 1e-3 + 5e-7, 6.0, True), self.row("other", "rough", 2e-3, 0.5),
        ]  # fmt: skip
        (pair,) = peers_tables.pairs({"rows": rows})
        self.assertEqual((pair.theirs["id"], pair.ours["id"]), ("s/other/usual", "s/sinew/defaults"))
        self.assertAlmostEqual(pair.ratio, 3.0)
        self.assertEqual(pair.as_exact["id"], "s/other/usual")  # within the floor of Sinew's defaults

    def test_where_nothing_is_as_exact(self):
        rows = [self.row("sinew", "defaults", 1e-3, 2.0, True), self.row("other", "usual", 1e-5, 9.0, True)]
        (pair,) = peers_tables.pairs({"rows": rows})
        self.assertIsNone(pair.ours)
        self.assertIsNone(pair.ratio)
        self.assertIn("0.0100 mm in 9.00 ms (usual), Sinew 1.00 mm in 2.00 ms", peers_tables.better_peers({"rows": rows}))

    def test_peers_that_are_better_are_named(self):
        ours = [self.row("sinew", "defaults", 1e-3, 2.0, True), self.row("sinew", "fine", 1e-4, 8.0)]
        for theirs, word in (
            ([self.row("other", "usual", 9e-4, 1.0, True)], "is as exact as Sinew's defaults in 1.00 ms"),
            ([self.row("other", "usual", 2e-4, 5.0, True)], "is faster than Sinew at its error"),
            ([self.row("other", "usual", 5e-3, 3.0, True), self.row("other", "dear", 1e-5, 90.0)], "is more exact than any"),
        ):
            self.assertIn(word, peers_tables.better_peers({"rows": ours + theirs}))
        worse = [self.row("other", "usual", 1e-4 - 5e-7, 9.0, True)]
        self.assertEqual(peers_tables.better_peers({"rows": ours + worse}), "None in this run.")


if __name__ == "__main__":
    unittest.main()
