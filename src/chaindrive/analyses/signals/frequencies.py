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
from chaindrive.analyses.linear.linearised import frequencies_by_part, in_line, mode_shares, system_modes
from chaindrive.analyses.linear.modes import drive_model, full_modes
from chaindrive.analyses.signals.selection import check_index, signal_of, wheel_index
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import VARYING, Drive, Orders
from chaindrive.results.solution import Solution
from chaindrive.simulation.start import prepare

__all__ = [
    "Kind",
    "Mark",
    "OrderMark",
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
