"""What is measured of a scene's positions, the same for every program. Positions: {frame: (n, 3)}, with frame 0 where
the measure needs the start. Which figures programs are compared at, and which are only shown, is fixed in MEASURES."""

import math
from dataclasses import dataclass

import numpy as np

from scenes import FRAME, GRAVITY

# Lowest vertex of problem A5 [m] by IPC at frames 25 and 50: implicit Euler at 0.01 s, solved to 1e-4 m.
IPC_A5 = {25: -0.2262, 50: -0.0847}


@dataclass(frozen=True)
class Measure:
    key: str  # of the value [m]
    name: str
    text: str
    ranked: bool = True
    floor_m: float = 0.0  # differences up to this one count for nothing; of motions the reference tells


_MOTION = Measure("error_m", "motion", "RMS distance of all nodes from the motion by central differences, over the frames measured")
MEASURES = {
    "motion": [_MOTION],
    "lowest": [
        Measure("error_m", "motion", "largest distance of the lowest vertex from the motion by central differences, frames 25 and 50"),
        Measure("curve_error_m", "IPC's curve", "the same from IPC's curve: implicit Euler at 0.01 s", True, 1e-4),
    ],
    "slide": [
        Measure("error_m", "whole slide", "way after 3 s against that of a rigid block", True, 1e-6),
        Measure("late_error_m", "from 1 s on", "way from 1 s to 3 s that a rigid block would not have made", True, 1e-6),
    ],
    "stack": [
        Measure(
            "error_m", "squeeze",
            "how far the height of a cube lies outside of the range between a floor that sticks and one that slips (statics by Newton's method)",
            False,
        ),
    ],
    "pinch": [Measure("error_m", "creep", "way of the cube's centre from 2 s to 3 s; the plates can hold 24 N of friction, the cube weighs 9.8 N: 0", True, 1e-6)],
}  # fmt: skip
_TWIST = Measure("resting_error_m", "twist", "RMS distance of all nodes from the equilibrium under the ends' turn: the motion without vibrations", True, 1e-6)


def measures_of(scene):
    turned = any(p.rate for p in scene.pins)
    return MEASURES[scene.kind] + ([_TWIST] if turned else [])


def floor_of(measure, references):
    return measure.floor_m or references.floor_m


def _centres(scene, points):
    offsets = scene.offsets()
    return np.array([points[a:b].mean(axis=0) for a, b in zip(offsets[:-1], offsets[1:])])


def _distance(distance, by_law, law):
    """Distance to the solution of that law, so that a difference of material does not count as an error, and the law; to
    the nearest where the program's is none of them."""
    distances = {name: distance(reference) for name, reference in by_law.items() if law in ("", name)}
    law = min(distances, key=distances.get)
    return distances[law], law


def _motion(scene, positions, references, law):
    def distance(reference):
        squares = [((positions[f] - reference[f]) ** 2).sum(axis=1).mean() for f in scene.measured]
        return math.sqrt(np.mean(squares))

    error, nearest = _distance(distance, references.motion, law)
    values, labels = {"error_m": error}, {"law of the reference": nearest}
    if references.resting:
        values["resting_error_m"], labels["law of the equilibrium"] = _distance(distance, references.resting, law)
    return values, labels


def _lowest(_, positions, references, law):
    values = {f"lowest_{f}_m": positions[f][:, 2].min() for f in IPC_A5}

    def distance(reference):
        return max(abs(values[f"lowest_{f}_m"] - reference[f][:, 2].min()) for f in IPC_A5)

    values["curve_error_m"] = max(abs(values[f"lowest_{f}_m"] - z) for f, z in IPC_A5.items())
    values["error_m"], law = _distance(distance, references.motion, law)
    return values, {"law of the reference": law}


def _slide(scene, positions, *_):
    """A rigid block moves by pull t^2 / 2, or not at all. What a soft one does while it settles is no matter of friction
    alone: from frame 100 on, a rigid block moves by pull t^2 / 2 more than its speed takes it."""
    angle = math.radians(10)
    down = np.array([math.cos(angle), 0.0, -math.sin(angle)])
    path = {f: float(_centres(scene, p)[0] @ down) for f, p in sorted(positions.items())}
    last = scene.frames
    pull = max(0.0, GRAVITY * (math.sin(angle) - scene.friction * math.cos(angle)))
    whole = 0.5 * pull * (last * FRAME) ** 2
    late = [f for f in path if f >= 100]
    times = np.array([(f - 100) * FRAME for f in late])
    square, _, _ = np.polyfit(times, [path[f] for f in late], 2)
    values = {"slide_m": path[last] - path[0], "exact_slide_m": whole, "late_slide_m": path[last] - path[100]}
    values["error_m"] = abs(values["slide_m"] - whole)
    # Where it should stick all of the way is too much; where it slides, what the acceleration is off by.
    span = times[-1]
    values["late_error_m"] = abs(square - 0.5 * pull) * span**2 if pull > 0 else abs(values["late_slide_m"])
    values["end_speed_m_s"] = _end_speed(scene, positions)
    return values, {}


def _end_speed(scene, positions):
    """Over the last half second."""
    last = scene.frames
    way = _centres(scene, positions[last]) - _centres(scene, positions[last - 50])
    return float(np.linalg.norm(way, axis=1).max() / (50 * FRAME))


def _stack(scene, positions, references, _):
    """Heights of the cubes themselves: programs that keep bodies a radius apart differ in the gaps only."""
    end, offsets = positions[scene.frames], scene.offsets()
    moved = _centres(scene, end) - _centres(scene, positions[0])
    error = 0.0
    for body, first, sticks, slips in zip(scene.bodies, offsets, *references.squeezed_m):
        z, rest = end[first : first + len(body.points), 2], body.points[:, 2]
        height = z[rest > rest.max() - 1e-9].mean() - z[rest < rest.min() + 1e-9].mean()
        lower = (rest.max() - rest.min()) - height
        error = max(error, min(sticks, slips) - lower, lower - max(sticks, slips))
    drift = float(np.linalg.norm(moved[:, :2], axis=1).max())
    return {"error_m": error, "drift_m": drift, "top_sinks_m": -moved[-1, 2], "end_speed_m_s": _end_speed(scene, positions)}, {}


def _pinch(scene, positions, *_):
    last = scene.frames
    centre = {f: _centres(scene, positions[f])[0] for f in (0, last - 100, last)}
    faces = 0.05 - 2e-3  # where the inner faces of the plates end
    depth = max(0.0, float(np.abs(positions[last][:, 0]).max() - faces))
    creep = float(np.linalg.norm(centre[last] - centre[last - 100]))
    values = {"error_m": creep, "sinks_m": centre[0][2] - centre[last][2], "penetration_m": depth}
    return values, {}


_FUNCTIONS = {"motion": _motion, "lowest": _lowest, "slide": _slide, "stack": _stack, "pinch": _pinch}


def measure(scene, positions, references, law=""):
    """Values and labels of a complete run by a program of that law. Positions that are no numbers are no result."""
    if not all(np.isfinite(p).all() for p in positions.values()):
        raise ArithmeticError("diverged: positions are no numbers")
    values, labels = _FUNCTIONS[scene.kind](scene, positions, references, law)
    return {k: float(v) for k, v in values.items()}, labels
