"""References of the scenes, by law: the solutions of elastic_reference.py, on all cores, kept in a folder if one is
given."""

import hashlib
import math
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import elastic_reference
import meshes
from scenes import FRAME, SCENES, Body

# Times the highest frequency at rest [rad/s], the first step; above 2 central differences diverge, and what is stretched
# vibrates faster: sheets by a good deal.
STEP_OF_SOLIDS, STEP_OF_SHEETS = 1.4, 0.7
SOLID_LAWS = ("stable_neo_hookean", "plain_stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff")
SHEET_LAWS = ("plain_stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff")
CHECKED_LAW = "neo_hookean"  # whose motion is computed with half the step too


@dataclass
class References:
    motion: dict = field(default_factory=dict)  # law: {frame: (n, 3)}
    resting: dict = field(default_factory=dict)  # the same without inertia
    floor_m: float = 0.0  # what the motion's own error may be, as an RMS distance
    squeezed_m: tuple = ()  # of the stack: per cube, how much lower it is on a floor that sticks and on one that slips


def _motion(name, law, refined):
    scene = SCENES[name]()
    free = elastic_reference.free_of(scene)
    fastest = elastic_reference.largest_frequency(elastic_reference.Solid(scene.bodies[0], law), free)
    product = STEP_OF_SHEETS if scene.bodies[0].is_sheet else STEP_OF_SOLIDS
    steps = math.ceil(FRAME * fastest / product) * (2 if refined else 1)
    return elastic_reference.central_differences(scene, law, steps, scene.measured, FRAME)


def _resting(name, law, _):
    scene = SCENES[name]()
    return elastic_reference.resting_path(scene, law, scene.measured, FRAME)


def _computed(job):
    what, name, law, refined, folder = job
    key = hashlib.sha256(repr(job[:4]).encode())
    scene = SCENES[name]()
    for source in ("elastic_reference.py", "references.py", "meshes.py", "scenes.py"):
        key.update(Path(__file__).with_name(source).read_bytes())
    file = Path(folder) / f"{name}-{key.hexdigest()[:16]}.npz" if folder else None
    if file and file.exists():
        data = np.load(file)
        return {int(k[1:]): data[k] for k in data.files}
    found = (_motion if what == "motion" else _resting)(scene.name, law, refined)
    if file:
        part = file.with_suffix(f".{os.getpid()}.part.npz")
        np.savez(part, **{f"p{k}": v for k, v in found.items()})
        os.replace(part, file)
    return found


def squeezed(scene):
    """Two tuples: by how much each cube of the stack is lower at rest, as one column of three, its foot stuck to the
    floor or free to slip on it."""
    cube = scene.bodies[0]
    points, tets = meshes.block_five((-0.05, -0.05, 0.0), (0.1, 0.1, 0.3), (4, 4, 12))
    column = Body("column", points, tets, cube.young, cube.poisson, cube.density)
    solid = elastic_reference.Solid(column, "stable_neo_hookean")
    foot = points[:, 2] < 1e-9
    both = []
    for sticks in (True, False):
        free = np.ones(points.shape, bool)
        free[foot] = (not sticks, not sticks, False)
        # Two nodes of the middle line hold the sliding foot where it is.
        on_line = np.flatnonzero(foot & (np.abs(points[:, 1]) < 1e-9))
        free[on_line, 1] = False
        free[on_line[len(on_line) // 2], 0] = False
        z = elastic_reference.static(scene, solid, free, points.copy())[:, 2]
        level = [z[np.abs(points[:, 2] - 0.1 * k) < 1e-9].mean() for k in range(4)]
        both.append(tuple(0.1 - (b - a) for a, b in zip(level[:-1], level[1:])))
    return both


def make(scene, folder=None):
    """References of a scene; nothing where its measures are closed forms or published."""
    if scene.kind == "stack":
        return References(squeezed_m=squeezed(scene))
    if scene.kind not in ("motion", "lowest"):
        return References()
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
    laws = SHEET_LAWS if scene.bodies[0].is_sheet else SOLID_LAWS
    turned = any(p.rate for p in scene.pins)
    jobs = [("motion", scene.name, CHECKED_LAW, True, folder)]
    jobs += [("motion", scene.name, law, False, folder) for law in laws]
    jobs += [("resting", scene.name, law, False, folder) for law in laws if turned]
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(_computed, jobs))
    made = References()
    for (what, _, law, refined, _), positions in zip(jobs, found):
        if not refined:
            getattr(made, what)[law] = positions
    fine, coarse = found[0], made.motion[CHECKED_LAW]
    made.floor_m = math.sqrt(np.mean([((fine[f] - coarse[f]) ** 2).sum(axis=1).mean() for f in fine]))
    return made
