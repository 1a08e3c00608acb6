"""How a drive runs: which way its wheels turn, where slack gathers, which motions are prescribed, what resists."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chaindrive.mechanism import loads
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.loads import Load, Loads
from chaindrive.model import Drive, RunUp, Wheel

IntArray = NDArray[np.int64]


def turning_signs(drive: Drive) -> IntArray:
    """+1 for a wheel that turns counter-clockwise when the chain runs along the route, -1 for the others, (W,)."""
    loop = 1 if drive.loop == "counterclockwise" else -1
    return np.array([loop if wheel.side == "front" else -loop for wheel in drive.wheels])


def driver(drive: Drive) -> int:
    """Index of the first wheel whose motion is prescribed."""
    return next(i for i, wheel in enumerate(drive.wheels) if wheel.motion is not None)


def running_direction(drive: Drive) -> int:
    """+1 when the chain runs along the route, -1 when it runs against it; in a run-up or run-down, at its fastest."""
    first = driver(drive)
    motion = drive.wheels[first].motion
    assert motion is not None
    speed = motion.running_speed if isinstance(motion, RunUp) else motion.speed
    return 1 if speed * turning_signs(drive)[first] >= 0.0 else -1


def highest_speed(drive: Drive) -> float:
    """Prescribed speed of the driver, without sign; in a run-up or run-down its fastest. [rad/s]"""
    motion = drive.wheels[driver(drive)].motion
    assert motion is not None
    return abs(motion.running_speed if isinstance(motion, RunUp) else motion.speed)


def wheel_loads(drive: Drive, angles: NDArray[np.float64]) -> Loads:
    """The loads of all wheels, packed; angles (W,): of the wheels at the start of the run [rad]."""
    senses = turning_signs(drive) * running_direction(drive)
    return loads.pack([wheel_load(wheel) for wheel in drive.wheels], senses, angles)


def slack_span(drive: Drive) -> int:
    """The span that the driver feeds: there slack gathers. (Span k runs from wheel k to wheel k + 1.)"""
    first = driver(drive)
    return first if running_direction(drive) > 0 else (first - 1) % len(drive.wheels)


def wheel_motion(wheel: Wheel, at_speed: bool) -> tuple[motions.Motion | None, str]:
    """The motion of a wheel as numbers, None when it turns freely; and a warning, or an empty text.

    at_speed: the run starts at the speed that the ramp would lead to.
    """
    given = wheel.motion
    if given is None:
        return None, ""
    ramp = 0.0 if at_speed else given.ramp
    if isinstance(given, RunUp):
        return motions.run_up(given.initial_speed, given.final_speed, given.start, given.duration, ramp), ""
    base = motions.constant_speed(given.speed, ramp)
    if given.kind == "constant_speed":
        return base, ""
    if given.kind == "orders":
        terms = [(term.order, term.amplitude, term.phase) for term in given.orders]
        return motions.orders(base, terms, given.over == "angle", given.start, given.fade_in), ""
    table, mean = motions.angle_table(
        base, np.array(given.angles), np.array(given.accelerations), given.start, given.fade_in
    )
    largest = float(np.abs(given.accelerations).max())
    if abs(mean) > 1e-3 * largest:
        return table, (
            f"wheel {wheel.name!r}: the tabulated acceleration has a mean of {mean:.4g} rad/s^2 over a turn, "
            "which would speed the wheel up for ever; it was taken out"
        )
    return table, ""


def wheel_load(wheel: Wheel) -> Load:
    """What resists the turning of a wheel, as numbers."""
    load = Load(wheel.load_torque, wheel.load_viscous, wheel.load_quadratic)
    table = wheel.load_table
    if table is None:
        return load
    return load._replace(
        angles=table.angles, torques=table.torques, phase=table.phase, start=table.start, fade_in=table.fade_in
    )
