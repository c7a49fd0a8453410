#!/usr/bin/env python3
"""Writes docs/peers.md from benchmarks/pages/peers.in.md and benchmarks/results/*/peers.json; with --check says whether
it is up to date (exit status 1 where not). A line {{name}} of the template becomes that part of the newest result."""

import argparse
import json
import os
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import peers_tables as tables

ROOT = Path(__file__).resolve().parents[2]


def newest(folder):
    """The latest result by date (by machine where dates are equal) and its path; None if there is none."""
    found = [(json.loads(p.read_text(encoding="utf-8")), p) for p in sorted(folder.glob("*/peers.json"))]
    if not found:
        return None
    return max(found, key=lambda f: (f[0]["date"], str(f[1])))


def page(result, path):
    template = Path(__file__).with_name("peers.in.md").read_text(encoding="utf-8")
    parts = {
        "head": lambda: tables.head(result),
        "file": lambda: f"Result: `{path.relative_to(ROOT)}`.",
        "equal_error": lambda: tables.equal_error(result),
        "better_peers": lambda: tables.better_peers(result),
        "recorded": lambda: tables.recorded(result, ROOT / "benchmarks" / "peers" / "recorded.csv"),
        "scenes": lambda: tables.scene_tables(result),
    }
    return re.sub(r"^\{\{(\w+)\}\}$", lambda m: parts[m[1]](), template, flags=re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    target, found = ROOT / "docs" / "peers.md", newest(ROOT / "benchmarks" / "results")
    if not found:
        if target.exists() or not options.check:
            sys.exit("peers_page: no benchmarks/results/*/peers.json; make one with benchmarks/peers/run")
        return
    text = page(*found)
    if options.check:
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            sys.exit("peers_page: docs/peers.md is not what the results say; run benchmarks/pages/peers_page.py")
        return
    part = target.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, target)


main()
