"""Solutions that no compared program made: central differences in small steps for the motion, Newton's method for one
implicit Euler step and for statics. Bodies without contact and damping; numpy and scipy.

Arrays of elements are (3, d, m): m elements, d = 3 for tetrahedra and 2 for triangles. Energies per volume [J/m^3] are
functions of C = F^T F, S = 2 d psi / d C is the second Piola-Kirchhoff stress [Pa] and F S the first."""

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as solvers

import meshes


def _outer(a, b):
    """a^T b of every element: (d, d, m)."""
    return sum(a[i][:, None] * b[i][None, :] for i in range(len(a)))


def _times(a, s):
    """a s: (3, d, m)."""
    return sum(a[:, k][:, None] * s[k][None] for k in range(len(s)))


def _trace(c):
    return sum(c[i, i] for i in range(len(c)))


def _identity(c):
    return np.eye(len(c))[:, :, None]


def _cofactor(c):
    """d det C / d C of symmetric matrices."""
    if len(c) == 2:
        return _trace(c) * _identity(c) - c
    square = _times(c, c)
    return square - _trace(c) * c + 0.5 * (_trace(c) ** 2 - _trace(square)) * _identity(c)


def _cofactor_change(c, dc):
    if len(c) == 2:
        return _trace(dc) * _identity(c) - dc
    both = _times(c, dc)
    change = both + both.transpose(1, 0, 2) - _trace(dc) * c - _trace(c) * dc
    return change + (_trace(c) * _trace(dc) - _trace(both)) * _identity(c)


class StVenantKirchhoff:
    """mu |E|^2 + lambda / 2 (tr E)^2, E = (C - 1) / 2."""

    def __init__(self, mu, lam, _):
        self.mu, self.lam = mu, lam

    def energy(self, c):
        e = 0.5 * (c - _identity(c))
        return self.mu * (e * e).sum(axis=(0, 1)) + 0.5 * self.lam * _trace(e) ** 2

    def stress(self, c):
        e = 0.5 * (c - _identity(c))
        return 2 * self.mu * e + self.lam * _trace(e) * _identity(c)

    def stress_change(self, c, dc):
        return self.mu * dc + 0.5 * self.lam * _trace(dc) * _identity(c)


class _OfInvariants:
    """f(tr C) + g(det C); subclasses give lists of value, first and second derivative."""

    def energy(self, c):
        return self.f(_trace(c))[0] + self.g(_positive(c))[0]

    def stress(self, c):
        return 2 * (self.f(_trace(c))[1] * _identity(c) + self.g(_positive(c))[1] * _cofactor(c))

    def stress_change(self, c, dc):
        f, g, cofactor = self.f(_trace(c)), self.g(_positive(c)), _cofactor(c)
        along = f[2] * _trace(dc) * _identity(c) + g[2] * (cofactor * dc).sum(axis=(0, 1)) * cofactor
        return 2 * (along + g[1] * _cofactor_change(c, dc))


def _positive(c):
    det = (_cofactor(c)[0] * c[0]).sum(axis=0)
    if det.min() <= 0:
        raise ArithmeticError("an element of the reference lost its volume")
    return det


class NeoHookean(_OfInvariants):
    """mu / 2 (tr C - d - 2 ln J) + lambda / 2 (ln J)^2, as IPC's (Li et al. 2020)."""

    def __init__(self, mu, lam, dimension):
        self.mu, self.lam, self.d = mu, lam, dimension

    def f(self, i):
        return 0.5 * self.mu * (i - self.d), 0.5 * self.mu, 0.0

    def g(self, det):
        log = np.log(det)  # 2 ln J
        first = (0.25 * self.lam * log - 0.5 * self.mu) / det
        return -0.5 * self.mu * log + 0.125 * self.lam * log**2, first, (0.25 * self.lam / det - first) / det


class _Stable(_OfInvariants):
    """f(tr C) + k / 2 (J - alpha)^2 - what it is at rest."""

    def g(self, det):
        j = np.sqrt(det)
        value = 0.5 * self.k * ((j - self.alpha) ** 2 - (1 - self.alpha) ** 2)
        return value, 0.5 * self.k * (1 - self.alpha / j), 0.25 * self.k * self.alpha / (det * j)


class StableNeoHookean(_Stable):
    """Smith, de Goes, Kim 2018, equation 14: Sinew's default for solids."""

    def __init__(self, mu, lam, dimension):
        if dimension != 3:
            raise ValueError("stable_neo_hookean is a law of solids")
        self.mu, self.k = 4 / 3 * mu, lam + 5 / 6 * mu
        self.alpha = 1 + 0.75 * self.mu / self.k

    def f(self, i):
        m = 0.5 * self.mu
        return m * (i - 3 - np.log((i + 1) / 4)), m * (1 - 1 / (i + 1)), m / (i + 1) ** 2


class PlainStableNeoHookean(_Stable):
    """Smith, de Goes, Kim 2018, equation 13: mu / 2 (tr C - d) + (lambda + mu) / 2 (J - alpha)^2, Newton's VBD."""

    def __init__(self, mu, lam, dimension):
        self.mu, self.k, self.d = mu, lam + mu, dimension
        self.alpha = 1 + mu / self.k

    def f(self, i):
        return 0.5 * self.mu * (i - self.d), 0.5 * self.mu, 0.0


LAWS = {
    "stable_neo_hookean": StableNeoHookean,
    "plain_stable_neo_hookean": PlainStableNeoHookean,
    "neo_hookean": NeoHookean,
    "st_venant_kirchhoff": StVenantKirchhoff,
}


def _rest_gradients(points, cells):
    """(d, corners, m): row a of F is the sum over corners of these times their positions."""
    edges = np.stack([points[cells[:, k]] - points[cells[:, 0]] for k in range(1, cells.shape[1])], axis=-1)  # (m, 3, d)
    if cells.shape[1] == 3:
        first = edges[:, :, 0] / np.linalg.norm(edges[:, :, 0], axis=1)[:, None]
        normal = np.cross(edges[:, :, 0], edges[:, :, 1])
        second = np.cross(normal / np.linalg.norm(normal, axis=1)[:, None], first)
        edges = np.stack([np.einsum("mi,mik->mk", axis, edges) for axis in (first, second)], axis=1)
    inverse = np.linalg.inv(edges)  # (m, d of edges, d of axes)
    return np.concatenate([-inverse.sum(axis=1)[:, None], inverse], axis=1).transpose(2, 1, 0)


def bending_rows(points, triangles):
    """Rows (hinges, n) of Bergou et al. 2006 and their weights: D / 2 times the sum of weight |row x|^2 is the energy of
    a plate of stiffness D [J] bent to a cylinder along an edge of a grid. Of Bergou's weight 3 / (A1 + A2) that is a
    third: a cylinder bends one of three edges, three times as sharply."""
    sides = {}
    for triangle in triangles:
        for k in range(3):
            a, b, c = (int(triangle[(k + i) % 3]) for i in range(3))
            sides.setdefault((min(a, b), max(a, b)), []).append(c)
    hinges = np.array([[*edge, *opposite] for edge, opposite in sides.items() if len(opposite) == 2])
    x = [points[hinges[:, k]] for k in range(4)]

    def cotangent(corner, a, b):
        u, w = x[a] - x[corner], x[b] - x[corner]
        return (u * w).sum(axis=1) / np.linalg.norm(np.cross(u, w), axis=1)

    c01, c02, c03, c04 = cotangent(0, 1, 2), cotangent(0, 1, 3), cotangent(1, 0, 2), cotangent(1, 0, 3)
    values = np.stack([c03 + c04, c01 + c02, -c01 - c03, -c02 - c04], axis=1)
    area = sum(meshes.areas(points, hinges[:, [0, 1, k]]) for k in (2, 3))
    rows = sparse.csr_matrix((values.ravel(), (np.repeat(np.arange(len(hinges)), 4), hinges.ravel())), (len(hinges), len(points)))
    return rows, 1 / area


class Solid:
    """Elastic energy [J], gradient (n, 3) [N] and Hessian (3n, 3n) [N/m] of one body of a scene at nodes x (n, 3)."""

    def __init__(self, body, law):
        points, cells = body.points, body.cells
        self.count, self.points, self.cells = len(points), points, cells
        self.law = LAWS[law](*body.lame, cells.shape[1] - 1)
        self.rest = _rest_gradients(points, cells)
        d, corners, m = self.rest.shape
        self.volume = meshes.areas(points, cells) * body.thickness if body.is_sheet else meshes.volumes(points, cells)
        column = np.tile(cells.T[None], (d, 1, 1))
        row = np.arange(d * m).reshape(d, 1, m) + np.zeros((1, corners, 1), int)
        self.gradient_of = sparse.csr_matrix((self.rest.ravel(), (row.ravel(), column.ravel())), (d * m, self.count))
        self.back = self.gradient_of.T.tocsr()
        self.bending = None
        if body.is_sheet:
            rows, weights = bending_rows(points, cells)
            self.bending = (body.bending * (rows.T @ sparse.diags(weights) @ rows)).tocsr()
        self.mass = meshes.node_masses(points, cells, body.density)

    def deformation(self, x):
        return np.ascontiguousarray((self.gradient_of @ x).T).reshape(3, *self.rest.shape[::2])

    def energy(self, x):
        f = self.deformation(x)
        energy = float(self.volume @ self.law.energy(_outer(f, f)))
        return energy if self.bending is None else energy + 0.5 * float((x * (self.bending @ x)).sum())

    def gradient(self, x):
        f = self.deformation(x)
        stress = _times(f, self.law.stress(_outer(f, f)) * self.volume)
        gradient = self.back @ stress.reshape(3, -1).T
        return gradient if self.bending is None else gradient + self.bending @ x

    def hessian(self, x, convex=False):
        """`convex`: negative eigenvalues of elements are set to zero."""
        f = self.deformation(x)
        d, m = f.shape[1:]
        c = _outer(f, f)
        stress = self.law.stress(c)
        blocks = np.empty((m, 3, d, 3, d))
        for i in range(3):
            for a in range(d):
                change = np.zeros_like(f)
                change[i, a] = 1.0
                dc = _outer(change, f)
                dc = dc + dc.transpose(1, 0, 2)
                column = _times(change, stress) + _times(f, self.law.stress_change(c, dc))
                blocks[:, :, :, i, a] = column.transpose(2, 0, 1)
        blocks = blocks.reshape(m, 3 * d, 3 * d) * self.volume[:, None, None]
        if convex:
            values, vectors = np.linalg.eigh(blocks)
            blocks = (vectors * np.maximum(values, 0.0)[:, None]) @ vectors.transpose(0, 2, 1)
        rest = self.rest.transpose(2, 1, 0)  # (m, corners, d)
        corners = rest.shape[1]
        spread = np.einsum("mca,ij->mcija", rest, np.eye(3)).reshape(m, 3 * corners, 3 * d)
        local = spread @ blocks @ spread.transpose(0, 2, 1)
        index = (3 * self.cells[:, :, None] + np.arange(3)).reshape(m, 3 * corners)
        row = np.broadcast_to(index[:, :, None], local.shape)
        hessian = sparse.csr_matrix((local.ravel(), (row.ravel(), row.transpose(0, 2, 1).ravel())), (3 * self.count,) * 2)
        return hessian if self.bending is None else hessian + sparse.kron(self.bending, sparse.identity(3), format="csr")


def _pinned(scene, time):
    """Nodes that are held and where they are at that time [s]."""
    nodes = [p.nodes for p in scene.pins]
    if not nodes:
        return np.zeros(0, int), np.zeros((0, 3))
    places = []
    for pin in scene.pins:
        c, s = np.cos(pin.angle(time)), np.sin(pin.angle(time))
        places.append(scene.points[pin.nodes] @ np.array([[1, 0, 0], [0, c, s], [0, -s, c]]))
    return np.concatenate(nodes), np.concatenate(places)


def free_of(scene):
    """(n, 3): False for the nodes of pins."""
    free = np.ones(scene.points.shape, bool)
    free[_pinned(scene, 0)[0]] = False
    return free


def minimise(solid, x, free, weight, target, force, tolerance=1e-10):
    """Newton's method for the least E(x) + sum of weight / 2 |x - target|^2 - sum of force x over the free nodes, until
    a step moves no node by more than `tolerance` [m]. weight (n,) [N/m], target (n, 3) [m], force (n, 3) [N], free
    (n, 3); coordinates that are not free stay what they are in x."""
    unknown = np.flatnonzero(free)
    pull = sparse.diags(np.repeat(weight, 3)[unknown])

    def value(y):
        away = y - target
        return solid.energy(y) + 0.5 * float((weight[:, None] * away * away).sum()) - float((force * y).sum())

    now = value(x)
    for _ in range(200):
        slope = (solid.gradient(x) + weight[:, None] * (x - target) - force)[free]
        for convex in (False, True):
            matrix = solid.hessian(x, convex)[unknown][:, unknown] + pull
            step = -solvers.spsolve(matrix.tocsc(), slope)
            if slope @ step < 0:
                break
        length, before = 1.0, x
        while True:
            x = before.copy()
            x[free] += length * step
            try:
                then = value(x)
            except ArithmeticError:
                then = np.inf
            # Below 1e-12 of the energy a change is rounding.
            if then <= now + 1e-4 * length * (slope @ step) + 1e-12 * abs(now):
                break
            length *= 0.5
            if length < 1e-10:
                raise ArithmeticError("no step lowers the energy of the reference")
        now = then
        if length * np.abs(step).max() < tolerance:
            return x
    raise ArithmeticError("200 Newton steps were not enough for the reference")


def static(scene, solid, free, x):
    """Equilibrium under gravity; coordinates that are not free stay what they are in x."""
    force = np.zeros_like(x)
    force[:, 2] = -scene.gravity * solid.mass
    return minimise(solid, x, free, np.zeros(len(x)), x, force)


def resting_path(scene, law, frames, frame):
    """Equilibria at `frames` of the pins' path: the motion without inertia. Each starts from the one before, in steps of
    five frames."""
    solid, free, x, found = Solid(scene.bodies[0], law), free_of(scene), scene.points.copy(), {}
    for k in range(5, max(frames) + 1, 5):
        nodes, places = _pinned(scene, k * frame)
        x[nodes] = places
        x = static(scene, solid, free, x)
        if k in frames:
            found[k] = x.copy()
    return found


def implicit_euler(scene, law, step, frames, frame):
    """Positions at `frames` by implicit Euler at `step` [s], every step solved to 1e-10 m."""
    solid = Solid(scene.bodies[0], law)
    x, v = scene.points.copy(), np.zeros((solid.count, 3))
    free = free_of(scene)
    found, per_frame = {}, round(frame / step)
    for k in range(1, max(frames) * per_frame + 1):
        goal = x + step * v
        goal[:, 2] -= step**2 * scene.gravity
        start = goal.copy()
        nodes, places = _pinned(scene, k * step)
        start[nodes] = goal[nodes] = places
        new = minimise(solid, start, free, solid.mass / step**2, goal, 0.0 * goal)
        x, v = new, (new - x) / step
        if k % per_frame == 0 and k // per_frame in frames:
            found[k // per_frame] = x.copy()
    return found


def largest_frequency(solid, free):
    """Of small vibrations about rest [rad/s]."""
    unknown = np.flatnonzero(free)
    root = sparse.diags(np.repeat(solid.mass**-0.5, 3)[unknown])
    matrix = root @ solid.hessian(solid.points)[unknown][:, unknown] @ root
    return float(np.sqrt(solvers.eigsh(matrix, k=1, which="LA", tol=1e-3, return_eigenvectors=False, v0=np.ones(len(unknown)))[0]))


def central_differences(scene, law, steps_per_frame, frames, frame):
    """Positions at `frames` of the motion itself: explicit, second order in the step, nothing is damped."""
    solid = Solid(scene.bodies[0], law)
    nodes, _ = _pinned(scene, 0)
    inverse = 1 / solid.mass[:, None]
    inverse[nodes] = 0
    step = frame / steps_per_frame
    weight = np.array([0, 0, -scene.gravity])
    x, v = scene.points.copy(), np.zeros((solid.count, 3))
    pull = weight - inverse * solid.gradient(x)
    found = {}
    for k in range(1, max(frames) * steps_per_frame + 1):
        v += 0.5 * step * pull
        x += step * v
        x[nodes] = _pinned(scene, k * step)[1]
        pull = weight - inverse * solid.gradient(x)
        v += 0.5 * step * pull
        if k % steps_per_frame == 0 and k // steps_per_frame in frames:
            if not np.isfinite(x).all():
                raise ArithmeticError("the reference diverged")
            found[k // steps_per_frame] = x.copy()
    return found
