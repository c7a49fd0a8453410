"""Runs one scene by one peer in a process of its own: what it prints, leaks or breaks stays here.

Usage: worker.py REQUEST.json RESULT.npz; the result holds positions p<frame>, frame_ms and text `about` (JSON)."""

import importlib
import json
import os
import sys
import time

import numpy as np

import scenes


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    scene = scenes.SCENES[request["scene"]]()
    about, arrays, times = {}, {}, []
    try:
        module = importlib.import_module(request["module"])
        start = time.perf_counter()
        about["version"] = module.version()
        simulation = module.Simulation(scene, request["settings"])
        simulation.prepare()
        about["precompute_ms"] = 1e3 * (time.perf_counter() - start)
        about["threads"] = simulation.threads
        arrays["p0"] = simulation.positions()
        begin = time.perf_counter()
        for frame in range(1, scene.frames + 1):
            before = time.perf_counter()
            simulation.frame()
            times.append(1e3 * (time.perf_counter() - before))
            if frame in scene.measured:
                arrays[f"p{frame}"] = simulation.positions()
                if not np.isfinite(arrays[f"p{frame}"]).all():
                    about["error"] = f"diverged before frame {frame}"
                    break
            # A run that will not end in time ends as soon as that is plain.
            spent = time.perf_counter() - begin
            if spent > min(5.0, request["limit_s"]) and spent * scene.frames > request["limit_s"] * frame:
                about["cut"] = frame
                break
    except ImportError as error:
        about["missing"] = str(error)
    except NotImplementedError as error:
        about["unable"] = str(error)
    except Exception as error:  # whatever a peer throws is its row
        about["error"] = f"{type(error).__name__}: {error}".splitlines()[0][:300]
    np.savez(sys.argv[2], about=json.dumps(about), frame_ms=np.array(times), **arrays)
    sys.stdout.flush()
    os._exit(0)  # destructors of peers may crash or wait


main()
