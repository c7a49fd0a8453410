"""The compared scenes: geometry, material, load and what is measured. SI units, +z up. Materials are not
damped where motion is compared with a reference; where contact is the question they are, in proportion to stiffness."""

import math
from dataclasses import dataclass, field

import numpy as np

import meshes

FRAME = 0.01  # [s] of all scenes; what a program does within a frame is its own affair
GRAVITY = 9.81


@dataclass
class Body:
    name: str
    points: np.ndarray
    cells: np.ndarray  # tetrahedra, or triangles of a sheet
    young: float  # [Pa]
    poisson: float
    density: float  # [kg/m^3]; of a sheet [kg/m^2]
    thickness: float = 0.0  # [m] of a sheet
    damping: float = 0.0  # [s] in proportion to stiffness

    @property
    def is_sheet(self):
        return self.cells.shape[1] == 3

    @property
    def lame(self):
        """mu and lambda [Pa]; of a sheet those of plane stress."""
        mu = self.young / (2 * (1 + self.poisson))
        if self.is_sheet:
            return mu, self.young * self.poisson / (1 - self.poisson**2)
        return mu, self.young * self.poisson / ((1 + self.poisson) * (1 - 2 * self.poisson))

    @property
    def bending(self):
        """Plate stiffness D [J]."""
        return self.young * self.thickness**3 / (12 * (1 - self.poisson**2))


@dataclass
class Pin:
    """Nodes of one body, held, or turned about an axis along x through the origin at a constant rate until `until`."""

    body: int
    nodes: np.ndarray
    rate: float = 0.0  # [rad/s]
    until: float = 0.0  # [s]

    def angle(self, time):
        return self.rate * min(time, self.until)


@dataclass
class Plane:
    """Solid half-space through the origin; `normal` points out of it."""

    normal: tuple


@dataclass
class Plate:
    """Box of half-sizes `half` that moves by `travel` until `until`, half of it within the first frame."""

    center: tuple
    half: tuple
    travel: tuple = (0.0, 0.0, 0.0)
    until: float = 0.0

    def shift(self, time):
        """Fraction of `travel` at that time."""
        if time <= 0:
            return 0.0
        if time <= FRAME:
            return 0.5 * time / FRAME
        return min(1.0, 0.5 + 0.5 * (time - FRAME) / (self.until - FRAME))


@dataclass
class Scene:
    name: str
    title: str
    bodies: list
    frames: int
    measured: list  # frames whose positions are compared
    kind: str  # which measure of measures.py
    pins: list = field(default_factory=list)
    obstacles: list = field(default_factory=list)
    gravity: float = GRAVITY
    friction: float = 0.5
    repeats: int = 2

    @property
    def points(self):
        return np.concatenate([b.points for b in self.bodies])

    @property
    def contact(self):
        return bool(self.obstacles) or len(self.bodies) > 1

    def offsets(self):
        """First node of each body, and the number of all."""
        return np.concatenate([[0], np.cumsum([len(b.points) for b in self.bodies])])


def twisting_bar():
    points, tets = meshes.block_kuhn((-0.5, -0.1, -0.1), (1.0, 0.2, 0.2), (20, 4, 4))
    body = Body("bar", points, tets, young=1e6, poisson=0.45, density=1000)
    rate = math.pi / 2  # [rad/s]: half a turn between the ends in one second
    pins = [
        Pin(0, np.flatnonzero(points[:, 0] < -0.499), -rate, 1.0),
        Pin(0, np.flatnonzero(points[:, 0] > 0.499), rate, 1.0),
    ]
    return Scene("twisting_bar", "Twisting bar, 525 vertices", [body], 100, [50, 75, 100], "motion", pins, gravity=0.0)


def hanging_cloth():
    points, triangles = meshes.sheet(1.0, 30, 0.0)
    body = Body("cloth", points, triangles, young=1e5, poisson=0.3, density=0.2, thickness=0.001)
    corners = np.flatnonzero((np.abs(points[:, 0]) > 0.499) & (points[:, 1] > 0.499))
    return Scene("hanging_cloth", "Hanging cloth, 961 vertices", [body], 30, [10, 20, 30], "motion", [Pin(0, corners)])


def _bar(name, title, cells, frames):
    points, tets = meshes.block_kuhn((0.0, 0.0, 0.0), (0.02 * cells, 0.2, 0.2), (cells, 10, 10))
    body = Body("bar", points, tets, young=1e6, poisson=0.45, density=1000)
    pins = [Pin(0, np.flatnonzero(points[:, 0] < 1e-6))]
    return Scene(name, title, [body], frames, [25, 50], "lowest", pins, repeats=1)


def problem_a5():
    return _bar("a5", "Problem A5: bar, 4,961 vertices", 40, 50)


def problem_b():
    points, triangles = meshes.sheet(1.0, 99, 0.0)
    body = Body("cloth", points, triangles, young=1e5, poisson=0.3, density=0.2, thickness=0.001)
    corners = np.flatnonzero((np.abs(points[:, 0]) > 0.499) & (points[:, 1] > 0.499))
    return Scene("b", "Problem B: cloth, 10,000 vertices", [body], 30, [10, 20, 30], "motion", [Pin(0, corners)], repeats=1)


def _slope(name, friction):
    angle = math.radians(10)
    points, tets = meshes.block_five((-0.1, -0.1, 0.0), (0.2, 0.2, 0.2), (4, 4, 4))
    turn = np.array([[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]])
    body = Body("block", points @ turn.T, tets, young=1e6, poisson=0.45, density=1000, damping=0.01)
    plane = Plane((math.sin(angle), 0.0, math.cos(angle)))
    return Scene(name, f"Slope of 10 degrees, mu = {friction}", [body], 300, list(range(10, 301, 10)), "slide", [], [plane], friction=friction, repeats=1)


def slope_slip():
    return _slope("slope_slip", 0.176)


def slope_stick():
    return _slope("slope_stick", 0.177)


def cube_stack():
    gap = 1e-4
    bodies = []
    for i in range(3):
        points, tets = meshes.block_five((-0.05, -0.05, gap + i * (0.1 + gap)), (0.1, 0.1, 0.1), (4, 4, 4))
        bodies.append(Body(f"cube {i}", points, tets, young=1e6, poisson=0.3, density=1000, damping=0.01))
    return Scene("cube_stack", "Three cubes stacked", bodies, 100, list(range(10, 101, 10)), "stack", [], [Plane((0.0, 0.0, 1.0))], repeats=1)


def pinch():
    points, tets = meshes.block_five((-0.05, -0.05, -0.05), (0.1, 0.1, 0.1), (4, 4, 4))
    body = Body("cube", points, tets, young=1e5, poisson=0.3, density=1000, damping=0.01)
    plates = [
        Plate((-0.07, 0, 0), (0.02, 0.1, 0.1), (2e-3, 0, 0), 1.0),
        Plate((0.07, 0, 0), (0.02, 0.1, 0.1), (-2e-3, 0, 0), 1.0),
    ]
    return Scene("pinch", "Cube pinched between plates", [body], 300, list(range(10, 301, 10)), "pinch", [], plates, friction=0.3, repeats=1)


SCENES = {f.__name__.removeprefix("problem_"): f for f in (twisting_bar, hanging_cloth, cube_stack, slope_slip, slope_stick, pinch, problem_a5, problem_b)}
