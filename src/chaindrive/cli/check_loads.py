"""Directions of the loads of the wheels, for ``chaindrive check``."""

from __future__ import annotations

from chaindrive.analyses.analytical.conveyor_pull import is_conveyor, pull_text
from chaindrive.analyses.carried import goods_text
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, Wheel, driving_torque, torque_text
from chaindrive.numbers import quantity

__all__ = ["load_lines"]


def load_lines(drive: Drive) -> list[str]:
    """Return one line for every load of a wheel, with its size and direction, for every payload, and for the pull of a
    conveyor.
    """
    found = [
        f"{line}."
        for wheel, sense in zip(drive.wheels, drive_facts(drive).senses, strict=True)
        for line in _lines(wheel, int(sense))
    ]
    found += [f"payload {each.name}: {goods_text(drive, each)}." for each in drive.payloads]
    return [*found, f"pull of the conveyor by hand calculation: {pull_text(drive)}."] if is_conveyor(drive) else found


def _lines(wheel: Wheel, sense: int) -> list[str]:
    found = []
    if wheel.load_torque:
        how = "against" if wheel.load_torque > 0.0 else "in"
        size = quantity(abs(wheel.load_torque), "N m")
        found.append(
            f"load of {wheel.name}: {size}, {_turn(-sense * wheel.load_torque)} ({how} its direction of rotation)"
        )
    largest = driving_torque(wheel.torque)
    if largest:
        how = "in" if largest * sense > 0.0 else "against"
        whose = f"its direction of rotation{'' if wheel.torque == largest else ', where it drives'}"
        found.append(f"torque on {wheel.name}: {torque_text(wheel.torque)} ({how} {whose})")
    found += [f"load of {wheel.name}: {load.facts().text}" for load in wheel.loads]
    if wheel.vehicle is not None:
        found.append(f"vehicle of {wheel.name}: {wheel.vehicle.text}")
    if wheel.load_table is not None:
        found.append(f"angle-dependent load of {wheel.name}: {wheel.load_table.facts().text}, positive {_turn(-sense)}")
    for value, unit in ((wheel.load_viscous, "N m s/rad"), (wheel.load_quadratic, "N m s²/rad²")):
        if value:
            found.append(f"load of {wheel.name}: {quantity(value, unit)}, against its direction of rotation")
    return found


def _turn(sign: float) -> str:
    return "counter-clockwise" if sign > 0.0 else "clockwise"
