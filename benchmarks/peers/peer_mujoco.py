"""MuJoCo's flex. Its manual: a flex with elasticity needs integrator "discrete" (implicit in position); its own
models use solver "Newton" and time steps of 0.002 s (the default) or 0.001 s."""

import numpy as np

import meshes
from scenes import FRAME, Plane


def version():
    import mujoco

    return mujoco.__version__


def _numbers(values):
    return " ".join(f"{v:.12g}" for v in np.asarray(values).ravel())


class Simulation:
    """settings: substeps per frame, solver, iterations, tolerance, contact (attributes of <contact>), option."""

    threads = 1

    def __init__(self, scene, settings):
        import mujoco

        self.mujoco, self.scene, self.settings = mujoco, scene, settings
        self.substeps = settings["substeps"]
        self.step_s = FRAME / self.substeps
        self.model = mujoco.MjModel.from_xml_string(self._xml())
        self.data = mujoco.MjData(self.model)
        self.steps = 0
        self.plates = [o for o in scene.obstacles if not isinstance(o, Plane)]

    def _xml(self):
        scene, s = self.scene, self.settings
        bodies, flexes = [], []
        for index, body in enumerate(scene.bodies):
            pinned = np.zeros(len(body.points), bool)
            for pin in scene.pins:
                if pin.body == index:
                    pinned[pin.nodes] = True
            mass = meshes.node_masses(body.points, body.cells, body.density)
            names, local = [], []
            for i, p in enumerate(body.points):
                if pinned[i]:
                    names.append("world")
                    local.append(p)
                    continue
                names.append(f"b{index}_{i}")
                local.append((0, 0, 0))
                inertia = _numbers([mass[i] * 1e-6] * 3)
                bodies.append(
                    f'<body name="b{index}_{i}" pos="{_numbers(p)}"><inertial pos="0 0 0" mass="{mass[i]:.12g}" '
                    f'diaginertia="{inertia}"/><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
                    f'<joint type="slide" axis="0 0 1"/></body>'
                )
            flexes.append(self._flex(index, body, names, local))
        option = {"timestep": f"{self.step_s:.12g}", "integrator": "discrete", "solver": s.get("solver", "Newton")}
        option["gravity"] = f"0 0 {-scene.gravity}"
        option |= {k: str(s[k]) for k in ("iterations", "tolerance", "cone", "impratio") if k in s}
        attributes = " ".join(f'{k}="{v}"' for k, v in option.items())
        return (
            f'<mujoco><compiler autolimits="true"/><option {attributes}/><worldbody>{self._obstacles()}{"".join(bodies)}'
            f'</worldbody><deformable>{"".join(flexes)}</deformable></mujoco>'
        )

    def _flex(self, index, body, names, local):
        s = self.settings
        elasticity = f'young="{body.young}" poisson="{body.poisson}" damping="{body.damping}"'
        radius = s.get("radius", 1e-4)
        if body.is_sheet:
            elasticity += f' thickness="{body.thickness}" elastic2d="both"'
        contact = {"selfcollide": "none", "condim": "3", "friction": f"{self.scene.friction} 0.005 0.0001"}
        contact |= s.get("contact", {})
        if not self.scene.contact:
            contact |= {"contype": "0", "conaffinity": "0"}
        attributes = " ".join(f'{k}="{v}"' for k, v in contact.items())
        return (
            f'<flex name="f{index}" dim="{body.cells.shape[1] - 1}" radius="{radius}" body="{" ".join(names)}" '
            f'vertex="{_numbers(local)}" element="{" ".join(map(str, body.cells.ravel()))}">'
            f"<elasticity {elasticity}/><contact {attributes}/></flex>"
        )

    def _obstacles(self):
        out = []
        friction = f'friction="{self.scene.friction} 0.005 0.0001" condim="3"'
        contact = {k: v for k, v in self.settings.get("contact", {}).items() if k in ("solref", "solimp")}
        friction += "".join(f' {k}="{v}"' for k, v in contact.items())
        for i, shape in enumerate(self.scene.obstacles):
            if isinstance(shape, Plane):
                out.append(f'<geom type="plane" size="2 2 0.1" zaxis="{_numbers(shape.normal)}" {friction}/>')
            else:
                out.append(
                    f'<body name="plate{i}" mocap="true" pos="{_numbers(shape.center)}">'
                    f'<geom type="box" size="{_numbers(shape.half)}" {friction}/></body>'
                )
        return "".join(out)

    def prepare(self):
        self.mujoco.mj_forward(self.model, self.data)

    def _move(self, time):
        """Pinned nodes are vertices in the frame of the world: they are where their coordinates say."""
        offsets = self.scene.offsets()
        for pin in self.scene.pins:
            if not pin.rate:
                continue
            angle = pin.angle(time)
            nodes = pin.nodes + offsets[pin.body]
            rest = self.scene.points[nodes]
            c, s = np.cos(angle), np.sin(angle)
            self.model.flex_vert[nodes] = np.column_stack(
                [rest[:, 0], c * rest[:, 1] - s * rest[:, 2], s * rest[:, 1] + c * rest[:, 2]]
            )
        for i, plate in enumerate(self.plates):
            self.data.mocap_pos[i] = np.array(plate.center) + plate.shift(time) * np.array(plate.travel)

    def frame(self):
        for _ in range(self.substeps):
            self.steps += 1
            self._move(self.steps * self.step_s)
            self.mujoco.mj_step(self.model, self.data)

    def positions(self):
        self.mujoco.mj_kinematics(self.model, self.data)
        self.mujoco.mj_flex(self.model, self.data)
        return self.data.flexvert_xpos.copy()
