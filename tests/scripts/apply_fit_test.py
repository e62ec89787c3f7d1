#!/usr/bin/env python3
"""What scripts/apply_fit.py writes into engines' files."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "apply_fit.py"

ENGINE = """id: planted
host:
  per_step: 1 ms
  per_request: 10 ms
  ln_spread_prefill: 0.4
  kernels: [vllm]
  on_families:
    - families: [cdna3]
      per_step: 8 ms
      ln_spread_decode: 0.5
      ln_spread_source_decode: 0.2
    - platform: xpu
      per_step: 1 ms
  source: host
"""


def fitted(name, shipped, found, low, high, unit):
    return {name: {"shipped": shipped, "fitted": found, "low": low, "high": high, "unit": unit}}


def spread(name, shipped, found):
    return fitted(name, shipped, found, found, found, "")


class ApplyFit(unittest.TestCase):
    def written(self, fit, *flags, rows=30, engine=ENGINE):
        """The engine's file after the script ran over this fit."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            engines = root / "resources" / "engines"
            engines.mkdir(parents=True)
            (engines / "planted.yaml").write_text(engine)
            (root / "fit.json").write_text(json.dumps({"fitted": fit, "fitted_rows": {name: rows for name in fit}}))
            subprocess.run([sys.executable, SCRIPT, *flags, root / "fit.json", root], check=True, stdout=subprocess.DEVNULL)
            return (engines / "planted.yaml").read_text()

    def test_times_within_the_folds_stay_and_spreads_do_not(self):
        text = self.written({"planted": {**fitted("per_step", 1, 2, 0.5, 2, "ms"), **spread("ln_spread_prefill", 0.4, 0.3)}})
        self.assertIn("  per_step: 1 ms\n", text)
        self.assertIn("  ln_spread_prefill: 0.3\n", text)

    def test_times_outside_the_folds_move_together(self):
        text = self.written({"planted": {**fitted("per_step", 1, 2, 1.5, 2, "ms"), **fitted("per_request", 10, 15, 7, 15, "ms")}})
        self.assertIn("  per_step: 2 ms\n", text)
        self.assertIn("  per_request: 15 ms\n", text)

    def test_a_spread_that_the_file_lacks_is_added_unless_it_is_zero(self):
        text = self.written({"planted": {**spread("ln_spread_decode", 0, 0.21), **spread("ln_spread_source_decode", 0, 0)}})
        host = text[: text.index("  on_families:")]
        self.assertIn("  ln_spread_decode: 0.21\n", host)
        self.assertNotIn("ln_spread_source_decode", host)

    def test_a_build_with_a_gap_between_kernels_says_nothing_of_the_host_that_it_shares(self):
        text = self.written({"planted on cdna3": fitted("per_kernel", 4, 8, 6, 11, "us")})
        self.assertIn("    - families: [cdna3]\n      per_kernel: 8 us\n", text)
        self.assertNotIn("per_step: 8 ms", text)
        self.assertIn("    - platform: xpu\n      per_step: 1 ms\n", text)

    def test_families_get_spreads_of_their_own(self):
        fit = {**fitted("per_step", 8, 6, 4, 11, "ms"), **spread("ln_spread_decode", 0.5, 0.17)}
        text = self.written({"planted on cdna3": {**fit, **spread("ln_spread_source_decode", 0.2, 0)}})
        self.assertIn("      per_step: 8 ms\n      ln_spread_decode: 0.17\n      ln_spread_source_decode: 0\n", text)
        self.assertIn("  ln_spread_prefill: 0.4\n", text)

    def test_a_platform_gets_what_its_builds_are_lent(self):
        text = self.written({"planted on xpu": {**fitted("per_step", 1, 6, 6, 6, "ms"), **spread("ln_spread_decode", 0, 0.4)}})
        self.assertIn("    - platform: xpu\n      per_step: 6 ms\n      ln_spread_decode: 0.4\n", text)
        self.assertIn("    - families: [cdna3]\n      per_step: 8 ms\n", text)

    def test_times_that_no_run_speaks_of_are_marked_until_one_does(self):
        fit = {"planted": {**spread("ln_spread_prefill", 0.4, 0.3)}, "planted on xpu": {**fitted("per_step", 1, 6, 6, 6, "ms")}}
        text = self.written(fit, rows=0)
        self.assertIn("  measured: false\n", text[: text.index("  on_families:")])
        self.assertIn("    - platform: xpu\n      per_step: 6 ms\n      measured: false\n", text)
        self.assertIn("    - families: [cdna3]\n      per_step: 8 ms\n      ln_spread_decode", text)
        self.assertNotIn("measured", self.written(fit, engine=text))

    def test_all_writes_times_and_leaves_spreads(self):
        text = self.written({"planted": {**fitted("per_step", 1, 2, 0.5, 2, "ms"), **spread("ln_spread_prefill", 0.4, 0.3)}}, "--all")
        self.assertIn("  per_step: 2 ms\n", text)
        self.assertIn("  ln_spread_prefill: 0.4\n", text)


unittest.main()
