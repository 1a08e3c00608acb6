"""The complete list of torques that drive or load a wheel or rotor, from all its keys."""

from __future__ import annotations

from chaindrive.model.rotor import Rotor
from chaindrive.model.torques.acting import ActingTorque
from chaindrive.model.torques.load import Resistance, WheelLoad
from chaindrive.model.torques.torque import torques_of
from chaindrive.model.wheel import Wheel

__all__ = ["loads_on", "torques_on"]


def torques_on(part: Wheel | Rotor) -> tuple[ActingTorque, ...]:
    """Return all torques on a wheel or rotor: those of its key ``torque``, and its loads (``loads_on``)."""
    return (*torques_of(part.torque), *loads_on(part))


def loads_on(part: Wheel | Rotor) -> tuple[ActingTorque, ...]:
    """Return the torques from the other keys of a wheel or rotor: resistance, angle-dependent load, list of loads, and
    the slope, air drag and rolling resistance of a vehicle.
    """
    road = part.vehicle
    slope, rolling, drag = (road.slope_torque, road.rolling_torque, road.drag) if road else (0.0, 0.0, 0.0)
    resistance = Resistance(part.load_torque + slope, part.load_viscous, part.load_quadratic + drag)
    return (
        *([resistance] if resistance != Resistance(0.0, 0.0, 0.0) else ()),
        *([part.load_table] if part.load_table is not None else ()),
        *part.loads,
        *([WheelLoad(torque=rolling)] if rolling > 0.0 else ()),
    )
