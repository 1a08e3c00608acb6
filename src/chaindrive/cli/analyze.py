"""``chaindrive analyze``: analytical checks and linear models of a drive, without simulating it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from chaindrive.analyses.analytical.operating import (
    OperatingPoint,
    loaded_as_at_speed,
    operating_point,
    placed_at_rest,
)
from chaindrive.analyses.linear.modes import drive_model
from chaindrive.cli import analyze_tables as tables
from chaindrive.cli import console
from chaindrive.cli.drives import in_formulation, named_drive, problems_in
from chaindrive.cli.pictures import check_picture, save_picture
from chaindrive.cli.strength_tables import show_ratings
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive
from chaindrive.numbers import quantity
from chaindrive.simulation.start import Start, prepare
from chaindrive.units import to_si

__all__ = ["MapRequest", "analyze", "map_request"]

ORDERS = (1.0, 2.0, 4.0, 6.0)
"""Orders of the driver for critical speeds, in addition to the orders of its prescribed motion."""


class MapRequest(NamedTuple):
    """A requested stability map."""

    picture: Path
    span: int
    damping_ratio: float | None
    """Damping ratio; None: the default of the plot."""


def map_request(picture: Path | None, span: int | None, damping_ratio: float | None) -> MapRequest | None:
    """Return the request made by --stability-map, --span and --damping-ratio. Raises InputError if one of the last two
    is given without the first.
    """
    given = {"--span": span, "--damping-ratio": damping_ratio}
    if picture is None:
        problem = "applies only to --stability-map"
        problems = [Problem(option, problem, str(value)) for option, value in given.items() if value is not None]
        if problems:
            raise InputError(problems)
        return None
    return MapRequest(picture, span or 0, damping_ratio)


def analyze(
    typed: str,
    changes: list[str],
    orders: str | None,
    tension: str | None,
    wanted_map: MapRequest | None = None,
    formulation: str | None = None,
) -> None:
    """Print the linear and analytical results of a drive, and draw a stability map on request.

    tension: tension of all spans or of each span, such as "19 kN"; None: tensions of the static equilibrium.
    formulation: formulation that replaces the one in the file. Raises InputError with all problems, and
    ComputationError if there is no static equilibrium.
    """
    drive, _ = named_drive(typed, changes, in_formulation(formulation))
    if drive.sheaves:
        message = "is a variator, for which there are no analytical checks; chaindrive check prints its slip limit"
        raise InputError(Problem("", message), typed)
    wanted = _orders(drive, orders)
    given = None if tension is None else _tensions(drive, tension)
    if wanted_map is not None:
        _check_map(drive, wanted_map)
    with problems_in(typed):
        first, *stages = chains_alone(drive)
        if not _is_taut(first):
            of_stages = any(map(_is_taut, stages))  # whose critical speeds are shown
            _refuse_options({"--tension": tension, "--stability-map": wanted_map, "--orders": orders and not of_stages})
        joined = bool(drive.stages or drive.rotors)
        point = _show(first, wanted, given, joined)
        for stage in stages:
            _show(stage, wanted, None, joined)
        if joined and given is None:
            _show_whole(drive)
    if wanted_map is not None and point is not None:
        _draw_map(point, wanted_map)


def _is_taut(drive: Drive) -> bool:
    """Return whether the chain is closed, has no hanging loop and runs at the same speed on all wheels."""
    facts = drive_facts(drive)
    return drive.chain.ends is None and not facts.route.hanging_loop and facts.one_speed


def _refuse_options(options: Mapping[str, object]) -> None:
    """Raise InputError for all options that were given."""
    message = "applies only to closed chains on two or more wheels, no two of them on the same shaft; omit it"
    if problems := [Problem(option, message) for option, given in options.items() if given]:
        raise InputError(problems)


def _show(drive: Drive, wanted: list[float], given: list[float] | None, alone: bool) -> OperatingPoint | None:
    """Find and return the operating point of a drive, with given tensions [N] or the tensions at rest under the loads
    at speed, and print its tables. alone: the chain is one of several in a drive, or the drive has rotors.

    For an open chain, a chain that hangs from a single wheel, and a chain over two wheels on one shaft, only the
    tensions at rest and the modes are shown, and None is returned.
    """
    if not _is_taut(drive):
        _show_hanging(drive, alone)
        return None
    started = loaded = None
    if given is not None:
        point = operating_point(drive, given)
        drive_model(drive)  # whether the chain fits
    else:
        with console.err().status("compiling and finding the static equilibrium ..."):
            unloaded = _start(drive)
            loaded = _loaded(unloaded)
        started = loaded or unloaded
        resting = placed_at_rest(unloaded.drive, started.system)
        point = operating_point(resting, started.system.story.notes["static_span_tension"])
        for warning in started.system.story.warnings:
            console.warn(warning)
    console.say(drive.name, "bold")
    console.out().print(tables.pace(point))
    tables.show_spans(point, started is not None, loaded is not None)
    tables.show_critical_speeds(point, wanted)
    tables.show_polygons(point)
    tables.show_modes(point)
    if started is not None:
        tables.show_everything_together(started.drive, started.system, alone)
    if given is not None or loaded is not None:
        tables.show_forces(point)
    show_ratings(point.drive, point.tooth_frequency)
    return point


def _loaded(unloaded: Start) -> Start | None:
    """Return the drive at rest under the loads that act at its speed; None, with a warning, if it then has no static
    equilibrium.
    """
    drive = loaded_as_at_speed(unloaded.drive)
    if drive is unloaded.drive:
        return unloaded
    started = prepare(drive, start="at_rest")
    if "static_span_tension" in started.system.story.notes:
        return started
    console.warn(
        "no static equilibrium was found under the loads that act at speed, so the tensions are those at rest without "
        "these loads, and tooth loads and losses are omitted; give the tensions of a run with --tension"
    )
    return None


def _show_hanging(drive: Drive, alone: bool) -> None:
    """Print the part that applies to an open chain or a loop on a single wheel: tensions at rest and the modes of the
    whole drive. Tables of running spans do not apply to these.
    """
    with console.err().status("compiling and finding the static equilibrium ..."):
        started = _start(drive)
    for warning in started.system.story.warnings:
        console.warn(warning)
    console.say(drive.name, "bold")
    names = zip(drive.span_names, started.system.story.notes["static_span_tension"], strict=True)
    for name, value in names:
        console.say(f"Tension of the span {console.printable(name)} at rest: {quantity(value, 'N')}")
    tables.show_everything_together(started.drive, started.system, alone)


def _show_whole(drive: Drive) -> None:
    """Print the modes of all chains and rotors together, if a static equilibrium of all chains was found."""
    with console.err().status("compiling and finding the static equilibrium ..."):
        started = prepare(drive, start="at_rest")
    console.say()
    console.say(f"{drive.name}: all chains and rotors together", "bold")
    notes = started.system.story.notes
    if not all("static_span_tension" in each for each in (notes, *notes.get("stages", {}).values())):
        console.warn("no static equilibrium of all chains was found, so the eigenfrequencies of the drive are omitted")
        return
    tables.show_everything_together(started.drive, started.system)


def _check_map(drive: Drive, wanted: MapRequest) -> None:
    """Raise InputError for a map that cannot be drawn, before anything is computed."""
    check_picture(wanted.picture, "--stability-map")
    spans = len(drive.wheels)
    problems = []
    if not 0 <= wanted.span < spans:
        problems.append(Problem("--span", f"the drive has the spans 0 to {spans - 1}", str(wanted.span)))
    if wanted.damping_ratio is not None and not 0.0 <= wanted.damping_ratio < 1.0:
        problems.append(Problem("--damping-ratio", "must be at least 0 and less than 1", f"{wanted.damping_ratio:g}"))
    if problems:
        raise InputError(problems)


def _draw_map(point: OperatingPoint, wanted: MapRequest) -> None:
    from chaindrive.plots.stability import DAMPING_RATIO, plot_stability

    with console.err().status("integrating the motion of the span over one period of every fluctuation ..."):
        damping = DAMPING_RATIO if wanted.damping_ratio is None else wanted.damping_ratio
        figure = plot_stability(point, wanted.span, damping)
    save_picture(figure, wanted.picture)
    console.say()
    span = console.printable(point.drive.span_names[wanted.span])
    console.say(f"Stability of span {wanted.span}, {span}, drawn in {wanted.picture}")


def _orders(drive: Drive, typed: str | None) -> list[float]:
    """Return the requested orders, or the default orders and those of the prescribed motions; at most six, smallest
    first.
    """
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
            problems.append(Problem("--orders", "takes numbers above 0 and at most 1000, such as 1,2,6", repr(text)))
    if len(found) > 6:
        problems.append(Problem("--orders", "takes at most six", str(len(found))))
    if problems:
        raise InputError(problems)
    return sorted(found)


def _tensions(drive: Drive, typed: str) -> list[float]:
    """Return the tension of every span, from one value for all spans or a comma-separated list with one value for each
    span. [N]
    """
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
        problems.append(Problem("--tension", f"takes one value, or one for each of the {count} spans", str(len(found))))
    if problems:
        raise InputError(problems)
    return found * count if len(found) == 1 else found


def _start(drive: Drive) -> Start:
    """Return the drive at rest. Raises ComputationError if it has no static equilibrium, and therefore no span
    tensions.
    """
    started = prepare(drive, start="at_rest")
    notes = started.system.story.notes
    if "static_residual" not in notes:
        message = "nothing holds the chain, so there is no equilibrium to linearise about"
        raise ComputationError(message, "anchor one of its ends (chain.ends)")
    if "static_span_tension" not in notes:
        raise ComputationError(
            f"no static equilibrium was found (largest residual force {notes['static_residual']:.3g} N after "
            f"{notes['static_iterations']} iterations), so the span tensions are unknown",
            'give the tensions of the spans with --tension, such as --tension "2 kN", or reduce a load that the chain '
            "cannot hold at rest; chaindrive check shows how the chain fits.",
        )
    return started
