"""A page that misses a goal is told so, and one that meets them all is not."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from accuracy_goals import misses  # noqa: E402

JUDGEMENTS = 6


def row(name, cells):
    return "| %s | %s |\n" % (name, " | ".join(cells))


def judged(error, inside):
    return ["100"] + ["%s %%" % error, "%s %% ± 2.0" % inside, "x 1.30"] * JUDGEMENTS


def page(error=5, inside=80, source=70, rows=30, order=97, percentile=80, together=80):
    def held(first, names):
        return row(first, ["used"] + ["e", "i", "r"] * JUDGEMENTS) + "|---|\n" + "".join(
            row(name, judged(error, inside)) for name in names)
    return ("\n## Rows that the fit never saw\n\n"
            + held("figure", ["first token", "further tokens", "whole request", "throughput"]) + "\n"
            + held("metric", ["tpot_ms", "ttft_ms", "output_throughput_tok_s_total"])
            + row("ttft_ms p99", judged(error, percentile)) + row("ttft_ms, all", judged(error, together))
            + "\n### Without each source\n\n" + row("source left out", ["rows"] + ["x"] * 7) + "|---|\n"
            + row("Somebody", [str(rows), str(rows), "5 %", "5 %", "5 %", "+0 %", "%s %% ± 3.0" % source, "x 1.3"])
            + "\n## Order of alternatives\n\n" + row("judged", ["pairs", "in order"] * 2) + "|---|\n"
            + row("in sample", ["9", "%s %%" % order] * 2) + row("without its source", ["9", "%s %%" % order] * 2)
            + "\n")


class AccuracyGoals(unittest.TestCase):
    def test_all_met(self):
        self.assertEqual(list(misses(page())), [])

    def test_each_missed(self):
        for changed, word in [({"error": 16}, "median error"), ({"inside": 74.9}, "74.9 % inside"),
                              ({"inside": 85.1}, "85.1 % inside"), ({"source": 59}, "Somebody"),
                              ({"order": 94}, "order")]:
            found = list(misses(page(**changed)))
            self.assertTrue(found, changed)
            self.assertTrue(all(re.search(re.escape(word), each) for each in found), found)

    def test_percentiles_count_together(self):
        self.assertEqual(list(misses(page(percentile=92))), [])
        found = list(misses(page(together=86)))
        self.assertTrue(found and all(each.startswith("ttft_ms, without its") for each in found), found)

    def test_few_rows_of_a_source_judge_nothing(self):
        self.assertEqual(list(misses(page(source=10, rows=19))), [])


if __name__ == "__main__":
    unittest.main()
