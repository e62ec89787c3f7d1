#!/usr/bin/env python3
"""Writes fitted numbers into the engines' files.

    headroom validate tests/validation/measured.csv --hold-out --json > fit.json
    scripts/apply_fit.py fit.json .
    scripts/apply_fit.py --all fit.json .      also where what ships lies within the folds of the fit, and without the
                                               spreads: for a number that is new, and moves the others with it
    scripts/apply_fit.py --spreads fit.json .  spreads alone, and what builds without runs are lent: where what ships
                                               predicts the runs better, in sample and left out, than the new fit

An engine's own times stay where all of them lie within the folds of the fit, those in which rows of it were left: the
runs ask for no others. Spreads are
always written: they are what the rows left out needed, whatever times ship.
"""
import json
import pathlib
import re
import sys

FAMILY_KEYS = [
    "per_step", "per_step_and_sequence", "per_request", "eager_launch", "admission_steps", "expert_time",
    "per_kernel", "measured",
    "ln_spread_prefill", "ln_spread_decode", "ln_spread_source_prefill", "ln_spread_source_decode",
]


def number_text(value):
    return ("%.2f" % value).rstrip("0").rstrip(".") or "0"


def stands(fitted):
    """Whether every number that ships lies within what the folds of the fit give: then the runs do not ask for another."""
    host = [value for key, value in fitted.items() if not key.startswith("ln_spread")]
    moved = any(value["shipped"] != value["fitted"] for value in host)
    return moved and all(value["low"] <= value["shipped"] <= value["high"] for value in host)


def values_of(fitted, times, spreads):
    """Key to text, as an engine's file writes it."""
    out = {}
    for key, value in fitted.items():
        if not key.startswith("ln_spread") and not times:
            continue
        if key in ("eager_launch", "per_kernel") and value["fitted"] <= 0:
            continue  # zero stands for the calibration's own launch, or for no gap
        if key == "expert_time" and value["fitted"] == value["shipped"] == 1:
            continue  # what a file without it says
        if key.startswith("ln_spread") and not spreads:
            continue
        out[key] = number_text(value["fitted"]) + (" " + value["unit"] if value["unit"] else "")
    return out


def with_family(text, families, values):
    """`text` with the block of these families, or of this platform, in `on_families` written anew; None drops a key."""
    heads = ("    - families: [%s]\n" % families, "    - platform: %s\n" % families)
    head = next(each for each in heads if each in text)
    block = re.search(re.escape(head) + r"(?:      .*\n)*", text)
    kept = dict(re.findall(r"^      (\w+): (.*)$", block.group(0), re.M))
    values = {key: value for key, value in {**kept, **values}.items() if value is not None}
    if "per_kernel" in values:  # it shares the engine's host, and says nothing of it here
        values.pop("per_step", None)
        values.pop("per_step_and_sequence", None)
    lines = "".join("      %s: %s\n" % (key, values[key]) for key in FAMILY_KEYS if key in values)
    return text[: block.start()] + head + lines + text[block.end():]


def with_host(text, values):
    """`text` with the numbers of its group `host` replaced, those that it lacks added unless they are zero, and None dropped."""
    group = re.search(r"^host:\n((?:  .*\n)*)", text, re.M)
    host = group.group(0)
    for key, value in values.items():
        line = "  %s: %s\n" % (key, value)
        present = r"^  %s: .*\n" % key
        if value is None:
            host = re.sub(present, "", host, count=1, flags=re.M)
        elif re.search(present, host, re.M):
            host = re.sub(present, line, host, count=1, flags=re.M)
        elif key == "measured" or float(value.split()[0]) > 0:
            rest = re.search(r"^  (kernels|on_families|source):", host, re.M)
            host = host[: rest.start()] + line + host[rest.start():]
    return text[: group.start()] + host + text[group.end():]


def main():
    words = [word for word in sys.argv[1:] if word not in ("--all", "--spreads")]
    everything = "--all" in sys.argv
    spreads_alone = "--spreads" in sys.argv
    if len(words) != 2:
        sys.exit(__doc__)
    document = json.loads(pathlib.Path(words[0]).read_text())
    engines = pathlib.Path(words[1]) / "resources" / "engines"
    for name, fitted in document["fitted"].items():
        engine, _, families = name.partition(" on ")
        file = engines / (engine + ".yaml")
        if not file.exists():
            print(name + ": no file of an engine, not written")
            continue
        lent = document["fitted_rows"][name] == 0
        moves = everything or (lent if spreads_alone else not stands(fitted))
        if not moves:
            print(name + ": its times stay" + ("" if spreads_alone else ", within the folds of the fit"))
        values = values_of(fitted, times=moves, spreads=not everything)
        values["measured"] = "false" if lent else None  # a file without it says true
        text = file.read_text()
        file.write_text(with_family(text, families, values) if families else with_host(text, values))
        print(name + ": " + ", ".join("%s %s" % pair for pair in values.items() if pair[1] is not None))


main()
