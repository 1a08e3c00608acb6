"""Figures 5.52 and 5.53: resonance of the 6S90MC-C versus the angle of the tightener and versus speed, by study
files.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _drawing import THESIS, grid
from _rows import Row, below, number
from numpy.typing import NDArray

from _pedersen.entry import Entry
from chaindrive.model.study.files import study_path
from chaindrive.plots.style import styled, wheel_colour
from chaindrive.studies import run_study

ANGLE, SPEED = "6s90mc-c-tightener-angle", "6s90mc-c-speed"
RATED = 76.0
"""[rpm]"""
GUESS = (
    "the runs have no friction and no joint damping, so that they are chaotic, and the amplitude of the crank is a "
    "guess."
)
MIDDLE = (
    "The middle of a peak is the middle of the range in which the force exceeds nine tenths of its highest value. "
    "The thesis does not give the height of the peaks."
)


class Curve(NamedTuple):
    """One curve of a study."""

    at: NDArray[np.float64]
    """Abscissa: angle [deg] or speed [rpm]."""
    force: NDArray[np.float64]
    """Largest force in one link divided by the breaking load of 2002 kN; not-a-number if a run ended early."""

    @property
    def peak(self) -> float:
        """Abscissa of the largest force."""
        return float(self.at[np.nanargmax(self.force)])

    @property
    def centre(self) -> float:
        """Middle of the range around the peak in which the force exceeds nine tenths of the peak."""
        high = self.force >= 0.9 * np.nanmax(self.force)
        k = int(np.nanargmax(self.force))
        first = last = k
        while first > 0 and high[first - 1]:
            first -= 1
        while last + 1 < len(high) and high[last + 1]:
            last += 1
        return float(0.5 * (self.at[first] + self.at[last]))


def sweep(name: str, folder: Path, processes: int) -> dict[str, Curve]:
    """Run a study of the package, whose rows stay in the folder, and return its curves by name."""
    results = run_study(study_path(name), output=folder / name, workers=processes)
    curves = {}
    for curve in results.study.curves:
        rows = [row for row in results.rows if row.curve == curve.name]
        rows.sort(key=lambda row: row.parameters[0])
        curves[curve.name] = Curve(np.array([row.parameters[0] for row in rows], dtype=float),
                                   np.array([row.figures[0] for row in rows], dtype=float))  # fmt: skip
    return curves


def entries(studies: Mapping[str, Mapping[str, Curve]]) -> list[Entry]:
    """Figures 5.52 and 5.53."""
    return [over_angle(studies[ANGLE]), over_speed(studies[SPEED])]


def over_angle(curves: Mapping[str, Curve]) -> Entry:
    steady, *oscillating = curves.values()
    names = list(curves)[1:]
    rows = [
        Row(f"{name}: middle of the peak", "“around 155 degrees”", "155°", curve.centre, 155.0, 1.0, "°",
            "two steps of the sweep", gate=True, why=GUESS)
        for name, curve in zip(names, oscillating, strict=True)
    ]  # fmt: skip
    rows.append(below("constant speed: force at 161° divided by that at 152°",
                      "the pre-tension decreases with the angle", float(steady.force[-1] / steady.force[0]), 1.0,
                      gate=True))  # fmt: skip
    rows.append(below("largest at constant divided by largest at oscillating speed", "the solid line lies below",
                      float(np.nanmax(steady.force) / max(np.nanmax(c.force) for c in oscillating)), 1.0,
                      gate=True))  # fmt: skip
    words = (
        "largest force in a link versus the angle of the tightener, 152° to 161°, at constant speed and at "
        "oscillating speed with three kinds of start; there is a resonance peak around 155°."
    )
    remark = f"Highest values divided by the breaking load: {_highest(curves)}. {MIDDLE}"
    return Entry("5.52", "largest link force versus the angle of the tightener", words, tuple(rows), remark,
                 _draw(curves, "angle of the tightener [°]", 155.0))  # fmt: skip


def over_speed(curves: Mapping[str, Curve]) -> Entry:
    in_percent = {name: Curve(100.0 * curve.at / RATED, curve.force) for name, curve in curves.items()}
    steady, engine, pure = in_percent.values()
    rows = (
        _peak("oscillating", engine),
        _peak("pure sixth order", pure),
        Row("distance between the two peaks", "“triggered by the 6th order”", "0", abs(engine.centre - pure.centre),
            0.0, 5.3, "%", "two steps of 2 rpm", gate=True, why=GUESS),
        below("largest at constant divided by largest at oscillating speed", "no such peak at constant speed",
              float(np.nanmax(steady.force) / np.nanmax(engine.force)), 0.5, gate=True),
    )  # fmt: skip
    words = (
        "largest force in a link versus the speed, 32 to 90 rpm: there is a resonance peak around 98 % of 76 rpm, "
        "for the oscillating velocity and for a pure sixth order, which therefore triggers it; there is none at "
        "constant speed."
    )
    remark = f"Highest values divided by the breaking load: {_highest(in_percent)}. {MIDDLE}"
    return Entry("5.53", "largest link force versus the speed", words, rows, remark,
                 _draw(in_percent, "speed [% of 76 rpm]", 98.0))  # fmt: skip


def _peak(name: str, curve: Curve) -> Row:
    """Row for the position of the maximum of a curve versus speed."""
    reason = "two steps of 2 rpm, and reading the figure"
    return Row(f"{name}: middle of the peak, in % of 76 rpm", "“around 98 %”", "98 %", curve.centre, 98.0, 6.0, "%",
               reason, gate=True, why=GUESS)  # fmt: skip


def _highest(curves: Mapping[str, Curve]) -> str:
    return ", ".join(f"{name} {number(float(np.nanmax(c.force)))} at {c.peak:.4g}" for name, c in curves.items())


@styled
def _draw(curves: Mapping[str, Curve], words: str, thesis: float):
    figure, axes_of = grid(1, 1, 8.5, 4.0)
    axes = axes_of[0, 0]
    for k, (name, curve) in enumerate(curves.items()):
        axes.plot(curve.at, curve.force, marker="osD^"[k], ms=3.5, lw=1.0, color=wheel_colour(k), label=name)
    axes.axvline(thesis, color=THESIS, lw=0.9, ls="--", label="peak of the thesis")
    axes.set(xlabel=words, ylabel="largest link force / 2002 kN", ylim=(0, None),
             xlim=(float(curve.at.min()), float(curve.at.max())))  # fmt: skip
    axes.legend()
    return figure
