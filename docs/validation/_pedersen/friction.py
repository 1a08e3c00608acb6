"""Figures 5.12 to 5.17: the 6S90MC-C without and with friction between rollers and teeth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from _drawing import REAL, STRING, THESIS, grid, shade
from _rows import KILO, Row, below, number, table
from numpy.typing import NDArray

from _pedersen.entry import Entry
from _pedersen.gap import InGap, in_gap
from _pedersen.runs import ROLLER, Run, Runs
from _pedersen.teeth import label, stay_rows, variation
from chaindrive.physics.friction import Regularisation, regularised_sign
from chaindrive.plots.style import styled, wheel_colour

LOOP = 1.9
"""Time slightly longer than a loop of the chain, which takes 1.78 s. [s]"""
TWO_SECONDS = 2.0
WHY_SIGN = (
    "the force oscillates around zero only at the beginning of a passage; then the roller creeps in one direction, "
    "from the flank where it enters over the seat to the flank where it leaves (Figure 5.12), and the friction keeps "
    "its sign."
)
PAIR = (("bare", "without friction"), ("friction", "friction 0.1"))
AXIS = 45.0
"""End of the axes of Figure 5.16. [kN]"""


def entries(runs: Runs) -> list[Entry]:
    """Figures 5.12 to 5.17."""
    close = look(runs["s90-path-friction"])
    return [path(look(runs["s90-path-bare"]), close), slip(runs["s90-friction"], close),
            friction_force(runs["s90-friction"], close), normalised(close), contact_force(runs),
            link_force(runs)]  # fmt: skip


class Look(NamedTuple):
    """Data of one roller during one loop of the chain. Shapes (rows,)."""

    run: Run
    rows: slice
    time: NDArray[np.float64]
    """Time from the beginning of the revolution. [s]"""
    body: NDArray[np.float64]
    """Sprocket that touches the roller, -1 for none."""
    seen: InGap


def look(run: Run) -> Look:
    """Follow a roller through its tooth gaps."""
    rows, time = run.loop(LOOP)
    return Look(run, rows, time, run.contact_surface[rows, ROLLER], in_gap(run, ROLLER, rows))


def path(bare: Look, with_friction: Look) -> Entry:
    lengths = [{w: _wandering(at.seen, at.body == w) for w in range(4)} for at in (bare, with_friction)]
    rows_of = tuple(
        below(f"length of the path on sprocket {w + 1}, with friction divided by without", "shown as a curve",
              lengths[1][w] / lengths[0][w], 1.0)
        for w in range(4)
    )  # fmt: skip
    remark = (
        "The picture shows the roller relative to its tooth gap during the loop of the chain shown in Figures "
        f"5.13 to 5.15, at 5 kHz. The roller enters high on one flank, settles in the seat and leaves over the other "
        f"flank; friction shortens its path (on sprocket 1, {lengths[0][0] * KILO:.1f} mm without and "
        f"{lengths[1][0] * KILO:.1f} mm with friction)."
    )
    words = "the path of the roller's centre during contact with a sprocket is shown without comment."
    return Entry("5.12", "path of a roller's centre in its tooth gap, 6S90MC-C", words, rows_of, remark,
                 _draw_path(bare, with_friction))  # fmt: skip


def _wandering(found: InGap, chosen: np.ndarray) -> float:
    """Length of the path of the roller's centre while the roller touches a wheel. [m]"""
    steps = np.hypot(np.diff(found.along), np.diff(found.height))
    both = chosen[1:] & chosen[:-1]
    return float(np.nansum(steps[both]))


@styled
def _draw_path(bare: Look, with_friction: Look):
    figure, axes_of = grid(1, 2, 9.5, 3.6, sharex=True, sharey=True)
    for axes, at, (_, words) in zip(axes_of[0], (bare, with_friction), PAIR, strict=True):
        for wheel in range(4):
            along, height = (np.where(at.body == wheel, x, np.nan) * KILO for x in (at.seen.along, at.seen.height))
            axes.plot(along, height, lw=0.6,
                      color=wheel_colour(wheel), label=f"sprocket {wheel + 1}")  # fmt: skip
        axes.set(xlabel="across the gap [mm]", title=words)
    axes_of[0, 0].set_ylabel("above the pitch circle [mm]")
    axes_of[0, 0].legend()
    return figure


def slip(run: Run, close: Look) -> Entry:
    table_ = ((0, "8.75 … 9.20 s"), (1, "9.48 … 9.57 s"), (2, "9.65 … 9.85 s"), (3, "8.25 … 8.34 s"))
    found = stay_rows(run, table_, "")
    tooth = KILO / run.tooth
    for wheel, late in ((0, 0.50), (1, 1.23), (2, 1.40)):
        found.append(Row(f"time from entering sprocket 4 to entering sprocket {wheel + 1}", f"{late:.2f} s",
              f"{late:.2f} s",
                         run.stays.lag[wheel] * KILO, late * KILO, tooth + 10.0, "ms",
                         "one tooth, and 10 ms for reading the figure", gate=True))  # fmt: skip
    for wheel in range(4):
        part = close.seen.slip[close.body == wheel]
        share = abs(float(np.nanmean(part))) / float(np.sqrt(np.nanmean(part**2)))
        found.append(below(f"sprocket {wheel + 1}: mean of the speed divided by its root mean square",
                           "“oscillates around zero”", share, 0.5, gate=True))  # fmt: skip
    penetration = close.run.values("contact_penetration")[close.rows, ROLLER]
    error = float(np.nanmax(np.abs(close.seen.penetration - penetration)))
    remark = (
        "There is no channel for the speed, so it is computed from positions, velocities and the tooth form; the "
        f"penetration obtained in the same way equals that of the run to within {error:.0e} m."
    )
    words = (
        "during two seconds the roller is on sprocket 4 from 8.25 to 8.34 s, on 1 from 8.75 to 9.2 s, on 2 from 9.48 "
        "to 9.57 s and on 3 from 9.65 to 9.85 s; the speed oscillates around zero during the contact."
    )
    title = "tangential speed of a roller relative to the tooth, friction 0.1"
    return Entry("5.13", title, words, tuple(found), remark,
                 _draw_history(close, close.seen.slip, "tangential speed [m/s]"))  # fmt: skip


@styled
def _draw_history(at: Look, values: np.ndarray, words: str):
    figure, axes_of = grid(1, 1, 8.5, 3.0)
    axes, time = axes_of[0, 0], at.time
    shade(axes, time, at.body, bridge=300)
    axes.plot(time, values, color=REAL, lw=0.7)
    axes.axhline(0.0, color=STRING, lw=0.8)
    axes.set(xlabel=f"time [s]   (roller {ROLLER}; shaded: touches sprocket 1 to 4)", ylabel=words, xlim=(0, time[-1]))
    return figure


def friction_force(run: Run, close: Look) -> Entry:
    force = close.run.values("friction_force")[close.rows, ROLLER]
    whole_body, whole = run.contact_surface, run.values("friction_force")
    found = []
    for wheel in range(4):
        part = whole[whole_body == wheel]
        found.append(below(f"sprocket {wheel + 1}: mean of the friction force divided by its root mean square, "
                           "all rollers",
                           "“oscillates around zero”", abs(float(part.mean())) / float(np.sqrt((part**2).mean())), 0.5,
                           why=WHY_SIGN))  # fmt: skip
    remark = "The normal points out of the tooth; friction to the left of the normal is positive."
    words = "the friction force oscillates around zero during the contact, as the tangential speed does."
    return Entry("5.14", "friction force on a roller, friction 0.1", words, tuple(found), remark,
                 _draw_history(close, force / KILO, "friction force [kN]"))  # fmt: skip


def normalised(close: Look) -> Entry:
    force = close.run.contact_force[close.rows, ROLLER]
    friction = close.run.values("friction_force")[close.rows, ROLLER]
    pressed = (force > 1.0) & np.isfinite(close.seen.slip)
    ratio, speed = friction[pressed] / force[pressed], close.seen.slip[pressed]
    options = close.run.drive.run.formulation
    kind = int(Regularisation.named(options.friction_regularisation))
    law = np.array([-0.1 * regularised_sign(kind, float(v), options.friction_speed, options.friction_sharpness)
                    for v in speed])  # fmt: skip
    scale = options.friction_speed * options.friction_sharpness
    steep = float(np.mean(np.abs(speed) < 3.0 * scale))
    found = (below("largest distance from −μ tanh(v/(v* ε)), Eq. 3.98", "the law of the thesis",
                   float(np.abs(ratio - law).max()), 0.005, gate=True),)  # fmt: skip
    remark = (
        f"In {100 * steep:.0f} % of the instants the speed is within three times v* ε = {scale * KILO:g} mm/s, where "
        f"the force changes sign, so the smoothed form does matter. Results are stored with seven digits. An error "
        f"of 0.2 µm in the position rotates the normal in the seat, whose centre is 0.22 mm away, by a thousandth; "
        f"with a normal speed of a few cm/s this shifts a point by a few hundredths of v* ε. Therefore the bound is "
        f"5 % of μ."
    )
    words = (
        "the friction force changes direction at small values of the tangential speed, so that the approximation of "
        "the signum function is important."
    )
    return Entry("5.15", "friction force over normal force against tangential speed", words, found, remark,
                 _draw_law(speed, ratio, scale))  # fmt: skip


@styled
def _draw_law(speed: np.ndarray, ratio: np.ndarray, scale: float):
    figure, axes_of = grid(1, 2, 9.5, 3.2, sharey=True)
    line = np.linspace(-0.05, 0.05, 4001)
    for axes, span in zip(axes_of[0], (0.05, 8.0 * scale), strict=True):
        axes.plot(line * KILO, -0.1 * np.tanh(line / scale), color=THESIS, lw=0.9, label="Eq. 3.98")
        axes.plot(speed * KILO, ratio, ".", ms=3, color=REAL, label="one roller over two seconds")
        axes.set(xlabel="tangential speed [mm/s]", xlim=(-span * KILO, span * KILO))
    axes_of[0, 0].set_ylabel("friction / normal force [1]")
    axes_of[0, 0].legend()
    return figure


def contact_force(runs: Runs) -> Entry:
    lines, change = [], {}
    for key, words in PAIR:
        run = runs[f"s90-{key}"]
        force = run.contact_force
        change[key] = float(np.sqrt(np.mean(np.diff(force, axis=0)[run.contact_surface[1:] >= 0] ** 2)))
        lines.append([words, number(force.max() / KILO), number(float(np.percentile(force.max(axis=0), 50)) / KILO),
                      number(change[key] / KILO)])  # fmt: skip
    one = {key: float(runs[f"s90-{key}"].contact_force[-2000:, ROLLER].max()) / KILO for key, _ in PAIR}
    rows = (
        below("change of the contact force within a millisecond, with friction divided by without",
              "“smoothing effect”", change["friction"] / change["bare"], 1.0, gate=True),
        *(below(f"largest force on one roller in 2 s, {words}", "below 45 kN (end of the axis)", one[key], AXIS, "kN",
                why="the roller and the loop of the chain differ from those in the figure, and impact forces "
                "scatter.") for key, words in PAIR),
    )  # fmt: skip
    remark = "Over all rollers and 20 s:\n\n" + table(
        ["run", "largest contact force [kN]", "median of the rollers' largest [kN]", "rms change per ms [kN]"], lines
    )
    words = "friction has a smoothing effect on the contact force. The axes end at 45 kN."
    return Entry("5.16", "contact force on a roller without and with friction", words, rows, remark,
                 _draw_pair(runs, "contact_force", "contact force [kN]"))  # fmt: skip


def link_force(runs: Runs) -> Entry:
    rough = {key: variation(runs[f"s90-{key}"]).overall for key, _ in PAIR}
    rows = (below("roughness of the link force, with friction divided by without", "“smoothing effect”",
                  rough["friction"] / rough["bare"], 1.0, gate=True),)  # fmt: skip
    remark = (
        f"The roughness, defined as for Figure 5.2, is {rough['bare'] / KILO:.1f} kN without and "
        f"{rough['friction'] / KILO:.1f} kN with friction, over all links and 20 s. The mean tension of segment 1 is "
        f"{runs['s90-bare'].mean[0] / KILO:.1f} and {runs['s90-friction'].mean[0] / KILO:.1f} kN."
    )
    words = (
        "friction has a smoothing effect on the link force, as is to be expected since the contact force is smoother."
    )
    return Entry("5.17", "link force without and with friction", words, rows, remark,
                 _draw_pair(runs, "link_tension", "link force [kN]"))  # fmt: skip


@styled
def _draw_pair(runs: Runs, channel: str, words: str):
    figure, axes_of = grid(2, 1, 8.5, 4.8, sharex=True, sharey=True)
    for axes, (key, name) in zip(axes_of[:, 0], PAIR, strict=True):
        run = runs[f"s90-{key}"]
        rows, time = run.loop(TWO_SECONDS)
        shade(axes, time, run.contact_surface[rows, ROLLER])
        axes.plot(time, run.values(channel)[rows, ROLLER] / KILO, color=REAL, lw=0.8)
        axes.set(ylabel=words, xlim=(0, time[-1]), ylim=(0, None))
        label(axes, name)
    axes_of[-1, 0].set_xlabel(f"time [s]   (roller {ROLLER}; shaded: touches sprocket 1 to 4)")
    return figure
