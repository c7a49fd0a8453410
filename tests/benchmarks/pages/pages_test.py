"""Pages made from results: numbers, tables, and what --check finds. Run by ctest; needs the standard library only."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

PAGES = Path(__file__).resolve().parents[3] / "benchmarks" / "pages"
sys.path.insert(0, str(PAGES))
sys.dont_write_bytecode = True

import build  # noqa: E402
import figures  # noqa: E402


def suite(name, rows, **other):
    return {
        "format": "sinew-bench-1",
        "suite": name,
        "command": f"sinew bench {name}",
        "date": "2026-01-02",
        "version": "1.2.3",
        "machine": {"cpu": "Some CPU", "cores": 2, "memory_bytes": 25769803776, "compiler": "g++ 12", "system": "Linux"},
        "threads": 2,
        "load": {"others_share": 0, "warning": ""},
        "rows": rows,
        "advice": [],
        "failures": [],
        **other,
    }


def row(id_, labels=None, values=None, samples=None, **other):
    return {
        "id": id_,
        "labels": labels or {},
        "values": values or {},
        "samples": samples or {},
        "hash": "",
        "valid": True,
        "warnings": [],
        **other,
    }


def frame_row(column, worst, **values):
    figures_ = {
        "vertices": 5292,
        "published_vertices": 5300,
        "elements": 26000,
        "published_elements": 26400,
        "constraints": 0,
        "worst_ms": worst,
        "published_worst_ms": 6.23,
        "ratio": worst / 6.23,
        "iterations": 5,
        "local_at_most_ms": 5.5,
        "published_local_ms": 0.87,
        "delassus_at_most_ms": 4.0,
        "published_delassus_ms": 3.45,
        "contact_solve_at_most_ms": 3.0,
        "published_contact_solve_ms": 0.54,
        "published_assemble_ms": 0.25,
        "frame_at_most_ms": worst,
        "max_penetration_m": 2e-5,
        "size_m": 0.5,
        "precompute_bytes": 4.5e6,
        "published_bytes": 125e6,
        **values,
    }
    labels = {"example": "Twisting Bar", "vertices_k": "5.3", "column": column}
    return row(f"twisting_bar/5.3/{column}", labels, figures_, {"median_ms": [9.0, 10.0, 11.0]})


class Tree:
    """A source tree of one page."""

    def __init__(self, folder, source):
        self.root = Path(folder)
        for name in ("benchmarks/pages", "benchmarks/results/machine-a", "benchmarks/results/machine-b", "docs"):
            (self.root / name).mkdir(parents=True)
        (self.root / "benchmarks/pages/page.md.in").write_text(source)

    def save(self, machine, name, content):
        (self.root / "benchmarks/results" / machine / name).write_text(json.dumps(content))

    def run(self, *words):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            status = build.main(["--root", str(self.root), *words])
        return status, errors.getvalue()

    def page(self):
        return (self.root / "docs/page.md").read_text()


class Numbers(unittest.TestCase):
    def test_three_digits(self):
        shown = {0: "0", 1.0: "1.00", 12.345: "12.3", 123.45: "123", 1234.5: "1234", 99999: "99999", 123456: "1.2e+05"}
        shown |= {0.012345: "0.0123", 0.00012: "1.2e-04", -3.14159: "-3.14", None: "-", float("nan"): "-"}
        for value, text in shown.items():
            self.assertEqual(figures.number(value), text)
        self.assertEqual(figures.number(12.345, 2), "12")
        self.assertEqual(figures.count(21000.0), "21000")
        self.assertEqual(figures.count(None), "-")
        self.assertEqual(figures.megabytes(4.5e6), "4.50")

    def test_repeats(self):
        three = row("a", samples={"median_ms": [9.0, 11.0, 10.0]})
        self.assertEqual(figures.with_spread(three, "median_ms"), "10.0 ± 10 %")
        self.assertEqual(figures.with_spread(row("a", samples={"median_ms": [2.5]}), "median_ms"), "2.50")
        self.assertEqual(figures.with_spread(row("a", values={"median_ms": 7.0}), "median_ms"), "7.00")
        self.assertEqual(figures.with_spread(row("a", samples={"median_ms": [None, 4.0]}), "median_ms"), "4.00")
        self.assertEqual(figures.with_spread(row("a"), "median_ms"), "-")

    def test_table(self):
        self.assertEqual(figures.table(["a", "b"], [["x", "1"]]), "| a | b |\n|---|---:|\n| x | 1 |")


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def tree(self, source="# Page\n\n{{ table3 }}\n\nThe end.\n"):
        return Tree(Path(self.folder.name) / "tree", source)

    def test_a_page_says_where_its_figures_are_from(self):
        tree = self.tree()
        rows = [frame_row("published", 12.46), frame_row("defaults", 5.0)]
        tree.save("machine-a", "table3-small.json", suite("table3", rows, load={"warning": "other programs took 30 %"}))
        self.assertEqual(tree.run(), (0, ""))
        page = tree.page()
        self.assertIn("**machine-a**: Some CPU, 2 cores, 24 GiB memory, g++ 12; 2 threads; 2026-01-02, version 1.2.3.", page)
        self.assertIn("`sinew bench table3`", page)
        self.assertIn("*Mind: other programs took 30 %.*", page)
        self.assertIn("RTX 4090", page)
        self.assertIn("**A ratio compares different hardware, not only programs**", page)
        self.assertIn("| Twisting Bar, 5.3k | 5292 | 5300 | 26000 | 26400 | 0 | - | 6.23 | 12.5 (2.0) | 5.00 (0.80) |", page)
        self.assertIn("| - | 4.00 / 3.45 | 1.10 / 0.870 | - | 0.600 / 0.790 | - | - | 5.00 |", page)
        self.assertIn("| 10.0 ± 10 % |", page)
        self.assertIn("| 4.0e-05 |", page)  # of the size
        self.assertIn("**machine-b**: not measured on this machine yet.", page)
        self.assertTrue(page.endswith("\n\nThe end.\n"))

    def test_the_whole_suite_goes_before_its_parts(self):
        tree = self.tree()
        tree.save("machine-a", "table3-medium.json", suite("table3", [], date="2026-01-05"))
        tree.save("machine-a", "table3-small.json", suite("table3", [], date="2026-01-04"))
        tree.save("machine-a", "table3-extra.json", suite("other", []))
        tree.run()
        self.assertLess(tree.page().index("2026-01-04"), tree.page().index("2026-01-05"))
        tree.save("machine-a", "table3.json", suite("table3", [], date="2026-01-06"))
        tree.run()
        self.assertIn("2026-01-06", tree.page())
        self.assertNotIn("2026-01-04", tree.page())

    def test_invalid_rows_and_failures_are_shown(self):
        tree = self.tree()
        bad = frame_row("defaults", 5.0) | {"valid": False, "warnings": ["penetrates"]}
        tree.save("machine-a", "table3.json", suite("table3", [bad], failures=["newt: no mesh"], advice=["less"]))
        tree.run()
        self.assertIn("5.00 (0.80) *invalid*", tree.page())
        self.assertIn("invalid; penetrates", tree.page())
        self.assertIn("- newt: no mesh", tree.page())
        self.assertIn("- less", tree.page())

    def test_other_suites(self):
        tree = self.tree("{{ memory }}\n{{ scaling }}\n{{ problems }}\n")
        memory = {"vertices": 5290, "staged_bytes": 4.5e6, "staged_float_bytes": 2.5e6, "published_S_MB": 125.02}
        memory |= {"published_ratio": 27.8, "published_dense_MB": None}
        rows = [row("memory/bar/5.3", {"example": "bar", "vertices_k": "5.3"}, memory)]
        tree.save("machine-a", "memory.json", suite("memory", rows))
        rows = [row("scaling/elastic/5k", values={"vertices": 5000, "local_ms": 3}, samples={"median_ms": [20.0, 20.0]})]
        rows += [row("scaling/contact/1k", values={"constraints": 1000}, samples={"delassus_ms": [7.0]})]
        tree.save("machine-a", "scaling.json", suite("scaling", rows, advice=["elastic: exponent 1.1"]))
        curve = {"lowest_25_m": -0.2206, "lowest_50_m": -0.093, "lowest_75_m": -0.13, "lowest_100_m": -0.164}
        curve |= {"error_m": 0.001, "recorded_ipc_ms": 655, "recorded_ipc_error_m": 0.0}
        rows = [row("A5/defaults", {"problem": "A5", "what": "5 iterations"}, curve, {"median_ms": [3.0, 5.0]}, warnings=["odd"])]
        slide = {"friction": 0.176, "slide_m": 0.0143, "exact_slide_m": 0.0142, "recorded_ipc_slide_m": 0.0347}
        rows += [row("C/0.176/settled", {"problem": "C", "what": "settled"}, slide)]
        tree.save("machine-a", "problems.json", suite("problems", rows))
        self.assertEqual(tree.run(), (0, ""))
        page = tree.page()
        self.assertIn("| bar, 5.3k | 5290 | 4.50 | 2.50 | - | - | - | 125 | - | 28 |", page)
        self.assertIn("| 5k | 5000 | - | - | 20.0 ± 0 % | 3.00 | - | - |", page)
        self.assertIn("| 1k | - | - | 1000 | - | 7.00 | - | - |", page)
        self.assertIn("- elastic: exponent 1.1", page)
        self.assertIn("| A5/defaults | 5 iterations | - | - | - | 4.00 ± 25 % | - | - | - | - | - | - | odd |", page)
        self.assertIn("| A5/defaults | -0.2206 | -0.09300 | -0.1300 | -0.1640 | 1.00 | - | - |", page)
        self.assertIn("| C/0.176/settled | 14.300 | 14.200 | - | - | - | - |", page)
        self.assertIn("| program | A5 [ms] | A5, error [mm] | C 0.176 slide [mm] |", page)
        self.assertIn("| ipc | 655 | 0 | 34.7 |", page)

    def test_check_names_the_file_and_the_way_out(self):
        tree = self.tree()
        self.assertEqual(tree.run("--check")[0], 1)
        self.assertIn("docs/page.md is missing", tree.run("--check")[1])
        tree.run()
        self.assertEqual(tree.run("--check"), (0, ""))
        page = tree.page()
        (tree.root / "docs/page.md").write_text(page.replace("The end.", "An edit."))
        status, text = tree.run("--check")
        self.assertEqual(status, 1)
        self.assertEqual(text.count("\n"), 1)
        place = page[: page.index("The end.")].count("\n") + 1
        self.assertIn(f"docs/page.md differs in line {place} from its source; mend it by: python3 ", text)
        self.assertEqual(tree.page(), page.replace("The end.", "An edit."))  # nothing was written
        tree.run()
        tree.save("machine-a", "table3.json", suite("table3", []))  # a new result makes the page stale, too
        self.assertEqual(tree.run("--check")[0], 1)

    def test_faulty_input_is_one_line(self):
        tree = self.tree()
        for content, words in [
            ({"format": "other"}, "is no result of the suite 'table3'"),
            (suite("memory", []), "is no result of the suite 'table3'"),
            ({"format": "sinew-bench-1", "suite": "table3", "rows": []}, "lacks 'machine'"),
        ]:
            tree.save("machine-a", "table3.json", content)
            status, text = tree.run()
            self.assertEqual(status, 1)
            self.assertEqual(text.count("\n"), 1)
            self.assertIn("machine-a/table3.json", text)
            self.assertIn(words, text)
        (tree.root / "benchmarks/results/machine-a/table3.json").write_text("{")
        self.assertIn("table3.json", tree.run()[1])
        (tree.root / "benchmarks/pages/page.md.in").write_text("\n{{ tabel3 }}\n")
        self.assertIn("page.md.in:2: unknown suite 'tabel3'; known are table3,", tree.run()[1])

    def test_a_page_may_have_a_program_of_its_own(self):
        tree = self.tree("Text.\n")
        program = tree.root / "benchmarks/pages/other_page.py"
        program.write_text("import sys\nsys.exit('stale' if '--check' in sys.argv else 0)\n")
        self.assertEqual(tree.run(), (0, ""))
        self.assertEqual(tree.run("--check"), (1, "build.py: stale\n"))


if __name__ == "__main__":
    unittest.main()
