"""The one list of torques of a wheel or rotor: everything that drives or loads it, whichever key it is given by."""

from __future__ import annotations

from chaindrive.model.acting import ActingTorque
from chaindrive.model.load import Resistance
from chaindrive.model.rotor import Rotor
from chaindrive.model.torque import torques_of
from chaindrive.model.wheel import Wheel

__all__ = ["loads_on", "torques_on"]


def torques_on(part: Wheel | Rotor) -> tuple[ActingTorque, ...]:
    """All torques on a wheel or rotor: those of its key ``torque``, and its loads (``loads_on``)."""
    return (*torques_of(part.torque), *loads_on(part))


def loads_on(part: Wheel | Rotor) -> tuple[ActingTorque, ...]:
    """What its other keys give: resistance, load over the angle, list of loads; slope, air and wheels of a vehicle."""
    found: list[ActingTorque] = []
    resistance = Resistance(part.load_torque, part.load_viscous, part.load_quadratic)
    if part.vehicle is not None:
        own = part.vehicle.resistance
        resistance = Resistance(part.load_torque + own.constant, part.load_viscous, part.load_quadratic + own.quadratic)
    if resistance.largest(1.0) > 0.0:
        found.append(resistance)
    if part.load_table is not None:
        found.append(part.load_table)
    found += part.loads
    if part.vehicle is not None and part.vehicle.rolling_torque > 0.0:
        found.append(part.vehicle.rolling)
    return tuple(found)
