"""The state from which a run starts: the chain as placed, the preload, the static equilibrium and the rolling
velocities.

``simulate`` and ``chaindrive check`` share this module.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.end_state import EndState
from chaindrive.contract.status import FIRST_FAILURE, Status
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.formulations import compile_system, continue_system
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import route_in_pitches
from chaindrive.mechanism.rails import guide_profile
from chaindrive.model import Drive, FormulationOptions, FreeEnd
from chaindrive.model.body import GROUND
from chaindrive.model.own_law import missing_laws
from chaindrive.numbers import quantity
from chaindrive.simulation.joined_start import begin_joined, port_of
from chaindrive.simulation.preload import meet_preload
from chaindrive.solvers.equilibrium import Equilibrium, Search, equilibrium
from chaindrive.solvers.fastest import highest_frequency
from chaindrive.solvers.moreau_jean import consistent_positions, consistent_velocities
from chaindrive.solvers.splitting import carried_on

__all__ = ["Start", "as_laid", "channel_at_start", "check_continued", "prepare", "settle"]

EASING_TOLERANCE = 1e-2
"""Relative tolerance of equilibrium while obstacles are moved into place. [-]"""
LET_GO = 0.01
"""If a search for the equilibrium of an open chain ends with a residual above this fraction of the expected forces, the
chain starts as placed. [-]"""
FROM_THE_BEST = "the run starts from the best position found"
EFFORT = 4e7
"""Limit of the effort of one search for equilibrium: number of linear systems times number of unknowns. For a drive of
100 links this is twice the cost of all attempts together, for 1,600 links about a minute. If the limit is reached, the
drive starts from the best position found. [-]"""
BEYOND = 10.0
"""A warning about the equilibrium of a closed chain is given if the largest tension at rest exceeds the expected forces
by more than this factor. The ratio is at most 1.3 in the examples. [-]"""
GIVEN_WAY = 0.25
"""If no equilibrium is found and bodies that give way have added more slack than this to that of the drawing, a warning
says so. [pitches]"""
PER_LINK, BESIDE = 4, 3
"""Number of points on each link whose distance from other links is checked, and number of neighbouring links on either
side that may be close to it."""
JAMMED = 0.05
"""Increase of the smallest link tension, relative to the difference of the largest and the smallest one or the expected
forces, above which a chain dragged by friction is jammed. It is at most 0.022 in the examples. [-]"""
DRAGGING_ROUNDS = 3
"""Number of times that the velocities are adapted to the position of the chain while friction acts in the direction of
rotation."""


SHARP, SHARPER = 0.26, 2.0
"""A warning is given if the chain at rest bends by more than this angle [rad] at a roller on a guide, and by more than
this factor times what the radii of the guide explain. The angle is at most 0.09 rad in the examples."""


class Start(NamedTuple):
    """A drive ready to run."""

    drive: Drive
    """The drive with the wheel moved or the pitch changed as required by a preload."""
    system: System


def prepare(
    drive: Drive,
    options: FormulationOptions | None = None,
    start: str | None = None,
    initial: EndState | None = None,
    progress: Callable[[str], None] | None = None,
) -> Start:
    """Compile a drive and bring it to its start state.

    start: "at_speed" (everything moves with the driver at its final speed, and friction of guides, joints and bearings
    acts against this motion), "at_rest", or "as_placed" (at rest as placed, without a search for equilibrium; also used
    if nothing holds an open chain); None: the start of drive.run. With the first two the start is the static
    equilibrium under gravity, loads and preload, with the residual stated in ``Story.notes``; if no equilibrium is
    found, the best position is used, with a warning. initial: the end of another run, from which this one continues
    instead (``continue_system``). progress: called with a short text a few times per second during the search for
    equilibrium. Raises InputError if the chain does not fit, or the preload cannot be met.
    """
    options = options or drive.run.formulation
    if missing := list(missing_laws(drive)):
        raise InputError(missing)
    if drive.stages or drive.rotors:
        return _with_stages(drive, options, start or drive.run.start, initial, progress)
    return _one_chain(drive, options, start or drive.run.start, initial, progress)


def as_laid(drive: Drive) -> System:
    """Return the system of a drive in the coordinates of a run, with the chain as placed, without a search for
    equilibrium.
    """

    def begin(chain: Drive, start: str, _: Mapping[int, float], __: int | None = None) -> tuple[Drive, System]:
        return chain, compile_system(chain, drive.run.formulation, start == "at_speed")

    start = drive.run.start
    system = (begin_joined(drive, start, begin) if drive.stages or drive.rotors else begin(drive, start, {}))[1]
    return system.as_integrated


def check_continued(drive: Drive) -> None:
    """Raise InputError if a run of this drive can neither continue from the end of another run nor be continued."""
    if drive.stages or drive.rotors:
        message = (
            "a drive with stages or rotors cannot continue from the end of another run; resume that run, "
            "or omit initial"
        )
        raise InputError(Problem("initial", message))


def _with_stages(
    drive: Drive,
    options: FormulationOptions,
    start: str,
    initial: EndState | None,
    progress: Callable[[str], None] | None,
) -> Start:
    """``prepare`` for a drive with several chains or with rotors."""
    if initial is not None:
        check_continued(drive)

    def begin(chain: Drive, own_start: str, torques: Mapping[int, float], held: int | None) -> tuple[Drive, System]:
        return _one_chain(chain, options, own_start, None, progress, torques, held)

    return Start(*begin_joined(drive, start, begin))


def _pulled(system: System, torques: Mapping[int, float]) -> None:
    """Set the torques of shafts on wheels [N m], by the number of the wheel, counter-clockwise positive, in place."""
    for wheel, torque in torques.items():
        port = port_of(system, wheel)
        port.running.joined[port.wheel] = torque


def _one_chain(
    drive: Drive,
    options: FormulationOptions,
    wanted_start: str,
    initial: EndState | None,
    progress: Callable[[str], None] | None,
    torques: Mapping[int, float] = MappingProxyType({}),
    held: int | None = None,
) -> Start:
    """``prepare`` for a drive with one chain.

    torques: torques of shafts on its wheels at rest, counter-clockwise positive [N m]. held: the wheel that a shaft
    holds at rest; None if no shaft holds a wheel.
    """
    at_speed, as_placed = wanted_start == "at_speed", wanted_start == "as_placed" or _nothing_holds(drive)
    adjustment: dict[str, Any] = {}
    if drive.preload is not None:
        wanted, span = drive.preload, drive.preload.span_in(drive.span_names)

        def value_at_rest(changed: Drive) -> float:
            system = compile_system(changed, options, False)
            _pulled(system, torques)
            system = settle(system, progress)
            if not system.story.notes["static_converged"]:
                return math.nan
            name = "span_tension" if wanted.tension is not None else "span_displacement"
            return abs(float(channel_at_start(system, name)[span]))

        drive, text = meet_preload(drive, wanted, value_at_rest)
        adjustment = {"preload_adjustment": text}
        adjustment |= {"preload_pitch": drive.chain.pitch} if wanted.by == "pitch" else {}
    if initial is not None:
        system = _fitted(_fitting(_closed(continue_system(drive, options, initial))))
        return Start(drive, _stepped_for(system.noted(adjustment)))
    placed = compile_system(drive, options, at_speed)
    if held is not None and drive.chain.ends is not None:  # a closed chain is held by its driver, which is this wheel
        placed = placed.with_rest(held=(port_of(placed, held).angle,))
    _pulled(placed, torques)
    system = _left_as_placed(placed) if as_placed else settle(placed, progress)
    if drive.chain.ends is not None and not as_placed:
        system = _let_go(placed, system)
    elif not torques:
        system = _warn_of_slack(_warn_of_self_contact(_warn_of_tensions(system, drive), drive), drive)
    system = _warn_of_bends(_warn_of_breaking(system, drive), drive)
    system = _fitted(_fitting(_targeted(_rolling(system.noted(adjustment), at_speed))))
    _pulled(system, dict.fromkeys(torques, 0.0))
    system.kernels.begin(0.0, system.state, system.parameters)
    return Start(drive, _stepped_for(system if held is not None else _parked(system)))


def _parked(system: System) -> System:
    """Return the system with bearings that hold the driver if it was held during the search for equilibrium, as far as
    their friction allows, so that a parked drive stays parked.
    """
    notes, speeds = system.story.notes, system.state[system.positions : system.positions + system.velocities]
    torque = notes.get("static_holding_torque", 0.0) if notes.get("static_converged", False) else 0.0
    if system.motion.braked is None or torque == 0.0 or speeds.any():
        return system
    return system.motion.braked(system, torque)


def _fitted(system: System) -> System:
    """Return the system with the step of rigid contacts, and the springs that it resolves, adapted to the initial
    tensions.
    """
    return system if system.motion.fitted is None else system.motion.fitted(system)


def _stepped_for(system: System) -> System:
    """Return the system with its highest frequency adapted to the initial tensions or, with links in space, to the
    fastest motion at the start, so that explicit steps are short enough.
    """
    motion = system.motion
    if system.kernels.drift is not None:
        return system.with_motion(linearised_frequency=highest_frequency(system, 1.0 + carried_on(system)))
    if motion.frequency_at is None:
        return system
    return system.with_motion(highest_frequency=max(motion.highest_frequency, motion.frequency_at(system.state)))


def settle(system: System, progress: Callable[[str], None] | None = None) -> System:
    """Return the system in static equilibrium; its notes state the residual, and a warning is added if no equilibrium
    was reached.

    progress: called with a short text a few times per second.
    """
    if not np.isfinite(system.masses_at_rest).any():  # every wheel follows a prescribed motion
        return system.noted({"static_residual": 0.0, "static_converged": True})
    tolerance = system.rest.tolerance * system.force_scale
    report = None if progress is None else _search_report(progress)
    searched = system if system.rest.searched is None else replace(system, parameters=system.rest.searched)
    found = equilibrium(_advance_obstacles(searched, report), tolerance=tolerance, effort=EFFORT, progress=report)
    ending = _ending_at(system, found.state)
    at_rest = found.converged and ending is None
    notes: dict[str, Any] = {
        "static_residual": float(found.residual),
        "static_tolerance": float(tolerance),
        "static_iterations": int(found.iterations),
        "static_method": found.method,
        "static_converged": bool(at_rest),
    }
    if system.rest.held:
        notes["static_holding_torque"] = _holding(system, found.state)
    system = replace(system, state=found.state).noted(notes)
    if not at_rest:
        return system.with_story(warnings=(*system.story.warnings, _not_at_rest(system, found, ending)))
    if any(channel.name == "span_tension" for channel in system.channels):
        tensions = [float(x) for x in channel_at_start(system, "span_tension")]
        return system.noted({"static_span_tension": tensions})
    return system


def _nothing_holds(drive: Drive) -> bool:
    """Whether nothing holds the chain, so that it can only fall."""
    free = drive.chain.ends is not None and all(isinstance(end, FreeEnd) for end in drive.chain.ends)
    return free and not drive.wheels and not drive.guides and math.hypot(*drive.gravity) > 0.0


def _let_go(placed: System, settled: System) -> System:
    """Return the open chain as placed if no equilibrium is near, because nothing holds the chain or its load; otherwise
    return the chain as settled.

    Without an equilibrium, the best position found by the search would merely be a point on the path of its fall.
    """
    notes = settled.story.notes
    left = notes.get("static_residual", 0.0)
    jammed = left <= notes.get("static_tolerance", 0.0)  # at rest, but with a chain that has jumped
    if notes["static_converged"] or not (jammed or left > LET_GO * placed.force_scale):
        return settled
    warnings = tuple(text.replace(FROM_THE_BEST, "the chain is released as placed") for text in settled.story.warnings)
    return placed.with_story(notes=notes, warnings=warnings)


def _warn_of_tensions(system: System, drive: Drive) -> System:
    """Return the system, with a warning if its tensions at rest are far larger than weights, loads and preload can
    explain.
    """
    if not system.story.notes["static_converged"]:
        return system
    if drive.sheaves:  # no guide, and no span on the wrong side: the pins as placed are between the sheaves
        return system
    if drive.payloads and not drive.guides:  # a taut span carries goods beside it like a rope, with any tension
        return system
    largest = float(np.abs(_tensions(system, "link_tension")).max(initial=0.0))
    hanging = [body.mass for body in drive.bodies]
    hanging += [wheel.mass or 0.0 for wheel in drive.wheels if wheel.body != GROUND]
    explained = system.force_scale + math.hypot(*drive.gravity) * sum(hanging)
    if not largest > BEYOND * explained:
        return system
    guided = bool(drive.guides)
    text = (
        f"links carry up to {quantity(largest, 'N', 3)} at rest, {largest / explained:.0f} times the force "
        f"that weights, loads and preload explain: a span may {'lie on the wrong side of a guide, or ' * guided}be "
        "caught on a wheel; check the drawing at rest (chaindrive check)"
    )
    return system.with_story(warnings=(*system.story.warnings, text))


def _warn_of_breaking(system: System, drive: Drive) -> System:
    """Return the system, with a warning if a tension at rest exceeds the breaking load of the chain."""
    load = drive.chain.breaking_load
    if load is None or not system.story.notes.get("static_converged", False):
        return system
    if not (largest := float(_tensions(system, "link_tension", "span_tension").max(initial=0.0))) > load:
        return system
    text = (
        f"the chain carries up to {quantity(largest, 'N', 3)} at rest, more than its breaking load of "
        f"{quantity(load, 'N', 3)} (chain.breaking_load): reduce loads or preload, or choose a stronger chain"
    )
    return system.with_story(warnings=(*system.story.warnings, text))


def _warn_of_bends(system: System, drive: Drive) -> System:
    """Return the system, with a warning if its chain bends sharply about the end of a guide at rest."""
    known = {channel.name for channel in system.channels}
    if not drive.guides or not system.story.notes.get("static_converged", False) or "contact_surface" not in known:
        return system
    rollers, pitch = channel_at_start(system, "roller_position")[:, :2], drive.chain.pitch
    ahead = np.diff(rollers, axis=0, append=rollers[:1])
    links = ahead[:, 0] + 1j * ahead[:, 1]
    bends = np.abs(np.angle(links * np.roll(links, 1).conjugate()))
    if drive.chain.ends is not None:  # its ends have one link each
        bends[[0, -1]] = 0.0
    touched = channel_at_start(system, "contact_surface") - len(drive.wheels)
    told = []
    for number, guide in enumerate(drive.guides):
        profile = guide_profile(guide, drive_facts(drive).route, 0.5 * drive.chain.roller_diameter, number)
        ends = int(guide.shape.end_length > 0.0)
        own = pitch * max(abs(piece.curvature) for piece in profile[ends : len(profile) - ends])
        largest = float(bends[touched == number].max(initial=0.0))
        if largest > max(SHARP, SHARPER * own):
            told.append(
                f"guides[{number}]: at rest the chain bends by {math.degrees(largest):.0f} deg at one roller about an "
                f"end of {guide.name!r}: rollers run against this end, or are caught between it and a wheel; place the "
                "ends of the guide where the chain leaves it straight, or round them (end_radius, end_length); a guide "
                "on a moving body reaches this far if the chain is too long for it"
            )
    return system.with_story(warnings=(*system.story.warnings, *told))


def _warn_of_self_contact(system: System, drive: Drive) -> System:
    """Return the system, with a warning if its chain lies on itself at rest, because the model has no contact between
    links.

    A chain that runs in several planes, over coaxial wheels, is not checked.
    """
    known = {channel.name for channel in system.channels}
    if not system.story.notes["static_converged"] or "roller_position" not in known:
        return system
    if drive_facts(drive).route.one_centre.any():
        return system
    from scipy.spatial import cKDTree

    rollers = channel_at_start(system, "roller_position")
    parts = np.arange(PER_LINK) / PER_LINK
    along = rollers[:, None] + parts[:, None] * (np.roll(rollers, -1, axis=0) - rollers)[:, None]
    points = along.reshape(-1, rollers.shape[1])
    pairs = cKDTree(points).query_pairs(0.5 * drive.chain.roller_diameter, output_type="ndarray") // PER_LINK
    apart = np.abs(pairs[:, 1] - pairs[:, 0])
    meeting = pairs[np.minimum(apart, len(rollers) - apart) > BESIDE]
    if not len(meeting):
        return system
    first, second = (int(link) for link in meeting[0])
    x, y = rollers[first, :2]
    text = (
        f"at rest the chain lies on itself: links {first} and {second} meet near ({1e3 * x:.4g}, {1e3 * y:.4g}) mm. "
        "Contact between links is not computed: guide the slack span with a rail, a wheel or a tensioner, or take up "
        "the slack"
    )
    return system.with_story(warnings=(*system.story.warnings, text))


def _warn_of_slack(system: System, drive: Drive) -> System:
    """Return the system, with a warning if no equilibrium was found and the bodies that tension its chain have given
    way.

    A chain with a hanging loop is not checked, because nothing tensions it.
    """
    notes, known = system.story.notes, {channel.name for channel in system.channels}
    if notes["static_converged"] or "static_residual" not in notes or not {"wheel_position", "joint_position"} <= known:
        return system
    if drive_facts(drive).route.hanging_loop:
        return system
    slack = []
    with contextlib.suppress(InputError):  # a wheel has moved into another one
        for centres in (None, channel_at_start(system, "wheel_position")):
            slack.append((drive.chain.links - route_in_pitches(drive, centres)) * drive.chain.mean_pitch)
    if len(slack) < 2 or not slack[1] - slack[0] > GIVEN_WAY * drive.chain.pitch:
        return system
    text = (
        f"bodies have given way: the chain is slack by {quantity(slack[1], 'm', 3)} in the positions that they have "
        f"reached, and by {quantity(slack[0], 'm', 3)} in the drawing; the loads are larger than springs, weights and "
        "tensioners can hold: stiffen or preload these, move them to the slack span, or reduce the loads"
    )
    return system.with_story(warnings=(*system.story.warnings, text))


def _left_as_placed(system: System) -> System:
    """Return the system as compiled, with its contacts unchanged. Raises InputError if its first step would end the
    run.
    """
    rates = np.empty_like(system.state)
    system.kernels.begin(0.0, system.state, system.parameters)
    system.kernels.rhs(0.0, system.state, rates, system.parameters)
    answer = int(system.kernels.accept(0.0, system.state, system.parameters))
    if answer >= FIRST_FAILURE:
        description = system.status(answer, 0.0, system.state).description
        message = f"the chain cannot start as placed: {description[0].lower()}{description[1:]} Start it at rest"
        raise InputError(Problem("run.start", message, "'as_placed'"))
    return system.noted({"static_converged": False})


def _targeted(system: System) -> System:
    """Return the system with the initial values requested by its formulation, and a note on how well they are met."""
    if system.rest.targeted is None:
        return system
    state, outcome = system.rest.targeted(system.state)
    return replace(system, state=state).noted({"targets": list(outcome)})


def _holding(system: System, state: NDArray[np.float64]) -> float:
    """Return the torque that holds the driver at rest until the run starts, counter-clockwise. [N m]"""
    rates = np.zeros_like(state)
    system.kernels.rhs(0.0, state, rates, system.parameters)
    held = list(system.rest.held)
    return -float((system.masses[held] * rates[[system.positions + i for i in held]]).sum()) + 0.0


def _search_report(progress: Callable[[str], None]) -> Callable[[Search], None]:
    def tell(search: Search) -> None:
        progress(
            f"{search.method}, {search.iterations} iterations, largest residual force {quantity(search.residual, 'N')}"
        )

    return tell


def _ending_at(system: System, state: NDArray[np.float64]) -> Status | None:
    """Set the memory for a start at this state, and return the status with which a run would end immediately, or
    None.
    """
    answer = int(system.kernels.begin(0.0, state, system.parameters))
    return system.status(answer, 0.0, state) if answer >= FIRST_FAILURE else None


def _not_at_rest(system: System, found: Equilibrium, ending: Status | None) -> str:
    """Return the warning about an equilibrium that is not a valid start, or about an equilibrium that was not found."""
    if found.converged and ending is not None:
        return f"the static equilibrium that was found is not a valid start: {ending.description} {ending.advice}"
    part = found.residual / system.force_scale
    left = (
        f"no static equilibrium was found (largest residual force {quantity(found.residual, 'N')} at "
        f"{system.story.name_of(found.worst)}, {100.0 * part:.2g} % of the expected forces, after {found.iterations} "
        f"iterations{', the limit of the search' if found.exhausted else ''}); {FROM_THE_BEST}"
    )
    reason = system.rest.advice
    if found.status != Status.RUNNING:
        failed = f"the search failed: {found.status.description}"
        reason = f"{failed} {f'Note: {reason}' if reason else found.status.advice}".rstrip(".")
    return f"{left}; {reason}" if reason else left


def _advance_obstacles(system: System, progress: Callable[[Search], None] | None) -> System:
    """Return the system with its obstacles in place and the chain pushed out of their way, close to equilibrium.

    The obstacles start where they touch nothing and advance step by step, with the chain in equilibrium at each step.
    If that fails, they are moved into place in one step.
    """
    obstacles = system.rest.obstacles
    if obstacles is None:
        return system
    tolerance = EASING_TOLERANCE * system.force_scale
    held, step, eased = obstacles.penetration, 0.25 * obstacles.penetration, system
    while held > 0.0 and step > 1e-3 * obstacles.penetration:
        obstacles.retract(max(held - step, 0.0), held)
        found = equilibrium(eased, tolerance=tolerance, effort=0.1 * EFFORT, progress=progress)
        if found.converged:
            eased, held, step = replace(eased, state=found.state), max(held - step, 0.0), 1.5 * step
        else:
            step *= 0.5
    obstacles.retract(0.0, 0.0)
    return eased


def _rolling(system: System, dragged_along: bool) -> System:
    """Return the system with its start velocities and, if ``dragged_along``, in the position to which friction drags
    it.

    Friction of guides, joints and bearings and speed-dependent loads act as in the running drive, and the chain starts
    in equilibrium with them. Otherwise a conveyor would start with the tension that it has at rest, and friction would
    then build up in a transient with several times that tension. The equilibrium at rest is kept if no such equilibrium
    is found, or if the chain is jammed in it (``_jammed``).
    """
    velocities = slice(system.positions, system.positions + system.velocities)

    def moving(state: NDArray[np.float64]) -> NDArray[np.float64]:
        there = state.copy()
        moved = system.rest.obstacles is not None or system.rest.dragged is not None
        past = system.motion.rolling_past if moved else None
        there[velocities] = system.motion.rolling if past is None else past(state)
        return there

    state = moving(system.state)
    free = np.isfinite(system.masses_at_rest).any()
    runs = dragged_along and free and system.rest.dragged is not None and system.motion.rolling.any()
    if runs and system.story.notes["static_converged"]:
        dragged = replace(system, parameters=system.rest.dragged)
        before = _tensions(system, "link_tension")
        tolerance = system.rest.tolerance * system.force_scale
        for _ in range(DRAGGING_ROUNDS):
            found = equilibrium(
                replace(dragged, state=state), tolerance=tolerance, velocities=state[velocities], ways=("newton",)
            )
            if not found.converged:
                state = moving(system.state)
                break
            state = moving(found.state)
        after = _tensions(replace(system, state=state), "link_tension")
        if _ending_at(system, state) is not None or _jammed(before, after, system.force_scale):
            state = moving(system.state)
    return replace(system, state=state)


def _tensions(system: System, *names: str) -> NDArray[np.float64]:
    """Return the values in the start state of the first of these channels that exists; empty if none does. [N]"""
    known = {channel.name for channel in system.channels}
    return next((channel_at_start(system, name) for name in names if name in known), np.empty(0))


def _jammed(at_rest: NDArray[np.float64], dragged: NDArray[np.float64], expected: float) -> bool:
    """Return whether friction has raised the smallest tension of the links more than it does in a running chain; all in
    N.

    Friction adds to the tensions from the slack side of the driver on, and nothing at its beginning. With much friction
    in its joints, however, the chain has another equilibrium, in which it stands like an arch between its wheels, under
    a tension that holds the friction which holds the arch. A running chain leaves it at once, with a shock.
    """
    if not dragged.size:
        return False
    return float(dragged.min() - at_rest.min()) > JAMMED * max(float(np.ptp(dragged)), expected)


def _closed(system: System) -> System:
    """Return the system with positions that satisfy the constraints of its chain, if there are any: the run from which
    it continues may have had springs instead.
    """
    if system.rigid is None or system.rigid.closing == 0.0:
        return system
    state = system.state.copy()
    state[: system.positions] = consistent_positions(system)
    return replace(system, state=state)


def _fitting(system: System) -> System:
    """Return the system with start velocities that satisfy the constraints of its chain, if there are any."""
    if system.rigid is None or system.rigid.closing == 0.0:
        return system
    state = system.state.copy()
    state[system.positions : system.positions + system.velocities] = consistent_velocities(system)
    return replace(system, state=state)


def channel_at_start(system: System, name: str) -> NDArray[np.float64]:
    """Return one channel at the start state, in the shape of the channel."""
    return system.channel(name).read(system.row(0.0, system.state))
