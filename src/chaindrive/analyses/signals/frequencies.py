"""Known frequencies of a drive to mark in spectra: teeth, revolutions, strings, eigenfrequencies.

Each is an analytical value at the speed and tension of a result in a time window.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical.formulas import moving_string_frequency
from chaindrive.analyses.carried import span_mass_per_length
from chaindrive.analyses.linear.linearised import SystemModes, frequencies_by_part, in_line, mode_shares, system_modes
from chaindrive.analyses.linear.modes import drive_model, full_modes
from chaindrive.analyses.signals.selection import check_index, signal_of, wheel_index
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.contract.system import System
from chaindrive.errors import ComputationError, InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import VARYING, Drive, HydraulicTensioner, Orders
from chaindrive.results.solution import Solution
from chaindrive.simulation.joined_start import port_of
from chaindrive.simulation.start import prepare

__all__ = [
    "DriveFrequencies",
    "Kind",
    "Mark",
    "OrderMark",
    "drive_frequencies",
    "drive_in_run",
    "driver_orders",
    "frequencies_at_rest",
    "frequency_marks",
    "joined_by_shafts",
    "longitudinal_frequencies",
    "order_marks",
    "string_frequencies",
    "system_frequencies",
    "times",
]

Kind = Literal["tooth", "driver", "order", "string", "system", "folded"]
"""Kinds of marks: meshing of teeth; orders of the driver; revolutions of other wheels and of the chain loop; spans
as moving strings; longitudinal eigenfrequencies of the whole drive; aliases of tooth frequencies above half the
save rate."""

SYSTEM_MODES = 4
"""Number of longitudinal eigenfrequencies that are marked, lowest first."""
MODES_AT_REST = 80
"""Number of modes of the complete drive that are computed, lowest first; most of them are transverse modes of spans."""
MOST_VELOCITIES = 1000
"""Largest number of velocities of a system whose complete modes are computed for the verdict, which takes 0.1 s for a
chain of 100 links, a second or two for 300, and ten for 1,600. [-]"""
HALF = 0.5
"""Share of the kinetic energy above which wheels, bodies and longitudinal motion make a mode one of the drive. [-]"""
TOGETHER = 0.9
"""Square of the correlation above which all wheels move with the chain alike: the drive rolls. [-]"""


class Mark(NamedTuple):
    """A frequency with a name."""

    label: str
    frequency: float
    """Frequency. [Hz]"""
    kind: Kind


class OrderMark(NamedTuple):
    """An order with a name."""

    label: str
    order: float
    """Cycles per revolution of the wheel to which the orders refer."""
    kind: Kind


def string_frequencies(
    solution: Solution, span: int, start: float | None = None, stop: float | None = None, modes: int = 3
) -> NDArray[np.float64]:
    """Return the natural frequencies of a span as a moving string at its mean tension, shape (modes,) [Hz]; nan for a
    slack span or a hanging loop.

    Source: Pedersen (2004), Eq. 4.27 with eta = 0, because the tension that the links carry contains the centrifugal
    part.
    """
    drive = drive_in_run(solution)
    way = drive_facts(drive).route
    check_index("span", span, len(way.span_length))
    tension = float(signal_of(solution, "span_tension", span, start, stop).values.mean())
    if not tension > 0.0:
        return np.full(modes, np.nan)
    speed = mean_tooth_frequency(solution, start, stop) * drive.chain.pitch if drive.wheels else 0.0
    density = float(span_mass_per_length(drive)[span])
    length = float(way.string_length[span])
    return np.asarray(moving_string_frequency(np.arange(1, modes + 1), length, tension, density, speed))


class DriveFrequencies(NamedTuple):
    """The lowest natural frequencies of the whole drive, in which wheels turn, bodies move or the chain stretches."""

    frequency: NDArray[np.float64]
    """Frequencies, lowest first; empty if they are not known. [Hz]"""
    part: tuple[str, ...]
    """Name of the part that moves most in each mode; empty without ``linearised``."""
    linearised: bool
    """Whether they are those of the complete drive linearised at rest; otherwise those of the longitudinal model, with
    rigid seats and fixed wheel centres."""
    reason: str = ""
    """Why they are not known, or not those of the complete drive."""


def driver_orders(drive: Any) -> tuple[float, ...]:
    """Return the orders of the driver: its revolution, and the orders of its motion (``motion.kind = "orders"``)."""
    found = {1.0}
    for wheel in drive.wheels:
        if isinstance(wheel.motion, (Orders, *VARYING)):
            found |= {float(term.order) for term in wheel.motion.orders}
    return tuple(sorted(found))


def drive_in_run(solution: Solution) -> Drive:
    """Return the drive of a run with its wheels where they are in the first stored row, and with the pitch of its
    preload.

    A preload, or the static equilibrium of wheels on moving bodies, moves wheels away from their positions in the
    description; a chain that is slack as described may then be taut. The result is for analytical checks only: bodies
    stay as drawn, and so do wheels whose position was not kept.
    """
    drive, facts = solution.drive, drive_facts(solution.drive)
    pitch = solution.notes.get("preload_pitch", drive.chain.pitch)
    centres = np.array([wheel.position for wheel in drive.wheels], dtype=np.float64).reshape(-1, 2)
    if "wheel_position" in solution and solution.time.size:
        first = np.asarray(solution.values("wheel_position", slice(0, 1))[0], dtype=np.float64)
        centres = np.where(np.isfinite(first), first, centres)
    return facts.once(("drive in run", centres.tobytes(), pitch), lambda: _placed(drive, centres, pitch))


def _placed(drive: Drive, centres: NDArray[np.float64], pitch: float) -> Drive:
    """Return the drive with its wheels at centres, (W, 2) [m], and with this pitch [m]."""
    at = ((float(x), float(y)) for x, y in centres)
    wheels = tuple(w.model_copy(update={"position": xy}) for w, xy in zip(drive.wheels, at, strict=True))
    return drive.model_copy(update={"wheels": wheels, "chain": drive.chain.model_copy(update={"pitch": pitch})})


def joined_by_shafts(solution: Solution) -> bool:
    """Return whether shafts connect the chain of a run to other chains or to rotors."""
    drive = solution.drive
    return bool(drive.stages or drive.rotors or solution.notes.get("shafts"))


def longitudinal_frequencies(solution: Solution, count: int = SYSTEM_MODES) -> NDArray[np.float64]:
    """Return the lowest longitudinal eigenfrequencies of the drive of a run (``system_frequencies``), with its wheels
    where the run has placed them, shape (<= count,) [Hz].

    Empty for a chain that shafts connect to other chains or rotors, because the model of a single chain does not
    include their inertias.
    """
    if joined_by_shafts(solution):
        return np.empty(0)
    return system_frequencies(drive_in_run(solution), count)


def drive_frequencies(solution: Solution, count: int = SYSTEM_MODES) -> DriveFrequencies:
    """Return the lowest natural frequencies of the drive of a run, apart from the transverse vibration of its spans.

    They are those of the complete drive linearised about the static equilibrium from which a run at speed starts, so
    that seats, slack, and wheels and guides on moving bodies count. If these are not known (a hydraulic tensioner,
    whose oil has no stiffness at constant pressure; more than ``MOST_VELOCITIES``; no stable equilibrium; a formulation
    without modes), they are those of the longitudinal model, unless a free body carries a wheel or a guide: that model
    holds it in place, which raises the lowest frequency by a third to its double. Empty for a chain that shafts connect
    to other chains or rotors.
    """
    if joined_by_shafts(solution):
        reason = "the modes of the drive with its other chains and rotors (chaindrive analyze) are not known here"
        return DriveFrequencies(np.empty(0), (), False, reason)
    facts = drive_facts(solution.drive)
    found: DriveFrequencies = facts.once(("drive_frequencies",), lambda: _complete_frequencies(solution.drive))
    if found.frequency.size:
        return found._replace(frequency=found.frequency[:count].copy(), part=found.part[:count])
    if _yields(solution.drive):
        return found
    longitudinal = longitudinal_frequencies(solution, count)
    reason = found.reason if longitudinal.size else "the modes of the drive are not known here"
    return DriveFrequencies(longitudinal, (), False, reason)


def _yields(drive: Drive) -> bool:
    """Return whether a wheel or a guide can move with a body that a spring or a weight holds.

    A piston on oil yields slowly, so that a body behind it counts as fixed, as do the ends of elastic shafts.
    """
    free = {body.name for body in drive.bodies if body.joint.kind != "fixed" and body.joint.motion is None}
    for _ in drive.bodies:
        free |= {body.name for body in drive.bodies if body.parent in free}
    held = {name for each in drive.tensioners if isinstance(each, HydraulicTensioner) for name in _ends_of(each)}
    carried = ({wheel.body for wheel in drive.wheels} | {guide.body for guide in drive.guides}) & free
    return bool(carried - held)


def _ends_of(tensioner: HydraulicTensioner) -> tuple[str, str]:
    return tensioner.from_body, tensioner.to_body


def _complete_frequencies(drive: Drive) -> DriveFrequencies:
    """Return the natural frequencies of the complete drive linearised at rest; empty, with the reason, if they are not
    known.
    """

    def unknown(reason: str) -> DriveFrequencies:
        return DriveFrequencies(np.empty(0), (), False, reason)

    if drive.chain.ends is not None or drive_facts(drive).route.hanging_loop:
        return unknown("the modes of the drive are not known here: its free lengths change as it moves")
    if drive.sheaves:  # friction alone holds their pins
        return unknown("")
    if any(isinstance(each, HydraulicTensioner) for each in drive.tensioners):
        return unknown("the modes of a drive with a hydraulic tensioner are not known: its oil is stiff, but leaks")
    try:
        system = prepare(in_line(drive), start="at_speed").system
        if system.velocities > MOST_VELOCITIES:
            return unknown("the chain is too long to compute the modes of the drive here (chaindrive analyze)")
        if not system.story.notes.get("static_converged", False):
            return unknown("the drive has no equilibrium at rest about which it could vibrate")
        modes = system_modes(system, MODES_AT_REST)
    except (InputError, ComputationError) as error:
        return unknown(f"the modes of the drive are not known: {error}".splitlines()[0])
    shares = mode_shares(system, modes)
    own = [not part.endswith((" transverse", " gravity")) for part in shares.part]
    chosen = (shares.share[:, own].sum(axis=1) > HALF) & ~_rolls(system, modes, drive)
    if not np.isfinite(modes.frequency[chosen]).all():
        return unknown("the drive is not stable at rest, where its modes would be computed")
    picked = np.flatnonzero(chosen & (modes.frequency > 0.0))
    if not picked.size:
        return unknown("none of the lowest modes of the drive is more than a transverse vibration of spans")
    names = [part for part, apart in zip(shares.part, own, strict=True) if apart]
    most = shares.share[:, own].argmax(axis=1)
    return DriveFrequencies(modes.frequency[picked], tuple(names[most[mode]] for mode in picked), True)


def _rolls(system: System, modes: SystemModes, drive: Drive) -> NDArray[np.bool_]:
    """Return for each mode whether it is the rolling of the whole drive, (M,), which a drive without prescribed motion
    is free to do: between the seats of its teeth it has a low frequency at rest, and none when it runs.
    """
    if drive_facts(drive).prescribed:
        return np.zeros(modes.frequency.size, dtype=np.bool_)
    sizes = drive_facts(drive).route.radii * drive_facts(drive).route.signs
    speeds = [port_of(system, wheel).speed - system.positions for wheel in range(len(drive.wheels))]
    along = modes.shape[:, speeds] * sizes  # motion of the chain on each wheel
    alike = along.sum(axis=1) ** 2 > TOGETHER * sizes.size * (along**2).sum(axis=1)
    rolling = np.asarray(system.motion.rolling, dtype=np.float64)  # zero for a start from rest
    momentum = np.divide(modes.energy, modes.shape, out=np.zeros_like(modes.energy), where=modes.shape != 0.0)
    whole = float((np.where(np.isfinite(system.masses), system.masses, 0.0) * rolling**2).sum())
    return np.asarray(alike | ((momentum @ rolling) ** 2 > max(HALF * whole, np.finfo(np.float64).tiny)))


def system_frequencies(drive: Any, count: int = SYSTEM_MODES) -> NDArray[np.float64]:
    """Return the lowest longitudinal eigenfrequencies of the whole drive above zero, shape (<= count,) [Hz].

    They come from :func:`chaindrive.analyses.linear.modes.full_modes`, with rigid seats; empty if the model does not
    apply (a wheel without prescribed motion has no inertia). :func:`frequencies_at_rest` also includes seats, teeth and
    bodies, but takes longer.
    """
    key = "system_frequencies", count
    return drive_facts(drive).once(key, lambda: _system_frequencies(drive, count)).copy()


def _system_frequencies(drive: Any, count: int) -> NDArray[np.float64]:
    try:
        found = full_modes(drive_model(drive), count + 1).frequency
    except InputError:
        return np.empty(0)
    return np.asarray(found[found > 0.0][:count])


def frequencies_at_rest(drive: Drive, count: int = MODES_AT_REST) -> dict[str, NDArray[np.float64]]:
    """Return the eigenfrequencies of the complete drive at rest, by the part that moves most, lowest first [Hz].

    They are the lowest ``count`` from :func:`chaindrive.analyses.linear.linearised.system_modes`, with the stiffness of
    seats and teeth and with moving bodies. Transverse modes of spans are omitted, because the motion of the chain
    lowers their frequencies; :func:`string_frequencies` gives them. In the formulation 'spatial', wheels are moved into
    one plane (``linearised.in_line``). Compiling the equations and finding the static equilibrium takes some seconds.
    Raises InputError if the chain does not fit.
    """
    started = prepare(in_line(drive), start="at_rest")
    modes = system_modes(started.system, count)
    found = frequencies_by_part(modes, mode_shares(started.system, modes))
    return {part: frequency for part, frequency in found.items() if not part.endswith(" transverse")}


def frequency_marks(
    solution: Solution,
    start: float | None = None,
    stop: float | None = None,
    span: int | None = None,
    highest: float = math.inf,
    modes: int = 3,
) -> list[Mark]:
    """Return the frequencies up to ``highest`` [Hz] that are expected in a spectrum from start to stop [s], lowest
    first.

    They are the tooth frequency with its second and third harmonic; the orders of the driver; the revolutions of the
    other wheels and of the chain loop; the first ``modes`` string frequencies of ``span`` (of no span if None); and the
    longitudinal eigenfrequencies of the drive. A chain over two wheels of one shaft has no common tooth frequency, so
    the tooth frequency of every wheel is used. Marks that need a channel that was not kept (wheel_speed, span_tension)
    are omitted.
    """
    drive = solution.drive
    found: list[Mark] = []
    try:
        tooth = mean_tooth_frequency(solution, start, stop)
    except InputError:
        tooth = 0.0
    if tooth > 0.0 and not drive_facts(drive).one_speed:
        found += _marks_of_wheels(solution, start, stop)
    elif tooth > 0.0:
        driver, word = wheel_index(drive, None), drive_facts(drive).passing
        found += [Mark(f"{times(n)}{word} frequency", n * tooth, "tooth") for n in (1, 2, 3)]
        turning = tooth / drive.wheels[driver].teeth
        for order in driver_orders(drive):
            label = f"{drive.wheels[driver].name}, order {order:g}"
            found.append(Mark(label, order * turning, "driver"))
        found += [
            Mark(f"revolution of {wheel.name}", tooth / wheel.teeth, "order")
            for w, wheel in enumerate(drive.wheels)
            if w != driver
        ]
        found.append(Mark("loop of the chain", tooth / drive.chain.links, "order"))
    if span is not None:
        try:
            strings = string_frequencies(solution, span, start, stop, modes)
        except InputError:
            strings = np.empty(0)
        name = drive.span_names[span]
        found += [Mark(f"string {n + 1}, {name}", float(f), "string") for n, f in enumerate(strings)]
    system = longitudinal_frequencies(solution)
    found += [Mark(f"drive, mode {n + 1}", float(f), "system") for n, f in enumerate(system)]
    return sorted((m for m in found if 0.0 < m.frequency <= highest), key=lambda mark: mark.frequency)


def _marks_of_wheels(solution: Solution, start: float | None, stop: float | None) -> list[Mark]:
    """Return the tooth frequency of every wheel at its mean speed, the orders of the driver and the revolutions of the
    other shafts.
    """
    drive, facts = solution.drive, drive_facts(solution.drive)
    speeds = solution.values("wheel_speed", window_of(instants(solution), start, stop).rows).mean(axis=0)
    turning, driver = np.abs(speeds) / (2.0 * math.pi), wheel_index(drive, None)
    found = []
    for w, wheel in enumerate(drive.wheels):
        found.append(Mark(f"tooth frequency of {wheel.name}", wheel.teeth * float(turning[w]), "tooth"))
        if facts.leaders[w] == w != facts.leaders[driver]:
            found.append(Mark(f"revolution of {wheel.name}", float(turning[w]), "order"))
    for order in driver_orders(drive):
        found.append(Mark(f"{drive.wheels[driver].name}, order {order:g}", order * float(turning[driver]), "driver"))
    return found


def order_marks(drive: Any, wheel: int | str | None = None, highest: float = math.inf) -> list[OrderMark]:
    """Return the orders of a wheel, up to ``highest``, that are expected from the drive, lowest first.

    Meshing has the order z for a wheel with z teeth; it applies to the teeth of all wheels, because one chain runs over
    them. A revolution of wheel j has the order z / z_j, a loop of the chain of N links has the order z / N, and order k
    of the driver becomes k z / z_d. Wheels with equal numbers of teeth share one mark. A chain over two wheels of one
    shaft runs at several speeds; then only the teeth of the wheel itself are marked, and the orders of the driver only
    on its shaft.
    """
    chosen = wheel_index(drive, wheel)
    driver = wheel_index(drive, None)
    teeth = drive.wheels[chosen].teeth
    at_driver, facts = drive.wheels[driver], drive_facts(drive)
    passing = "pins" if drive.sheaves else "teeth"
    found = [OrderMark(f"{times(n)}{passing} ({n * teeth:.5g})", float(n * teeth), "tooth") for n in (1, 2, 3)]
    if not facts.one_speed:
        own = driver_orders(drive) if facts.leaders[chosen] == facts.leaders[driver] else ()
        found += [OrderMark(f"{at_driver.name}, order {order:g}", order, "driver") for order in own]
        return sorted((m for m in found if m.order <= highest), key=lambda mark: mark.order)
    for order in driver_orders(drive):
        found.append(OrderMark(f"{at_driver.name}, order {order:g}", order * teeth / at_driver.teeth, "driver"))
    others: dict[int, list[str]] = {}
    for w, one in enumerate(drive.wheels):
        if w != driver:
            others.setdefault(one.teeth, []).append(one.name)
    found += [OrderMark(f"revolution of {', '.join(names)}", teeth / count, "order") for count, names in others.items()]
    found.append(OrderMark("loop of the chain", teeth / drive.chain.links, "order"))
    return sorted((m for m in found if m.order <= highest), key=lambda mark: mark.order)


def times(n: int) -> str:
    """Return the prefix of the n-th harmonic, such as "2 × "; empty for the first."""
    return "" if n == 1 else f"{n} × "
