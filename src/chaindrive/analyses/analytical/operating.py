"""Analytical checks of a drive at its speed and at given span tensions: critical speeds, loads, losses.

Tensions are those that the links carry, including the centrifugal part (Pedersen 2004, section 4.4.2, eta = 0). The
tensions at rest, with the loads that act at speed (:func:`loaded_as_at_speed`), are only a first estimate: the centres
are fixed, but at speed the rollers sit less deep in their seats, which lengthens the path and tightens a stiff chain
(6L60MC: 4.3 kN at rest, 16 to 19 kN running). Friction on rails and the feed of goods are not among these loads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.analyses.analytical import formulas
from chaindrive.analyses.analytical.conveyor_pull import loads_pull, rails_pull
from chaindrive.analyses.carried import goods_pull, mass_per_length, span_mass_per_length
from chaindrive.analyses.linear.stability import SpanStability, moving_span_map
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import Route
from chaindrive.mechanism.balance import net_torque
from chaindrive.mechanism.facts import DriveFacts, drive_facts
from chaindrive.model import Drive, Wheel
from chaindrive.model.problems import shown
from chaindrive.simulation.start import channel_at_start

__all__ = [
    "OperatingPoint",
    "ToothLoads",
    "critical_speeds",
    "joint_loss",
    "load_power",
    "loaded_as_at_speed",
    "operating_point",
    "placed_at_rest",
    "span_frequencies",
    "span_stability",
    "tooth_loads",
]

FloatArray = NDArray[np.float64]

MAP_FREQUENCIES = np.linspace(0.5, 4.5, 241)
"""Frequency range of a stability map, in units of the first natural frequency: it ends above twice the second natural
frequency."""
MAP_AMPLITUDES = np.linspace(0.0, 0.5, 51)
"""Amplitude range of a stability map, in units of the tension."""


class OperatingPoint(NamedTuple):
    """State of a drive with W wheels while its driver turns at a constant speed. Span k runs from wheel k to wheel k +
    1 (mod W).
    """

    drive: Drive
    route: Route
    tension: FloatArray
    """Tension of the links in each span, shape (W,). [N]"""
    driver: int
    """Index of the driver (``mechanism.facts.DriveFacts``)."""
    driver_speed: float
    """Magnitude of the mean speed of the driver (of its final speed after a run-up); ``nominal_speed`` where no motion
    is prescribed. [rad/s]"""
    chain_speed: float
    """Chain speed. [m/s]"""

    @property
    def tooth_frequency(self) -> float:
        """Tooth frequency. [Hz]"""
        return self.chain_speed / self.drive.chain.pitch

    @property
    def mass_per_length(self) -> float:
        """Mean mass of the chain per length, with its attachments and without goods. [kg/m]"""
        return mass_per_length(self.drive)

    @property
    def span_mass_per_length(self) -> FloatArray:
        """Mean mass per length in each span, with attachments and goods, shape (W,). [kg/m]"""
        return span_mass_per_length(self.drive)


class ToothLoads(NamedTuple):
    """Loads of the teeth and links on one wheel with n rollers, in the order in which the chain runs over the wheel."""

    rollers: int
    """Mean number of rollers on the wheel, n, rounded."""
    shift: float
    """Friction angle by which the tooth forces are rotated. [rad]"""
    tooth: FloatArray
    """Force between each roller and its tooth, friction included, shape (n,). [N]"""
    link: FloatArray
    """Tension of the links between these rollers, shape (n - 1,). [N]"""

    @property
    def first(self) -> float:
        """Return the load of the tooth at which the chain runs on. [N]"""
        return float(self.tooth[0])

    @property
    def last(self) -> float:
        """Return the load of the tooth at which the chain runs off. [N]"""
        return float(self.tooth[-1])


def placed_at_rest(drive: Drive, system: System) -> Drive:
    """Return the drive with wheels on moving bodies placed where they are in the state of the system.

    The result is for analytical checks only: they use the wheels, while the bodies stay as drawn.
    """
    if not drive.bodies:
        return drive
    position = channel_at_start(system, "wheel_position")
    moved = ((float(x), float(y)) for x, y in position)
    wheels = (wheel.model_copy(update={"position": at}) for wheel, at in zip(drive.wheels, moved, strict=True))
    return drive.model_copy(update={"wheels": tuple(wheels)})


def loaded_as_at_speed(drive: Drive) -> Drive:
    """Return the drive with constant loads, of the mean size that loads, bearings and further motors have at its
    nominal speed; the same drive if they have this size at rest, or if the speed is undetermined.

    In its static equilibrium the spans carry these loads. A driver without prescribed motion keeps its torques: it is
    held at rest. A preload is omitted, because it applies without speed.
    """
    facts = drive_facts(drive)
    if facts.nominal_speed is None:
        return drive
    wheels = tuple(_loaded_wheel(facts, w) for w in range(len(drive.wheels)))
    return drive if wheels == drive.wheels else drive.model_copy(update={"wheels": wheels, "preload": None})


def _loaded_wheel(facts: DriveFacts, index: int) -> Wheel:
    """Return a wheel with one constant load, of the mean size of all its torques at the nominal speed."""
    wheel, shaft = facts.drive.wheels[index], facts.shafts[index]
    if wheel.motion is not None or index == facts.driver:
        return wheel
    load = -net_torque([shaft._replace(ratio=1.0)], shaft.ratio * (facts.nominal_speed or 0.0))
    slope = wheel.vehicle.slope_torque if wheel.vehicle is not None else 0.0  # acts at rest, too
    none = {"torque": 0.0, "load_viscous": 0.0, "load_quadratic": 0.0, "load_table": None, "loads": ()}
    return wheel.model_copy(update={**none, "load_torque": load - slope})


def operating_point(drive: Drive, tension: ArrayLike, driver_speed: float | None = None) -> OperatingPoint:
    """Return the operating point of a drive whose spans carry these tensions, shape (W,) [N].

    Wheels are at the positions of the description; see :func:`placed_at_rest` for wheels on moving bodies.
    driver_speed: magnitude of the speed at which the driver turns [rad/s]; None: the nominal speed
    (``running.nominal_speed``). Raises InputError if no route exists, if the speed of the drive is undetermined, and
    for tensions that are not one number for each span.
    """
    facts = drive_facts(drive)
    path, first = facts.route, facts.driver
    speed = facts.nominal_speed if driver_speed is None else driver_speed
    if speed is None:
        message = (
            "is needed to determine the speed of the drive: no motion is prescribed, and there is no speed at which "
            "torques and loads balance; give it to the driving wheel, or give loads that grow with the speed"
        )
        raise InputError(Problem(f"wheels[{first}].initial_speed", message))
    pace = float(formulas.chain_speed(speed, drive.wheels[first].teeth, drive.chain.pitch))
    return OperatingPoint(drive, path, _tensions(tension, drive.span_names), first, speed, pace)


def _tensions(given: ArrayLike, names: Sequence[str]) -> FloatArray:
    """Return the tensions of spans with these names [N]. Raises InputError unless there is one number for each."""
    try:
        found = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (len(names),):
        message = f"must be {len(names)} numbers in N, one for each span: {', '.join(names)}"
        raise InputError(Problem("tension", message, shown(given)))
    return found


def span_frequencies(point: OperatingPoint, mode: int = 1, running: bool = True) -> FloatArray:
    """Return the transverse natural frequency of every span, shape (W,) [Hz]; nan if the span runs above its critical
    speed.
    """
    speed = point.chain_speed if running else 0.0
    return np.asarray(
        formulas.moving_string_frequency(
            mode, point.route.string_length, point.tension, point.span_mass_per_length, speed
        )
    )


def critical_speeds(
    point: OperatingPoint,
    orders: Sequence[float],
    mode: int = 1,
    relaxation: float = 0.0,
    parametric: bool = False,
) -> FloatArray:
    """Return the driver speeds at which an excitation meets the natural frequency of a span, (1 + orders, W) [rad/s].

    Row 0 is for the tooth frequency, the other rows are for the given orders of the driver. parametric: compare with
    twice the natural frequency instead, where a tension that varies with the excitation makes the span unstable
    (Naguleswaran & Williams 1968; the half-order crossings of Pedersen 2004, section 5.9).

    relaxation eta of Eq. 4.31: 0 if the links carry the tension of the operating point at every speed, 1 if the
    centrifugal tension is added to it. Real structures are in between.
    """
    per_turn = point.drive.wheels[point.driver].teeth * point.drive.chain.pitch
    wavenumbers = 2.0 * np.pi * np.array([1.0 / point.drive.chain.pitch, *(order / per_turn for order in orders)])
    if parametric:
        wavenumbers = 0.5 * wavenumbers
    speed = formulas.string_resonance_speed(
        point.route.string_length[None, :],
        point.tension[None, :],
        point.span_mass_per_length[None, :],
        wavenumbers[:, None],
        mode,
        relaxation,
    )
    return np.asarray(2.0 * np.pi * speed / per_turn)


def span_stability(
    point: OperatingPoint,
    span: int,
    frequency: ArrayLike | None = None,
    amplitude: ArrayLike | None = None,
    damping_ratio: float = 0.0,
) -> SpanStability:
    """Return the map of tension fluctuations that make a span of the running drive unstable (section 4.4.4, corrected).

    frequency: frequencies of the fluctuation, shape (F,) [Hz], by default from 0.5 to 4.5 times the span's first
    natural frequency; amplitude: amplitudes, shape (A,) [N], by default up to half the tension. damping_ratio: damping
    ratio of the first mode, due to a force that opposes the transverse velocity; with damping, only fluctuations above
    a threshold make the span unstable. Raises InputError for a span that does not exist or runs above its critical
    speed, and for a damping ratio out of range.
    """
    count = len(point.drive.wheels)
    problems = []
    if not 0 <= span < count:
        problems.append(Problem("span", f"must be a span of the drive, 0 to {count - 1}", str(span)))
    if not 0.0 <= damping_ratio < 1.0:
        problems.append(Problem("damping_ratio", "must be at least 0 and less than 1", f"{damping_ratio:g}"))
    if problems:
        raise InputError(problems)
    first = float(span_frequencies(point)[span])
    if not first > 0.0:
        problem = (
            "does not vibrate: it runs at or above its critical speed, where the tension does not keep the chain on "
            "its path"
        )
        raise InputError(Problem("span", problem, str(span)))
    tension = float(point.tension[span])
    return moving_span_map(
        float(point.route.span_length[span]),
        tension,
        float(point.span_mass_per_length[span]),
        point.chain_speed,
        tension * MAP_AMPLITUDES if amplitude is None else amplitude,
        first * MAP_FREQUENCIES if frequency is None else frequency,
        damping=4.0 * np.pi * damping_ratio * first,
    )


def tooth_loads(point: OperatingPoint, friction: bool = True, bush_friction: float = np.inf) -> list[ToothLoads]:
    """Return the tooth and link loads on every wheel by Binder's sum for two spans (Eqs. 4.39 and 4.41, corrected).

    friction: rotate the tooth forces by the friction of each wheel's contact (Naji & Marshek 1983); rollers turn on
    their bushes if bush_friction is lower. False: neglect friction. A span with less than the centrifugal tension loads
    no tooth. See :func:`chaindrive.analyses.analytical.formulas.binder_tooth_loads` for the direction of friction, and
    for short wraps, where the loads are overestimated.
    """
    centrifugal = float(formulas.centrifugal_tension(point.mass_per_length, point.chain_speed))
    forward = drive_facts(point.drive).direction > 0
    found = []
    for index, wheel in enumerate(point.drive.wheels):
        rollers = max(round(float(point.route.wrap[index]) * wheel.teeth / (2.0 * np.pi)), 1)
        before, after = (max(float(point.tension[span]), centrifugal) for span in (index - 1, index))
        into, out = (before, after) if forward else (after, before)
        coefficient = (wheel.contact or point.drive.contact).friction if friction else 0.0
        shift = float(formulas.friction_shift(coefficient, bush_friction))
        tooth = formulas.binder_tooth_loads(rollers, wheel.teeth, into, out, centrifugal, shift=shift)
        link = formulas.binder_link_tensions(rollers, wheel.teeth, into, out, centrifugal, shift=shift)
        found.append(ToothLoads(rollers, shift, tooth, link))
    return found


def joint_loss(point: OperatingPoint, friction: float, pin_diameter: float) -> float:
    """Return the power lost by Coulomb friction in the joints [W].

    For every pitch that the chain advances, a joint bends by 2 pi / z where the chain arrives on a wheel and again
    where it leaves, under the tension of the adjacent span: mu r_pin (V / P) sum over the wheels of (2 pi / z)
    (T_before + T_after). For two wheels relative to T_t V this is
    :func:`chaindrive.analyses.analytical.formulas.joint_friction_efficiency`.
    """
    teeth = np.array([wheel.teeth for wheel in point.drive.wheels])
    bent = 2.0 * np.pi / teeth * (point.tension + np.roll(point.tension, 1))
    return float(0.5 * friction * pin_diameter * point.tooth_frequency * bent.sum())


def load_power(point: OperatingPoint) -> float:
    """Return the power absorbed by goods, by friction due to the weight on straight rails, and by the loads and
    bearings of the wheels without prescribed motion [W].
    """
    drive, speed = point.drive, point.chain_speed
    return (sum(goods_pull(drive, speed)) + rails_pull(drive) + loads_pull(drive, speed)) * speed
