"""The text of the validation page. Every number in a table comes from a run."""

from __future__ import annotations

import _sections
import _table
from _made import made
from _quantities import Outcome
from _rows import Row, misses, rows_table

Outcomes = dict[str, Outcome]


def page(results: Outcomes) -> str:
    """The whole page, markdown."""
    rows = {
        "6S90MC-C, friction 0.1, joint damping 0.5 N m s/rad: the gate": _table.gate_rows(results),
        "6S90MC-C, what friction, joint damping and contact law do": _table.damping_rows(results),
        "6L60MC at 120 rpm": _table.l60_rows(results),
    }
    return "\n".join(
        [
            _head(results),
            *(f"### {title}\n\n{rows_table(group)}\n" for title, group in rows.items()),
            _misses([row for group in rows.values() for row in group]),
            _sections.l60(results),
            _sections.s90(results),
            _sections.open(results),
            _sections.attractors(results),
            _sections.numerics(results),
        ]
    )


def _head(results: Outcomes) -> str:
    outcome = next(iter(results.values()))
    runs = len(results)
    simulated = sum(r.reached for r in results.values())
    cpu = sum(r.seconds for r in results.values())
    return f"""# Two marine chain drives: levels of tension, and what the thesis leaves open

This page shows what determines the level of tension in the two drives of S. L. Pedersen, *Simulation and Analysis of
Roller Chain Drive
Systems* (PhD thesis, Technical University of Denmark, 2004), chapter 5: tooth, damping, contact law, start, integrator,
and the data that the thesis leaves open or rounds. Its figures are treated one by one on [another
page](pedersen.md). The page, its numbers and its pictures are made by [`marine_drives.py`](marine_drives.py);
nothing in a table of results is typed by hand.

- {made()}
- {runs} runs, {simulated:.0f} simulated seconds, {cpu:.0f} s of CPU time
- drives: the examples `6l60mc` and `6s90mc-c`; a case changes only what its name says. The circular tooth is
  `form = "circular"` on all four sprockets with the clearance of the ASA seat, the real tooth `asa-ii` with
  `flank_factor = 1.24`
- contact law {outcome.case.model.run.formulation.contact_law} with stored impact speed, 1e9 N/m^1.5, restitution 0
  unless stated; velocity Verlet with the step that chaindrive chooses, unless Dormand-Prince is named; rows at 1 kHz.
  Nothing is random, so there is no seed
- windows, after the transients: 6L60MC 20 s to 60 s, 6S90MC-C 12 s to 32 s; open parameters 20 s to 40 s and 8 s to
  20 s
- *segment k* is the span from sprocket k to the next; its tension is the mean over the links in it, centrifugal part
  included, as links carry it. *Prototype* is an earlier, independent program for the same model

## The numbers

**Gate** rows are also asserted by `python tests/long.py`. Differences are to the column *expected*.
"""


def _misses(rows: list[Row]) -> str:
    missed = misses(rows)
    if not missed:
        return "Every number is within its tolerance.\n"
    return "\n".join(["**Outside the tolerance, and why:**\n", *missed, ""])
