"""Sinew through its command line: writes scene and meshes, runs, reads report and exported nodes."""

import json
import math
import subprocess
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np

import meshes
from scenes import FRAME, Plane


def _turned(normal):
    """Key that turns local z to `normal`."""
    return {"axis": list(normal)}


def _pin(scene, pin, index):
    name = scene.bodies[pin.body].name
    entry = {"name": f"pin {index}", "body": name, "region": {"nodes": [int(n) for n in pin.nodes]}}
    if pin.rate:
        turn = {"axis": [1, 0, 0], "angle_deg": math.degrees(pin.rate * pin.until)}
        entry["origin"] = [0, 0, 0]
        entry["motion"] = {"keyframes": [{"time": 0}, {"time": pin.until, "rotate": turn}]}
    return entry


def _obstacle(scene, shape, index):
    entry = {"name": f"obstacle {index}", "friction": scene.friction}
    if isinstance(shape, Plane):
        return {**entry, "shape": {"half_space": {}}, **_turned(shape.normal)}
    half_way = [0.5 * t for t in shape.travel]
    keys = [{"time": 0}, {"time": FRAME, "translate": half_way}, {"time": shape.until, "translate": list(shape.travel)}]
    return {
        **entry,
        "shape": {"box": {"size": [2 * s for s in shape.half]}},
        "position": list(shape.center),
        "motion": {"keyframes": keys},
    }


def _body(scene, body, law, folder, index):
    entry = {
        "name": body.name,
        "material": {"young_modulus": body.young, "poisson_ratio": body.poisson, "rayleigh_beta": body.damping},
        "friction": scene.friction,
    }
    if law:
        entry["material"]["kind"] = law
    if body.is_sheet:
        meshes.write_obj(folder / f"{index}.obj", body.points, body.cells)
        entry["sheet"] = {"mesh": {"file": f"{index}.obj"}, "thickness": body.thickness, "area_density": body.density}
        entry["self_contact"] = False
    else:
        meshes.write_medit(folder / f"{index}.mesh", body.points, body.cells)
        entry["mesh"] = {"file": f"{index}.mesh"}
        entry["density"] = body.density
        if len(scene.bodies) > 1:
            entry["contact_thickness"] = 5e-5
    return entry


def _nodes(path):
    """Positions in a file that `sinew run --export --format vtu` wrote (appended raw arrays after sizes of 8 bytes)."""
    data = path.read_bytes()
    start = data.index(b"<AppendedData")
    raw = data.index(b"_", start) + 1
    head = xml.fromstring(data[:start].decode("ascii") + "</VTKFile>")
    piece = head.find(".//Piece")
    offset = raw + int(piece.find("Points/DataArray").get("offset")) + 8
    count = int(piece.get("NumberOfPoints"))
    return np.frombuffer(data, "<f8", 3 * count, offset).reshape(-1, 3).copy()


def run(scene, program, settings, limit_s):
    """settings: time_step, iterations, tolerance, threads, law; what is missing is the program's default."""
    step = settings.get("time_step", FRAME)
    per_frame = round(FRAME / step)
    with tempfile.TemporaryDirectory(prefix="sinew-peers-") as folder:
        folder = Path(folder)
        simulation = {"time_step": step, "frames": scene.frames * per_frame, "gravity": [0, 0, -scene.gravity]}
        for key in ("iterations", "tolerance", "threads"):
            if key in settings:
                simulation[key] = settings[key]
        file = {
            "name": scene.name,
            "simulation": simulation,
            "solver": {"cache": False},
            "bodies": [_body(scene, b, settings.get("law"), folder, i) for i, b in enumerate(scene.bodies)],
            "obstacles": [_obstacle(scene, o, i) for i, o in enumerate(scene.obstacles)],
            "pins": [_pin(scene, p, i) for i, p in enumerate(scene.pins)],
        }
        (folder / "scene.json").write_text(json.dumps(file))
        every = math.gcd(*scene.measured) * per_frame
        command = [program, "run", "scene.json", "--quiet", "--report", "report.json", "--report-frames"]
        command += ["--export", "out", "--format", "vtu", "--every", str(every)]
        if "backend" not in settings:
            command += ["--backend", "cpu"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit_s)
        if done.returncode != 0:
            raise RuntimeError((done.stderr.strip().splitlines() or ["sinew failed"])[-1])
        report = json.loads((folder / "report.json").read_text())
        times = np.array([f["ms"]["frame"] for f in report["per_frame"]]).reshape(-1, per_frame).sum(axis=1)
        start = _nodes(folder / "out" / "bodies_000000.vtu")
        if start.shape != scene.points.shape or np.abs(start - scene.points).max() > 1e-9:
            raise RuntimeError("exported nodes are in another order than those of the mesh")
        positions = {f: _nodes(folder / "out" / f"bodies_{f * per_frame:06d}.vtu") for f in scene.measured if f}
        return {
            "version": report["version"],
            "threads": report["threads"],
            "frame_ms": times.tolist(),
            "precompute_ms": report["precompute"]["ms"],
            "positions": positions,
            "hash": report["state_hash"],
            "warnings": report["warnings"],
        }
