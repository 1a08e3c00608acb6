"""``chaindrive check``: what a drive is, whether its chain fits, and how it stands at rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chaindrive.cli import console
from chaindrive.cli.check_mechanism import mechanism_tables
from chaindrive.cli.drives import named_drive
from chaindrive.cli.pictures import default_picture, save_picture
from chaindrive.errors import InputError
from chaindrive.geometry.route import Route, length_in_pitches, pitch_radius, route
from chaindrive.model import Drive
from chaindrive.numbers import column, quantity, scaled

__all__ = ["check"]


def check(typed: str, changes: list[str], draw: Path | None, no_draw: bool) -> None:
    """Validate a drive, print its tables, draw it.

    Raises InputError with everything that is wrong, after the tables of what can be said nevertheless.
    """
    drive, stem = named_drive(typed, changes)
    console.say(drive.name, "bold")
    if drive.source:
        console.say(drive.source, "dim")
    console.out().print(chain_table(drive))
    for table in mechanism_tables(drive):
        console.out().print(table)
    if drive.preload is not None:
        _show_route(drive)
        console.headline("With the preload")
    with console.err().status("compiling, and looking for the static equilibrium ..."):
        try:
            started = _prepare(drive)
        except InputError:
            if drive.preload is None:
                _show_route(drive)
            raise
    _show_route(started.drive, started.system.notes.get("static_span_tension"))
    console.out().print(_statics(started.system.notes))
    for warning in started.system.warnings:
        console.warn(warning)
    if not no_draw:
        _draw(started.drive, draw, stem)


def _prepare(drive: Drive) -> Any:
    from chaindrive.start import prepare

    return prepare(drive)


def _show_route(drive: Drive, tensions: Sequence[float] | None = None) -> None:
    way = _route(drive)
    console.out().print(wheel_table(drive, way))
    console.out().print(span_table(drive, way, tensions))
    console.say(length_line(drive, way))


def _route(drive: Drive) -> Route:
    loop = 1.0 if drive.loop == "counterclockwise" else -1.0
    signs = [loop if wheel.side == "front" else -loop for wheel in drive.wheels]
    teeth = [wheel.teeth for wheel in drive.wheels]
    return route([wheel.position for wheel in drive.wheels], pitch_radius(drive.chain.pitch, teeth), signs)


def chain_table(drive: Drive) -> Any:
    """The chain: every value, and where it comes from when it was not given."""
    chain, sources = drive.chain, drive.chain.sources
    mass = quantity(chain.link_mass * 1e3, "g", 6) if chain.link_mass < 1.0 else f"{chain.link_mass:.6g} kg"
    rows = [
        ("links", str(chain.links), "links"),
        ("pitch", quantity(chain.pitch, "m", 6), "pitch"),
        ("roller diameter", quantity(chain.roller_diameter, "m", 6), "roller_diameter"),
        ("mass of a link", mass, "link_mass"),
        ("stiffness of a link", quantity(chain.link_stiffness, "N/m"), "link_stiffness"),
        ("damping of a link", quantity(chain.link_damping, "N s/m"), "link_damping"),
    ]
    if chain.joint_damping:
        rows.append(("damping of a joint", f"{chain.joint_damping:.4g} N m s/rad", "joint_damping"))
    if chain.joint_friction:
        rows.append(("friction in a joint", f"{chain.joint_friction:.4g}", "joint_friction"))
    if chain.breaking_load is not None:
        rows.append(("breaking load", quantity(chain.breaking_load, "N"), "breaking_load"))
    table = console.table("chain", f">{console.printable(chain.standard or '')}", "")
    for name, value, field in rows:
        source = sources.get(field, "given")
        table.add_row(name, value, "" if source == "given" else console.printable(source))
    return table


def wheel_table(drive: Drive, way: Route) -> Any:
    """The wheels in the order of the route."""
    numbers = (">pitch radius\n[mm]", ">wrap\n[deg]", ">teeth\nin mesh")
    table = console.table(">", "wheel", "side", ">teeth", *numbers, "turns")
    for index, wheel in enumerate(drive.wheels):
        wrap = float(way.wrap[index])
        table.add_row(
            str(index),
            console.printable(wheel.name),
            wheel.side,
            str(wheel.teeth),
            column(float(way.radii[index]) * 1e3, 2),
            column(math.degrees(wrap), 2),
            column(wrap * wheel.teeth / (2.0 * math.pi), 2),
            _motion(wheel.motion),
        )
    return table


def _motion(motion: Any) -> str:
    if motion is None:
        return "freely"
    rpm = 30.0 / math.pi
    if motion.kind in ("run_up", "run_down"):
        return f"{motion.initial_speed * rpm:.4g} to {motion.final_speed * rpm:.4g} rpm"
    more = {"angle_table": " + table", "orders": f" + {len(getattr(motion, 'orders', ()))} orders"}
    return f"{motion.speed * rpm:.4g} rpm{more.get(motion.kind, '')}"


def span_table(drive: Drive, way: Route, tensions: Sequence[float] | None = None) -> Any:
    """The spans between the wheels, with their tensions at rest [N] where these are known."""
    factor, unit = scaled(tensions or (), "N")
    last = (f">tension\nat rest [{unit}]",) if tensions else ()
    table = console.table(">", "span", ">length\n[mm]", ">length\n[pitches]", *last)
    for index, wheel in enumerate(drive.wheels):
        after = drive.wheels[(index + 1) % len(drive.wheels)]
        length = float(way.span_length[index])
        table.add_row(
            str(index),
            console.printable(f"{wheel.name} to {after.name}"),
            column(length * 1e3, 2),
            column(length / drive.chain.pitch, 3),
            *([column(tensions[index] * factor, 3)] if tensions else []),
        )
    return table


def length_line(drive: Drive, way: Route) -> str:
    """The length of the chain against that of the route, in pitches."""
    needed = length_in_pitches(way, drive.chain.pitch, [wheel.teeth for wheel in drive.wheels])
    links = drive.chain.links
    if needed > links:
        fit = f"stretched by {(needed / links - 1.0) * 100.0:.3g} %"
    else:
        fit = f"slack by {quantity((links - needed) * drive.chain.pitch, 'm')}"
    return f"The route takes {needed:.3f} pitches, the chain has {links} links: {fit}."


def _statics(notes: Mapping[str, Any]) -> Any:
    """How the chain lies, and what is left unbalanced at rest."""
    rows: list[tuple[str, object]] = []
    if notes.get("placing_sag", 0.0) > 0.0:
        rows.append(("sag of the slack span", quantity(notes["placing_sag"], "m")))
    else:
        rows.append(("preload: strain of the links", f"{notes['placing_strain'] * 100.0:.4g} %"))
        rows.append(("preload: kinematic tension of the spans", quantity(notes["placing_tension"], "N")))
    rows.append(("chain speed of the run", quantity(abs(notes["chain_speed"]), "m/s")))
    rows.append(("largest unbalanced force at rest", quantity(notes["static_residual"], "N", 2)))
    return console.grid(*rows)


def _draw(drive: Drive, path: Path | None, stem: str) -> None:
    target = path or default_picture(f"{stem}.png")
    if target is None:
        console.warn(f"{stem}.png was not made by chaindrive and is left alone; --draw PATH draws into another file")
        return
    from chaindrive.plots import plot_drive

    save_picture(plot_drive(drive), target)
    console.say(f"Drawn in {target}")
