"""Rigid contacts with dry friction and impacts, compared with analytical solutions and published numbers.

    python docs/validation/nonsmooth.py [--write]

``--write`` makes ``nonsmooth.md`` and its picture in this folder; it takes half a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _drawing import REAL, THESIS, grid, save
from _made import made
from _nonsmooth_rows import ROWS, Row
from _nonsmooth_systems import WOODPECKER_START, woodpecker
from _writing import main_of

from chaindrive.solvers.nonsmooth import EventDriven, TimeStepping
from chaindrive.solvers.nonsmooth.event_driven import Motion

HERE = Path(__file__).parent
PAGE, PICTURE = HERE / "nonsmooth.md", HERE / "pictures" / "woodpecker.png"
UNTIL, ROWS_IN_A_SECOND, CYCLES = 3.0, 10_000, 4
"""Simulated time of the woodpecker [s], rows per second, and number of cycles at its end that are evaluated."""
STEP = 1e-6
"""Step of the run by Moreau-Jean for comparison. [s]"""


class Cycle(NamedTuple):
    """The limit cycle of the woodpecker."""

    period: float
    """[s]"""
    drop: float
    """Drop per cycle. [m]"""
    lowest: float
    """Minimum of the angle of the bird. [rad]"""
    highest: float


def descends() -> Motion:
    """Simulate the woodpecker on its way down the pole."""
    times = np.linspace(0.0, UNTIL, round(UNTIL * ROWS_IN_A_SECOND) + 1)
    return EventDriven(woodpecker()).run(*WOODPECKER_START, times)


def cycle_of(time: np.ndarray, position: np.ndarray) -> Cycle:
    """The limit cycle: mean period and drop between the last upward zeros of the bird's angle (interpolated linearly
    between rows), and the range of this angle.
    """
    angle, height = position[:, 2], position[:, 0]
    ups = np.flatnonzero((angle[:-1] < 0.0) & (angle[1:] >= 0.0))[-CYCLES - 1 :]
    part = -angle[ups] / (angle[ups + 1] - angle[ups])
    at, place = time[ups] + part * (time[ups + 1] - time[ups]), height[ups] + part * (height[ups + 1] - height[ups])
    last = angle[ups[0] :]
    return Cycle(
        float(at[-1] - at[0]) / CYCLES, float(place[0] - place[-1]) / CYCLES, float(last.min()), float(last.max())
    )


def draw(motion: Motion) -> None:
    """Draw angular speed versus angle of bird and sleeve in the limit cycle, and the descent."""
    figure, ((bird, sleeve, way),) = grid(1, 3, 11.0, 3.6)
    settled = motion.time > UNTIL - 4.0 * 0.146
    for axes, which, name in ((bird, 2, "bird"), (sleeve, 1, "sleeve")):
        axes.plot(motion.position[settled, which], motion.velocity[settled, which], color=REAL, lw=1.2)
        axes.set(xlabel=f"angle of the {name} [rad]", ylabel="angular speed [rad/s]", title=name.capitalize())
    begin = motion.time <= 0.6
    way.plot(motion.time[begin], 1e3 * motion.position[begin, 0], color=REAL, lw=1.2)
    for event in motion.events:
        if event.kind == "impact" and event.time <= 0.6:
            way.axvline(event.time, color=THESIS, lw=0.5)
    way.set(xlabel="time [s]", ylabel="height [mm]", title="Way down, impacts")
    save(figure, PICTURE)


def page(rows: Sequence[Row], motion: Motion, stepped: Cycle) -> str:
    """The page, in Markdown."""
    lines = [
        f"| {row.problem} | {row.quantity} | {row.method} | {row.wanted:.8g}{_unit(row)} | {row.found:.8g} | "
        f"{row.found - row.wanted:.1e} | {row.tolerance:.1e}{'' if row.kept else ' **missed**'} |"
        for row in rows
    ]
    cycle = cycle_of(motion.time, motion.position)
    impacts = sum(event.kind == "impact" for event in motion.events)
    table = "\n".join(lines)
    return f"""# Rigid contacts: dry friction and impacts

This page is written by `python docs/validation/nonsmooth.py --write`; it was {made()}.

This page tests contacts without stiffness, solved by complementarity ([decision
13](../decisions/0013-rigid-contacts.md)), on small systems whose motion is known, with each of the three
integrators. Every row is asserted by `tests/verification/test_rigid_contacts.py` within the tolerance in the last
column, for which the script gives the reasons.

| problem | quantity | method | known value | ours | difference | tolerance |
|:--|:--|:--|--:|--:|--:|--:|
{table}

- *Coulomb oscillator*: m = k = µN = 1, initial position 12 m, initial velocity 6 m/s; steps of 1 ms. *Stick-slip on a
  belt*: static friction 0.5, sliding friction 0.3, speed of the belt 0.1 m/s; steps of 1 ms. The closed forms are in
  the docstrings of
  [`_nonsmooth_rows.py`](_nonsmooth_rows.py).
- *Cradle*: the result of several simultaneous impacts is a property of the law, not of the balls. With both laws the
  three balls separate at -1/3, 2/3 and 2/3 of the initial speed if they touch; if there are gaps, however small, the
  impacts follow one another.
- *Rocking block*: Housner (1963); the time is his formula for small angles, and the remaining speed is exact.
- *Painleve's rod* jams at the tilt at which its inverse inertia with friction is zero.
- *Woodpecker*: the known values are those in `Woodpecker.ref` of siconos-tutorials, by Moreau-Jean with steps of 20 µs.
  This step causes an error of 0.001 rad: our Moreau-Jean with the same step differs by less, and the run with located
  events differs by this amount.
- *Random contact problems* are solved in the forms with n + 2m and n + 4m unknowns; the known numbers of pivots are
  those of a prototype.
- *Energy gained*: relative to the kinetic energy before the impact. Newton's law with friction, and Poisson's law with
  several restitutions, can increase the energy; such an impact is computed again with a law that does not.
- *Order of convergence*: for a free oscillator, for a particle that slides in a bowl with friction, and for a ball
  after an impact. For the ball it is that of the RMS of the error over 16 steps, because this error depends on the
  instant of the impact within a step.

## The woodpecker's limit cycle

| | event-driven | Moreau-Jean, {STEP * 1e6:g} µs | prototype |
|:--|--:|--:|--:|
| period [s] | {cycle.period:.5f} | {stepped.period:.5f} | 0.1460 |
| drop in a cycle [mm] | {cycle.drop * 1e3:.3f} | {stepped.drop * 1e3:.3f} | 19.5 |
| lowest angle of the bird [rad] | {cycle.lowest:.4f} | {stepped.lowest:.4f} | -0.530 |
| highest angle of the bird [rad] | {cycle.highest:.4f} | {stepped.highest:.4f} | 0.120 |

This is Glocker's toy with the data of the Siconos example. The run takes {UNTIL:g} s and has {len(motion.events)}
located changes of contact, of which {impacts} are impacts; the table covers the last {CYCLES} cycles.

![Limit cycles of bird and sleeve, and the descent](pictures/woodpecker.png)

*Left and middle: angular speed versus angle in the last four cycles. Right: height of the sleeve in the first 0.6 s,
with impacts in orange.*
"""


def _unit(row: Row) -> str:
    return "" if row.unit == "-" else f" {row.unit}"


def made_page(write: bool) -> str:
    """The whole page. write: also makes the picture."""
    rows = [row for make in ROWS for row in make()]
    motion = descends()
    steps = TimeStepping(woodpecker(), step=STEP).run(
        *WOODPECKER_START, UNTIL, every=round(1.0 / STEP / ROWS_IN_A_SECOND)
    )
    if write:
        draw(motion)
    return page(rows, motion, cycle_of(steps.time, steps.position))


if __name__ == "__main__":
    main_of(__doc__, PAGE, made_page)
