"""Comparison of a run with the analytical checks of the same drive: agreement, differences, and checks that do not
apply.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical import formulas
from chaindrive.analyses.analytical.four_bar import tight_span_kinematics
from chaindrive.analyses.analytical.operating import joint_loss, span_frequencies, tooth_loads
from chaindrive.analyses.results.comparison_case import Case, Compared, LeftOut, NotSteadyError, case_of
from chaindrive.analyses.results.comparison_reasons import (
    EVEN,
    dominated_by_losses,
    held_by_return,
    hidden_by_fluctuation,
    irregular,
    links_compliance,
    lossy,
    no_sag,
    no_string,
    no_tooth_load,
    stiff_joints,
    yielding_seats,
)
from chaindrive.analyses.results.statistics import mean_by_seat, surface_indices
from chaindrive.analyses.results.variator import variator_point
from chaindrive.analyses.signals.spectra import amplitude_spectrum, peaks, sampling_step
from chaindrive.analyses.signals.windows import even_rows, instants
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Contact
from chaindrive.numbers import quantity
from chaindrive.results.solution import Solution

__all__ = ["Compared", "Comparison", "LeftOut", "comparison"]

FloatArray = NDArray[np.float64]
Rows = list[Compared | LeftOut]

LONG_WRAP = 10
"""Smallest number of rollers for which Binder's sum for two spans is reliable."""
NEAR = 0.1
"""Relative range around the frequency of a string in which its peak is sought."""
SUDDEN = 1e-9
"""Rate of regularisation assumed for joint friction if a run does not state it; so small that it has practically no
effect. [rad/s]"""
RESONANT = (0.7, 1.4)
"""Ratios of excitation to natural frequency between which damping determines the response."""


class Comparison(NamedTuple):
    """Values from a run and from the analytical checks, for one window."""

    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    rows: tuple[Compared, ...]
    left_out: tuple[LeftOut, ...]
    """Analytical checks that do not apply or need channels that were not kept."""


def comparison(solution: Solution, start: float | None = None, stop: float | None = None) -> Comparison:
    """Compare a run with the analytical checks of its drive, and return the comparison; start, stop [s].

    The default window covers the last whole revolutions of the driver in the steady part of a run.

    The comparison covers the speeds of the wheels, the tension difference across each wheel (torque and weight), the
    torque of the driver, the forces on the bearings, the loads of the teeth where the chain arrives and leaves
    (Binder), string frequencies, sag, polygonal action of two wheels, losses in the joints, and penetration of the
    contacts. For a variator it covers ratio, thrusts, tension differences and string frequencies. Analytical checks use
    the mean span tensions and the mean speed of the run, and the description of the drive; nothing is fitted.

    If the run is not steady in the window, ``rows`` is empty and ``left_out`` gives the reason. Raises InputError if
    span_tension or wheel_speed was not kept, or if the window has fewer than 8 rows.
    """
    try:
        case = case_of(solution, start, stop)
    except NotSteadyError as error:
        problem = error.problems[0]
        times = instants(solution)
        reason = LeftOut("all analytical checks", "", f"{problem.value}: {problem.message}")
        first, last = (float(times[k]) if given is None else given for k, given in ((0, start), (-1, stop)))
        return Comparison(first, last, (), (reason,))
    parts: tuple[Callable[[Case], Rows], ...] = (
        _speeds,
        _tension_steps,
        _driver_torque,
        _bearings,
        _teeth,
        _strings,
        _sag,
        _polygon,
        _joints,
        _penetration,
    )
    if case.drive.sheaves:
        parts = (_of_a_variator, _strings)
    carries = bool(case.drive.payloads) or any(case.drive.chain.attached_masses)
    found = [_known(row) for part in parts if not carries or part in WITHOUT_WEIGHT for row in part(case)]
    if carries:
        words = "the chain carries goods or attachments, whose weight and inertia these checks do not include"
        found.append(LeftOut("tensions, forces, frequencies and losses", "", words))
    return Comparison(
        case.window.start,
        case.window.stop,
        tuple(row for row in found if isinstance(row, Compared)),
        tuple(row for row in found if isinstance(row, LeftOut)),
    )


def _of_a_variator(case: Case) -> Rows:
    """Compare ratio, thrusts and tension differences of a variator with the values that follow from its mean running
    radii.
    """
    found: Rows = []
    try:
        point = variator_point(case.solution, case.window.start, case.window.stop)
    except InputError as error:
        return [LeftOut("ratio, thrusts and tension steps", "", error.problems[0].message)]
    tension = np.abs(np.diff(case.mean("span_tension")))[0]
    speed, driver = np.abs(case.mean("wheel_speed")), point.driver
    for w, sheave in enumerate(case.drive.sheaves):
        if w != driver:
            rolled = float(speed[driver]) * point.radius[driver] / point.radius[w]
            found.append(
                Compared(
                    "mean speed", sheave.name, "wheel", w, float(speed[w]), rolled, "rad/s",
                    "driving speed times the ratio of the mean running radii", "kinematics", "without slip",
                )
            )  # fmt: skip
        if sheave.clamping_force is not None and sheave.ratio_control is None:
            found.append(
                Compared(
                    "mean thrust", sheave.name, "wheel", w, point.thrust[w], sheave.clamping_force, "N",
                    "clamping force", "balance of forces on the moving sheave",
                )
            )  # fmt: skip
        found.append(
            Compared(
                "mean tension difference across the pair", sheave.name, "wheel", w, float(tension),
                point.torque[w] / point.radius[w], "N", "M / R, with the mean torque and running radius",
                "balance of moments",
            )
        )  # fmt: skip
    return found


def _known(row: Compared | LeftOut) -> Compared | LeftOut:
    """Return the row, or the reason why one of its values is unknown."""
    if isinstance(row, LeftOut) or (math.isfinite(row.simulated) and math.isfinite(row.analytical)):
        return row
    return LeftOut(row.quantity, row.where, "a required tension or displacement is not a number")


def _speeds(case: Case) -> Rows:
    """Compare the mean speed of every wheel with the value that follows from the driver; a tooth jump would be
    visible.
    """
    mean = np.abs(case.mean("wheel_speed"))
    teeth = [wheel.teeth for wheel in case.drive.wheels]
    first = case.point.driver
    return [
        Compared(
            "mean speed", wheel.name, "wheel", w, float(mean[w]), float(mean[first]) * teeth[first] / teeth[w],
            "rad/s", "driver speed times the ratio of teeth", "kinematics",
        )
        for w, wheel in enumerate(case.drive.wheels)
        if w != first
    ]  # fmt: skip


def _tension_steps(case: Case) -> Rows:
    """Compare the tension difference across every wheel without prescribed motion with the balance of moments."""
    found: Rows = []
    tension, middles = case.point.tension, case.middles
    for w, wheel in enumerate(case.drive.wheels):
        if wheel.motion is not None:
            continue
        if reason := case.partial_turns_reason(w):
            found.append(LeftOut("mean tension difference across the wheel", wheel.name, reason))
            continue
        torque = case.resistance[w] - case.driving[w] + case.speeding[w]
        pull = formulas.chain_pull(torque, wheel.teeth, case.drive.chain.pitch) * (1.0 if case.forward else -1.0)
        step = pull + case.rise(middles[w - 1], middles[w])
        if reason := dominated_by_losses(case, w, float(step)) or hidden_by_fluctuation(case, w, abs(float(step))):
            found.append(LeftOut("mean tension difference across the wheel", wheel.name, reason))
            continue
        near = {w, (w - 1) % len(middles)} & case.guided
        remark = "losses on the wheel" + (" and friction on guides are" if near else " are") + " neglected"
        found.append(
            Compared(
                "mean tension difference across the wheel", wheel.name, "wheel", w, float(tension[w] - tension[w - 1]),
                float(step), "N", "2 pi (M + J dw/dt) / (z P) + rho g (h2 - h1)", "balance of moments; weight",
                remark,
            )
        )  # fmt: skip
    return found


def _driver_torque(case: Case) -> Rows:
    driven = [w for w, wheel in enumerate(case.drive.wheels) if wheel.motion is not None]
    name = "mean torque of the driver"
    if len(driven) > 1:
        return [LeftOut(name, "", "several wheels have prescribed motions: their share of the load is unknown")]
    if not driven:
        return _balance_of_torques(case)
    if not case.has("wheel_torque"):
        return [LeftOut(name, "", case.solution.absent("wheel_torque"))]
    others = (w for w in range(len(case.drive.wheels)) if w not in driven)
    if reason := next(filter(None, map(case.partial_turns_reason, others)), ""):
        return [LeftOut(name, "", reason)]
    w = driven[0]
    teeth = np.array([wheel.teeth for wheel in case.drive.wheels])
    needed = float(((case.resistance + case.speeding) * teeth[w] / teeth).sum())
    wheel = case.drive.wheels[w]
    if needed == 0.0:
        return [LeftOut(name, wheel.name, "no wheel is loaded: all of the torque covers losses")]
    if reason := lossy(case, needed * case.pace * 2.0 * math.pi / float(teeth[w])):
        return [LeftOut(name, wheel.name, reason)]
    remark = "only bearing losses are included"
    if needed < 0.0:
        remark += "; negative: it brakes"
    torque = float(drive_facts(case.drive).senses[w] * case.mean("wheel_torque")[w])
    formula = "sum of the resisting torques and of J dw/dt, times the ratios of teeth"
    return [Compared(name, wheel.name, "wheel", w, torque, needed, "N m", formula, "balance of power", remark)]


def _balance_of_torques(case: Case) -> Rows:
    """Compare driving and resisting torques on the shaft of the driver, if no motion is prescribed."""
    name, first = "mean torque of the driver", case.point.driver
    if reason := next(filter(None, map(case.partial_turns_reason, range(len(case.drive.wheels)))), ""):
        return [LeftOut(name, "", reason)]
    if not case.driving.any():
        return [LeftOut(name, "", "no torque drives it: the drive coasts")]
    if case.governed:
        return [LeftOut(name, "", "a governor supplies whatever torque the speed requires")]
    teeth = np.array([wheel.teeth for wheel in case.drive.wheels])
    ratios = teeth[first] / teeth
    given, needed = (float((each * ratios).sum()) for each in (case.driving, case.resistance + case.speeding))
    if reason := lossy(case, given * case.pace * 2.0 * math.pi / float(teeth[first])):
        return [LeftOut(name, "", reason)]
    formula = "sum of the resisting torques and of J dw/dt, times the ratios of teeth"
    remark = "only bearing losses are included"
    where = case.drive.wheels[first].name
    return [Compared(name, where, "wheel", first, given, needed, "N m", formula, "balance of power", remark)]


def _bearings(case: Case) -> Rows:
    """Compare the mean bearing force with the pull of both spans minus their centrifugal part, plus the weight of half
    of each span, of the chain on the wheel, and of the wheel.
    """
    name = "mean bearing force"
    if not case.has("bearing_force"):
        return [LeftOut(name, "", case.solution.absent("bearing_force"))]
    mean, way, tension = case.mean("bearing_force"), case.point.route, case.point.tension
    pull = (tension - case.point.mass_per_length * case.point.chain_speed**2)[:, None] * way.span_direction
    hanging = 0.5 * way.span_length[:, None] * case.weight
    found: Rows = []
    for w, wheel in enumerate(case.drive.wheels):
        on_wheel = way.wrap[w] * wheel.teeth / (2.0 * np.pi) * case.drive.chain.link_mass
        force = pull[w] - pull[w - 1] + hanging[w] + hanging[w - 1]
        force = force + (on_wheel + (wheel.mass or 0.0)) * np.asarray(case.drive.gravity)
        if reason := hidden_by_fluctuation(case, w, float(np.hypot(*force))):
            found.append(LeftOut(name, wheel.name, reason))
            continue
        near = {w, (w - 1) % len(tension)} & case.guided
        remark = "deflection of the chain by guides is not included" if near else ""
        size = float(np.hypot(*mean[w]))
        found.append(
            Compared(
                name, wheel.name, "wheel", w, size, float(np.hypot(*force)), "N",
                "|(T1 - rho V^2) u1 - (T2 - rho V^2) u2 + weights|", "balance of momentum (Routh 1905, Art. 597)",
                remark,
            )
        )  # fmt: skip
    return found


def _teeth(case: Case) -> Rows:
    """Compare the normal force on the second and on the second-to-last roller of every long wrap.

    The first and the last roller carry their load only during part of the time in which they touch the wheel.
    """
    name = "mean tooth load"
    if not case.has("contact_force", "contact_surface"):
        return [LeftOut(name, "", case.solution.absent("contact_force", "contact_surface"))]
    body = surface_indices(case.solution.values("contact_surface", case.window.rows))
    force = np.asarray(case.solution.values("contact_force", case.window.rows), dtype=np.float64)
    loads = tooth_loads(case.point)
    found: Rows = []
    for w, wheel in enumerate(case.drive.wheels):
        if loads[w].rollers < LONG_WRAP:
            reason = f"{loads[w].rollers} rollers: the sum for two spans is too high for fewer than {LONG_WRAP}"
            found.append(LeftOut(name, wheel.name, reason))
            continue
        try:
            seats = mean_by_seat(body == w, force, w)
        except InputError as error:
            found.append(LeftOut(name, wheel.name, error.problems[0].message))
            continue
        if seats.size < LONG_WRAP:
            reason = f"{loads[w].rollers} rollers lie on the wheel, but usually {seats.size} of them touch it"
            found.append(LeftOut(name, wheel.name, reason))
            continue
        tighter = max((w - 1, w), key=lambda k: float(case.point.tension[k]))
        if reason := irregular(case, tighter, EVEN):
            found.append(LeftOut(name, wheel.name, reason))
            continue
        ordered = seats if case.forward else seats[::-1]
        normal = loads[w].tooth * math.cos(loads[w].shift)
        source = "Binder 1956, ASA teeth; Pedersen 2004, Eq. 4.41, corrected; Naji & Marshek 1983"
        for which, k in (("second", 1), ("last but one", -2)):
            if reason := no_tooth_load(case, float(normal[k])):
                found.append(LeftOut(f"{name}, {which} roller", wheel.name, reason))
                continue
            found.append(
                Compared(
                    f"{name}, {which} roller", wheel.name, "wheel", w, float(ordered[k]), float(normal[k]), "N",
                    "sum of two geometric series from both spans", source,
                )
            )  # fmt: skip
    return found


def _strings(case: Case) -> Rows:
    """Compare the first natural frequency of every span with the highest peak near it."""
    name = "first transverse frequency"
    if not case.has("span_displacement"):
        return [LeftOut(name, "", case.solution.absent("span_displacement"))]
    times = instants(case.solution)[case.window.rows]
    rows = even_rows(times)
    try:
        step = sampling_step(times[:rows])
    except InputError as error:
        return [LeftOut(name, "", error.problems[0].message)]
    wanted = span_frequencies(case.point)
    moved = np.asarray(case.solution.values("span_displacement", case.window.rows)[:rows], dtype=np.float64)
    found: Rows = []
    for k, frequency in enumerate(wanted):
        reason = no_string(case, k, float(frequency), step, moved[:, k])
        if reason:
            found.append(LeftOut(name, case.drive.span_names[k], reason))
            continue
        spectrum = amplitude_spectrum(moved[:, k], step, trend="linear", padding=4)
        near = peaks(spectrum, 1, 0.0, (1.0 - NEAR) * frequency, (1.0 + NEAR) * frequency)
        if not near:
            found.append(LeftOut(name, case.drive.span_names[k], f"no peak within {NEAR:.0%} of {frequency:.3g} Hz"))
            continue
        remark = f"the highest peak within {NEAR:.0%}; it may be a forced vibration"
        found.append(
            Compared(
                name, case.drive.span_names[k], "span", k, near[0].frequency, float(frequency), "Hz",
                "(c^2 - V^2) / (2 l c)", "Mahalingam 1957; Pedersen 2004, Eq. 4.27", remark,
            )
        )  # fmt: skip
    return found


def _sag(case: Case) -> Rows:
    """Compare the mean transverse displacement of every span with its sag due to the weight of the chain; positive to
    the left of the direction of the route.
    """
    name = "mean sag"
    if not case.has("span_displacement"):
        return [LeftOut(name, "", case.solution.absent("span_displacement"))]
    mean, way = case.mean("span_displacement"), case.point.route
    centrifugal = float(formulas.centrifugal_tension(case.point.mass_per_length, case.point.chain_speed))
    found: Rows = []
    for k, (ux, uy) in enumerate(way.span_direction):
        across = float(case.weight @ np.array([-uy, ux]))
        holding = float(case.point.tension[k]) - centrifugal
        sag = across * float(way.span_length[k]) ** 2 / (8.0 * holding) if holding > 0.0 else math.nan
        if reason := no_sag(case, k, sag):
            found.append(LeftOut(name, case.drive.span_names[k], reason))
            continue
        remark = "motion of the span ends, due to polygonal action and rollers deep in their seats, is not included"
        found.append(
            Compared(
                name, case.drive.span_names[k], "span", k, float(mean[k]), sag, "m", "rho g l^2 / (8 (T - rho V^2))",
                "catenary to first order (Routh 1905)", remark,
            )
        )  # fmt: skip
    return found


def _polygon(case: Case) -> Rows:
    """Compare the speed ripple of the driven wheel at the tooth frequency, in a drive with two wheels, with the ripple
    of rigid links on an elastic span.
    """
    name = "speed ripple of the driven wheel at the tooth frequency"
    drive, first = case.drive, case.point.driver
    if len(drive.wheels) != 2:
        return [LeftOut(name, "", f"{len(drive.wheels)} wheels: the exact kinematics need two")]
    other, pulled = 1 - first, (first - 1) % 2 if case.forward else first
    tension = case.point.tension  # where the other wheel drives, or is braked, the tight span is the other one
    tight = pulled if tension[pulled] >= tension[1 - pulled] else 1 - pulled
    wheel, chain = drive.wheels[other], drive.chain
    length, teeth = float(case.point.route.span_length[tight]), drive.wheels[first].teeth
    compliant = links_compliance(case, tight)
    own = (
        math.sqrt(1.0 / (compliant * (wheel.turned_inertia or math.inf)))
        * float(case.point.route.radii[other])
        / (2 * math.pi)
    )
    relative = case.pace / own if own > 0.0 else math.inf
    reason = ""
    if any(w.side != "front" for w in drive.wheels):
        reason = "both wheels must be on the front of the chain"
    elif drive.wheels[first].motion is None:
        reason = "the driver needs a prescribed motion"
    elif wheel.motion is not None:
        reason = "only the driver may have a prescribed motion"
    elif any(w.pitch_line is not None for w in drive.wheels):
        reason = "the exact kinematics need round wheels"
    elif case.joined or len(case.turned) > len(drive.wheels):
        reason = "shafts join other parts to the wheels"
    elif tight in case.guided:
        reason = "a guide bends the tight span"
    elif not case.has("wheel_angle"):
        reason = case.solution.absent("wheel_angle")
    elif case.pace * case.window.duration / (case.window.end - case.window.first - 1) > 0.4:
        reason = f"{case.pace:.3g} Hz is above 0.4 times the save rate"
    elif RESONANT[0] < relative < RESONANT[1]:
        reason = f"{case.pace:.3g} Hz is near the frequency of the wheel on its span, {own:.3g} Hz: damping dominates"
    elif length < 2.0 * chain.pitch:
        reason = "the tight span is shorter than two pitches"
    elif other_reason := stiff_joints(case) or irregular(case, tight):
        reason = other_reason
    else:
        reason = yielding_seats(case, tight) or held_by_return(case, 1 - tight, compliant)
    if reason:
        return [LeftOut(name, wheel.name, reason)]
    exact = tight_span_kinematics(teeth, wheel.teeth, length, chain.pitch)
    rigid = 2.0 * abs(complex((exact.ratio * np.exp(-1j * teeth * exact.driver_angle)).mean()))
    angle = np.asarray(case.solution.values("wheel_angle", case.window.rows, first)) * teeth
    speed = np.asarray(case.solution.values("wheel_speed", case.window.rows, other))
    if not abs(float(angle[-1] - angle[0])) >= 2.0 * np.pi:  # nor where it is not a number
        return [LeftOut(name, wheel.name, "the chain moves by less than one tooth in the window")]
    ripple = _harmonic(angle, speed) / abs(float(speed.mean()))
    formula = "four-bar linkage / |1 - (f / f0)^2|, f0: natural frequency of the wheel on the tight span"
    source = "Bouillon & Tordion 1965; Chen & Freudenstein 1988"
    remark = f"f0 = {own:.3g} Hz with rigid seats; rigid links alone give {rigid:.3g}"
    closed = rigid / abs(1.0 - relative**2)
    return [Compared(name, wheel.name, "wheel", other, ripple, closed, "1", formula, source, remark)]


def _harmonic(phase: FloatArray, values: FloatArray) -> float:
    """Return the amplitude of the component of the values that has one period per turn of the phase [rad], over whole
    turns; values and phase have the shape (n,).
    """
    turned = np.abs(phase - phase[0])
    whole = turned < 2.0 * np.pi * math.floor(float(turned[-1]) / (2.0 * np.pi))
    part = values[whole] - values[whole].mean()
    return 2.0 * abs(complex((part * np.exp(-1j * phase[whole])).mean()))


def _joints(case: Case) -> Rows:
    """Compare the power lost in the joints of the chain by friction and damping with the analytical value."""
    name, chain = "lost in the joints", case.drive.chain
    if not case.has("work_articulation"):
        return [LeftOut(name, "", case.solution.absent("work_articulation"))]
    if not (chain.joint_friction or chain.joint_damping):
        return [LeftOut(name, "", "the joints have neither friction nor damping")]
    if reason := "guides bend the joints as well" if case.guided else stiff_joints(case):
        return [LeftOut(name, "", reason)]
    work = case.solution.values("work_articulation", case.window.rows)
    power = (float(work[-1]) - float(work[0])) / case.window.duration
    teeth = np.array([wheel.teeth for wheel in case.drive.wheels], dtype=np.float64)
    bend = 2.0 * np.pi / teeth
    closed = case.pace * 2.0 * chain.joint_damping * float((bend * (bend * case.pace)).sum())
    terms = ["2 C f sum (2 pi / z) w"] if chain.joint_damping else []
    if chain.joint_friction and chain.pin_diameter:
        closed += joint_loss(case.point, chain.joint_friction, chain.pin_diameter)
        terms.append("mu r f sum (2 pi / z) (T before + T after)")
    elif chain.joint_friction:
        return [LeftOut(name, "", "the pin diameter is not given")]
    remark = "assumes that spans keep their direction, but vibration also bends the joints"
    if case.has("roller_position", "contact_surface", "link_tension"):
        closed += (vibrating := _span_joint_loss(case))
        lost = quantity(vibrating, "W", 2)
        remark = f"including {lost} due to vibration of the joints in the spans, computed from stored positions"
    source = "work of the moment over 2 pi / z at each end of every span"
    return [Compared(name, "", "drive", -1, power, closed, "W", " + ".join(terms), source, remark)]


def _span_joint_loss(case: Case) -> float:
    """Return the power lost in joints in the spans, from the positions in each row. Only joints that touch nothing, and
    whose neighbours touch nothing, are included. [W]

    mu r T |a| tanh(|a| / (t w)) + C a^2 / t is summed over the angles a by which a joint bends in the time t between
    two rows; w is the rate of regularisation of the joint friction.
    """
    chain, rows = case.drive.chain, case.window.rows
    place = np.asarray(case.solution.values("roller_position", rows), dtype=np.float64)
    on = surface_indices(case.solution.values("contact_surface", rows)) >= 0
    tension = np.maximum(np.asarray(case.solution.values("link_tension", rows), dtype=np.float64), 0.0)
    after = np.roll(place, -1, axis=1) - place
    before = np.roll(after, 1, axis=1)
    cross = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
    turn = np.abs(np.diff(np.arctan2(cross, (before * after).sum(axis=-1)), axis=0))
    near = on | np.roll(on, 1, axis=1) | np.roll(on, -1, axis=1)
    turn = np.where(near[1:] | near[:-1], 0.0, turn)
    pull = 0.5 * (tension + np.roll(tension, 1, axis=1))[1:]
    step = case.window.duration / len(turn)
    sliding = np.tanh(turn / (step * float(case.solution.notes.get("joint_friction_rate", SUDDEN))))
    friction = 0.5 * chain.joint_friction * (chain.pin_diameter or 0.0) * float((pull * turn * sliding).sum())
    return (friction + chain.joint_damping * float((turn**2).sum()) / step) / case.window.duration


def _penetration(case: Case) -> Rows:
    """Compare the mean penetration of the rollers on every wheel with the mean of the penetrations that the contact law
    gives for their forces.
    """
    name = "mean penetration"
    if not case.has("contact_penetration", "contact_force", "contact_surface"):
        return [LeftOut(name, "", case.solution.absent("contact_penetration"))]
    rows = case.window.rows
    body = surface_indices(case.solution.values("contact_surface", rows))
    force = np.asarray(case.solution.values("contact_force", rows), dtype=np.float64)
    depth = np.asarray(case.solution.values("contact_penetration", rows), dtype=np.float64)
    found: Rows = []
    for w, wheel in enumerate(case.drive.wheels):
        law = wheel.contact or case.drive.contact
        on = body == w
        if not on.any():
            found.append(LeftOut(name, wheel.name, "no roller touches it"))
            continue
        closed = float(law.penetration(force[on]).mean())
        if (why := _unknown_law(law, closed)) is not None:
            found.append(LeftOut(name, wheel.name, why))
            continue
        formula = "mean of (F / K)^(1 / n)" if law.law is None else "mean of the depth under F from the law"
        found.append(
            Compared(
                name, wheel.name, "wheel", w, float(depth[on].mean()), closed, "m", formula,
                "Hertz 1882; Pedersen 2004, section 3.6", "losses in the contact are not included",
            )
        )  # fmt: skip
    return found


def _unknown_law(contact: Contact, depth: float) -> str | None:
    """Return the reason why the depth [m] under a force does not follow from the law of a contact, or None."""
    if contact.law is not None and not contact.law.is_available:
        return f"its law {contact.law.name} has not been imported"
    return None if math.isfinite(depth) else "the depth is outside the range for which its law is given"


WITHOUT_WEIGHT = (_speeds, _penetration)
"""Checks that also apply to a chain that carries goods or attachments."""
