"""Figures 5.18 and 5.19: four coefficients of restitution on the 6S90MC-C."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from _drawing import REAL, grid
from _rows import KILO, Row, below, number, table

from _pedersen.cases import RESTITUTIONS
from _pedersen.entry import Entry
from _pedersen.runs import ROLLER, Run, Runs
from chaindrive.plots.style import styled, wheel_colour

SHOWN = 3
"""The sprocket shown. The thesis does not state which one it shows; its two seconds begin on sprocket 4."""
BEGINNING = 0.07
"""Length of the examined beginning of a passage; a roller is on sprocket 4 for 80 ms. [s]"""
ACHIEVED = {1.0: 1.0, 0.9: 0.913, 0.8: 0.847, 0.0: 0.663}
"""Restitution that the law of Eq. 3.47 actually achieves (by the first integral of a free impact)."""


class Settled(NamedTuple):
    """Results for all passages over one sprocket."""

    mean: float
    """Mean contact force. [N]"""
    swing: float
    """Root mean square of the force about the mean curve of all passages. [N]"""
    lost: float
    """Number of contacts lost per passage."""
    largest: tuple[float, float]
    """Largest force in a passage: median and ninety-fifth percentile over the passages. [N]"""


def settled(run: Run, wheel: int) -> Settled:
    """Evaluate the beginning of every passage over a sprocket."""
    rows, pause = round(BEGINNING * run.case.rate), round(0.3 * run.case.rate)
    force, body = run.contact_force, run.contact_surface
    parts = []
    for roller in range(force.shape[1]):
        on = body[:, roller] == wheel
        for k in np.flatnonzero(on[1:] & ~on[:-1]) + 1:
            if k >= pause and k + rows <= len(on) and not on[k - pause : k].any():
                parts.append(force[k : k + rows, roller])
    stays = np.array(parts)
    apart = (stays[:, 1:] == 0.0) & (stays[:, :-1] > 0.0)
    largest = np.percentile(stays.max(axis=1), [50, 95])
    return Settled(float(stays.mean()), float((stays - stays.mean(axis=0)).std()), float(apart.sum(axis=1).mean()),
                   (float(largest[0]), float(largest[1])))  # fmt: skip


def entries(runs: Runs) -> list[Entry]:
    """Figures 5.18 and 5.19."""
    found = {(e, w): settled(runs[f"s90-restitution-{e:g}"], w) for e in RESTITUTIONS for w in range(4)}
    shown = {e: found[e, SHOWN] for e in RESTITUTIONS}
    return [loops(runs, found), history(runs, shown)]


def loops(runs: Runs, found: dict[tuple[float, int], Settled]) -> Entry:
    rows = tuple(
        below(f"sprocket {w + 1}: mean contact force with 0.8 divided by that with 0, minus 1", "“difference … is "
        "minimal”",
              abs(found[0.8, w].mean / found[0.0, w].mean - 1.0), 0.1, gate=True)
        for w in range(4)
    )  # fmt: skip
    lines = []
    for e in RESTITUTIONS:
        run = runs[f"s90-restitution-{e:g}"]
        for w in range(4):
            part = found[e, w]
            lines.append([f"{e:g}, sprocket {w + 1}", f"{ACHIEVED[e]:.2f}", number(run.mean[0] / KILO),
                          number(part.mean / KILO), number(part.swing / KILO), number(part.lost, 2),
                          *(number(x / KILO) for x in part.largest)])  # fmt: skip
    remark = (
        f"The table covers the first {BEGINNING * KILO:.0f} ms of all passages of rollers over a sprocket within two "
        f"seconds:\n\n"
        + table(["restitution in the law", "achieved by Eq. 3.47", "mean tension of segment 1 [kN]",
                 "mean contact force [kN]", "rms fluctuation of the force [kN]", "contacts lost per passage",
                 "largest in a passage: median [kN]", "95 % [kN]"], lines)
        + "\n\nA value of 0 in the law achieves 0.66, and 0.8 achieves 0.85, so the results differ little."
    )  # fmt: skip
    words = (
        "the contact force as a function of the indentation for e = 1, 0.9, 0.8 and 0; the difference between 0.8 and "
        "0 is minimal."
    )
    return Entry("5.18", "contact force against penetration for four coefficients of restitution", words, rows, remark,
                 _draw_loops(runs))  # fmt: skip


@styled
def _draw_loops(runs: Runs):
    figure, axes_of = grid(1, 4, 11.0, 3.1, sharex=True, sharey=True)
    for axes, e in zip(axes_of[0], RESTITUTIONS, strict=True):
        run = runs[f"s90-restitution-{e:g}"]
        rows, _ = run.loop(0.16, wheel=SHOWN)
        on = run.contact_surface[rows, ROLLER] == SHOWN
        depth = np.where(on, run.values("contact_penetration")[rows, ROLLER], np.nan)
        axes.plot(depth * KILO, run.contact_force[rows, ROLLER] / KILO, color=REAL, lw=0.7)
        axes.set(xlabel="penetration [mm]", title=f"restitution {e:g}", xlim=(0, None), ylim=(0, None))
    axes_of[0, 0].set_ylabel("contact force [kN]")
    return figure


def history(runs: Runs, found: dict[float, Settled]) -> Entry:
    rows = [
        Row("restitution 1: largest force in a passage, median of the passages", "bounces to ≈ 100 kN", "50 to 200 kN",
            found[1.0].largest[0] / KILO, 125.0, 75.0, "kN", "factor 2: the figure shows one passage", gate=True),
        Row("restitution 1: the same, 95 %", "bounces to ≈ 100 kN", "50 to 200 kN",
            found[1.0].largest[1] / KILO, 125.0, 75.0, "kN", "factor 2: the figure shows one passage", gate=True),
        below("restitution 1: 1 divided by the contacts lost per passage", "“bounces back and forth between zero …”",
              1.0 / max(found[1.0].lost, 1e-9), 1.0, gate=True),
    ]  # fmt: skip
    for e in (0.9, 0.8, 0.0):
        rows.append(Row(f"mean contact force, restitution {e:g}", "around 15 kN", "15 kN", found[e].mean / KILO, 15.0,
                        5.0, "kN", "a third: read from a figure that does not name the sprocket",
                              gate=True))  # fmt: skip
    rows += [
        below("restitution 0: contacts lost per passage", "“does not get in and out of contact”", found[0.0].lost, 1.0,
              gate=True),
        below("contacts lost per passage, restitution 0 divided by 0.9", "fewer", found[0.0].lost / found[0.9].lost,
              1.0,
              gate=True),
        below("fluctuation of the force, restitution 0 divided by 0.9", "“high frequency content is damped out”",
              found[0.0].swing / found[0.9].swing, 1.0, gate=True),
    ]  # fmt: skip
    words = (
        "with e = 1 the force bounces between zero and approximately 100 kN; with 0.9, 0.8 and 0 it is similar, "
        "around 15 kN; with 0 the high frequencies are damped out and the roller does not get in and out of contact "
        "at the beginning."
    )
    remark = (
        "The thesis does not say which sprocket it shows. These numbers are for sprocket 4, with which the two "
        "seconds of Figures 5.13 to 5.17 begin; the table below Figure 5.18 covers all four. Rows are stored at 5 "
        "kHz; the drive has friction 0.1 and no joint damping, as in Figure 5.17."
    )
    return Entry("5.19", "contact force against time for four coefficients of restitution", words, tuple(rows), remark,
                 _draw_history(runs))  # fmt: skip


@styled
def _draw_history(runs: Runs):
    figure, axes_of = grid(2, 1, 8.5, 5.0, sharex=True)
    for number_, e in enumerate(RESTITUTIONS):
        run = runs[f"s90-restitution-{e:g}"]
        rows, time = run.loop(0.16, wheel=SHOWN)
        axes = axes_of[0, 0] if e == 1.0 else axes_of[1, 0]
        axes.plot(time * KILO, run.contact_force[rows, ROLLER] / KILO, lw=0.9, label=f"restitution {e:g}",
                  color=REAL if e in (0.0, 1.0) else wheel_colour(number_))  # fmt: skip
    for axes in axes_of[:, 0]:
        axes.set(ylabel="contact force [kN]", xlim=(40, time[-1] * KILO), ylim=(0, None))
        axes.legend(loc="upper right")
    axes_of[1, 0].set_xlabel(f"time [ms]   (roller {ROLLER} meets sprocket {SHOWN + 1})")
    return figure
