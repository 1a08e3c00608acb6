"""Tables with the description of the drive: wheels, spans, chain, shafts, guides, bodies and tensioners."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chaindrive.analyses.carried import goods_text
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.shafts import lateral_stiffness
from chaindrive.mechanism.variator import loop_of
from chaindrive.model import largest_torque, torque_text
from chaindrive.model.body import motion_text
from chaindrive.model.ends import end_text
from chaindrive.model.load_over_time import load_text
from chaindrive.numbers import kept_together
from chaindrive.report.contents import Cell, Section, Table, amount, row, table
from chaindrive.report.subject import Subject

__all__ = ["drive_section"]

TO_DEGREES, TO_RPM = 180.0 / math.pi, 30.0 / math.pi


def drive_section(subjects: Sequence[Subject]) -> Section:
    """The section with the description of all parts of the drive. Results of the same drive share the tables."""
    groups: dict[str, list[Subject]] = {}
    for subject in subjects:
        groups.setdefault(_description(subject), []).append(subject)
    tables: list[Table] = []
    for members in groups.values():
        whose = f" of {_listed(member.label for member in members)}" if len(groups) > 1 else ""
        tables += _drive_tables(members[0].drive, whose)
        tables += _rotor_tables(members[0].solution.notes.get("turned", {}), whose)
    notes = tuple(dict.fromkeys(text for subject in subjects for text in getattr(subject.drive, "notes", ()) or ()))
    return Section("drive", "Drive", notes, tuple(tables))


def _description(subject: Subject) -> str:
    return str(subject.drive.model_dump(exclude={"run", "name"}))


def _listed(names: Iterable[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def _sheave_tables(drive: Any, whose: str) -> list[Table]:
    """Tables of both pairs of sheaves of a variator, its spans, chain and pins."""
    loop, pins = loop_of(drive), drive.chain.pins
    pairs = [
        row(
            sheave.name,
            f"{1e3 * radius:.5g}",
            f"{1e3 * sheave.inner_radius:.4g} to {1e3 * sheave.outer_radius:.4g}",
            f"{TO_DEGREES * wrap:.1f}",
            f"({1e3 * sheave.position[0]:.6g}, {1e3 * sheave.position[1]:.6g})",
            "–" if wheel.turned_inertia is None else f"{wheel.turned_inertia:.4g}",
            "held" if sheave.clamping_force is None else amount(sheave.clamping_force, "N"),
            _motion_text(wheel),
        )
        for sheave, wheel, radius, wrap in zip(drive.sheaves, drive.wheels, loop.radii, loop.wraps, strict=True)
    ]
    headings = ["pair of sheaves", ">running radius [mm]", ">groove [mm]", ">wrap [deg]", ">centre [mm]",
                ">inertia [kg m²]", ">clamping force", "motion and load"]  # fmt: skip
    of_pins = {
        "pins": f"{amount(pins.length, 'm')} long, axial stiffness {amount(pins.stiffness, 'N/m')}",
        "half angle of the groove": f"{TO_DEGREES * pins.half_angle:.4g} deg",
        "friction on the sheaves": f"{pins.friction:.4g}",
    }
    facts = [*_chain_facts(drive.chain), *of_pins.items()]
    return [
        table(f"Sheaves{whose}, as the chain is placed", headings, pairs),
        table(
            f"Spans{whose}",
            ["span", ">length [mm]"],
            [row(name, f"{1e3 * loop.span:.5g}") for name in drive.span_names],
        ),
        table(f"Chain{whose}", ["", ">"], [row(name, text) for name, text in facts]),
    ]


def _drive_tables(drive: Any, whose: str) -> list[Table]:
    chain, way = drive.chain, drive_facts(drive).route
    if drive.sheaves:
        return _sheave_tables(drive, whose)
    wheels = [
        row(
            wheel.name,
            Cell(str(wheel.teeth)),
            f"{1e3 * float(way.radii[w]):.5g}",
            f"{TO_DEGREES * float(way.wrap[w]):.1f}",
            f"({1e3 * wheel.position[0]:.6g}, {1e3 * wheel.position[1]:.6g})",
            "–" if wheel.turned_inertia is None else f"{wheel.turned_inertia:.4g}",
            wheel.tooth.form,
            _motion_text(wheel),
        )
        for w, wheel in enumerate(drive.wheels)
    ]
    tables = [
        table(
            f"Wheels{whose}, in the order in which the chain meets them",
            ["wheel", ">teeth", ">pitch radius [mm]", ">wrap [deg]", ">centre [mm]", ">inertia [kg m²]", "tooth form",
             "motion and load"],
            wheels,
        ),
        table(
            f"Spans{whose}",
            ["span", ">length [mm]", ">length [pitches]"],
            [
                row(name, f"{1e3 * float(length):.5g}", f"{float(length) / chain.pitch:.2f}")
                for name, length in zip(drive.span_names, way.span_length, strict=True)
            ],
        ),
        table(f"Chain{whose}", ["", ">"], [row(name, text) for name, text in _chain_facts(chain)]),
    ]  # fmt: skip
    parts = [
        row(each.name, kind, what)
        for each, kind, what in [
            *((wheel, "shaft", _shaft_text(wheel.shaft)) for wheel in drive.wheels if wheel.shaft is not None),
            *((w, "freewheel", _freewheel_text(w.freewheel)) for w in drive.wheels if w.freewheel is not None),
            *((guide, "guide", _guide_text(guide)) for guide in drive.guides),
            *((body, "body", _body_text(body)) for body in drive.bodies),
            *((each, "tensioner", _tensioner_text(each)) for each in drive.tensioners),
            *((each, "payload", goods_text(drive, each)) for each in drive.payloads),
        ]
    ]
    if parts:
        tables.append(table(f"Other parts{whose}", ["name", "kind", "description"], parts))
    return tables


def _rotor_tables(rotors: Mapping[str, Any], whose: str) -> list[Table]:
    """A table of the rotating masses outside the chains, from the notes of a result."""
    if not rotors:
        return []
    rows = [
        row(
            name,
            Cell(f"{facts['inertia']:.4g}"),
            Cell(f"{facts['speed']:.4g}"),
            amount(facts["shaft"]["stiffness"], "N m/rad") if "stiffness" in facts["shaft"] else "rigid",
        )
        for name, facts in rotors.items()
    ]
    headings = ["rotor", ">inertia [kg m²]", ">highest speed [rad/s]", "shaft"]
    return [table(f"Rotors outside the chains{whose}", headings, rows)]


def _chain_facts(chain: Any) -> list[tuple[str, str]]:
    facts = [
        ("links", str(chain.links)),
        *((f"{which} end", end_text(end)) for which, end in zip(("first", "second"), chain.ends or (), strict=False)),
        ("pitch", amount(chain.pitch, "m", 6)),
        (f"{chain.kind} diameter", amount(chain.roller_diameter, "m")),
        ("mass of a link", amount(1e3 * chain.link_mass, "g")),
        ("stiffness of a link", amount(chain.link_stiffness, "N/m")),
        ("damping of a link", amount(chain.link_damping, "N s/m")),
    ]
    if chain.joint_friction:
        facts.append(("friction in the joints", f"{chain.joint_friction:.4g}"))
    if chain.joint_damping:
        facts.append(("damping in the joints", amount(chain.joint_damping, "N m s/rad")))
    for name, given, factor, unit in (
        ("clearance of the joints", chain.joint_clearance, 1.0, "m"),
        ("elongation of the links", chain.elongations, 100.0, "%"),
    ):
        values = given if isinstance(given, tuple) else (given,)
        if any(values):
            ends = dict.fromkeys(amount(factor * value, unit) for value in (min(values), max(values)))
            facts.append((name, " to ".join(ends)))
    if any(chain.attached_masses):
        heavier = sum(1 for mass in chain.attached_masses if mass)
        facts.append(("attachments", f"{amount(1e3 * max(chain.attached_masses), 'g')} on {heavier} links"))
    if chain.breaking_load is not None:
        facts.append(("breaking load", amount(chain.breaking_load, "N")))
    return facts


def _motion_text(wheel: Any) -> str:
    parts = [f"with {wheel.shaft_with}"] if wheel.shaft_with else []
    motion = wheel.motion
    if motion is not None:
        words = motion.kind.replace("_", " ")
        if motion.kind == "speed_table":
            words = f"{TO_RPM * min(motion.speeds):.5g} to {TO_RPM * max(motion.speeds):.5g} rpm, {words}"
        elif hasattr(motion, "final_speed"):
            words = f"{TO_RPM * motion.initial_speed:.5g} to {TO_RPM * motion.final_speed:.5g} rpm, {words}"
        else:
            words = f"{TO_RPM * motion.speed:.5g} rpm, {words}"
        if getattr(motion, "orders", ()):
            words += " with" if motion.kind != "orders" else ""
            words += " " + ", ".join(f"{term.order:g}" for term in motion.orders)
        parts.append(words)
    if wheel.load_torque:
        parts.append(f"load {amount(wheel.load_torque, 'N m')}")
    if largest_torque(wheel.torque):
        parts.append(f"torque {torque_text(wheel.torque)}")
    if wheel.load_viscous:
        parts.append(f"viscous {amount(wheel.load_viscous, 'N m s/rad')}")
    if wheel.load_quadratic:
        parts.append(f"quadratic {amount(wheel.load_quadratic, 'N m s²/rad²')}")
    parts += [f"load {load.facts().text}" for load in wheel.loads]
    if wheel.vehicle is not None:
        parts.append(
            f"vehicle of {amount(wheel.vehicle.equivalent_mass, 'kg')}, travel {amount(wheel.vehicle.way, 'm/rad')}"
        )
    if wheel.load_table is not None:
        parts.append(f"angle-dependent torque, {kept_together(wheel.load_table.facts().text)}")
    return ", ".join(parts) or "turns freely"


def _shaft_text(shaft: Any) -> str:
    words = f"elastic, clamped {amount(shaft.length, 'm')} from the chain, {amount(lateral_stiffness(shaft), 'N/m')}"
    return words + (f", damping {amount(shaft.damping, 'N s/m')}" if shaft.damping else "")


def _freewheel_text(freewheel: Any) -> str:
    return f"drives {amount(freewheel.inertia, 'kg m²')} in one direction, {amount(freewheel.stiffness, 'N m/rad')}"


def _guide_text(guide: Any) -> str:
    contact = guide.contact
    normal = amount(contact.stiffness, f"N/m^{contact.exponent:g}" if contact.exponent != 1.0 else "N/m")
    if contact.law is not None:
        normal = f"by the law {contact.law.name}"
    words = f"{guide.shape.kind.replace('_', ' ')}, on {guide.body}, contact {normal}"
    if contact.coefficient_law is not None:
        return f"{words}, friction up to {contact.friction:g} by the law {contact.coefficient_law.name}"
    return words + (f", friction {contact.friction:g}" if contact.friction else "")


def _body_text(body: Any) -> str:
    words = f"{body.joint.kind} joint on {body.parent}, mass {amount(1e3 * body.mass, 'g')}"
    joint = body.joint
    if joint.kind == "fixed":
        return words
    unit = "N m" if joint.kind == "revolute" else "N"
    friction = f"friction {amount(joint.friction, unit)}" if joint.friction else ""
    load = load_text(joint.load, unit)
    return ", ".join(part for part in (words, friction, load and f"load {load}", motion_text(joint)) if part)


def _tensioner_text(each: Any) -> str:
    return f"{each.kind.replace('_', ' ')}, from {each.from_body} to {each.to_body}, {amount(each.stiffness, 'N/m')}"
