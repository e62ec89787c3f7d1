#!/usr/bin/env python3
"""Writes what the regimes and the blind rows are met by into their records and into docs/blind.md.

    headroom validate tests/validation/regimes.csv tests/validation/wide_ep.csv tests/validation/split_pools.csv --json > regimes.json
    headroom validate tests/validation/blind.csv --json > blind.json
    scripts/record_accuracy.py regimes.json blind.json .

The rows of the records and of the page's tables stay: only their figures are written. The sentences around the tables
are for a person to keep true.
"""
import csv
import json
import pathlib
import re
import sys


def write_csv(path, header, rows):
    path.write_text("\n".join([header] + [",".join(row) for row in rows]) + "\n")


def record_regimes(path, by_regime):
    old = list(csv.reader(path.open()))[1:]
    rows = [[regime, quantity, "%.3f" % by_regime[regime + ", " + quantity]["median_abs_error"]]
            for regime, quantity, _ in old]
    write_csv(path, "regime,quantity,error", rows)


def record_blind(path, summary):
    def figures(name):
        found = summary if name == "all" else summary["by"]["metric"][name]
        return ["%.3f" % found["median_abs_error"], "%.3f" % found["within_interval"]]

    old = list(csv.reader(path.open()))[1:]
    write_csv(path, "figure,error,inside", [[row[0]] + figures(row[0]) for row in old])


def cells(figures):
    return ["%.1f %%" % (100 * figures["median_abs_error"]), "%+.1f %%" % (100 * figures["median_error"]),
            "%.1f %%" % (100 * figures["within_interval"])]


def page(text, by):
    """The tables of docs/blind.md: a row is known by its first cell, its last three are errors."""
    sources = {}
    for name, figures in by["source"].items():
        sources[re.sub(r"[^a-z0-9]", "", name.lower())] = figures
    lines = []
    missing = []
    for line in text.splitlines():
        row = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| ") and len(row) in (5, 7) and row[-1].endswith("%"):
            key = re.sub(r"[^a-z0-9]", "", row[0].lower())
            found = by["metric"].get(row[0]) or next(
                (figures for name, figures in sources.items() if name.startswith(key) or key.startswith(name)), None)
            if found is None:
                missing.append(row[0])
            else:
                row[-4:] = [str(found["used"])] + cells(found)
                line = "| " + " | ".join(row) + " |"
        lines.append(line)
    return "\n".join(lines) + "\n", missing


def main(regimes, blind, root):
    root = pathlib.Path(root)
    validation = root / "tests" / "validation"
    record_regimes(validation / "recorded_regimes.csv",
                   json.loads(pathlib.Path(regimes).read_text())["summary"]["by"]["regime"])
    summary = json.loads(pathlib.Path(blind).read_text())["summary"]
    record_blind(validation / "recorded_blind.csv", summary)
    path = root / "docs" / "blind.md"
    text, missing = page(path.read_text(), summary["by"])
    path.write_text(text)
    for name in missing:
        print("not written, for no source is called so: " + name)


if __name__ == "__main__":
    main(*sys.argv[1:])
