"""The text of the validation page. Every number in a table comes from a run."""

from __future__ import annotations

import platform

import _sections
import _table
import numba
import numpy as np
from _quantities import Outcome
from _sections import number, table

import chaindrive

Outcomes = dict[str, Outcome]


def page(results: Outcomes, date: str, seconds: float) -> str:
    """The whole page, markdown."""
    rows = {
        "6S90MC-C, friction 0.1, joint damping 0.5 N m s/rad: the gate": _table.gate_rows(results),
        "6S90MC-C, what friction, joint damping and contact law do": _table.damping_rows(results),
        "6L60MC at 120 rpm": _table.l60_rows(results),
        "Contact windows": _table.window_rows(results),
        "Contact forces against Binder's formula": _table.binder_rows(results),
    }
    return "\n".join(
        [
            _head(results, date, seconds),
            *_main_table(rows),
            _misses([row for group in rows.values() for row in group]),
            _sections.l60(results),
            _sections.s90(results),
            _sections.open(results),
            _sections.attractors(results),
            _sections.numerics(results),
        ]
    )


def _head(results: Outcomes, date: str, seconds: float) -> str:
    outcome = next(iter(results.values()))
    runs = len(results)
    simulated = sum(r.reached for r in results.values())
    cpu = sum(r.seconds for r in results.values())
    return f"""# Two marine chain drives: 6L60MC and 6S90MC-C

What chaindrive computes for the two drives of S. L. Pedersen, *Simulation and Analysis of Roller Chain Drive Systems*
(PhD thesis, Technical University of Denmark, 2004), chapter 5, beside what the thesis says. The page, its numbers and
its pictures are made by [`marine_drives.py`](marine_drives.py); nothing in a table of results is typed by hand.

- made on {date} with chaindrive {chaindrive.__version__}, numpy {np.__version__}, numba {numba.__version__},
  Python {platform.python_version()}
- {runs} runs, {simulated:.0f} simulated seconds, {cpu:.0f} s of CPU time, {seconds / 60:.1f} min altogether in two
  processes
- drives: the examples `6l60mc` and `6s90mc-c`; a case changes only what its name says. The circular tooth is
  `form = "circular"` on all four sprockets with the clearance of the ASA seat, the real tooth `asa-ii` with
  `flank_factor = 1.24`
- contact law {outcome.case.model.run.formulation.contact_law} with stored impact speed, 1e9 N/m^1.5, restitution 0
  unless stated; velocity Verlet with the step that chaindrive chooses, unless Dormand-Prince is named; rows at 1 kHz.
  Nothing is random: no seed
- windows, after the transients: 6L60MC 20 s to 60 s (contacts: 20 s to 32 s), 6S90MC-C 12 s to 32 s; open parameters
  20 s to 40 s and 8 s to 20 s. Spectra are root mean squares over stretches of 10 s, the length of the thesis' runs
  (resolution 0.1 Hz, Hann window, peaks interpolated)
- *segment k* is the span from sprocket k to the next; its tension is the mean over the links in it, centrifugal part
  included, as links carry it. *Moving string* is Eq. 4.27 with that tension and no further centrifugal term.
  *Prototype* is an earlier, independent program for the same model

## The numbers

**Gate** rows are also asserted by `pytest -m validation`. Differences are to the column *expected*.
"""


def _main_table(groups: dict[str, list[_table.Row]]) -> list[str]:
    parts = []
    for title, rows in groups.items():
        lines = []
        for row in rows:
            difference = "–" if row.bound else f"{row.difference:+.3g} {row.unit}"
            tolerance = row.reason if row.bound else f"± {number(row.tolerance, 2)} ({row.reason})"
            verdict = ("yes" if row.within else "**no**") + (", gate" if row.gate else "")
            ours = f"**{number(row.ours, 4)}** {row.unit}"
            lines.append([row.quantity, row.thesis, row.expected, ours, difference, tolerance, verdict])
        header = ["quantity", "thesis", "expected", "chaindrive", "difference", "tolerance", "within?"]
        parts += [f"### {title}\n", table(header, lines), ""]
    return parts


REASONS = {
    "first peak, real tooth, segment 4, against the thesis": "the frequency follows the tension. At the 20 kN that the "
    "thesis gives, Eq. 4.27 puts the first mode at 4.40 Hz and not at 4.5; at the tension of this run it puts it "
    "where it is found. The spectrum of one run of 10 s, as in the thesis, has lines 0.1 Hz apart.",
    "mode 5 of segment 4, circular tooth": "nothing damps this mode; its line is some 2 Hz broad, and which part "
    "of it is highest changes with the step of the integrator (24.7 Hz with a step one eighth shorter; 23.6 and "
    "24.6 Hz in the prototype's two windows).",
    "amplitude": "largest deviation in 40 s against largest deviation in the one second that the figure shows.",
    "neither friction nor joint damping": "undamped: several states (below).",
    "side bands in segment 4, circular tooth": "the strand wanders between modes and its side bands are broad; below "
    "and above the tooth frequency different ones happen to be the highest.",
    "restitution 1": "the peak of a single bounce; the figure of the thesis shows one stay of one roller.",
}


def _misses(rows: list[_table.Row]) -> str:
    missed = [row for row in rows if not row.within]
    if not missed:
        return "Every number is within its tolerance.\n"
    lines = ["**Outside the tolerance, and why:**\n"]
    for row in missed:
        reason = next((text for key, text in REASONS.items() if key in row.quantity), "no reason known.")
        lines.append(f"- {row.quantity} ({number(row.ours)} {row.unit} instead of {row.expected}): {reason}")
    return "\n".join([*lines, ""])
