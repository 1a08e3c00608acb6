"""Directions of the loads of the wheels, for ``chaindrive check``."""

from __future__ import annotations

from chaindrive.analyses.analytical.conveyor_pull import is_conveyor, pull_text
from chaindrive.analyses.carried import goods_text
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, Rotor, Wheel, driving_torque, torque_text
from chaindrive.numbers import quantity

__all__ = ["load_lines", "torque_line"]


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
    if torque := torque_line(wheel, sense):
        found.append(torque)
    found += [f"load of {wheel.name}: {load.facts().text}" for load in wheel.loads]
    if wheel.vehicle is not None:
        found.append(f"vehicle of {wheel.name}: {wheel.vehicle.text}")
    if wheel.load_table is not None:
        found.append(f"angle-dependent load of {wheel.name}: {wheel.load_table.facts().text}, positive {_turn(-sense)}")
    for value, unit in ((wheel.load_viscous, "N m s/rad"), (wheel.load_quadratic, "N m s²/rad²")):
        if value:
            found.append(f"load of {wheel.name}: {quantity(value, unit)}, against its direction of rotation")
    return found


def torque_line(part: Wheel | Rotor, sense: float) -> str:
    """Return a text with the torque on a wheel or rotor, and whether it drives in its direction of rotation or brakes;
    an empty string without a torque.

    sense: above 0 if the part turns counter-clockwise, else below 0.
    """
    largest = driving_torque(part.torque)
    if not largest:
        return ""
    helps = largest * sense > 0.0
    how = f"{'in' if helps else 'against'} its direction of rotation"
    if part.torque != largest:
        how += ", where it drives" if helps else ", which it brakes"
    return f"torque on {part.name}: {torque_text(part.torque)} ({how})"


def _turn(sign: float) -> str:
    return "counter-clockwise" if sign > 0.0 else "clockwise"
