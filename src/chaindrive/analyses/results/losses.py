"""Power balance: mean losses by cause, efficiency, and losses versus time."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.carried import goods_pull
from chaindrive.analyses.signals.selection import steady_window
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import FreeEnd
from chaindrive.numbers import quantity
from chaindrive.results.audit import LOSS_NAMES, OF_SHEAVES, SHAFTS, by_sign
from chaindrive.results.solution import Solution

__all__ = [
    "LOSS_NAMES",
    "LossHistory",
    "Losses",
    "WheelLosses",
    "efficiency_text",
    "loss_history",
    "losses",
    "wheel_losses",
]

FloatArray = NDArray[np.float64]

WHEEL_LOSSES = "wheel_losses"
ENERGIES = ("energy_kinetic", "energy_elastic", "energy_gravity")

STEADY = 0.005
"""Largest share of the input that may be stored or unaccounted for if an efficiency is to be given."""
LEAST_OUTPUT = 1e-3
"""Smallest output, as a share of the input, for which an efficiency is given; a smaller power is due to small
vibrations of joints."""
GOODS = "goods"
LEAST_SOURCE = 1e-6
"""A shaft is named only if its power exceeds this share of the input."""


class Losses(NamedTuple):
    """Mean powers over a time window, with input = output + sum of power + stored + residual."""

    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    input: float
    """Power of all shafts (motor and load of a wheel) and moved joints whose mean power is positive [W]; nan if not
    kept."""
    output: float
    """Power of all shafts and moved joints whose mean power is negative: loads, or a braking motor [W]; nan if not
    kept."""
    names: tuple[str, ...]
    """Names of the S causes of loss that were kept, for the user."""
    keys: tuple[str, ...]
    """Keys of these causes in the names of channels (work_KEY)."""
    power: FloatArray
    """Lost powers, shape (S,) [W]."""
    share: FloatArray
    """Share of all losses, shape (S,) [-]; nan if nothing is lost."""
    stored: float
    """Rate at which stored energy grows: 0 in a steady state [W]; nan if not kept."""
    lifted: float
    """The part of ``stored`` that is energy of gravity [W]."""
    residual: float
    """Power unaccounted for by this balance [W]; nan if a part of it was not kept."""
    efficiency: float
    """output / (output + losses), or output / input if a loss was not kept; both are equal in a steady state, but only
    the first never exceeds 1 when a little stored energy is released. nan if this is not meaningful (see
    ``no_efficiency``)."""
    no_efficiency: str
    """Reason why no efficiency is given: no input or output, or energy is stored; empty if an efficiency is given."""
    sources: tuple[str, ...]
    """Names of the wheels whose shafts supply or absorb power, "goods" for payloads, "joints" and "ends" for moved
    joints and pulled ends, "clamping" for sheaves that are shifted; empty if not stored."""
    source_power: FloatArray
    """Mean power of each of these, positive into the drive [W]."""
    not_kept: tuple[str, ...]
    """Missing channels, without which a loss is unknown."""

    @property
    def total(self) -> float:
        """Sum of all losses [W]."""
        return float(self.power.sum())


class LossHistory(NamedTuple):
    """Losses as moving averages, at M instants."""

    time: FloatArray
    """Centre of the averaging interval, shape (M,) [s]."""
    names: tuple[str, ...]
    keys: tuple[str, ...]
    power: FloatArray
    """Lost powers, shape (M, S) [W]."""
    period: float
    """Length of the averaging interval [s]."""
    over: str
    """Description of the interval, such as "one revolution of crankshaft"."""


class WheelLosses(NamedTuple):
    """Mean power lost at each of W wheels over a time window, by cause."""

    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    wheels: tuple[str, ...]
    causes: tuple[str, ...]
    """Names of the causes: joints of the chain at the teeth of the wheel, teeth, sides of teeth, bearing."""
    power: FloatArray
    """Lost powers, (W, causes) [W]."""
    elsewhere: float
    """Power lost in the spans, in the damping of links, and in bodies. [W]"""


def wheel_losses(solution: Solution, start: float | None = None, stop: float | None = None) -> WheelLosses | None:
    """Return the losses of each wheel over the window of ``losses``; None if the result does not contain them.

    Needs the channels work_* and wheel_losses, which the formulation 'spatial' has. Raises InputError as ``losses``
    does.
    """
    if WHEEL_LOSSES not in solution:
        return None
    total = losses(solution, start, stop)
    times, work = instants(solution), solution.values(WHEEL_LOSSES)
    first, last = (int(np.abs(times - instant).argmin()) for instant in (total.start, total.stop))
    power = (np.asarray(work[last], np.float64) - np.asarray(work[first], np.float64)) / (total.stop - total.start)
    return WheelLosses(
        start=total.start,
        stop=total.stop,
        wheels=tuple(wheel.name for wheel in solution.drive.wheels),
        causes=solution.labels["loss"],
        power=power,
        elsewhere=total.total - float(power.sum()),
    )


def losses(solution: Solution, start: float | None = None, stop: float | None = None) -> Losses:
    """Return mean input, mean output and the losses by cause; start, stop [s].

    The default window covers the last whole revolutions of the driver in the steady part of a run.

    The means are computed from the work channels, which the solver integrates along with the motion, so that impacts
    between two stored instants are included exactly. Raises InputError without any of the channels work_*, and for
    fewer than 2 instants.
    """
    times = instants(solution)
    window = window_of(times, *steady_window(solution, start, stop), least=2)
    keys, missing = _kept(solution)
    known = np.isfinite(solution.values(f"work_{keys[0]}", window.rows))  # until a run diverged
    if np.count_nonzero(known) < 2:
        raise InputError(Problem(f"work_{keys[0]}", "is not a number in this window: the run diverged"))
    first, last = (window.first + int(row) for row in np.flatnonzero(known)[[0, -1]])
    duration = float(times[last] - times[first])

    def rate(name: str) -> float:
        if name not in solution:
            return 0.0 if solution.offers(name) is False else math.nan
        before, after = (float(solution.values(name, slice(row, row + 1))[0]) for row in (first, last))
        return (after - before) / duration

    power = np.array([rate(f"work_{key}") for key in keys])
    sources = _sources(solution, first, last, rate("work_input") - rate("work_output"))
    shafts = [power for _, power in sources[: len(solution.drive.wheels)]] if sources else None
    put_in, taken = by_sign(rate("work_input"), rate("work_output"), shafts)
    stored = sum(rate(name) for name in ENERGIES)
    total = float(power.sum())
    residual = put_in - taken - total - stored if not missing else math.nan
    lifted = rate("energy_gravity")
    level = _kept_level(solution, float(times[first]), float(times[last]), -dict(sources).get(GOODS, 0.0))
    reason = _no_efficiency(put_in, taken, stored, lifted, residual, level)
    least = LEAST_SOURCE * put_in
    acting = [(name, power) for name, power in sources if abs(power) > least]
    return Losses(
        start=float(times[first]),
        stop=float(times[last]),
        input=put_in,
        output=taken,
        names=tuple(solution.loss_names[key] for key in keys),
        keys=keys,
        power=power,
        share=power / total if total != 0.0 else np.full(power.size, math.nan),
        stored=stored,
        lifted=lifted,
        residual=residual,
        efficiency=math.nan if reason else taken / (put_in if missing else taken + total),
        no_efficiency=reason,
        sources=tuple(name for name, _ in acting),
        source_power=np.array([power for _, power in acting]),
        not_kept=missing,
    )


def _sources(solution: Solution, first: int, last: int, total: float) -> list[tuple[str, float]]:
    """Return the mean power of every shaft between two rows, by the name of its wheel, and then that of goods, joints
    and ends, or of clamping [W]; empty if not stored.
    """
    if SHAFTS not in solution:
        return []
    times, work = instants(solution), solution.values(SHAFTS)
    power = (np.asarray(work[last], np.float64) - np.asarray(work[first], np.float64)) / (times[last] - times[first])
    names = [wheel.name for wheel in solution.drive.wheels]
    shafts, rest = list(zip(names, power.tolist(), strict=True)), total - float(power.sum())
    if not solution.drive.sheaves:
        return [*shafts, *_of_no_shaft(solution, slice(first, last + 1), rest)]
    moving = abs(rest) > STILL * float(np.abs(power).max())
    return [*shafts, *([("clamping", rest)] if moving else [])]


def _of_no_shaft(solution: Solution, rows: slice, total: float) -> list[tuple[str, float]]:
    """Return the mean power of goods, and that of moved joints and pulled ends together, positive into the drive [W].

    total: their sum. If there are both, the part of the goods is the mean of the stored rows.
    """
    drive = solution.drive
    joints = [body.joint for body in drive.bodies if body.joint.kind != "fixed"]
    moved = any(joint.motion is not None or joint.load != 0.0 for joint in joints)
    pulled = any(isinstance(end, FreeEnd) and end.force is not None for end in drive.chain.ends or ())
    others = " and ".join(name for name, acts in (("joints", moved), ("ends", pulled)) if acts)
    if not drive.payloads:
        return [(others or "joints", total)]
    if not others:
        return [(GOODS, total)]
    if "payload_power" not in solution:
        return [(f"{others} and {GOODS}", total)]
    goods = -float(np.asarray(solution.values("payload_power", rows), np.float64).mean(axis=0).sum())
    return [(GOODS, goods), (others, total - goods)]


def _kept_level(solution: Solution, start: float, stop: float, goods: float) -> float:
    """Return the power that goods carry away [W] if less than half of it is for lifting; otherwise 0.

    goods: power delivered to goods. [W]
    """
    if not (solution.drive.payloads and goods > 0.0):
        return 0.0
    lift = goods_pull(solution.drive, 0.0).lift
    try:
        speed = mean_tooth_frequency(solution, start, stop) * solution.drive.chain.pitch
    except InputError:
        return goods if lift <= 0.0 else 0.0
    return goods if lift * speed < 0.5 * goods else 0.0


STILL = 1e-3
"""If the power of the forces that move sheaves is below this fraction of the power of the shafts, it counts as small
vibration. [-]
"""


def lifting(stored: float, lifted: float) -> str:
    """Return " by lifting" if this is what stores most of the energy; rates of all stored energy and of that of gravity
    [W].
    """
    return " by lifting" if lifted > 0.5 * stored else ""


def _no_efficiency(
    put_in: float, taken: float, stored: float, lifted: float, residual: float, level: float = 0.0
) -> str:
    """Return why an efficiency would not be meaningful, or an empty string.

    level: the part of the output that is kinetic energy of goods (``_kept_level``). [W]
    """
    if not (math.isfinite(put_in) and math.isfinite(taken) and math.isfinite(stored)):
        return "channels of work or energy were not kept"
    if not put_in > 0.0:
        return "no shaft supplies power"
    if abs(stored) > STEADY * put_in:
        change = "taken from stored energy" if stored < 0.0 else f"stored{lifting(stored, lifted)}"
        return f"{quantity(abs(stored), 'W', 3)} is {change} on average"
    if not taken - level > LEAST_OUTPUT * put_in:
        alone = level > LEAST_OUTPUT * put_in
        what = "goods are not lifted, and carry away only kinetic energy" if alone else "all of the input is lost"
        return f"there is no output power: {what}"
    if abs(residual) > STEADY * put_in:
        return f"{quantity(abs(residual), 'W', 3)} of the power is unaccounted for"
    return ""


def efficiency_text(found: Losses) -> str:
    """Return a description of the efficiency, with the shafts that supply and absorb power, or with the reason why
    there is no efficiency.
    """
    when = f"mean from {quantity(found.start, 's')} to {quantity(found.stop, 's')}"
    if found.no_efficiency:
        return f"not meaningful: {found.no_efficiency} ({when})"
    sides = []
    for total, sign, word in ((found.input, 1.0, "in"), (found.output, -1.0, "out")):
        names = [n for n, power in zip(found.sources, found.source_power, strict=True) if sign * power > 0.0]
        at = f" at {', '.join(names[:3])}{' ...' if len(names) > 3 else ''}" if names else ""
        sides.append(f"{quantity(total, 'W', 4)} {word}{at}")
    return f"{100.0 * found.efficiency:.2f} %, {', '.join(sides)} ({when})"


def _kept(solution: Solution) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the causes of loss whose work was kept, and the missing channels of the other causes.

    Guides, tensioners, oil films and sides of teeth are included only if there are any.
    """
    drive = solution.drive
    none_of = {
        "guide": not drive.guides, "tensioner": not drive.tensioners, "oil_film": not _has_oil_losses(solution),
        "side_plates": solution.attrs.get("formulation") != "spatial",
        "projection": not solution.offers("work_projection"),
    } | dict.fromkeys(OF_SHEAVES, not drive.sheaves)  # fmt: skip
    kept = [key for key in LOSS_NAMES if f"work_{key}" in solution]
    keys = tuple(key for key in kept if not none_of.get(key, False))
    if not keys:
        message = (
            "the result contains no channel with the work of a loss (work_articulation, work_contact ...): "
            "run again with these in run.save.channels"
        )
        raise InputError(Problem("work", message))
    missing = [f"work_{key}" for key in LOSS_NAMES if key not in kept and not none_of.get(key, False)]
    missing = [name for name in missing if solution.offers(name) is not False]
    return keys, tuple(missing)


def _has_oil_losses(solution: Solution) -> bool:
    """Return whether oil films had losses, or may have had losses that were not stored."""
    if "work_oil_film" in solution:
        return bool(np.any(solution.values("work_oil_film")))
    return bool(solution.offers("work_oil_film"))  # results without a list of offered channels are older


def loss_history(
    solution: Solution,
    start: float | None = None,
    stop: float | None = None,
    over: Literal["tooth", "revolution", "loop"] = "revolution",
) -> LossHistory:
    """Return the losses by cause versus time, as moving averages; by default for the whole run.

    over: the averaging interval is one tooth or one revolution of the driver, or one loop of the chain, at the mean
    speed of the driver in the window. It is rounded to whole stored steps (at least one) and limited to half of the
    window. The average is (W(t + T/2) - W(t - T/2)) / T, where the work W includes the losses between stored instants.
    Raises InputError without the channels work_* and wheel_speed, and for fewer than 2 instants.
    """
    times = instants(solution)
    window = window_of(times, start, stop, least=2)
    keys, _ = _kept(solution)
    part = times[window.rows]
    steps, words = _moment(solution, window.rows, part, over)
    works = np.stack([np.asarray(solution.values(f"work_{key}", window.rows), np.float64) for key in keys], 1)
    span = part[steps:] - part[:-steps]
    return LossHistory(
        time=0.5 * (part[steps:] + part[:-steps]),
        names=tuple(solution.loss_names[key] for key in keys),
        keys=keys,
        power=(works[steps:] - works[:-steps]) / span[:, None],
        period=float(span.mean()),
        over=words,
    )


def _moment(solution: Solution, rows: slice, times: FloatArray, over: str) -> tuple[int, str]:
    """Return the number of steps of the averaging interval, and its description."""
    drive = solution.drive
    if not drive.wheels:
        return max((times.size - 1) // 20, 1), "a twentieth of the time shown"
    wheel = drive_facts(drive).driver
    speed = abs(float(np.mean(solution.values("wheel_speed", rows, wheel))))
    step = float(times[-1] - times[0]) / (times.size - 1)
    teeth, name = drive.wheels[wheel].teeth, drive.wheels[wheel].name
    turns = {"tooth": 1.0 / teeth, "revolution": 1.0, "loop": drive.chain.links / teeth}
    if over not in turns:
        raise InputError(Problem("over", f"must be one of {', '.join(turns)}", repr(over)))
    period = turns[over] * 2.0 * math.pi / speed if speed > 0.0 else math.inf
    most = max((times.size - 1) // 2, 1)
    if period > most * step:
        return most, "half of the time shown"
    words = {
        "tooth": "one pin" if drive.sheaves else f"one tooth of {name}",
        "revolution": f"one revolution of {name}",
        "loop": "one loop of the chain",
    }
    return max(round(period / step), 1), words[over]
