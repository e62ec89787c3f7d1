#!/usr/bin/env python3
"""What scripts/record_accuracy.py writes into the records and the page of blind rows."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "record_accuracy.py"

PAGE = """# Blind rows

Prose with 25 % stays.

| metric | predicted | median error | bias | inside |
|---|---:|---:|---:|---:|
| tpot_ms | 1 | 9.9 % | +9.9 % | 9.9 % |

| source | what it ran | rows | predicted | median error | bias | inside |
|---|---|---:|---:|---:|---:|---:|
| Planted cookbook | a server | 3 | 1 | 9.9 % | +9.9 % | 9.9 % |
| Nobody | another | 3 | 1 | 9.9 % | +9.9 % | 9.9 % |
"""


def errors(used, error, bias, inside):
    return {"used": used, "median_abs_error": error, "median_error": bias, "within_interval": inside}


class RecordAccuracy(unittest.TestCase):
    def test_figures_are_written_where_they_belong_and_the_rest_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs" / "blind.md").write_text(PAGE)
            records = root / "tests" / "validation"
            records.mkdir(parents=True)
            (records / "recorded_regimes.csv").write_text("regime,quantity,error\npipeline,tpot_ms,0.5\n")
            (records / "recorded_blind.csv").write_text("figure,error,inside\nall,0.5,0.5\ntpot_ms,0.5,0.5\n")
            regimes = {"by": {"regime": {"pipeline, tpot_ms": errors(4, 0.1234, 0, 1),
                                         "one box, tpot_ms": errors(4, 0.2, 0, 1)}}}
            blind = dict(errors(7, 0.2, 0.1, 0.75), by={
                "metric": {"tpot_ms": errors(5, 0.123, -0.045, 0.8)},
                "source": {"Planted cookbook (of a person)": errors(2, 0.3, 0.04, 0.5)}})
            for name, summary in (("regimes", regimes), ("blind", blind)):
                (root / name).write_text(json.dumps({"summary": summary}))
            said = subprocess.run([sys.executable, SCRIPT, root / "regimes", root / "blind", root], check=True,
                                  capture_output=True, text=True).stdout
            self.assertEqual(said, "not written, for no source is called so: Nobody\n")
            self.assertEqual((records / "recorded_regimes.csv").read_text(),
                             "regime,quantity,error\npipeline,tpot_ms,0.123\n")
            self.assertEqual((records / "recorded_blind.csv").read_text(),
                             "figure,error,inside\nall,0.200,0.750\ntpot_ms,0.123,0.800\n")
            page = (root / "docs" / "blind.md").read_text()
            self.assertIn("Prose with 25 % stays.", page)
            self.assertIn("| tpot_ms | 5 | 12.3 % | -4.5 % | 80.0 % |", page)
            self.assertIn("| Planted cookbook | a server | 3 | 2 | 30.0 % | +4.0 % | 50.0 % |", page)
            self.assertIn("| Nobody | another | 3 | 1 | 9.9 % |", page)


if __name__ == "__main__":
    unittest.main()
