"""The tables of ``chaindrive analyze``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from chaindrive.analyses.analytical import contact_stiffness, formulas
from chaindrive.analyses.analytical.conveyor_pull import is_straight
from chaindrive.analyses.analytical.operating import (
    OperatingPoint,
    ToothLoads,
    critical_speeds,
    joint_loss,
    load_power,
    span_frequencies,
    tooth_loads,
)
from chaindrive.analyses.carried import carried_text
from chaindrive.analyses.linear.linearised import frequencies_by_part, in_line, mode_shares, system_modes
from chaindrive.analyses.linear.modes import drive_model, full_modes, wheel_modes
from chaindrive.cli import console
from chaindrive.contract.system import System
from chaindrive.geometry.profile import Arc
from chaindrive.mechanism.stages import number_of_spans
from chaindrive.mechanism.teeth import tooth_gap
from chaindrive.model import Drive
from chaindrive.numbers import column, quantity, scaled
from chaindrive.simulation.start import prepare

__all__ = [
    "pace",
    "show_critical_speeds",
    "show_everything_together",
    "show_forces",
    "show_modes",
    "show_polygons",
    "show_spans",
]

RPM = 30.0 / math.pi
MODES_SHOWN = 8
MODES_OF_A_PART = 3
"""Number of frequencies that are shown for every part of the linearised drive."""
MODES_PER_SPAN = 20
"""Number of modes of the linearised drive that are computed per span."""
ASSUMED_FRICTION = 0.1
"""Friction coefficient between pin and bush, if the drive gives none."""
NO_POWER = 1e-6
"""Power of the loads that counts as none, relative to the power lost in the joints. [-]"""
LONG_WRAP = 10
"""Number of rollers from which Binder's sum for two spans is reliable."""


def _show(table: Any, note: str = "") -> None:
    """Print an empty line, a table, and below it a note that is wrapped to the width of the terminal."""
    console.say()
    console.out().print(table)
    if note:
        console.out().print(console.printable(note), style="dim")


def pace(point: OperatingPoint) -> Any:
    """Return a table of speeds, times, the centrifugal tension and the critical damping of the links (Eq. 4.62)."""
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
    chain = drive.chain
    for name, links in (("chain", chain.links), ("one link", 1)):
        critical = float(formulas.critical_link_damping(links, chain.link_mass, chain.link_stiffness))
        has = f"{100.0 * chain.link_damping / critical:.3g} %"
        rows.append((f"critical link damping, {name}", f"{quantity(critical, 'N s/m')} (the links have {has})"))
    return console.grid(*rows)


def show_spans(point: OperatingPoint, at_equilibrium: bool, loaded: bool) -> None:
    """Print the tensions and transverse frequencies of the spans. at_equilibrium: whether the tensions are those at
    rest; loaded: whether they include the loads that act at speed.
    """
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
    rails, carries = bool(point.drive.guides), carried_text(point.drive)
    for k, name in enumerate(point.drive.span_names):
        numbers = (point.tension[k] * factor, at_rest[k], first[k], second[k])
        made.add_row(str(k), console.printable(name), *(column(float(x), 3) for x in numbers))
    _show(
        made,
        "Frequencies of a moving string; nan if the span runs above its critical speed."
        + (" Attachments and goods are included with their mean mass per length." if carries else "")
        + " At rest, loads act as they do at this speed." * (at_equilibrium and loaded)
        + (
            " The tension of a running chain is often higher than at rest, because its rollers ride up from the bottom "
            "of their seats; give the tension from a run with --tension."
            if at_equilibrium
            else ""
        )
        + (
            " Guides, which divide a span, are not included here, nor is friction on them; the linearised frequencies "
            "include guides."
            if rails
            else ""
        ),
    )


def show_critical_speeds(point: OperatingPoint, orders: list[float]) -> None:
    """Print two tables with the speeds at which excitations coincide with the frequencies of the spans, and with twice
    these frequencies.
    """
    driver = console.printable(point.drive.wheels[point.driver].name)
    for parametric in (False, True):
        fixed, relaxed = (RPM * critical_speeds(point, orders, 1, eta, parametric) for eta in (0.0, 1.0))
        made = console.table(
            ">",
            "span",
            ">eta",
            ">teeth",
            *(f">order\n{order:g}" for order in orders),
            title=f"{'Half-order (parametric) critical' if parametric else 'Critical'} speeds of {driver} [rpm]",
        )
        for k, name in enumerate(point.drive.span_names):
            stays, grows = ([column(float(x), 1) for x in each[:, k]] for each in (fixed, relaxed))
            if stays == grows:
                made.add_row(str(k), console.printable(name), "0, 1", *stays)
                continue
            cells = (f"{one}\n{other}" for one, other in zip(stays, grows, strict=True))
            made.add_row(str(k), console.printable(name), "0\n1", *cells)
        note = (
            "Speeds at which the tooth frequency or an order of the driver equals 2 f1: a tension fluctuation at "
            "that frequency makes the span unstable."
            if parametric
            else "Speeds at which the tooth frequency or an order of the driver equals f1. With eta = 0 the tension "
            "does not depend on the speed; with eta = 1 the centrifugal tension is added to it (Eq. 4.31)."
        )
        _show(made, note)


def show_polygons(point: OperatingPoint) -> None:
    """Print the polygonal action of the sprockets."""
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


def show_modes(point: OperatingPoint) -> None:
    """Print the modes of the full longitudinal model, and of the wheels alone."""
    model = drive_model(point.drive)
    full, alone = full_modes(model, MODES_SHOWN), wheel_modes(model, MODES_SHOWN)
    turn = point.driver_speed / (2.0 * math.pi)
    names = point.drive.span_names
    hanging = f" Not included: slack span {', '.join(names[k] for k in model.slack)}." if model.slack else ""
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
    turning = "" if model.fixed else " At 0 Hz the whole drive turns, because no wheel is held."
    _show(
        made,
        f"Seats are rigid, wheel centres and wheels with a prescribed motion are held, and inertias include the "
        f"wrapped chain.{turning}{hanging}",
    )


def show_everything_together(drive: Drive, system: System, alone: bool = False) -> None:
    """Print the lowest frequencies of a drive, linearised at rest, grouped by the part that moves most.

    alone: whether the frequencies are those of this chain without the other chains and rotors of the drive. In the
    formulation 'spatial', all wheels are moved into one plane, which changes the position at rest.
    """
    flat = in_line(drive)
    if flat is not drive:
        system = prepare(flat, start="at_rest").system
    modes = system_modes(system, MODES_PER_SPAN * number_of_spans(drive))
    shares = mode_shares(system, modes)
    found = frequencies_by_part(modes, shares)
    made = console.table(
        "moves most",
        *(f">{name}\n[Hz]" for name in ("first", "second", "third")),
        title="System eigenfrequencies (linearised)",
    )
    for part, frequencies in found.items():
        cells = [column(float(value), 3) for value in frequencies[:MODES_OF_A_PART]]
        made.add_row(console.printable(part), *cells, *[""] * (MODES_OF_A_PART - len(cells)))
    _show(
        made,
        _together(drive.run.formulation.kind, system.story.notes.get("left_out", ()), "span" in shares.kind, alone)
        + " Offset or tilted wheels are moved into one plane." * (flat is not drive)
        + f" {modes.missing} modes are missing, because their frequencies are too close." * bool(modes.missing)
        + " nan: nothing restores this motion, because the position at rest is unstable or not determined."
        * any(bool(np.isnan(frequencies[:MODES_OF_A_PART]).any()) for frequencies in found.values())
        + " Links are held in the plane, because their free play on teeth and in joints has no frequency."
        * bool(system.modes.playing.size),
    )


def _together(kind: str, left_out: Sequence[str], spans: bool, alone: bool) -> str:
    """Return a description of what the modes at rest include; spans: whether any part is a span, whose frequencies are
    lower when it runs; alone: without the parts that are joined to the chain by shafts.
    """
    what = "This chain at rest, without the parts that its shafts drive" if alone else "The complete drive at rest"
    without = f", which omits: {', '.join(left_out)}" if left_out else ""
    running = " and chain speed, which lowers the frequencies of the spans (above)" if spans else ""
    return f"{what}, in the formulation {kind!r}{without}; without damping{running}."


def _moves_most(point: OperatingPoint, modes: Any, mode: int, radius: Any) -> str:
    wheels = np.abs(modes.wheel_angle[mode] * radius)
    rollers = np.abs(modes.roller_displacement[mode])
    if rollers.size and rollers.max() > 1.0001 * wheels.max():
        return console.printable(point.drive.span_names[modes.roller_span[int(rollers.argmax())]])
    return console.printable(point.drive.wheels[int(wheels.argmax())].name)


def show_forces(point: OperatingPoint) -> None:
    """Print the tooth and link loads, the contact stiffness at these loads, and the losses in the joints."""
    loads = tooth_loads(point)
    _show_loads(point, loads)
    _show_contacts(point, loads)
    _show_losses(point)


def _show_loads(point: OperatingPoint, loads: list[ToothLoads]) -> None:
    """Print the tooth and link loads on every wheel."""
    factor, unit = scaled([force for load in loads for force in (load.first, load.last)], "N")
    made = console.table(
        ">",
        "wheel",
        ">rollers",
        ">pressure\nangle\n[deg]",
        ">friction\nangle\n[deg]",
        f">first\ntooth\n[{unit}]",
        f">last\ntooth\n[{unit}]",
        f">least\ntooth\n[{unit}]",
        f">least\nlink\n[{unit}]",
        title="Tooth and link loads (Binder, ASA teeth)",
    )
    for w, (wheel, load) in enumerate(zip(point.drive.wheels, loads, strict=True)):
        made.add_row(
            str(w),
            console.printable(wheel.name),
            f"{load.rollers}{'*' if load.rollers < LONG_WRAP else ''}",
            column(math.degrees(formulas.pressure_angle(wheel.teeth)), 2),
            column(math.degrees(load.shift), 2),
            *(column(float(force) * factor, 2) for force in (load.first, load.last, load.tooth.min())),
            column(float(load.link.min()) * factor, 2) if load.link.size else "",
        )
    notes = []
    if any(load.shift > 0.0 for load in loads):
        notes.append(
            "The friction angle is added to the pressure angle where rollers lose load on their way around the "
            "wheel, and subtracted where they gain load (Naji and Marshek)."
        )
    if others := sorted({wheel.tooth.form for wheel in point.drive.wheels} - {"asa-ii"}):
        notes.append(
            f"The pressure angle is that of a new chain on ASA teeth (asa-ii). In gaps of the form {', '.join(others)} "
            "it may depend on the load, and the first tooth may carry a third more or less."
        )
    if any(load.rollers < LONG_WRAP for load in loads):
        notes.append("* Short wrap: the sum for two tight spans gives loads that are too high.")
    _show(made, " ".join(notes))


def _show_contacts(point: OperatingPoint, loads: list[ToothLoads]) -> None:
    """Print the contact stiffness of a roller in its seat at the larger of the first and the last tooth load, from the
    contact law of the drive and from geometry.
    """
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
        title="Contact stiffness, load divided by penetration",
    )
    for w, (wheel, load) in enumerate(zip(point.drive.wheels, loads, strict=True)):
        force, seat = max(load.first, load.last), _seat_radius(point.drive, w)
        if seat is None or not force > 0.0:
            continue
        own = wheel.contact or point.drive.contact
        values = [force / float(own.penetration(force))]
        laws: tuple[contact_stiffness.LineLaw, ...] = ("dubowsky-freudenstein", "esdu-78035", "johnson")
        for law in laws:
            contact = contact_stiffness.line_contact(
                law, 0.5 * chain.roller_diameter, -seat, chain.inner_width, materials
            )
            values.append(chain.strands * float(contact.secant_stiffness(force / chain.strands)))
        numbers = (column(value * 1e-6, 1) if math.isfinite(value) else "-" for value in values)
        made.add_row(str(w), console.printable(wheel.name), column(force, 0), *numbers)
    if made.row_count:
        _show(
            made, "Steel roller in its seat (206 GPa, Poisson's ratio 0.3) over the inner width, all strands together."
        )


def _seat_radius(drive: Drive, wheel: int) -> float | None:
    """Return the radius of the arc in which a roller rests [m]; None if no arc is wider than the roller."""
    seat, roller = tooth_gap(drive, wheel).elements[0], 0.5 * drive.chain.roller_diameter
    if not isinstance(seat, Arc) or seat.curvature >= 0.0 or seat.radius <= roller * (1 + 1e-9):
        return None
    return seat.radius


def _show_losses(point: OperatingPoint) -> None:
    """Print the power lost in the joints, the power absorbed by loads, bearings, goods and rails, and the efficiency.

    A power that is only the rounding of torques that cancel counts as none.
    """
    chain = point.drive.chain
    if chain.pin_diameter is None:
        console.say()
        console.say("Friction of the joints: needs chain.pin_diameter.", "dim")
        return
    friction = chain.joint_friction or ASSUMED_FRICTION
    loss, power = joint_loss(point, friction, chain.pin_diameter), load_power(point)
    assumed = "" if chain.joint_friction else " (assumed)"
    rows: list[tuple[str, object]] = [(f"lost in the joints, friction {friction:g}{assumed}", quantity(loss, "W"))]
    if abs(power) > NO_POWER * loss:
        rows.append((f"power of {_absorbing(point.drive)}", quantity(power, "W")))
    if power > NO_POWER * loss:
        rows.append(("efficiency, joints only", f"{100.0 * power / (power + loss):.2f} %"))
    console.say()
    console.out().print(console.grid(*rows))


def _absorbing(drive: Drive) -> str:
    """Return the names of the parts that absorb power, such as "loads, bearings and goods"."""
    parts = ["loads", "bearings"] + ["goods"] * bool(drive.payloads)
    parts += ["straight rails"] * any(is_straight(guide) for guide in drive.guides)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
