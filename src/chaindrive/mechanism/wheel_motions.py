"""Prescribed motions of the wheels of a drive, as the numbers that the kernels read (``motion``)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.mechanism import course, fluctuation
from chaindrive.mechanism import motion as motions
from chaindrive.model import VARYING, Drive, RunUp, Wheel

__all__ = ["wheel_motion", "wheel_motions"]

SAMPLES = 501
"""Number of instants of a ramp at which the direction of rotation is checked."""
SMALL = 1e-3
"""Backward speed, relative to the first speed, up to which no warning is given. [-]"""


def wheel_motions(drive: Drive, at_speed: bool) -> list[tuple[motions.Motion | None, str]]:
    """Return the motions of all wheels, see ``wheel_motion``. Raises InputError with the problems of all impossible
    motions.
    """
    found: list[tuple[motions.Motion | None, str]] = []
    problems = []
    for index, wheel in enumerate(drive.wheels):
        try:
            found.append(wheel_motion(wheel, at_speed))
        except ValueError as error:
            problems.append(Problem(f"wheels[{index}].motion", str(error), wheel.name))
    if problems:
        raise InputError(problems)
    return found


def wheel_motion(wheel: Wheel, at_speed: bool) -> tuple[motions.Motion | None, str]:
    """Return the motion of a wheel as numbers, None if no motion is prescribed, and a warning, or an empty string.

    at_speed: whether the run starts at the speed to which the ramp would lead. Raises ValueError for a fluctuation that
    is impossible (``fluctuation.orders``).
    """
    given = wheel.motion
    if given is None:
        return None, ""
    ramp = 0.0 if at_speed else given.ramp
    if isinstance(given, VARYING):
        harmonics = [(term.order, term.amplitude, term.phase) for term in given.orders]
        if isinstance(given, RunUp):
            knots = course.change_table(given.initial_speed, given.final_speed, given.start, given.duration)
        else:
            knots = course.speed_knots(given.times, given.speeds)
        told = _turned_back(wheel.name, knots, ramp)
        if isinstance(given, RunUp) and not given.orders:
            return motions.run_up(given.initial_speed, given.final_speed, given.start, given.duration, ramp), told
        squared = given.order_amplitudes == "speed_squared"
        return course.course(knots, ramp, harmonics, squared, given.orders_from), told
    if given.kind == "input":
        return motions.given_from_outside(given.speed, ramp), ""
    base = motions.constant_speed(given.speed, ramp)
    if given.kind == "constant_speed":
        return base, ""
    if given.kind == "orders":
        terms = [(term.order, term.amplitude, term.phase) for term in given.orders]
        return fluctuation.orders(base, terms, given.over == "angle", given.start, given.fade_in), ""
    table, mean = fluctuation.angle_table(
        base, np.array(given.angles), np.array(given.accelerations), given.start, given.fade_in
    )
    largest = float(np.abs(given.accelerations).max())
    if abs(mean) > 1e-3 * largest:
        return table, (
            f"wheel {wheel.name!r}: the tabulated acceleration has a mean of {mean:.4g} rad/s^2 over a turn, which "
            "would accelerate the wheel indefinitely; it was removed"
        )
    return table, ""


def _turned_back(name: str, knots: NDArray[np.float64], ramp: float) -> str:
    """Return a warning if a wheel turns backwards because its speed falls while the ramp from rest to the first speed
    still lasts, or an empty string.

    The ramp adds first (3 x^2 - 2 x^3 - 1), x = t/ramp, to the speed. knots: see ``course.speed_knots``; ramp [s].
    """
    first = float(knots[0, 4])
    if ramp == 0.0 or first == 0.0:
        return ""
    time = np.linspace(0.0, ramp, SAMPLES)
    knot = np.searchsorted(knots[:, 0], time, side="right") - 1
    x, given = time / ramp, np.polyval(knots[knot, 1:5].T, time - knots[knot, 0])
    ahead = np.sign(first) * (given + first * (3.0 * x**2 - 2.0 * x**3 - 1.0))
    back = -float(ahead[np.sign(first) * given >= 0.0].min(initial=0.0))
    if not back > SMALL * abs(first):
        return ""
    return (
        f"wheel {name!r}: its speed falls while the ramp from rest to its first speed, which takes {ramp:g} s, still "
        f"lasts, so that it turns backwards at up to {back * 30.0 / np.pi:.3g} rpm: let the speed begin with 0, or "
        "shorten motion.ramp"
    )
