#!/usr/bin/env python3
"""Writes pages of docs/ from their sources, benchmarks/pages/*.md.in, and the results in benchmarks/results.

    benchmarks/pages/build.py            writes docs/*.md
    benchmarks/pages/build.py --check    writes nothing; exit status 1 where a page is not what it would write

A line "{{ suite }}" of a source becomes that suite's tables, machine by machine, out of
benchmarks/results/MACHINE/SUITE.json, or SUITE-small.json, SUITE-medium.json ... where there is no such file.
Pages with a program of their own, benchmarks/pages/*_page.py, are written and checked by that.
Needs Python 3.9 and its standard library.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

import suite_tables

SUITES = {
    "table3": suite_tables.table3,
    "memory": suite_tables.memory,
    "scaling": suite_tables.scaling,
    "problems": suite_tables.problems,
}
SIZES = ["small", "medium", "large"]


class PageError(Exception):
    """One line: what, where, and how to mend it."""


def result_files(folder, suite):
    """Of one machine: the whole suite where there is one, else its parts by size."""
    whole = folder / f"{suite}.json"
    if whole.exists():
        return [whole]
    parts = [p for p in folder.glob(f"{suite}-*.json") if p.stem[len(suite) + 1 :] in SIZES]
    return sorted(parts, key=lambda p: SIZES.index(p.stem[len(suite) + 1 :]))


def read_result(path, suite):
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        if result.get("format") != "sinew-bench-1" or result.get("suite") != suite:
            raise ValueError(f"is no result of the suite '{suite}'; write it by: sinew bench {suite} --save")
        for key in ("rows", "machine", "threads", "date", "version", "command"):
            if key not in result:
                raise ValueError(f"lacks '{key}'; write it by: sinew bench {suite} --save")
        return result
    except (OSError, ValueError, AttributeError) as error:
        raise PageError(f"{path}: {error}") from error


def heading(result, machine):
    """Where, when and by what a result was made."""
    m, threads = result["machine"], result["threads"]
    text = (
        f"**{machine}**: {m['cpu']}, {m['cores']} cores, {m['memory_bytes'] / 2**30:.0f} GiB memory, {m['compiler']}; "
        f"{threads} thread{'s' if threads != 1 else ''}; {result['date']}, version {result['version']}.\n"
        f"`{result['command']}`"
    )
    warning = result.get("load", {}).get("warning")
    return text + f"\n\n*Mind: {warning}.*" if warning else text


def suite_text(suite, results):
    """All machines' tables of a suite. results: the folder with a folder per machine."""
    parts = []
    for folder in sorted(p for p in results.iterdir() if p.is_dir()):
        files = result_files(folder, suite)
        if not files:
            parts.append(f"**{folder.name}**: not measured on this machine yet.")
        for path in files:
            result = read_result(path, suite)
            try:
                parts.append(heading(result, folder.name) + "\n\n" + SUITES[suite](result).strip())
            except (KeyError, TypeError, IndexError) as error:
                raise PageError(f"{path}: a row lacks {error}; measure again by: sinew bench {suite} --save") from error
            failures = result.get("failures", [])
            if failures:
                parts.append("Not run:\n\n" + "\n".join(f"- {f}" for f in failures))
    return "\n\n".join(parts) if parts else "Not measured on any machine yet."


def page_text(source, results):
    """A page out of its source."""
    lines = [f"<!-- Written by benchmarks/pages/build.py from benchmarks/pages/{source.name} and benchmarks/results. -->"]
    for place, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        mark = re.fullmatch(r"\{\{\s*(\S+)\s*\}\}", line.strip())
        if not mark:
            lines.append(line)
        elif mark[1] not in SUITES:
            raise PageError(f"{source}:{place}: unknown suite '{mark[1]}'; known are {', '.join(SUITES)}")
        else:
            lines.append(suite_text(mark[1], results))
    return "\n".join(lines) + "\n"


def first_difference(old, new):
    """The first line that differs, from 1 on."""
    old, new = old.splitlines(), new.splitlines()
    for place, (a, b) in enumerate(zip(old, new), 1):
        if a != b:
            return place
    return min(len(old), len(new)) + 1


def build(root, check):
    """Writes or checks all pages. Returns one line per page that is not up to date."""
    pages = root / "benchmarks" / "pages"
    stale = []
    for source in sorted(pages.glob("*.md.in")):
        target = root / "docs" / source.name[: -len(".in")]
        text = page_text(source, root / "benchmarks" / "results")
        if not check:
            target.write_text(text, encoding="utf-8")
            continue
        old = target.read_text(encoding="utf-8") if target.exists() else ""
        if old != text:
            name = target.relative_to(root)
            what = f"differs in line {first_difference(old, text)} from its source" if old else "is missing"
            stale.append(f"{name} {what}; mend it by: python3 benchmarks/pages/build.py (edit {source.relative_to(root)})")
    for program in sorted(pages.glob("*_page.py")):
        run = subprocess.run([sys.executable, "-B", program, *(["--check"] if check else [])], capture_output=True, text=True)
        if run.returncode != 0:
            stale.append((run.stderr.strip().splitlines() or [f"{program.name} failed"])[-1])
    return stale


def main(words=None):
    parser = argparse.ArgumentParser(description="Writes pages of docs/ from benchmarks/pages/*.md.in and results.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a page is not up to date")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2], help="source tree")
    options = parser.parse_args(words)
    try:
        stale = build(options.root, options.check)
    except (OSError, PageError) as error:
        print(f"build.py: error: {error}", file=sys.stderr)
        return 1
    for line in stale:
        print(f"build.py: {line}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
