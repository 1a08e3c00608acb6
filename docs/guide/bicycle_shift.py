"""Measure and draw the shifts of "A bicycle":

    python docs/guide/bicycle_shift.py             everything
    python docs/guide/bicycle_shift.py --picture   the picture alone, of the example bicycle-shift
    python docs/guide/bicycle_shift.py --pairs     the table alone, of several pairs of cogs

Each shift of the table is run twice, begun at instants half a turn of the cassette apart.
"""

from __future__ import annotations

import io
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _measured import with_table
from matplotlib.figure import Figure
from PIL import Image

import chaindrive as cd
from chaindrive.analyses.results.shifting import Shifting, shifting
from chaindrive.results.audit import OUT_OF_BALANCE

HERE = Path(__file__).resolve().parent
PAGE, PICTURES = HERE / "bicycle.md", HERE / "pictures"
PROCESSES = 4
COLOURS, DPI = 64, 90

PAIRS = ((11, 13), (15, 17), (17, 19), (19, 21), (23, 25), (28, 32))
"""Teeth of neighbouring cogs."""
CADENCE, LATER = 1.5, 0.03
"""Turns of the crank in a second [1/s]; when the first shift begins [s]."""
SMALL_RING_FROM = 23
"""The smaller cog from which the small chainring is used."""
TURNS = 1.7
"""Turns of the larger cog within which a shift should end, after the movement of the pulleys. [-]"""
MOST_STEPS = 3_000_000
"""Steps after which a run ends: a chain that is caught between two cogs takes ever shorter ones."""
WIDE = {
    "bicycle.cassette": [11, 13, 15, 17, 19, 21, 23, 25, 28, 32],
    "bicycle.derailleur.cage_length": "75 mm",
    "bicycle.derailleur.gap": "16 mm",
    "chain.links": None,
}
"""Return the example with another cassette, and with a derailleur that reaches its largest cog."""


class Case(NamedTuple):
    """A shift, begun at one instant [s]."""

    gear: int
    to: int
    start: float
    ring: int

    @property
    def turn(self) -> float:
        """Time of one turn of the cassette before the shift. [s]"""
        return self.gear / (self.ring * CADENCE)

    @property
    def until(self) -> float:
        """End of the run. [s]"""
        return self.start + 0.05 + TURNS * max(self.gear, self.to) / (self.ring * CADENCE)


class Outcome(NamedTuple):
    """Outcome of a shift."""

    shift: Shifting
    delay: float
    """Time from the first movement of the pulleys until the chain lies on the new cog. [s]"""
    residual: float
    """Residual of the energy balance. [-]"""


def run_of(case: Case) -> cd.Solution:
    """Return the example with that shift."""
    changes = {
        "bicycle.gear": f"{case.ring}x{case.gear}",
        "bicycle.shift.to": case.to,
        "bicycle.shift.start": case.start,
        "run.save.rate": "1 kHz",
        "run.solver.max_steps": MOST_STEPS,
    }
    return cd.simulate(cd.example("bicycle-shift").replace(changes | WIDE), until=case.until)


def outcome(case: Case) -> Outcome:
    """Run a shift and return how it ended."""
    solution = run_of(case)
    found = shifting(solution)
    print(case, solution.status.name, found, f"{solution.audit.relative_residual:.1e}", flush=True)
    return Outcome(found, found.end - case.start, solution.audit.relative_residual)


def row(case: Case, found: Outcome) -> str:
    """Return a line of the table: the outcome of a shift."""
    shift, balanced = found.shift, found.residual < OUT_OF_BALANCE
    over = shift.complete and shift.cog == case.to
    word = "complete" if over else "stays" if balanced and shift.cog == case.gear else "fails"
    cells = (
        f"{case.gear} to {case.to}",
        f"{1e3 * case.start:.0f}",
        f"{word}, rough" if over and not balanced else word,
        f"{1e3 * found.delay:.0f}" if over else "-",
        f"{np.degrees(shift.turned):.0f}" if over else "-",
        f"{shift.tension:.0f}",
        f"{found.residual:.1e}",
    )
    return f"| {' | '.join(cells)} |"


def save(figure: Figure, name: str) -> None:
    """Write a figure as a small PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DPI, format="png", bbox_inches="tight")
    Image.open(buffer).convert("RGB").quantize(COLOURS).save(PICTURES / f"bicycle-shift-{name}.png", optimize=True)


def draw(solution: cd.Solution) -> None:
    """Draw the chain at the cassette from behind, developed around the axle, at six instants; rollers on every cog."""
    drive, found = solution.drive, shifting(solution)
    time = np.asarray(solution.time)
    place, aside = solution.values("roller_position"), solution.values("roller_offset")
    hub = drive.wheels[-1]
    figure = Figure(figsize=(8.5, 5.6), layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=(2, 1))
    for instant in np.linspace(found.start - 0.03, found.end, 6):
        k = int(np.argmin(np.abs(time - instant)))
        seen = place[k] - hub.position
        near = np.hypot(*seen.T) < 0.06
        along = np.degrees(np.unwrap(np.arctan2(seen[near, 1], seen[near, 0])) % (2.0 * np.pi))
        above.plot(along, 1e3 * (aside[k, near] - hub.offset), ".-", ms=4, lw=0.8, label=f"{1e3 * time[k]:.0f} ms")
    for cog in hub.cogs:
        above.axhline(1e3 * cog.offset, color="0.7", lw=6, alpha=0.4)
    above.axhline(0.0, color="0.7", lw=6, alpha=0.4)
    above.set(xlabel="direction from the axle, counter-clockwise [deg]", ylabel="aside of the first cog [mm]")
    above.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    seated = solution.values("seated_rollers")
    cogs = [len(drive.wheels) - 1, *range(len(drive.wheels), seated.shape[1])]
    for cog, teeth in zip(cogs, found.teeth, strict=True):
        below.plot(1e3 * time, seated[:, cog], lw=1.0, label=f"{teeth} teeth")
    below.set(xlabel="time [ms]", ylabel="seated rollers [-]")
    below.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    save(figure, "course")


def of_pairs() -> list[Case]:
    """Return both shifts of every pair, at two instants half a turn apart."""
    cases = []
    for small, large in PAIRS:
        for gear, to in ((small, large), (large, small)):
            first = Case(gear, to, LATER, 34 if small >= SMALL_RING_FROM else 50)
            cases += [first, first._replace(start=LATER + 0.5 * first.turn)]
    return cases


def table(cases: list[Case], found: list[Outcome]) -> list[str]:
    """Return how shifts ended, a line for each."""
    return [
        "| cogs | begun at [ms] | | after [ms] | hub turned [deg] | largest tension [N] | energy residual |",
        "|:--|--:|:--|--:|--:|--:|--:|",
        *(row(case, each) for case, each in zip(cases, found, strict=True)),
    ]


def main() -> None:
    """Simulate, draw, and write the results into the page."""
    if "--pairs" not in sys.argv:
        draw(cd.simulate(cd.example("bicycle-shift")))
    if "--picture" in sys.argv:
        return
    cases = of_pairs()
    with get_context("spawn").Pool(PROCESSES) as pool:
        found = pool.map(outcome, cases, chunksize=1)
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), "shifting", table(cases, found)), encoding="utf-8")


if __name__ == "__main__":
    main()
