"""``chaindrive check``: prints the drive, whether it can be built, whether its chain fits, and its state at rest.

The geometry is printed immediately. The search for equilibrium follows; it may take long and can be skipped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.analyses.analytical.oval import oval_text
from chaindrive.cli import console
from chaindrive.cli.check_links import double_pitch_lines, link_rows, strand_rows
from chaindrive.cli.check_loads import load_lines
from chaindrive.cli.check_machines import machine_lines
from chaindrive.cli.check_mechanism import mechanism_tables, rest_tables, rotor_lines, shaft_lines
from chaindrive.cli.check_sheaves import clamping_table, pin_rows, ratio_lines, sheave_table
from chaindrive.cli.drives import in_formulation, named_drive, problems_in
from chaindrive.cli.endings import Stopped
from chaindrive.cli.pictures import check_picture, default_picture, save_picture
from chaindrive.cli.searching import searching
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.initial_configuration import InitialConfiguration, fitting_distance
from chaindrive.geometry.route import Route, tooth_frequency
from chaindrive.mechanism.facts import drive_facts, moved_route
from chaindrive.mechanism.layout import initial_configuration, judge_layout, route_in_pitches
from chaindrive.mechanism.stages import balance_with_shafts, chains_alone
from chaindrive.model import VARYING, Drive, FreeEnd, SpeedTable
from chaindrive.model.ends import end_text
from chaindrive.model.moving import carried
from chaindrive.model.tabulated import skipped_rows, sources_of
from chaindrive.numbers import column, quantity, scaled
from chaindrive.results.trajectory import trajectory_text

if TYPE_CHECKING:
    from chaindrive.simulation.at_rest import AtRest
    from chaindrive.simulation.start import Start

__all__ = ["Request", "check"]


class Request(NamedTuple):
    """What the command line requests."""

    file: str
    changes: list[str]
    draw: Path | None = None
    no_draw: bool = False
    no_equilibrium: bool = False
    formulation: str | None = None
    """Formulation that replaces the one in the file."""


def check(request: Request) -> None:
    """Validate a drive, print its geometry and draw it; then find its equilibrium at rest, print it and draw it.

    Raises InputError with all problems, after printing all tables that are possible in spite of them.
    """
    drive, stem = named_drive(request.file, request.changes, in_formulation(request.formulation))
    names = [None, *(stage.name for stage in drive.stages)]
    if request.draw is not None and not request.no_draw:
        for name in names:
            check_picture(_stage_picture(request.draw, name), "--draw")
    for name, chain in zip(names, chains_alone(drive), strict=True):
        own = stem if name is None else f"{stem}-{name}"
        picture = None if request.no_draw else _picture(request.draw and _stage_picture(request.draw, name), own)
        _check_chain(request, chain, picture, drive)
    for line in (*rotor_lines(drive), *(f"{place}: read from {text}." for place, text in sources_of(drive))):
        console.say(line)
    for warning in skipped_rows(drive):
        console.warn(warning)
    with problems_in(request.file):
        for line in machine_lines(drive):
            console.say(line)


def _stage_picture(path: Path, stage: str | None) -> Path:
    """Return the path of the picture of a stage, such as "drive-final.png", in the folder of the picture of the
    drive.
    """
    return path if stage is None else path.with_name(f"{path.stem}-{stage}{path.suffix}")


def _check_chain(request: Request, drive: Drive, picture: Path | None, complete: Drive) -> None:
    """Run ``check`` for a drive with one chain; complete: the drive to which the chain belongs, whose other chains and
    rotors act on it through shafts.
    """
    console.say(drive.name, "bold")
    if drive.source:
        console.say(drive.source, "dim")
    console.out().print(chain_table(drive))
    for table in mechanism_tables(drive):
        console.out().print(table)
    for line in (*double_pitch_lines(drive), *shaft_lines(drive), *load_lines(drive)):
        console.say(line)
    with problems_in(request.file):
        if drive.sheaves:
            _variator(drive, picture)
            return
        printed = _geometry(drive, picture, complete)
    if request.no_equilibrium:
        console.say("Static equilibrium skipped (--no-equilibrium): tensions at rest and preload are not computed.")
        return
    with problems_in(request.file):
        started = _search(drive)
    _show_rest(started, picture, printed)


def _geometry(drive: Drive, picture: Path | None, complete: Drive) -> tuple[str, ...]:
    """Print the route, the length of the chain and collisions, draw the drive as placed, and return the warnings that
    were printed. Raises InputError with everything that cannot be built.

    With a preload, the chain need not fit yet.
    """
    way = drive_facts(drive).route
    if drive.wheels:
        console.out().print(wheel_table(drive, way))
    console.out().print(span_table(drive, way))
    console.say(length_line(drive, way))
    if oval := oval_text(drive):
        console.say(console.printable(oval))
    where = "" if drive_facts(drive).one_speed else f" at {drive.wheels[drive_facts(drive).driver].name!r}"
    console.say(f"Chain speed of the run{where}: {speed_text(drive, complete)}")
    configuration, problems = _placed(drive)
    judged = judge_layout(drive, configuration)
    for warning in judged.warnings:
        console.warn(warning)
    if configuration is not None and drive.preload is None:
        _warn_of_slack(drive, configuration)
    if picture is not None and configuration is not None:
        _draw(drive, picture)
    if drive.preload is not None:
        problems = ()
    if problems or judged.problems:
        raise InputError((*problems, *judged.problems))
    return judged.warnings


def _variator(drive: Drive, picture: Path | None) -> None:
    """Print the sheaves, ratio and clamping of a variator and the cost of its run, and draw it as placed."""
    from chaindrive.simulation.start import prepare

    console.out().print(sheave_table(drive))
    for line in ratio_lines(drive):
        console.say(line)
    console.out().print(clamping_table(drive))
    console.say(f"Chain speed of the run: {speed_text(drive)}")
    started = prepare(drive)
    for warning in started.system.story.warnings:
        console.warn(warning)
    console.out().print(_steps(started))
    if picture is not None:
        _draw(drive, picture)


def _warn_of_slack(drive: Drive, configuration: InitialConfiguration) -> None:
    from chaindrive.analyses.analytical.back_tension import doubt

    if warning := doubt(drive, configuration):
        console.warn(warning)


def _placed(drive: Drive) -> tuple[InitialConfiguration | None, tuple[Problem, ...]]:
    """Return the chain on its wheels, or the reasons why it does not fit."""
    try:
        return initial_configuration(drive), ()
    except InputError as error:
        return None, error.problems


def _search(drive: Drive) -> Start:
    """Return the drive at rest. Ctrl-C ends the command; everything printed so far remains."""
    try:
        with searching("compiling and finding the static equilibrium") as progress:
            return _prepare(drive, progress)
    except KeyboardInterrupt as interruption:
        console.note(
            "Interrupted during the search for the static equilibrium: the output above is only the geometry, with the "
            "chain as placed."
        )
        raise Stopped(interruption) from None


def _prepare(drive: Drive, progress: Callable[[str], None]) -> Start:
    from chaindrive.simulation.start import prepare

    return prepare(drive, start="at_rest", progress=progress)


def _show_rest(started: Start, picture: Path | None, printed: Iterable[str]) -> None:
    """Print the state of the drive at the start of its run."""
    from chaindrive.simulation.at_rest import at_rest

    drive, notes, rest = started.drive, started.system.as_integrated.story.notes, at_rest(started.system)
    console.headline("At rest" if rest.found else "Start of the run: not at rest")
    way = moved_route(drive, rest.wheel_positions)
    if "preload_adjustment" in notes:
        console.say(f"For the preload: {notes['preload_adjustment']}.")
        console.say(length_line(drive, way))
        if drive.wheels:
            console.out().print(wheel_table(drive, way))
    console.out().print(span_table(drive, way, notes.get("static_span_tension")))
    for table in rest_tables(drive, rest):
        console.out().print(table)
    console.out().print(_statics(notes))
    console.out().print(_steps(started))
    for warning in started.system.story.warnings:
        if warning not in printed:
            console.warn(warning)
    _warn_of_tensions(drive, way, notes.get("static_span_tension"))
    if picture is not None:
        _draw(drive, picture, rest)


def _warn_of_tensions(drive: Drive, way: Route, tensions: Sequence[float] | None) -> None:
    from chaindrive.analyses.analytical.back_tension import doubt_at_rest, doubt_of_pretension

    if tensions is None or drive.chain.ends is not None:
        return
    for told in (doubt_at_rest(drive, way.wrap, tensions), doubt_of_pretension(drive, way, tensions)):
        if told:
            console.warn(told)


def chain_table(drive: Drive) -> Any:
    """Return a table of the chain with every value, and with its source unless the value was given."""
    chain, sources = drive.chain, drive.chain.sources
    mass = quantity(chain.link_mass * 1e3, "g", 6) if chain.link_mass < 1.0 else f"{chain.link_mass:.6g} kg"
    rows = [
        ("links", str(chain.links), "links"),
        ("pitch", quantity(chain.pitch, "m", 6), "pitch"),
        *((f"{which} end", end_text(end), "ends") for which, end in zip(_WHICH, chain.ends or (), strict=False)),
        (f"{chain.kind} diameter", quantity(chain.roller_diameter, "m", 6), "roller_diameter"),
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
    rows += strand_rows(drive) + link_rows(drive) + pin_rows(drive)
    table = console.table("chain", f">{console.printable(chain.standard or '')}", "")
    for name, value, field in rows:
        source = sources.get(field, "given")
        table.add_row(name, value, "" if source == "given" else console.printable(source))
    return table


_WHICH = ("first", "second")


def wheel_table(drive: Drive, way: Route) -> Any:
    """Return a table of the wheels in the order of the route."""
    numbers = (">pitch radius\n[mm]", ">wrap\n[deg]", ">teeth\nin mesh")
    table = console.table(">", "wheel", "side", ">teeth", *numbers, "turns")
    driving = drive_facts(drive).motors
    turns = [f"with {wheel.shaft_with!r}" if wheel.shaft_with else _motion(wheel.motion) for wheel in drive.wheels]
    for index, wheel in enumerate(drive.wheels):
        wrap = float(way.wrap[index])
        table.add_row(
            str(index),
            console.printable(wheel.name),
            wheel.side,
            f"{wheel.teeth:.4g}",
            column(float(way.radii[index]) * 1e3, 2),
            column(math.degrees(wrap), 2),
            column(wrap * wheel.teeth / (2.0 * math.pi), 2),
            "by its torque" if driving[index] else console.printable(turns[index]),
        )
    return table


def _motion(motion: Any) -> str:
    if motion is None:
        return "freely"
    rpm = 30.0 / math.pi
    if isinstance(motion, VARYING):
        speeds = (motion.initial_speed, motion.final_speed)
        if isinstance(motion, SpeedTable):
            speeds = (min(motion.speeds), max(motion.speeds))
        words = f"{speeds[0] * rpm:.4g} to {speeds[1] * rpm:.4g} rpm"
        return words + (f" + {len(motion.orders)} orders" if motion.orders else "")
    more = {
        "angle_table": " + table",
        "orders": f" + {len(getattr(motion, 'orders', ()))} orders",
        "input": ", then set by an input",
    }
    return f"{motion.speed * rpm:.4g} rpm{more.get(motion.kind, '')}"


def span_table(drive: Drive, way: Route, tensions: Sequence[float] | None = None) -> Any:
    """Return a table of the spans between the wheels, with their tensions at rest [N] if known."""
    factor, unit = scaled(tensions or (), "N")
    last = (f">tension\nat rest [{unit}]",) if tensions else ()
    table = console.table(">", "span", ">length\n[mm]", ">length\n[pitches]", *last)
    for index, name in enumerate(drive.span_names):
        length = float(way.span_length[index])
        table.add_row(
            str(index),
            console.printable(name),
            column(length * 1e3, 2),
            column(length / drive.chain.pitch, 3),
            *([column(tensions[index] * factor, 3)] if tensions else []),
        )
    return table


def length_line(drive: Drive, way: Route) -> str:
    """Return a text that compares the length of the chain with the length of its route around the wheels and the rails
    that press into it, in pitches.
    """
    links = drive.chain.links
    if way.hanging_loop:
        return f"The chain has {links} links; the links that the rest of the route does not need hang in a loop."
    if any(isinstance(end, FreeEnd) for end in drive.chain.ends or ()):
        return f"The chain has {links} links; the links that the rest of the route does not need are at the free end."
    needed = route_in_pitches(drive, way.centres)
    if needed > links:
        fit = f"stretched by {(needed / links - 1.0) * 100.0:.3g} %"
    else:
        fit = f"slack by {quantity((links - needed) * drive.chain.mean_pitch, 'm')}"
    around = " around wheels and rails" if drive.guides else ""
    route_text = f"The route takes {needed:.3f} pitches{around}; the chain has {links} links: {fit}."
    return f"{route_text}{_derived_text(drive, way)}"


def _derived_text(drive: Drive, way: Route) -> str:
    """Return a text with values that follow from the route, or with parts that were moved to close the chain."""
    closing = ""
    if drive.chain.links_follow:
        closing = " The number of links follows from the route ('auto')."
        teeth, new = [wheel.teeth for wheel in drive.wheels], drive.chain.mean_pitch == drive.chain.pitch
        distance = fitting_distance(way, drive.chain.pitch, teeth, drive.chain.links)
        if drive.closing is None and new and not drive.guides and distance is not None:
            closing += f" It is taut at a centre distance of {distance * 1e3:.3f} mm."
    if drive.closing is not None:
        moved = "wheel " + str(drive.closing.wheel) if drive.closing.wheel else "body " + str(drive.closing.body)
        places = [w for w in drive.wheels if drive.closing.wheel in (None, w.name) and w.name in _carried(drive)]
        where = ", ".join(f"{w.name} at [{w.position[0] * 1e3:.3f}, {w.position[1] * 1e3:.3f}] mm" for w in places)
        closing += f" Closed by {console.printable(moved)}" + (f": {console.printable(where)}." if where else ".")
    return closing


def _carried(drive: Drive) -> frozenset[str]:
    """Return the names of the wheels that were moved to close the chain."""
    if drive.closing is None or drive.closing.body is None:
        return frozenset(wheel.name for wheel in drive.wheels)
    bodies = carried(drive.bodies, drive.closing.body)
    return frozenset(wheel.name for wheel in drive.wheels if wheel.body in bodies)


_FRICTION = {
    "elastic": "elastic: sticks, and slides at its limit",
    "smoothed": "smoothed at low sliding speeds: does not stick, and limits the step",
}
"""Descriptions of the friction laws."""


def _steps(started: Start) -> Any:
    """Return a table with the parts that limit the step of the run, and its cost."""
    from chaindrive.simulation.forecast import run_forecast

    run = started.drive.run
    found = run_forecast(started.drive, started.system.as_integrated, run, run.quasi_static or 1.0)
    rows = []
    if found.reason:
        rows.append(("solver", f"{found.method}: {found.reason}"))
    if found.step_set_by:
        rows.append(("step set by", found.step_set_by))
    if found.cost is not None:
        rows.append(("cost of the run", found.cost.text(found.simulated)))
    rows += [("" if k else "cheaper", each) for k, each in enumerate(found.cheaper)]
    return console.grid(*rows)


def _statics(notes: Mapping[str, Any]) -> Any:
    """Return a table with how the chain was placed, the data of its spans, and the unbalanced force."""
    rows: list[tuple[str, object]] = []
    if "slack" in notes:
        slack = notes["slack"]
        shared = "slack" if slack >= 0.0 else "stretch"
        rows.append((f"{shared} shared by the spans", quantity(abs(slack), "m")))
    if "span_stiffness" in notes:
        rows.append(("stiffness of the spans", ", ".join(quantity(each, "N/m") for each in notes["span_stiffness"])))
    if notes.get("initial_sag", 0.0) > 0.0:
        rows.append(("sag of the slack span, as placed", quantity(notes["initial_sag"], "m")))
    elif "initial_strain" in notes:
        rows.append(("strain of the links, as placed", f"{notes['initial_strain'] * 100.0:.4g} %"))
        rows.append(("kinematic tension of the spans, as placed", quantity(notes["initial_tension"], "N")))
    where = " at rest" if "static_span_tension" in notes else ""
    if "static_residual" in notes:
        rows.append((f"largest unbalanced force{where}", quantity(notes["static_residual"], "N", 2)))
    if "static_holding_torque" in notes:
        rows.append(("torque holding the driver until the start", quantity(notes["static_holding_torque"], "N m")))
    if "friction_law" in notes:
        rows.append(("friction", _FRICTION[notes["friction_law"]]))
    if "joint_friction_rate" in notes:
        rows.append(("joint friction is smoothed over", f"{notes['joint_friction_rate']:.4g} rad/s"))
    if text := trajectory_text(notes):
        rows.append(("path coordinates", text))
    rows += [("initial value", target) for target in notes.get("targets", ())]
    return console.grid(*rows)


def speed_text(drive: Drive, complete: Drive | None = None) -> str:
    """Return a text with the speed of the chain and how it changes during the run.

    complete: the drive to which the chain belongs, if the chain is one of several or the drive has rotors.
    """
    facts = drive_facts(drive)
    if drive.chain.ends is not None and not (
        facts.prescribed or any(w.torque or w.initial_speed for w in drive.wheels)
    ):
        return "not given by any wheel"
    before, after = facts.chain_speeds
    if complete is not None and drive.name != complete.name:
        return _speed_behind_a_shaft(after, complete)
    first = drive.wheels[facts.driver].motion
    if first is None:
        return _driven_speed_text(drive, after, complete or drive)
    if isinstance(first, SpeedTable):
        paces = tooth_frequency(first.speeds, drive.wheels[facts.driver].teeth) * drive.chain.pitch
        slowest, fastest = float(paces.min()), float(paces.max())
        return f"{quantity(slowest, 'm/s')} to {quantity(fastest, 'm/s')} from its speed table"
    start = f", from rest within {quantity(first.ramp, 's')}" if drive.run.start == "at_rest" and before else ""
    if first.kind in ("run_up", "run_down"):
        factor, unit = scaled((before, after), "m/s")
        return f"{before * factor:.4g} to {after * factor:.4g} {unit} within {quantity(first.duration, 's')}{start}"
    return f"{quantity(after, 'm/s')}{start}"


def _speed_behind_a_shaft(highest: float, complete: Drive) -> str:
    """Return a text with the highest speed of the chain of a stage, and how it starts with the first chain."""
    motion = complete.wheels[drive_facts(complete).driver].motion
    if isinstance(motion, SpeedTable):
        return f"at most {quantity(highest, 'm/s')}"
    changes = motion is not None and motion.kind in ("run_up", "run_down")
    text = f"{'at most ' if changes else ''}{quantity(highest, 'm/s')}"
    turns = motion is not None or any(wheel.initial_speed for wheel in complete.wheels)
    if turns and complete.run.start != "at_rest":
        return text
    return f"{text}, from rest" if motion is None else f"{text}, from rest within {quantity(motion.ramp, 's')}"


def _driven_speed_text(drive: Drive, nominal: float, complete: Drive) -> str:
    """Return a text with the chain speed of a drive driven by torques: at the start of a run, and when all torques and
    loads balance, including those behind shafts.
    """
    wheel = drive.wheels[drive_facts(drive).driver]
    at_speed = drive_facts(complete).given_speed is not None and drive.run.start == "at_speed"
    start = f"at {quantity(nominal, 'm/s')}" if at_speed else "from rest"
    balance = balance_with_shafts(complete)
    if balance is None:
        return f"{start}; there is no speed at which torques and loads balance"
    pace = float(tooth_frequency(balance, wheel.teeth)) * drive.chain.pitch
    turns = f"{balance * 30.0 / math.pi:.4g} rpm of {wheel.name}"
    return f"{start}; torques and loads balance at {quantity(pace, 'm/s')}, {turns}"


def _picture(wanted: Path | None, stem: str) -> Path | None:
    """Return the path of the picture: the requested path, or one in the working folder; warn and return None if a file
    from another program is there.
    """
    target = wanted or default_picture(f"{stem}.png")
    if target is None:
        console.warn(
            f"{stem}.png was not made by chaindrive and is not overwritten; --draw PATH draws into a different file"
        )
    return target


def _draw(drive: Drive, target: Path, rest: AtRest | None = None) -> None:
    """Draw a drive at rest, or as placed; a later picture replaces an earlier one."""
    from chaindrive.plots import plot_drive

    save_picture(plot_drive(drive, rest), target)
    how = "with the chain as placed" if rest is None else "at rest" if rest.found else "at the start of its run"
    console.say(f"Drawn {how} in {target}")
