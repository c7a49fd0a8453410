"""Newton's VBD and XPBD through Warp on the CPU. How to set a scene up follows the examples in the package."""

import math

import numpy as np

import meshes
from scenes import FRAME, Plane


def version():
    import newton
    import warp

    return f"{newton.__version__}, warp {warp.config.version}"


class Simulation:
    """settings: solver (vbd, xpbd), substeps (even, or 1), iterations; of contact stiffness ke [N/m],
    damping kd, radius of particles [m], and of several bodies the distance that they are kept apart [m]."""

    threads = 1  # Warp runs kernels of the CPU on one thread

    def __init__(self, scene, settings):
        import newton
        import warp as wp

        import newton_kernels

        self.kernels = newton_kernels
        wp.config.log_level = wp.LOG_WARNING if hasattr(wp, "LOG_WARNING") else wp.config.log_level
        wp.set_device("cpu")
        self.wp, self.scene, self.settings = wp, scene, settings
        self.radius = settings.get("radius", 0.0) if scene.contact else 0.0
        builder = newton.ModelBuilder(gravity=(0.0, 0.0, -scene.gravity))
        for index, body in enumerate(scene.bodies):
            self._add_body(builder, body, index * settings.get("apart", 0.0))
        self._pins(builder)
        self._obstacles(newton, builder)
        if settings["solver"] == "vbd":
            builder.color(include_bending=any(b.is_sheet for b in scene.bodies))
        self.model = builder.finalize()
        self._contact_materials()
        self._solver(newton)
        self.state_0, self.state_1 = self.model.state(), self.model.state()
        self.control = self.model.control()
        self.pipeline = newton.CollisionPipeline(self.model, soft_contact_gap=0.01) if scene.obstacles else None
        self.contacts = self.pipeline.contacts() if self.pipeline else None
        self._moving_arrays()
        self.graph = None

    def _add_body(self, builder, body, lift):
        wp = self.wp
        start = len(builder.particle_q)
        mu, lam = body.lame
        place = {"pos": wp.vec3(0.0, 0.0, lift), "rot": wp.quat_identity(), "scale": 1.0, "vel": wp.vec3(0.0)}
        points = [wp.vec3(*p) for p in body.points]
        cells = body.cells.ravel().tolist()
        if not body.is_sheet:
            builder.add_soft_mesh(
                **place, vertices=points, indices=cells, density=body.density, k_mu=mu, k_lambda=lam, k_damp=self._damping(body),
                particle_radius=self.radius,
            )  # fmt: skip
            return
        springs = self.settings["solver"] == "xpbd"
        first_edge = len(builder.edge_indices)
        builder.add_cloth_mesh(
            **place, vertices=points, indices=cells, density=body.density, tri_ke=mu * body.thickness,
            tri_ka=lam * body.thickness, tri_kd=0.0, edge_ke=0.0, edge_kd=0.0, particle_radius=self.radius,
            add_springs=springs, spring_ke=body.young * body.thickness, spring_kd=0.0,
        )  # fmt: skip
        # Hinge energy k l theta^2 / 2, k = D l / (A1 + A2): a third of Bergou et al. 2006, as in the reference.
        for e in range(first_edge, len(builder.edge_indices)):
            a, b, c, d = (i - start for i in builder.edge_indices[e])
            if a < 0 or b < 0:
                continue
            area = meshes.areas(body.points, np.array([[a, c, d], [b, d, c]])).sum()
            length = np.linalg.norm(body.points[c] - body.points[d])
            builder.edge_bending_properties[e] = (body.bending * length / area, 0.0)

    def _damping(self, body):
        """Of a solid [Pa s]: VBD damps the rate of F^T F, twice that of strain, so 2 k |rate|^2 = beta mu |rate|^2;
        XPBD damps each constraint like its stiffness."""
        return body.damping * body.lame[0] * (0.5 if self.settings["solver"] == "vbd" else 1.0)

    def _pins(self, builder):
        import newton

        offsets = self.scene.offsets()
        for pin in self.scene.pins:
            for node in pin.nodes + offsets[pin.body]:
                builder.particle_mass[int(node)] = 0.0
                builder.particle_flags[int(node)] &= ~int(newton.ParticleFlags.ACTIVE)

    def _obstacles(self, newton, builder):
        wp = self.wp
        config = newton.ModelBuilder.ShapeConfig(mu=self.scene.friction)
        if "ke" in self.settings:
            config.ke, config.kd = self.settings["ke"], self.settings.get("kd", 0.0)
        self.plates = []
        for shape in self.scene.obstacles:
            if isinstance(shape, Plane):
                builder.add_shape_plane(plane=(*shape.normal, self.radius), width=0.0, length=0.0, cfg=config)
                continue
            center = self._back(shape)
            body = builder.add_body(xform=wp.transform(wp.vec3(*center), wp.quat_identity()), is_kinematic=True)
            builder.add_shape_box(body, hx=shape.half[0], hy=shape.half[1], hz=shape.half[2], cfg=config)
            self.plates.append((body, shape))

    def _back(self, plate):
        """Centre of a plate, moved back by the radius of particles: so it starts where it touches, as elsewhere."""
        away = -np.sign(plate.travel) * self.radius
        return np.array(plate.center) + away

    def _contact_materials(self):
        self.model.soft_contact_mu = self.scene.friction
        if "ke" in self.settings:
            self.model.soft_contact_ke = self.settings["ke"]
            self.model.soft_contact_kd = self.settings.get("kd", 0.0)

    def _solver(self, newton):
        s = self.settings
        if s["solver"] == "xpbd":
            extra = {"soft_body_relaxation": s["relaxation"]} if "relaxation" in s else {}
            self.solver = newton.solvers.SolverXPBD(self.model, iterations=s["iterations"], **extra)
            return
        several = len(self.scene.bodies) > 1
        extra = {k: s[k] for k in ("friction_epsilon",) if k in s}
        if several:
            extra |= {"particle_self_contact_margin": s["apart"], "particle_self_contact_gap": s["gap"]}
        self.solver = newton.solvers.SolverVBD(
            self.model, iterations=s["iterations"], particle_enable_self_contact=several, particle_enable_tile_solve=False,
            **extra,
        )  # fmt: skip

    def _moving_arrays(self):
        """Rest positions and rates of turned nodes, for the kernel that moves them within a frame."""
        wp = self.wp
        self.clock = wp.zeros(1, dtype=float)
        moving = [p for p in self.scene.pins if p.rate]
        self.turned = None
        if moving:
            offsets = self.scene.offsets()
            nodes = np.concatenate([p.nodes + offsets[p.body] for p in moving])
            rates = np.concatenate([np.full(len(p.nodes), p.rate) for p in moving])
            rest = self.scene.points[nodes]
            self.turned = (
                wp.array(nodes, dtype=wp.int32), wp.array(rest, dtype=wp.vec3), wp.array(rates, dtype=float), moving[0].until,
            )  # fmt: skip

    def _substep(self, dt):
        wp = self.wp
        self.state_0.clear_forces()
        if self.turned:
            nodes, rest, rates, until = self.turned
            wp.launch(
                self.kernels.turn, dim=len(nodes),
                inputs=[nodes, rest, rates, self.clock, dt, until, self.state_0.particle_q, self.state_1.particle_q],
            )  # fmt: skip
        for body, plate in self.plates:
            wp.launch(
                self.kernels.shift, dim=1,
                inputs=[self.clock, dt, body, wp.vec3(*self._back(plate)), wp.vec3(*plate.travel), FRAME, plate.until,
                        self.state_0.body_q, self.state_0.body_qd, self.state_1.body_q],
            )  # fmt: skip
        wp.launch(self.kernels.tick, dim=1, inputs=[self.clock, dt])
        if self.pipeline:
            self.pipeline.collide(self.state_0, self.contacts)
        self.solver.step(self.state_0, self.state_1, self.control, self.contacts, dt)

    def _frame(self):
        substeps = self.settings["substeps"]
        for _ in range(substeps):
            self._substep(FRAME / substeps)
            if substeps > 1:
                self.state_0, self.state_1 = self.state_1, self.state_0
            else:
                self.wp.copy(self.state_0.particle_q, self.state_1.particle_q)
                self.wp.copy(self.state_0.particle_qd, self.state_1.particle_qd)

    def prepare(self):
        """Compiles what is not compiled yet, on a state that is thrown away, and records the frame."""
        wp = self.wp
        kept = [(a, a.numpy().copy()) for s in (self.state_0, self.state_1) for a in (s.particle_q, s.particle_qd)]
        self._substep(1e-6)
        for array, values in kept:
            array.assign(values)
        self.clock.zero_()
        if self.settings["substeps"] % 2 and self.settings["substeps"] > 1:
            raise RuntimeError("an even number of substeps is needed for a recorded frame")
        with wp.ScopedCapture() as capture:
            self._frame()
        self.graph = capture.graph

    def frame(self):
        self.wp.capture_launch(self.graph)

    def positions(self):
        return self.state_0.particle_q.numpy().astype(float)
