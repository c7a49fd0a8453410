"""Bullet's deformable bodies through pybullet. Names of parameters as in its quick start guide and examples."""

import os
import tempfile

import numpy as np

import meshes
from scenes import FRAME, Plane


def version():
    import pybullet

    return f"API {pybullet.getAPIVersion()}"


class Simulation:
    """settings: substeps (time steps of a frame), margin of collisions [m]."""

    threads = 1

    def __init__(self, scene, settings):
        import pybullet as p

        self.p, self.scene, self.settings = p, scene, settings
        if any(b.is_sheet for b in scene.bodies):
            raise NotImplementedError("sheets are mass-spring nets without E, nu and bending stiffness")
        if any(pin.rate for pin in scene.pins):
            raise NotImplementedError("nodes are held at bodies only; they are not moved on a path")
        p.connect(p.DIRECT)
        p.resetSimulation(p.RESET_USE_DEFORMABLE_WORLD)
        p.setGravity(0, 0, -scene.gravity)
        p.setTimeStep(FRAME / settings["substeps"])
        p.setPhysicsEngineParameter(sparseSdfVoxelSize=0.25)
        self.margin = settings.get("margin", 0.006)
        self._obstacles()
        self.bodies = [self._body(b, i * 2 * self.margin) for i, b in enumerate(scene.bodies)]
        for pin in scene.pins:
            for node in pin.nodes:
                p.createSoftBodyAnchor(self.bodies[pin.body], int(node), -1, -1)

    def _body(self, body, lift):
        mu, lam = body.lame
        with tempfile.TemporaryDirectory() as folder:
            meshes.write_vtk(os.path.join(folder, "body.vtk"), body.points + [0, 0, lift], body.cells)
            mass = body.density * meshes.volumes(body.points, body.cells).sum()
            return self.p.loadSoftBody(
                os.path.join(folder, "body.vtk"), mass=mass, useNeoHookean=1, NeoHookeanMu=mu, NeoHookeanLambda=lam,
                NeoHookeanDamping=body.damping, collisionMargin=self.margin,
                useSelfCollision=0, useFaceContact=1, frictionCoeff=self.scene.friction, repulsionStiffness=800,
            )  # fmt: skip

    def _obstacles(self):
        p = self.p
        self.plates = []
        for shape in self.scene.obstacles:
            if isinstance(shape, Plane):
                # A box of half a metre, its top in the plane.
                n = np.array(shape.normal)
                angle = np.arctan2(n[0], n[2])
                box = p.createCollisionShape(p.GEOM_BOX, halfExtents=[2, 2, 0.5])
                turn = p.getQuaternionFromEuler([0, angle, 0])
                body = p.createMultiBody(0, box, -1, list(-(0.5 + self.margin) * n), turn)
            else:
                box = p.createCollisionShape(p.GEOM_BOX, halfExtents=list(shape.half))
                center = np.array(shape.center) - np.sign(shape.travel) * self.margin
                body = p.createMultiBody(0, box, -1, list(center))
                self.plates.append((body, center, shape))
            p.changeDynamics(body, -1, lateralFriction=1.0)

    def prepare(self):
        self.steps = 0

    def frame(self):
        p = self.p
        for _ in range(self.settings["substeps"]):
            self.steps += 1
            for body, center, plate in self.plates:
                part = plate.shift(self.steps * FRAME / self.settings["substeps"])
                p.resetBasePositionAndOrientation(body, list(center + part * np.array(plate.travel)), [0, 0, 0, 1])
            p.stepSimulation()

    def positions(self):
        parts = []
        for body in self.bodies:
            count, points = self.p.getMeshData(body, -1, flags=self.p.MESH_DATA_SIMULATION_MESH)[:2]
            parts.append(np.array(points[:count]))
        return np.concatenate(parts)
