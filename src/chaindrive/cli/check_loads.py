"""Which way the loads of the wheels act, for ``chaindrive check``."""

from __future__ import annotations

from chaindrive.mechanism.running import running_senses
from chaindrive.model import Drive, Vehicle, Wheel, driving_torque, load_text, payload_text, torque_text
from chaindrive.numbers import quantity

__all__ = ["load_lines"]


def load_lines(drive: Drive) -> list[str]:
    """One line for every load of a wheel: how large, and which way it turns the wheel; and for every payload."""
    found = [
        f"{line}."
        for wheel, sense in zip(drive.wheels, running_senses(drive), strict=True)
        for line in _lines(wheel, int(sense))
    ]
    names = drive.span_names
    return found + [f"payload {each.name}: {payload_text(each, names[each.span])}." for each in drive.payloads]


def _lines(wheel: Wheel, sense: int) -> list[str]:
    found = []
    if wheel.load_torque:
        how = "against" if wheel.load_torque > 0.0 else "in"
        size = quantity(abs(wheel.load_torque), "N m")
        found.append(
            f"load of {wheel.name}: {size}, {_turn(-sense * wheel.load_torque)} ({how} the running sense of the wheel)"
        )
    largest = driving_torque(wheel.torque)
    if largest:
        how = "in" if largest * sense > 0.0 else "against"
        whose = f"the running sense of the wheel{'' if wheel.torque == largest else ', where it drives'}"
        found.append(f"torque on {wheel.name}: {torque_text(wheel.torque)} ({how} {whose})")
    found += [f"load of {wheel.name}: {load_text(load)}" for load in wheel.loads]
    if wheel.vehicle is not None:
        found.append(f"vehicle of {wheel.name}: {_vehicle(wheel.vehicle)}")
    if wheel.load_table is not None:
        torques = wheel.load_table.torques
        least, most = (quantity(value, "N m") for value in (min(torques), max(torques)))
        found.append(f"load of {wheel.name} over its angle: {least} to {most}, positive {_turn(-sense)}")
    for value, unit in ((wheel.load_viscous, "N m s/rad"), (wheel.load_quadratic, "N m s²/rad²")):
        if value:
            found.append(f"load of {wheel.name}: {quantity(value, unit)}, against its speed")
    return found


def _vehicle(vehicle: Vehicle) -> str:
    """Its mass, as inertia of the wheel, and what resists it there."""
    parts = [f"{quantity(vehicle.equivalent_mass, 'kg')}, {quantity(vehicle.inertia, 'kg m^2')} on the wheel"]
    if vehicle.slope_torque:
        way = "up" if vehicle.slope_torque > 0.0 else "down"
        parts.append(f"{way} a slope, {quantity(vehicle.slope_torque, 'N m')} against the running sense")
    if vehicle.rolling_torque:
        parts.append(f"rolling resistance {quantity(vehicle.rolling_torque, 'N m')} against its motion")
    if vehicle.drag:
        parts.append(f"air drag {quantity(vehicle.drag, 'N m s²/rad²')}")
    return "; ".join(parts)


def _turn(sign: float) -> str:
    return "counter-clockwise" if sign > 0.0 else "clockwise"
