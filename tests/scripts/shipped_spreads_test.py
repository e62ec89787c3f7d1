#!/usr/bin/env python3
"""The spreads that engines' files hold are those that docs/accuracy.md found the rows left out to need."""
import pathlib
import sys
import unittest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"
NEAR = 0.06  # two fits, from times that moved a little between them, agree as well as this
NO_FILE = "an engine without runs"


def spreads(page):
    """(engine, spread, in its file, fitted) of the table of fitted numbers."""
    table = page[page.index("## Fitted numbers"):].split("\n## ")[0]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) >= 5 and cells[2].startswith("ln_spread") and cells[0] != NO_FILE:
            yield cells[0], cells[2], float(cells[3]), float(cells[4])


class ShippedSpreads(unittest.TestCase):
    def test_every_spread_that_ships_is_what_the_page_found(self):
        found = list(spreads(PAGE.read_text()))
        self.assertTrue(found)
        off = ["%s %s: ships %.2f, needs %.2f" % each for each in found if abs(each[2] - each[3]) > NEAR]
        self.assertEqual([], off, "run scripts/apply_fit.py and write the page again")


if __name__ == "__main__":
    sys.exit(unittest.main())
