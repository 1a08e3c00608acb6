"""The torques on the wheels of a drive: packing them for the kernels, their slopes with speed, and their resistance and
pull.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.mechanism import torques
from chaindrive.mechanism.balance import governors_share
from chaindrive.mechanism.facts import DriveFacts
from chaindrive.model import Drive, loads_on, torques_on

__all__ = ["expected_pull", "resistance", "torque_damping", "wheel_torques"]


def wheel_torques(facts: DriveFacts, angles: NDArray[np.float64], at_speed: bool) -> torques.Torques:
    """Return the torques of all wheels, packed; angles (W,): of the wheels at the start of the run [rad]."""
    given = [torques_on(wheel) for wheel in facts.drive.wheels]
    if not any(given):
        return torques.pack(given, facts.senses, angles, 0.0)
    packed = torques.pack(given, facts.senses, angles, facts.slow_speeds, facts.motors, at_speed)
    if not packed.states.size:
        return packed
    speed = abs(facts.driver_speed) if at_speed else 0.0
    speeds = [shaft.sense * shaft.ratio * speed for shaft in facts.shafts]
    share = governors_share(facts.shafts, speed)
    needed = [shaft.sense * share / shaft.ratio for shaft in facts.shafts]
    return packed._replace(states=torques.initial_states(given, speeds, needed, at_speed))


def torque_damping(facts: DriveFacts, speeds: ArrayLike) -> NDArray[np.float64]:
    """Return the steepest decrease of the torques on the wheels with speed, up to speeds (W,) [rad/s]. (W,) [N m
    s/rad]
    """
    wheels = facts.drive.wheels
    inertias, given = [wheel.turned_inertia or 0.0 for wheel in wheels], [torques_on(wheel) for wheel in wheels]
    return torques.steepest(given, speeds, inertias, facts.slow_speeds if any(given) else 0.0)


def resistance(facts: DriveFacts, index: int, speed: float) -> float:
    """Return the torque with which load and bearing of a wheel resist a steady speed in its direction of rotation
    [rad/s]. [N m]

    The torque of a motor drives, and does not count as a load (``DriveFacts.motors``).
    """
    wheel = facts.drive.wheels[index]
    acting = loads_on(wheel) if facts.motors[index] else torques_on(wheel)
    own = torques.resisting(acting, speed, float(facts.senses[index]))
    return own + wheel.bearing_friction + wheel.bearing_damping * speed


def expected_pull(drive: Drive, speeds: ArrayLike, radii: ArrayLike) -> float:
    """Return the pull of all loads and torques in the chain, each at its largest magnitude, for tolerances and scales.
    [N]

    speeds (W,): magnitudes at which the wheels turn [rad/s]; radii (W,) [m].
    """
    total = 0.0
    for wheel, speed, radius in zip(drive.wheels, np.asarray(speeds), np.asarray(radii), strict=True):
        total += sum(abs(torque.facts(float(speed)).largest) for torque in torques_on(wheel)) / float(radius)
    return total
