"""``chaindrive analyze``: what closed forms and the linear model say about a drive, without simulating it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chaindrive.analyses import contact_stiffness, formulas
from chaindrive.analyses.modes import drive_model, full_modes, wheel_modes
from chaindrive.analyses.operating import (
    OperatingPoint,
    ToothLoads,
    critical_speeds,
    joint_loss,
    load_power,
    operating_point,
    span_frequencies,
    tooth_loads,
)
from chaindrive.cli import console
from chaindrive.cli.drives import named_drive
from chaindrive.cli.numbers import column, quantity, scaled
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.geometry.profile import Arc
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.model import Drive
from chaindrive.units import to_si

__all__ = ["analyze"]

RPM = 30.0 / math.pi
ORDERS = (1.0, 2.0, 4.0, 6.0)
"""Orders of the driver for critical speeds, beside those of its own motion."""
MODES_SHOWN = 8
ASSUMED_FRICTION = 0.1
"""Of pin in bush, where the drive says nothing."""
LONG_WRAP = 10
"""Rollers from which on Binder's sum for two spans can be trusted."""


def analyze(typed: str, changes: list[str], orders: str | None, tension: str | None) -> None:
    """Print the linear and closed-form results of a drive.

    tension: of all spans or of each, such as "19 kN"; None: that of the static equilibrium.
    Raises InputError with everything that is wrong, ComputationError when there is no static equilibrium.
    """
    drive, _ = named_drive(typed, changes)
    wanted = _orders(drive, orders)
    given = None if tension is None else _tensions(drive, tension)
    if given is not None:
        point = operating_point(drive, given)
        drive_model(drive)  # whether the chain fits
    else:
        with console.err().status("compiling, and looking for the static equilibrium ..."):
            point, warnings = _at_rest(drive)
        for warning in warnings:
            console.warn(warning)
    console.say(drive.name, "bold")
    loads = tooth_loads(point)
    console.out().print(_pace(point))
    _show_spans(point, given is None)
    _show_critical_speeds(point, wanted)
    _show_polygons(point)
    _show_modes(point)
    _show_loads(point, loads)
    _show_contacts(point, loads)
    _show_losses(point)


def _show(table: Any, note: str = "") -> None:
    """Print a table with an empty line before it, and a note under it that fills the width of the terminal."""
    console.say()
    console.out().print(table)
    if note:
        console.out().print(console.printable(note), style="dim")


def _orders(drive: Drive, typed: str | None) -> list[float]:
    """Orders that were asked for, or the usual ones and those of the driver's motion, in increasing order."""
    if typed is None:
        own = [term.order for wheel in drive.wheels for term in getattr(wheel.motion, "orders", ())]
        return sorted({*ORDERS, *own})[:6]
    found, problems = set(), []
    for text in typed.split(","):
        try:
            order = float(text)
        except ValueError:
            order = math.nan
        if 0.0 < order <= 1000.0:
            found.add(order)
        else:
            problems.append(Problem("--orders", "wants numbers above 0, at most 1000, such as 1,2,6", repr(text)))
    if len(found) > 6:
        problems.append(Problem("--orders", "shows six at most", str(len(found))))
    if problems:
        raise InputError(problems)
    return sorted(found)


def _tensions(drive: Drive, typed: str) -> list[float]:
    """The tension of every span from one text for all or one for each, joined by commas. [N]"""
    found, problems = [], []
    for text in typed.split(","):
        try:
            value = to_si(text.strip(), "N")
        except ValueError as error:
            problems.append(Problem("--tension", str(error), repr(text)))
            continue
        if not 0.0 < value <= 1e12:
            problems.append(Problem("--tension", "must be above 0 and at most 1e12 N", repr(text)))
        found.append(value)
    count = len(drive.wheels)
    if not problems and len(found) not in (1, count):
        problems.append(Problem("--tension", f"wants one value, or one for each of the {count} spans", str(len(found))))
    if problems:
        raise InputError(problems)
    return found * count if len(found) == 1 else found


def _at_rest(drive: Drive) -> tuple[OperatingPoint, tuple[str, ...]]:
    from chaindrive.start import prepare

    started = prepare(drive)
    tension = started.system.notes.get("static_span_tension")
    if tension is None:
        raise ComputationError(
            "no static equilibrium was found, and with it no span tensions",
            "give the tensions of the spans with --tension; chaindrive check shows how well the chain fits",
        )
    return operating_point(started.drive, tension), started.system.warnings


def _pace(point: OperatingPoint) -> Any:
    drive, mass = point.drive, point.mass_per_length
    wheel = drive.wheels[point.driver]
    rows: list[tuple[str, object]] = [
        ("driver", f"{wheel.name}, {point.driver_speed * RPM:.4g} rpm"),
        ("chain speed", quantity(point.chain_speed, "m/s")),
        ("mesh (tooth) frequency", quantity(point.tooth_frequency, "Hz")),
    ]
    if point.driver_speed > 0.0:
        rows.append(
            ("loop time", quantity(formulas.loop_time(drive.chain.links, point.driver_speed, wheel.teeth), "s"))
        )
    rows.append(("centrifugal tension", quantity(formulas.centrifugal_tension(mass, point.chain_speed), "N")))
    return console.grid(*rows)


def _span_names(point: OperatingPoint) -> list[str]:
    names = [wheel.name for wheel in point.drive.wheels]
    return [console.printable(f"{name} to {after}") for name, after in zip(names, names[1:] + names[:1], strict=True)]


def _show_spans(point: OperatingPoint, at_equilibrium: bool) -> None:
    factor, unit = scaled(point.tension, "N")
    at_rest, first, second = (
        span_frequencies(point, mode, running) for mode, running in ((1, False), (1, True), (2, True))
    )
    made = console.table(
        ">",
        "span",
        f">tension\n{'at rest' if at_equilibrium else 'given'} [{unit}]",
        ">f1 at rest\n[Hz]",
        ">f1 running\n[Hz]",
        ">f2 running\n[Hz]",
        title="Transverse frequencies of the spans",
    )
    for k, name in enumerate(_span_names(point)):
        numbers = (point.tension[k] * factor, at_rest[k], first[k], second[k])
        made.add_row(str(k), name, *(column(float(x), 3) for x in numbers))
    _show(
        made,
        "Moving string; nan: the span runs above its critical speed."
        + (
            " A running chain often carries more than at rest, as its rollers leave the bottom of their seats: "
            "--tension takes what a run says."
            if at_equilibrium
            else ""
        ),
    )


def _show_critical_speeds(point: OperatingPoint, orders: list[float]) -> None:
    speeds = critical_speeds(point, orders) * RPM
    made = console.table(
        ">",
        "span",
        ">teeth",
        *(f">order\n{order:g}" for order in orders),
        title=f"Critical speeds of {point.drive.wheels[point.driver].name} [rpm]",
    )
    for k, name in enumerate(_span_names(point)):
        made.add_row(str(k), name, *(column(float(speed), 1) for speed in speeds[:, k]))
    _show(
        made,
        "Where teeth or an order of the driver meet f1. A tension that varies with order 2k makes the span unstable at "
        "the speed of order k.",
    )


def _show_polygons(point: OperatingPoint) -> None:
    made = console.table(
        ">",
        "wheel",
        ">teeth",
        ">speed\nripple [%]",
        ">1st harm.\n[%]",
        ">rise\n[mm]",
        ">acceleration\n[m/s^2]",
        title="Polygonal action",
    )
    for w, wheel in enumerate(point.drive.wheels):
        z, pitch = wheel.teeth, point.drive.chain.pitch
        speed = 2.0 * math.pi * point.tooth_frequency / z
        made.add_row(
            str(w),
            console.printable(wheel.name),
            str(z),
            column(100.0 * formulas.polygon_speed_fluctuation(z), 4),
            column(100.0 * formulas.polygon_harmonic(z), 4),
            column(1e3 * formulas.polygon_rise(z, pitch), 4),
            column(formulas.polygon_acceleration(speed, pitch), 2),
        )
    _show(made)


def _show_modes(point: OperatingPoint) -> None:
    model = drive_model(point.drive)
    full, alone = full_modes(model, MODES_SHOWN), wheel_modes(model, MODES_SHOWN)
    turn = point.driver_speed / (2.0 * math.pi)
    hanging = f" Left out: span {', '.join(map(str, model.slack))}, which hangs." if model.slack else ""
    made = console.table(
        ">mode",
        ">full\n[Hz]",
        ">order of\nthe driver",
        ">wheels alone\n[Hz]",
        "moves most",
        title="System eigenfrequencies (longitudinal)",
    )
    for i, frequency in enumerate(full.frequency):
        made.add_row(
            str(i + 1),
            column(float(frequency), 3),
            column(float(frequency) / turn, 2) if turn > 0.0 else "",
            column(float(alone.frequency[i]), 3) if i < alone.frequency.size else "",
            _moves_most(point, full, i, model.radius),
        )
    _show(made, f"Prescribed wheels held, inertias with the wrapped chain.{hanging}")


def _moves_most(point: OperatingPoint, modes: Any, mode: int, radius: Any) -> str:
    wheels = np.abs(modes.wheel_angle[mode] * radius)
    rollers = np.abs(modes.roller_displacement[mode])
    if rollers.size and rollers.max() > 1.0001 * wheels.max():
        return f"span {modes.roller_span[int(rollers.argmax())]}"
    return console.printable(point.drive.wheels[int(wheels.argmax())].name)


def _show_loads(point: OperatingPoint, loads: list[ToothLoads]) -> None:
    factor, unit = scaled([force for load in loads for force in (load.first, load.last)], "N")
    short = any(load.rollers < LONG_WRAP for load in loads)
    made = console.table(
        ">",
        "wheel",
        ">rollers",
        ">pressure\nangle [deg]",
        f">first tooth\n[{unit}]",
        f">last tooth\n[{unit}]",
        title="Tooth loads (Binder)",
    )
    for w, (wheel, load) in enumerate(zip(point.drive.wheels, loads, strict=True)):
        made.add_row(
            str(w),
            console.printable(wheel.name),
            f"{load.rollers}{'*' if load.rollers < LONG_WRAP else ''}",
            column(math.degrees(formulas.pressure_angle(wheel.teeth)), 2),
            column(load.first * factor, 3),
            column(load.last * factor, 3),
        )
    _show(made, "* Short wrap: the sum for two tight spans gives too much." if short else "")


def _show_contacts(point: OperatingPoint, loads: list[ToothLoads]) -> None:
    """Stiffness of roller in seat at the larger tooth load: the drive's own law beside what the geometry gives."""
    chain = point.drive.chain
    if chain.inner_width is None:
        console.say()
        console.say("Contact stiffness: needs chain.inner_width.", "dim")
        return
    materials = contact_stiffness.compliance(contact_stiffness.STEEL, contact_stiffness.STEEL)
    made = console.table(
        ">",
        "wheel",
        ">load\n[N]",
        ">drive's own\n[MN/m]",
        ">Dubowsky-F.\n[MN/m]",
        ">ESDU 78035\n[MN/m]",
        ">Johnson\n[MN/m]",
        title="Contact stiffness, load over penetration",
    )
    for w, (wheel, load) in enumerate(zip(point.drive.wheels, loads, strict=True)):
        force, seat = max(load.first, load.last), _seat_radius(point.drive, w)
        if seat is None or not force > 0.0:
            continue
        own = wheel.contact or point.drive.contact
        values = [own.stiffness ** (1.0 / own.exponent) * force ** (1.0 - 1.0 / own.exponent)]
        laws: tuple[contact_stiffness.LineLaw, ...] = ("dubowsky-freudenstein", "esdu-78035", "johnson")
        for law in laws:
            contact = contact_stiffness.line_contact(
                law, 0.5 * chain.roller_diameter, -seat, chain.inner_width, materials
            )
            values.append(chain.strands * float(contact.secant_stiffness(force / chain.strands)))
        numbers = (column(value * 1e-6, 1) if math.isfinite(value) else "-" for value in values)
        made.add_row(str(w), console.printable(wheel.name), column(force, 0), *numbers)
    if made.row_count:
        _show(made, "Steel roller in its seat (206 GPa, 0.3), along the inner width; strands side by side.")


def _seat_radius(drive: Drive, wheel: int) -> float | None:
    """Radius of the arc in which a roller rests [m], None where there is none that is wider than the roller."""
    tooth, chain = drive.wheels[wheel].tooth, drive.chain
    options = tooth.model_dump(exclude={"form"}, exclude_none=True)
    gap = tooth_profile(tooth.form, drive.wheels[wheel].teeth, chain.pitch, chain.roller_diameter, **options)
    seat = gap.elements[0]
    if not isinstance(seat, Arc) or seat.curvature >= 0.0 or seat.radius <= 0.5 * chain.roller_diameter * (1 + 1e-9):
        return None
    return seat.radius


def _show_losses(point: OperatingPoint) -> None:
    chain = point.drive.chain
    if chain.pin_diameter is None:
        console.say()
        console.say("Friction of the joints: needs chain.pin_diameter.", "dim")
        return
    friction = chain.joint_friction or ASSUMED_FRICTION
    loss, power = joint_loss(point, friction, chain.pin_diameter), load_power(point)
    assumed = "" if chain.joint_friction else " (assumed)"
    rows: list[tuple[str, object]] = [
        (f"lost in the joints, friction {friction:g}{assumed}", quantity(loss, "W")),
        ("taken by loads and bearings", quantity(power, "W")),
    ]
    if power > 0.0:
        rows.append(("efficiency, joints only", f"{100.0 * power / (power + loss):.2f} %"))
    console.say()
    console.out().print(console.grid(*rows))
