"""The result file, in the format "sinew-bench-1" of `sinew bench`."""

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Row:
    id: str
    labels: dict = field(default_factory=dict)
    values: dict = field(default_factory=dict)
    samples: dict = field(default_factory=dict)
    hash: str = ""
    valid: bool = True
    warnings: list = field(default_factory=list)


def _busy_and_all():
    """Seconds of all cores since boot, from the first line of /proc/stat (guests are within user and nice)."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(t) for t in file.readline().split()[1:9]]
    hertz = os.sysconf("SC_CLK_TCK")
    return (sum(ticks) - ticks[3] - ticks[4]) / hertz, sum(ticks) / hertz


def _own():
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def _plain(value):
    """JSON has no NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


class Suite:
    def __init__(self, name, sinew):
        self.name, self.rows, self.failures = name, [], []
        self.about = self._ask(sinew)
        try:
            self.before = (*_busy_and_all(), _own())
        except OSError:
            self.before = None

    @staticmethod
    def _ask(sinew):
        """Version and machine as Sinew's own reports tell them."""
        scene = {
            "name": "tiny",
            "simulation": {"frames": 1},
            "solver": {"cache": False},
            "bodies": [{"name": "b", "mesh": {"generate": "block", "size_x": 1, "size_y": 1, "size_z": 1, "cells_x": 1, "cells_y": 1, "cells_z": 1}}],
        }
        with tempfile.TemporaryDirectory(prefix="sinew-peers-") as folder:
            (Path(folder) / "tiny.json").write_text(json.dumps(scene))
            command = [sinew, "run", "tiny.json", "--report", "r.json", "--quiet"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
            if done.returncode != 0:
                sys.exit("peers: " + (done.stderr.strip().splitlines() or ["sinew failed"])[-1])
            return json.loads((Path(folder) / "r.json").read_text())

    def _load(self):
        if not self.before:
            return {"others_share": None, "warning": "what other programs did meanwhile is not known: /proc/stat does not tell"}
        busy, all_, own = (a - b for a, b in zip((*_busy_and_all(), _own()), self.before))
        share = min(1.0, max(0.0, (busy - own) / all_)) if all_ > 0 else 0.0
        warning = ""
        if share > 0.1:
            warning = f"other programs took {100 * share:.0f} % of all cores meanwhile: times are upper bounds; stop them and run again"
        return {"others_share": share, "warning": warning}

    def write(self, path):
        words = ["benchmarks/peers/run", *sys.argv[1:]]
        command = " ".join(Path(w).name if w.startswith("/") else w for w in words)
        rows = [
            {
                "id": r.id,
                "labels": r.labels,
                "values": {k: _plain(v) for k, v in r.values.items()},
                "samples": {k: [_plain(x) for x in v] for k, v in r.samples.items()},
                "hash": r.hash,
                "valid": r.valid,
                "warnings": r.warnings,
            }
            for r in self.rows
        ]
        content = {
            "format": "sinew-bench-1",
            "suite": self.name,
            "command": command,
            "date": time.strftime("%Y-%m-%d", time.gmtime()),
            "version": self.about["version"],
            "machine": self.about["machine"],
            "threads": self.about["threads"],
            "load": self._load(),
            "rows": rows,
            "advice": [],
            "failures": self.failures,
        }
        whole = Path(path).with_suffix(".part")
        whole.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        os.replace(whole, path)
