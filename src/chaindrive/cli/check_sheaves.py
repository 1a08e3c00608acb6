"""``chaindrive check`` for a variator: ratio, radii, wraps, and the torques that its clamping forces transmit."""

from __future__ import annotations

import math
from typing import Any

from chaindrive.analyses.results.plate_forces import plate_system
from chaindrive.cli import console
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.variator import clampings, loop_of
from chaindrive.model import Drive
from chaindrive.numbers import column, quantity

__all__ = ["clamping_table", "pin_rows", "ratio_lines", "sheave_table"]


def pin_rows(drive: Drive) -> list[tuple[str, str, str]]:
    """Return rows about the pins of a rocker-pin chain, for the table of the chain."""
    pins = drive.chain.pins
    if pins is None:
        return []
    lengths = sorted(set(drive.chain.lengths))
    mixed = " to ".join(quantity(each, "m", 6) for each in (lengths[0], lengths[-1]))
    return [
        *([("mixed pitch", mixed, "pitches")] if drive.chain.pitches is not None else []),
        ("length of a pin", quantity(pins.length, "m", 6), "pins"),
        ("half angle of the groove", f"{math.degrees(pins.half_angle):.4g} deg", "pins"),
        ("friction on the sheaves", f"{pins.friction:.4g}", "pins"),
        ("axial stiffness of a pin", quantity(pins.stiffness, "N/m"), "pins"),
        ("axial damping of a pin", quantity(pins.damping, "N s/m"), "pins"),
        *_plate_rows(drive),
    ]


def _plate_rows(drive: Drive) -> list[tuple[str, str, str]]:
    """Return rows about the plates, and a comparison of the given link stiffness with the value that follows from
    plates and bending of pins.
    """
    plates = drive.chain.plates
    if plates is None:
        return []
    counts = ", ".join(str(plates.pattern.count(link)) for link in range(plates.period))
    given = quantity(drive.chain.link_stiffness, "N/m")
    found = quantity(1.0 / plate_system(drive).extension(), "N/m")
    return [
        ("plates", f"links of {counts} plates in turn, in {len(plates.rows)} rows", "plates"),
        ("stiffness of a plate", quantity(plates.stiffness, "N/m"), "plates"),
        ("bending stiffness of a pair of pins", quantity(plates.bending_stiffness, "N m^2"), "plates"),
        ("stiffness of a link from plates and pins", f"{found}; {given} is given", "plates"),
    ]


def sheave_table(drive: Drive) -> Any:
    """Return a table of both pairs of sheaves: the radii at which the chain runs, and how the sheaves turn."""
    loop, facts = loop_of(drive), drive_facts(drive)
    numbers = (">running radius\n[mm]", ">reach\n[mm]", ">wrap\n[deg]", ">pins\nin groove", ">speed\n[rpm]")
    table = console.table(">", "sheaves", *numbers, "turns")
    pace = facts.highest_speed * loop.radii[facts.driver]
    for w, (sheave, wheel) in enumerate(zip(drive.sheaves, drive.wheels, strict=True)):
        table.add_row(
            str(w),
            console.printable(sheave.name),
            column(loop.radii[w] * 1e3, 2),
            f"{sheave.inner_radius * 1e3:.4g} to {sheave.outer_radius * 1e3:.4g}",
            column(math.degrees(loop.wraps[w]), 2),
            column(loop.wraps[w] * wheel.teeth / (2.0 * math.pi), 2),
            column(pace / loop.radii[w] * 30.0 / math.pi, 1),
            "as prescribed" if sheave.motion is not None else "freely",
        )
    return table


def clamping_table(drive: Drive) -> Any:
    """Return a table of the clamping: for each pair of sheaves the torque, the thrust that it requires, the given
    clamping force, and the torque above which the chain slips.
    """
    numbers = (">torque\n[N m]", ">thrust needed\n[kN]", ">clamping force\n[kN]", ">slips above\n[N m]")
    table = console.table("sheaves", *numbers)
    for sheave, each in zip(drive.sheaves, clampings(drive), strict=True):
        table.add_row(
            console.printable(sheave.name),
            column(each.torque, 1),
            column(each.needed * 1e-3, 3) if math.isfinite(each.needed) else "-",
            "held" if each.force is None else column(each.force * 1e-3, 3),
            "-" if each.largest_torque is None else column(each.largest_torque, 1),
        )
    return table


def ratio_lines(drive: Drive) -> tuple[str, ...]:
    """Return lines about the ratio, its control, and the spans."""
    loop, driver = loop_of(drive), drive_facts(drive).driver
    ratio = loop.ratio if driver == 0 else 1.0 / loop.ratio
    shifts = [
        f"{sheave.name!r} shifts to a running radius of {quantity(sheave.shift.running_radius, 'm', 4)} within "
        f"{quantity(sheave.shift.duration, 's')}, starting at {quantity(sheave.shift.start, 's')}."
        for sheave in drive.sheaves
        if sheave.shift is not None
    ]
    for index, (sheave, clamping) in enumerate(zip(drive.sheaves, clampings(drive), strict=True)):
        if (control := sheave.ratio_control) is not None:
            targets = (
                f"{control.targets[0]:.4g}"
                if not control.times
                else (
                    f"{control.targets[0]:.4g} to {control.targets[-1]:.4g} between "
                    f"{quantity(control.times[0], 's')} and "
                    f"{quantity(control.times[-1], 's')}"
                )
            )
            forces = f"{quantity(control.least_force, 'N')} to {quantity(control.largest_force, 'N')}"
            shifts.append(f"{sheave.name!r} keeps a ratio of {targets} with a force of {forces}.")
            if control.least_force < clamping.needed < math.inf:
                needed = quantity(clamping.needed, "N")
                shifts.append(
                    f"With a force below {needed} the chain slips at this load and ratio"
                    + ("." if index == driver else ", which the controller of a driven pair answers with less force.")
                    + " An acceleration requires more."
                )
    return (
        f"Ratio {ratio:.4f} (driving speed divided by driven speed), without slip. Centres "
        f"{quantity(loop.distance, 'm', 5)} "
        f"apart, spans of {quantity(loop.span, 'm', 5)}.",
        *(console.printable(shift) for shift in shifts),
    )
