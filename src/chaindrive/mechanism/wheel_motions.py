"""Prescribed motions of the wheels of a drive, as the numbers that the kernels read (``motion``)."""

from __future__ import annotations

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.mechanism import course, fluctuation
from chaindrive.mechanism import motion as motions
from chaindrive.model import VARYING, Drive, RunUp, Wheel

__all__ = ["wheel_motion", "wheel_motions"]


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
    if isinstance(given, RunUp) and not given.orders:
        return motions.run_up(given.initial_speed, given.final_speed, given.start, given.duration, ramp), ""
    if isinstance(given, VARYING):
        harmonics = [(term.order, term.amplitude, term.phase) for term in given.orders]
        if isinstance(given, RunUp):
            knots = course.change_table(given.initial_speed, given.final_speed, given.start, given.duration)
        else:
            knots = course.speed_knots(given.times, given.speeds)
        squared = given.order_amplitudes == "speed_squared"
        return course.course(knots, ramp, harmonics, squared, given.orders_from), ""
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
