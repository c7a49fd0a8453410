"""Settings that are run: for each program first what its own examples and manual recommend, then cheaper and dearer
ones, so that programs can be compared at equal error."""

from dataclasses import dataclass


@dataclass
class Column:
    peer: str  # name in tables
    name: str  # unique for the peer
    settings: dict
    text: str
    recommended: bool = False
    law: str = ""  # of LAWS in elastic_reference.py; where it is none of them the nearest counts


def _sinew(scene):
    yield Column("sinew", "defaults", {}, "defaults: step 10 ms, 5 iterations, all cores", True)
    yield Column("sinew", "1 thread", {"threads": 1}, "defaults, one thread")
    if scene.kind == "motion":
        for parts in (2, 4, 8, 16):
            yield Column("sinew", f"1/{parts} step", {"time_step": 0.01 / parts}, f"step {10 / parts:g} ms, 5 iterations")
        yield Column("sinew", "2 iterations", {"iterations": 2}, "step 10 ms, 2 iterations")
    else:
        yield Column("sinew", "20 iterations", {"iterations": 20}, "step 10 ms, 20 iterations")
        if scene.kind == "lowest":
            yield Column("sinew", "neo-Hookean", {"law": "neo_hookean"}, "step 10 ms, 5 iterations, the law of the curve")
        else:
            yield Column("sinew", "1/2 step", {"time_step": 0.005}, "step 5 ms, 5 iterations")


def _substeps(count, iterations):
    return f"{count} substeps of {10 / count:g} ms, {iterations} iterations"


def _vbd(scene):
    ladder = {"twisting_bar": [(10, 10), (4, 10), (2, 10), (1, 10)], "hanging_cloth": [(10, 10), (4, 10), (2, 10)]}
    ladder |= {"a5": [(10, 10), (2, 10), (2, 40)], "b": [(10, 10), (2, 10)]}
    # Contact as in example softbody_franka: ke 2e6 N/m, kd 0.2, radius 5 mm, surfaces 3 mm apart.
    contact = {"radius": 0.005, "ke": 2e6, "kd": 0.2, "apart": 0.003, "gap": 0.002} if scene.contact else {}
    for i, (substeps, iterations) in enumerate(ladder.get(scene.name, [(10, 10), (20, 5)])):
        settings = {"solver": "vbd", "substeps": substeps, "iterations": iterations, **contact}
        source = ", as examples softbody_hanging, cloth_hanging" if i == 0 else ""
        yield Column("newton vbd", f"{substeps} x {iterations}", settings, _substeps(substeps, iterations) + source, i == 0)
    if scene.kind in ("slide", "pinch"):
        settings = {"solver": "vbd", "substeps": 10, "iterations": 10, **contact, "friction_epsilon": 1e-4}
        yield Column("newton vbd", "small epsilon", settings, _substeps(10, 10) + ", friction_epsilon 1e-4 for 1e-2")


def _xpbd(scene):
    contact = {"radius": 0.005, "apart": 0.01} if scene.contact else {}  # bodies meet as spheres about nodes
    settings = {"solver": "xpbd", "substeps": 10, "iterations": 10, **contact}
    yield Column("newton xpbd", "10 x 10", settings, _substeps(10, 10) + ", as example cloth_hanging", True)
    if any(b.is_sheet for b in scene.bodies):
        settings = {"solver": "xpbd", "substeps": 40, "iterations": 2}
        yield Column("newton xpbd", "40 x 2", settings, _substeps(40, 2))
    else:
        settings = {**settings, "relaxation": 0.1}
        yield Column("newton xpbd", "relaxed", settings, _substeps(10, 10) + ", soft_body_relaxation 0.1 for 0.9")


def _mujoco(scene):
    base = {"solver": "Newton"}
    text = "integrator discrete, solver Newton"
    if scene.contact:
        # Manual: elliptic cones and a large impratio against slow slippage; solref and solimp as in its flex models.
        base |= {"cone": "elliptic", "impratio": 100, "contact": {"solref": "0.01 1", "solimp": ".95 .99 .0001"}}
        text += ", elliptic cones, impratio 100"
    counts = (5, 1, 10) if scene.name in ("twisting_bar", "hanging_cloth") else (5, 1) if not scene.contact else (5, 20)
    for i, count in enumerate(counts):
        name = f"{10 / count:g} ms"
        yield Column("mujoco flex", name, {**base, "substeps": count}, f"step {name}, {text}" + (" (default step)" if i == 0 else ""), i == 0)


def _bullet(_):
    yield Column("bullet", "3.3 ms", {"substeps": 3}, "step 3.3 ms (default 4.2 ms), collision margin 6 mm as in its examples", True)
    yield Column("bullet", "1 ms", {"substeps": 10}, "step 1 ms")


def _with_law(columns, law_of):
    def made(scene):
        for column in columns(scene):
            column.law = law_of(scene, column)
            yield column

    return made


def _law_of_sinew(scene, column):
    return column.settings.get("law", "neo_hookean" if scene.bodies[0].is_sheet else "stable_neo_hookean")


PEERS = {
    "sinew": _with_law(_sinew, _law_of_sinew),
    "mujoco": _with_law(_mujoco, lambda *_: "st_venant_kirchhoff"),
    "vbd": _with_law(_vbd, lambda *_: "plain_stable_neo_hookean"),
    "xpbd": _xpbd,
    "bullet": _bullet,
}
MODULES = {"mujoco": "peer_mujoco", "vbd": "peer_newton", "xpbd": "peer_newton", "bullet": "peer_bullet"}
