"""Measure and draw the shifts of "A bicycle": python docs/guide/bicycle_shift.py

The example bicycle-shift onto the next larger and the next smaller cog, begun at four instants of half a turn of the
cassette, over which the places repeat where both cogs fit.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
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
STARTS = np.linspace(0.0, 0.127, 4, endpoint=False)
"""Half a turn of the cassette at 90 rpm in gear 50x19. [s]"""
UNTIL, PROCESSES = 0.42, 2
COLOURS, DPI = 64, 90


class Case(NamedTuple):
    """A shift, begun at one instant."""

    to: int
    start: float


class Outcome(NamedTuple):
    """What became of it."""

    status: str
    shift: Shifting
    delay: float
    """From when the pulleys begin to move until the chain lies on the new cog. [s]"""
    residual: float
    """Of the energy balance. [-]"""


def run_of(case: Case) -> cd.Solution:
    """The example with that shift."""
    changes = {
        "bicycle.shift.to": case.to,
        "bicycle.shift.start": case.start,
        "run.save.rate": "1 kHz",
    }
    return cd.simulate(cd.example("bicycle-shift").replace(changes), until=case.start + UNTIL)


def outcome(case: Case) -> Outcome:
    """What became of a shift."""
    solution = run_of(case)
    found = shifting(solution)
    print(case, solution.status.name, found, f"{solution.audit.relative_residual:.1e}", flush=True)
    return Outcome(solution.status.name, found, found.end - case.start, solution.audit.relative_residual)


def row(to: int, found: Sequence[Outcome]) -> str:
    """A line of the table: how many shifts complete smoothly, and the range of what these took."""
    done = [each for each in found if each.shift.complete and each.shift.cog == to and each.residual < OUT_OF_BALANCE]

    stay = [each for each in found if each.shift.cog == each.shift.teeth[0] and each.residual < OUT_OF_BALANCE]

    def span(values: Sequence[float]) -> str:
        ends = dict.fromkeys(f"{each(values):.0f}" for each in (min, max)) if values else ("-",)
        return " to ".join(ends)

    cells = (
        f"19 to {to}",
        f"{len(done)} of {len(found)}",
        str(len(stay)),
        str(len(found) - len(done) - len(stay)),
        span([1e3 * each.delay for each in done]),
        span([np.degrees(each.shift.turned) for each in done]),
        span([each.shift.tension for each in done]),
        f"{max(each.residual for each in done):.1e}" if done else "-",
    )
    return f"| {' | '.join(cells)} |"


def save(figure: Figure, name: str) -> None:
    """Write a figure as a small PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DPI, format="png", bbox_inches="tight")
    Image.open(buffer).convert("RGB").quantize(COLOURS).save(PICTURES / f"bicycle-shift-{name}.png", optimize=True)


def draw(solution: cd.Solution) -> None:
    """The chain at the cassette from behind, developed around the axle, at some instants; rollers on every cog."""
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


def main() -> None:
    """Simulate, draw, and write what was measured into the page."""
    draw(cd.simulate(cd.example("bicycle-shift")))
    if "--picture" in sys.argv:
        return
    kinds = (21, 17)
    cases = [Case(to, float(start)) for to in kinds for start in STARTS]
    with get_context("spawn").Pool(PROCESSES) as pool:
        found = pool.map(outcome, cases, chunksize=1)
    lines = [
        "| cogs | complete | stay | rough | after [ms] | hub turned [deg] | largest tension [N] | energy residual |",
        "|:--|--:|--:|--:|--:|--:|--:|--:|",
    ]
    count = len(STARTS)
    lines += [row(to, found[k * count : (k + 1) * count]) for k, to in enumerate(kinds)]
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), "shifting", lines), encoding="utf-8")


if __name__ == "__main__":
    main()
