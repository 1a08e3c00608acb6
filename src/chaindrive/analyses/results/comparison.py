"""Comparison of a run with the analytical checks of the same drive: agreement, differences, and inapplicable checks."""

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
from chaindrive.analyses.results.statistics import mean_by_seat, surface_indices
from chaindrive.analyses.signals.spectra import amplitude_spectrum, peaks, sampling_step
from chaindrive.analyses.signals.windows import instants
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.numbers import quantity
from chaindrive.results.solution import Solution

__all__ = ["Compared", "Comparison", "LeftOut", "comparison"]

FloatArray = NDArray[np.float64]
Rows = list[Compared | LeftOut]

LONG_WRAP = 10
"""Number of rollers above which Binder's sum for two spans is reliable."""
SLACK, UNEVEN = 0.1, 0.3
"""Lowest tension of a span (of a hundredth of the time), and standard deviation of its tension, relative to its mean:
below the first and above the second what follows from the mean tension is not compared."""
SLIGHT = 0.02
"""Load of a tooth, relative to the tension of the tightest span, below which it is not compared: the play of rollers in
their seats decides on it."""
DRAGGED = 0.2
"""Drag of the chain on a wheel, relative to the difference of tensions that is expected there, above which it is not
compared."""
STIFF_JOINTS = 0.15
"""C f / (T P), the moment of damping in a joint that bends within one pitch relative to what straightens its link,
above which it bends over more than a pitch: its loss is less by about this share, and the polygon is smoothed."""
LOSSY = 0.1
"""Losses, relative to the power of the loads, above which a balance without them is not compared."""
YIELDING = 0.15
"""Compliance of the seats at both ends of a span, relative to that of its links, above which rigid seats are wrong."""
NEAR = 0.1
"""Relative range around the frequency of a string in which its peak is searched."""
SEAT_PLAY = 0.3
"""Smallest sag that is compared, relative to the roller diameter: below it the positions of rollers in their seats
dominate."""
RESONANT = (0.7, 1.4)
"""Excitation over natural frequency between which damping determines the response."""
PERIODS = 5
"""Smallest number of periods of a string in the window."""


class Comparison(NamedTuple):
    """Numbers of a run and of the analytical checks, over one window."""

    start: float
    """Start of the window. [s]"""
    stop: float
    """End of the window. [s]"""
    rows: tuple[Compared, ...]
    left_out: tuple[LeftOut, ...]
    """Analytical checks that do not apply, or need channels that were not kept."""


def comparison(solution: Solution, start: float | None = None, stop: float | None = None) -> Comparison:
    """Compare a run with the analytical checks of its drive; start, stop [s].

    The default window is the last whole revolutions of the driver in the steady part of a run.

    Compared are speeds of the wheels, steps of tension over the wheels (torque and weight), torque of the driver,
    forces on the bearings, loads of the teeth where the chain arrives and leaves (Binder), string frequencies, sag,
    polygonal action of two wheels, losses in the joints, penetration of the contacts. Analytical checks use the mean
    span tensions and the mean speed of the run and the description of the drive; nothing is fitted.

    If the run is not steady in the window, ``rows`` is empty and ``left_out`` gives the reason. Raises InputError when
    span_tension or wheel_speed was not kept, and for a window with fewer than 8 rows.
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
    carries = bool(case.drive.payloads) or any(case.drive.chain.attached_masses)
    found = [_known(row) for part in parts if not carries or part in WITHOUT_WEIGHT for row in part(case)]
    if carries:
        words = "the chain carries goods or attachments, whose weight and inertia these checks do not know"
        found.append(LeftOut("tensions, forces, frequencies and losses", "", words))
    return Comparison(
        case.window.start,
        case.window.stop,
        tuple(row for row in found if isinstance(row, Compared)),
        tuple(row for row in found if isinstance(row, LeftOut)),
    )


def _known(row: Compared | LeftOut) -> Compared | LeftOut:
    """A row, or the reason why one of its numbers is not known."""
    if isinstance(row, LeftOut) or (math.isfinite(row.simulated) and math.isfinite(row.analytical)):
        return row
    return LeftOut(row.quantity, row.where, "a required tension or displacement is not a number")


def _speeds(case: Case) -> Rows:
    """Mean speed of every wheel from that of the driver: a jumped tooth would be visible."""
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
    """Difference of tension between the spans before and after every freely turning wheel."""
    found: Rows = []
    tension, middles = case.point.tension, case.middles
    for w, wheel in enumerate(case.drive.wheels):
        if wheel.motion is not None:
            continue
        if case.uneven(w):
            found.append(LeftOut("mean tension difference across the wheel", wheel.name, case.uneven(w)))
            continue
        torque = case.resistance[w] - case.driving[w] + case.speeding[w]
        pull = formulas.chain_pull(torque, wheel.teeth, case.drive.chain.pitch) * (1.0 if case.forward else -1.0)
        step = pull + case.rise(middles[w - 1], middles[w])
        if (drag := _drag(case, w)) > DRAGGED * abs(step):
            reason = f"only {quantity(float(step), 'N', 2)} without losses, which drag with about "
            reason += f"{quantity(drag, 'N', 2)}: they decide"
            found.append(LeftOut("mean tension difference across the wheel", wheel.name, reason))
            continue
        near = {w, (w - 1) % len(middles)} & case.guided
        remark = "losses on the wheel" + (" and friction on guides are" if near else " are") + " left out"
        found.append(
            Compared(
                "mean tension difference across the wheel", wheel.name, "wheel", w, float(tension[w] - tension[w - 1]),
                float(step), "N", "2 pi (M + J dw/dt) / (z P) + rho g (h2 - h1)", "balance of moments; weight",
                remark,
            )
        )  # fmt: skip
    return found


def _drag(case: Case, w: int) -> float:
    """Tension lost on a wheel: by its joints as in ``operating.joint_loss``, or its share of all losses if more [N]."""
    chain, bend = case.drive.chain, 2.0 * math.pi / case.drive.wheels[w].teeth
    pull = float(case.point.tension[w] + case.point.tension[w - 1])
    moment = 0.5 * chain.joint_friction * (chain.pin_diameter or 0.0) * pull
    joints = bend * (moment + 2.0 * chain.joint_damping * bend * case.pace) / chain.pitch
    return max(joints, _lost(case) / (case.pace * chain.pitch * len(case.drive.wheels)))


def _lost(case: Case) -> float:
    """Power that the chain loses in the window, without bearings. [W]"""
    names = [f"work_{name}" for name in case.solution.loss_names if name != "bearing"]
    works = [case.solution.values(name, case.window.rows) for name in names if name in case.solution]
    return sum(float(work[-1]) - float(work[0]) for work in works) / case.window.duration


def _irregular(case: Case, k: int) -> str:
    """Why the mean tension of a span does not tell its mean state, or an empty text."""
    tension = np.asarray(case.solution.values("span_tension", case.window.rows, k), dtype=np.float64)
    tension, mean = tension[np.isfinite(tension)], float(case.point.tension[k])
    if not (tension.size and mean > 0.0):
        return "its span is slack"
    if float(np.percentile(tension, 1.0)) < SLACK * mean:
        return "its span goes slack at times"
    share = float(tension.std()) / mean
    return f"the tension of its span fluctuates by {100.0 * share:.2g} % (RMS)" if share > UNEVEN else ""


def _stiff_joints(case: Case) -> str:
    """Why joints do not bend within one pitch, or an empty text: C f / (T P) on the mean of all spans, by the squares
    of the angles by which they bend.
    """
    chain, tension = case.drive.chain, np.maximum(case.point.tension, 1e-9)
    bends = np.array([1.0 / wheel.teeth**2 for wheel in case.drive.wheels])
    shares = np.minimum(chain.joint_damping * case.pace / (tension * chain.pitch), 1.0)
    both = 0.5 * (shares + np.roll(shares, 1))
    share = float((bends * both).sum() / bends.sum())
    if not share > STIFF_JOINTS:
        return ""
    return f"damping in the joints is {100.0 * share:.2g} % of what bends them: they bend over more than one pitch"


def _driver_torque(case: Case) -> Rows:
    driven = [w for w, wheel in enumerate(case.drive.wheels) if wheel.motion is not None]
    name = "mean torque of the driver"
    if len(driven) > 1:
        return [LeftOut(name, "", "several wheels have prescribed motions: their share of the load is unknown")]
    if not driven:
        return _balance_of_torques(case)
    if not case.has("wheel_torque"):
        return [LeftOut(name, "", case.solution.absent("wheel_torque"))]
    uneven = next(filter(None, (case.uneven(w) for w in range(len(case.drive.wheels)) if w not in driven)), "")
    if uneven:
        return [LeftOut(name, "", uneven)]
    w = driven[0]
    teeth = np.array([wheel.teeth for wheel in case.drive.wheels])
    needed = float((case.resistance * teeth[w] / teeth).sum())
    wheel = case.drive.wheels[w]
    if needed == 0.0:
        return [LeftOut(name, wheel.name, "no wheel is loaded: all of the torque covers losses")]
    if lossy := _lossy(case, needed * case.pace * 2.0 * math.pi / float(teeth[w])):
        return [LeftOut(name, wheel.name, lossy)]
    remark = "only losses of bearings are included"
    if needed < 0.0:
        remark += "; negative: it brakes"
    torque = float(drive_facts(case.drive).senses[w] * case.mean("wheel_torque")[w])
    formula = "sum of the resisting torques times the ratios of teeth"
    return [Compared(name, wheel.name, "wheel", w, torque, needed, "N m", formula, "balance of power", remark)]


def _balance_of_torques(case: Case) -> Rows:
    """Driving against resisting torques on the shaft of the driver, if no motion is prescribed."""
    name, first = "mean torque of the driver", case.point.driver
    uneven = next(filter(None, (case.uneven(w) for w in range(len(case.drive.wheels)))), "")
    if uneven:
        return [LeftOut(name, "", uneven)]
    if not case.driving.any():
        return [LeftOut(name, "", "no torque drives: the drive coasts")]
    if case.governed:
        return [LeftOut(name, "", "a governor drives, with whatever torque the speed needs")]
    teeth = np.array([wheel.teeth for wheel in case.drive.wheels])
    ratios = teeth[first] / teeth
    given, needed = (float((each * ratios).sum()) for each in (case.driving, case.resistance + case.speeding))
    if lossy := _lossy(case, given * case.pace * 2.0 * math.pi / float(teeth[first])):
        return [LeftOut(name, "", lossy)]
    formula = "sum of the resisting torques and of J dw/dt, times the ratios of teeth"
    remark = "only losses of bearings are included"
    where = case.drive.wheels[first].name
    return [Compared(name, where, "wheel", first, given, needed, "N m", formula, "balance of power", remark)]


def _lossy(case: Case, power: float) -> str:
    """Why a balance of power [W] without the losses of the chain says nothing, or an empty text."""
    lost = _lost(case)
    if not lost > LOSSY * abs(power):
        return ""
    return f"the chain loses {quantity(lost, 'W', 3)}, and the loads take {quantity(abs(power), 'W', 3)}: losses decide"


def _bearings(case: Case) -> Rows:
    """Pull of both spans less the centrifugal part, weight of the chain on the wheel and of the wheel."""
    name = "mean bearing force"
    if not case.has("bearing_force"):
        return [LeftOut(name, "", case.solution.absent("bearing_force"))]
    mean, way, tension = case.mean("bearing_force"), case.point.route, case.point.tension
    lost = case.point.mass_per_length * case.point.chain_speed**2
    found: Rows = []
    for w, wheel in enumerate(case.drive.wheels):
        leaving = tension[w] + case.rise(case.middles[w], way.span_start[w]) - lost
        arriving = tension[w - 1] + case.rise(case.middles[w - 1], way.span_end[w - 1]) - lost
        force = leaving * way.span_direction[w] - arriving * way.span_direction[w - 1]
        on_wheel = way.wrap[w] * wheel.teeth / (2.0 * np.pi) * case.drive.chain.link_mass
        force = force + (on_wheel + (wheel.mass or 0.0)) * np.asarray(case.drive.gravity)
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
    """Normal force on the second and on the second-to-last roller of every long wrap.

    The first and the last roller carry their load only part of the time in which they touch the wheel.
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
            reason = f"{loads[w].rollers} rollers wrap the wheel, but mostly {seats.size} of them touch it"
            found.append(LeftOut(name, wheel.name, reason))
            continue
        tighter = max((w - 1, w), key=lambda k: float(case.point.tension[k]))
        if reason := _irregular(case, tighter):
            found.append(LeftOut(name, wheel.name, reason))
            continue
        ordered = seats if case.forward else seats[::-1]
        normal = loads[w].tooth * math.cos(loads[w].shift)
        source = "Binder 1956; Pedersen 2004, Eq. 4.41, corrected; Naji & Marshek 1983"
        for which, k in (("second", 1), ("last but one", -2)):
            if normal[k] < SLIGHT * float(case.point.tension.max()):
                reason = f"{quantity(float(normal[k]), 'N', 2)} are little beside the tension: the seats decide"
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
    """First natural frequency of every span, compared with the highest peak near it."""
    name = "first transverse frequency"
    if not case.has("span_displacement"):
        return [LeftOut(name, "", case.solution.absent("span_displacement"))]
    times = instants(case.solution)[case.window.rows]
    try:
        step = sampling_step(times)
    except InputError as error:
        return [LeftOut(name, "", error.problems[0].message)]
    wanted = span_frequencies(case.point)
    moved = np.asarray(case.solution.values("span_displacement", case.window.rows), dtype=np.float64)
    found: Rows = []
    for k, frequency in enumerate(wanted):
        reason = _no_string(case, k, float(frequency), step, moved[:, k])
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


def _no_string(case: Case, k: int, frequency: float, step: float, moved: FloatArray) -> str:
    """Why a span cannot be compared with a string, or an empty text."""
    if k in case.guided:
        return "a guide divides it"
    if not frequency > 0.0:
        return "runs above its critical speed, or hangs slack"
    if not np.isfinite(moved).all():
        return "it is too short: its displacement is not known at all instants"
    if frequency * case.window.duration < PERIODS:
        return f"the window holds fewer than {PERIODS} periods of {frequency:.3g} Hz"
    if frequency > 0.4 / step:
        return f"{frequency:.3g} Hz is above 0.4 of the save rate"
    return ""


def _sag(case: Case) -> Rows:
    """Mean transverse displacement by the weight of the chain, to the left of the order of the route."""
    name = "mean sag"
    if not case.has("span_displacement"):
        return [LeftOut(name, "", case.solution.absent("span_displacement"))]
    mean, way = case.mean("span_displacement"), case.point.route
    centrifugal = float(formulas.centrifugal_tension(case.point.mass_per_length, case.point.chain_speed))
    found: Rows = []
    for k, (ux, uy) in enumerate(way.span_direction):
        across = float(case.weight @ np.array([-uy, ux]))
        holding = float(case.point.tension[k]) - centrifugal
        reason = ""
        if k in case.guided:
            reason = "a guide supports it"
        elif not holding > 0.0:
            reason = "all of the tension is centrifugal"
        if reason := reason or _irregular(case, k):
            found.append(LeftOut(name, case.drive.span_names[k], reason))
            continue
        sag = across * float(way.span_length[k]) ** 2 / (8.0 * holding)
        least = SEAT_PLAY * case.drive.chain.roller_diameter
        if abs(sag) < least:
            reason = (
                f"{1e3 * sag:.2g} mm are less than {SEAT_PLAY:g} of a roller: the position of rollers in their seats "
                "decides"
            )
            found.append(LeftOut(name, case.drive.span_names[k], reason))
            continue
        remark = "motion of the span ends, by polygonal action and rollers deep in their seats, is not included"
        found.append(
            Compared(
                name, case.drive.span_names[k], "span", k, float(mean[k]), sag, "m", "rho g l^2 / (8 (T - rho V^2))",
                "catenary to first order (Routh 1905)", remark,
            )
        )  # fmt: skip
    return found


def _polygon(case: Case) -> Rows:
    """Speed ripple of the driven wheel of two at the tooth frequency, compared with that of rigid links on an elastic
    span.
    """
    name = "speed ripple of the driven wheel at the tooth frequency"
    drive, first = case.drive, case.point.driver
    if len(drive.wheels) != 2:
        return [LeftOut(name, "", f"{len(drive.wheels)} wheels: the exact kinematics are for two")]
    other, pulled = 1 - first, (first - 1) % 2 if case.forward else first
    tension = case.point.tension  # where the other wheel drives, or is braked, the tight span is the other one
    tight = pulled if tension[pulled] >= tension[1 - pulled] else 1 - pulled
    wheel, chain = drive.wheels[other], drive.chain
    length, teeth = float(case.point.route.span_length[tight]), drive.wheels[first].teeth
    compliant = length / chain.pitch / chain.link_stiffness
    own = (
        math.sqrt(1.0 / (compliant * (wheel.turned_inertia or math.inf)))
        * float(case.point.route.radii[other])
        / (2 * math.pi)
    )
    relative = case.pace / own if own > 0.0 else math.inf
    reason = ""
    if wheel.motion is not None or any(w.side != "front" for w in drive.wheels):
        reason = "both wheels must be on the front of the chain, and one turn freely"
    elif tight in case.guided or not case.has("wheel_angle"):
        reason = "a guide bends the tight span, or wheel_angle was not kept"
    elif case.pace * case.window.duration / (case.window.end - case.window.first - 1) > 0.4:
        reason = f"{case.pace:.3g} Hz is above 0.4 of the save rate"
    elif RESONANT[0] < relative < RESONANT[1]:
        reason = f"{case.pace:.3g} Hz is near the {own:.3g} Hz of the wheel on the tight span: damping decides"
    elif length < 2.0 * chain.pitch:
        reason = "the tight span is shorter than two pitches"
    elif other_reason := _stiff_joints(case) or _irregular(case, tight):
        reason = other_reason
    elif (seats := _seats(case, float(tension[tight]))) > YIELDING * compliant:
        reason = f"its seats yield {100.0 * seats / compliant:.2g} % of its links: the formula has rigid ones"
    if reason:
        return [LeftOut(name, wheel.name, reason)]
    exact = tight_span_kinematics(teeth, wheel.teeth, length, chain.pitch)
    rigid = 2.0 * abs(complex((exact.ratio * np.exp(-1j * teeth * exact.driver_angle)).mean()))
    angle = np.asarray(case.solution.values("wheel_angle", case.window.rows, first)) * teeth
    speed = np.asarray(case.solution.values("wheel_speed", case.window.rows, other))
    if not abs(float(angle[-1] - angle[0])) >= 2.0 * np.pi:  # nor where it is not a number
        return [LeftOut(name, wheel.name, "the chain moves by less than one tooth in the window")]
    ripple = _harmonic(angle, speed) / abs(float(speed.mean()))
    formula = "four-bar linkage / |1 - (f / f0)^2|, f0 of the wheel on the tight span"
    source = "Bouillon & Tordion 1965; Chen & Freudenstein 1988"
    remark = f"f0 = {own:.3g} Hz with rigid seats; rigid links alone give {rigid:.3g}"
    closed = rigid / abs(1.0 - relative**2)
    return [Compared(name, wheel.name, "wheel", other, ripple, closed, "1", formula, source, remark)]


def _seats(case: Case, tension: float) -> float:
    """Compliance of the first tooth at both ends of a tight span of this tension, for its tension. [m/N]

    A tooth of load F on the contact F = K d^n yields by d / (n F) for each newton of it, and takes F / T of a change.
    """
    total = 0.0
    for loads, wheel in zip(tooth_loads(case.point), case.drive.wheels, strict=True):
        law, force = wheel.contact or case.drive.contact, float(loads.tooth.max())
        if force > 0.0 and tension > 0.0:
            total += (force / law.stiffness) ** (1.0 / law.exponent) / (law.exponent * tension)
    return total


def _harmonic(phase: FloatArray, values: FloatArray) -> float:
    """Amplitude of the component of values with one period per turn of the phase [rad], over whole turns; both (n,)."""
    turned = np.abs(phase - phase[0])
    whole = turned < 2.0 * np.pi * math.floor(float(turned[-1]) / (2.0 * np.pi))
    part = values[whole] - values[whole].mean()
    return 2.0 * abs(complex((part * np.exp(-1j * phase[whole])).mean()))


def _joints(case: Case) -> Rows:
    """Power lost in the joints of the chain by friction and by damping."""
    name, chain = "lost in the joints", case.drive.chain
    if not case.has("work_articulation"):
        return [LeftOut(name, "", case.solution.absent("work_articulation"))]
    if not (chain.joint_friction or chain.joint_damping):
        return [LeftOut(name, "", "the joints have neither friction nor damping")]
    if reason := "guides bend the joints as well" if case.guided else _stiff_joints(case):
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
    remark = "assumes that spans keep their direction: vibration also bends the joints"
    source = "work of the moment over 2 pi / z at each end of every span"
    return [Compared(name, "", "drive", -1, power, closed, "W", " + ".join(terms), source, remark)]


def _penetration(case: Case) -> Rows:
    """Mean penetration of the rollers on every wheel, compared with that of their mean forces."""
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
        closed = float(((force[on] / law.stiffness) ** (1.0 / law.exponent)).mean())
        found.append(
            Compared(
                name, wheel.name, "wheel", w, float(depth[on].mean()), closed, "m", "mean of (F / K)^(1 / n)",
                "Hertz 1882; Pedersen 2004, section 3.6", "losses in the contact are not included",
            )
        )  # fmt: skip
    return found


WITHOUT_WEIGHT = (_speeds, _penetration)
"""Checks that hold for a chain that carries goods or attachments."""
