"""Numbers that a user sees after a run, compared with those from densely stored rows of the same run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.analyses.results.verdict import verdict
from chaindrive.mechanism.facts import turning_signs
from chaindrive.model import Drive
from chaindrive.results.solution import Solution

FloatArray = NDArray[np.float64]

DENSE = 100_000.0
"""Rows per second of the run used for comparison. [Hz]"""
CHANNELS = (
    "link_tension", "span_tension", "contact_force", "contact_surface", "bearing_force", "guide_force",
    "tensioner_force", "roller_position", "wheel_position", "wheel_speed", "span_displacement",
)  # fmt: skip
PEAKS = {
    "link_tension": "link_tension_max",
    "span_tension": "span_tension_max",
    "contact_force": "tooth_force_max",
    "bearing_force": "bearing_force_max",
    "guide_force": "guide_force_max",
    "tensioner_force": "tensioner_force_max",
}
"""Channels of forces, and the channels that keep their largest values over all steps."""
INSTANTS = 20
"""Number of instants at which positions of rollers are examined."""


LEAST = 0.02
"""Permitted shortfall of a kept extreme relative to dense rows; it is not zero, because steps are finite, too. [-]"""
EXACT = 1e-3
"""Permitted difference of numbers that do not depend on rows. [-]"""


class Seen(NamedTuple):
    """A number that a user sees, and the same number from dense rows."""

    what: str
    shown: float
    dense: float
    extreme: bool = False
    """Whether the number is a maximum, which no rows give exactly."""
    of_rows: float = math.nan
    """The number from the stored rows alone; nan if this is the number shown."""

    @property
    def off(self) -> float:
        """Relative difference of the number shown."""
        return abs(self.shown - self.dense) / max(abs(self.dense), 1e-300)

    @property
    def too_low(self) -> float:
        """Shortfall of the extreme shown, relative to the dense rows."""
        return max(0.0, (self.dense - self.shown) / max(abs(self.dense), 1e-300)) if self.extreme else 0.0

    @property
    def fault(self) -> bool:
        """Whether the difference is larger than rows and steps can explain."""
        return self.too_low > LEAST if self.extreme else self.off > EXACT


def seen(drive: Drive) -> list[Seen]:
    """All compared numbers, from a run of this drive as defined by its file and from a run with dense rows."""
    shown = cd.simulate(drive, progress=False)
    channels = tuple(name for name in CHANNELS if name in shown)
    save = cd.SaveOptions(rate=DENSE, channels=channels, precision="double")
    dense = cd.simulate(drive, save=save, progress=False)
    if shown.status != dense.status:
        return [Seen("ending", float(shown.time[-1]), float(dense.time[-1]))]
    return [*_peaks(shown, dense), *_verdict(shown, dense), *_displacements(dense), *_works(shown, dense)]


def sizes(solution: Solution, name: str) -> FloatArray:
    """Magnitudes of a force on each part, shape (rows, parts). [N]"""
    values = np.asarray(solution.values(name), dtype=np.float64)
    return np.hypot(values[..., 0], values[..., 1]) if values.ndim == 3 else values


def on_teeth(solution: Solution) -> FloatArray:
    """Forces between rollers and teeth, shape (rows, rollers); 0 for a roller that touches none. [N]"""
    surface = np.asarray(solution.values("contact_surface"))
    touching = (surface >= 0) & (surface < len(solution.drive.wheels))
    return np.where(touching, np.abs(sizes(solution, "contact_force")), 0.0)


def _peaks(shown: Solution, dense: Solution) -> Iterator[Seen]:
    """Largest forces in the whole run: as kept over all steps, and from dense rows."""
    for name, kept in PEAKS.items():
        if kept in shown and shown.channel(kept).size and name in dense:
            read = on_teeth if name == "contact_force" else (lambda run, name=name: sizes(run, name))
            largest = _largest(read(dense)[dense.time <= shown.time[-1]])  # kept are those up to the last row
            yield Seen(f"largest {name}", _largest(shown.values(kept)), largest, True, _largest(read(shown)))


def _largest(values: NDArray[Any]) -> float:
    return float(np.nanmax(values, initial=-math.inf))


def _verdict(shown: Solution, dense: Solution) -> Iterator[Seen]:
    """Numbers of the verdict, and the same computed from dense rows in the same time window."""
    judged = verdict(shown)
    rows = shown.time[(shown.time >= judged.start) & (shown.time <= judged.stop)]
    step = float(shown.time[1] - shown.time[0])  # the extremes of a row are those since the row before
    inside = (dense.time > rows[0] - step) & (dense.time <= rows[-1])
    numbers = {finding.key: finding.value for finding in judged.findings}
    tension = "link_tension" if "link_tension" in dense else "span_tension"
    reckoned = {"tension_steady": _largest(sizes(dense, tension)[inside])}
    if "contact_force" in dense:
        reckoned["contact_force"] = _largest(on_teeth(dense)[inside])
    if "bearing_force" in dense:
        reckoned["bearing_force"] = _largest(sizes(dense, "bearing_force")[inside])
    if "shaft_work" in dense:
        reckoned["efficiency"] = _efficiency(dense, judged.start, judged.stop)
    for key, value in reckoned.items():
        if math.isfinite(value) and math.isfinite(numbers.get(key, math.nan)):
            yield Seen(f"verdict: {key}", numbers[key], value, key != "efficiency")


def _efficiency(dense: Solution, start: float, stop: float) -> float:
    """Output divided by input of the shafts in a time window; a shaft is input or output according to the sign of its
    work.
    """
    work = np.asarray(dense.values("shaft_work"), dtype=np.float64)
    done = [float(np.interp(stop, dense.time, each) - np.interp(start, dense.time, each)) for each in work.T]
    taken = sum(each for each in done if each > 0.0)
    return -sum(each for each in done if each < 0.0) / taken if taken > 0.0 else math.nan


def _displacements(dense: Solution) -> Iterator[Seen]:
    """Transverse motion of the spans between wheels, from the positions of rollers at some instants."""
    if "roller_position" not in dense or "span_displacement" not in dense or dense.drive.chain.ends is not None:
        return
    signs = turning_signs(dense.drive)
    for k in range(len(signs)):
        told = np.asarray(dense.values("span_displacement"))[:: max(1, dense.time.size // INSTANTS), k]
        found = np.array([_at_middle(dense, row, k, signs) for row in
                          range(0, dense.time.size, max(1, dense.time.size // INSTANTS))])  # fmt: skip
        length = _tangent(dense, 0, k, signs)[2]
        worst = int(np.nanargmax(np.abs(told - found)))
        yield Seen("span displacement", 1.0 + float(told[worst]) / length, 1.0 + float(found[worst]) / length)


def _tangent(run: Solution, row: int, k: int, signs: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Middle, direction and length of span k at an instant, which is the common tangent of two pitch circles."""
    wheels, after = run.drive.wheels, (k + 1) % len(run.drive.wheels)
    one, other = np.asarray(run.values("wheel_position", slice(row, row + 1)))[0][[k, after]]
    radii = [s * run.drive.chain.mean_pitch / (2.0 * math.sin(math.pi / wheels[w].teeth)) for s, w in
             ((signs[k], k), (signs[after], after))]  # fmt: skip
    d = other - one
    across = radii[1] - radii[0]
    length = math.sqrt(float(d @ d) - across**2)
    along = np.array([length * d[0] + across * d[1], length * d[1] - across * d[0]]) / float(d @ d)
    left = np.array([-along[1], along[0]])
    return 0.5 * (one - radii[0] * left + other - radii[1] * left), along, length


def _at_middle(run: Solution, row: int, k: int, signs: FloatArray) -> float:
    """Distance of the chain from the middle of the tangent, positive to the left of the direction of travel. [m]"""
    middle, along, length = _tangent(run, row, k, signs)
    place = np.asarray(run.values("roller_position", slice(row, row + 1)), dtype=np.float64)[0, :, :2] - middle
    ahead, beside = place @ along, place @ np.array([-along[1], along[0]])
    after, next_beside = np.roll(ahead, -1), np.roll(beside, -1)
    passing = np.flatnonzero((ahead <= 0.0) & (after > 0.0) & (np.abs(beside) < 0.5 * length))
    if passing.size == 0:
        return math.nan
    share = -ahead[passing] / (after[passing] - ahead[passing])
    at = beside[passing] + share * (next_beside[passing] - beside[passing])
    return float(at[np.argmin(np.abs(at))])


def _works(shown: Solution, dense: Solution) -> Iterator[Seen]:
    """Work input, and the fraction of it that is lost or stored, as the energy balance of the run shows them."""
    taken, given = (float(dense.values(f"work_{what}")[-1]) for what in ("input", "output"))
    stored = sum(
        float(dense.values(name)[-1] - dense.values(name)[0])
        for name in dense.channels
        if name.startswith("energy_") and name != "energy_residual"
    )
    lost = sum(float(dense.values(name)[-1]) for name in dense.channels if name.startswith("work_")) - taken - given
    exchanged = max(abs(taken), abs(given), abs(stored), abs(lost), 1e-300)
    yield Seen("balance", 1.0, 1.0 + (taken - given - stored - lost) / exchanged)
    by_then = float(np.interp(shown.time[-1], dense.time, dense.values("work_input")))
    told = float(shown.values("work_input")[-1])
    yield Seen("work input", 1.0 + told / exchanged, 1.0 + by_then / exchanged)
