"""What is measured of a scene's positions, the same for every program. Positions: {frame: (n, 3)}, with frame 0 where
the measure needs the start. Every measure gives `error_m`, the figure that programs are compared at."""

import math

import numpy as np

from scenes import FRAME, GRAVITY

# Lowest vertex of problem A5 [m] by IPC at frames 25 and 50: implicit Euler at 0.01 s, solved to 1e-4 m.
IPC_A5 = {25: -0.2262, 50: -0.0847}
ERROR_OF = {
    "trajectory": "RMS distance of all nodes from the solution at a 64th of the frame (a 16th above 2,000 vertices), over the frames measured",
    "lowest": "largest distance of the lowest vertex from IPC's curve (implicit Euler, 0.01 s) at frames 25 and 50",
    "slide": "way from 1 s to 3 s against that of a rigid block: due to its acceleration where it slides, all of it where it sticks",
    "stack": "largest distance of a cube's centre after 1 s from the solution at a quarter of the frame",
    "pinch": "distance of the cube's centre after 3 s from the solution at a quarter of the frame",
}
# Laws that references are made for: a program is compared with the one nearest to its result, so that a difference
# of material does not count as an error.
SOLID_LAWS = ("stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff")
SHEET_LAWS = ("neo_hookean", "st_venant_kirchhoff")


def laws_of(scene):
    if scene.kind != "trajectory":
        return ()
    return SHEET_LAWS if scene.bodies[0].is_sheet else SOLID_LAWS


def reference_parts(scene):
    """Steps per frame of the reference: its own error of time is that much smaller than that of a step per frame."""
    if scene.kind != "trajectory":
        return 4
    return 64 if len(scene.points) <= 2000 else 16


def _centres(scene, points):
    offsets = scene.offsets()
    return np.array([points[a:b].mean(axis=0) for a, b in zip(offsets[:-1], offsets[1:])])


def _trajectory(scene, positions, references):
    frames = [f for f in scene.measured if f in positions]
    best = {}
    for law, reference in references.items():
        squares = [((positions[f] - reference[f]) ** 2).sum(axis=1).mean() for f in frames]
        best[law] = math.sqrt(np.mean(squares))
    law = min(best, key=best.get)
    return {"error_m": best[law]}, {"law of the reference": law}


def _lowest(scene, positions, _):
    values = {f"lowest_{f}_m": positions[f][:, 2].min() for f in IPC_A5 if f in positions}
    errors = [abs(values[f"lowest_{f}_m"] - z) for f, z in IPC_A5.items() if f in positions]
    return {**values, "error_m": max(errors)}, {}


def _slide(scene, positions, _):
    """What happens while the block settles is no matter of friction alone: counted from frame 100 on, where a rigid
    block moves by pull t^2 / 2 more than its speed takes it, or not at all."""
    angle = math.radians(10)
    down = np.array([math.cos(angle), 0.0, -math.sin(angle)])
    path = {f: float(_centres(scene, p)[0] @ down) for f, p in sorted(positions.items())}
    last = max(path)
    if last < 300:
        raise ValueError("fewer than 300 frames")
    pull = GRAVITY * (math.sin(angle) - scene.friction * math.cos(angle))
    late = [f for f in path if f >= 100]
    times = np.array([(f - 100) * FRAME for f in late])
    square, _, _ = np.polyfit(times, [path[f] for f in late], 2)
    values = {"slide_m": path[last] - path[0], "late_slide_m": path[last] - path[100], "end_speed_m_s": _end_speed(scene, positions)}
    span = times[-1]
    # Where it should stick all of the way is too much; where it slides, what the acceleration is off by.
    values["error_m"] = abs(square * span**2 - 0.5 * pull * span**2) if pull > 0 else abs(values["late_slide_m"])
    if pull > 0:
        values |= {"pull_m_s2": 2 * square, "exact_pull_m_s2": pull}
    return values, {}


def _from_reference(scene, positions, references):
    """Displacement of centres: programs that keep bodies a radius apart start elsewhere."""
    last = max(positions)
    moved = _centres(scene, positions[last]) - _centres(scene, positions[0])
    reference = references["stable_neo_hookean"]
    expected = _centres(scene, reference[max(reference)]) - _centres(scene, scene.points)
    return moved, float(np.linalg.norm(moved - expected, axis=1).max())


def _end_speed(scene, positions):
    last = max(positions)
    before = max(f for f in positions if f <= last - 50)
    way = _centres(scene, positions[last]) - _centres(scene, positions[before])
    return float(np.linalg.norm(way, axis=1).max() / ((last - before) * FRAME))


def _stack(scene, positions, references):
    moved, error = _from_reference(scene, positions, references)
    drift = float(np.linalg.norm(moved[:, :2], axis=1).max())
    return {"drift_m": drift, "top_sinks_m": -moved[-1, 2], "end_speed_m_s": _end_speed(scene, positions), "error_m": error}, {}


def _pinch(scene, positions, references):
    moved, error = _from_reference(scene, positions, references)
    last = max(positions)
    faces = 0.05 - 2e-3  # where the inner faces of the plates end
    depth = max(0.0, float(np.abs(positions[last][:, 0]).max() - faces))
    values = {"slip_m": -moved[0, 2], "end_speed_m_s": _end_speed(scene, positions), "penetration_m": depth, "error_m": error}
    return values, {}


_MEASURES = {"trajectory": _trajectory, "lowest": _lowest, "slide": _slide, "stack": _stack, "pinch": _pinch}


def measure(scene, positions, references):
    """Values and labels of a run; `references` by law. Positions that are no numbers are no result."""
    if not all(np.isfinite(p).all() for p in positions.values()):
        raise ArithmeticError("diverged: positions are no numbers")
    values, labels = _MEASURES[scene.kind](scene, positions, references)
    return {k: float(v) for k, v in values.items()}, labels
