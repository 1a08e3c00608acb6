"""Tables of the bodies, tensioners and guides of a drive, as drawn and at rest, for ``chaindrive check``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from chaindrive.cli import console
from chaindrive.cli.check_loads import torque_line
from chaindrive.mechanism.shafts import lateral_stiffness, slope_over_deflection
from chaindrive.mechanism.stages import rotor_turnings
from chaindrive.model import Body, Drive, Guide, Tensioner, Wheel
from chaindrive.model.body import coordinate_text, motion_text
from chaindrive.model.load_over_time import load_text, start_load
from chaindrive.numbers import column, quantity, scaled

__all__ = ["mechanism_tables", "rest_tables", "rotor_lines", "shaft_lines"]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaindrive.simulation.at_rest import AtRest

_UNITS = {"revolute": ("N m/rad", "N m s/rad", "N m"), "prismatic": ("N/m", "N s/m", "N")}


def mechanism_tables(drive: Drive) -> list[Any]:
    """Return one table each for the bodies, the tensioners and the guides; none for parts that the drive does not
    have.
    """
    tables = []
    if drive.bodies:
        tables.append(_body_table(drive))
    if drive.tensioners:
        tables.append(_tensioner_table(drive.tensioners))
    if drive.guides:
        tables.append(_guide_table(drive))
    return tables


def shaft_lines(drive: Drive) -> list[str]:
    """Return lines with the deflection of every elastic shaft under one kilonewton and the tilt of its wheel, and with
    the inertia that each freewheel drives.
    """
    lines = []
    for wheel in drive.wheels:
        if wheel.freewheel is not None:
            lines.append(
                f"freewheel of {wheel.name}: drives an inertia of {wheel.freewheel.inertia:.4g} kg m^2 and the loads"
            )
        if wheel.shaft is not None:
            stiffness = lateral_stiffness(wheel.shaft)
            moved = 1e3 / stiffness
            tilt = math.degrees(moved * slope_over_deflection(wheel.shaft))
            lines.append(
                f"shaft of {wheel.name}: {quantity(stiffness, 'N/m')}; 1 kN moves the wheel by "
                f"{quantity(moved, 'm', 3)} and tilts it by {tilt:.3g} deg."
            )
    return lines


def rotor_lines(drive: Drive) -> list[str]:
    """Return lines with inertia, shaft, speed, motors and loads of every rotor."""
    lines = []
    for rotor, turning in zip(drive.rotors, rotor_turnings(drive), strict=True):
        shaft = rotor.shaft
        stage = "" if shaft.from_stage is None else f" of stage {shaft.from_stage}"
        kind = "rigid" if shaft.stiffness is None else quantity(shaft.stiffness, "N m/rad")
        lines.append(
            f"rotor {rotor.name}: {rotor.turned_inertia:.4g} kg m^2, connected to {shaft.from_wheel}{stage} "
            f"({shaft.ratio:g} times as fast, shaft {kind}), {quantity(turning.speed, 'rad/s')}"
        )
        if torque := torque_line(rotor, turning.speed):
            lines.append(torque)
        lines += [f"load of {rotor.name}: {load.facts().text}" for load in rotor.loads]
    return [f"{line}." for line in lines]


def rest_tables(drive: Drive, rest: AtRest) -> list[Any]:
    """Return tables for the drive at rest: positions of the bodies and of the wheels on bodies or elastic shafts, and
    lengths and forces of the tensioners.
    """
    tables = []
    if drive.bodies or any(wheel.shaft is not None for wheel in drive.wheels):
        tables.append(_bodies_at_rest(drive, rest))
    if drive.tensioners:
        tables.append(_tensioners_at_rest(drive, rest))
    return tables


def _bodies_at_rest(drive: Drive, rest: AtRest) -> Any:
    """Return a table of every body with the wheels on it, and then of the wheels on elastic shafts: position, and
    travel from the position in the drawing.
    """
    table = console.table(">", "body", "what", ">x\n[mm]", ">y\n[mm]", ">travel from\nthe drawing")
    for index, body in enumerate(drive.bodies):
        travel = (
            coordinate_text(body.joint, float(rest.joint_positions[index])) if body.joint.kind != "fixed" else "fixed"
        )
        x, y = (column(float(c) * 1e3, 2) for c in rest.body_positions[index])
        table.add_row(str(index), console.printable(body.name), "centre of mass", x, y, travel)
        for w, wheel in enumerate(drive.wheels):
            if wheel.body == body.name:
                table.add_row("", "", *_wheel_at_rest(wheel, rest.wheel_positions[w]))
    for w, wheel in enumerate(drive.wheels):
        if wheel.shaft is not None:
            table.add_row("", "elastic shaft", *_wheel_at_rest(wheel, rest.wheel_positions[w]))
    return table


def _wheel_at_rest(wheel: Wheel, place: NDArray[Any]) -> tuple[str, str, str, str]:
    """Return name, position and travel from the drawing of a wheel, and its tilt if it is on an elastic shaft."""
    x, y = (column(float(c) * 1e3, 2) for c in place)
    moved = math.dist(place, wheel.position)
    tilt = "" if wheel.shaft is None else f", tilted by {math.degrees(moved * slope_over_deflection(wheel.shaft)):.3g}°"
    return console.printable(f"wheel {wheel.name}"), x, y, quantity(moved, "m") + tilt


def _tensioners_at_rest(drive: Drive, rest: AtRest) -> Any:
    """Return a table with length, travel and force of every tensioner at rest."""
    factor, unit = scaled(rest.tensioner_forces.tolist(), "N")
    numbers = (">length\n[mm]", ">travel from\nthe drawing [mm]", f">force\n[{unit}]")
    table = console.table(">", "tensioner", *numbers)
    for index, tensioner in enumerate(drive.tensioners):
        length = float(rest.tensioner_lengths[index])
        drawn = math.dist(tensioner.from_position, tensioner.to_position)
        table.add_row(
            str(index),
            console.printable(tensioner.name),
            column(length * 1e3, 2),
            f"{(length - drawn) * 1e3:+.2f}",
            column(float(rest.tensioner_forces[index]) * factor, 3),
        )
    return table


def _body_table(drive: Drive) -> Any:
    """Return a table of the bodies with their joints, masses, the parts that they carry and the parts that hold
    them.
    """
    table = console.table(">", "body", "joint", ">mass\n[kg]", ">inertia\n[kg m²]", "supports", "held by")
    for index, body in enumerate(drive.bodies):
        table.add_row(
            str(index),
            console.printable(body.name),
            console.printable(_joint(body)),
            f"{body.mass:.5g}",
            f"{body.inertia:.5g}",
            console.printable(", ".join(_supported(drive, body.name)) or "nothing"),
            console.printable("; ".join(_held(drive, body)) or "nothing"),
        )
    return table


def _joint(body: Body) -> str:
    joint = body.joint
    parent = "" if body.parent == "ground" else f" of {body.parent}"
    if joint.kind == "fixed":
        return f"fixed to {body.parent}"
    if joint.kind == "prismatic":
        return f"slides at {math.degrees(joint.direction):.4g}°{parent and ' on' + parent.removeprefix(' of')}"
    x, y = (coordinate * 1e3 for coordinate in joint.position)
    return f"turns about ({x:.5g}, {y:.5g}) mm{parent}"


def _supported(drive: Drive, name: str) -> list[str]:
    """Return the names of the wheels, guides and bodies that a body supports."""
    found = [wheel.name for wheel in drive.wheels if wheel.body == name]
    found += [guide.name for guide in drive.guides if guide.body == name]
    return found + [body.name for body in drive.bodies if body.parent == name]


def _held(drive: Drive, body: Body) -> list[str]:
    """Return a list of what acts on a body: springs, dampers, loads, stops and the motion of its joint, and
    tensioners.
    """
    joint, found = body.joint, []
    if joint.kind != "fixed":
        stiffness, damping, force = _UNITS[joint.kind]
        if joint.stiffness:
            found.append(quantity(joint.stiffness, stiffness))
        if joint.damping:
            found.append(quantity(joint.damping, damping))
        if joint.friction:
            found.append(f"friction {quantity(joint.friction, force)}")
        if load := load_text(joint.load, force):
            found.append(f"load {load}")
        if joint.lower is not None or joint.upper is not None:
            found.append(_stops(joint))
        if motion := motion_text(joint):
            found.append(motion)
    return found + [t.name for t in drive.tensioners if body.name in (t.from_body, t.to_body)]


def _stops(joint: Any) -> str:
    ends = ((name, getattr(joint, name)) for name in ("lower", "upper"))
    return "stops at " + " and ".join(coordinate_text(joint, value) for _, value in ends if value is not None)


def _tensioner_table(tensioners: tuple[Tensioner, ...]) -> Any:
    """Return a table of the tensioners with the bodies between which they act, and their data in the reference
    configuration.
    """
    forces = [drawing_force(tensioner) for tensioner in tensioners]
    factor, unit = scaled(forces, "N")
    numbers = (">length\n[mm]", ">stiffness\n[N/mm]", f">force\n[{unit}]")
    table = console.table(">", "tensioner", "from", "to", *numbers, "and")
    for index, tensioner in enumerate(tensioners):
        length = math.dist(tensioner.from_position, tensioner.to_position)
        table.add_row(
            str(index),
            console.printable(tensioner.name),
            console.printable(tensioner.from_body),
            console.printable(tensioner.to_body),
            column(length * 1e3, 2),
            f"{tensioner.stiffness * 1e-3:.5g}",
            column(forces[index] * factor, 3),
            "; ".join(_features(tensioner, length)),
        )
    table.caption = "Length and force in the reference configuration; a positive force pushes the ends apart."
    return table


def drawing_force(tensioner: Tensioner) -> float:
    """Return the force of the spring and of oil at supply pressure, at rest in the reference configuration. [N]"""
    if tensioner.free_length is not None:
        length = math.dist(tensioner.from_position, tensioner.to_position)
        force = tensioner.stiffness * (tensioner.free_length - length)
    else:
        force = tensioner.preload or 0.0
    if tensioner.kind == "hydraulic":
        force += start_load(tensioner.supply_pressure) * 0.25 * math.pi * tensioner.piston_diameter**2
    return force


def _features(tensioner: Tensioner, length: float) -> list[str]:
    found = []
    if tensioner.kind == "hydraulic":
        piston = f"piston of {quantity(tensioner.piston_diameter, 'm')}"
        supply = tensioner.supply_pressure
        text = f"at {supply * 1e-5:.4g} bar" if isinstance(supply, float) else load_text(supply, "Pa")
        found.append(f"{piston}, oil {text}")
        if tensioner.leakage is not None:
            found.append(f"gap of {quantity(tensioner.leakage.gap, 'm')}")
    if tensioner.damping:
        found.append(f"damping {quantity(tensioner.damping, 'N s/m')}")
    if tensioner.shortest is not None or tensioner.longest is not None:
        ends = [quantity(end, "m") for end in (tensioner.shortest, tensioner.longest) if end is not None]
        found.append(f"stops at {' and '.join(ends)}")
    if tensioner.ratchet is not None:
        pitch = tensioner.ratchet.pitch
        found.append(f"ratchet of {quantity(pitch, 'm')}" if pitch else "ratchet without steps")
    return found


def _guide_table(drive: Drive) -> Any:
    """Return a table of the guides: shape, side, length, indentation into the chain, and contact."""
    numbers = (">length\n[mm]", ">indentation\n[mm]", ">contact at\n[mm]", ">friction")
    table = console.table(">", "guide", "on", "shape", *numbers, "stiffness")
    for index, guide in enumerate(drive.guides):
        radius = 0.5 * drive.chain.roller_diameter if guide.contact_radius is None else guide.contact_radius
        contact = guide.contact
        table.add_row(
            str(index),
            console.printable(guide.name),
            console.printable(guide.body),
            _shape(guide),
            column(_length(guide) * 1e3, 1),
            column(guide.shape.indentation * 1e3, 2),
            column(radius * 1e3, 2),
            f"{contact.friction:.3g}",
            console.printable(contact.law.name)
            if contact.law is not None
            else quantity(contact.stiffness, f"N/m^{contact.exponent:g}" if contact.exponent != 1.0 else "N/m"),
        )
    table.caption = (
        "Lengths exclude rounded ends. Contact begins at the listed distance between roller centre and surface."
    )
    return table


def _length(guide: Guide) -> float:
    """Return the length of the flat part, or of the path. [m]"""
    shape = guide.shape
    if shape.kind == "straight":
        return math.dist(shape.start, shape.end)
    return shape.length if shape.kind == "on_span" else sum(piece.length for piece in shape.pieces)


def _shape(guide: Guide) -> str:
    shape = guide.shape
    turned = f", turned by {math.degrees(shape.rotation):.4g}°" if shape.rotation else ""
    if shape.kind == "on_span":
        return f"{shape.side} of span {shape.span} at {shape.at:.4g}{turned}"
    if shape.kind == "straight":
        return f"straight, {shape.side} of the chain{turned}"
    count = len(shape.pieces)
    return f"path of {count} piece{'s' if count > 1 else ''}, {shape.side} of the chain{turned}"
