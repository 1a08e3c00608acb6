"""Preload by a required span tension or sag: a wheel is moved, or the pitch changed, until the drive at rest has this
value.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.model import BodyEnd, Drive, GroundEnd, Preload
from chaindrive.numbers import quantity

__all__ = ["meet_preload"]

TOLERANCE = 1e-3
"""Relative accuracy with which a required span tension or sag is met."""
JUMP = 5e-3
"""The same accuracy for the case that rollers have several possible seats, so that the tension jumps between
equilibria."""
FIRST_BY_WHEEL, FIRST_BY_PITCH = 1e-3, 1e-5
"""The first changes that are tried, in pitches; each subsequent change is GROWTH times as large."""
GROWTH = 1.6
MOST_BY_WHEEL, MOST_BY_PITCH = 2.0, 0.008
"""The largest changes that are tried, in pitches."""


class _Tried(NamedTuple):
    change: float
    """Change in position or pitch. [m]"""
    value: float
    """Tension [N] or sag [m] at rest; not-a-number without an equilibrium."""


def meet_preload(drive: Drive, preload: Preload, value_at_rest: Callable[[Drive], float]) -> tuple[Drive, str]:
    """Move the given wheel, or change the pitch, until the span has the required static tension or sag.

    value_at_rest: function that returns the tension [N] or sag [m] of a drive in static equilibrium, or not-a-number if
    there is no equilibrium. Returns the drive with the required value, and a text that describes the change. Raises
    InputError with the possible range if this value cannot be reached.
    """
    by_wheel = preload.by == "wheel"
    wanted = preload.tension if preload.tension is not None else preload.sag
    assert wanted is not None
    tried: list[_Tried] = []

    def value(change: float) -> float:
        """Return the value at rest with this change; not-a-number if the chain does not fit or there is no
        equilibrium.
        """
        found = math.nan
        with contextlib.suppress(InputError, ComputationError):
            found = value_at_rest(_adjusted(drive, preload, change))
        tried.append(_Tried(change, found))
        return found

    first, most = (FIRST_BY_WHEEL, MOST_BY_WHEEL) if by_wheel else (FIRST_BY_PITCH, MOST_BY_PITCH)
    pitch = drive.chain.pitch
    bracket = _bracket(value, wanted, first * pitch, most * pitch)
    if bracket is not None:
        _narrow(value, wanted, *bracket)
        nearest = min((each for each in tried if math.isfinite(each.value)), key=lambda each: abs(each.value - wanted))
        missed = abs(nearest.value - wanted) / wanted
        if missed <= JUMP:
            met = _adjusted(drive, preload, nearest.change)
            text = _adjustment_text(met, preload, nearest.change)
            return (
                met,
                text if missed <= TOLERANCE else f"{text}; met within {100.0 * missed:.2g} %, as the value jumps there",
            )
    raise InputError(Problem("preload", _out_of_reach(drive, preload, wanted, tried), f"{wanted:.6g}"))


def _bracket(value: Callable[[float], float], wanted: float, first: float, most: float) -> tuple[float, float] | None:
    """Return two neighbouring changes whose values bracket the required value; None if there are none.

    Changes are tried from zero outwards in both directions. A direction is abandoned if twice in succession the chain
    does not fit or has no equilibrium.
    """
    start = value(0.0)
    ends = dict.fromkeys((1.0, -1.0), (0.0, start, 0))
    size = first
    while size <= most and ends:
        for side in list(ends):
            before, at, failures = ends[side]
            now = value(side * size)
            if math.isfinite(now):
                if math.isfinite(at) and (at - wanted) * (now - wanted) <= 0.0:
                    return before, side * size
                ends[side] = side * size, now, 0
            elif failures:
                del ends[side]
            else:
                ends[side] = before, at, 1
        size *= GROWTH
    return None


def _narrow(value: Callable[[float], float], wanted: float, low: float, high: float) -> None:
    """Narrow the interval between two changes whose values enclose the required value (Brent's method), as long as
    equilibria exist.
    """
    from scipy.optimize import brentq

    with contextlib.suppress(ValueError, RuntimeError):  # a value that is not a number, on the way
        brentq(lambda change: value(change) - wanted, low, high, xtol=1e-9, rtol=1e-12)


def _out_of_reach(drive: Drive, preload: Preload, wanted: float, tried: list[_Tried]) -> str:
    tension = preload.tension is not None
    what = f"a {'tension' if tension else 'sag'} of {quantity(wanted, 'N' if tension else 'm')}"
    span = preload.span_in(drive.span_names)
    what += f" in span {span} ({drive.span_names[span]})"
    known = [each for each in tried if math.isfinite(each.value)]
    how = f"moving wheels[{_moved(drive, preload)}]" if preload.by == "wheel" else "changing the pitch"
    if not known:
        return f"{what} cannot be reached: {how} leads to no equilibrium at rest; check the drive without the preload"
    unit = "N" if tension else "m"
    least, largest = min(known, key=lambda e: e.value), max(known, key=lambda e: e.value)
    return (
        f"{what} cannot be reached: {how} gives values from {quantity(least.value, unit)} "
        f"(at {least.change * 1e3:+.4g} mm) to {quantity(largest.value, unit)} (at {largest.change * 1e3:+.4g} mm); "
        "choose a value in between, another direction, another wheel, or another number of links"
    )


def _adjustment_text(drive: Drive, preload: Preload, change: float) -> str:
    if preload.by == "pitch":
        return f"pitch changed by {change * 1e3:+.5f} mm to {drive.chain.pitch * 1e3:.5f} mm"
    wheel = drive.wheels[_moved(drive, preload)]
    x, y = wheel.position
    return f"wheel {wheel.name!r} moved by {change * 1e3:+.4f} mm to ({x:.7f}, {y:.7f}) m"


def _adjusted(drive: Drive, preload: Preload, change: float) -> Drive:
    """Return the drive with the wheel moved by ``change`` [m] in the given direction, or with the pitch changed by this
    amount.
    """
    data: dict[str, Any] = drive.model_dump(exclude_unset=False)
    if preload.by == "pitch":
        data["chain"]["pitch"] += change
    else:
        wheel = _moved(drive, preload)
        direction = preload.direction if preload.direction is not None else _outward(drive, wheel)
        x, y = data["wheels"][wheel]["position"]
        data["wheels"][wheel]["position"] = (
            x + change * math.cos(direction),
            y + change * math.sin(direction),
        )
    data["preload"] = None
    return Drive(**data)


def _moved(drive: Drive, preload: Preload) -> int:
    """Return the number of the wheel that is moved."""
    return preload.wheel_in([wheel.name for wheel in drive.wheels])


def _outward(drive: Drive, wheel: int) -> float:
    """Return the direction away from the middle of the other wheels and anchors: a movement in this direction tightens
    the chain. [rad]
    """
    others = [w.position for i, w in enumerate(drive.wheels) if i != wheel]
    others += [end.position for end in drive.chain.ends or () if isinstance(end, GroundEnd | BodyEnd)]
    away = np.array(drive.wheels[wheel].position) - np.mean(others, axis=0)
    return math.atan2(away[1], away[0])
